//! Judges cuts that the search neither found nor refuted within its limit.
//!
//! # Source
//! Own work. The weights come from a logistic regression on 1,173 cuts that a search of 200 positions left open. The
//! cuts are on 560 boards from the games of the open suites. GNU Go's dragons serve as the truth; see
//! `docs/go-dragons.md`, "Links that are left open".
//!
//! # Notation
//! *Evidence* is the state of the tree when the limit ends the search. A sum of logarithms says how strongly the
//! evidence speaks for the join. The logarithms are integers, in sixteenths of an octave.
//!
//! # Steps
//! 1. A large proof number speaks for the cut, and so does a search that stays with one move of the cutter. A large
//!    disproof number, many moves to choose from and common liberties speak for the join.
//! 2. The link counts as joined if at least 72 % of such links are joined. A wrong join spoils two dragons, a missed
//!    link spoils one. This threshold spoils the fewest dragons.
//! 3. The search ends early if the odds are clear. After 100 positions they must differ from the odds of step 2 by a
//!    factor of e. After 50 positions the factor is e squared, and so on.
//!
//! # Cost
//! A few logarithms for each question.

use crate::effort::Guess;
use crate::proof::Numbers;

/// A tree of the cutter's that was left open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// The numbers of its root.
    pub(super) numbers: Numbers,
    /// The cutter's first moves.
    pub(super) moves: u32,
    /// The number of times the search went through its most visited child.
    pub(super) most: u32,
    /// Positions looked at.
    pub(super) nodes: u32,
    /// Liberties that the two strings share.
    pub(super) common: u32,
}

/// Whether the owner, who moves first, is likelier to join than not: the disproof number is at least this factor times the
/// proof number.
pub(super) const fn leans_to_join(numbers: Numbers, (over, under): (u8, u8)) -> bool {
    numbers.proof as u64 * over as u64 <= numbers.disproof as u64 * under as u64
}

/// Whether the cutter, who moves first, probably cuts. The proof number must exceed the disproof number by more than
/// this factor, because all his moves add to it.
pub(super) const fn leans_to_cut(numbers: Numbers, (over, under): (u8, u8)) -> bool {
    numbers.proof as u64 * under as u64 > numbers.disproof as u64 * over as u64
}

/// Weights in 640ths: of a sixteenth of an octave, but [`MOST`] of a 64th of the positions, [`COMMON`] of a shared liberty.
const PN: i32 = -29;
const DN: i32 = 8;
const MOVES: i32 = 19;
const MOST: i32 = -16;
const COMMON: i32 = 560;
/// More shared liberties than these say no more.
const MOST_COMMON: u32 = 2;
/// The sum without evidence, less the logarithm of the odds of 72 %.
const PRIOR: i32 = 1757;
/// Evidence that is clear: its sum, times the positions looked at.
const CLEAR: u32 = 64_000;

impl Guess {
    /// Whether the cut is taken to work.
    pub(super) fn cuts(self, evidence: &Evidence) -> bool {
        match self {
            Self::ProofRatio { near, wide } => {
                leans_to_cut(evidence.numbers, if evidence.common > 0 { near } else { wide })
            }
            Self::Learned => evidence.sum() <= 0,
        }
    }
}

impl Evidence {
    /// 3. Whether more positions are unlikely to favour the other side.
    pub(super) fn is_clear(&self) -> bool {
        self.sum().unsigned_abs().saturating_mul(self.nodes) >= CLEAR
    }

    /// 1. Above 0 it is joined.
    fn sum(&self) -> i32 {
        let share = 64 * self.most / self.nodes.max(1);
        PRIOR
            + PN * octaves(self.numbers.proof)
            + DN * octaves(self.numbers.disproof)
            + MOVES * octaves(self.moves)
            + MOST * share as i32
            + COMMON * self.common.min(MOST_COMMON) as i32
    }
}

/// The logarithm to base 2 in sixteenths, straight between powers of two; that of 0 is that of 1.
fn octaves(x: u32) -> i32 {
    let x = u64::from(x.max(1));
    let whole = x.ilog2();
    (16 * whole) as i32 + ((x << 4 >> whole) - 16) as i32
}

#[cfg(test)]
mod tests;
