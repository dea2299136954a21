//! The GDL part of a batch: random playouts, perft and UCT on rulesheets.

use super::expand::Begun;
use super::record::rounded;
use super::{Case, Checked, Finding, Settings};
use crate::scene::{Expect, Game as SceneGame, Input, Task, load, paths};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use tengen_core::profiler::{self, step};
use tengen_core::{Budget, Diagnostic, SplitMix64, derive_seed};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::machine::{Description, MoveId, State, StateMachine};
use tengen_propnet::players::uct::Uct;

/// Longest playout; one that is longer is cut off, and the record says so.
const MAX_STEPS: u64 = 10_000;

/// More threads than this a search is not made for.
const MOST_THREADS: usize = 256;

/// A game in the state of its scene.
struct Set {
    game: Arc<Game>,
    machine: Box<dyn StateMachine + Send>,
    state: State,
}

/// What was found, for the expectations.
#[derive(Default)]
struct Found {
    goals: Vec<f64>,
    best: Option<String>,
    nodes: Option<u64>,
}

/// Begins one case: playouts and counts are made at once, a search goes on in the batch's World.
///
/// # Errors
/// What is wrong with its input.
pub(super) fn begin(case: &Case, settings: &Settings) -> Result<Begun, Diagnostic> {
    let mut set = step("propnet: load rules", || set_up(case))?;
    let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
    let machine_fault =
        |e: &dyn std::fmt::Display| case.fault("game:", e.to_string()).help("see the rulesheet");
    let mut found = Found::default();
    let result: Value = match &scene.task {
        Task::Playouts { count } => {
            let sums = playouts(&mut set, *count, case.seed).map_err(|e| machine_fault(&e))?;
            found.goals = sums.goals.iter().map(|g| g / (*count).max(1) as f64).collect();
            profiler::count("propnet playout steps", sums.steps);
            json!({ "playouts": count, "steps": sums.steps, "cut_off": sums.cut_off })
        }
        Task::Perft { depth } => {
            if *depth > tengen_chess::rules::perft::MAX_DEPTH {
                return Err(super::chess::too_deep(case, *depth));
            }
            let mut nodes = 0;
            let state = set.state.clone();
            perft(&mut *set.machine, &state, *depth, &mut nodes).map_err(|e| machine_fault(&e))?;
            found.nodes = Some(nodes);
            profiler::count("propnet perft nodes", nodes);
            json!({ "depth": depth, "nodes": nodes })
        }
        Task::Search { visits, nodes, threads, .. } => {
            let asked = visits.or(*nodes).unwrap_or(1000);
            let visits = settings.limit_nodes.map_or(asked, |most| most.min(asked));
            let budget = Budget { visits: Some(visits), ..Budget::default() };
            let search = Uct::new(&set.game, &set.state, case.seed, budget).map_err(|e| machine_fault(&e))?;
            let search = search.with_threads(threads.unwrap_or(1).clamp(1, MOST_THREADS));
            let case = case.clone();
            let then = move |done: Uct| searched(&case, set, &done, asked);
            return Ok(Begun::Uct(Box::new(search), Box::new(then)));
        }
        _ => {
            return Err(case.fault("task:", "this task means nothing for GDL").help("`Playouts` or `Perft`"));
        }
    };
    finding(case, &mut set, &found, &result).map(Begun::Found)
}

/// What a search found.
fn searched(case: &Case, mut set: Set, search: &Uct, asked: u64) -> Result<Finding, Diagnostic> {
    let description = describe(case, &mut set)?;
    let role = description.legal.iter().position(|moves| moves.len() > 1).unwrap_or(0);
    let best = search.best(role);
    profiler::count("propnet visits", search.visits());
    profiler::count("propnet tree nodes", search.nodes() as u64);
    let text = best.map(|line| set.machine.move_text(role, line.id));
    let result = json!({
        "role": set.machine.roles()[role], "best": text,
        "value": best.map(|b| rounded(b.value)), "visits": search.visits(),
        "cut_off": search.visits_asked() < asked,
    });
    finding(case, &mut set, &Found { best: text, ..Found::default() }, &result)
}

fn describe(case: &Case, set: &mut Set) -> Result<Description, Diagnostic> {
    let state = set.state.clone();
    let described = set.machine.enter(&state).and_then(|()| set.machine.describe(&state));
    described.map_err(|e| case.fault("game:", e.to_string()).help("see the rulesheet"))
}

/// The finding of a task's result, with the expectations.
fn finding(case: &Case, set: &mut Set, found: &Found, task: &Value) -> Result<Finding, Diagnostic> {
    let description = describe(case, set)?;
    let goals: Vec<Value> = found.goals.iter().map(|&g| rounded(g)).collect();
    let legal: Vec<usize> = description.legal.iter().map(Vec::len).collect();
    let result = json!({
        "roles": set.machine.roles(), "terminal": description.terminal, "legal": legal, "goals": goals,
        "net": set.game.topology.is_ok(), "task": task,
    });
    let terminal = description.terminal;
    let expect = case.scene.iter().flat_map(|scene| &scene.expect);
    let expect = expect.map(|e| check_one(case, e, found, terminal, &legal)).collect::<Result<_, _>>()?;
    let summary = match (&found.best, found.nodes) {
        (Some(best), _) => format!("best {best}"),
        (_, Some(nodes)) => format!("{nodes} nodes"),
        _ => format!("goals {}", Value::from(goals)),
    };
    Ok(Finding { result, expect, summary })
}

/// Checks a case without running it.
///
/// # Errors
/// What is wrong with its input.
pub fn check(case: &Case) -> Result<(), Diagnostic> {
    set_up(case).map(|_| ())
}

/// The rulesheet of a case, loaded, and its text.
pub(super) fn load(case: &Case) -> Result<(Game, String), Diagnostic> {
    let Input::Rules(path) = &case.input else {
        return Err(case
            .fault("game:", "this is no rulesheet")
            .help("write `game: Gdl(rules: \"game.kif\")`"));
    };
    let name = load::display(path);
    let text = fs::read_to_string(path).map_err(|e| {
        case.fault("rules:", format!("can't read {name}: {}", paths::reason(&e)))
            .help("paths in a scene are relative to the scene's file")
    })?;
    let game = Game::load(&text, LoadLimits::default(), &mut || false).map_err(|error| {
        let first = error.diagnostics(&text).into_iter().next();
        first.unwrap_or_else(|| Diagnostic::error(error.to_string())).in_file(name)
    })?;
    Ok((game, text))
}

fn set_up(case: &Case) -> Result<Set, Diagnostic> {
    let (game, _) = load(case)?;
    let fault = |e: &dyn std::fmt::Display| case.fault("game:", e.to_string()).help("see the rulesheet");
    let mut machine = game.machine("auto").map_err(|e| fault(&e))?;
    let mut state = machine.initial();
    if let Some(SceneGame::Gdl { moves, .. }) = case.scene.as_ref().and_then(|s| s.game.as_ref()) {
        for joint in moves {
            machine.enter(&state).map_err(|e| fault(&e))?;
            let ids = machine.joint_move(joint).map_err(|e| {
                case.fault("moves:", e.to_string()).help("one legal move per role, in the order of the roles")
            })?;
            state = machine.successor(&ids).map_err(|e| fault(&e))?;
        }
    }
    machine.enter(&state).map_err(|e| fault(&e))?;
    Ok(Set { game: Arc::new(game), machine, state })
}

/// What random games add up to.
struct Sums {
    goals: Vec<f64>,
    steps: u64,
    cut_off: u64,
}

type MachineResult<T> = Result<T, tengen_propnet::machine::MachineError>;

fn playouts(set: &mut Set, count: u64, seed: u64) -> MachineResult<Sums> {
    let machine = &mut *set.machine;
    let roles = machine.roles().len();
    let mut sums = Sums { goals: vec![0.0; roles], steps: 0, cut_off: 0 };
    for game in 0..count {
        let mut random = SplitMix64::new(derive_seed(seed, &[game]));
        let mut state = set.state.clone();
        let mut steps = 0;
        machine.enter(&state)?;
        while !machine.terminal()? && steps < MAX_STEPS {
            let mut joint: Vec<MoveId> = Vec::with_capacity(roles);
            for role in 0..roles {
                let legal = machine.legal(role)?;
                let choice = random.below(legal.len().max(1) as u32) as usize;
                joint.extend(legal.get(choice));
            }
            if joint.len() < roles {
                break;
            }
            state = machine.successor(&joint)?;
            machine.enter(&state)?;
            steps += 1;
        }
        sums.steps += steps;
        if machine.terminal()? {
            for role in 0..roles {
                let goals = machine.goals(role)?;
                sums.goals[role] += goals.first().and_then(|g| g.parse::<f64>().ok()).unwrap_or(0.0);
            }
        } else {
            sums.cut_off += 1;
        }
    }
    Ok(sums)
}

/// Counts the joint move sequences of a length; those that end earlier count where they end.
fn perft(machine: &mut dyn StateMachine, state: &State, depth: u32, nodes: &mut u64) -> MachineResult<()> {
    machine.enter(state)?;
    if depth == 0 || machine.terminal()? {
        *nodes += 1;
        return Ok(());
    }
    let legal = (0..machine.roles().len()).map(|r| machine.legal(r)).collect::<MachineResult<Vec<_>>>()?;
    if legal.iter().any(Vec::is_empty) {
        return Ok(());
    }
    // Joint moves one after the other, as an odometer counts: the last role's move changes fastest.
    let mut at = vec![0; legal.len()];
    loop {
        let joint: Vec<MoveId> = legal.iter().zip(&at).map(|(moves, &n)| moves[n]).collect();
        machine.enter(state)?;
        let next = machine.successor(&joint)?;
        perft(machine, &next, depth - 1, nodes)?;
        let Some(role) = (0..at.len()).rev().find(|&r| at[r] + 1 < legal[r].len()) else { return Ok(()) };
        at[role] += 1;
        at[role + 1..].fill(0);
    }
}

fn check_one(
    case: &Case,
    expect: &Expect,
    found: &Found,
    is_terminal: bool,
    counts: &[usize],
) -> Result<Checked, Diagnostic> {
    let mut differences = super::go::Differences::default();
    match expect {
        Expect::Goals { are, within } if !found.goals.is_empty() => {
            differences.field("roles", Some(are.len()), found.goals.len());
            for (role, (&wanted, &goal)) in are.iter().zip(&found.goals).enumerate() {
                differences.near(&format!("the goal of role {role}"), Some(wanted), goal as f32, *within);
            }
        }
        Expect::State { terminal, legal } => {
            differences.field("terminal", *terminal, is_terminal);
            differences.field("legal", legal.clone(), counts.to_vec());
        }
        Expect::Nodes(nodes) if found.nodes.is_some() => {
            differences.field("nodes", Some(Some(*nodes)), found.nodes);
        }
        Expect::BestMove(moves) if found.best.is_some() => {
            if !found.best.as_ref().is_some_and(|best| moves.contains(best)) {
                differences.say(format!("the best move is {}", found.best.as_deref().unwrap_or("none")));
            }
        }
        _ => {
            return Err(case
                .fault("expect:", "this expectation means nothing for this task")
                .help("`State`, and `Goals` with playouts, `Nodes` with perft, `BestMove` with a search"));
        }
    }
    Ok(differences.of(expect))
}
