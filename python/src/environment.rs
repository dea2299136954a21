//! Vector environments over the bit-parallel lanes; buffers belong to NumPy.

use crate::gdl::Game;
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tengen_propnet::environment::{
    Autoreset, BitOrder, Buffers, Environment as Games, EnvironmentError, Illegal, Layout, Settings,
};
use tengen_propnet::information;

/// Many games of one rulesheet; see `tengen.gdl.VectorEnv`, which owns the arrays.
#[pyclass(frozen, module = "tengen._tengen")]
pub(crate) struct Environment(Mutex<Games>);

fn error(error: EnvironmentError) -> PyErr {
    match error {
        EnvironmentError::NoNet(_) | EnvironmentError::NotTurns { .. } | EnvironmentError::Threads(_) => {
            PyRuntimeError::new_err(error.to_string())
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The arrays a step writes to, all flat and contiguous.
#[derive(FromPyObject)]
struct Arrays<'py> {
    legal: PyReadwriteArray1<'py, u8>,
    observation: PyReadwriteArray1<'py, u8>,
    last_observation: PyReadwriteArray1<'py, u8>,
    rewards: PyReadwriteArray1<'py, f32>,
    terminated: PyReadwriteArray1<'py, u8>,
    truncated: PyReadwriteArray1<'py, u8>,
    turn: PyReadwriteArray1<'py, i32>,
}

impl Arrays<'_> {
    fn buffers(&mut self) -> PyResult<Buffers<'_>> {
        Ok(Buffers {
            legal: self.legal.as_slice_mut()?,
            observation: self.observation.as_slice_mut()?,
            last_observation: self.last_observation.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            turn: self.turn.as_slice_mut()?,
        })
    }
}

impl Environment {
    fn games(&self) -> MutexGuard<'_, Games> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Environment {
    #[new]
    #[pyo3(signature = (game, *, games, seed, threads, autoreset, illegal, max_steps, joint, packed))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of Python's")]
    fn new(
        py: Python<'_>,
        game: &Game,
        games: usize,
        seed: u64,
        threads: usize,
        autoreset: &str,
        illegal: &str,
        max_steps: u32,
        joint: bool,
        packed: Option<&str>,
    ) -> PyResult<Self> {
        let autoreset = match autoreset {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            _ => return Err(PyValueError::new_err("autoreset is next_step, same_step or disabled")),
        };
        let illegal = match illegal {
            "raise" => Illegal::Raise,
            "lose" => Illegal::Lose,
            _ => return Err(PyValueError::new_err("illegal is raise or lose")),
        };
        let layout = match packed {
            None => Layout::Bytes,
            Some("big") => Layout::Bits(BitOrder::Big),
            Some("little") => Layout::Bits(BitOrder::Little),
            _ => return Err(PyValueError::new_err("bitorder is big or little")),
        };
        let settings = Settings { games, seed, threads, autoreset, illegal, max_steps, joint, layout };
        py.detach(|| Games::new(&game.rules, &settings)).map(|games| Self(Mutex::new(games))).map_err(error)
    }

    /// Seeds the random numbers of `sample` again.
    fn reseed(&self, seed: u64) {
        self.games().reseed(seed);
    }

    /// Sets games back to the start: all, or those marked.
    #[pyo3(signature = (which, arrays))]
    fn reset(&self, py: Python<'_>, which: Option<Vec<bool>>, mut arrays: Arrays<'_>) -> PyResult<()> {
        let mut buffers = arrays.buffers()?;
        py.detach(|| self.games().reset(which.as_deref(), &mut buffers)).map_err(error)
    }

    /// One move of every game.
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        mut arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let mut buffers = arrays.buffers()?;
        py.detach(|| self.games().step(actions, &mut buffers)).map_err(error)
    }

    /// A random legal action per game and group.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice_mut()?;
        py.detach(|| self.games().sample(actions)).map_err(error)
    }

    /// The facts of a game, sorted.
    fn facts(&self, game: usize) -> PyResult<Vec<String>> {
        let mut games = self.games();
        if game >= games.games() {
            return Err(PyValueError::new_err(format!("there are {} games", games.games())));
        }
        Ok(games.facts(game))
    }

    /// Whether one action per game is given.
    #[getter]
    fn turns(&self) -> bool {
        self.games().takes_turns()
    }

    /// The moves behind the numbers.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.games().schema().actions.clone()
    }

    /// The facts behind the columns of an observation; empty for cells that no fact describes.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.games().schema().facts.clone()
    }

    /// For each column the role that perceives it, by number, and the percept; None for other facts.
    #[getter]
    fn percepts(&self) -> Vec<Option<(usize, String)>> {
        let games = self.games();
        let schema = games.schema();
        schema.facts.iter().map(|fact| information::percept_of(&schema.roles, fact)).collect()
    }

    /// Planes, rows and columns of the grid.
    #[getter]
    fn grid(&self) -> Option<(Vec<String>, Vec<String>, Vec<String>)> {
        self.games().schema().grid.clone().map(|g| (g.planes, g.rows, g.columns))
    }

    /// Per role and action whether the role ever has it.
    #[getter]
    fn has_action(&self) -> Vec<Vec<bool>> {
        self.games().schema().inputs.iter().map(|role| role.iter().map(Option::is_some).collect()).collect()
    }
}
