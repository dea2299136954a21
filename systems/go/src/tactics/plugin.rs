//! Tactics in the schedule.

use super::map::{TacticsMap, WormTactics, read_worm, strings};
use super::reader::{Limits, Reader};
use crate::board::{Board, Vertex};
use crate::schedule::{Analyse, AnalyseSystems, NodeLimit};
use crate::world::{BoardSlot, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use std::sync::Mutex;
use tengen_core::Parallelism;

/// The limits tactical reading keeps in the schedule, and the readers it works with.
#[derive(Resource, Default)]
pub struct TacticsSettings {
    /// Limits of every question.
    pub limits: Limits,
    /// Readers that are free; more are made as threads ask for them.
    pool: Mutex<Vec<Reader>>,
}

/// Reads every string of every board.
///
/// Reads [`Position`]; writes [`TacticsMap`]; runs in [`AnalyseSystems::Tactics`]. Limits: [`TacticsSettings`].
pub struct TacticsPlugin;

impl Plugin for TacticsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TacticsSettings>()
            .register_required_components::<BoardSlot, TacticsMap>()
            .add_systems(Analyse, read_tactics.in_set(AnalyseSystems::Tactics));
    }
}

pub(crate) fn read_tactics(
    settings: Res<TacticsSettings>,
    most: Res<NodeLimit>,
    parallelism: Res<Parallelism>,
    mut boards: Query<(&BoardSlot, &Position, &mut TacticsMap)>,
) {
    let bare: Vec<Board> = boards.iter().map(|(_, position, _)| position.board.without_history()).collect();
    let read = read_batch(&settings, most.0, *parallelism, &bare);
    for ((_, _, mut map), worms) in boards.iter_mut().zip(read) {
        map.worms = worms;
    }
}

/// Reads all strings of all boards, spread over threads as `parallelism` says; one list per board.
fn read_batch(
    settings: &TacticsSettings,
    most: Option<u64>,
    parallelism: Parallelism,
    boards: &[Board],
) -> Vec<Vec<WormTactics>> {
    let jobs: Vec<(usize, Vertex)> =
        boards.iter().enumerate().flat_map(|(i, b)| strings(b).into_iter().map(move |v| (i, v))).collect();
    let limits = settings.limits.at_most(most);
    let worms = parallelism.map(jobs, |(i, origin)| {
        let free = settings.pool.lock().ok().and_then(|mut pool| pool.pop());
        let mut reader = free.unwrap_or_default();
        reader.read_under(limits);
        let worm = read_worm(&mut reader, &mut boards[i].clone(), origin);
        if let Ok(mut pool) = settings.pool.lock() {
            pool.push(reader);
        }
        (i, worm)
    });
    let mut read: Vec<Vec<WormTactics>> = vec![Vec::new(); boards.len()];
    for (i, worm) in worms {
        read[i].push(worm);
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goban;

    #[test]
    fn a_batch_reads_the_same_on_one_thread_and_on_many() {
        let boards: Vec<Board> = [
            goban!(". X O . .", "X O . O .", ". X O . .", "X O . . .", ". O . . ."),
            goban!(". . . . .", ". X O . .", ". O X . .", ". . . . .", ". . . . ."),
        ]
        .into_iter()
        .map(|(board, _)| board)
        .collect();
        let settings = TacticsSettings::default();
        let serial = read_batch(&settings, None, Parallelism::Shards, &boards);
        assert_eq!(read_batch(&settings, None, Parallelism::Inside, &boards), serial);
        let mut reader = Reader::default();
        for (board, worms) in boards.iter().zip(serial) {
            assert_eq!(super::super::map::read(&mut reader, &mut board.clone()).worms, worms);
        }
    }
}
