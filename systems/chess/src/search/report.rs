//! The limits, options and results of a search for a move.

use crate::history::Policy;
use crate::repetition::{MATE, MATE_BOUND, Misjudged, Path, Scheme};
use serde::{Deserialize, Serialize};
use tengen_core::Stop;

/// The limits of a search. With depth and nodes alone, on one thread, the result depends on nothing else.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<u32>,
    /// Positions entered, over all threads.
    pub nodes: Option<u64>,
    /// Stop when a mate in this many moves is proved.
    pub mate: Option<u32>,
    /// Root moves to consider, in UCI form; empty for all.
    pub search_moves: Vec<cozy_chess::Move>,
    /// Asked regularly.
    pub stop: Stop,
}

/// The highest score of a perpetual check, in centipawns.
///
/// Origin: own choice, unmeasured.
pub const MOST_PERPETUAL: i32 = 100;

/// The options of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Workers on one position.
    pub threads: usize,
    /// The number of best lines to report.
    pub multi_pv: usize,
    /// The repetition scheme.
    pub scheme: Scheme,
    /// Which recurrences are draws.
    pub policy: Policy,
    /// Upcoming-repetition detection.
    pub upcoming: bool,
    /// Selective pruning, reductions and extensions; off for comparing schemes on equal trees.
    pub selective: bool,
    /// The contempt in centipawns: every position that is not a draw counts as better by this much for the side to
    /// move at the root. A draw is 0 in the search, and minus this number in its reports.
    #[serde(default)]
    pub contempt: i32,
    /// The score of a repetition on the line whose every check is the program's, in centipawns: 0 is a draw like any other.
    #[serde(default)]
    pub perpetual: i32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            multi_pv: 1,
            scheme: Scheme::default(),
            policy: Policy::default(),
            upcoming: true,
            selective: true,
            contempt: 0,
            perpetual: 0,
        }
    }
}

/// The kind of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreBound {
    /// The exact value.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// One reported line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Info {
    /// Iteration.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// The rank of the line among the best ones, from 1.
    pub multi_pv: usize,
    /// Centipawns or mate, side to move's view.
    pub score: i32,
    /// The kind of the score.
    pub bound: ScoreBound,
    /// The grounds of the score: whether another game before the same position would give another score.
    pub path: Path,
    /// The range the score would lie in without repetitions in the tree, under schemes that follow it. An end beyond
    /// every score means that nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shadow: Option<(i32, i32)>,
    /// Positions entered so far.
    pub nodes: u64,
    /// Table in use, per mille.
    pub full: u32,
    /// The line, in UCI form.
    pub pv: Vec<String>,
}

impl Info {
    /// `cp 31` or `mate -2`.
    #[must_use]
    pub fn uci_score(&self) -> String {
        match mate_in(self.score) {
            Some(moves) => format!("mate {moves}"),
            None => format!("cp {}", self.score),
        }
    }
}

/// Moves to mate, negative when being mated.
#[must_use]
pub fn mate_in(score: i32) -> Option<i32> {
    match score {
        MATE_BOUND..=MATE => Some((MATE - score + 1) / 2),
        _ if (-MATE..=-MATE_BOUND).contains(&score) => Some(-(MATE + score) / 2),
        _ => None,
    }
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchReport {
    /// Best move in UCI form; `None` without legal moves.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// Score of the best line.
    pub score: i32,
    /// The grounds of the best line's score.
    pub path: Path,
    /// Last finished iteration.
    pub depth: u32,
    /// Deepest ply.
    pub seldepth: u32,
    /// Positions entered.
    pub nodes: u64,
    /// Nodes ended by the table.
    pub table_hits: u64,
    /// Stored bounds weakened because of the path.
    pub refused: u64,
    /// Closed nodes whose value depends on the path.
    pub dependent: u64,
    /// Closed nodes.
    pub closed: u64,
    /// Wrong answers of an unconfirmed detector.
    pub misjudged: Misjudged,
    /// The limit that ended it: `depth`, `nodes`, `mate`, `stop`, `moves` (none or one) or `max_depth`.
    pub ended_by: &'static str,
    /// Best lines, best first.
    pub lines: Vec<Info>,
}
