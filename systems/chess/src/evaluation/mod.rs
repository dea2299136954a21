//! The static evaluation: weighted sums of features of the position, blended between middlegame and endgame (tapered).
//!
//! # Source
//! Common knowledge of the field: the Chess Programming Wiki's pages *Tapered Eval*, *Mobility*, *King Safety*, *Pawn
//! Structure*. The weights are Tengen's own. [`tune`] makes new ones from games of the engine against itself.
//!
//! # Notation
//! A *feature* is the number of occurrences of a pattern for White minus that for Black. A *weight* is a pair
//! (middlegame, endgame) in centipawns. The *phase* is 24 with all pieces, 0 with none.
//!
//! # Steps
//! 1. Each move updates the piece-square sum ([`incremental`]).
//! 2. All other features are counted on the board ([`terms`]). The part that depends only on pawns and kings is looked
//!    up ([`pawns`]).
//! 3. Middlegame and endgame sums are blended by phase. The endgame sum shrinks where material cannot win.
//!
//! # Invariants
//! [`terms::count`] is the only function that counts, for playing and for tuning, so a tuned weight means the same in
//! both. The value of a mirrored position is the negated value.

pub mod cache;
pub mod incremental;
pub mod pawns;
pub mod terms;
pub mod tune;
pub mod weights;

pub use cache::Evaluator;
pub use incremental::Placed;
pub use pawns::PawnTable;
pub use weights::{Pair, Weights};

use cozy_chess::{Board, Color, Piece};
use terms::Frame;
use weights::{feature, packed_eg, packed_mg};

/// Full phase.
///
/// Origin: definition, the phases of all pieces of the first position.
pub const PHASE_MAX: i32 = 24;

/// The endgame scales of a hard or hopeless win, in [`FULL`]ths.
struct Scales {
    /// From this number of pawns on they do not matter.
    pawns: i32,
    /// Without pawns, and more for each pawn.
    few_pawns: [i32; 2],
    /// The worth of a minor piece, a rook and a queen, in pawns.
    pieces: [i32; 3],
    /// The lead of pieces that wins without pawns is more than this.
    lead: i32,
    /// Pieces of less worth cannot win without pawns: the scale is 0.
    winning: i32,
    /// Without pawns, and with no such lead.
    no_pawns: i32,
    /// Bishops of opposite colours, alone and with other pieces.
    opposed: [i32; 2],
}

/// The scale of an endgame that is won as any other.
///
/// Origin: definition, the unit of scales.
const FULL: i32 = 64;

/// The scales in use.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `scales`.
const SCALES: Scales = Scales {
    pawns: 3,
    few_pawns: [48, 5],
    pieces: [3, 5, 9],
    lead: 3,
    winning: 5,
    no_pawns: 10,
    opposed: [26, 48],
};

/// The value from the side to move's view, in centipawns.
#[must_use]
pub fn evaluate(placed: &Placed, weights: &Weights, pawns: &mut PawnTable) -> i32 {
    let frame = Frame::new(placed.board());
    let (structure, passed) = pawns.structure(&frame, weights);
    let mut sum = terms::Sum { weights, total: placed.sum() + structure };
    terms::count_rest(placed.board(), &frame, passed, &mut sum);
    let value = blend(placed.board(), placed.phase(), sum.total);
    let tempo = packed_mg(weights.of(feature::TEMPO));
    if placed.board().side_to_move() == Color::White { value + tempo } else { tempo - value }
}

/// The value of the same placement with the other side to move: all terms but the tempo change their sign.
#[must_use]
pub fn passed(value: i32, weights: &Weights) -> i32 {
    2 * packed_mg(weights.of(feature::TEMPO)) - value
}

/// Step 3: a packed sum at a phase, White's view.
fn blend(board: &Board, phase: i32, sum: Pair) -> i32 {
    let phase = phase.min(PHASE_MAX);
    let (mg, eg) = (packed_mg(sum), packed_eg(sum));
    let eg = eg * scale(board, eg) / FULL;
    (mg * phase + eg * (PHASE_MAX - phase)) / PHASE_MAX
}

/// The scale of an endgame advantage, in 64ths: small without pawns and less than a rook ahead; half with only bishops
/// of opposite colours.
#[must_use]
pub fn scale(board: &Board, eg: i32) -> i32 {
    let strong = if eg >= 0 { Color::White } else { Color::Black };
    let of = |color, piece| board.colored_pieces(color, piece).len() as i32;
    let pawns = of(strong, Piece::Pawn);
    let bishops = board.pieces(Piece::Bishop);
    let dark = bishops & cozy_chess::BitBoard::DARK_SQUARES;
    let opposed = bishops.len() == 2 && dark.len() == 1 && of(Color::White, Piece::Bishop) == 1;
    // The fewer pawns, the harder.
    let by_pawns =
        if pawns < SCALES.pawns { SCALES.few_pawns[0] + SCALES.few_pawns[1] * pawns } else { FULL };
    if pawns > 0 && !opposed {
        return by_pawns;
    }
    let worth = |color| {
        SCALES.pieces[0] * (of(color, Piece::Knight) + of(color, Piece::Bishop))
            + SCALES.pieces[1] * of(color, Piece::Rook)
            + SCALES.pieces[2] * of(color, Piece::Queen)
    };
    let (own, other) = (worth(strong), worth(!strong));
    if pawns == 0 && own - other <= SCALES.lead {
        // Two knights or a lone minor can't win; a minor or exchange up rarely does.
        return if own < SCALES.winning { 0 } else { SCALES.no_pawns };
    }
    if opposed {
        let alone = own == SCALES.pieces[0] && other == SCALES.pieces[0];
        return SCALES.opposed[usize::from(!alone)];
    }
    by_pawns
}

#[cfg(test)]
mod tests;
