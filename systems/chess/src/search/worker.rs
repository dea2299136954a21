//! A worker of the playing search: the state of one thread, and the search of the root. The caller asks for one
//! iteration at a time, with its aspiration window.

use super::MAX_PLY;
use super::busy::Busy;
use super::constants::MOST_LEARNING;
use super::order::{Arrival, Histories, Learnt};
use super::picker::{Picker, Scratch};
use super::report::{Limits, Options};
use super::table::Table;
use crate::evaluation::{Evaluator, Placed, Weights};
use crate::history::{Game, Line};
use crate::repetition::{Detect, Grounds, INFINITE, Keep, Misjudged, OpenMarks};
use cozy_chess::{Board, Color, Move};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Nodes between two looks at the limits, a power of two.
///
/// Origin: own choice, unmeasured.
const POLL: u64 = 1024;

/// The data that the workers of a search share.
#[derive(Debug)]
pub struct Shared {
    /// The transposition table.
    pub table: Arc<Table>,
    /// Histories.
    pub learnt: Arc<Learnt>,
    /// Evaluation weights.
    pub weights: Arc<Weights>,
    /// The moves that some worker is searching; only with more than one worker.
    pub busy: Option<Busy>,
    /// The limits.
    pub limits: Limits,
    /// The options.
    pub options: Options,
    /// Nodes of all workers, updated at intervals.
    pub nodes: AtomicU64,
    /// Whether a limit was reached and all workers must stop.
    pub stopped: AtomicBool,
    /// The serial number of the last iteration that some worker has finished.
    pub iteration_done: AtomicU64,
}

/// The task of one iteration.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Counts iterations of the search, aspiration steps included; from 1.
    pub serial: u64,
    /// Depth.
    pub depth: i32,
    /// Window.
    pub alpha: i32,
    /// Window.
    pub beta: i32,
    /// Root moves taken by better lines.
    pub excluded: Vec<Move>,
}

/// The outcome of an iteration.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether the iteration was finished; a stopped one may still have a line of its first moves.
    pub finished: bool,
    /// Score, if finished.
    pub score: i32,
    /// Best line; empty if nothing raised alpha.
    pub pv: Vec<Move>,
    /// The grounds of the score, as far as its moves show them.
    pub grounds: Option<Grounds>,
    /// The range it would lie in without repetitions in the tree, if the scheme follows it.
    pub range: Option<(i32, i32)>,
}

/// Counters of one worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// Positions entered.
    pub nodes: u64,
    /// Deepest ply.
    pub seldepth: usize,
    /// Nodes ended by the table.
    pub table_hits: u64,
    /// Stored bounds weakened because of the path.
    pub refused: u64,
    /// Closed nodes that depend on the path.
    pub dependent: u64,
    /// Closed nodes.
    pub closed: u64,
    /// Wrong answers of an unconfirmed detector.
    pub misjudged: Misjudged,
    /// Whether a game event happened ([`crate::repetition::path`]).
    pub met_game: bool,
}

/// A listener for each root move before it is searched: the depth, the move, and its number from 1.
pub type RootHook = Arc<dyn Fn(u32, Move, usize) + Send + Sync>;

/// A worker of any scheme.
pub trait AnyWorker: Send + Sync {
    /// Sets the listener for root moves.
    fn announce(&mut self, hook: RootHook);
    /// Does one iteration.
    fn iterate(&mut self, task: &Task) -> Outcome;
    /// Its counters.
    fn counters(&self) -> Counters;
}

/// The data of a node for the nodes below and above.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) evaluation: i32,
    pub(super) arrival: Option<Arrival>,
    pub(super) excluded: Option<Move>,
    pub(super) pv: Vec<Move>,
}

/// One thread of a search with detector `D` and keeper `K`.
pub struct Worker<D, K> {
    pub(super) shared: Arc<Shared>,
    pub(super) line: Line,
    pub(super) detect: D,
    pub(super) histories: Box<Histories>,
    pub(super) frames: Vec<Frame>,
    pub(super) counters: Counters,
    pub(super) aborted: bool,
    pub(super) task: Task,
    /// The ply below which no null move is tried (verification).
    pub(super) no_null_until: usize,
    /// The listener for root moves.
    pub(super) hook: Option<RootHook>,
    root: Placed,
    /// The contempt added to evaluations, by the side to move.
    shift: [i32; 2],
    evaluator: Evaluator,
    flushed: u64,
    scratch: Vec<Scratch>,
    lists: Vec<Vec<Move>>,
    keeper: PhantomData<fn() -> K>,
}

impl<D: Detect, K: Keep> Worker<D, K> {
    /// A worker at the root of a game; `number` identifies the worker.
    #[must_use]
    pub fn new(game: &Game, shared: Arc<Shared>, number: usize) -> Self {
        let line = game.line(shared.options.policy);
        let marks: Arc<dyn OpenMarks> = shared.table.clone();
        let mut detect = D::new(&marks, number);
        detect.begin(&line);
        let met_game = D::IN_TABLE && line.game_keys().count() > 1;
        let root = Placed::new(game.board(), &shared.weights);
        let mut shift = [-shared.options.contempt; 2];
        shift[game.board().side_to_move() as usize] = shared.options.contempt;
        Self {
            line,
            detect,
            histories: Box::new(Histories::new(shared.learnt.clone())),
            frames: vec![Frame::default(); MAX_PLY + 8],
            counters: Counters { met_game, ..Counters::default() },
            aborted: false,
            task: Task::default(),
            no_null_until: 0,
            hook: None,
            root,
            shift,
            evaluator: Evaluator::default(),
            flushed: 0,
            scratch: Vec::new(),
            lists: Vec::new(),
            shared,
            keeper: PhantomData,
        }
    }

    pub(super) fn take_scratch(&mut self) -> Scratch {
        self.scratch.pop().unwrap_or_default()
    }

    pub(super) fn give_scratch(&mut self, picker: Picker) {
        self.scratch.push(picker.scratch());
    }

    /// An empty list of moves from the pool.
    pub(super) fn take_list(&mut self) -> Vec<Move> {
        self.lists.pop().unwrap_or_else(|| Vec::with_capacity(MOST_LEARNING))
    }

    pub(super) fn give_list(&mut self, mut list: Vec<Move>) {
        list.clear();
        self.lists.push(list);
    }

    /// Counts a node and returns whether to stop. The first iteration counts nodes by the thousand, so that a search
    /// with few nodes still gives a searched move.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        self.counters.nodes += 1;
        self.counters.seldepth = self.counters.seldepth.max(ply);
        let alone = self.shared.busy.is_none();
        if alone {
            if self.shared.limits.nodes.is_some_and(|limit| self.counters.nodes >= limit)
                && self.task.depth > 1
            {
                self.aborted = true;
            }
        } else if self.shared.iteration_done.load(Relaxed) >= self.task.serial {
            self.aborted = true;
        }
        if self.counters.nodes & (POLL - 1) == 0 {
            self.poll(alone);
        }
        self.aborted
    }

    #[cold]
    fn poll(&mut self, alone: bool) {
        let nodes = self.flush();
        let counted = !alone || self.task.depth <= 1;
        let spent = counted && self.shared.limits.nodes.is_some_and(|limit| nodes >= limit);
        if spent || self.shared.limits.stop.now() {
            self.shared.stopped.store(true, Relaxed);
        }
        self.aborted |= self.shared.stopped.load(Relaxed);
    }

    /// Adds the own nodes to the shared count and returns that.
    fn flush(&mut self) -> u64 {
        let new = self.counters.nodes - self.flushed;
        self.flushed = self.counters.nodes;
        self.shared.nodes.fetch_add(new, Relaxed) + new
    }

    /// The static evaluation.
    #[inline]
    pub(super) fn evaluate(&mut self, placed: &Placed) -> i32 {
        self.evaluator.evaluate(placed, &self.shared.weights)
    }

    /// The side to move at the root.
    pub(super) fn root_side(&self) -> Color {
        self.root.board().side_to_move()
    }

    /// The contempt added to an evaluation of this position.
    #[inline]
    pub(super) fn shift(&self, board: &Board) -> i32 {
        self.shift[board.side_to_move() as usize]
    }

    /// An evaluation, corrected by search results on such positions, and with the contempt.
    #[inline]
    pub(super) fn judged(&self, board: &Board, raw: i32) -> i32 {
        self.histories.corrected(board, raw) + self.shift(board)
    }

    /// Stores the evaluation after a null move.
    #[inline]
    pub(super) fn evaluate_passed(&mut self, after: &Placed, before: i32) {
        self.evaluator.pass(after, before, &self.shared.weights);
    }

    /// Arrivals 1, 2 and 4 plies before the node at `ply`.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> [Option<Arrival>; 3] {
        let of = |back: usize| if ply >= back { self.frames[ply - back].arrival } else { None };
        [of(1), of(2), of(4)]
    }
}

impl<D: Detect, K: Keep> AnyWorker for Worker<D, K> {
    fn announce(&mut self, hook: RootHook) {
        self.hook = Some(hook);
    }

    fn iterate(&mut self, task: &Task) -> Outcome {
        self.task = task.clone();
        self.aborted = false;
        let root = self.root.clone();
        self.frames[0].pv.clear();
        let (score, trace) = self.node(&root, task.alpha, task.beta, task.depth, false);
        self.flush();
        let finished = !self.aborted;
        if finished && self.shared.busy.is_some() {
            self.shared.iteration_done.fetch_max(task.serial, Relaxed);
        }
        let score = score.clamp(-INFINITE, INFINITE);
        let range = K::range(trace).map(|range| (range.lower, range.upper));
        let counters = self.counters();
        // Of whatever scheme: a search that leaves moves out has no proofs, so its table holds what the draw has steered.
        if counters.met_game || counters.misjudged != Misjudged::default() {
            self.shared.table.note_game();
        }
        Outcome { finished, score, pv: self.frames[0].pv.clone(), grounds: Some(K::grounds(trace)), range }
    }

    fn counters(&self) -> Counters {
        Counters { misjudged: self.detect.misjudged(), ..self.counters }
    }
}
