//! Tests of tactical reading of whole boards, also from move to move.

use super::*;
use crate::board::Color;
use crate::goban;
use proptest::prelude::*;

#[test]
fn a_batch_reads_the_same_on_one_thread_and_on_many() {
    let boards: Vec<Board> = [
        goban!(". X O . .", "X O . O .", ". X O . .", "X O . . .", ". O . . ."),
        goban!(". . . . .", ". X O . .", ". O X . .", ". . . . .", ". . . . ."),
    ]
    .into_iter()
    .map(|(board, _)| board)
    .collect();
    let pool = TacticsPool::default();
    let limits = Limits::default();
    let read = |bytes, parallelism| {
        read_batch(&pool, limits, parallelism, &ReadingMemory::with_bytes(bytes), &boards)
    };
    let serial = read(0, Parallelism::Shards);
    for bytes in [0, 1 << 20] {
        assert_eq!(read(bytes, Parallelism::Inside), serial, "{bytes}");
    }
    let mut reader = Reader::default();
    for (board, worms) in boards.iter().zip(serial) {
        assert_eq!(super::super::map::read(&mut reader, &mut board.clone()).worms, worms);
    }
}

/// Reads positions one after the other with one memory. Returns the results of each for its strings, and the number of
/// kept strings.
fn read_in_turn(positions: &[Board], limits: Limits) -> Vec<(Vec<WormTactics>, u64)> {
    let pool = TacticsPool::default();
    let memory = ReadingMemory::default();
    let kept = || memory.counts()[QuestionKind::String as usize].1.kept;
    let read = |board: &Board| {
        let before = kept();
        let boards = [board.without_history()];
        let worms = read_batch(&pool, limits, Parallelism::Shards, &memory, &boards).remove(0);
        (worms, kept() - before)
    };
    positions.iter().map(read).collect()
}

#[test]
fn after_a_move_only_the_strings_near_it_are_read_again() {
    // Each wall keeps the fight behind it to its side.
    let (before, _) = goban!(
        ". O X X . . . . . O . . .",
        "X O . X . . . . . O . X .",
        ". O . X . . . . . O X O X",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
        ". . . X . . . . . O . . .",
    );
    let mut after = before.clone();
    after.play(Color::White, Vertex::from_gtp("M13", 13).expect("a vertex")).expect("an empty vertex");
    let said = read_in_turn(&[before.clone(), after, before.clone(), before], Limits::default());
    let kept: Vec<u64> = said.iter().map(|(_, kept)| *kept).collect();
    assert_eq!(kept, [0, 4, 8, 8], "both walls and what stands left; all of what came back; all");
}

#[test]
fn a_string_that_no_move_attacked_is_read_again_when_something_beyond_its_liberties_changes() {
    // Black may play on neither liberty of F5. His stone on G3 leaves G4 two, so that there is something to try.
    let (before, _) = goban!(
        "O . . O O . O .",
        "X . O O . O O X",
        "O O X O O . O O",
        "X . X O X O . O",
        "X . X O . X O .",
        "X . O O X X . X",
        ". O O X X X . X",
        "X O O . O . X X",
    );
    let mut after = before.clone();
    after.play(Color::Black, Vertex::from_gtp("G3", 8).expect("a vertex")).expect("an empty vertex");
    let positions = [before, after];
    let limits = Limits { nodes: 300, ..Limits::single() };
    let mut fresh = Reader::new(limits);
    for (board, (said, _)) in positions.iter().zip(read_in_turn(&positions, limits)) {
        assert_eq!(said, super::super::map::read(&mut fresh, &mut board.without_history()).worms);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_is_kept_from_move_to_move_is_what_reading_again_says(
        size in 7_usize..20,
        begin in 0_usize..100,
        moves in prop::collection::vec((any::<u16>(), any::<bool>()), 40..120),
        wide in any::<bool>(),
    ) {
        let limits = Limits { nodes: 300, ..if wide { Limits::single() } else { Limits::default() } };
        let mut board = Board::new(size);
        let mut positions = Vec::new();
        for (i, (at, back)) in moves.into_iter().enumerate() {
            let v = Vertex::from_index(at as usize % (size * size), size);
            let _ = board.play(Color::BOTH[i % 2], v);
            if back && i % 3 == 0 {
                board.undo();
            }
            if i >= begin && i % 5 == 0 {
                positions.push(board.clone());
            }
        }
        let mut fresh = Reader::new(limits);
        for (board, (said, _)) in positions.iter().zip(read_in_turn(&positions, limits)) {
            let read = super::super::map::read(&mut fresh, &mut board.without_history());
            prop_assert_eq!(said, read.worms);
        }
    }
}
