//! Solves closed problems of life and death: it searches all moves of a small field to the end.
//!
//! # Source
//! A. Kishimoto, M. Müller, "Search versus knowledge for solving life and death problems in Go" (2005). Depth-first
//! proof-number search tries all moves of a closed region, with only safe static knowledge.
//!
//! # Steps
//! 1. [`field`] cuts the field out of the arena. The first field also takes some of the empty vertices beyond the
//!    arena, as far as it stays small. The second field does not. The first field that is solved within the limit
//!    counts.
//! 2. In an open arena the question is asked twice. One search counts a way out as life, so a kill in it is certain.
//!    The other search counts the way out as a wall, so life in it is certain. The search in which success of the first
//!    player would be certain runs first.
//! 3. A kill holds only if the vertices beyond the field stay unchanged. So the question is asked again in careful
//!    fields, small ones first, and a certain answer there counts. Without such an answer the kill is not *sure*.
//!    Careful fields also answer questions that step 1 left open. If both fields find a kill and differ in its ko, the
//!    result of the plain field stands and is not sure.
//! 4. [`search`] is a df-pn search as in `super::search`. Positions are judged when they are made, so the search sees a
//!    decision one move ahead. The defender may pass; an attacker without a move has failed.
//! 5. Other first moves that reach the same result are searched too. Each move that the caller names gets the full
//!    limit, the others get less.
//! 6. Kos: the same side may retake at once as in `super`. If only kos decide, and the first player wins when nobody
//!    has threats, the grade is that of reading with judgement. Judgement does not count an eye that only a ko can
//!    save. If judgement gives up the question, the result without threats is asked first.
//!
//! 7. [`search::shapes`] solves separately each eye space that one string encloses, and the last hopes for eyes. The
//!    search looks up both.
//! 8. The plain field is asked before judgement. If the first player fails and a ko occurred, reading with judgement
//!    answers the question. Treated as kos, such dragons were wrongly called critical in games.
//!
//! # Departures
//! There is no heuristic move generation and no simulation of proofs. A line that repeats counts for the defender, or
//! for the attacker where he may retake kos. Proof numbers are kept by position, for any line that leads there. Strings
//! beyond the field are frozen: an attacker's string with a liberty there stays.
//!
//! # Cost
//! A position is three words and takes one and a half microseconds. Most fields with ten empty cells take less than
//! 10,000 positions, and those with fifteen about 300,000. Some with sixteen take two million.

mod field;
mod search;
#[cfg(test)]
mod tests;

use crate::board::{Board, Color, Vertex};
use crate::local_view::Arena;
use crate::tactics::Code;
use field::{Cut, Field, Stones};
pub(super) use search::Solver;

/// Fields with more empty cells are left to the search with judgement.
///
/// Origin: ablation, commit 677cf3b: closed problems as a whole.
const MOST_EMPTY: usize = 18;

/// The number of layers of empty vertices added beyond the arena.
///
/// Origin: measured, `experiments/2026-11-22-go-closed-problems.md`, "Against the suites".
const GROWTH: usize = 2;
/// The most empty cells after that.
///
/// Origin: measured, `experiments/2026-11-22-go-closed-problems.md`, "Against the suites".
const GROWN: usize = 13;

/// The number of layers added to careful fields, up to [`MOST_EMPTY`] empty cells.
///
/// Origin: ablation, `experiments/2026-11-22-go-closed-problems.md`, "Careful fields".
const CAREFUL_GROWTHS: [usize; 4] = [0, 1, 2, 3];

/// The factor by which all fields cut out in one way may together exceed the limit of one search.
///
/// Origin: ablation, `experiments/2026-11-22-go-closed-problems.md`, "Careful fields".
const SEARCHES: u64 = 2;

/// Positions of careful fields before judgement, for each that the plain field took.
///
/// Origin: ablation, `docs/go-life.md`, "Careful fields": fields before judgement as a whole.
const CAREFUL_FACTOR: u32 = 4;
/// Positions of careful fields before judgement besides.
///
/// Origin: ablation, `docs/go-life.md`, "Careful fields": fields before judgement as a whole.
const CAREFUL_LEAST: u32 = 1000;

/// A field with its stones, and the same with its ways out if there are any.
struct Variant {
    walled: Field,
    open: Option<Field>,
    stones: Stones,
}

/// The fields of one question: as step 1 cuts them out, the larger one first, and careful ones, the smaller ones first.
pub(super) struct Problem {
    plain: Vec<Variant>,
    careful: Vec<Variant>,
}

/// The question of a [`Problem`].
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldQuestion<'a> {
    /// Whether the attacker moves first.
    pub(super) attack: bool,
    /// The first move, if only that is asked about.
    pub(super) first: Option<Vertex>,
    /// The result of reading with judgement, if it was read.
    pub(super) judged: Option<Code>,
    /// Whether a kill that holds in the plain field is asked for in careful fields too.
    pub(super) careful: bool,
    /// First moves that are to be looked at before all others.
    pub(super) named: &'a [Vertex],
    /// Whether to look for all first moves that reach the same.
    pub(super) alternatives: bool,
    /// Positions that one search may open.
    pub(super) limit: u32,
    /// Whether a side may retake kos at once: defender, attacker.
    pub(super) favoured: [bool; 2],
    /// Whether a line that repeats counts for the attacker. Else nobody dies of it.
    pub(super) repeated_kills: bool,
}

/// The result of a solved problem.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) code: Code,
    /// First moves that reach it, if any does, the named ones first; empty if it needs none.
    pub(super) good: Vec<Vertex>,
    /// Whether it holds for any play beyond the field.
    pub(super) sure: bool,
}

/// The certain result of one search.
#[derive(Clone, Debug)]
struct Solved {
    killed: bool,
    ko_seen: bool,
    good: Vec<Vertex>,
}

impl Problem {
    /// Steps 1 and 3, for the question in which this side moves first.
    pub(super) fn new(board: &Board, arena: &Arena, mover: Color) -> Self {
        let cut = |careful: bool, growths: &[usize]| {
            let mut variants: Vec<Variant> = Vec::new();
            for &growth in growths {
                let grown = if careful { MOST_EMPTY } else { GROWN };
                let cut = Cut { most_empty: MOST_EMPTY, growth, grown, careful };
                let Some((walled, stones)) = Field::new(board, arena, mover, cut) else { continue };
                if variants.last().is_none_or(|last| last.walled.cells != walled.cells) {
                    variants.push(Variant { open: walled.with_exits(), walled, stones });
                }
            }
            variants
        };
        Self { plain: cut(false, &[GROWTH, 0]), careful: cut(true, &CAREFUL_GROWTHS) }
    }

    /// The empty vertices of the first field.
    pub(super) fn empty(&self) -> u32 {
        self.plain.first().map_or(0, |variant| variant.walled.empty(variant.stones).count_ones())
    }

    /// The code of the attack or the defence, if a field is solved.
    pub(super) fn answer(&self, solver: &mut Solver, asked: FieldQuestion<'_>) -> Option<Answer> {
        let first = |solver: &mut Solver, variants: &[Variant], limit: u32| {
            let last = solver.spent + SEARCHES * u64::from(limit);
            variants.iter().find_map(|variant| {
                let left = last.saturating_sub(solver.spent).min(u64::from(limit)) as u32;
                variant.code(solver, FieldQuestion { limit: left, ..asked })
            })
        };
        let before = solver.spent;
        let killed = match first(solver, &self.plain, asked.limit) {
            Some(found) if found.code.works() != asked.attack => return Some(found),
            None if asked.judged.is_none() => return None,
            killed if !asked.careful => return killed.map(|found| Answer { sure: false, ..found }),
            killed => killed,
        };
        // Before judgement a careful field may cost some times what the plain one did.
        let spent = u32::try_from(solver.spent - before).unwrap_or(u32::MAX);
        let careful = CAREFUL_FACTOR.saturating_mul(spent).saturating_add(CAREFUL_LEAST);
        let limit = if asked.judged.is_none() { asked.limit.min(careful) } else { asked.limit };
        let careful = first(solver, &self.careful, limit);
        match (killed, careful) {
            // The fields agree that it works, not in which ko.
            (Some(plain), Some(careful)) if careful.code.works() && careful.code != plain.code => {
                Some(Answer { sure: false, ..plain })
            }
            (plain, careful) => careful.or(plain.map(|found| Answer { sure: false, ..found })),
        }
    }
}

impl Variant {
    /// Step 6.
    fn code(&self, solver: &mut Solver, asked: FieldQuestion<'_>) -> Option<Answer> {
        let (mover, other) = ([!asked.attack, asked.attack], [asked.attack, !asked.attack]);
        let mut ask = |favoured| {
            let found = self.solve(solver, FieldQuestion { favoured, ..asked })?;
            Some((found.killed == asked.attack, found))
        };
        let answer = |code: Code, found: Solved| Some(Answer { code, good: found.good, sure: true });
        let hopeless = asked.judged.is_none_or(|judged| judged == Code::Fail);
        let plain = if hopeless { Some(ask(asked.favoured)?) } else { None };
        if asked.judged.is_none() && plain.as_ref().is_some_and(|(success, found)| !success && found.ko_seen)
        {
            return None;
        }
        if let Some((success, found)) = &plain
            && !(*success && found.ko_seen)
        {
            return answer(if *success { Code::Win } else { Code::Fail }, found.clone());
        }
        let (hard, found) = ask(other)?;
        if hard || !found.ko_seen {
            return answer(if hard { Code::Win } else { Code::Fail }, found);
        }
        let (success, found) = plain.map_or_else(|| ask(asked.favoured), Some)?;
        if success {
            return answer(asked.judged.unwrap_or(Code::KoA).max(Code::KoA), found);
        }
        let (easy, found) = ask(mover)?;
        answer(if easy { Code::KoB } else { Code::Fail }, found)
    }

    /// Step 2.
    fn solve(&self, solver: &mut Solver, asked: FieldQuestion<'_>) -> Option<Solved> {
        let mut run = |field: &Field| solver.run_with_spaces(field, self.stones, asked);
        let Some(open) = &self.open else { return run(&self.walled) };
        let fields = if asked.attack { [open, &self.walled] } else { [&self.walled, open] };
        let found = run(fields[0])?;
        if found.killed == asked.attack {
            return Some(found);
        }
        run(fields[1]).filter(|found| found.killed != asked.attack)
    }
}
