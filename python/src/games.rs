//! Vector environments of Go, which play many games at once. The buffers belong to `numpy`.

use crate::guard::{Free, Guarded};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tengen_go::playout::games::{Autoreset, Buffers, Games, GamesError, PLANES, Saved, Settings};

/// Many games of Go; see `tengen.go.VectorEnv`, which owns the arrays.
#[pyclass(frozen, module = "tengen._tengen")]
pub(crate) struct GoGames(Guarded<Games>);

fn error(error: GamesError) -> PyErr {
    match error {
        GamesError::Threads(_) => PyRuntimeError::new_err(error.to_string()),
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
    lead: PyReadwriteArray1<'py, f32>,
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
            lead: self.lead.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            turn: self.turn.as_slice_mut()?,
        })
    }
}

#[pymethods]
impl GoGames {
    /// The planes of an observation.
    #[classattr]
    const PLANES: usize = PLANES;

    #[new]
    #[pyo3(signature = (*, games, size, komi, superko, seed, threads, autoreset, illegal, max_moves))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of Python's")]
    fn new(
        games: usize,
        size: usize,
        komi: f32,
        superko: bool,
        seed: u64,
        threads: usize,
        autoreset: &str,
        illegal: &str,
        max_moves: u32,
    ) -> PyResult<Self> {
        let autoreset = match autoreset {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            _ => return Err(PyValueError::new_err("autoreset is next_step, same_step or disabled")),
        };
        let illegal_loses = match illegal {
            "raise" => false,
            "lose" => true,
            _ => return Err(PyValueError::new_err("illegal is raise or lose")),
        };
        let settings =
            Settings { games, size, komi, superko, seed, threads, autoreset, illegal_loses, max_moves };
        Games::new(settings).map(|games| Self(Guarded::new(games))).map_err(error)
    }

    /// The same games once more, with threads of their own.
    fn clone(&self) -> PyResult<Self> {
        self.0.lock()?.try_clone().map(|games| Self(Guarded::new(games))).map_err(error)
    }

    /// Of each game its actions, whether an illegal one ended it, and the random actions drawn.
    fn saved(&self) -> PyResult<Vec<(Vec<u16>, bool, u64)>> {
        let saved = self.0.lock()?.saved();
        Ok(saved.into_iter().map(|game| (game.moves, game.forfeited, game.drawn)).collect())
    }

    /// Sets games to saved ones: all, or those of these numbers.
    fn load(
        &self,
        py: Python<'_>,
        chosen: Option<Vec<usize>>,
        saved: Vec<(Vec<u16>, bool, u64)>,
        mut arrays: Free<Arrays<'_>>,
    ) -> PyResult<()> {
        let mut buffers = arrays.0.buffers()?;
        let one = |(moves, forfeited, drawn)| Saved { moves, forfeited, drawn };
        let saved: Vec<Saved> = saved.into_iter().map(one).collect();
        py.detach(|| self.0.lock()?.load(chosen.as_deref(), &saved, &mut buffers).map_err(error))
    }

    /// Seeds the random numbers of `sample` again.
    fn reseed(&self, seed: u64) -> PyResult<()> {
        self.0.lock()?.reseed(seed);
        Ok(())
    }

    /// Sets games back to the start: all, or those marked.
    #[pyo3(signature = (which, arrays))]
    fn reset(&self, py: Python<'_>, which: Option<Vec<bool>>, mut arrays: Free<Arrays<'_>>) -> PyResult<()> {
        let mut buffers = arrays.0.buffers()?;
        py.detach(|| self.0.lock()?.reset(which.as_deref(), &mut buffers).map_err(error))
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
        py.detach(|| self.0.lock()?.step(actions, &mut buffers).map_err(error))
    }

    /// A random legal action of each game.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice_mut()?;
        py.detach(|| self.0.lock()?.sample(actions).map_err(error))
    }
}
