//! Self-play: whole games between players. Each game has one record, which is the same at any number of threads.
//!
//! | module | what |
//! | --- | --- |
//! | [`start`] | the positions with which games begin |
//! | [`plan`], `of_cases` | the start, the players and the seed of each game; the plan that cases describe |
//! | [`go`] | games of Go by the moves of the pipeline, several in one World |
//! | `duel` | games of Go between other players, including other programs |
//! | [`chess`], [`gdl`] | games of chess and of rulesheets |
//! | `ggp` | games of rulesheets with players of other programs, over GGP |
//! | `clock` | the clocks of programs |
//! | [`entry`] | the data of a game |
//! | [`file_name`], [`folder`], `one_file` | the names of records' files; the folder of a run, and all its records in one file |
//! | `games` | games as jobs, together with other searches |
//! | [`live`] | snapshots of running games |
//! | [`summary`] | wins, draws, scores, and their uncertainty |
//! | [`sequential`] | the game after which a sequential test is decided |
//!
//! # Steps
//! 1. Each game is a job of the schedule `Expand`, both in `tengen selfplay` and in a scene of `tengen run`. If every
//!    case has its own limit, one worker plays the games of a scene in turn. Then Go games by the pipeline share a
//!    World. The World analyses all of them, plays one move in each, and reuses a slot when its game is over.
//! 2. A finished game goes to the calling thread.
//!
//! A game depends only on its number and the run's seed, not on its worker or on the other games. A panic ends only the
//! game in which it happens.

pub mod chess;
mod clock;
mod duel;
pub mod entry;
pub mod file_name;
pub mod folder;
mod games;
pub mod gdl;
mod ggp;
pub mod go;
pub mod live;
pub mod merge;
mod of_cases;
mod one_file;
pub mod plan;
pub mod sequential;
pub mod start;
pub mod summary;

pub use entry::{End, Entry};
pub use folder::Folder;
use games::{Course, Games};
pub use plan::Plan;
pub use start::Start;

use crate::batch::first_step::FirstStep;
use crate::batch::selfplay::summary::Summary;
use crate::client::process::EngineError;
use crate::client::{ggp as ggp_client, gtp, uci};
use crate::judges;
use crate::panics::panic_message;
use crate::record::Finding;
use crate::record::expectation::selfplay as expectation;
use crate::scene::{Case, Domain, Expect, Player, Task};
use go::Playing;
use serde_json::json;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use tengen_core::{Diagnostic, Parallelism, Stop};
use tengen_go::moves::MoveList;
use tengen_go::{AnalyseSystems, Effort, GoEngine};
use tengen_search::run_all;

/// Games that share a World at most.
const SLOTS: usize = 8;

/// A game that is over: its record is all there is to know of it.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its number, from 1.
    pub number: u32,
    /// Its record: SGF, PGN or JSON.
    pub record: String,
}

/// A game that could not be played.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Its number, from 1.
    pub number: u32,
    /// Why.
    pub reason: String,
}

/// The outcome of a game.
pub type Played = Result<Finished, Broken>;

/// Plays the games of these numbers in this pool and hands each to `sink` as soon as it is over, in no fixed order.
/// Stops early, leaving games out, when `interrupted` says so, and when the sink breaks.
///
/// # Errors
/// The sink's first error; the run ends there.
pub fn play(
    pool: &rayon::ThreadPool,
    plan: &Plan,
    numbers: &[u32],
    interrupted: &Stop,
    mut sink: impl FnMut(Played) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<()> {
    // A player that listens is in one match at a time.
    let alone = plan.players.iter().any(|player| matches!(player, Player::Ggp(..)));
    let threads = if alone { 1 } else { pool.current_num_threads().max(1) };
    let beside = if threads > 1 { Parallelism::Inside } else { Parallelism::Shards };
    let parallelism = if numbers.len() < threads { Parallelism::Inside } else { Parallelism::Shards };
    let stop = Arc::new(AtomicBool::new(false));
    let halt = {
        let (interrupted, stop) = (interrupted.clone(), Arc::clone(&stop));
        Stop::when(move || interrupted.now() || stop.load(Ordering::Relaxed))
    };
    let (send, receive) = mpsc::channel();
    let (plan, interrupted) = (plan.clone(), interrupted.clone());
    let course = Course { plan, parallelism, interrupted, halt, listener: Some(send) };
    let games = Games::new(course, numbers.iter().copied());
    pool.in_place_scope(|scope| {
        scope.spawn(move |_| drop(run_all(vec![games], beside)));
        let mut result = Ok(());
        for played in receive {
            match sink(played) {
                Ok(ControlFlow::Continue(())) => continue,
                Ok(ControlFlow::Break(())) => {}
                Err(error) => result = Err(error),
            }
            break;
        }
        stop.store(true, Ordering::Relaxed);
        result
    })
}

/// The time in which a listening player must say that it listens.
const READY: Duration = Duration::from_secs(10);

/// Starts each program among the players and ends it again. So a program that cannot play is reported once, before any
/// game.
///
/// # Errors
/// The failure of the first program that cannot play.
pub fn try_programs(plan: &Plan, stop: &Stop) -> Result<(), EngineError> {
    for (n, player) in plan.players.iter().enumerate() {
        let known = plan.players[..n].iter().any(|other| other.command() == player.command());
        match player {
            Player::Gtp(command, _) if !known => drop(gtp::Client::start_ready(command, stop)?),
            Player::Ggp(address, _) if !known => {
                let message = "( INFO )";
                drop(ggp_client::Client::new(address, stop).ask(message, Instant::now() + READY)?);
            }
            // Options may differ between two players of one program.
            Player::Uci(command, limits) if !plan.players[..n].contains(player) => {
                drop(uci::Client::start(command, &limits.options, stop)?)
            }
            _ => {}
        }
    }
    Ok(())
}

/// One thread's share of the games.
struct Worker<'a> {
    plan: &'a Plan,
    slots: usize,
    parallelism: Parallelism,
    interrupted: &'a Stop,
}

impl<'a> Worker<'a> {
    fn work(&self, take: &dyn Fn() -> Option<u32>, halt: &dyn Fn() -> bool, emit: &mut dyn FnMut(Played)) {
        if self.plan.domain == Domain::Go && self.plan.players == [Player::Pipeline] {
            return self.shard(take, halt, emit);
        }
        while let Some(number) = take().filter(|_| !halt()) {
            match catch_unwind(AssertUnwindSafe(|| self.one(number))) {
                Ok(Ok(finished)) => finished.into_iter().for_each(|game| emit(Ok(game))),
                Ok(Err(error)) => emit(Err(Broken { number, reason: format!("{error:#}") })),
                Err(cause) => emit(Err(panicked(number, &*cause))),
            }
        }
    }

    /// Plays one game; `None` if it was interrupted: its last moves were not thought to their ends.
    fn one(&self, number: u32) -> anyhow::Result<Option<Finished>> {
        let played = match self.plan.domain {
            Domain::Go => duel::play(self.plan, number, self.parallelism, self.interrupted),
            Domain::Chess => chess::play(self.plan, number, self.interrupted),
            Domain::Gdl if self.plan.players.iter().any(|player| matches!(player, Player::Ggp(..))) => {
                ggp::play(self.plan, number, self.interrupted)
            }
            Domain::Gdl => gdl::play(self.plan, number, self.interrupted),
        };
        if self.interrupted.now() { Ok(None) } else { played.map(Some) }
    }

    /// Games by the pipeline, many in one World. After a panic they go on in Worlds of their own, so that only the
    /// game that caused it is lost.
    fn shard(&self, take: &dyn Fn() -> Option<u32>, halt: &dyn Fn() -> bool, emit: &mut dyn FnMut(Played)) {
        let mut shard = Shard::new(self.plan, self.slots, self.parallelism);
        while !halt() && shard.fill(take) {
            match catch_unwind(AssertUnwindSafe(|| shard.step())) {
                Ok(finished) => finished.into_iter().for_each(|game| emit(Ok(game))),
                Err(_) => {
                    let games = std::mem::take(&mut shard.games);
                    shard = Shard::new(self.plan, self.slots, self.parallelism);
                    games.into_iter().flatten().for_each(|game| self.alone(&game, halt, emit));
                }
            }
        }
    }

    /// Plays a single game again from its beginning.
    fn alone(&self, game: &Playing<'_>, halt: &dyn Fn() -> bool, emit: &mut dyn FnMut(Played)) {
        let number = game.number;
        let mut shard = Shard::new(self.plan, 1, self.parallelism);
        shard.games = vec![Playing::new(self.plan, number)];
        while !halt() {
            match catch_unwind(AssertUnwindSafe(|| shard.step())) {
                Ok(finished) => {
                    if let Some(game) = finished.into_iter().next() {
                        return emit(Ok(game));
                    }
                }
                Err(cause) => return emit(Err(panicked(number, &*cause))),
            }
        }
    }
}

fn panicked(number: u32, cause: &(dyn std::any::Any + Send)) -> Broken {
    Broken { number, reason: format!("it made the program panic: {}", panic_message(cause)) }
}

/// One worker's World and the games on its slots.
struct Shard<'a> {
    plan: &'a Plan,
    engine: GoEngine,
    games: Vec<Option<Playing<'a>>>,
}

impl<'a> Shard<'a> {
    fn new(plan: &'a Plan, slots: usize, parallelism: Parallelism) -> Self {
        let effort = Effort::of(plan.effort.unwrap_or_default());
        let mut engine = GoEngine::new(slots as u32).parallelism(parallelism).effort(effort);
        engine.judge_by(plan.judge.clone().unwrap_or_default());
        Self { plan, engine, games: (0..slots).map(|_| None).collect() }
    }

    /// Begins a game on each free slot while there are any. Whether a game is going on.
    fn fill(&mut self, take: impl Fn() -> Option<u32>) -> bool {
        for game in self.games.iter_mut().filter(|g| g.is_none()) {
            let Some(number) = take() else { break };
            *game = Playing::new(self.plan, number);
        }
        self.games.iter().any(Option::is_some)
    }

    /// One move in each game; the games that are over by it.
    fn step(&mut self) -> Vec<Finished> {
        for (slot, game) in self.games.iter().enumerate() {
            match game {
                Some(game) => self.engine.put(slot, game.position.clone()),
                None => self.engine.clear(slot),
            }
        }
        self.engine.analyse(AnalyseSystems::MoveEvaluation);
        let mut finished = Vec::new();
        for (slot, place) in self.games.iter_mut().enumerate() {
            let Some(game) = place else { continue };
            let list = self.engine.result::<MoveList>(slot, AnalyseSystems::MoveEvaluation);
            if let Some(end) = game.step(list.map_or(&[], |l| &l.candidates)) {
                finished.extend(place.take().map(|game| game.finish(self.plan, end)));
            } else {
                game.show(self.plan);
            }
        }
        finished
    }
}

/// The data of a game's record; `None` if it is not a complete record of this game of this plan.
#[must_use]
pub fn read(plan: &Plan, number: u32, record: &[u8]) -> Option<Entry> {
    let text = std::str::from_utf8(record).ok()?;
    match plan.domain {
        Domain::Go => go::entry(plan, number, text),
        Domain::Chess => chess::entry(plan, number, text),
        Domain::Gdl => gdl::entry(plan, number, text),
    }
}

/// `tengen run` on a scene of self-play: its few games, on this thread.
///
/// # Errors
/// The fault of the scene; the first game that could not be played.
pub fn run(case: &Case, settings: &super::Settings) -> Result<Finding, Diagnostic> {
    let (plan, games) = plan_of(case, settings)?;
    let (next, mut played) = (AtomicUsize::new(0), Vec::new());
    let slots = (games as usize).clamp(1, SLOTS);
    let worker = Worker { plan: &plan, slots, parallelism: Parallelism::Shards, interrupted: &Stop::NEVER };
    let take = || Some(next.fetch_add(1, Ordering::Relaxed) as u32 + 1).filter(|n| *n <= games);
    worker.work(&take, &|| false, &mut |game| played.push(game));
    found(case, &plan, played)
}

/// The same in the World of a batch, where every game is a job.
///
/// # Errors
/// The fault of the scene.
pub(super) fn begin(case: &Case, settings: &super::Settings) -> Result<FirstStep, Diagnostic> {
    let (plan, games) = plan_of(case, settings)?;
    let (search, case) = (Games::new(Course::whole(plan), 1..=games), case.clone());
    Ok(FirstStep::search(search, move |done| {
        let (course, played) = done.found();
        found(&case, &course.plan, played)
    }))
}

/// The plan of a scene, and its number of games.
fn plan_of(case: &Case, settings: &super::Settings) -> Result<(Plan, u32), Diagnostic> {
    let mut plan = Plan::of_case(case, case.seed)?;
    plan.judge = settings.judge.clone().or(plan.judge);
    if let Some(command) = plan.commands().next() {
        return Err(case
            .fault("players:", format!("the scene lets another program play, `{command}`"))
            .help("such a scene is played by `tengen selfplay --allow-commands`"));
    }
    let judge = plan.judge.as_ref().filter(|_| settings.judge.is_none()).map(|judge| judge.0.name());
    if let Some(command) = judge.filter(|name| judges::is_command(name) && !settings.allow_commands) {
        return Err(super::go::command_of_scene(case, &command));
    }
    // The case's seed is derived from the scene's own already.
    plan.starts.iter_mut().for_each(|start| start.seed = None);
    match case.scene.as_ref().map(|scene| &scene.task) {
        Some(Task::SelfPlay { games, .. }) => Ok((plan, *games)),
        _ => Err(Diagnostic::error("no self-play")),
    }
}

/// The result of a scene's games.
fn found(case: &Case, plan: &Plan, played: Vec<Played>) -> Result<Finding, Diagnostic> {
    let mut entries = Vec::new();
    for game in played {
        let entry = game
            .map_err(|broken| broken.reason)
            .and_then(|g| Ok((g.number, read(plan, g.number, g.record.as_bytes()).ok_or("a bad record")?)));
        entries.push(entry.map_err(|reason| case.fault("task:", format!("a game broke off: {reason}")))?);
    }
    entries.sort_by_key(|&(number, _)| number);
    let summary = Summary::of(plan, entries.iter().map(|(number, entry)| (*number, entry)));
    let signatures: Vec<String> = entries.iter().map(|(_, e)| format!("{:08x}", e.signature)).collect();
    let expect = case.scene.iter().flat_map(|scene| &scene.expect);
    let expect = expect.map(|e| expectation::check(case, e, summary.sides())).collect::<Result<_, _>>()?;
    let result = json!({ "summary": summary.json(), "signatures": signatures });
    Ok(Finding { result, expect, summary: summary.words(), ..Finding::default() })
}

/// Checks a case without playing.
///
/// # Errors
/// The fault of the scene.
pub fn check_case(case: &Case) -> Result<(), Diagnostic> {
    Plan::of_case(case, case.seed)?;
    let expectations = case.scene.iter().flat_map(|scene| &scene.expect);
    expectations
        .filter(|e| !matches!(e, Expect::Goals { .. }))
        .try_for_each(|_| Err(expectation::meaningless(case)))
}
