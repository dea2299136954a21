//! Reasons for moves, and the candidate that collects them.

use crate::board::Vertex;

/// Why a move might be good. A generator names it; it says nothing about how much it is worth.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Captures the string at this vertex; the code is that of reading (1 to 3).
    Attack(Vertex, u8),
    /// Saves the string at this vertex.
    Defend(Vertex, u8),
    /// Threatens to capture the string.
    ThreatenAttack(Vertex),
    /// Threatens to save the string.
    ThreatenDefend(Vertex),
    /// Connects two strings or dragons.
    Connect(Vertex, Vertex),
    /// Cuts two strings or dragons of the opponent.
    Cut(Vertex, Vertex),
    /// Kills the dragon.
    OwlAttack(Vertex, u8),
    /// Makes the dragon live.
    OwlDefend(Vertex, u8),
    /// Wins a capturing race against the dragon.
    Semeai(Vertex),
    /// Changes the number of eyes of an eye space of the dragon.
    Eye(Vertex),
    /// Weakens the dragon.
    StrategicAttack(Vertex),
    /// Strengthens the dragon.
    StrategicDefend(Vertex),
    /// Brings the dragon out into the open.
    Escape(Vertex),
    /// Makes or takes territory.
    ExpandTerritory,
    /// Makes a framework of territory.
    ExpandMoyo,
    /// Breaks into a territory.
    BreakIn(Vertex),
    /// Lives or reduces inside the opponent's area.
    Invasion,
    /// An empty corner, an enclosure, an approach, an extension; worth at least so many points.
    Opening(&'static str, f32),
    /// A shape pattern, by name, with its shape value.
    Shape(&'static str, f32),
    /// Takes a dead enemy string off the board.
    CleanUp(Vertex),
    /// Fills a point that will be nobody's.
    FillLiberty,
    /// The search's verdict: visits of the move, of all moves, mean value for the side to move.
    Search {
        /// Visits of the move.
        visits: u32,
        /// Visits of all moves.
        of: u32,
        /// Mean value, 0 to 1.
        value: f32,
    },
}

impl Reason {
    /// The sentence after "Move at V".
    #[must_use]
    pub fn text(&self, size: usize) -> String {
        let at = |v: &Vertex| v.to_gtp(size);
        let ko = |code: &u8| match code {
            2 => " with good ko",
            3 => " with bad ko",
            _ => "",
        };
        match self {
            Self::Attack(v, code) => format!("attacks {}{}", at(v), ko(code)),
            Self::Defend(v, code) => format!("defends {}{}", at(v), ko(code)),
            Self::ThreatenAttack(v) => format!("threatens to attack {}", at(v)),
            Self::ThreatenDefend(v) => format!("threatens to defend {}", at(v)),
            Self::Connect(a, b) => format!("connects {} and {}", at(a), at(b)),
            Self::Cut(a, b) => format!("cuts {} and {}", at(a), at(b)),
            Self::OwlAttack(v, code) => format!("owl-attacks {}{}", at(v), ko(code)),
            Self::OwlDefend(v, code) => format!("owl-defends {}{}", at(v), ko(code)),
            Self::Semeai(v) => format!("wins semeai for {}", at(v)),
            Self::Eye(v) => format!("changes the eyes of {}", at(v)),
            Self::StrategicAttack(v) => format!("strategically attacks {}", at(v)),
            Self::StrategicDefend(v) => format!("strategically defends {}", at(v)),
            Self::Escape(v) => format!("brings out {}", at(v)),
            Self::ExpandTerritory => "expands territory".into(),
            Self::ExpandMoyo => "expands moyo".into(),
            Self::BreakIn(v) => format!("breaks into territory from {}", at(v)),
            Self::Invasion => "is an invasion".into(),
            Self::Opening(what, least) => format!("is an opening move: {what} (at least {least:.1})"),
            Self::Shape(name, value) => format!("has shape {name} ({value:+.1})"),
            Self::CleanUp(v) => format!("takes the dead string {} off", at(v)),
            Self::FillLiberty => "fills a neutral point".into(),
            Self::Search { visits, of, value } => {
                format!("was visited {visits} of {of} times by the search, mean value {value:.3}")
            }
        }
    }
}

/// A move with its reasons and what they are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub vertex: Vertex,
    /// In the order in which they were found.
    pub reasons: Vec<Reason>,
    /// Points of expected territory that the move makes.
    pub territorial: f32,
    /// Points for the safety of dragons.
    pub strategic: f32,
    /// Points that a second move here would make.
    pub followup: f32,
    /// Points the opponent would threaten by moving here.
    pub reverse_followup: f32,
    /// Whether the stone can't be captured at once.
    pub safe: bool,
    /// The shape factor, 1 without shape.
    pub shape: f32,
    /// Points at stake in what the move captures, saves, kills or makes live.
    pub urgent: f32,
    /// At least this much, for opening moves.
    pub minimum: f32,
    /// Points the search added.
    pub search: f32,
    /// The value by which moves are compared.
    pub value: f32,
}

impl Candidate {
    /// A move without reasons and without value.
    #[must_use]
    pub fn new(vertex: Vertex) -> Self {
        Self {
            vertex,
            reasons: Vec::new(),
            territorial: 0.0,
            strategic: 0.0,
            followup: 0.0,
            reverse_followup: 0.0,
            safe: false,
            shape: 1.0,
            urgent: 0.0,
            minimum: 0.0,
            search: 0.0,
            value: 0.0,
        }
    }
}
