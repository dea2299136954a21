//! Tactics in the schedule.

use super::map::{TacticsMap, WormTactics, read_worm, strings};
use super::memory::{self, TacticsMemory};
use super::reader::Reader;
use crate::board::{Board, Vertex, VertexSet};
use crate::effort::{Effort, Limits};
use crate::schedule::{Analyse, AnalyseSystems};
use crate::world::{BoardSlot, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use std::sync::Mutex;
use tengen_core::Parallelism;

/// The readers tactical reading works with in the schedule.
#[derive(Resource, Default)]
pub struct TacticsPool {
    /// Readers that are free; more are made as threads ask for them.
    free: Mutex<Vec<Reader>>,
}

/// Reads every string of every board.
///
/// What the last position of a slot shares with the next, as a game goes on, is not read again; no result can tell.
///
/// Reads [`Position`]; writes [`TacticsMap`]; runs in [`AnalyseSystems::Tactics`]. Limits: [`Effort::strings`].
pub struct TacticsPlugin;

impl Plugin for TacticsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TacticsPool>()
            .register_required_components::<BoardSlot, TacticsMap>()
            .register_required_components::<BoardSlot, TacticsMemory>()
            .add_systems(Analyse, read_tactics.in_set(AnalyseSystems::Tactics));
    }
}

pub(crate) fn read_tactics(
    pool: Res<TacticsPool>,
    effort: Res<Effort>,
    parallelism: Res<Parallelism>,
    mut boards: Query<(&Position, &mut TacticsMap, &mut TacticsMemory)>,
) {
    let limits = effort.strings;
    let bare: Vec<Board> = boards.iter().map(|(position, ..)| position.board.without_history()).collect();
    let memories: Vec<&TacticsMemory> = boards.iter().map(|(.., memory)| memory).collect();
    let read = read_batch(&pool, limits, *parallelism, &bare, &memories);
    for (((_, mut map, mut memory), worms), board) in boards.iter_mut().zip(read).zip(bare) {
        map.worms = worms.iter().map(|(worm, _)| worm.clone()).collect();
        memory.remember(board, limits, worms);
    }
}

/// Reads all strings of all boards that their memories don't hold, spread over threads as `parallelism` says; one list
/// per board.
fn read_batch(
    pool: &TacticsPool,
    limits: Limits,
    parallelism: Parallelism,
    boards: &[Board],
    memories: &[&TacticsMemory],
) -> Vec<Vec<(WormTactics, VertexSet)>> {
    let mut read: Vec<Vec<(WormTactics, VertexSet)>> = Vec::with_capacity(boards.len());
    let mut jobs: Vec<(usize, Vertex)> = Vec::new();
    for (i, (board, memory)) in boards.iter().zip(memories).enumerate() {
        let holding = memory.holding(board, limits);
        let mut kept = Vec::new();
        for origin in strings(board) {
            match memory::find(&holding, origin) {
                Some(worm) => kept.push(worm.clone()),
                None => jobs.push((i, origin)),
            }
        }
        read.push(kept);
    }
    let worms = parallelism.map(jobs, |(i, origin)| {
        let free = pool.free.lock().ok().and_then(|mut free| free.pop());
        let mut reader = free.unwrap_or_default();
        reader.read_under(limits);
        let mut board = boards[i].clone();
        board.start_footprint();
        let worm = read_worm(&mut reader, &mut board, origin);
        if let Ok(mut free) = pool.free.lock() {
            free.push(reader);
        }
        let area = memory::area_of(&board, &worm);
        (i, (worm, area))
    });
    for (i, worm) in worms {
        read[i].push(worm);
    }
    for worms in &mut read {
        worms.sort_unstable_by_key(|(worm, _)| worm.origin);
    }
    read
}

#[cfg(test)]
mod tests {
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
        let none = TacticsMemory::default();
        let serial = read_batch(&pool, limits, Parallelism::Shards, &boards, &[&none; 2]);
        assert_eq!(read_batch(&pool, limits, Parallelism::Inside, &boards, &[&none; 2]), serial);
        let mut reader = Reader::default();
        for (board, worms) in boards.iter().zip(serial) {
            let worms: Vec<WormTactics> = worms.into_iter().map(|(worm, _)| worm).collect();
            assert_eq!(super::super::map::read(&mut reader, &mut board.clone()).worms, worms);
        }
    }

    /// Reads positions one after the other on one slot: what each said of its strings, and how many strings were kept.
    fn read_in_turn(positions: &[Board], limits: Limits) -> Vec<(Vec<WormTactics>, usize)> {
        let pool = TacticsPool::default();
        let mut memory = TacticsMemory::default();
        let mut said = Vec::new();
        for board in positions {
            let bare = board.without_history();
            let kept = memory.holding(&bare, limits).len();
            let boards = std::slice::from_ref(&bare);
            let worms = read_batch(&pool, limits, Parallelism::Shards, boards, &[&memory]).remove(0);
            said.push((worms.iter().map(|(worm, _)| worm.clone()).collect(), kept));
            memory.remember(bare, limits, worms);
        }
        said
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
        let kept: Vec<usize> = said.iter().map(|(_, kept)| *kept).collect();
        assert_eq!(kept, [0, 4, 4, 8], "both walls and what stands left; these; where nothing changed, all");
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
}
