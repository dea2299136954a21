//! Random playouts with a propagator that holds a single state.

use super::Propagator;
use super::backward::Backward;
use super::player::{MAX_LENGTH, Player, Tally, new_tally};
use crate::net::{Bases, Net};
use tengen_core::SplitMix64;

/// Playouts with a propagator of a single state.
pub struct Single<P> {
    pub(super) walk: P,
    /// The propagator that answers goals, if the walker does not.
    goals: Option<Backward>,
    start: Bases,
    length: u64,
    rng: SplitMix64,
    pub(super) tally: Tally,
    moves: Vec<u32>,
}

impl<P: Propagator> Single<P> {
    /// Playouts on `walk`, on a net with the names of `net`. `goals` answers goals; without it `walk` must answer them.
    pub fn new(walk: P, net: &Net, goals: Option<Backward>, seed: u64) -> Self {
        Self {
            walk,
            goals,
            start: net.names.initial.clone(),
            length: 0,
            rng: SplitMix64::new(seed),
            tally: new_tally(net),
            moves: Vec::new(),
        }
    }

    /// One move, or the end of a game and the start of the next.
    fn step(&mut self) {
        if self.walk.terminal() {
            self.score();
            self.restart();
            return;
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        for role in 0..self.tally.goals.len() {
            let legal = self.walk.legal(role);
            if legal.is_empty() || self.length > MAX_LENGTH {
                self.tally.broken += 1;
                self.moves = moves;
                self.restart();
                return;
            }
            moves.push(legal[self.rng.below(legal.len() as u32) as usize]);
        }
        self.walk.advance(&moves);
        self.moves = moves;
        self.length += 1;
        self.tally.changes += 1;
    }

    fn score(&mut self) {
        if let Some(goals) = &mut self.goals {
            goals.enter(self.walk.state());
        }
        for (role, values) in self.tally.goals.iter_mut().enumerate() {
            for (value, count) in values.iter_mut().enumerate() {
                let holds = match &mut self.goals {
                    Some(goals) => goals.goal(role, value),
                    None => self.walk.goal(role, value),
                };
                *count += u64::from(holds);
            }
        }
        self.tally.rollouts += 1;
    }

    fn restart(&mut self) {
        self.length = 0;
        self.walk.restart(&self.start);
    }
}

impl<P: Propagator> Player for Single<P> {
    fn play(&mut self, changes: u64) {
        let end = self.tally.changes + changes;
        let mut ended = 0_u64;
        while self.tally.changes < end && ended < changes + 16 {
            let before = self.tally.changes;
            self.step();
            // A start that is terminal already makes no move, for ever.
            ended += u64::from(self.tally.changes == before);
        }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn start_from(&mut self, state: &Bases) {
        self.start.clone_from(state);
        self.restart();
    }
}

impl Propagator for Box<dyn Propagator + Send> {
    fn enter(&mut self, state: &Bases) {
        (**self).enter(state);
    }
    fn restart(&mut self, start: &Bases) {
        (**self).restart(start);
    }
    fn state(&self) -> &Bases {
        (**self).state()
    }
    fn terminal(&mut self) -> bool {
        (**self).terminal()
    }
    fn legal(&mut self, role: usize) -> &[u32] {
        (**self).legal(role)
    }
    fn goal(&mut self, role: usize, value: usize) -> bool {
        (**self).goal(role, value)
    }
    fn successor(&mut self, inputs: &[u32]) -> &Bases {
        (**self).successor(inputs)
    }
    fn advance(&mut self, inputs: &[u32]) {
        (**self).advance(inputs);
    }
    fn watch(&mut self) {
        (**self).watch();
    }
    fn visits(&mut self) -> super::watch::Visits {
        (**self).visits()
    }
}
