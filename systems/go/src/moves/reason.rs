//! The reasons for moves, and the candidates that collect them.

use super::terms::{Cause, Terms};
use crate::board::Vertex;
use crate::dragons::Dragon;
use std::collections::BTreeMap;

/// A string or a dragon that a reason is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Its first stone.
    pub at: Vertex,
    /// Its stones.
    pub stones: usize,
    /// The moves that reading found, from the move itself on; empty where it gave none.
    pub line: Vec<Vertex>,
    /// The other side's move instead of this one, or after it; a pass if none is known.
    pub answer: Vertex,
}

impl Target {
    /// A target of which no line is known.
    #[must_use]
    pub const fn new(at: Vertex, stones: usize) -> Self {
        Self { at, stones, line: Vec::new(), answer: Vertex::PASS }
    }

    /// The dragon as a target, by its origin.
    pub(super) fn of(dragon: &Dragon) -> Self {
        Self::new(dragon.origin, dragon.stones.len())
    }

    /// `D4`, or `the nine stones at D4`.
    fn text(&self, size: usize) -> String {
        const WORDS: [&str; 13] = [
            "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve",
        ];
        let at = self.at.to_gtp(size);
        match self.stones {
            0 | 1 => at,
            n => WORDS
                .get(n)
                .map_or_else(|| format!("the {n} stones at {at}"), |w| format!("the {w} stones at {at}")),
        }
    }

    /// The line after the move itself, in brackets.
    fn line_text(&self, size: usize) -> String {
        match self.line.get(1..) {
            Some(rest) if !rest.is_empty() => format!(" ({})", names(rest, size)),
            _ => String::new(),
        }
    }
}

/// Vertices, a blank between them; of many the first.
fn names(vertices: &[Vertex], size: usize) -> String {
    /// Origin: definition, a limit of the text that no value depends on.
    const MOST: usize = 8;
    let mut text: Vec<String> = vertices.iter().take(MOST).map(|v| v.to_gtp(size)).collect();
    if vertices.len() > MOST {
        text.push("...".to_owned());
    }
    text.join(" ")
}

/// The room of a dragon before a move and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Room {
    /// The territorial value of the moyo around it, in points.
    pub territory: [f32; 2],
    /// Its escape route.
    pub way_out: [u32; 2],
}

impl Room {
    /// What changes, in words: `territory 3.0 to 5.5, way out 4 to 12`.
    #[must_use]
    pub fn text(&self) -> String {
        let ([a, b], [c, d]) = (self.territory, self.way_out);
        let territory = ((b - a).abs() >= 0.05).then(|| format!("territory {a:.1} to {b:.1}"));
        let way_out = (c != d).then(|| format!("way out {c} to {d}"));
        territory.into_iter().chain(way_out).collect::<Vec<_>>().join(", ")
    }
}

/// Why a move might be good. A generator names it, without a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Captures the string; the code is that of reading (1 to 3).
    Attack(Target, u8),
    /// Saves the string.
    Defend(Target, u8),
    /// Threatens to capture the string.
    ThreatenAttack(Target),
    /// Threatens to save the string.
    ThreatenDefend(Target),
    /// Connects two strings or dragons.
    Connect(Vertex, Vertex),
    /// Cuts two strings or dragons of the opponent.
    Cut(Vertex, Vertex),
    /// Kills the dragon.
    OwlAttack(Target, u8),
    /// Makes the dragon live.
    OwlDefend(Target, u8),
    /// Wins a capturing race for or against the dragon.
    Semeai(Target),
    /// Changes the number of eyes of an eye space of the dragon.
    Eye(Target),
    /// Weakens the dragon.
    StrategicAttack(Target),
    /// Takes room from the dragon.
    Weakens(Target, Room),
    /// Gives the dragon room.
    Strengthens(Target, Room),
    /// Brings the dragon out into the open.
    Escape(Target),
    /// Makes or takes territory.
    ExpandTerritory,
    /// Makes a framework of territory.
    ExpandMoyo,
    /// Breaks from the string into the territory around the vertex.
    BreakIn(Target, Vertex),
    /// Keeps the string from breaking into the territory around the vertex.
    BlockOff(Target, Vertex),
    /// Lives or reduces inside the opponent's territory or moyo.
    Invasion,
    /// An empty corner, an enclosure, an approach, an extension; worth at least this many points.
    Opening(&'static str, f32),
    /// Its surroundings make it likely, as learned from games: its share among all moves.
    Likely(f32),
    /// A shape pattern, by name, with its shape value.
    Shape(&'static str, f32),
    /// Takes a dead enemy string off the board.
    CleanUp(Target),
    /// Fills a point that will be nobody's.
    FillLiberty,
}

impl Reason {
    /// The sentence after "Move at V".
    #[must_use]
    pub fn text(&self, size: usize) -> String {
        let at = |v: &Vertex| v.to_gtp(size);
        let of = |t: &Target| t.text(size);
        let line = |t: &Target| t.line_text(size);
        let ko = |code: &u8| match code {
            2 => " in a ko with the first threat the opponent's",
            3 => " in a ko that needs the first threat",
            _ => "",
        };
        let answer = |t: &Target, what: &str| {
            if t.answer == Vertex::PASS { String::new() } else { format!(" ({what} {})", at(&t.answer)) }
        };
        match self {
            Self::Attack(t, code) => format!("captures {}{}{}", of(t), ko(code), line(t)),
            Self::Defend(t, code) => {
                format!("saves {}{}{}", of(t), ko(code), answer(t, "the opponent captures with"))
            }
            Self::ThreatenAttack(t) => format!("threatens to capture {}", of(t)),
            Self::ThreatenDefend(t) => format!("threatens to save {}", of(t)),
            Self::Connect(a, b) => format!("connects {} with {}", at(a), at(b)),
            Self::Cut(a, b) => format!("cuts {} from {}", at(a), at(b)),
            Self::OwlAttack(t, code) => format!("kills {}{}{}", of(t), ko(code), answer(t, "they need")),
            Self::OwlDefend(t, code) => {
                format!("makes {} live{}{}", of(t), ko(code), answer(t, "the opponent kills with"))
            }
            Self::Semeai(t) => format!("wins the race about {}{}", of(t), answer(t, "the other side needs")),
            Self::Eye(t) => format!("decides an eye of {}", of(t)),
            Self::StrategicAttack(t) => format!("presses {}", of(t)),
            Self::Weakens(t, room) => format!("weakens {} ({})", of(t), room.text()),
            Self::Strengthens(t, room) => format!("strengthens {} ({})", of(t), room.text()),
            Self::Escape(t) => format!("brings {} out", of(t)),
            Self::ExpandTerritory => "expands territory".into(),
            Self::ExpandMoyo => "expands moyo".into(),
            Self::BreakIn(t, around) => {
                format!("breaks into the territory around {} from {}{}", at(around), at(&t.at), line(t))
            }
            Self::BlockOff(t, around) => {
                let answer = answer(t, "it breaks in with");
                format!("keeps {} out of the territory around {}{answer}", at(&t.at), at(around))
            }
            Self::Invasion => "invades".into(),
            Self::Opening(what, least) => format!("is an opening move: {what} (at least {least:.1})"),
            Self::Likely(share) => format!("is likely by its surroundings ({:.1} %)", 100.0 * share),
            Self::Shape(name, value) => format!("has shape {name} ({value:+.1})"),
            Self::CleanUp(t) => format!("takes {} off, dead as it is", of(t)),
            Self::FillLiberty => "fills a neutral point".into(),
        }
    }
}

/// Moves with their reasons, by vertex.
#[derive(Debug, Default)]
pub(super) struct Reasons(pub(super) BTreeMap<Vertex, Vec<Reason>>);

impl Reasons {
    /// Adds a reason for a move, once.
    pub(super) fn add(&mut self, v: Vertex, reason: Reason) {
        let list = self.0.entry(v).or_default();
        if !list.contains(&reason) {
            list.push(reason);
        }
    }
}

/// The playout search's opinion of a move: a second opinion beside its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opinion {
    /// Visits of the move.
    pub visits: u32,
    /// Visits of all moves.
    pub of: u32,
    /// Its mean value for the side to move, 0 to 1: partly won or lost, partly by how much.
    pub value: f32,
    /// Share of its playouts that the side to move won.
    pub win_rate: f32,
    /// Mean lead of the side to move when they end, in points, komi included.
    pub lead: f32,
}

impl Opinion {
    /// The share of all visits.
    #[must_use]
    pub fn share(&self) -> f32 {
        self.visits as f32 / self.of.max(1) as f32
    }
}

/// A move with its reasons and their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The move.
    pub vertex: Vertex,
    /// In the order in which they were found.
    pub reasons: Vec<Reason>,
    /// The terms of its value.
    pub terms: Terms,
    /// The causes of the terms.
    pub causes: Vec<Cause>,
    /// The gain of a second move here, in points.
    pub followup_value: f32,
    /// The gain of the opponent's second move if he had moved here first, in points. 0 also if it was not computed.
    pub reverse_value: f32,
    /// Whether the stone can't be captured at once.
    pub safe: bool,
    /// The likelihood of the move by its surroundings, learned from games: its share among all moves.
    pub likely: f32,
    /// The shape factor, 1 without shape.
    pub shape: f32,
    /// The points at stake in the stones that the move captures, saves, kills or makes live.
    pub urgent: f32,
    /// It is worth at least this.
    pub minimum: f32,
    /// It is worth at most this.
    pub maximum: f32,
    /// The sum of the terms: the value by which moves are compared, in points.
    pub value: f32,
    /// The search's, if there was one.
    pub search: Option<Opinion>,
}

impl Candidate {
    /// A move without reasons and without value.
    #[must_use]
    pub fn new(vertex: Vertex) -> Self {
        Self { vertex, shape: 1.0, maximum: f32::MAX, ..Self::default() }
    }

    /// Takes reasons away that turned out to be none; the causes go on naming theirs.
    pub(super) fn drop_reasons(&mut self, is_none: impl Fn(&Reason) -> bool) {
        while let Some(at) = self.reasons.iter().position(&is_none) {
            self.reasons.remove(at);
            for number in self.causes.iter_mut().filter_map(|cause| cause.reason.as_mut()) {
                *number -= usize::from(*number > at);
            }
        }
    }

    /// Adds the follow-ups, the shape and the limits to the move's gain; their sum is its value.
    pub(super) fn total(&mut self) {
        let threats = if self.safe { self.followup_value } else { 0.0 };
        self.terms.count_followups(threats, self.reverse_value);
        self.terms.finish(self.shape, self.minimum, self.maximum);
        self.value = self.terms.total();
    }

    /// The terms in one line, e.g. `territory 4.00, followup 2.00`.
    #[must_use]
    pub fn terms_text(&self) -> String {
        // What shows no digit is no term, and a zero has no sign.
        let shown = self.terms.named().filter(|(_, points)| points.abs() >= 0.005);
        let named: Vec<String> = shown.map(|(term, points)| format!("{} {points:.2}", term.name())).collect();
        named.join(", ")
    }
}
