//! Single states of a game by rulesheet. The texts of a state come from the game's state machine, and its numbers from
//! a walk through the game.

use crate::gdl::{Game, game_error, machine_error};
use numpy::{PyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyTuple};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tengen_core::{Budget, Parallelism, Stop};
use tengen_propnet::environment::{EnvironmentError, NO_FACT, Numbers, Outlook, Single, SingleError};
use tengen_propnet::game::{Game as Rules, GameError};
use tengen_propnet::information::Observer;
use tengen_propnet::machine::State as Facts;
use tengen_propnet::players::uct::{self, Uct};

/// A walk that all states of a game share, and whose state it stands on.
pub(crate) struct Walk {
    single: Single,
    /// The stamp of the state it stands on.
    at: u64,
    /// Stamps that it gives to new states.
    stamps: Range<u64>,
}

impl Walk {
    pub(crate) fn new(rules: &Rules, numbers: Arc<Numbers>) -> Result<Self, EnvironmentError> {
        Ok(Self { single: Single::new(rules, numbers)?, at: 0, stamps: 0..0 })
    }

    /// Stamps the state that it came to by a move.
    #[inline]
    fn arrive(&mut self) -> u64 {
        if self.stamps.is_empty() {
            let first = new_stamps(1 << 16);
            self.stamps = first..first + (1 << 16);
        }
        self.at = self.stamps.start;
        self.stamps.start += 1;
        self.at
    }

    /// Goes to a state, unless it stands there.
    #[inline]
    fn enter(&mut self, facts: &Facts, stamp: u64) -> PyResult<&mut Single> {
        if self.at != stamp {
            let numbering = self.single.numbers().numbering();
            let facts = facts.facts_in(numbering).map_err(|_| {
                PyValueError::new_err("the states of a game read with propagator=\"prover\" have no numbers")
            })?;
            self.single.enter(facts);
            self.at = stamp;
        }
        Ok(&mut self.single)
    }
}

/// Stamps that no state had; the first of them.
fn new_stamps(count: u64) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(count, Ordering::Relaxed)
}

fn refused(error: SingleError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What a state keeps of the answers of the walk, so that the next questions need no walk.
#[derive(Clone, Copy)]
struct Known {
    outlook: Outlook,
    /// The legal actions of the role on turn, a bit each, where a game has 64 actions at most.
    legal: Option<u64>,
}

impl Known {
    #[inline]
    fn of(single: &mut Single) -> Self {
        let outlook = single.outlook();
        let legal = outlook.turn.and_then(|turn| match single.legal(turn) {
            [word] => Some(*word),
            _ => None,
        });
        Self { outlook, legal }
    }
}

/// A state that a move left, for `undo`.
struct Past {
    facts: Facts,
    stamp: u64,
    known: Option<Known>,
    before: Option<Arc<Past>>,
}

impl Drop for Past {
    /// Drops a long line of states without a call for each.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut past) = next.and_then(Arc::into_inner) {
            next = past.before.take();
        }
    }
}

/// A state of a game. `next` and `child` give another; `apply` and `undo` change this one.
#[pyclass(module = "tengen.gdl")]
pub(crate) struct State {
    game: Py<Game>,
    facts: Facts,
    /// The same for two states only if they are equal.
    stamp: u64,
    known: Option<Known>,
    moves: u32,
    before: Option<Arc<Past>>,
}

/// What a caller plays.
enum Played {
    /// An action of the role on turn.
    One(i64),
    /// An action for each role.
    Joint(Vec<i64>),
}

impl Played {
    #[inline]
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match given.extract::<i64>() {
            Ok(action) => Ok(Self::One(action)),
            Err(_) if given.is_instance_of::<PyInt>() => Err(too_large(given)),
            Err(_) => {
                let items = given.try_iter().map_err(|_| no_action())?;
                let number = |item: PyResult<Bound<'_, PyAny>>| {
                    let item = item?;
                    let large = item.is_instance_of::<PyInt>();
                    item.extract::<i64>().map_err(|_| if large { too_large(&item) } else { no_action() })
                };
                Ok(Self::Joint(items.map(number).collect::<PyResult<_>>()?))
            }
        }
    }
}

fn no_action() -> PyErr {
    PyTypeError::new_err("an action is an integer, or a sequence of one for each role")
}

fn too_large(action: &Bound<'_, PyAny>) -> PyErr {
    PyValueError::new_err(format!("action {action} (no move has this number) is not legal here"))
}

impl State {
    pub(crate) fn new(game: Py<Game>, facts: Facts) -> Self {
        Self::after(game, facts, 0)
    }

    pub(crate) fn after(game: Py<Game>, facts: Facts, moves: u32) -> Self {
        Self { game, facts, stamp: new_stamps(1), known: None, moves, before: None }
    }

    fn role(&self, role: &str) -> PyResult<usize> {
        let roles = &self.game.get().roles;
        roles
            .iter()
            .position(|r| r == role)
            .ok_or_else(|| PyValueError::new_err(format!("no role `{role}`; there are {}", roles.join(", "))))
    }

    /// A role by name or number; the role on turn without.
    fn seat(&self, role: Option<&Bound<'_, PyAny>>, outlook: Outlook) -> PyResult<usize> {
        let Some(role) = role else {
            return outlook.turn.ok_or_else(|| {
                PyValueError::new_err("two roles have a choice here: say whose actions, by name or number")
            });
        };
        if let Ok(name) = role.extract::<&str>() {
            return self.role(name);
        }
        let count = self.game.get().roles.len();
        let seat = role.extract::<usize>().ok().filter(|&seat| seat < count);
        seat.ok_or_else(|| PyValueError::new_err(format!("role is a name, or a number below {count}")))
    }

    /// Asks the walk about this state.
    #[inline]
    fn ask<T>(&self, question: impl FnOnce(&mut Single) -> PyResult<T>) -> PyResult<T> {
        let mut walk = self.game.get().walk()?.lock()?;
        question(walk.enter(&self.facts, self.stamp)?)
    }

    #[inline]
    fn known(&self) -> PyResult<Known> {
        match self.known {
            Some(known) => Ok(known),
            None => self.ask(|single| Ok(Known::of(single))),
        }
    }

    /// The facts after an action, or after one for each role, their stamp, and what is known of them.
    #[inline]
    fn moved(&self, action: &Bound<'_, PyAny>) -> PyResult<(Facts, u64, Option<Known>)> {
        let played = Played::of(action)?;
        let mut walk = self.game.get().walk()?.lock()?;
        let single = walk.enter(&self.facts, self.stamp)?;
        match played {
            Played::One(action) => single.apply(action).map_err(refused)?,
            Played::Joint(actions) => single.apply_joint(&actions).map_err(refused)?,
        }
        let facts = Facts::new(single.numbers().numbering(), single.state().clone());
        let known = Some(Known::of(single));
        Ok((facts, walk.arrive(), known))
    }
}

/// What an agent of PettingZoo sees.
type Seen<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i8>>);

/// The numbers of the set bits.
struct Ones<'a> {
    words: &'a [u64],
    at: usize,
    /// What is left of the word `at`.
    rest: u64,
    /// How many bits are left.
    count: usize,
}

impl Iterator for Ones<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        while self.rest == 0 {
            self.at += 1;
            self.rest = *self.words.get(self.at)?;
        }
        let bit = self.rest.trailing_zeros();
        self.rest &= self.rest - 1;
        Some(self.at as u32 * 64 + bit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for Ones<'_> {}

fn write_mask(words: &[u64], out: &mut [u8]) {
    out.iter_mut().enumerate().for_each(|(n, byte)| *byte = (words[n / 64] >> (n % 64) & 1) as u8);
}

#[pymethods]
impl State {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Whether the game is over.
    #[getter]
    fn terminal(&self) -> PyResult<bool> {
        if let Some(known) = self.known {
            return Ok(known.outlook.terminal);
        }
        let game = self.game.get();
        if game.rules.topology.is_ok() && self.is_numbered() {
            return self.ask(|single| Ok(single.outlook().terminal));
        }
        game.at(&self.facts)?.terminal().map_err(machine_error)
    }

    /// The joint moves played since the state that `initial` or `next` gave.
    #[getter]
    fn moves(&self) -> u32 {
        self.moves
    }

    /// The number of the role on turn: the only one with a choice. None where two have a choice.
    #[getter]
    fn turn(&self) -> PyResult<Option<usize>> {
        Ok(self.known()?.outlook.turn)
    }

    /// Whether the game is over by its rules, or because a role has no legal move.
    #[getter]
    fn over(&self) -> PyResult<bool> {
        Ok(self.known()?.outlook.over)
    }

    /// The numbers of the legal actions of a role, in order; of the role on turn without one.
    #[pyo3(signature = (role = None))]
    fn legal_actions<'py>(
        &self,
        py: Python<'py>,
        role: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        if let (None, Some(word)) = (role, self.known()?.legal) {
            let count = word.count_ones() as usize;
            return PyList::new(py, Ones { words: &[word], at: 0, rest: word, count });
        }
        self.ask(|single| {
            let outlook = single.outlook();
            let seat = self.seat(role, outlook)?;
            let legal = single.legal(seat);
            let count = legal.iter().map(|word| word.count_ones() as usize).sum();
            PyList::new(py, Ones { words: legal, at: 0, rest: legal.first().copied().unwrap_or(0), count })
        })
    }

    /// Which actions are legal, bool [A]: for the role given, or the role on turn.
    #[pyo3(signature = (role = None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        role: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let bits: Vec<bool> = self.ask(|single| {
            let outlook = single.outlook();
            let seat = self.seat(role, outlook)?;
            let count = single.numbers().schema().action_count();
            let words = single.legal(seat);
            Ok((0..count).map(|n| words[n / 64] >> (n % 64) & 1 == 1).collect())
        })?;
        // A copy is less work for NumPy than an array that owns a vector.
        Ok(PyArray1::from_slice(py, &bits))
    }

    /// The facts as an observation of a vector environment has them, bool [P].
    #[getter]
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let numbers = self.game.get().numbers()?;
        let facts = self.facts.facts_in(numbers.numbering()).map_err(|error| machine_error(error.into()))?;
        let columns = numbers.schema().columns.iter();
        let bits: Vec<bool> = columns.map(|&fact| fact != NO_FACT && facts.contains(fact as usize)).collect();
        Ok(PyArray1::from_slice(py, &bits))
    }

    /// The observation, and the legal actions of a role or none, as the int8 [P] and int8 [A] of PettingZoo.
    fn _seen<'py>(&self, py: Python<'py>, seat: usize, legal: bool) -> PyResult<Seen<'py>> {
        let mut walk = self.game.get().walk()?.lock()?;
        let single = walk.enter(&self.facts, self.stamp)?;
        let numbers = Arc::clone(single.numbers());
        if seat >= numbers.schema().roles.len() {
            return Err(PyValueError::new_err("role is a name, or a number below the number of roles"));
        }
        let holds = |&fact: &u32| i8::from(fact != NO_FACT && single.state().contains(fact as usize));
        let observation: Vec<i8> = numbers.schema().columns.iter().map(holds).collect();
        let mut mask = vec![0; numbers.schema().action_count()];
        if legal {
            let words = single.legal(seat);
            mask.iter_mut().enumerate().for_each(|(n, bit)| *bit = (words[n / 64] >> (n % 64) & 1) as i8);
        }
        Ok((PyArray1::from_slice(py, &observation), PyArray1::from_slice(py, &mask)))
    }

    /// The goal value of each role divided by 100, 0 where the rules give none.
    #[getter]
    fn rewards(&self) -> PyResult<Vec<f32>> {
        self.ask(|single| Ok(single.rewards()))
    }

    /// Plays an action of the role on turn, or a sequence of one action for each role.
    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let (facts, stamp, known) = self.moved(action)?;
        let facts = std::mem::replace(&mut self.facts, facts);
        let known = std::mem::replace(&mut self.known, known);
        self.before = Some(Arc::new(Past { facts, stamp: self.stamp, known, before: self.before.take() }));
        self.stamp = stamp;
        self.moves += 1;
        Ok(())
    }

    /// Takes the last `apply` back.
    fn undo(&mut self) -> PyResult<()> {
        let past =
            self.before.take().ok_or_else(|| PyValueError::new_err("no action was applied to undo"))?;
        self.facts.clone_from(&past.facts);
        self.known = past.known;
        self.stamp = past.stamp;
        self.before.clone_from(&past.before);
        self.moves -= 1;
        Ok(())
    }

    /// The number of the action that UCT finds best with this number of playouts: for the role given, or the role on turn.
    #[pyo3(signature = (playouts, *, role = None, seed = 0))]
    fn uct(
        &self,
        py: Python<'_>,
        playouts: u64,
        role: Option<&Bound<'_, PyAny>>,
        seed: u64,
    ) -> PyResult<usize> {
        let outlook = self.known()?.outlook;
        let seat = self.seat(role, outlook)?;
        if playouts == 0 || outlook.over {
            let why =
                if outlook.over { "the game is over here" } else { "playouts must be 1 or more, not 0" };
            return Err(PyValueError::new_err(why));
        }
        let (rules, facts) = (self.game.get().rules.clone(), self.facts.clone());
        let found = crate::interruptible(py, move |halted| {
            let halted = halted.clone();
            let stop = Stop::when(move || halted.load(Ordering::Relaxed));
            let budget = Budget { visits: Some(playouts), stop, ..Budget::default() };
            let search = Uct::new(&rules, &facts, seed, budget)?;
            let done = uct::run(vec![search], Parallelism::Shards).pop();
            let best = done.and_then(|search| search.best(seat)).ok_or(GameError::NoMove { role: seat })?;
            Ok(rules.machine("auto")?.move_text(seat, best.id))
        })?;
        let text = found.map_err(game_error)?;
        let numbers = self.game.get().numbers()?;
        let action = numbers.schema().actions.iter().position(|action| *action == text);
        action.ok_or_else(|| PyValueError::new_err(format!("`{text}` has no number")))
    }

    /// The state after an action, which has nothing to undo.
    fn child(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (facts, stamp, known) = self.moved(action)?;
        Ok(Self { game: self.game.clone_ref(py), facts, stamp, known, moves: self.moves + 1, before: None })
    }

    /// A copy, which can be undone as this one.
    fn clone(&self, py: Python<'_>) -> Self {
        Self {
            game: self.game.clone_ref(py),
            facts: self.facts.clone(),
            stamp: self.stamp,
            known: self.known,
            moves: self.moves,
            before: self.before.clone(),
        }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone(py)
    }

    /// Pickles with its game; what could be undone is left behind.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let game = self.game.bind(py);
        let bytes = game.get().rules.state_to_bytes(&self.facts);
        let bytes = bytes.ok_or_else(|| PyValueError::new_err("the state belongs to another game"))?;
        let restore = py.import("tengen.gdl")?.getattr("_state")?;
        Ok((restore, (game, PyBytes::new(py, &bytes), self.moves).into_pyobject(py)?))
    }

    /// The true facts, sorted.
    #[getter]
    fn facts(&self) -> PyResult<Vec<String>> {
        let machine = self.game.get().at(&self.facts)?;
        let numbers =
            self.facts.facts_in(machine.numbering()).map_err(|error| machine_error(error.into()))?;
        let mut facts: Vec<String> = numbers.ones().map(|f| machine.fact_text(f)).collect();
        facts.retain(|fact| !tengen_propnet::information::is_percept(fact));
        facts.sort_unstable();
        Ok(facts)
    }

    /// What a role perceived of the move that led here, sorted. The game must have been read with `percepts`.
    fn percepts(&self, role: &str) -> PyResult<Vec<String>> {
        let role = self.role(role)?;
        let machine = self.game.get().at(&self.facts)?;
        let seen = Observer::default().texts(machine.as_ref(), &self.facts).map_err(machine_error)?;
        Ok(seen.into_iter().nth(role).unwrap_or_default())
    }

    /// The legal moves of a role, sorted.
    fn legal(&self, role: &str) -> PyResult<Vec<String>> {
        let role = self.role(role)?;
        let mut machine = self.game.get().at(&self.facts)?;
        let ids = machine.legal(role).map_err(machine_error)?;
        let mut texts: Vec<String> = ids.into_iter().map(|id| machine.move_text(role, id)).collect();
        texts.sort_unstable();
        Ok(texts)
    }

    /// The goal value of each role, in the order of the roles: None where the rules give none or several.
    #[getter]
    fn goals(&self) -> PyResult<Vec<Option<i64>>> {
        let mut machine = self.game.get().at(&self.facts)?;
        let of = |role| {
            let values = machine.goals(role).map_err(machine_error)?;
            Ok(if let [one] = &values[..] { one.parse().ok() } else { None })
        };
        (0..self.game.get().roles.len()).map(of).collect()
    }

    /// The state after a joint move: one legal move per role as texts, in the order of the roles.
    fn next(&self, py: Python<'_>, moves: Vec<String>) -> PyResult<Self> {
        let mut machine = self.game.get().at(&self.facts)?;
        let ids = machine.joint_move(&moves).map_err(machine_error)?;
        let facts = machine.successor(&ids).map_err(machine_error)?;
        drop(machine);
        Ok(Self::after(self.game.clone_ref(py), facts, self.moves + 1))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.stamp == other.stamp || self.facts == other.facts
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

impl State {
    /// Whether the state is one of the net, which alone has numbers.
    fn is_numbered(&self) -> bool {
        let Ok(topology) = &self.game.get().rules.topology else { return false };
        self.facts.facts_in(topology.numbering).is_ok()
    }
}

/// Writes what a batch of states of one game shows: observations [N * P], and legal actions [N * A] of the role on turn,
/// or [N * R * A] of all roles with `joint`. Then the role on turn, -1 where two have a choice, whether the game is over,
/// and the rewards where it is.
#[pyfunction]
pub(crate) fn batch(
    states: Vec<PyRef<'_, State>>,
    joint: bool,
    mut observation: PyReadwriteArray1<'_, u8>,
    mut legal: PyReadwriteArray1<'_, u8>,
    mut turn: PyReadwriteArray1<'_, i32>,
    mut over: PyReadwriteArray1<'_, u8>,
    mut rewards: PyReadwriteArray1<'_, f32>,
) -> PyResult<()> {
    let Some(first) = states.first() else { return Ok(()) };
    let game = &first.game;
    if states.iter().any(|state| !state.game.is(game)) {
        return Err(PyValueError::new_err("the states are of different games"));
    }
    let mut walk = game.get().walk()?.lock()?;
    let numbers = Arc::clone(walk.single.numbers());
    let (width, actions) = (numbers.schema().width(), numbers.schema().action_count());
    let roles = numbers.schema().roles.len();
    let groups = if joint { roles } else { 1 };
    let (observation, legal) = (observation.as_slice_mut()?, legal.as_slice_mut()?);
    let (turn, over, rewards) = (turn.as_slice_mut()?, over.as_slice_mut()?, rewards.as_slice_mut()?);
    let count = states.len();
    if [observation.len(), legal.len(), turn.len(), over.len(), rewards.len()]
        != [count * width, count * groups * actions, count, count, count * roles]
    {
        return Err(PyValueError::new_err("an array has the wrong length"));
    }
    for (n, state) in states.iter().enumerate() {
        let single = walk.enter(&state.facts, state.stamp)?;
        let outlook = single.outlook();
        numbers.observe(single.state(), &mut observation[n * width..][..width]);
        for group in 0..groups {
            let seat = if joint { Some(group) } else { outlook.turn };
            let row = &mut legal[(n * groups + group) * actions..][..actions];
            match seat {
                Some(seat) => write_mask(single.legal(seat), row),
                None => row.fill(0),
            }
        }
        turn[n] = outlook.turn.map_or(-1, |turn| turn as i32);
        over[n] = u8::from(outlook.over);
        let row = &mut rewards[n * roles..][..roles];
        row.fill(0.0);
        if outlook.over {
            row.copy_from_slice(&single.rewards());
        }
    }
    Ok(())
}
