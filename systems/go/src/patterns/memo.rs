//! What was read for one position's patterns: the same question comes back for the other player, in the next pass, in
//! the other orientations of a pattern.

use crate::board::{Color, Vertex};
use std::collections::HashMap;

/// What is asked after the moves have been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// Can the string be captured?
    Attack,
    /// Can the string be saved, if it needs it?
    Defend,
    /// Can one of two strings be captured?
    AttackEither,
    /// Can both strings be saved?
    DefendBoth,
    /// Can the two strings be joined?
    Connect,
    /// Can the two strings be cut?
    Disconnect,
}

/// Most moves that are remembered; longer questions are read every time.
const MOVES: usize = 4;

/// A question: who begins, the moves, the goal and its strings.
type Question = (Goal, Color, u8, [Vertex; MOVES], [Vertex; 2]);

/// The answers to a position's questions. It belongs to that position: begin a new one for another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memo {
    answers: HashMap<Question, i32>,
}

impl Memo {
    /// The remembered answer, or that of `read`, which is remembered.
    pub(super) fn ask(
        &mut self,
        goal: Goal,
        first: Color,
        moves: &[Vertex],
        strings: [Vertex; 2],
        read: impl FnOnce() -> i32,
    ) -> i32 {
        let mut all = [Vertex::PASS; MOVES];
        let Some(known) = all.get_mut(..moves.len()) else { return read() };
        known.copy_from_slice(moves);
        *self.answers.entry((goal, first, moves.len() as u8, all, strings)).or_insert_with(read)
    }

    /// Questions answered so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether nothing was asked yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}
