//! Makes small random positions with random games that often repeat positions, for property tests.
//!
//! # Steps
//! 1. Choose a family of positions: kings with locked pawns, an additional minor piece, open pawns, or rooks.
//! 2. Place pieces until the position is possible and no king is in check.
//! 3. Play 0 to 14 random plies. With a good chance, the piece that moved last goes back.

use crate::history::Game;
use crate::rules::fen::{self, Setup};
use cozy_chess::{BoardBuilder, Color, File, Move, Piece, Rank, Square};
use tengen_core::SplitMix64;

/// A random game of a random small position, from a seed alone.
#[must_use]
pub fn game(seed: u64) -> Game {
    let mut random = SplitMix64::new(seed);
    let setup = loop {
        if let Some(setup) = setup(&mut random) {
            break setup;
        }
    };
    let mut game = Game::new(setup);
    for _ in 0..random.below(15) {
        let Some(mv) = step(&game, &mut random) else { break };
        game.play(mv);
    }
    game
}

/// A random game with many repetitions, for the referee. It has up to `plies` plies from a small position or a position
/// with castling rights, with a clock that may be far on. It stops where there is no move.
#[must_use]
pub fn long_game(seed: u64, plies: u32) -> Game {
    const STARTS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1",
        "4k3/2p1p3/8/1P1P4/2p1p3/8/1P1P4/4K3 w - - 0 1",
    ];
    let mut random = SplitMix64::new(seed);
    let mut start = match random.below(6) {
        n @ 0..=2 => fen::parse(STARTS[n as usize]).unwrap_or_default(),
        _ => loop {
            if let Some(setup) = setup(&mut random) {
                break setup;
            }
        },
    };
    if random.below(4) == 0 && start.board.en_passant().is_none() {
        start.clock = 80 + random.below(70) as u16;
        start = fen::parse(&fen::write(&start.board, start.clock, false)).unwrap_or(start);
    }
    let mut game = Game::new(start);
    for _ in 0..4 + random.below(plies.max(1)) {
        let Some(mv) = step(&game, &mut random) else { break };
        game.play(mv);
    }
    game
}

fn setup(random: &mut SplitMix64) -> Option<Setup> {
    let mut builder = BoardBuilder::empty();
    let square = |random: &mut SplitMix64| Square::index(random.below(64) as usize);
    let put = |builder: &mut BoardBuilder, at: Square, piece: Piece, color: Color| {
        if builder.square(at).is_none() {
            *builder.square_mut(at) = Some((piece, color));
        }
    };
    for color in Color::ALL {
        let at = square(random);
        put(&mut builder, at, Piece::King, color);
    }
    // Locked pairs of pawns.
    for _ in 0..random.below(4) {
        let (file, rank) = (File::index(random.below(8) as usize), 1 + random.below(5) as usize);
        let (low, high) = (Square::new(file, Rank::index(rank)), Square::new(file, Rank::index(rank + 1)));
        if builder.square(low).is_none() && builder.square(high).is_none() {
            put(&mut builder, low, Piece::Pawn, Color::White);
            put(&mut builder, high, Piece::Pawn, Color::Black);
        }
    }
    let extras: &[Piece] = match random.below(6) {
        0 | 1 => &[],
        2 => &[Piece::Bishop],
        3 => &[Piece::Knight],
        4 => &[Piece::Pawn, Piece::Pawn],
        _ => &[Piece::Rook],
    };
    for &piece in extras {
        let (at, color) = (square(random), if random.below(2) == 0 { Color::White } else { Color::Black });
        if piece != Piece::Pawn || !matches!(at.rank(), Rank::First | Rank::Eighth) {
            put(&mut builder, at, piece, color);
        }
    }
    builder.side_to_move = if random.below(2) == 0 { Color::White } else { Color::Black };
    let board = builder.build().ok()?;
    fen::parse(&board.to_string()).ok()
}

fn step(game: &Game, random: &mut SplitMix64) -> Option<Move> {
    let moves = crate::rules::notation::legal_moves(game.board());
    if moves.is_empty() {
        return None;
    }
    let mut mv = moves[random.below(u32::try_from(moves.len()).ok()?) as usize];
    if game.moves().len() >= 2 && random.below(2) == 0 {
        let last = game.moves()[game.moves().len() - 2];
        let back = Move { from: last.to, to: last.from, promotion: None };
        if moves.contains(&back) {
            mv = back;
        }
    }
    Some(mv)
}
