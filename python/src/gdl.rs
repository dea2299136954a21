//! Rulesheets: games, states, playouts.

use crate::Interrupt;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tengen_core::Severity;
use tengen_propnet::game::{Game as Rules, GameError, LoadLimits};
use tengen_propnet::ground::Limits;
use tengen_propnet::information::{self, Observer};
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

/// The machine of a game, and how many moves it numbers; one question at a time.
struct Machine {
    machine: Mutex<Box<dyn StateMachine + Send>>,
    roles: Vec<String>,
}

impl Machine {
    fn at(&self, facts: &Facts) -> PyResult<MutexGuard<'_, Box<dyn StateMachine + Send>>> {
        let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        machine.enter(facts).map_err(machine_error)?;
        Ok(machine)
    }
}

fn machine_error(error: MachineError) -> PyErr {
    match error {
        MachineError::Prover(_) => PyRuntimeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

fn game_error(error: GameError) -> PyErr {
    match error {
        GameError::Machine(error) => machine_error(error),
        GameError::UnknownPropagator { .. } => PyValueError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

/// A game: a rulesheet, grounded and compiled to a propositional network where its limits allow it.
#[pyclass(frozen, module = "tengen.gdl")]
pub(crate) struct Game {
    pub(crate) rules: Rules,
    machine: Arc<Machine>,
    name: String,
    percepts: bool,
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
            rules,
            machine: Arc::new(Machine { machine: Mutex::new(machine), roles }),
            name: name.to_owned(),
            percepts,
        })
    }

    /// The name given, usually the file's.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The roles in the order of the rulesheet.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.machine.roles.clone()
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
    fn initial(&self) -> State {
        let machine = self.machine.machine.lock().unwrap_or_else(PoisonError::into_inner);
        State { machine: Arc::clone(&self.machine), facts: machine.initial() }
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
        format!("<tengen.gdl.Game {:?}, roles {}, {net}>", self.name, self.machine.roles.join(", "))
    }
}

/// A state of a game. It does not change; `next` gives another.
#[pyclass(frozen, module = "tengen.gdl")]
pub(crate) struct State {
    machine: Arc<Machine>,
    facts: Facts,
}

impl State {
    fn role(&self, role: &str) -> PyResult<usize> {
        let known = self.machine.roles.iter().position(|r| r == role);
        known.ok_or_else(|| {
            PyValueError::new_err(format!("no role `{role}`; there are {}", self.machine.roles.join(", ")))
        })
    }
}

#[pymethods]
impl State {
    /// Whether the game is over.
    #[getter]
    fn terminal(&self) -> PyResult<bool> {
        self.machine.at(&self.facts)?.terminal().map_err(machine_error)
    }

    /// The true facts, sorted.
    #[getter]
    fn facts(&self) -> PyResult<Vec<String>> {
        let machine = self.machine.at(&self.facts)?;
        let numbers = self.facts.facts_in(machine.numbering()).map_err(machine_error)?;
        let mut facts: Vec<String> = numbers.ones().map(|f| machine.fact_text(f)).collect();
        facts.retain(|fact| !information::is_percept(fact));
        facts.sort_unstable();
        Ok(facts)
    }

    /// What a role perceived of the move that led here, sorted. The game must have been read with `percepts`.
    fn percepts(&self, role: &str) -> PyResult<Vec<String>> {
        let role = self.role(role)?;
        let machine = self.machine.at(&self.facts)?;
        let seen = Observer::default().texts(machine.as_ref(), &self.facts).map_err(machine_error)?;
        Ok(seen.into_iter().nth(role).unwrap_or_default())
    }

    /// The legal moves of a role, sorted.
    fn legal(&self, role: &str) -> PyResult<Vec<String>> {
        let role = self.role(role)?;
        let mut machine = self.machine.at(&self.facts)?;
        let ids = machine.legal(role).map_err(machine_error)?;
        let mut texts: Vec<String> = ids.into_iter().map(|id| machine.move_text(role, id)).collect();
        texts.sort_unstable();
        Ok(texts)
    }

    /// The goal value of each role, in the order of the roles: None where the rules give none or several.
    #[getter]
    fn goals(&self) -> PyResult<Vec<Option<i64>>> {
        let mut machine = self.machine.at(&self.facts)?;
        let of = |role| {
            let values = machine.goals(role).map_err(machine_error)?;
            Ok(if let [one] = &values[..] { one.parse().ok() } else { None })
        };
        (0..self.machine.roles.len()).map(of).collect()
    }

    /// The state after a joint move: one legal move per role, in the order of the roles.
    fn next(&self, moves: Vec<String>) -> PyResult<Self> {
        let mut machine = self.machine.at(&self.facts)?;
        let ids = machine.joint_move(&moves).map_err(machine_error)?;
        let facts = machine.successor(&ids).map_err(machine_error)?;
        drop(machine);
        Ok(Self { machine: Arc::clone(&self.machine), facts })
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.machine, &other.machine) && self.facts == other.facts
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        self.facts.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<tengen.gdl.State {}>", self.facts()?.join(" ")))
    }
}
