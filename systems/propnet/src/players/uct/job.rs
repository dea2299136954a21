//! Jobs of a search: leaves that are played out together, on any thread.

use super::super::pool::Pool;
use super::super::rollouts::SingleGame;
use super::opened::Opened;
use super::tree::{Path, hash_of};
use super::watched::Played;
use crate::game::GameError;
use crate::machine::{MoveId, State};
use crate::propagate::amaf::MoveSums;
use std::sync::Arc;
use tengen_core::{SplitMix64, Stop};

/// Leaves to play out together.
pub struct Job {
    pub(super) leaves: Vec<Leaf>,
    pub(super) seed: u64,
    pub(super) pool: Arc<Pool>,
    pub(super) failed: Option<GameError>,
    pub(super) stop: Stop,
    pub(super) all_moves: bool,
    pub(super) single: bool,
    pub(super) played: Played,
}

/// A leaf of a job. The tree's owner reuses it, so that a thread frees what its job allocates.
#[derive(Default)]
pub(super) struct Leaf {
    pub(super) path: Path,
    pub(super) at: Place,
    /// The joint move that leads to it.
    pub(super) joint: Vec<MoveId>,
    pub(super) node: Option<u32>,
    /// Its goals, role by role; empty before they are known.
    pub(super) values: Vec<f64>,
    /// The moves of its playouts, if they count.
    pub(super) moves: MoveSums,
    /// Its game, where a leaf has one.
    pub(super) one: SingleGame,
}

/// The place of a leaf.
#[derive(Default)]
pub(super) enum Place {
    /// A node whose goals are already known.
    #[default]
    Nowhere,
    /// In this state.
    State(Arc<State>),
    /// After the leaf's joint move from a state; the job finds the state.
    Move(Arc<State>),
    /// After the leaf's joint move from a state; it gets no node yet.
    After(Arc<State>),
    /// In a state that a job has found.
    Opened(Opened),
}

impl Leaf {
    /// Its state, if it is known.
    pub(super) fn state(&self) -> Option<&State> {
        match &self.at {
            Place::State(state) => Some(state),
            Place::Nowhere | Place::Move(..) | Place::After(..) => None,
            Place::Opened(opened) => Some(opened.state.as_ref()),
        }
    }
}

impl Job {
    /// Finds the states of the leaves, and plays them out.
    pub(super) fn work(&mut self) {
        self.failed = make_moves(self).err();
        if self.single {
            self.failed = self.failed.take().or_else(|| play_single(self).err());
            return;
        }
        let open: Vec<usize> = (0..self.leaves.len()).filter(|&n| self.leaves[n].values.is_empty()).collect();
        if open.is_empty() || self.failed.is_some() {
            return;
        }
        let states: Vec<&State> = open.iter().filter_map(|&n| self.leaves[n].state()).collect();
        // A machine that could be made for the tree can be made again; states of the tree are of the game's own
        // numbering.
        let played = self.pool.with_rollouts(&self.stop, |rollouts| {
            Ok(match self.all_moves {
                true => rollouts.values_and_moves(&states, self.seed)?,
                false => (rollouts.values(&states, self.seed)?, Vec::new()),
            })
        });
        let (values, moves) = played.unwrap_or_default();
        let mut moves = moves.into_iter();
        for (n, values) in open.into_iter().zip(values) {
            self.played.add(&values);
            self.leaves[n].values.extend(values);
            self.leaves[n].moves = moves.next().unwrap_or_default();
        }
    }
}

/// Step 3 with single games: plays one game from each leaf.
fn play_single(job: &mut Job) -> Result<(), GameError> {
    let Job { pool, leaves, seed, played, .. } = job;
    let mut random = SplitMix64::new(*seed);
    pool.with_single(|single| {
        for leaf in leaves.iter_mut().filter(|leaf| leaf.values.is_empty()) {
            let (from, first) = match &leaf.at {
                Place::State(state) => (state, None),
                Place::Opened(opened) => (&opened.state, None),
                Place::After(state) => (state, Some(leaf.joint.as_slice())),
                Place::Nowhere | Place::Move(..) => continue,
            };
            single.play(from, first, &mut random, &mut leaf.one)?;
            leaf.values.extend_from_slice(&leaf.one.goals);
            played.add(&leaf.values);
            if let Some(state) = leaf.one.over.take() {
                let hash = hash_of(&state);
                let goals = Some(leaf.values.as_slice().into());
                let (legal, ends) = (Vec::new(), vec![0; leaf.values.len()]);
                leaf.at = Place::Opened(Opened { state: Arc::new(state), hash, legal, ends, goals });
            }
        }
        Ok(())
    })
}

/// Step 2 in a job: finds the states of its leaves.
fn make_moves(job: &mut Job) -> Result<(), GameError> {
    if !job.leaves.iter().any(|leaf| matches!(leaf.at, Place::Move(..))) {
        return Ok(());
    }
    let Job { pool, leaves, .. } = job;
    pool.with_machine(|machine| {
        for leaf in leaves {
            let Place::Move(from) = &leaf.at else { continue };
            machine.enter(from)?;
            let state = machine.successor(&leaf.joint)?;
            let hash = hash_of(&state);
            let opened = Opened::of(machine, Arc::new(state), hash)?;
            leaf.values.extend(opened.goals.iter().flat_map(|goals| goals.iter()));
            leaf.at = Place::Opened(opened);
        }
        Ok(())
    })
}
