//! The data of one search node that its steps share.

use crate::repetition::Keep;

/// The data of one node's move loop.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    pub(super) pv: bool,
    pub(super) cut: bool,
    pub(super) in_check: bool,
    pub(super) improving: bool,
    /// Whether a null move was answered by mate: there is a threat to parry.
    pub(super) threat: bool,
    pub(super) evaluation: i32,
    /// Whether the evaluation is a stored bound.
    pub(super) by_bound: bool,
    pub(super) raw: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

/// A move's place among the moves of its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    /// Number, from 1.
    pub(super) count: i32,
    pub(super) quiet: bool,
    /// Whether it came from the losing captures.
    pub(super) losing: bool,
    /// History of a quiet move.
    pub(super) history: i32,
}

/// A value and its grounds.
pub(super) type Valued<K> = (i32, <K as Keep>::Trace);
