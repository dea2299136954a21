//! Fixed-depth alpha-beta with a table, generic over the detector of repetitions and the keeper of the table.
//!
//! # Source
//! Alpha-beta: Knuth and Moore, *An analysis of alpha-beta pruning* (1975), in the fail-soft form. The value: the
//! definition of the repetition suite. Several workers: the marks of [`crate::search::busy`]. The replay of a proof:
//! Kawano's simulation, after Kishimoto and Müller ([`crate::repetition::twin`]).
//!
//! # Steps
//! 1. A repetition under the policy is a draw. Its rest is the ply of the position that it rests on.
//! 2. A node without a legal move is mate or stalemate. At depth 0 the value is the material.
//! 3. Probe the table, only for entries of equal draft. Bounds that the keeper admits on this line may cut the node
//!    off. Keepers with twins look for a twin entry, and then replay a proof.
//! 4. Optionally look for an upcoming repetition. If the side to move can reach a draw by repetition, alpha is at least
//!    the value of a draw.
//! 5. Search the moves: the table move, captures, killers, and the other moves by history. With several workers, a move
//!    that another worker is searching is put off.
//! 6. The keeper closes the node and decides what may be stored.
//!
//! # Departures
//! Iterations of growing depth serve only the move ordering. An entry of another draft gives no value, because values
//! of different depths differ. So the draft is part of the key.
//!
//! # Invariants
//! Under an exact scheme, the value is that of the definition, for any number of workers and any timing. Every bound is
//! true where the search uses it. The table stores only such bounds.
//!
//! # Cost
//! The cost is that of alpha-beta with a table. docs/chess-repetition-figures.md has the cost of each keeper.

use super::material;
use super::report::{ExactOptions, ExactReport};
use super::tree::Recorder;
use crate::history::{Game, Key, Line, NEVER, identity};
use crate::repetition::added::{AddedScheme, Compiled};
use crate::repetition::keep::{Bounds, Edge, Keep, Known, Result as NodeResult, absolute, relative};
use crate::repetition::twin::code_of;
use crate::repetition::upcoming::upcoming;
use crate::repetition::{DRAW, Detect, INFINITE, MATE, Misjudged, OpenMarks, Path, SchemeVisitor};
use crate::search::Table;
use crate::search::busy::Busy;
use crate::search::table::{Entry, NO_EVALUATION};
use cozy_chess::{Board, Move, Piece};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tengen_core::Stop;

/// Searches the game's position.
#[must_use]
pub fn solve(game: &Game, options: ExactOptions) -> ExactReport {
    search(game, options, &Stop::NEVER).0
}

/// The same; `None` if `stop` ended it before the value was known.
#[must_use]
pub fn solve_until(game: &Game, options: ExactOptions, stop: &Stop) -> Option<ExactReport> {
    let (report, finished) = search(game, options, stop);
    finished.then_some(report)
}

/// The report, and whether the search is complete.
type Report = (ExactReport, bool);

fn search(game: &Game, options: ExactOptions, stop: &Stop) -> Report {
    options.scheme.visit(Solve { game, options, stop })
}

/// The function for each added scheme.
static SOLVE: Compiled<fn(Solve<'_>) -> Report> = Compiled::new();

/// Compiles the function for an added scheme.
pub(crate) fn compile<D: Detect, K: Keep>(scheme: AddedScheme) {
    SOLVE.add(scheme, |solve| solve.visit::<D, K>());
}

/// Searches by all workers.
struct Solve<'a> {
    game: &'a Game,
    options: ExactOptions,
    stop: &'a Stop,
}

impl SchemeVisitor for Solve<'_> {
    type Output = Report;

    fn visit<D: Detect, K: Keep>(self) -> Self::Output {
        let team = Team::new(self.options, self.stop);
        let threads = self.options.threads.max(1);
        let run = |number: usize| {
            let mut searcher = Searcher::<D, K>::new(self.game, self.options, &team, number);
            searcher.iterate(self.game.board());
            searcher.conclude()
        };
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok());
        let reports: Vec<(ExactReport, bool, bool)> = match pool.flatten() {
            // A worker that comes late finds the search done.
            Some(pool) => pool.broadcast(|context| run(context.index())),
            None => vec![run(0)],
        };
        let first = reports.iter().position(|(_, finished, _)| *finished);
        let finished = first.unwrap_or(0);
        let met_game = reports.iter().any(|(_, _, met_game)| *met_game);
        let mut report = reports[finished].0;
        for (index, (other, ..)) in reports.iter().enumerate() {
            report = if index == finished { report } else { report.and(other) };
        }
        if !K::PROVES && report.path.is_free() && met_game {
            report.path = Path::Unknown;
        }
        (report, first.is_some())
    }

    fn own(self, scheme: AddedScheme) -> Report {
        SOLVE.of(scheme)(self)
    }
}

/// The data that the workers of a search share.
pub(super) struct Team {
    table: Arc<Table>,
    busy: Option<Busy>,
    done: AtomicBool,
    stop: Stop,
}

impl Team {
    pub(super) fn new(options: ExactOptions, stop: &Stop) -> Self {
        let table = Table::with_entries(1 << options.table_bits).or_else(|| Table::with_entries(1 << 10));
        let table = Arc::new(table.expect("a thousand entries fit in memory"));
        table.use_marks(options.scheme.marks());
        let busy = (options.threads > 1).then(Busy::default);
        Self { table, busy, done: AtomicBool::new(false), stop: stop.clone() }
    }
}

/// One worker.
pub(super) struct Searcher<'a, D, K> {
    pub(super) line: Line,
    detect: D,
    team: &'a Team,
    options: ExactOptions,
    killers: [[Option<Move>; 2]; 256],
    history: Vec<i32>,
    report: ExactReport,
    /// Whether a game event happened: something that would not have happened under the empty history.
    met_game: bool,
    finished: bool,
    aborted: bool,
    /// Look-ups that a replay may still make.
    replay_left: u32,
    /// Whether the replay, or the replayed proof, met a draw by recurrence.
    replay_recurs: bool,
    pub(super) recorder: Option<Recorder>,
    keeper: std::marker::PhantomData<K>,
}

/// A value and its grounds.
type Valued<K> = (i32, <K as Keep>::Trace);

/// The least depth at which workers put off each other's moves.
const APART: u32 = 3;

/// The most positions that a replay may visit.
const REPLAY: u32 = 4096;

impl<'a, D: Detect, K: Keep> Searcher<'a, D, K> {
    pub(super) fn new(game: &Game, options: ExactOptions, team: &'a Team, number: usize) -> Self {
        let line = game.line(options.policy);
        let marks: Arc<dyn OpenMarks> = team.table.clone();
        let mut detect = D::new(&marks, number);
        detect.begin(&line);
        let met_game = D::IN_TABLE && line.game_keys().count() > 1;
        Self {
            line,
            detect,
            team,
            options,
            killers: [[None; 2]; 256],
            history: vec![0; 64 * 64 * 2],
            report: ExactReport::default(),
            met_game,
            finished: false,
            aborted: false,
            replay_left: 0,
            replay_recurs: false,
            recorder: None,
            keeper: std::marker::PhantomData,
        }
    }

    /// All depths in turn.
    pub(super) fn iterate(&mut self, board: &Board) {
        for depth in 0..=self.options.depth {
            if let Some(recorder) = &mut self.recorder {
                recorder.clear();
            }
            let (value, trace) = self.node(board, depth, -INFINITE, INFINITE);
            if self.aborted {
                return;
            }
            let events = self.met_game || self.detect.misjudged() != Misjudged::default();
            self.report.value = value;
            self.report.path = Path::judge(K::grounds(trace), events, K::PROVES, false);
        }
        self.finished = !self.team.done.swap(true, Relaxed);
    }

    /// The report, whether this worker was the first to finish, and whether it met a draw with the game.
    pub(super) fn conclude(self) -> (ExactReport, bool, bool) {
        let misjudged = self.detect.misjudged();
        let met_game = self.met_game || misjudged != Misjudged::default();
        (ExactReport { misjudged, ..self.report }, self.finished, met_game)
    }

    /// A node, with its entry in the record if there is one.
    fn node(&mut self, board: &Board, depth: u32, alpha: i32, beta: i32) -> Valued<K> {
        if self.recorder.is_none() {
            return self.search(board, depth, alpha, beta);
        }
        let ply = self.line.ply();
        let place = self.recorder.as_mut().and_then(|r| r.enter(ply, depth, alpha, beta));
        let (value, trace) = self.search(board, depth, alpha, beta);
        if let Some(recorder) = &mut self.recorder {
            recorder.leave(place, value, K::grounds(trace), K::range(trace));
        }
        (value, trace)
    }

    fn record(&mut self, note: impl FnOnce(&mut Recorder)) {
        if let Some(recorder) = &mut self.recorder {
            note(recorder);
        }
    }

    fn search(&mut self, board: &Board, depth: u32, mut alpha: i32, beta: i32) -> Valued<K> {
        self.report.nodes += 1;
        self.aborted |= self.team.busy.is_some() && self.team.done.load(Relaxed);
        self.aborted |= self.report.nodes & 1023 == 0 && self.team.stop.now();
        if self.aborted {
            return (DRAW, K::free(DRAW));
        }
        let ply = self.line.ply();
        // Step 1.
        if ply > 0
            && let Some(rest) = self.detect.draw(&self.line)
        {
            self.met_game |= rest < 0;
            self.record(|r| r.draw(rest, "repetition"));
            return (DRAW, self.draw_open(rest, depth));
        }
        // Step 2.
        let (table_move, alpha_start) = (self.table_move(depth), alpha);
        if depth == 0 {
            let value = terminal(board, ply).unwrap_or_else(|| material(board));
            self.record(|r| r.leaf());
            return (value, K::free(value));
        }
        // Step 3.
        if ply > 0
            && let Some(cut) = self.probe(board, depth, alpha, beta)
        {
            return cut;
        }
        let moves = self.ordered(board, table_move);
        if moves.is_empty() {
            let value = terminal(board, ply).unwrap_or(DRAW);
            self.record(|r| r.leaf());
            return (value, K::free(value));
        }
        let (mut best, mut gather) = (-INFINITE, K::open());
        // Step 4.
        if self.options.upcoming
            && ply > 0
            && let Some(rest) = upcoming(board, &self.line)
        {
            self.met_game |= rest < 0;
            self.record(|r| r.draw(rest, "upcoming"));
            best = DRAW;
            alpha = alpha.max(DRAW);
            let edge = Edge { key: self.line.key(), reversible: false, score: DRAW, best: true };
            K::add(&mut gather, K::draw(rest), edge);
        }
        // Step 5.
        let (best, best_move, moves_left) =
            self.moves(board, depth, (alpha, beta), &moves, best, &mut gather);
        if self.aborted {
            return (DRAW, K::free(DRAW));
        }
        if best >= beta {
            self.reward(board, best_move, depth);
        }
        // Step 6.
        let closed = K::close(&gather, NodeResult { ply, best, alpha: alpha_start, beta, moves_left });
        self.report.closed += 1;
        self.report.dependent += u64::from(K::grounds(closed.trace).rest != NEVER);
        let mut known = closed.keep;
        self.record(|r| r.kept(known, K::grounds(closed.trace)));
        known.bounds = relative(known.bounds, i32::from(ply));
        let known = K::on_path(known, &self.line);
        self.put(self.key_at(depth), depth, best_move.or(table_move), known);
        if K::TWINS && known.filter.low != 0 {
            self.put(self.twin_at(depth), depth, best_move.or(table_move), known);
        }
        (best, closed.trace)
    }

    /// Step 5: the best value, its move if one raised alpha, and whether moves were left out by a cutoff.
    fn moves(
        &mut self,
        board: &Board,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        moves: &[(i32, Move)],
        mut best: i32,
        gather: &mut K::Gather,
    ) -> (i32, Option<Move>, bool) {
        let (mut best_move, mut searched, mut put_off) = (None, 0, Vec::new());
        self.detect.enter(&self.line);
        let mut index = 0;
        while best < beta && !self.aborted {
            let first_time = index < moves.len();
            let Some(mv) = (if first_time { Some(moves[index].1) } else { put_off.pop() }) else { break };
            index += 1;
            let mut child = board.clone();
            child.play_unchecked(mv);
            let key = identity(&child);
            if first_time && searched > 0 && self.is_busy(key, depth) {
                put_off.push(mv);
                continue;
            }
            let reversible = self.line.push(board, &child, key);
            self.record(|r| r.play(board, mv));
            self.start(key, depth);
            let (value, trace) = self.node(&child, depth - 1, -beta, -alpha);
            self.finish(key, depth);
            self.line.pop();
            let score = -value;
            searched += 1;
            K::add(gather, trace, Edge { key, reversible, score, best: score > best });
            if K::EARLY && !self.aborted {
                self.update_early(depth, gather);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                }
            }
        }
        self.detect.leave(&self.line);
        (best, best_move, searched < moves.len())
    }

    fn is_busy(&self, key: Key, depth: u32) -> bool {
        depth >= APART && self.team.busy.as_ref().is_some_and(|busy| busy.is_busy(key, depth as i32))
    }

    fn start(&self, key: Key, depth: u32) {
        if let Some(busy) = self.team.busy.as_ref().filter(|_| depth >= APART) {
            busy.start(key, depth as i32);
        }
    }

    fn finish(&self, key: Key, depth: u32) {
        if let Some(busy) = self.team.busy.as_ref().filter(|_| depth >= APART) {
            busy.finish(key, depth as i32);
        }
    }

    /// Step 1, for keepers that read the table's entry of the open node. The posting on shadow scores takes the entry
    /// of the open node itself, whose draft is greater by the plies between.
    fn draw_open(&self, rest: i16, depth: u32) -> K::Trace {
        if !K::EARLY || rest < 0 {
            return K::draw(rest);
        }
        let ply = self.line.ply();
        let draft = if K::ANY_DRAFT { depth + u32::from((ply - rest).unsigned_abs()) } else { depth };
        let entry = self.team.table.get(self.key_at(draft));
        K::draw_open(rest, entry.map(|entry| absolute(entry.known.bounds, i32::from(ply))))
    }

    /// The early update: writes the results of the moves so far to the entry of the open node.
    fn update_early(&self, depth: u32, gather: &K::Gather) {
        let bounds = K::running(gather);
        if bounds.lower > -INFINITE {
            let bounds = relative(bounds, i32::from(self.line.ply()));
            self.put(self.key_at(depth), depth, None, Known::plain(bounds, true));
        }
    }

    /// The key of the current position's entry of this draft.
    fn key_at(&self, depth: u32) -> Key {
        self.line.key() ^ u64::from(depth + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The key of its entry for this path alone.
    fn twin_at(&self, depth: u32) -> Key {
        self.key_at(depth) ^ code_of(&self.line).rotate_left(17)
    }

    fn put(&self, key: Key, depth: u32, best: Option<Move>, known: Known) {
        let draft = i32::try_from(depth).unwrap_or(i32::MAX);
        self.team.table.put(key, &Entry { best, older: false, known, evaluation: NO_EVALUATION, draft });
    }

    fn table_move(&self, depth: u32) -> Option<Move> {
        let of = |depth| self.team.table.get(self.key_at(depth)).and_then(|entry| entry.best);
        of(depth).or_else(|| of(depth.saturating_sub(1)))
    }

    /// Step 3.
    fn probe(&mut self, board: &Board, depth: u32, alpha: i32, beta: i32) -> Option<Valued<K>> {
        let mut known = self.team.table.get(self.key_at(depth))?.known;
        known.bounds = absolute(known.bounds, i32::from(self.line.ply()));
        let (mut bounds, mut trace) = K::admit(known, &self.line);
        let refused = bounds != known.bounds;
        if refused {
            self.report.refused += 1;
            self.met_game |= self.line.past_may_meet(known.filter);
        }
        if refused && K::TWINS {
            (bounds, trace) = self.twin(depth).unwrap_or((bounds, trace));
            if let Some(proved) = self.replay(board, known, (depth, alpha, beta), bounds) {
                (bounds, trace) = proved;
            }
        }
        let value = if bounds.lower >= beta || bounds.lower == bounds.upper {
            bounds.lower
        } else if bounds.upper <= alpha {
            bounds.upper
        } else {
            self.record(|r| r.looked_up(known, bounds, false));
            return None;
        };
        self.record(|r| r.looked_up(known, bounds, true));
        self.report.hits += 1;
        Some((value, trace))
    }

    /// The bounds of this path's own entry.
    fn twin(&self, depth: u32) -> Option<(Bounds, K::Trace)> {
        let mut known = self.team.table.get(self.twin_at(depth))?.known;
        known.bounds = absolute(known.bounds, i32::from(self.line.ply()));
        Some(K::admit(known, &self.line))
    }

    /// Replays the proof of bounds found on another path, if they would cut here; stores the bounds that stand.
    fn replay(
        &mut self,
        board: &Board,
        known: Known,
        (depth, alpha, beta): (u32, i32, i32),
        have: Bounds,
    ) -> Option<(Bounds, K::Trace)> {
        if have.lower >= beta || have.upper <= alpha {
            return None;
        }
        let (target, at_least) = if known.bounds.lower >= beta {
            (beta, true)
        } else if known.bounds.upper <= alpha {
            (alpha, false)
        } else {
            return None;
        };
        (self.replay_left, self.replay_recurs) = (REPLAY, known.recurs);
        if !self.stands(board, depth, target, at_least) {
            return None;
        }
        self.report.replayed += 1;
        let bounds = if at_least {
            Bounds { lower: target, upper: have.upper }
        } else {
            Bounds { lower: have.lower, upper: target }
        };
        let here = K::on_path(Known { bounds, recurs: self.replay_recurs, ..known }, &self.line);
        let stored = Known { bounds: relative(bounds, i32::from(self.line.ply())), ..here };
        let best = self.team.table.get(self.key_at(depth)).and_then(|entry| entry.best);
        self.put(self.twin_at(depth), depth, best, stored);
        Some(K::admit(here, &self.line))
    }

    /// Whether the stored proof that the value is at least (at most) `target` stands on this path.
    fn stands(&mut self, board: &Board, depth: u32, target: i32, at_least: bool) -> bool {
        let fits = |value: i32| if at_least { value >= target } else { value <= target };
        self.replay_left = self.replay_left.saturating_sub(1);
        self.report.nodes += 1;
        let Some(entry) = self.team.table.get(self.key_at(depth)) else { return false };
        let bounds = absolute(entry.known.bounds, i32::from(self.line.ply()));
        let promised = fits(if at_least { bounds.lower } else { bounds.upper });
        let no_bound = if at_least { bounds.lower <= -INFINITE } else { bounds.upper >= INFINITE };
        if self.replay_left == 0 || !promised || no_bound {
            return false;
        }
        let moves = if at_least {
            entry.best.filter(|&mv| board.is_legal(mv)).into_iter().collect()
        } else {
            crate::rules::notation::legal_moves(board)
        };
        !moves.is_empty() && moves.into_iter().all(|mv| self.stands_after(board, mv, depth, target, at_least))
    }

    fn stands_after(&mut self, board: &Board, mv: Move, depth: u32, target: i32, at_least: bool) -> bool {
        let mut child = board.clone();
        child.play_unchecked(mv);
        self.line.push(board, &child, identity(&child));
        let ply = self.line.ply();
        let judged = match self.line.repetition() {
            Some(rest) => {
                self.met_game |= rest < 0;
                self.replay_recurs = true;
                Some(DRAW)
            }
            None => terminal(&child, ply).or_else(|| (depth == 1).then(|| material(&child))),
        };
        let stands = match judged {
            Some(value) if at_least => -value >= target,
            Some(value) => -value <= target,
            None => self.stands(&child, depth - 1, -target, !at_least),
        };
        self.line.pop();
        stands
    }

    fn ordered(&self, board: &Board, table_move: Option<Move>) -> Vec<(i32, Move)> {
        let mut moves = Vec::with_capacity(40);
        let killers = self.killers[self.line.ply().clamp(0, 255) as usize];
        board.generate_moves(|piece_moves| {
            for mv in piece_moves {
                moves.push((self.rank(board, mv, table_move, killers), mv));
            }
            false
        });
        moves.sort_by_key(|(rank, _)| -rank);
        moves
    }

    fn rank(&self, board: &Board, mv: Move, table_move: Option<Move>, killers: [Option<Move>; 2]) -> i32 {
        const TOP: i32 = 1 << 28;
        if Some(mv) == table_move {
            return TOP;
        }
        let victim = board.colors(!board.side_to_move()).has(mv.to).then(|| board.piece_on(mv.to)).flatten();
        if let Some(victim) = victim {
            let attacker = board.piece_on(mv.from).map_or(0, |p| p as i32);
            return TOP / 2 + victim as i32 * 16 - attacker;
        }
        if mv.promotion == Some(Piece::Queen) {
            return TOP / 2;
        }
        if killers.contains(&Some(mv)) { TOP / 4 } else { self.history[slot(board, mv)] }
    }

    fn reward(&mut self, board: &Board, best: Option<Move>, depth: u32) {
        let Some(mv) = best else { return };
        if board.colors(!board.side_to_move()).has(mv.to) {
            return;
        }
        let killers = &mut self.killers[self.line.ply().clamp(0, 255) as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let entry = &mut self.history[slot(board, mv)];
        *entry = (*entry + (depth * depth) as i32).min(1 << 20);
    }
}

fn slot(board: &Board, mv: Move) -> usize {
    (board.side_to_move() as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

/// Mate or stalemate, if there is no legal move.
fn terminal(board: &Board, ply: i16) -> Option<i32> {
    if board.generate_moves(|_| true) {
        return None;
    }
    Some(if board.checkers().is_empty() { DRAW } else { i32::from(ply) - MATE })
}
