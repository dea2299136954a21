//! A playing search on the schedule `Expand`. Each tick is one iteration, and its jobs are the workers.
//!
//! # Source
//! Iterative deepening: D. Slate, L. Atkin, "Chess 4.5: The Northwestern University Chess Program" (1977). Aspiration
//! windows: Chess Programming Wiki.
//!
//! # Steps
//! 1. Select: one job for each worker, all with the same window and depth.
//! 2. Work: the workers search the root together and share the table. The marks of [`super::busy`] distribute the
//!    workers over the tree. The first worker to finish stops the others.
//! 3. Backup: of the finished outcomes, the first in the order of the jobs counts.
//! 4. Then a window that failed is widened. Otherwise the line is reported, and the next iteration is set up.
//!
//! # Departures
//! An alternative makes each sub-tree of a frontier a job, and searches the eldest brother first (Young Brothers Wait).
//! Here the workers share the frontier through the marks. No worker ever waits, and a tick is long compared with its
//! overhead. With brothers along the principal variation as jobs, 4 threads are at most 2.1 times as fast as one,
//! counted in nodes. 16 threads are at most 2.3 times as fast. With workers, 4 threads are 2.61 times as fast as one,
//! and 16 threads 7.16 times (`experiments/2026-11-26-search-workers.md`).
//!
//! # Invariants
//! With one worker and limits of depth or nodes, the result depends only on the game, the limits and the options.

use super::busy::Busy;
use super::report::{Info, Limits, Options, ScoreBound, SearchReport, mate_in};
use super::table::Table;
use super::worker::{AnyWorker, Counters, Outcome, RootHook, Shared, Task, Worker};
use crate::evaluation::Weights;
use crate::history::Game;
use crate::repetition::added::{AddedScheme, Compiled};
use crate::repetition::{Detect, INFINITE, Keep, MATE_BOUND, Path, Scheme, SchemeVisitor};
use crate::rules::notation;
use cozy_chess::{Color, Move};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tengen_core::Parallelism;
use tengen_search::{Searcher, Window, run_all};

/// Deepest iteration.
///
/// Origin: own choice, unmeasured.
const MAX_DEPTH: i32 = 100;
/// The least depth of an iteration with a window around the score before.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `windows`.
const WINDOW_DEPTH: i32 = 4;
/// How far that window reaches both ways at first, in centipawns.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `windows`.
const WINDOW: i32 = 14;
/// A failed window grows by this part of itself, and by this number.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `windows`.
const GROWTH: [i32; 2] = [2, 5];
/// The reach beyond which a window is opened.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `windows`.
const WIDEST: i32 = 600;

/// A listener that receives every iteration and may end the search.
pub trait Observer: Send + Sync {
    /// Reports a line; `false` ends the search (only asked for the last line of an iteration).
    fn iteration(&mut self, info: &Info) -> bool;

    /// Reports a partial result without a scored line: a failed window, or a move found in a stopped iteration.
    fn remark(&mut self, info: &Info) {
        let _ = info;
    }

    /// The receiver of root moves before they are searched. Asked once, at the start.
    fn root_hook(&self) -> Option<RootHook> {
        None
    }
}

/// A listener that does nothing.
impl Observer for () {
    fn iteration(&mut self, _info: &Info) -> bool {
        true
    }
}

/// A running search.
pub struct Think {
    game: Game,
    shared: Arc<Shared>,
    workers: Vec<Box<dyn AnyWorker>>,
    outcome: Option<Outcome>,
    task: Task,
    margin: i32,
    wanted_lines: usize,
    lines: Vec<Info>,
    pending: Vec<(Info, Vec<Move>)>,
    best_lines: Vec<Vec<Move>>,
    /// The line that failed high in this iteration; empty if none did.
    risen: Vec<Move>,
    observer: Box<dyn Observer>,
    ended_by: Option<&'static str>,
    depth_done: u32,
}

/// One worker's share of an iteration.
pub struct Job {
    worker: Box<dyn AnyWorker>,
    task: Task,
    outcome: Outcome,
}

/// The function that makes a worker, for each added scheme.
///
/// Origin: definition, functions and no number.
static WORKER: Compiled<fn(MakeWorker<'_>) -> Box<dyn AnyWorker>> = Compiled::new();

/// Compiles that function for an added scheme.
pub(crate) fn compile<D: Detect, K: Keep>(scheme: AddedScheme) {
    WORKER.add(scheme, |make| make.visit::<D, K>());
}

/// Makes the worker with this number.
struct MakeWorker<'a>(&'a Game, Arc<Shared>, usize);

impl SchemeVisitor for MakeWorker<'_> {
    type Output = Box<dyn AnyWorker>;

    fn visit<D: Detect, K: Keep>(self) -> Self::Output {
        Box::new(Worker::<D, K>::new(self.0, self.1, self.2))
    }

    fn own(self, scheme: AddedScheme) -> Self::Output {
        WORKER.of(scheme)(self)
    }
}

impl Think {
    /// A search before its first iteration.
    #[must_use]
    pub fn new(
        game: &Game,
        limits: Limits,
        options: Options,
        table: Arc<Table>,
        weights: Arc<Weights>,
        observer: Box<dyn Observer>,
    ) -> Self {
        table.age();
        table.use_marks(options.scheme.marks());
        let white = game.board().side_to_move() == Color::White;
        table.use_contempt(if white { options.contempt } else { -options.contempt });
        table.use_perpetual(if white { options.perpetual } else { -options.perpetual });
        let root_moves = notation::legal_moves(game.board())
            .into_iter()
            .filter(|mv| limits.search_moves.is_empty() || limits.search_moves.contains(mv))
            .count();
        let threads = options.threads.max(1);
        let shared = Arc::new(Shared {
            learnt: table.learnt(),
            table,
            weights,
            busy: (threads > 1).then(Busy::default),
            limits,
            options: options.clone(),
            nodes: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            iteration_done: AtomicU64::new(0),
        });
        let make = |number| options.scheme.visit(MakeWorker(game, shared.clone(), number));
        let mut workers: Vec<Box<dyn AnyWorker>> = (0..threads).map(make).collect();
        if let Some(hook) = observer.root_hook() {
            workers[0].announce(hook);
        }
        let mut think = Self {
            game: game.clone(),
            shared,
            workers,
            outcome: None,
            task: Task::default(),
            margin: 0,
            wanted_lines: options.multi_pv.clamp(1, root_moves.max(1)),
            lines: Vec::new(),
            pending: Vec::new(),
            best_lines: Vec::new(),
            risen: Vec::new(),
            observer,
            ended_by: (root_moves == 0).then_some("moves"),
            depth_done: 0,
        };
        think.aim(1);
        think
    }

    /// A search before its first iteration, with a table of its own size in MiB and no listener.
    #[must_use]
    pub fn of_table_size(game: &Game, limits: Limits, options: Options, table_mib: usize) -> Self {
        let table = Table::with_mib(table_mib).or_else(|| Table::with_entries(1 << 12));
        let table = Arc::new(table.expect("two thousand entries fit in memory"));
        Self::new(game, limits, options, table, Arc::new(Weights::default()), Box::new(()))
    }

    /// Sets up the first window of a line at a depth.
    fn aim(&mut self, depth: i32) {
        let earlier = self.lines.get(self.pending.len()).map(|info| self.searched(info.score));
        self.margin = WINDOW;
        let (alpha, beta) = match earlier {
            Some(score) if depth >= WINDOW_DEPTH && score.abs() < MATE_BOUND => {
                (score - self.margin, score + self.margin)
            }
            _ => (-INFINITE, INFINITE),
        };
        let excluded = self.pending.iter().filter_map(|(_, pv)| pv.first().copied()).collect();
        self.risen.clear();
        self.task = Task { serial: self.task.serial + 1, depth, alpha, beta, excluded };
    }

    /// The reported score of a searched one. The contempt is taken out, so that a draw is minus the contempt.
    fn told(&self, score: i32) -> i32 {
        if score.abs() < MATE_BOUND { score - self.shared.options.contempt } else { score }
    }

    /// The inverse of [`Self::told`].
    fn searched(&self, score: i32) -> i32 {
        if score.abs() < MATE_BOUND { score + self.shared.options.contempt } else { score }
    }

    /// Step 4.
    fn advance(&mut self, outcome: Outcome) {
        if !outcome.finished {
            self.settle(outcome);
            return;
        }
        let (score, task) = (outcome.score, &mut self.task);
        let failed = if score <= task.alpha && task.alpha > -INFINITE {
            task.beta = (task.alpha + task.beta) / 2;
            task.alpha = (score - self.margin).max(-INFINITE);
            true
        } else if score >= task.beta && task.beta < INFINITE {
            task.beta = (score + self.margin).min(INFINITE);
            true
        } else {
            false
        };
        if failed {
            self.remark_failure(&outcome);
            // What failed high is the best move known, should the search end before its value is.
            if self.pending.is_empty() && !outcome.pv.is_empty() {
                self.risen = outcome.pv;
            }
            self.margin += self.margin / GROWTH[0] + GROWTH[1];
            if self.margin > WIDEST {
                (self.task.alpha, self.task.beta) = (-INFINITE, INFINITE);
            }
            self.task.serial += 1;
            return;
        }
        self.take_line(&outcome);
        if self.pending.len() < self.wanted_lines {
            self.aim(self.task.depth);
            return;
        }
        self.finish_iteration();
    }

    /// Reports a failed window, with the best known line.
    fn remark_failure(&mut self, outcome: &Outcome) {
        let high = !outcome.pv.is_empty();
        let known = self.lines.get(self.pending.len()).map(|info| info.pv.clone());
        let mut info = self.info(outcome);
        info.bound = if high { ScoreBound::Lower } else { ScoreBound::Upper };
        info.pv = if high { info.pv } else { known.unwrap_or_default() };
        self.observer.remark(&info);
    }

    fn take_line(&mut self, outcome: &Outcome) {
        self.pending.push((self.info(outcome), outcome.pv.clone()));
    }

    fn info(&self, outcome: &Outcome) -> Info {
        let counters = self.counters();
        Info {
            depth: self.task.depth as u32,
            seldepth: counters.seldepth as u32,
            multi_pv: self.pending.len() + 1,
            score: self.told(outcome.score),
            bound: ScoreBound::Exact,
            path: self.path(outcome),
            shadow: outcome.range.map(|(lower, upper)| (self.told(lower), self.told(upper))),
            nodes: counters.nodes,
            full: self.shared.table.full(),
            pv: self.game.line_texts(&outcome.pv),
        }
    }

    /// The grounds of an outcome's score.
    fn path(&self, outcome: &Outcome) -> Path {
        let scheme = self.shared.options.scheme;
        let events = self.counters().met_game || self.shared.table.met_game();
        outcome
            .grounds
            .map_or(Path::Unknown, |grounds| Path::judge(grounds, events, scheme == Scheme::Exact, true))
    }

    fn finish_iteration(&mut self) {
        let nodes = self.counters().nodes;
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_by_key(|(info, _)| -info.score);
        for (index, (info, _)) in pending.iter_mut().enumerate() {
            // The lines are told together, at one count of nodes.
            (info.multi_pv, info.nodes) = (index + 1, nodes);
        }
        (self.lines, self.best_lines) = pending.into_iter().unzip();
        self.depth_done = self.task.depth as u32;
        let mut go_on = true;
        for info in &self.lines {
            go_on = self.observer.iteration(info);
        }
        let limits = &self.shared.limits;
        let best = self.lines[0].score;
        let mate =
            mate_in(best).zip(limits.mate).is_some_and(|(found, wanted)| found > 0 && found <= wanted as i32);
        self.ended_by = if limits.depth.is_some_and(|depth| self.task.depth >= depth.max(1) as i32) {
            Some("depth")
        } else if mate {
            Some("mate")
        } else if limits.nodes.is_some_and(|nodes| self.counters().nodes >= nodes) {
            Some("nodes")
        } else if !go_on || self.shared.stopped.load(Relaxed) || limits.stop.now() {
            Some("stop")
        } else if self.task.depth >= MAX_DEPTH {
            Some("max_depth")
        } else {
            None
        };
        if self.ended_by.is_none() {
            self.aim(self.task.depth + 1);
        }
    }

    /// Ends a search that was stopped inside an iteration. It takes a new best first move found there, also one that
    /// failed high in an earlier window of the iteration.
    fn settle(&mut self, outcome: Outcome) {
        let spent = self.shared.limits.nodes.is_some_and(|nodes| self.counters().nodes >= nodes);
        self.ended_by = Some(if spent { "nodes" } else { "stop" });
        let risen = if outcome.pv.is_empty() { std::mem::take(&mut self.risen) } else { outcome.pv };
        if self.lines.is_empty() {
            self.settle_first(risen);
            return;
        }
        if self.pending.is_empty() && !risen.is_empty() && risen.first() != self.best_lines[0].first() {
            let texts = self.game.line_texts(&risen);
            let score = self.lines[0].score;
            self.promote(&risen);
            let info = &mut self.lines[0];
            // The score is that of the line found before; of the new one it is only known that it came out better.
            (info.pv, info.path) = (texts, Path::Unknown);
            (info.score, info.bound, info.shadow) = (score, ScoreBound::Lower, None);
            self.best_lines[0] = risen;
        }
        self.lines[0].nodes = self.counters().nodes;
        self.observer.remark(&self.lines[0]);
    }

    /// Puts the line that begins like this one first, if there is one. The line before takes its place.
    fn promote(&mut self, risen: &[Move]) {
        let twin = self.best_lines.iter().position(|line| line.first() == risen.first());
        if let Some(at) = twin {
            self.best_lines.swap(0, at);
            self.lines.swap(0, at);
            (self.lines[0].multi_pv, self.lines[at].multi_pv) = (1, at + 1);
        }
    }

    /// The same inside the first iteration: the best first move found, else any legal one, with unknown value.
    fn settle_first(&mut self, mut risen: Vec<Move>) {
        if risen.is_empty() {
            let wanted = &self.shared.limits.search_moves;
            let fits = |mv: &Move| wanted.is_empty() || wanted.contains(mv);
            risen.extend(notation::legal_moves(self.game.board()).into_iter().find(fits));
        }
        self.pending.clear();
        self.take_line(&Outcome { pv: risen.clone(), ..Outcome::default() });
        (self.lines, self.best_lines) = self.pending.drain(..).unzip();
    }

    /// The game whose last position is searched.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The options of the search.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// The table, which other searches may share.
    #[must_use]
    pub fn table(&self) -> &Arc<Table> {
        &self.shared.table
    }

    /// Whether no job is under way. Only then are [`Self::counters`] and [`Self::report`] complete.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.workers.len() == self.shared.options.threads.max(1)
    }

    /// The last finished iteration, 0 before the first.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth_done
    }

    /// The limit that ended the search; see [`SearchReport::ended_by`].
    #[must_use]
    pub fn ended_by(&self) -> Option<&'static str> {
        self.ended_by
    }

    /// The best lines of the last finished iteration, best first, with their moves. A search that was stopped later may
    /// have put another move first.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = (&Info, &[Move])> {
        self.lines.iter().zip(self.best_lines.iter().map(Vec::as_slice))
    }

    /// Sums over workers.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.workers.iter().map(|w| w.counters()).fold(Counters::default(), |a, b| Counters {
            nodes: a.nodes + b.nodes,
            seldepth: a.seldepth.max(b.seldepth),
            table_hits: a.table_hits + b.table_hits,
            refused: a.refused + b.refused,
            dependent: a.dependent + b.dependent,
            closed: a.closed + b.closed,
            misjudged: a.misjudged.and(b.misjudged),
            met_game: a.met_game | b.met_game,
        })
    }

    /// The answer so far.
    #[must_use]
    pub fn report(&self) -> SearchReport {
        let counters = self.counters();
        let first = self.lines.first();
        let text = |index: usize| first.and_then(|info| info.pv.get(index)).cloned();
        let no_moves = if self.game.board().checkers().is_empty() { 0 } else { -crate::repetition::MATE };
        SearchReport {
            best: text(0),
            ponder: text(1),
            score: first.map_or(no_moves, |info| info.score),
            path: first.map_or(Path::Nothing, |info| info.path),
            depth: self.depth_done,
            seldepth: counters.seldepth as u32,
            nodes: counters.nodes,
            table_hits: counters.table_hits,
            refused: counters.refused,
            dependent: counters.dependent,
            closed: counters.closed,
            misjudged: counters.misjudged,
            ended_by: self.ended_by.unwrap_or("running"),
            lines: self.lines.clone(),
        }
    }
}

impl Searcher for Think {
    type Job = Job;

    fn name(&self) -> &'static str {
        "chess/search"
    }

    fn window(&self) -> Window {
        Window::rounds(self.shared.options.threads.max(1))
    }

    fn select(&mut self, _room: usize, jobs: &mut Vec<Job>) {
        if self.ended_by.is_none() {
            let task = &self.task;
            jobs.extend(self.workers.drain(..).map(|worker| Job {
                worker,
                task: task.clone(),
                outcome: Outcome::default(),
            }));
        }
    }

    fn work(job: &mut Job) {
        job.outcome = job.worker.iterate(&job.task);
    }

    fn backup(&mut self, job: Job) {
        self.workers.push(job.worker);
        let better = job.outcome.finished && !self.outcome.as_ref().is_some_and(|o| o.finished);
        if better || self.outcome.is_none() {
            self.outcome = Some(job.outcome);
        }
        if self.is_at_rest()
            && let Some(outcome) = self.outcome.take()
        {
            self.advance(outcome);
        }
    }

    fn finished(&self) -> bool {
        self.ended_by.is_some()
    }

    /// Finished iterations.
    fn news(&self) -> u64 {
        u64::from(self.depth_done)
    }

    fn stop(&mut self) {
        self.shared.stopped.store(true, Relaxed);
        if self.is_at_rest() && self.ended_by.is_none() {
            self.settle(Outcome::default());
        }
    }
}

/// Searches one position with a table of its own size in MiB. The result is deterministic with one thread and no
/// `stop`.
#[must_use]
pub fn search(game: &Game, limits: Limits, options: Options, table_mib: usize) -> SearchReport {
    let table = Table::with_mib(table_mib).or_else(|| Table::with_entries(1 << 12));
    let table = Arc::new(table.expect("two thousand entries fit in memory"));
    search_with(game, limits, options, table, Arc::new(Weights::default()), Box::new(()))
}

/// Searches one position with all settings given.
#[must_use]
pub fn search_with(
    game: &Game,
    limits: Limits,
    options: Options,
    table: Arc<Table>,
    weights: Arc<Weights>,
    observer: Box<dyn Observer>,
) -> SearchReport {
    let threads = options.threads.max(1);
    let think = Think::new(game, limits, options, table, weights, observer);
    // Without threads of our own the jobs run one after the other, and the search is still right.
    let pool =
        (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
    let done = match pool {
        Some(pool) => pool.install(|| run_all(vec![think], Parallelism::Inside)),
        None => run_all(vec![think], Parallelism::Shards),
    };
    done.first().expect("as many searches come back as went in").report()
}
