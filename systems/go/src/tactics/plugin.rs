//! The system of the schedule that reads the tactics of every string of every board.

use super::map::{QueriedStrings, TacticsMap, WormTactics, read_worm};
use super::reader::Reader;
use crate::board::{Board, Vertex};
use crate::effort::{Effort, Limits};
use crate::memory::{self, QuestionKind, ReadingMemory};
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
/// Strings of single questions are then read as far as the question, and that refines their readings.
///
/// Readings that [`ReadingMemory`] holds are not made again. No result shows it.
///
/// Reads [`Position`], [`QueriedStrings`]; writes [`TacticsMap`]; runs in [`AnalyseSystems::Tactics`]. Limits: [`Effort::strings`].
pub struct TacticsPlugin;

impl Plugin for TacticsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TacticsPool>()
            .register_required_components::<BoardSlot, TacticsMap>()
            .register_required_components::<BoardSlot, QueriedStrings>()
            .add_systems(Analyse, read_tactics.in_set(AnalyseSystems::Tactics));
    }
}

pub(crate) fn read_tactics(
    pool: Res<TacticsPool>,
    effort: Res<Effort>,
    parallelism: Res<Parallelism>,
    memory: Res<ReadingMemory>,
    mut boards: Query<(&Position, &QueriedStrings, &mut TacticsMap)>,
    mut deeper: Local<Option<Reader>>,
) {
    let limits = effort.strings;
    let bare: Vec<Board> = boards.iter().map(|(position, ..)| position.board.without_history()).collect();
    let read = read_batch(&pool, limits, *parallelism, &memory, &bare);
    for (((_, asked, mut map), worms), mut board) in boards.iter_mut().zip(read).zip(bare) {
        map.worms = worms;
        if !asked.0.is_empty() {
            let reader = deeper.get_or_insert_default();
            reader.read_under(effort.question.strings);
            asked.refine(&mut map, reader, &mut board);
        }
    }
}

/// Reads all strings of all boards that the memory doesn't hold, spread over threads as `parallelism` says; one list
/// per board. Boards have no history.
fn read_batch(
    pool: &TacticsPool,
    limits: Limits,
    parallelism: Parallelism,
    memory: &ReadingMemory,
    boards: &[Board],
) -> Vec<Vec<WormTactics>> {
    let mut read: Vec<Vec<WormTactics>> = vec![Vec::new(); boards.len()];
    let mut jobs: Vec<(usize, Vertex)> = Vec::new();
    let question = |i: usize, origin: Vertex| {
        memory::MemoryKey::new(QuestionKind::String, (origin, limits), &boards[i], &[])
    };
    // The memory is asked and told in order, so that its counts don't depend on threads.
    for (i, board) in boards.iter().enumerate() {
        for origin in board.strings() {
            match memory.recall(&question(i, origin)) {
                Some(worm) => read[i].push(worm),
                None => jobs.push((i, origin)),
            }
        }
    }
    let keeps = memory.keeps();
    let worms = parallelism.map(jobs, |(i, origin)| {
        let free = pool.free.lock().ok().and_then(|mut free| free.pop());
        let mut reader = free.unwrap_or_default();
        reader.read_under(limits);
        let (mut board, watch) = if keeps {
            let (board, watch) = boards[i].watched();
            (board, Some(watch))
        } else {
            (boards[i].clone(), None)
        };
        let worm = read_worm(&mut reader, &mut board, origin);
        if let Ok(mut free) = pool.free.lock() {
            free.push(reader);
        }
        (i, worm, watch)
    });
    for (i, worm, watch) in worms {
        if let Some(watch) = watch {
            memory.keep(&question(i, worm.origin), &watch, &worm, worm.bytes());
        }
        read[i].push(worm);
    }
    for worms in &mut read {
        worms.sort_unstable_by_key(|worm| worm.origin);
    }
    read
}

#[cfg(test)]
mod tests;
