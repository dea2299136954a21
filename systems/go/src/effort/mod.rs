//! The effort of the engine: the limits of its reading. Every limit of reading that a front end can set is a field of
//! [`Effort`]. Its named levels give the defaults.
//!
//! # Notation
//! The *schedule* asks hundreds of questions about each position. Scenes, records, `show`, GTP and play use its
//! answers. A *question* is a single question of a user (`owl_attack` over GTP), which may cost about a hundred times
//! as much. Its result refines the schedule's findings about the position ([`crate::GoEngine::refine`]).
//!
//! # Levels
//! `docs/go-life.md`, section "Levels of effort", compares the results and the cost of the levels.

mod limits;

pub use limits::{Guess, Limits, LinkLimits};

use crate::names::named;
use bevy_ecs::prelude::Resource;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

named! {
    /// The named levels of effort, from least to most.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum Level {
        /// For batches of thousands of positions.
        Quick = "quick",
        /// The default level.
        #[default]
        Normal = "normal",
        /// For a few positions that matter.
        Deep = "deep",
    }
}

impl Level {
    /// The level that a playing level of GTP stands for (10 is the default there).
    #[must_use]
    pub const fn of_playing_level(level: i32) -> Self {
        match level {
            ..=7 => Self::Quick,
            8..=10 => Self::Normal,
            _ => Self::Deep,
        }
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let found = Self::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownLevel(text.into()))
    }
}

/// No level has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no effort `{0}`; there are quick, normal and deep")]
pub struct UnknownLevel(pub String);

/// The extent of life-and-death reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LifeLimits {
    /// Positions one search may look at; with 0 life and death stay unread.
    pub nodes: u32,
    /// The same if more than `room` vertices around the dragon are empty, because few such searches reach their end.
    pub wide_nodes: u32,
    /// See there.
    pub room: usize,
    /// Whether a dragon is given up only where nothing is left to try, and all moves that are as good are looked for. Costs
    /// twice as much.
    pub thorough: bool,
    /// The number of playouts that try out an unproven answer; 0 for none.
    pub trials: u32,
    /// Positions that one search of a closed field may open before anything is judged; 0 for no such search.
    pub closed: u32,
    /// The same where many vertices of the field are empty, because few such searches reach their end.
    pub wide_closed: u32,
    /// The same in any field of a board with few dragons.
    pub lone_closed: u32,
}

impl LifeLimits {
    /// Thorough reading, the same in any room, and tried out.
    const fn everywhere(nodes: u32) -> Self {
        Self {
            nodes,
            wide_nodes: nodes,
            room: SMALL_ROOM,
            thorough: true,
            trials: 3000,
            closed: 0,
            wide_closed: 0,
            lone_closed: 0,
        }
    }
}

/// The positions that one search of a closed field may open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLimits {
    /// In a field with fewer than [`Self::WIDE`] empty vertices.
    pub positions: u32,
    /// In a wider one.
    pub wide: u32,
}

impl FieldLimits {
    /// Empty vertices from which a closed field is wide. In 258 positions of games, 32,000 positions a search solve eight
    /// in ten of the fields with 13 empty vertices, and four in ten of those with 14.
    pub const WIDE: u32 = 14;

    /// The same in every field.
    #[must_use]
    pub const fn everywhere(positions: u32) -> Self {
        Self { positions, wide: positions }
    }

    /// The limit of a field with this number of empty vertices.
    #[must_use]
    pub const fn of(self, empty: u32) -> u32 {
        if empty < Self::WIDE { self.positions } else { self.wide }
    }
}

impl From<LifeLimits> for FieldLimits {
    fn from(limits: LifeLimits) -> Self {
        Self { positions: limits.closed, wide: limits.wide_closed }
    }
}

/// Empty vertices around a dragon up to which most searches end.
const SMALL_ROOM: usize = 15;

/// The number of states that an eye space may take before its value is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EyeLimits {
    /// An eye space of the board.
    pub board: usize,
    /// One in a position of a life-and-death search.
    pub tree: usize,
    /// The same for a large one.
    pub large: usize,
}

impl Default for EyeLimits {
    fn default() -> Self {
        Self { board: 5000, tree: 1000, large: 1000 }
    }
}

/// The extent of reading whether a move's own stone can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveLimits {
    /// Positions for any move.
    pub nodes: u64,
    /// Positions for the best move.
    pub best_nodes: u64,
}

/// The territories that break-ins are read for, and the limits of that reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakInLimits {
    /// The least territory, in vertices.
    pub least: usize,
    /// The number of strings that try it, the nearest ones; 0 for none.
    pub nearest: usize,
    /// The extent of reading of each question.
    pub links: LinkLimits,
}

/// Playouts behind a final status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusLimits {
    /// Playouts from the position, half with either side first.
    pub playouts: u32,
    /// Playouts of each search where those leave doubts.
    pub search: u32,
}

/// The limits of single questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionLimits {
    /// Attack and defence of a string.
    pub strings: Limits,
    /// The readings within a combination.
    pub combinations: Limits,
    /// Connections, break-ins.
    pub links: LinkLimits,
    /// Life and death.
    pub life: LifeLimits,
    /// Eye spaces in its trees.
    pub eyes: EyeLimits,
    /// Positions one search of a capturing race may look at.
    pub race_nodes: u32,
}

/// The limits of all reading of the engine. Its findings depend only on these limits, on the position and on the
/// pattern databases.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The level that gave these limits; a user may have changed single limits since.
    pub level: Level,
    /// Attack and defence of every string.
    pub strings: Limits,
    /// The constraints of patterns.
    pub constraints: Limits,
    /// Positions for the question whether a stone is safe where it is put.
    pub safe_move_nodes: u64,
    /// Links between strings.
    pub links: LinkLimits,
    /// Eye spaces.
    pub eyes: EyeLimits,
    /// Life and death of every dragon in doubt.
    pub life: LifeLimits,
    /// Positions one search of a capturing race may look at.
    pub race_nodes: u32,
    /// Break-ins into territories.
    pub break_ins: BreakInLimits,
    /// Playouts of the searches, one with either side moving first, behind the odds of dragons; with 0 there are no odds.
    pub playouts: u32,
    /// The safety of moves.
    pub moves: MoveLimits,
    /// Final status.
    pub status: StatusLimits,
    /// Single questions.
    pub question: QuestionLimits,
}

impl Default for Effort {
    fn default() -> Self {
        Self::of(Level::default())
    }
}

/// The schedule guesses a cut sooner than a single question does. A dragon joined over a cut misleads all later
/// stages, a missed link does little harm. Between strings that share a liberty, where the enemy has one move to cut,
/// still sooner than across a gap.
const DRAGON_GUESS: Guess = Guess::ProofRatio { near: (3, 5), wide: (4, 5) };

/// Stones that the owner may still need after the cutter's move. With one more a single question knows more. In the
/// open, where every link is doubtful, it does not end.
const REACH: u8 = 2;

impl Effort {
    /// The limits of a level.
    #[must_use]
    pub fn of(level: Level) -> Self {
        match level {
            Level::Quick => Self::quick(),
            Level::Normal => Self::normal(),
            Level::Deep => Self::deep(),
        }
    }

    fn quick() -> Self {
        let normal = Self::normal();
        Self {
            level: Level::Quick,
            links: links(100, 5, Guess::Learned),
            life: LifeLimits {
                nodes: 60,
                wide_nodes: 30,
                closed: 0,
                wide_closed: 0,
                lone_closed: 0,
                ..normal.life
            },
            playouts: 20,
            break_ins: BreakInLimits { nearest: 0, ..normal.break_ins },
            ..normal
        }
    }

    fn normal() -> Self {
        Self {
            level: Level::Normal,
            // With ten times as many no figure of the truth positions is better, and the games take a quarter more.
            strings: Limits { nodes: 2000, ..Limits::default() },
            constraints: Limits::of_constraints(),
            safe_move_nodes: 500,
            links: links(200, 5, Guess::Learned),
            // With five times as many states one more of 5,117 dragons has GNU Go's status. Of 2,171 large spaces in the trees
            // 300 states solve one in five, and took three quarters of all states.
            eyes: EyeLimits { board: 1000, tree: 300, large: 75 },
            // Of 460 searches in at most 11 empty vertices 100 positions leave 48 open and 1,000 five; of 440 in 30 and more 307
            // and 226, at ten times the cost.
            // Closed fields: see docs/go-life.md, "Careful fields".
            life: LifeLimits {
                nodes: 1000,
                wide_nodes: 50,
                room: SMALL_ROOM,
                thorough: false,
                trials: 0,
                closed: 20_000,
                wide_closed: 4_000,
                lone_closed: 100_000,
            },
            race_nodes: 30,
            playouts: 50,
            break_ins: BreakInLimits { least: 10, nearest: 2, links: links(60, 5, Guess::Learned) },
            moves: MoveLimits { nodes: 100, best_nodes: 3000 },
            status: StatusLimits { playouts: 400, search: 3000 },
            question: QuestionLimits {
                strings: Limits::single(),
                combinations: Limits::of_combinations(),
                links: LinkLimits::default(),
                life: LifeLimits::everywhere(8000),
                eyes: EyeLimits::default(),
                race_nodes: 8000,
            },
        }
    }

    fn deep() -> Self {
        Self {
            level: Level::Deep,
            strings: Limits { second_nodes: 500, threat_nodes: 500, ..Limits::default() },
            links: links(4000, 100, DRAGON_GUESS),
            eyes: EyeLimits::default(),
            life: LifeLimits::everywhere(4000),
            race_nodes: 2000,
            playouts: 200,
            break_ins: BreakInLimits { least: 10, nearest: 4, links: LinkLimits::default() },
            ..Self::normal()
        }
    }

    /// The same limits, but no reading looks at more positions than this. `TacticsMap`, `FirstInfluence`, `DragonMap`,
    /// `SecondInfluence` and `MoveList` count the readings that it cuts off.
    #[must_use]
    pub fn at_most(self, most: u64) -> Self {
        let few = u32::try_from(most).unwrap_or(u32::MAX);
        let life = |life: LifeLimits| LifeLimits {
            nodes: life.nodes.min(few),
            wide_nodes: life.wide_nodes.min(few),
            closed: life.closed.min(few),
            wide_closed: life.wide_closed.min(few),
            lone_closed: life.lone_closed.min(few),
            ..life
        };
        let question = self.question;
        Self {
            strings: self.strings.at_most(most),
            constraints: self.constraints.at_most(most),
            safe_move_nodes: self.safe_move_nodes.min(most),
            links: self.links.at_most(most),
            life: life(self.life),
            race_nodes: self.race_nodes.min(few),
            break_ins: BreakInLimits { links: self.break_ins.links.at_most(most), ..self.break_ins },
            moves: MoveLimits {
                nodes: self.moves.nodes.min(most),
                best_nodes: self.moves.best_nodes.min(most),
            },
            question: QuestionLimits {
                strings: question.strings.at_most(most),
                combinations: question.combinations.at_most(most),
                links: question.links.at_most(most),
                life: life(question.life),
                eyes: question.eyes,
                race_nodes: question.race_nodes.min(few),
            },
            ..self
        }
    }
}

/// Limits of the links that join strings to dragons.
fn links(nodes: u64, capture_nodes: u64, guess: Guess) -> LinkLimits {
    LinkLimits { reach: REACH, nodes, capture_nodes, guess, snares: false, ..LinkLimits::default() }
}

#[cfg(test)]
mod tests;
