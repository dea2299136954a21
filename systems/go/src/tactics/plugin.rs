//! Reads the tactics of every string of every board, as a system of the schedule.

use super::map::{AskedStrings, TacticsMap, WormTactics, read_worm};
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
/// Strings of single questions are then read as far as the question, and that refines their readings.
///
/// The parts that the last position of a slot shares with the next one of a game are not read again. No result shows
/// it.
///
/// Reads [`Position`], [`AskedStrings`]; writes [`TacticsMap`]; runs in [`AnalyseSystems::Tactics`]. Limits: [`Effort::strings`].
pub struct TacticsPlugin;

impl Plugin for TacticsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TacticsPool>()
            .register_required_components::<BoardSlot, TacticsMap>()
            .register_required_components::<BoardSlot, TacticsMemory>()
            .register_required_components::<BoardSlot, AskedStrings>()
            .add_systems(Analyse, read_tactics.in_set(AnalyseSystems::Tactics));
    }
}

pub(crate) fn read_tactics(
    pool: Res<TacticsPool>,
    effort: Res<Effort>,
    parallelism: Res<Parallelism>,
    mut boards: Query<(&Position, &AskedStrings, &mut TacticsMap, &mut TacticsMemory)>,
    mut deeper: Local<Option<Reader>>,
) {
    let limits = effort.strings;
    let bare: Vec<Board> = boards.iter().map(|(position, ..)| position.board.without_history()).collect();
    let memories: Vec<&TacticsMemory> = boards.iter().map(|(.., memory)| memory).collect();
    let read = read_batch(&pool, limits, *parallelism, &bare, &memories);
    for (((_, asked, mut map, mut memory), worms), mut board) in boards.iter_mut().zip(read).zip(bare) {
        map.worms = worms.iter().map(|(worm, _)| worm.clone()).collect();
        if !asked.0.is_empty() {
            let reader = deeper.get_or_insert_default();
            reader.read_under(effort.question.strings);
            asked.refine(&mut map, reader, &mut board);
        }
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
        for origin in board.strings() {
            match holding.binary_search_by_key(&origin, |(worm, _)| worm.origin) {
                Ok(at) => kept.push(holding[at].clone()),
                Err(_) => jobs.push((i, origin)),
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
mod tests;
