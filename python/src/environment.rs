//! Vector environments of rulesheets, which play many games at once on the bit-parallel lanes. The buffers belong to
//! `numpy`.

use crate::gdl::Game;
use crate::guard::{Free, Guarded};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::MutexGuard;
use tengen_propnet::environment::{
    Autoreset, BitOrder, Buffers, Environment as Games, EnvironmentError, Illegal, Layout, Settings,
};
use tengen_propnet::information;

/// Many games of one rulesheet; see `tengen.gdl.VectorEnv`, which owns the arrays.
#[pyclass(frozen, module = "tengen._tengen")]
pub(crate) struct Environment(Guarded<Games>);

pub(crate) fn error(error: EnvironmentError) -> PyErr {
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
    fn games(&self) -> PyResult<MutexGuard<'_, Games>> {
        self.0.lock()
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
        let lasting = true;
        let settings =
            Settings { games, seed, threads, autoreset, illegal, max_steps, joint, lasting, layout };
        py.detach(|| Games::new(&game.rules, &settings)).map(|games| Self(Guarded::new(games))).map_err(error)
    }

    /// The same games once more, with threads of their own.
    fn clone(&self) -> PyResult<Self> {
        self.games()?.try_clone().map(|games| Self(Guarded::new(games))).map_err(error)
    }

    /// The bytes of the state of one game.
    #[getter]
    fn state_bytes(&self) -> PyResult<usize> {
        Ok(self.games()?.state_bytes())
    }

    /// Writes the states of all games, a row each.
    fn save(&self, py: Python<'_>, mut out: PyReadwriteArray1<'_, u8>) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        py.detach(|| self.games()?.save(out).map_err(error))
    }

    /// Sets games to saved states: all, or those of the lanes named.
    fn load(
        &self,
        py: Python<'_>,
        lanes: Option<Vec<usize>>,
        rows: PyReadonlyArray1<'_, u8>,
        mut arrays: Free<Arrays<'_>>,
    ) -> PyResult<()> {
        let rows = rows.as_slice()?;
        let mut buffers = arrays.0.buffers()?;
        py.detach(|| self.games()?.load(lanes.as_deref(), rows, &mut buffers).map_err(error))
    }

    /// The random numbers of `sample`.
    #[getter]
    fn random(&self) -> PyResult<Vec<u64>> {
        Ok(self.games()?.random())
    }

    /// Sets the random numbers of `sample`.
    fn set_random(&self, words: Vec<u64>) -> PyResult<()> {
        self.games()?.set_random(&words).map_err(error)
    }

    /// Seeds the random numbers of `sample` again.
    fn reseed(&self, seed: u64) -> PyResult<()> {
        self.games()?.reseed(seed);
        Ok(())
    }

    /// Sets games back to the start: all, or those marked.
    #[pyo3(signature = (which, arrays))]
    fn reset(&self, py: Python<'_>, which: Option<Vec<bool>>, mut arrays: Free<Arrays<'_>>) -> PyResult<()> {
        let mut buffers = arrays.0.buffers()?;
        py.detach(|| self.games()?.reset(which.as_deref(), &mut buffers).map_err(error))
    }

    /// One move of every game.
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        mut arrays: Free<Arrays<'_>>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let mut buffers = arrays.0.buffers()?;
        py.detach(|| self.games()?.step(actions, &mut buffers).map_err(error))
    }

    /// A random legal action per game and group.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice_mut()?;
        py.detach(|| self.games()?.sample(actions).map_err(error))
    }

    /// The facts of a game, sorted.
    fn facts(&self, game: usize) -> PyResult<Vec<String>> {
        let mut games = self.games()?;
        if game >= games.games() {
            return Err(PyValueError::new_err(format!("there are {} games", games.games())));
        }
        Ok(games.facts(game))
    }

    /// Whether one action per game is given.
    #[getter]
    fn turns(&self) -> PyResult<bool> {
        Ok(self.games()?.takes_turns())
    }

    /// The moves behind the numbers.
    #[getter]
    fn actions(&self) -> PyResult<Vec<String>> {
        Ok(self.games()?.schema().actions.clone())
    }

    /// The facts behind the columns of an observation; empty for cells that no fact describes.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        Ok(self.games()?.schema().facts.clone())
    }

    /// For each column the role that perceives it, by number, and the percept; None for other facts.
    #[getter]
    fn percepts(&self) -> PyResult<Vec<Option<(usize, String)>>> {
        let games = self.games()?;
        let schema = games.schema();
        Ok(schema.facts.iter().map(|fact| information::percept_of(&schema.roles, fact)).collect())
    }

    /// Planes, rows and columns of the grid, and per plane the role that owns it.
    #[getter]
    #[expect(clippy::type_complexity, reason = "Python takes it apart")]
    fn grid(&self) -> PyResult<Option<([Vec<String>; 3], Vec<Option<usize>>)>> {
        Ok(self.games()?.schema().grid.clone().map(|g| ([g.planes, g.rows, g.columns], g.owners)))
    }

    /// Per role and action whether the role ever has it.
    #[getter]
    fn has_action(&self) -> PyResult<Vec<Vec<bool>>> {
        let has = |role: &Vec<Option<u32>>| role.iter().map(Option::is_some).collect();
        Ok(self.games()?.schema().inputs.iter().map(has).collect())
    }
}
