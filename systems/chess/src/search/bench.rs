//! A fixed set of searches, whose node count is the signature of the engine. The signature changes only when the search
//! changes.

use super::{Limits, Options, search};
use crate::history::Game;
use tengen_core::Stop;

/// Openings, middlegames and endgames: our own choice of well-known and random positions.
const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQK2R b KQkq - 2 6",
    "2kr3r/ppp2ppp/2n1b3/2b1P3/5P2/2N2N2/PPP3PP/R1B2RK1 w - - 1 12",
    "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1",
    "8/5pk1/4p1p1/7p/1R5P/5PP1/r4PK1/8 w - - 4 40",
    "r1bq1rk1/pp2bppp/2n2n2/3p4/3N4/2N1B1P1/PP2PPBP/R2Q1RK1 b - - 2 10",
    "3r1rk1/p4ppp/1p2pn2/8/2P5/1P2PN2/P4PPP/2R2RK1 b - - 0 18",
    "8/8/4k3/3n1n2/8/8/3KB3/8 w - - 0 1",
    "2r3k1/5pp1/p3p2p/1p1qP3/3P4/PQ4P1/1P3P1P/2R3K1 w - - 0 28",
];

/// Nodes of all positions searched to a depth.
#[must_use]
pub fn signature(depth: u32) -> u64 {
    signature_until(depth, &Stop::NEVER)
}

/// The same; fewer nodes if `stop` ends the search early.
#[must_use]
pub fn signature_until(depth: u32, stop: &Stop) -> u64 {
    POSITIONS
        .iter()
        .take_while(|_| !stop.now())
        .map(|fen| {
            let game = Game::from_text(fen, []).expect("the positions are legal");
            let limits = Limits { depth: Some(depth), stop: stop.clone(), ..Limits::default() };
            search(&game, limits, Options::default(), 16).nodes
        })
        .sum()
}
