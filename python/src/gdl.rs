//! Rulesheets for Python: games and playouts.

use crate::Interrupt;
use crate::guard::Guarded;
use crate::state::{State, Walk};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, MutexGuard, OnceLock};
use std::time::{Duration, Instant};
use tengen_core::Severity;
use tengen_propnet::environment::{EnvironmentError, Numbers};
use tengen_propnet::game::{Game as Rules, GameError, LoadLimits};
use tengen_propnet::ground::Limits;
use tengen_propnet::information;
use tengen_propnet::machine::{MachineError, State as Facts, StateMachine};
use tengen_propnet::program::{Program, ProgramError};

pyo3::create_exception!(
    tengen,
    RulesheetError,
    PyValueError,
    "A rulesheet with faults. `faults` lists all of them: dicts with severity, message, line, column and help."
);

/// One fault as a dict.
fn fault<'py>(py: Python<'py>, d: &tengen_core::Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("severity", if d.severity == Severity::Error { "error" } else { "warning" })?;
    dict.set_item("message", &d.message)?;
    dict.set_item("line", d.at.map(|at| at.line))?;
    dict.set_item("column", d.at.map(|at| at.column))?;
    dict.set_item("help", d.help.as_deref())?;
    Ok(dict)
}

fn faults_error(py: Python<'_>, error: &ProgramError, text: &str, name: &str) -> PyErr {
    let diagnostics = error.diagnostics(text);
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let lines: Vec<String> = errors.map(|d| d.clone().in_file(name).to_string()).collect();
    let raised = RulesheetError::new_err(lines.join("\n"));
    let faults: PyResult<Vec<_>> = diagnostics.iter().map(|d| fault(py, d)).collect();
    match faults.and_then(|faults| raised.value(py).setattr("faults", faults)) {
        Ok(()) => raised,
        Err(error) => error,
    }
}

/// All that is wrong with a rulesheet's text, a dict each: severity, message, line, column, help.
#[pyfunction]
pub(crate) fn check<'py>(py: Python<'py>, text: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    tengen_propnet::review::rules(text).faults.iter().map(|e| fault(py, &e.diagnostic(text))).collect()
}

pub(crate) fn machine_error(error: MachineError) -> PyErr {
    match error {
        MachineError::Prover(_) => PyRuntimeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

pub(crate) fn game_error(error: GameError) -> PyErr {
    match error {
        GameError::Machine(error) => machine_error(error),
        GameError::UnknownPropagator { .. } => PyValueError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

/// A game: a rulesheet, grounded and compiled to a propositional network where its limits allow it.
#[pyclass(frozen, module = "tengen.gdl")]
pub(crate) struct Game {
    pub(crate) rules: Arc<Rules>,
    pub(crate) roles: Vec<String>,
    /// The machine that answers with texts; one question at a time.
    machine: Guarded<Box<dyn StateMachine + Send>>,
    /// The walk that answers with numbers, made when it is first asked.
    walk: OnceLock<Result<Guarded<Walk>, EnvironmentError>>,
    numbers: OnceLock<Result<Arc<Numbers>, EnvironmentError>>,
    name: String,
    percepts: bool,
    made_of: (String, String, f64, usize),
}

impl Game {
    /// The machine, in this state.
    pub(crate) fn at(&self, facts: &Facts) -> PyResult<MutexGuard<'_, Box<dyn StateMachine + Send>>> {
        let mut machine = self.machine.lock()?;
        machine.enter(facts).map_err(machine_error)?;
        Ok(machine)
    }

    /// The walk through states with numbers.
    #[inline]
    pub(crate) fn walk(&self) -> PyResult<&Guarded<Walk>> {
        let made = self.walk.get_or_init(|| {
            let numbers = self.made_numbers()?;
            Walk::new(&self.rules, numbers).map(Guarded::new)
        });
        made.as_ref().map_err(|error| crate::environment::error(error.clone()))
    }

    fn made_numbers(&self) -> Result<Arc<Numbers>, EnvironmentError> {
        self.numbers.get_or_init(|| Numbers::new(&self.rules).map(Arc::new)).clone()
    }

    /// The numbers of actions and columns.
    pub(crate) fn numbers(&self) -> PyResult<Arc<Numbers>> {
        self.made_numbers().map_err(crate::environment::error)
    }
}

#[pymethods]
impl Game {
    /// Reads a rulesheet's text.
    #[new]
    #[pyo3(signature = (text, *, name = "rulesheet", propagator = "auto", setup_seconds = 60.0, tables_mb = 2000, percepts = false))]
    fn new(
        py: Python<'_>,
        text: &str,
        name: &str,
        propagator: &str,
        setup_seconds: f64,
        tables_mb: usize,
        percepts: bool,
    ) -> PyResult<Self> {
        let read = if percepts { information::read(text) } else { Program::read(text) };
        let program = read.map_err(|e| faults_error(py, &e, text, name))?;
        let patience = Duration::try_from_secs_f64(setup_seconds)
            .map_err(|_| PyValueError::new_err("setup_seconds must be a number from 0 on"))?;
        let limits =
            LoadLimits { ground: Limits { words: tables_mb.saturating_mul(250_000), ..Limits::default() } };
        let mut interrupt = Interrupt::new();
        let loaded = py.detach(|| {
            let start = Instant::now();
            let rules =
                Rules::from_program(program, limits, &mut || interrupt.stop() || start.elapsed() > patience);
            let machine = rules.machine(propagator);
            (rules, machine)
        });
        interrupt.raise()?;
        let (rules, machine) = (loaded.0, loaded.1.map_err(game_error)?);
        let roles = machine.roles().to_vec();
        Ok(Self {
            rules: Arc::new(rules),
            roles,
            machine: Guarded::new(machine),
            walk: OnceLock::new(),
            numbers: OnceLock::new(),
            name: name.to_owned(),
            percepts,
            made_of: (text.to_owned(), propagator.to_owned(), setup_seconds, tables_mb),
        })
    }

    /// Pickles as the text of the rulesheet, which is read again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let game = slf.get();
        let (text, propagator, setup_seconds, tables_mb) = &game.made_of;
        let restore = py.import("tengen.gdl")?.getattr("_game")?;
        let given = (text, &game.name, propagator, setup_seconds, tables_mb, game.percepts);
        Ok((restore, given.into_pyobject(py)?))
    }

    /// Itself: a game does not change.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Itself: a game does not change.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The moves behind the numbers of actions, those of all roles, as `VectorEnv.actions` has them.
    #[getter]
    fn actions(&self) -> PyResult<Vec<String>> {
        Ok(self.numbers()?.schema().actions.clone())
    }

    /// The facts behind the columns of an observation, as `VectorEnv.columns` has them.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        Ok(self.numbers()?.schema().facts.clone())
    }

    /// Whether roles take turns: no state of some thousand gave two a choice.
    #[getter]
    fn turns(&self) -> PyResult<bool> {
        Ok(self.numbers()?.takes_turns())
    }

    /// The name given, usually the file's.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The roles in the order of the rulesheet.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.roles.clone()
    }

    /// Whether states hold what each role perceives.
    #[getter]
    fn has_percepts(&self) -> bool {
        self.percepts
    }

    /// The number of the role `random` of GDL-II; None where there is none.
    #[getter]
    fn chance(&self) -> Option<usize> {
        self.rules.program.chance()
    }

    /// Why the game has no net, and runs on the prover; None where it has one.
    #[getter]
    fn no_net(&self) -> Option<String> {
        self.rules.topology.as_ref().err().map(ToString::to_string)
    }

    /// Sizes of the net: bases, inputs, gates, edges; None without a net.
    #[getter]
    fn net_size<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Ok(topology) = &self.rules.topology else { return Ok(None) };
        let net = &topology.net;
        let dict = PyDict::new(py);
        for (key, n) in [
            ("bases", net.bases()),
            ("inputs", net.inputs()),
            ("gates", net.gates()),
            ("edges", net.edges.len()),
        ] {
            dict.set_item(key, n)?;
        }
        Ok(Some(dict))
    }

    /// The initial state.
    fn initial(slf: &Bound<'_, Self>) -> PyResult<State> {
        let facts = slf.get().machine.lock()?.initial();
        Ok(State::new(slf.clone().unbind(), facts))
    }

    /// The state that `State.__reduce__` saved.
    fn _restored(slf: &Bound<'_, Self>, bytes: &[u8], moves: u32) -> PyResult<State> {
        let facts = slf.get().rules.state_from_bytes(bytes);
        let facts = facts.ok_or_else(|| PyValueError::new_err("these bytes are no state of the game"))?;
        Ok(State::after(slf.clone().unbind(), facts, moves))
    }

    /// Plays random games of at least `moves` joint moves together. A dict: moves, games, broken (games without an end),
    /// goals (per role a dict from goal value to number of games).
    #[pyo3(signature = (moves, *, seed = 0, way = "hybrid"))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        moves: u64,
        seed: u64,
        way: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut player = self.rules.playouts(way, seed).map_err(game_error)?;
        let mut interrupt = Interrupt::new();
        py.detach(|| {
            let mut portion = 64;
            while player.tally().changes < moves && !interrupt.pending() {
                let before = player.tally().changes;
                player.play(portion.min(moves - before));
                if player.tally().changes == before {
                    break;
                }
                portion = (portion * 2).min(1 << 20);
            }
        });
        interrupt.raise()?;
        let tally = player.tally();
        let dict = PyDict::new(py);
        dict.set_item("moves", tally.changes)?;
        dict.set_item("games", tally.rollouts)?;
        dict.set_item("broken", tally.broken)?;
        let goals = PyDict::new(py);
        if let Ok(topology) = &self.rules.topology {
            let names = &topology.net.names;
            for ((role, values), counts) in names.roles.iter().zip(&names.goal_values).zip(&tally.goals) {
                let of_role = PyDict::new(py);
                for (value, count) in values.iter().zip(counts) {
                    of_role.set_item(value, count)?;
                }
                goals.set_item(role, of_role)?;
            }
        }
        dict.set_item("goals", goals)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let net = if self.rules.topology.is_ok() { "net" } else { "prover" };
        format!("<tengen.gdl.Game {:?}, roles {}, {net}>", self.name, self.roles.join(", "))
    }
}
