//! Tests of the search by playouts on many threads.

use super::*;
use crate::board::{Board, Color};
use crate::playout::PlayoutBoard;
use crate::playout::{LADDERS, Policy};

fn find(limits: &Limits, threads: usize) -> Findings {
    let (board, _) = Board::from_diagram(
        ". . . . .
         . X O O .
         . X O . O
         . X X O .
         . . . X .",
    )
    .expect("a diagram");
    let fast = PlayoutBoard::from(&board);
    search_on_threads(black_to_move(&fast), &|_| true, &[], limits, threads, &mut || false)
}

fn black_to_move(board: &PlayoutBoard) -> Root<'_> {
    let (last, before) = (Vertex::PASS, Vertex::PASS);
    Root { board, color: Color::Black, last, before, komi: 0.5, owner: None }
}

fn limits(playouts: u32) -> Limits {
    Limits { playouts, policy: Policy::default(), win_share: 0.5, warm_up: 0, ladders: LADDERS, seed: 3 }
}

#[test]
fn a_search_for_many_threads_finds_the_same_on_however_many_there_are() {
    for threads in [1, 2, 4] {
        let mut found = (1..=3).map(|there| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(there).build().expect("threads");
            let found = pool.install(|| find(&limits(301), threads));
            assert_eq!(found.playouts, 301);
            (found.moves, found.owner, found.white_lead)
        });
        let first = found.next().expect("one");
        assert!(found.all(|other| other == first), "made for {threads} threads");
    }
}

#[test]
fn every_visit_of_the_root_is_one_of_its_moves() {
    let found = find(&limits(200), 3);
    assert_eq!(found.moves.iter().map(|m| m.visits).sum::<u32>(), 200);
}

#[test]
fn who_is_told_to_stop_at_once_still_has_some_playouts() {
    let fast = PlayoutBoard::from(&Board::new(9));
    let root = black_to_move(&fast);
    let found = search_on_threads(root, &|_| true, &[], &limits(1_000_000), 2, &mut || true);
    assert!((1..1_000_000).contains(&found.playouts), "{}", found.playouts);
}

#[test]
fn a_search_for_one_thread_is_the_plain_loop() {
    let fast = PlayoutBoard::from(&Board::new(7));
    for (playouts, warm_up) in [(1, 0), (150, 0), (300, 30)] {
        let limits = Limits { warm_up, ..limits(playouts) };
        let jobs = search_on_threads(black_to_move(&fast), &|_| true, &[], &limits, 1, &mut || false);
        let plain = super::super::search(black_to_move(&fast), &|_| true, &[], &limits, &mut || false);
        assert_eq!((&jobs.moves, &jobs.owner), (&plain.moves, &plain.owner), "{playouts} playouts");
        assert_eq!((jobs.white_lead, jobs.win_rate), (plain.white_lead, plain.win_rate));
    }
}
