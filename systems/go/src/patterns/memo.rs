//! Keeps the results of reading for the patterns of one position. The same question occurs again for the other player,
//! in the next pass, and in other orientations of a pattern.

use crate::board::{Color, Vertex, VertexSet};
use std::collections::HashMap;

/// A question after moves have been played.
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

/// The answers to a position's questions. It belongs to that position: begin a new one for another. The trial of a
/// move (`begin_trial`) reuses results of the position before, if the move changes nothing in the area that the
/// reading depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memo {
    answers: HashMap<Question, Known>,
    trial: Option<Trial>,
    /// The vertices that the questions since [`Self::begin_watch`] may have looked at; `None` if not known.
    seen: Option<VertexSet>,
}

/// An answer, and what its reading rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) value: i32,
    /// The vertices that it looked at.
    pub(super) area: VertexSet,
    /// Whether it rests on the ko of the position.
    pub(super) on_ko: bool,
    /// Readings that the node limit cut off.
    pub(super) cut_off: u64,
}

/// The position after a move.
#[derive(Clone, Debug, Default, PartialEq)]
struct Trial {
    changed: VertexSet,
    answers: HashMap<Question, Known>,
}

impl Memo {
    /// From now on questions are about the position with these vertices changed.
    pub(crate) fn begin_trial(&mut self, changed: VertexSet) {
        self.trial = Some(Trial { changed, ..Trial::default() });
    }

    /// Questions are about the position itself again.
    pub(crate) fn end_trial(&mut self) {
        self.trial = None;
    }

    /// Drops the area that was looked at.
    pub(crate) const fn begin_watch(&mut self) {
        self.seen = Some(VertexSet::EMPTY);
    }

    /// The vertices that were looked at since then; `None` if not known.
    pub(crate) const fn seen(&self) -> Option<VertexSet> {
        self.seen
    }

    /// Records looks at further vertices.
    pub(crate) fn see(&mut self, area: Option<VertexSet>) {
        match (&mut self.seen, area) {
            (Some(seen), Some(area)) => seen.unite(&area.0),
            (seen, _) => *seen = None,
        }
    }

    /// The remembered answer, or that of `read`, which is remembered; `read` also returns the area that it may have
    /// looked at.
    pub(super) fn ask(
        &mut self,
        goal: Goal,
        first: Color,
        moves: &[Vertex],
        strings: [Vertex; 2],
        read: impl FnOnce() -> Known,
    ) -> i32 {
        let mut all = [Vertex::PASS; MOVES];
        let known = match all.get_mut(..moves.len()) {
            Some(known) => {
                known.copy_from_slice(moves);
                self.known((goal, first, moves.len() as u8, all, strings), read)
            }
            None => read(),
        };
        self.see((!known.on_ko).then_some(known.area));
        known.value
    }

    fn known(&mut self, question: Question, read: impl FnOnce() -> Known) -> Known {
        let Some(trial) = &mut self.trial else { return *self.answers.entry(question).or_insert_with(read) };
        let before = self.answers.get(&question);
        let holds = |known: &&Known| !known.on_ko && !known.area.meets(&trial.changed.0);
        match before.filter(holds) {
            Some(known) => *known,
            None => *trial.answers.entry(question).or_insert_with(read),
        }
    }
}
