//! The players of self-play that a scene can name.

use crate::client::process::quoted;
use crate::number_text::counted;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use tengen_chess::history::Policy;
use tengen_chess::repetition::Scheme;
use tengen_core::statistics;

/// A player. Which of them a game knows, [`Player::fits`] says.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Player {
    /// Go: the pipeline's best move.
    Pipeline,
    /// Go: as `tengen gtp --level N` plays, the pipeline's moves weighed by a search.
    Level(i32),
    /// Go: another program that speaks GTP, by its command line and its clock. The command line is a text with quotes
    /// as in a shell, or a list of words.
    Gtp(#[serde(deserialize_with = "command_line")] String, #[serde(default)] GoClock),
    /// Chess: the playing search. At least one limit.
    Search {
        /// Positions visited.
        #[serde(default)]
        nodes: Option<u64>,
        /// Plies.
        #[serde(default)]
        depth: Option<u32>,
        /// The scheme of repetition.
        #[serde(default)]
        repetition: Scheme,
        /// Which recurrences are draws.
        #[serde(default)]
        policy: Policy,
    },
    /// Chess: another program that speaks UCI, by its command line (as for `Gtp`) and its limits for a move.
    Uci(#[serde(deserialize_with = "command_line")] String, #[serde(default)] UciLimits),
    /// GDL: UCT with this number of visits a move.
    Uct(u64),
    /// GDL: flat Monte Carlo with this number of playouts a move.
    MonteCarlo(u64),
    /// GDL: alpha-beta with this number of nodes a move. UCT with as many visits if the game does not suit
    /// alpha-beta.
    AlphaBeta(u64),
    /// GDL: plans with this number of states a move if there is one role, otherwise UCT with as many visits.
    Auto(u64),
    /// GDL: a player of another program that listens for GGP's messages at an address, `host:port`, and its clocks.
    Ggp(String, #[serde(default)] GgpClock),
    /// GDL: any legal move.
    Random,
    /// GDL: the first legal move.
    Legal,
}

/// A command line as a text, or as a list of words, which is made the text of these words.
fn command_line<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    struct Words;
    impl<'de> Visitor<'de> for Words {
        type Value = String;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a command line in double quotes, or a list of its words")
        }

        fn visit_str<E>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<String, A::Error> {
            let mut words = Vec::new();
            while let Some(word) = list.next_element::<String>()? {
                words.push(quoted(&word));
            }
            Ok(words.join(" "))
        }
    }
    from.deserialize_any(Words)
}

/// The clock of a program that plays Go. Without one it may take ten minutes for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct GoClock {
    /// Main time, in seconds.
    pub main: Option<f64>,
    /// Overtime after it, in seconds ...
    pub overtime: f64,
    /// ... for this number of moves (Canadian).
    pub stones: u32,
}

/// The clocks of a player over GGP, in whole seconds, as its messages have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct GgpClock {
    /// Before the first move.
    pub start: u32,
    /// For each move.
    pub play: u32,
}

impl Default for GgpClock {
    fn default() -> Self {
        Self { start: 10, play: 5 }
    }
}

/// The limits of a chess program. Without any of them it thinks a second a move.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct UciLimits {
    /// Positions a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
    /// Milliseconds a move.
    pub movetime: Option<u64>,
    /// The clock: seconds for the game ...
    pub main: Option<f64>,
    /// ... and more for every move.
    pub increment: f64,
    /// UCI options by name.
    pub options: std::collections::BTreeMap<String, String>,
}

/// Whether seconds are a clock's.
fn is_time(seconds: f64) -> bool {
    (0.0..=1e6).contains(&seconds)
}

/// A sequential test of the first player against the second: "at least `high` Elo better" (H1) against "at most `low`"
/// (H0). `tengen selfplay` ends when it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The null hypothesis.
    pub low: f64,
    /// The alternative.
    pub high: f64,
    /// The error rate of accepting H1 although H0 holds.
    #[serde(default = "Sprt::error")]
    pub alpha: f64,
    /// The error rate of accepting H0 although H1 holds.
    #[serde(default = "Sprt::error")]
    pub beta: f64,
}

impl Sprt {
    const fn error() -> f64 {
        0.05
    }

    /// The test.
    #[must_use]
    pub const fn test(&self) -> statistics::Sprt {
        statistics::Sprt { low: self.low, high: self.high, alpha: self.alpha, beta: self.beta }
    }

    /// The fault of the player, if any.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let elo = |x: f64| x.abs() <= 2000.0;
        let share = |x: f64| x > 0.0 && x < 0.5;
        if !(elo(self.low) && elo(self.high) && self.low < self.high) {
            return Some("`low` and `high` are Elo from -2000 to 2000, `low` below `high`");
        }
        (!share(self.alpha) || !share(self.beta)).then_some("`alpha` and `beta` are between 0 and 0.5")
    }
}

/// When both players of a game of chess see its end before the rules do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// A win.
    pub resign: Resign,
    /// A draw.
    pub draw: Draw,
}

/// A win by both players' scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Resign {
    /// Centipawns at least ...
    pub score: i32,
    /// ... for this number of plies.
    pub plies: u32,
}

/// A draw by both players' scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Draw {
    /// Centipawns at most ...
    pub score: i32,
    /// ... for this number of plies ...
    pub plies: u32,
    /// ... after this ply.
    pub after: u32,
}

impl Default for Resign {
    fn default() -> Self {
        Self { score: 900, plies: 6 }
    }
}

impl Default for Draw {
    fn default() -> Self {
        Self { score: 8, plies: 12, after: 80 }
    }
}

impl Adjudication {
    /// As records write it.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { resign, draw } = self;
        format!(
            "resign {} for {}, draw {} for {} after {}",
            resign.score,
            counted("ply", resign.plies as usize),
            draw.score,
            counted("ply", draw.plies as usize),
            draw.after
        )
    }
}

impl Player {
    /// Its name in game records and summaries.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Pipeline => "pipeline".into(),
            Self::Level(level) => format!("level {level}"),
            Self::Gtp(command, clock) => match clock.main {
                Some(main) => format!("{command} in {main} s + {} s for {}", clock.overtime, clock.stones),
                None => command.clone(),
            },
            Self::Uci(command, limits) => {
                let mut name = command.clone();
                let numbers = [
                    ("nodes", limits.nodes),
                    ("depth", limits.depth.map(u64::from)),
                    ("movetime", limits.movetime),
                ];
                for (limit, value) in numbers {
                    name += &value.map_or(String::new(), |v| format!(" {limit} {v}"));
                }
                name += &limits.main.map_or(String::new(), |m| format!(" in {m} s + {} s", limits.increment));
                name
            }
            Self::Search { nodes, depth, repetition, policy } => {
                let mut name = "search".to_owned();
                for (limit, value) in [("nodes", *nodes), ("depth", depth.map(u64::from))] {
                    name += &value.map_or(String::new(), |v| format!(" {limit} {v}"));
                }
                if (*repetition, *policy) != Default::default() {
                    name += &format!(" {} {}", repetition.name(), policy.name());
                }
                name
            }
            Self::Ggp(address, clock) => format!("{address} in {} s + {} s a move", clock.start, clock.play),
            Self::Uct(visits) => format!("uct {visits}"),
            Self::MonteCarlo(playouts) => format!("montecarlo {playouts}"),
            Self::AlphaBeta(nodes) => format!("alphabeta {nodes}"),
            Self::Auto(visits) => format!("auto {visits}"),
            Self::Random => "random".into(),
            Self::Legal => "legal".into(),
        }
    }

    /// Whether the player is deterministic: the position alone decides its move. Then a repeated game gives no
    /// information.
    #[must_use]
    pub const fn is_deterministic(&self) -> bool {
        matches!(self, Self::Pipeline | Self::Search { .. } | Self::Legal | Self::AlphaBeta(_))
    }

    /// The command line of the program that it is, or the address at which it listens; `None` for our own.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        match self {
            Self::Gtp(command, _) | Self::Uci(command, _) | Self::Ggp(command, _) => Some(command),
            _ => None,
        }
    }

    /// The fault of its clock, if any.
    #[must_use]
    pub fn clock_fault(&self) -> Option<&'static str> {
        let good = match self {
            Self::Gtp(_, clock) => clock.main.is_none_or(is_time) && is_time(clock.overtime),
            Self::Uci(_, limits) => limits.main.is_none_or(is_time) && is_time(limits.increment),
            Self::Ggp(_, clock) => (1..=3600).contains(&clock.start) && (1..=3600).contains(&clock.play),
            _ => true,
        };
        (!good).then_some(match self {
            Self::Ggp(..) => "GGP's clocks are whole seconds, from 1 to 3600",
            _ => "times are seconds, from 0 to 1000000",
        })
    }

    /// Whether it plays this game.
    #[must_use]
    pub const fn fits(&self, domain: super::Domain) -> bool {
        use super::Domain;
        match self {
            Self::Pipeline | Self::Level(_) | Self::Gtp(..) => matches!(domain, Domain::Go),
            Self::Search { .. } | Self::Uci(..) => matches!(domain, Domain::Chess),
            _ => matches!(domain, Domain::Gdl),
        }
    }

    /// The player of a scene that names none.
    #[must_use]
    pub fn default_of(domain: super::Domain) -> Self {
        match domain {
            super::Domain::Go => Self::Pipeline,
            super::Domain::Chess => Self::Search {
                nodes: Some(2000),
                depth: None,
                repetition: Scheme::default(),
                policy: Policy::default(),
            },
            super::Domain::Gdl => Self::Uct(200),
        }
    }

    /// The players of a game, for the help of an error.
    #[must_use]
    pub const fn choices(domain: super::Domain) -> &'static str {
        match domain {
            super::Domain::Go => "`Pipeline`, `Level(10)` and `Gtp(\"command line\")`",
            super::Domain::Chess => {
                "`Search(nodes: 5000)`, `Search(depth: 6)` and `Uci(\"command line\", (nodes: 5000))`"
            }
            super::Domain::Gdl => {
                "`Auto(500)`, `Uct(500)`, `MonteCarlo(500)`, `AlphaBeta(10000)`, `Random`, `Legal` and `Ggp(\"127.0.0.1:9147\", (start: 10, play: 5))`"
            }
        }
    }
}
