//! Batched tree search. Tengen manages the trees, and the caller evaluates their leaves with a network.

use crate::environment::error;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use tengen_propnet::environment::{Forest as Trees, Leaves, Roots, SearchSettings};

/// A search tree for each game of an environment; see `tengen.gdl.mcts`.
#[pyclass(module = "tengen._tengen")]
pub(crate) struct Forest(Trees);

/// What was found at the leaves, all flat and contiguous.
#[derive(FromPyObject)]
struct Found<'py> {
    states: PyReadonlyArray1<'py, u8>,
    legal: PyReadonlyArray1<'py, u8>,
    turn: PyReadonlyArray1<'py, i32>,
    over: PyReadonlyArray1<'py, u8>,
    rewards: PyReadonlyArray1<'py, f32>,
    priors: PyReadonlyArray1<'py, f32>,
    values: PyReadonlyArray1<'py, f32>,
}

impl Found<'_> {
    fn leaves(&self) -> PyResult<Leaves<'_>> {
        Ok(Leaves {
            states: self.states.as_slice()?,
            legal: self.legal.as_slice()?,
            turn: self.turn.as_slice()?,
            over: self.over.as_slice()?,
            rewards: self.rewards.as_slice()?,
            priors: self.priors.as_slice()?,
            values: self.values.as_slice()?,
        })
    }
}

#[pymethods]
impl Forest {
    #[new]
    #[pyo3(signature = (roots, *, bytes, actions, roles, exploration, noise, alpha, seed))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of Python's")]
    fn new(
        roots: Found<'_>,
        bytes: usize,
        actions: usize,
        roles: usize,
        exploration: f32,
        noise: f32,
        alpha: f32,
        seed: u64,
    ) -> PyResult<Self> {
        let settings = SearchSettings { exploration, noise, alpha, seed };
        Trees::new(bytes, actions, roles, settings, &roots.leaves()?).map(Self).map_err(error)
    }

    /// Writes the state before each leaf, and the action that leads to it.
    fn select(
        &mut self,
        py: Python<'_>,
        mut states: PyReadwriteArray1<'_, u8>,
        mut actions: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let (states, actions) = (states.as_slice_mut()?, actions.as_slice_mut()?);
        py.detach(|| self.0.select(states, actions)).map_err(error)
    }

    /// Adds the leaves to the trees.
    fn expand(&mut self, py: Python<'_>, leaves: Found<'_>) -> PyResult<()> {
        let leaves = leaves.leaves()?;
        py.detach(|| self.0.expand(&leaves)).map_err(error)
    }

    /// Visits, mean values, priors and proven values of the actions of the roots.
    #[expect(clippy::type_complexity, reason = "they are four arrays")]
    fn roots<'py>(
        &self,
        py: Python<'py>,
    ) -> (
        Bound<'py, PyArray1<i32>>,
        Bound<'py, PyArray1<f32>>,
        Bound<'py, PyArray1<f32>>,
        Bound<'py, PyArray1<f32>>,
    ) {
        let roots = self.0.roots();
        let Roots { visits, q, priors, proven } = roots;
        (visits.into_pyarray(py), q.into_pyarray(py), priors.into_pyarray(py), proven.into_pyarray(py))
    }
}
