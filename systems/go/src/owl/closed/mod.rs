//! Closed problems of life and death, solved: every move of a small field, to the end.
//!
//! # Source
//! A. Kishimoto, M. Müller, "Search versus knowledge for solving life and death problems in Go" (2005): depth-first
//! proof-number search over all moves of a closed region, with nothing but safe static knowledge.
//!
//! # Steps
//! 1. [`field`]: the field is cut out of the arena, first with some more of the empty vertices beyond it, as far as it stays
//!    small, then without; the first that is solved within the limit counts.
//! 2. Where the arena is open the question is asked twice: with the way out taken for life, which only a certain kill
//!    survives, and taken for a wall, which only certain life survives.
//! 3. [`search`]: df-pn search as in `super::search`. Positions are judged when they are made, so a decision is seen one move
//!    ahead. The defender may pass; an attacker without a move has failed.
//! 4. First moves that reach the same: those that the caller names with the limit each, the others with less.
//! 5. Kos: whoever may retake at once as in `super`. Where only kos decide, and the first player wins if nobody has threats,
//!    the grade is that of reading with judgement, which takes an eye that only a ko can save for none.
//!
//! # Departures
//! No heuristic move generation, no simulation of proofs. A line that goes round counts for the defender, but for the
//! attacker where he may retake kos. Numbers are kept by position, whatever the line that led there. What lies beyond the
//! field is frozen: a string of the attacker's with a liberty there stays.
//!
//! # Cost
//! A position is three words; about a microsecond each. Fields of ten empty cells take some 10,000 positions, those of
//! thirteen some 300,000.

mod field;
mod search;
#[cfg(test)]
mod tests;

use super::Arena;
use crate::board::{Board, Color, Vertex};
use crate::tactics::Code;
use field::{Cut, Field, Stones};
pub(super) use search::Solver;

/// Fields with more empty cells are left to the search with judgement.
const MOST_EMPTY: usize = 18;

/// How many layers of empty vertices are added where the arena ends, and up to how many empty cells.
const GROWTH: usize = 2;
const GROWN: usize = 13;

/// A field with its stones, and the same with its ways out if there are any.
struct Variant {
    walled: Field,
    open: Option<Field>,
    stones: Stones,
}

/// The fields of one question, the larger one first.
pub(super) struct Problem {
    variants: Vec<Variant>,
    color: Color,
}

/// What is asked of a [`Problem`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// Whether the attacker moves first.
    pub(super) attack: bool,
    /// The first move, if only that is asked about.
    pub(super) first: Option<Vertex>,
    /// What reading with judgement says.
    pub(super) judged: Code,
    /// First moves that are to be looked at before all others.
    pub(super) named: &'a [Vertex],
    /// Whether to look for all first moves that reach the same.
    pub(super) alternatives: bool,
    /// Positions that one search may open.
    pub(super) limit: u32,
}

/// What is certain.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) code: Code,
    /// First moves that reach it, if any does, the named ones first; empty if it needs none.
    pub(super) good: Vec<Vertex>,
}

/// What one search is certain of.
#[derive(Clone, Debug)]
struct Solved {
    killed: bool,
    ko_seen: bool,
    good: Vec<Vertex>,
}

impl Problem {
    /// Step 1, for the question in which this side moves first.
    pub(super) fn new(board: &Board, arena: &Arena, mover: Color) -> Self {
        let mut variants: Vec<Variant> = Vec::new();
        for growth in [GROWTH, 0] {
            let cut = Cut { most_empty: MOST_EMPTY, growth, grown: GROWN };
            let Some((walled, stones)) = Field::new(board, arena, mover, cut) else { continue };
            if variants.first().is_none_or(|first| first.walled.cells != walled.cells) {
                variants.push(Variant { open: walled.with_exits(), walled, stones });
            }
        }
        Self { variants, color: arena.color }
    }

    /// The code of the attack or the defence, if a field is solved. Adds to `nodes`.
    pub(super) fn answer(&self, solver: &mut Solver, asked: Asked<'_>, nodes: &mut u64) -> Option<Answer> {
        self.variants.iter().find_map(|variant| self.code(variant, solver, asked, nodes))
    }

    /// Step 5.
    fn code(
        &self,
        variant: &Variant,
        solver: &mut Solver,
        asked: Asked<'_>,
        nodes: &mut u64,
    ) -> Option<Answer> {
        let (mover, other) =
            if asked.attack { (self.color.other(), self.color) } else { (self.color, self.color.other()) };
        let mut ask = |favoured| {
            let found = self.solve(variant, solver, asked, favoured, nodes)?;
            Some((found.killed == asked.attack, found))
        };
        let (hard, found) = ask(Some(other))?;
        if hard || !found.ko_seen {
            return Some(Answer { code: if hard { Code::Win } else { Code::Fail }, good: found.good });
        }
        let (plain, found) = ask(None)?;
        if plain {
            return Some(Answer { code: asked.judged.max(Code::KoA), good: found.good });
        }
        if asked.judged == Code::Fail {
            return Some(Answer { code: Code::Fail, good: Vec::new() });
        }
        let (easy, found) = ask(Some(mover))?;
        Some(Answer { code: if easy { Code::KoB } else { Code::Fail }, good: found.good })
    }

    /// Step 2.
    fn solve(
        &self,
        variant: &Variant,
        solver: &mut Solver,
        asked: Asked<'_>,
        favoured: Option<Color>,
        nodes: &mut u64,
    ) -> Option<Solved> {
        let favoured = [favoured == Some(self.color), favoured == Some(self.color.other())];
        let mut run = |field: &Field| solver.run(field, variant.stones, favoured, asked, nodes);
        let Some(open) = &variant.open else { return run(&variant.walled) };
        let found = run(open)?;
        if found.killed {
            return Some(found);
        }
        run(&variant.walled).filter(|found| !found.killed)
    }
}
