//! `tengen gdl explore`: walks through a game. It reads moves and prints states, as lines of JSON.
//!
//! # Steps
//! 1. A thread grounds the rules and builds the net. If the net is ready within [`PATIENCE`], only the net answers.
//! 2. Otherwise the prover answers until the net is ready, and a message on stderr says so. Both give the same answers.
//! 3. Before each answer, a net that is ready takes over in the state reached.
//! 4. A question beyond the prover's limits waits for the net.

use super::{Outcome, ground, load};
use crate::batch::runner::STACK;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;
use tengen_core::escaped_line;
use tengen_propnet::game::{Game, GameError, NoNet};
use tengen_propnet::information;
use tengen_propnet::machine::{Description, MachineError, State, StateMachine};
use tengen_propnet::net::build::BuildError;
use tengen_propnet::program::Program;
use tengen_propnet::review;

/// The time after which the prover answers meanwhile.
const PATIENCE: Duration = Duration::from_secs(2);

/// The game with its net, from the thread that makes it.
type Awaited = Receiver<anyhow::Result<Game>>;

/// Carries out `tengen gdl explore`.
///
/// # Errors
/// If the rulesheet has faults that are no error of it alone, or stdin or stdout fail.
pub(super) fn explore(file: &Path, propagator: &str, setup: f64, tables: usize) -> anyhow::Result<Outcome> {
    let Some((_, sheet, text)) = load(file)? else { return Ok(Outcome::Failure) };
    let program = information::read(&text)?;
    let name = crate::files::display(file);
    let by_prover = |program| Game::without_net(program, NoNet::Build(BuildError::Stopped));
    let (game, awaited) = if propagator == "prover" {
        (by_prover(program), None)
    } else {
        let awaited = grounded(file, program.clone(), setup, tables)?;
        match awaited.recv_timeout(PATIENCE) {
            Ok(game) => (game?, None),
            Err(RecvTimeoutError::Timeout) => {
                let any = matches!(propagator, "auto" | "hybrid");
                writeln!(
                    io::stderr(),
                    "{}: no net after {} s; {} for at most {setup} s of processor time",
                    escaped_line(&name),
                    PATIENCE.as_secs(),
                    if any { "the prover answers meanwhile," } else { "it is waited for" },
                )?;
                if any { (by_prover(program), Some(awaited)) } else { (awaited.recv()??, None) }
            }
            Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the net could not be made"),
        }
    };
    let begun = Walk::begin(&game, propagator);
    let is_beyond = matches!(begun, Err(GameError::Machine(MachineError::Prover(_))));
    let begun = match awaited {
        Some(awaited) if is_beyond => Walk::begin(&awaited.recv()??, propagator),
        awaited => begun.map(|(walk, first)| (Walk { awaited, ..walk }, first)),
    };
    let (mut walk, first) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            let Some(fault) = review::fault_of_game(&sheet, &error) else { return Err(error.into()) };
            writeln!(io::stderr(), "{}", fault.diagnostic(&text).in_file(name))?;
            return Ok(Outcome::Failure);
        }
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{first}")?;
    out.flush()?;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(Outcome::Success);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", walk.answer(&line))?;
        out.flush()?;
    }
}

/// Step 1.
fn grounded(file: &Path, program: Program, setup: f64, tables: usize) -> anyhow::Result<Awaited> {
    let (send, awaited) = channel();
    let file = file.to_owned();
    // The walk may be over by then.
    let work = move || drop(send.send(ground(&file, program, setup, tables)));
    let thread = std::thread::Builder::new().name("net".into()).stack_size(STACK);
    thread.spawn(work).context("can't start a thread")?;
    Ok(awaited)
}

/// A walk through a game.
pub(crate) struct Walk {
    machine: Box<dyn StateMachine + Send>,
    state: State,
    /// Whether the game has hidden information: answers tell what each role perceived.
    hidden: bool,
    /// The moves since the initial state.
    moves: Vec<Vec<String>>,
    /// The net that is to take over.
    awaited: Option<Awaited>,
}

impl Walk {
    /// A walk from the initial state, and the line about it.
    ///
    /// # Errors
    /// No such propagator; no net; the prover's limits.
    pub(crate) fn begin(game: &Game, propagator: &str) -> Result<(Self, Value), GameError> {
        let mut machine = game.machine(propagator)?;
        let state = machine.initial();
        machine.enter(&state)?;
        let found = machine.describe(&state)?;
        let hidden = information::is_hidden(&game.program);
        let first = to_json(&found, machine.roles(), hidden);
        Ok((Self { machine, state, hidden, moves: Vec::new(), awaited: None }, first))
    }

    /// The answer to one line.
    pub(crate) fn answer(&mut self, line: &[u8]) -> Value {
        self.take_over(false);
        match command(line).and_then(|command| self.go(command)) {
            Ok(found) => to_json(&found, self.machine.roles(), self.hidden),
            Err(error) => json!({"error": format!("{error:#}")}),
        }
    }

    fn go(&mut self, command: Option<Vec<String>>) -> anyhow::Result<Description> {
        let mut found = step(self.machine.as_mut(), &mut self.state, &command);
        // Step 4.
        if found.as_ref().is_err_and(is_beyond_the_prover) && self.take_over(true) {
            found = step(self.machine.as_mut(), &mut self.state, &command);
        }
        if found.is_ok() {
            match command {
                Some(moves) => self.moves.push(moves),
                None => self.moves.clear(),
            }
        }
        found
    }

    /// Step 3: whether the net takes over now. It is waited for if `waits`.
    fn take_over(&mut self, waits: bool) -> bool {
        let Some(awaited) = &self.awaited else { return false };
        let game = match awaited.try_recv() {
            Err(TryRecvError::Empty) if !waits => return false,
            Err(TryRecvError::Empty) => awaited.recv().ok(),
            found => found.ok(),
        };
        self.awaited = None;
        // Without a net the prover goes on; the thread told why.
        let Some(Ok(game)) = game else { return false };
        let Ok((machine, state)) = self.reached(&game) else { return false };
        (self.machine, self.state) = (machine, state);
        true
    }

    /// The state reached so far, in a machine of the net.
    fn reached(&self, game: &Game) -> anyhow::Result<(Box<dyn StateMachine + Send>, State)> {
        anyhow::ensure!(game.topology.is_ok(), "there is no net");
        let mut machine = game.machine("auto")?;
        let mut state = machine.initial();
        machine.enter(&state)?;
        for moves in &self.moves {
            let joint = machine.joint_move(moves)?;
            state = machine.successor(&joint)?;
            machine.enter(&state)?;
        }
        Ok((machine, state))
    }
}

/// Whether an error is one of the prover's limits.
fn is_beyond_the_prover(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<MachineError>(), Some(MachineError::Prover(_)))
}

/// The longest line of input that is read as one.
const MAX_LINE: u64 = 1 << 20;

/// One line of `explore`: `None` is `"restart"`.
fn command(line: &[u8]) -> anyhow::Result<Option<Vec<String>>> {
    let value: Value = serde_json::from_slice(line).context("the line is not JSON")?;
    let help = "a line is {\"move\":[\"(mark 1 1)\",\"noop\"]} or \"restart\"";
    if value == "restart" {
        return Ok(None);
    }
    let moves = value.get("move").and_then(Value::as_array).with_context(|| help)?;
    let texts: Option<Vec<String>> = moves.iter().map(|m| m.as_str().map(str::to_owned)).collect();
    texts.map(Some).with_context(|| help)
}

fn step(
    machine: &mut dyn StateMachine,
    state: &mut State,
    moves: &Option<Vec<String>>,
) -> anyhow::Result<Description> {
    let next = match moves {
        None => machine.initial(),
        Some(_) if machine.terminal()? => anyhow::bail!("the state is terminal; `\"restart\"` begins again"),
        Some(texts) => {
            let joint = machine.joint_move(texts)?;
            machine.successor(&joint)?
        }
    };
    machine.enter(&next)?;
    *state = next;
    Ok(machine.describe(state)?)
}

/// A state as one line of JSON.
fn to_json(d: &Description, roles: &[String], hidden: bool) -> Value {
    let goals: Vec<Value> = d.goals.iter().map(|values| goal_json(values)).collect();
    let (percepts, facts): (Vec<&String>, Vec<&String>) =
        d.facts.iter().partition(|fact| information::is_percept(fact));
    let mut found = json!({"terminal": d.terminal, "true": facts, "legal": d.legal, "goals": goals});
    if hidden {
        let mut sees = vec![Vec::new(); roles.len()];
        for (role, percept) in percepts.iter().filter_map(|fact| information::percept_of(roles, fact)) {
            sees[role].push(percept);
        }
        found["sees"] = json!(sees);
    }
    found
}

/// One value as a number; none or several as a list.
fn goal_json(values: &[String]) -> Value {
    let number = |v: &String| v.parse::<i64>().map_or_else(|_| json!(v), |n| json!(n));
    match values {
        [one] => number(one),
        many => {
            let mut numbers: Vec<Value> = many.iter().map(number).collect();
            numbers.sort_by_key(|v| v.as_i64().unwrap_or(i64::MAX));
            Value::Array(numbers)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_propnet::game::LoadLimits;

    const RULES: &str = include_str!("../../../resources/gdl/noughts.kif");
    const LINES: [&str; 6] = [
        "{\"move\":[\"(put 1 1)\",\"wait\"]}",
        "{\"move\":[\"wait\",\"(put 1 1)\"]}",
        "{\"move\":[\"wait\",\"(put 2 2)\"]}",
        "\"restart\"",
        "{\"move\":[\"(put 3 1)\",\"wait\"]}",
        "{\"move\":[\"wait\",\"(put 2 2)\"]}",
    ];

    /// The answers to all lines when the net is there before the line of this number.
    fn answers(there: Option<usize>) -> Vec<Value> {
        let program = || Program::read(RULES).expect("sound rules");
        let game = Game::without_net(program(), NoNet::Build(BuildError::Stopped));
        let (send, awaited) = channel();
        let (walk, first) = Walk::begin(&game, "auto").expect("the prover answers");
        let mut walk = Walk { awaited: Some(awaited), ..walk };
        let mut all = vec![first];
        for (number, line) in LINES.iter().enumerate() {
            if there == Some(number) {
                let whole = Game::from_program(program(), LoadLimits::default(), &mut || false);
                assert!(whole.topology.is_ok());
                send.send(Ok(whole)).expect("it is awaited");
            }
            let before = walk.machine.numbering();
            all.push(walk.answer(line.as_bytes()));
            let took_over = walk.machine.numbering() != before;
            assert_eq!(took_over, there == Some(number), "line {number}");
        }
        all
    }

    #[test]
    fn the_net_takes_over_before_any_line_and_no_answer_changes() {
        let by_prover = answers(None);
        assert!(by_prover[2]["error"].is_string(), "the square is taken: {}", by_prover[2]);
        assert_eq!(by_prover.iter().filter(|answer| answer["error"].is_null()).count(), LINES.len());
        for there in 0..LINES.len() {
            assert_eq!(answers(Some(there)), by_prover, "the net is there before line {there}");
        }
    }
}
