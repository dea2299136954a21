//! Runs the rulesheet cases of a batch: random playouts, perft and UCT.

use super::first_step::FirstStep;
use super::settings::Settings;
use super::supported::too_deep;
use crate::files;
use crate::limits::{CaseLimits, Watch};
use crate::record::expectation::gdl::{self as expectation, Found};
use crate::record::{Finding, rounded};
use crate::scene::{Case, Game as SceneGame, Input, Task, rulesheets, warnings};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use tengen_core::profiler::{self, step};
use tengen_core::{Budget, Diagnostic, Parallelism, Position, Stop};
use tengen_propnet::game::{Game, GameError, LoadLimits};
use tengen_propnet::gdl::{Fault, GdlError};
use tengen_propnet::ground::Limits as GroundLimits;
use tengen_propnet::information;
use tengen_propnet::machine::{Description, State, StateMachine};
use tengen_propnet::perft::{self, Perft};
use tengen_propnet::players::uct::{self, Uct};
use tengen_propnet::program::ProgramError;
use tengen_propnet::random_games::{self, RandomGames, Sums};
use tengen_propnet::review;
use tengen_search::TreeJob;

/// More threads than this a search is not made for.
const MOST_THREADS: usize = 256;
/// Bytes at the peak per number of a grounding's tables.
const BYTES_PER_WORD: u64 = 8;

/// A game in the state of its scene.
struct Set {
    game: Arc<Game>,
    machine: Box<dyn StateMachine + Send>,
    state: State,
}

/// Runs one case.
///
/// # Errors
/// The fault of its input.
pub fn run(case: &Case, settings: &Settings, watch: &Watch) -> Result<Finding, Diagnostic> {
    let mut set = set_up(case, &settings.limits, watch)?;
    let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
    let machine_fault =
        |e: &dyn std::fmt::Display| case.fault("game:", e.to_string()).help("see the rulesheet");
    match &scene.task {
        Task::Playouts { count } => {
            let mut stop = || watch.spend(1);
            let sums = random_games::play(&mut *set.machine, &set.state, case.seed, 0..*count, &mut stop);
            played(case, set, &sums.map_err(|e| machine_fault(&e))?, &settings.limits)
        }
        Task::Perft { depth } => {
            if *depth > tengen_chess::rules::perft::MAX_DEPTH {
                return Err(too_deep(case, *depth));
            }
            let nodes = perft::perft(&mut *set.machine, &set.state, *depth, &mut || watch.spend(1));
            counted(case, set, *depth, nodes.map_err(|e| machine_fault(&e))?, &settings.limits)
        }
        Task::Search { visits, nodes, threads, .. } => {
            let asked = visits.or(*nodes).unwrap_or(1000);
            let visits = settings.limit_nodes.map_or(asked, |most| most.min(asked));
            let budget = Budget { visits: Some(visits), stop: watch.stop(), ..Budget::default() };
            let search = Uct::new(&set.game, &set.state, case.seed, budget).map_err(|e| machine_fault(&e))?;
            let search = search.with_threads(threads.unwrap_or(1).clamp(1, MOST_THREADS));
            let search = uct::run(vec![search], Parallelism::Shards).into_iter().next();
            let search = search.ok_or_else(|| machine_fault(&"the search is gone"))?;
            searched(case, set, &search, asked, &settings.limits)
        }
        _ => Err(case.fault("task:", "this task means nothing for GDL").help("`Playouts` or `Perft`")),
    }
}

/// Begins one case; its search goes on in the batch's World.
///
/// # Errors
/// The fault of its input.
pub(super) fn begin(case: &Case, settings: &Settings) -> Result<FirstStep, Diagnostic> {
    let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
    let set = step("propnet: load rules", || set_up(case, &settings.limits, &Watch::default()))?;
    let (case, limits) = (case.clone(), settings.limits);
    let fault = |case: &Case, e: &GameError| case.fault("game:", e.to_string()).help("see the rulesheet");
    match scene.task {
        Task::Playouts { count } => {
            let search = RandomGames::new(&set.game, &set.state, case.seed, count);
            Ok(FirstStep::search(search, move |done| {
                played(&case, set, &done.found().map_err(|e| fault(&case, &e))?, &limits)
            }))
        }
        Task::Perft { depth } => {
            let search = Perft::new(&set.game, &set.state, depth);
            Ok(FirstStep::search(search, move |done| {
                counted(&case, set, depth, done.found().map_err(|e| fault(&case, &e))?, &limits)
            }))
        }
        Task::Search { visits, nodes, threads, .. } => {
            let asked = visits.or(nodes).unwrap_or(1000);
            let visits = settings.limit_nodes.map_or(asked, |most| most.min(asked));
            let budget = Budget { visits: Some(visits), ..Budget::default() };
            let search = Uct::new(&set.game, &set.state, case.seed, budget).map_err(|e| fault(&case, &e))?;
            let search = search.with_threads(threads.unwrap_or(1).clamp(1, MOST_THREADS));
            if search.threads() > 1 {
                return Ok(FirstStep::search(search, move |done| {
                    searched(&case, set, &done, asked, &limits)
                }));
            }
            Ok(FirstStep::search(TreeJob::new(search), move |done| {
                let done = done.found().ok_or_else(|| Diagnostic::error("the search is gone"))?;
                searched(&case, set, &done, asked, &limits)
            }))
        }
        _ => Err(case.fault("task:", "this task means nothing for GDL").help("`Playouts` or `Perft`")),
    }
}

/// The result of random games.
fn played(case: &Case, mut set: Set, sums: &Sums, limits: &CaseLimits) -> Result<Finding, Diagnostic> {
    // Games that did not end have no goals.
    let ended = sums.ended();
    let unfinished = ended == 0;
    let chance = set.game.program.chance();
    let players = sums.goals.iter().enumerate().filter(|&(role, _)| !unfinished && chance != Some(role));
    let goals = players.map(|(_, goal)| goal / ended as f64).collect();
    let counts: Vec<Value> = sums.counts.iter().map(|counts| json!(counts)).collect();
    profiler::count("propnet playouts", sums.games);
    profiler::count("propnet playout steps", sums.steps);
    let result = json!({
        "playouts": sums.games, "steps": sums.steps, "cut_off": sums.cut_off,
        "goal_counts": counts, "longest": sums.longest,
    });
    let found = Found { goals, unfinished, ..Found::default() };
    let mut finding = finding(case, &mut set, &found, &result, limits)?;
    finding.warnings.extend(warnings_of_play(case, &set, sums)?);
    Ok(finding)
}

/// The findings of random games about the rules, in the words of a review.
fn warnings_of_play(case: &Case, set: &Set, sums: &Sums) -> Result<Vec<Diagnostic>, Diagnostic> {
    let roles = set.machine.roles();
    let games = |n: u64| format!("in {n} of {} random games", sums.games);
    let mut told: Vec<Fault> = Vec::new();
    if let Some(stuck) = &sums.first_stuck {
        let facts = review::short(&stuck.facts);
        let state = format!("{facts}, {}, {}", review::after(stuck.steps), games(sums.stuck));
        told.push(Fault::NoMove { role: roles[stuck.role].clone(), state, lost: String::new() });
    }
    for (number, role) in roles.iter().enumerate() {
        let none = sums.counts[number].get("none").copied().unwrap_or(0);
        if none > 0 && role != "random" {
            told.push(Fault::GoalMissing { role: role.clone(), state: games(none) });
        }
        let (times, goals) = &sums.double[number];
        if *times > 0 {
            let (role, goals, state) = (role.clone(), goals.clone(), games(*times));
            told.push(Fault::GoalDouble { role, goals, state });
        }
    }
    if told.is_empty() {
        return Ok(Vec::new());
    }
    let (text, name) = text_of(case)?;
    let review = review::rules(&text);
    let known = |fault: &Fault| review.faults.iter().any(|e| e.fault.stands_for(fault));
    let told = told.into_iter().filter(|fault| !known(fault));
    let placed = told.map(|fault| GdlError { span: review.place_of_play(&fault), fault });
    Ok(placed.map(|error| error.diagnostic(&text).in_file(name.clone())).collect())
}

/// The result of a perft.
fn counted(
    case: &Case,
    mut set: Set,
    depth: u32,
    nodes: u64,
    limits: &CaseLimits,
) -> Result<Finding, Diagnostic> {
    profiler::count("propnet perft nodes", nodes);
    let result = json!({ "depth": depth, "nodes": nodes });
    finding(case, &mut set, &Found { nodes: Some(nodes), ..Found::default() }, &result, limits)
}

/// The result of a search.
fn searched(
    case: &Case,
    mut set: Set,
    search: &Uct,
    asked: u64,
    limits: &CaseLimits,
) -> Result<Finding, Diagnostic> {
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
    finding(case, &mut set, &Found { best: text, ..Found::default() }, &result, limits)
}

fn describe(case: &Case, set: &mut Set) -> Result<Description, Diagnostic> {
    let state = set.state.clone();
    let described = set.machine.enter(&state).and_then(|()| set.machine.describe(&state));
    described.map_err(|e| case.fault("game:", e.to_string()).help("see the rulesheet"))
}

/// The finding of a task's result, with the expectations.
fn finding(
    case: &Case,
    set: &mut Set,
    found: &Found,
    task: &Value,
    limits: &CaseLimits,
) -> Result<Finding, Diagnostic> {
    let description = describe(case, set)?;
    let mut goals: Vec<Value> = found.goals.iter().map(|&g| rounded(g)).collect();
    // The role `random` has no goal.
    if let (Some(chance), false) = (set.game.program.chance(), goals.is_empty()) {
        goals.insert(chance, Value::Null);
    }
    let legal: Vec<usize> = description.legal.iter().map(Vec::len).collect();
    let result = json!({
        "roles": set.machine.roles(), "terminal": description.terminal, "legal": legal, "goals": goals,
        "net": set.game.topology.is_ok(), "task": task,
    });
    let terminal = description.terminal;
    let expect = case.scene.iter().flat_map(|scene| &scene.expect);
    let expect =
        expect.map(|e| expectation::check(case, e, found, terminal, &legal)).collect::<Result<_, _>>()?;
    let summary = match (&found.best, found.nodes) {
        (Some(best), _) => format!("best {best}"),
        (_, Some(nodes)) => crate::number_text::counted("node", nodes as usize),
        _ => format!("goals {}", Value::from(goals)),
    };
    let warn = |message| {
        let warning = Diagnostic::warning(message).of_kind(warnings::FALL_BACK);
        let warning = warning.help("a smaller rulesheet, or more memory for it, makes a net");
        match &case.input {
            Input::Rules(path) => warning.in_file(files::display(path)).at(Position { line: 1, column: 1 }),
            _ => warning,
        }
    };
    let warned = fall_back(&set.game, limits).into_iter().map(warn).collect();
    Ok(Finding { result, expect, summary, warnings: warned })
}

/// A note that the prover answers for a game without a net, because it is much slower.
fn fall_back(game: &Game, limits: &CaseLimits) -> Option<String> {
    let why = game.topology.as_ref().err()?;
    let clock = if limits.time.is_some() { " (half of the case's seconds are for the net)" } else { "" };
    Some(format!("no net, the prover answers: {why}{clock}"))
}

/// Checks a case without running it.
///
/// # Errors
/// The fault of its input.
pub fn check(case: &Case) -> Result<(), Diagnostic> {
    let mut set = set_up(case, &CaseLimits::default(), &Watch::default())?;
    let Some(scene) = &case.scene else { return Ok(()) };
    let roles = set.machine.roles().len();
    let description = set.machine.describe(&set.state);
    let description =
        description.map_err(|e| case.fault("game:", e.to_string()).help("see the rulesheet"))?;
    let legal: Vec<usize> = description.legal.iter().map(Vec::len).collect();
    // As if the task had found something: what the expectations mean, not what they say.
    let found = match scene.task {
        Task::Playouts { .. } => Found { goals: vec![0.0; roles], ..Found::default() },
        Task::Perft { .. } => Found { nodes: Some(0), ..Found::default() },
        _ => Found { best: Some(String::new()), ..Found::default() },
    };
    scene
        .expect
        .iter()
        .try_for_each(|e| expectation::check(case, e, &found, description.terminal, &legal).map(|_| ()))
}

/// The text of a case's rulesheet, and its file's name.
fn text_of(case: &Case) -> Result<(String, String), Diagnostic> {
    let Input::Rules(path) = &case.input else {
        return Err(case
            .fault("game:", "this is no rulesheet")
            .help("write `game: Gdl(rules: \"game.kif\")`"));
    };
    let name = files::display(path);
    let text = rulesheets::read(path).map_err(|fault| match fault.kind {
        Some(_) => fault,
        None => case.fault("rules:", fault.message).help("paths in a scene are relative to the scene's file"),
    })?;
    Ok((text, name))
}

/// The rulesheet of a case for players, loaded, and its text. States hold what each role perceives.
pub(super) fn load_with_percepts(case: &Case) -> Result<(Game, String), Diagnostic> {
    let (text, name) = text_of(case)?;
    let program = information::read(&text).map_err(|error| first_fault(&error, &text, &name))?;
    Ok((Game::from_program(program, LoadLimits::default(), &mut || false), text))
}

fn load_within(
    case: &Case,
    limits: LoadLimits,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(Game, String), Diagnostic> {
    let (text, name) = text_of(case)?;
    let game = Game::load(&text, limits, stop).map_err(|error| first_fault(&error, &text, &name))?;
    Ok((game, text))
}

fn first_fault(error: &ProgramError, text: &str, name: &str) -> Diagnostic {
    let first = error.diagnostics(text).into_iter().next();
    first.unwrap_or_else(|| Diagnostic::error(error.to_string())).in_file(name)
}

fn set_up(case: &Case, limits: &CaseLimits, watch: &Watch) -> Result<Set, Diagnostic> {
    let began = Instant::now();
    // Half of the case's time and memory for the net: the prover still has the other half.
    let late = || limits.time.is_some_and(|most| began.elapsed() * 2 >= most);
    let mut ground = GroundLimits::default();
    if let Some(bytes) = limits.memory {
        let words = usize::try_from(bytes / (2 * BYTES_PER_WORD)).unwrap_or(usize::MAX);
        ground.words = ground.words.min(words);
    }
    let (game, text) = load_within(case, LoadLimits { ground }, &mut || watch.halted() || late())?;
    let fault = |e: &dyn std::fmt::Display| case.fault("game:", e.to_string()).help("see the rulesheet");
    let too_large = |e: GameError| placed(case, &text, &e).unwrap_or_else(|| fault(&e));
    let mut machine = game.machine("auto").map_err(too_large)?;
    // One state may be beyond all bounds.
    machine.set_stop(watch.stop());
    if case.scene.is_some() {
        let initial = machine.initial();
        let first = machine.enter(&initial).and_then(|()| machine.describe(&initial).map(drop));
        first.map_err(|e| too_large(e.into()))?;
    }
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
    // From here on the task asks the watch between two steps, and what it found until then is kept.
    machine.set_stop(Stop::NEVER);
    Ok(Set { game: Arc::new(game), machine, state })
}

/// The error of a state that is too large, at its place in the rulesheet.
fn placed(case: &Case, text: &str, error: &GameError) -> Option<Diagnostic> {
    let (sheet, _) = tengen_propnet::gdl::read(text);
    let fault = review::fault_of_game(&sheet, error)?;
    let Input::Rules(path) = &case.input else { return None };
    Some(fault.diagnostic(text).in_file(files::display(path)))
}
