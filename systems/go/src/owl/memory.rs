//! Asks about the life of a dragon through the memory of readings.

use super::{LifeQuestion, LifeReader, LifeReading};
use crate::board::{Board, Vertex, VertexSet};
use crate::effort::LifeLimits;
use crate::memory::{MemoryKey, QuestionKind, ReadingMemory};

/// The attack and the defence of a dragon, and the positions of closed fields that were opened for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Life {
    attack: LifeReading,
    defence: LifeReading,
    opened: u64,
}

impl LifeReader {
    /// The attack and the defence of a dragon with these stones, as [`prove_each`](Self::prove_each) and
    /// [`complete`](Self::complete) give them. They come from the memory if the answer still holds. `board` has no history;
    /// `known` marks stones that live and stones that are dead, per padded cell.
    pub(crate) fn recall_or_read(
        &mut self,
        memory: &ReadingMemory,
        board: &Board,
        goal: &[Vertex],
        known: (&[bool], &[bool]),
        limits: LifeLimits,
    ) -> (LifeReading, LifeReading) {
        self.solver.memory = Some(memory.clone());
        let columns = [known.0, known.1].map(marked);
        let asked = MemoryKey::new(QuestionKind::Life, (goal, limits, self.limits), board, &columns);
        let before = self.fields_opened();
        let life = memory.answer(
            &asked,
            |_| size_of::<Life>(),
            |board| {
                let question = LifeQuestion::new(board, goal, known, limits);
                let proved = self.prove_each(&question, limits.into());
                let (attack, defence) = self.complete(&question, proved);
                Life { attack, defence, opened: self.fields_opened() - before }
            },
        );
        // A kept answer counts as much of the limit of the board as a new one.
        self.solver.spent = before + life.opened;
        (life.attack, life.defence)
    }
}

/// The marked cells as a set.
fn marked(marks: &[bool]) -> VertexSet {
    marks.iter().enumerate().filter(|(_, mark)| **mark).map(|(at, _)| Vertex(at as u16)).collect()
}
