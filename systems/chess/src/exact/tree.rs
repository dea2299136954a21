//! The recorded tree of one exact search: the value of each node, the draws that it rests on, and the use of the table.
//!
//! # Departures
//! The tree holds only nodes that the search entered. Nodes that a cutoff skipped are not counted.

use crate::history::NEVER;
use crate::repetition::keep::{Bounds, Known};
use crate::repetition::{Grounds, INFINITE};
use crate::rules::notation;
use cozy_chess::{Board, Move};
use serde::Serialize;
use std::fmt;

/// The most recorded nodes.
const MOST: usize = 200_000;

/// A lower and an upper end; `None` where nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ends {
    /// At least this.
    pub lower: Option<i32>,
    /// At most this.
    pub upper: Option<i32>,
}

impl From<Bounds> for Ends {
    fn from(bounds: Bounds) -> Self {
        Self {
            lower: (bounds.lower > -INFINITE).then_some(bounds.lower),
            upper: (bounds.upper < INFINITE).then_some(bounds.upper),
        }
    }
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower, self.upper) {
            (None, None) => write!(f, "nothing"),
            (Some(lower), Some(upper)) if lower == upper => write!(f, "{lower}"),
            (Some(lower), Some(upper)) => write!(f, "{lower} to {upper}"),
            (Some(lower), None) => write!(f, "at least {lower}"),
            (None, Some(upper)) => write!(f, "at most {upper}"),
        }
    }
}

/// The table's answer at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LookedUp {
    /// As stored.
    pub stored: Ends,
    /// The part of the bounds that was admitted on this line.
    pub admitted: Ends,
    /// Whether it ended the node.
    pub used: bool,
    /// Why less than the stored bounds was admitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<&'static str>,
}

/// The result that the node gave to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Bounds stored.
    pub bounds: Ends,
    /// Why a bound that the window proved was not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<&'static str>,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Node {
    /// The move that led here, in UCI form; empty at the root.
    #[serde(rename = "move")]
    pub mv: String,
    /// Plies from the root.
    pub ply: i16,
    /// Plies left.
    pub depth: u32,
    /// Window, side to move's view.
    pub window: (i32, i32),
    /// Real score, side to move's view.
    pub value: i32,
    /// How it ended: `searched`, `repetition`, `leaf`, `table`, `upcoming` or `cut off` (not finished).
    pub end: &'static str,
    /// Least ply a draw in it rests on; negative in the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<i16>,
    /// The range it would lie in without repetitions in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shadow: Option<Ends>,
    /// The table's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked_up: Option<LookedUp>,
    /// The result given to the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<Kept>,
    /// The children, in the order of the search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Node>,
}

/// Records nodes while a search runs.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    plies: i16,
    chess960: bool,
    /// Open nodes from the root; those too deep or too many are only counted.
    open: Vec<Option<Node>>,
    written: usize,
    next_move: String,
    pub(super) root: Option<Node>,
    /// Nodes of the first plies that were left out because there were too many.
    pub left_out: usize,
}

impl Recorder {
    pub(super) fn new(plies: u32, chess960: bool) -> Self {
        Self { plies: i16::try_from(plies).unwrap_or(i16::MAX), chess960, ..Self::default() }
    }

    /// A new iteration.
    pub(super) fn clear(&mut self) {
        *self = Self { plies: self.plies, chess960: self.chess960, ..Self::default() };
    }

    /// Begins a node; returns whether it is recorded.
    pub(super) fn enter(&mut self, ply: i16, depth: u32, alpha: i32, beta: i32) -> Option<()> {
        let wanted = ply <= self.plies;
        let writes = wanted && self.written < MOST;
        self.left_out += usize::from(wanted && !writes);
        self.written += usize::from(writes);
        let mv = std::mem::take(&mut self.next_move);
        let node = Node { mv, ply, depth, window: (alpha, beta), end: "searched", ..Node::default() };
        self.open.push(writes.then_some(node));
        writes.then_some(())
    }

    /// Ends a node.
    pub(super) fn leave(&mut self, _place: Option<()>, value: i32, grounds: Grounds, range: Option<Bounds>) {
        let Some(Some(mut node)) = self.open.pop() else { return };
        node.value = value;
        node.rest = (grounds.rest != NEVER).then_some(grounds.rest);
        node.shadow = range.map(Ends::from);
        match self.open.last_mut() {
            Some(Some(parent)) => parent.moves.push(node),
            Some(None) => {}
            None => self.root = Some(node),
        }
    }

    fn note(&mut self, change: impl FnOnce(&mut Node)) {
        if let Some(Some(node)) = self.open.last_mut() {
            change(node);
        }
    }

    pub(super) fn play(&mut self, board: &Board, mv: Move) {
        self.next_move = notation::uci(board, mv, self.chess960);
    }

    pub(super) fn draw(&mut self, rest: i16, end: &'static str) {
        self.note(|node| (node.end, node.rest) = (end, Some(rest)));
    }

    pub(super) fn leaf(&mut self) {
        self.note(|node| node.end = "leaf");
    }

    pub(super) fn looked_up(&mut self, known: Known, admitted: Bounds, used: bool) {
        self.note(|node| {
            let refused = (admitted != known.bounds)
                .then_some("a position of the path may lie in its proof, or it was found on another path");
            let stored = known.bounds.into();
            node.looked_up = Some(LookedUp { stored, admitted: admitted.into(), used, refused });
            if used {
                node.end = "table";
            }
        });
    }

    pub(super) fn kept(&mut self, known: Known, grounds: Grounds) {
        self.note(|node| {
            let refused = match (known.bounds.is_none(), grounds.rest) {
                (true, NEVER) => Some("the scheme stores no such value"),
                (true, _) => Some("it rests on a draw above the node"),
                (false, _) => None,
            };
            node.kept = Some(Kept { bounds: known.bounds.into(), refused });
        });
    }
}
