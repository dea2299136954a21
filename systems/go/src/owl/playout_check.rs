//! Tests unproven answers by playouts.
//!
//! # Steps
//! 1. [`crate::playout::survival`] searches for an answer in the dragon's arena.
//! 2. The side that moves first reaches its goal if half of the playouts after its best move do so. A third is enough
//!    if judgement found that it does by the same move.
//! 3. If there are several proven moves, the move that the playouts prefer is named. It must be one of the proven
//!    moves, and it must work when it is asked about alone (see [`super::LifeReader`]).
//! 4. A result from a field that its surroundings may change stands if half of the playouts agree, with its moves. It
//!    also stands if half of those after its own move agree, because the search may miss this move among others.
//! 5. A ko that was read to its end stays, unless playouts reach the goal without it, because playouts cannot
//!    evaluate a ko.
//!
//! # Why
//! Judgement counts eyes and ways out. In large surroundings it is often certain and wrong. The open suites have 348
//! questions of attack and defence. Judgement and proof alone answered 239 of them as expected, and 274 together with
//! playouts (`docs/go-life.md`, "Trying out").
//!
//! # Cost
//! Playouts over the whole board: far more than all other steps.

use super::{Basis, LifeQuestion, LifeReader, LifeReading};
use crate::board::{Color, Line, Vertex};
use crate::local_view::Arena;
use crate::playout::{self, PlayoutBoard, PlayoutCheck, Tried, try_out};
use crate::tactics::Code;

/// The seed of all trials: the same question gets the same answer.
///
/// Origin: definition, any number serves.
const SEED: u64 = 0x7472_6961_6c73;

/// The share of playouts in which a side must reach its goal.
///
/// Origin: measured, `experiments/2026-11-23-go-playout-trials.md`: 0.4 to 0.5 make no difference of more than three answers.
const SHARE: f32 = 0.5;
/// The same with a move that judgement also found.
///
/// Origin: ablation, `experiments/2026-11-23-go-playout-trials.md`: a third is enough where judgement names the same move.
const AGREED_SHARE: f32 = 0.33;

/// The defence of a dragon that playouts cannot kill.
///
/// Origin: definition, an answer.
pub(super) const UNNEEDED: LifeReading =
    LifeReading { code: Code::Win, basis: Basis::Playouts, ..LifeReading::NONE };

impl LifeReader {
    /// Whether the side that moves first reaches its goal, by reading alone: nothing is tried out, and the other side's
    /// question is not asked.
    pub fn untried(&mut self, question: &LifeQuestion<'_>, attack: bool) -> LifeReading {
        self.solver.forget();
        self.read(question, None, attack)
    }
}

/// The answer after a test by playouts, if the question and the board allow playouts and these can add to the
/// reading. `good`: the moves that reading found to be as good as its own; `first`: the first move, if the question
/// names it.
pub(super) fn tried(
    question: &LifeQuestion<'_>,
    read: LifeReading,
    good: &[Vertex],
    first: Option<Vertex>,
    attack: bool,
) -> LifeReading {
    let proven = read.basis == Basis::Proof;
    let choice = read.code.works() && first.is_none() && good.len() > 1;
    let too_large = question.board.size() > playout::board::MAX_SIZE;
    if question.trials == 0 || too_large || proven && !choice {
        return read;
    }
    let Some(arena) = question.arena() else { return read };
    let mover = arena.mover(attack);
    let Some(found) = playouts_after(question, &arena, mover, first) else { return read };
    let mut nodes = read.nodes + u64::from(question.trials);
    let reached = |found: Tried| if attack { 1.0 - found.survival } else { found.survival };
    let mut agrees = proven || (reached(found) >= SHARE) == read.code.works();
    if read.basis == Basis::Field && !agrees && read.code.works() && first.is_none() {
        let after = playouts_after(question, &arena, mover, Some(read.line.start()));
        nodes += u64::from(question.trials);
        agrees = after.is_some_and(|after| reached(after) >= SHARE);
    }
    if proven || read.basis == Basis::Field && agrees {
        let line = if good.contains(&found.point) { read.line.starting_with(found.point) } else { read.line };
        return LifeReading { line, nodes, ..read };
    }
    LifeReading { nodes, ..weigh(read, first.unwrap_or(found.point), reached(found)) }
}

/// Step 1, after this first move if there is one; nothing if it is illegal.
fn playouts_after(
    question: &LifeQuestion<'_>,
    arena: &Arena,
    mover: Color,
    first: Option<Vertex>,
) -> Option<Tried> {
    let mut board = question.board.without_history();
    let mut to_move = mover;
    if let Some(v) = first {
        board.play_ignoring_ko(mover, v).ok()?;
        to_move = mover.other();
    }
    Some(try_out(&PlayoutCheck {
        board: &PlayoutBoard::from(&board),
        goal: question.goal,
        defender: arena.color,
        mover: to_move,
        last: first.unwrap_or(Vertex::PASS),
        inside: &arena.ground.inside,
        playouts: question.trials,
        seed: SEED,
    }))
}

/// Steps 2 and 5: the answer after reading, given the share of playouts in which the side that moves first reached
/// its goal by `point`.
fn weigh(read: LifeReading, point: Vertex, reached: f32) -> LifeReading {
    let agreed = read.code.works() && read.line.start() == point;
    let works = reached >= if agreed { AGREED_SHARE } else { SHARE };
    let ko = matches!(read.code, Code::KoA | Code::KoB);
    if ko && (!works && read.certain || works && agreed) {
        return read;
    }
    LifeReading {
        code: if works { Code::Win } else { Code::Fail },
        line: if works { read.line.starting_with(point) } else { Line::NONE },
        certain: works == read.code.works(),
        basis: Basis::Playouts,
        ..LifeReading::NONE
    }
}

#[cfg(test)]
mod tests;
