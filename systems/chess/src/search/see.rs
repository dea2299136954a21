//! Static exchange evaluation: tells whether a sequence of captures on one square gains at least a threshold.
//!
//! # Source
//! The swap algorithm, as in the Chess Programming Wiki's *SEE - The Swap Algorithm*, with a threshold.
//!
//! # Steps
//! 1. Compute the balance after the move, and the balance after the loss of the moved piece. Either may decide at once.
//! 2. The sides alternately capture with their cheapest attacker. Sliders behind an attacker join.
//! 3. The side that cannot or will not capture has lost the exchange.
//!
//! # Departures
//! Pins are ignored. Castling, promotions and en passant count as exchanges of 0.

use crate::rules::square::piece_at;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// Values of the pieces, pawn to king, in centipawns.
///
/// Origin: measured, `experiments/2026-11-30-chess-ablations.md`, "Groups": `exchange`.
const VALUES: [i32; 6] = [100, 325, 335, 500, 975, 20_000];

/// The value of a piece in exchanges.
#[must_use]
pub const fn value(piece: Piece) -> i32 {
    VALUES[piece as usize]
}

/// Whether the exchange started by `mv` gains at least `threshold`.
#[must_use]
pub fn gains(board: &Board, mv: Move, threshold: i32) -> bool {
    let side = board.side_to_move();
    let Some(moved) = piece_at(board, mv.from) else { return false };
    if mv.promotion.is_some() || board.colors(side).has(mv.to) {
        return threshold <= 0;
    }
    let victim = piece_at(board, mv.to);
    if moved == Piece::Pawn && mv.from.file() != mv.to.file() && victim.is_none() {
        return threshold <= 0;
    }
    // Step 1.
    let mut balance = victim.map_or(0, value) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(moved);
    if balance >= 0 {
        return true;
    }
    exchange(board, mv, side, balance)
}

/// Steps 2 and 3. `balance` is from the view of `side`, who has just moved and may lose the piece.
fn exchange(board: &Board, mv: Move, side: Color, mut balance: i32) -> bool {
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut occupied = (board.occupied() - mv.from.bitboard()) | mv.to.bitboard();
    let mut attackers = attackers(board, mv.to, occupied) & occupied;
    let mut turn = !side;
    loop {
        let own = attackers & board.colors(turn);
        let Some(piece) = Piece::ALL.into_iter().find(|&p| !(own & board.pieces(p)).is_empty()) else {
            break;
        };
        let from = (own & board.pieces(piece)).next_square().unwrap_or(mv.to);
        occupied ^= from.bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(mv.to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(mv.to, occupied) & straight;
        }
        attackers &= occupied;
        turn = !turn;
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            // A king may not take a guarded piece.
            if piece == Piece::King && !(attackers & board.colors(turn)).is_empty() {
                turn = !turn;
            }
            break;
        }
    }
    turn != side
}

/// Pieces of both sides that attack a square.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let sliders = |piece| board.pieces(piece) | board.pieces(Piece::Queen);
    (get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
        | (get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn))
        | (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | (get_bishop_moves(square, occupied) & sliders(Piece::Bishop))
        | (get_rook_moves(square, occupied) & sliders(Piece::Rook))
}
