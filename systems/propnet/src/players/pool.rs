//! The pool of idle machines of a game. A job takes a machine, and gives it back at its end.

use super::rollouts::{Rollouts, SingleGames};
use crate::game::{Game, GameError};
use crate::machine::StateMachine;
use std::sync::{Arc, Mutex, PoisonError};
use tengen_core::Stop;

/// At most one machine of each kind for each thread that has needed one.
pub(crate) struct Pool {
    game: Arc<Game>,
    rollouts: Mutex<Vec<Rollouts>>,
    single: Mutex<Vec<SingleGames>>,
    machines: Mutex<Vec<Box<dyn StateMachine + Send>>>,
}

impl Pool {
    pub(crate) fn new(game: &Arc<Game>) -> Self {
        Self {
            game: Arc::clone(game),
            rollouts: Mutex::default(),
            single: Mutex::default(),
            machines: Mutex::default(),
        }
    }

    /// Calls `run` with a machine and returns its result. After an error the machine is dropped.
    pub(crate) fn with_machine<T>(
        &self,
        run: impl FnOnce(&mut dyn StateMachine) -> Result<T, GameError>,
    ) -> Result<T, GameError> {
        let mut machine = idle(&self.machines).map_or_else(|| self.game.machine("auto"), Ok)?;
        let made = run(machine.as_mut())?;
        give_back(&self.machines, machine);
        Ok(made)
    }

    /// The same with a playout player, until `stop` says so.
    pub(crate) fn with_rollouts<T>(
        &self,
        stop: &Stop,
        run: impl FnOnce(&mut Rollouts) -> Result<T, GameError>,
    ) -> Result<T, GameError> {
        let mut rollouts = idle(&self.rollouts).map_or_else(|| Rollouts::new(&self.game, 0), Ok)?;
        rollouts.set_stop(stop.clone());
        let made = run(&mut rollouts)?;
        give_back(&self.rollouts, rollouts);
        Ok(made)
    }

    /// The same with a player of single games.
    ///
    /// # Errors
    /// Also that the game has no net.
    pub(super) fn with_single<T>(
        &self,
        run: impl FnOnce(&mut SingleGames) -> Result<T, GameError>,
    ) -> Result<T, GameError> {
        let mut single = idle(&self.single).map_or_else(|| SingleGames::new(&self.game), Ok)?;
        let made = run(&mut single)?;
        give_back(&self.single, single);
        Ok(made)
    }
}

fn idle<T>(pool: &Mutex<Vec<T>>) -> Option<T> {
    pool.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

fn give_back<T>(pool: &Mutex<Vec<T>>, machine: T) {
    pool.lock().unwrap_or_else(PoisonError::into_inner).push(machine);
}
