//! Principal variation search: one node of the playing search, with pruning, reductions and extensions.
//!
//! # Source
//! - Scout window: T. Marsland, M. Campbell, "Parallel Search of Strongly Ordered Game Trees" (1982); A. Reinefeld, "An
//!   Improvement to the Scout Tree-Search Algorithm" (1983).
//! - Null moves and their verification: G. Goetsch, M. Campbell, "Experiments with the Null-Move Heuristic" (1990); E.
//!   Heinz, "Adaptive Null-Move Pruning" (1999).
//! - Futility: E. Heinz, "Extended Futility Pruning" (1998).
//! - Late move reductions, reverse futility, singular extensions, internal iterative reduction: Chess Programming Wiki.
//!
//! # Notation
//! [`crate::repetition::keep`] defines *trace* and *keeper*. Depths are in plies.
//!
//! # Steps
//! 1. Check for a draw: repetition, fifty moves (unless the side to move is mated), insufficient material. Then apply
//!    mate-distance pruning.
//! 2. Look for an upcoming repetition. With one, the side to move has at least a draw. If perpetual checks have a
//!    separate score, a repetition may be worth less than a draw. Then this step is left out.
//! 3. Probe the table. Bounds that the keeper admits on this path may end the node.
//! 4. Compute the static evaluation, corrected by the results of earlier searches.
//! 5. Prune before any move (`super::prune`).
//! 6. Search the moves. Some are skipped or reduced (`super::prune`), and a singular move is extended.
//! 7. With several workers, put off a move that another worker is searching.
//! 8. The keeper closes the node and decides what the table may store. The histories are updated.
//!
//! # Departures
//! A node in check is searched one ply deeper, so quiescence never starts in check, as it requires. The table ends no
//! node of the principal variation, so the variation is complete. Close to the fifty-move limit, the table ends no
//! node.

use super::busy::{MIN_DEPTH, TOGETHER};
use super::checks::Checks;
use super::constants::*;
use super::context::{Context, Late, Valued};
use super::order;
use super::picker::Picker;
use super::prune::Verdict;
use super::table::{Entry, NO_EVALUATION};
use super::worker::Worker;
use super::{MAX_PLY, report::Options};
use crate::evaluation::Placed;
use crate::history::game::insufficient_material;
use crate::history::{NEVER, identity};
use crate::repetition::keep::{Bounds, Edge, Keep, Known, Result as NodeResult, absolute, relative};
use crate::repetition::upcoming::upcoming;
use crate::repetition::{DRAW, Detect, INFINITE, MATE, MATE_BOUND};
use cozy_chess::{Board, Move};
use std::collections::VecDeque;

impl<D: Detect, K: Keep> Worker<D, K> {
    /// The value of a position within a window.
    pub(super) fn node(
        &mut self,
        placed: &Placed,
        alpha: i32,
        beta: i32,
        depth: i32,
        cut: bool,
    ) -> Valued<K> {
        let board = placed.board();
        let ply = self.line.ply() as usize;
        let in_check = !board.checkers().is_empty();
        let depth = depth + i32::from(in_check && ply > 0);
        let pv = beta - alpha > 1;
        if pv {
            self.frames[ply].pv.clear();
        }
        // Step 1.
        if ply > 0
            && let Some(draw) = self.draw(board, in_check, depth)
        {
            self.counters.nodes += 1;
            return draw;
        }
        if depth <= 0 {
            return self.leaf(placed, alpha, beta, ply);
        }
        if self.enter(ply) {
            return (DRAW, K::free(DRAW));
        }
        if ply >= MAX_PLY - 1 {
            let value = if in_check { DRAW } else { self.evaluate(placed) + self.shift(board) };
            return (value, K::free(value));
        }
        let (mut low, beta_start) = (alpha, beta);
        let mut gather = K::open();
        let mut best = -INFINITE;
        if ply > 0 {
            let (mated, mating) = (ply as i32 - MATE, MATE - ply as i32 - 1);
            if low.max(mated) >= beta.min(mating) {
                let value = low.max(mated);
                return (value, K::free(value));
            }
            // Step 2.
            if low < DRAW
                && self.shared.options.upcoming
                && self.shared.options.perpetual == 0
                && self.frames[ply].excluded.is_none()
                && let Some(rest) = upcoming(board, &self.line)
            {
                self.counters.met_game |= rest < 0;
                let trace = K::draw(rest);
                if DRAW >= beta {
                    return (DRAW, trace);
                }
                (best, low) = (DRAW, DRAW);
                K::add(
                    &mut gather,
                    trace,
                    Edge { key: self.line.key(), reversible: false, score: DRAW, best: true },
                );
            }
        }
        // Step 3.
        let (entry, bounds, ground) = match self.look_up(board, ply, low, beta, depth, pv) {
            Ok(found) => found,
            Err(cutoff) => return cutoff,
        };
        // Step 4.
        let mut context =
            self.weigh(placed, entry.as_ref(), bounds, (low, beta_start, depth, ply, cut, in_check, pv));
        // Step 5.
        if let Some(pruned) = self.prune(placed, &mut context, entry.as_ref(), ground) {
            return pruned;
        }
        self.moves(placed, context, alpha, (best, gather, ground), entry, bounds)
    }

    /// Step 1.
    #[inline]
    fn draw(&mut self, board: &Board, in_check: bool, depth: i32) -> Option<Valued<K>> {
        if let Some(rest) = self.detect.draw(&self.line) {
            self.counters.met_game |= rest < 0;
            let trace = if K::EARLY { self.draw_open(rest, depth) } else { K::draw(rest) };
            return Some((self.repeated(board, rest), trace));
        }
        if self.line.clock() >= 100 && (!in_check || board.generate_moves(|_| true)) {
            return Some((DRAW, K::draw(self.line.clock_rest())));
        }
        (board.occupied().len() <= 4 && insufficient_material(board)).then(|| (DRAW, K::free(DRAW)))
    }

    /// The value of a recurrence: a draw, or the option's value for a perpetual check by the side to move at the
    /// root.
    fn repeated(&self, board: &Board, rest: i16) -> i32 {
        let bonus = self.shared.options.perpetual;
        if bonus == 0 {
            return DRAW;
        }
        let is_own = board.side_to_move() == self.root_side();
        match self.line.perpetual(rest) {
            Some(by_mover) if by_mover == is_own => DRAW + if is_own { bonus } else { -bonus },
            _ => DRAW,
        }
    }

    /// A draw by recurrence, with the table's entry of the open node.
    fn draw_open(&self, rest: i16, depth: i32) -> K::Trace {
        let entry = self.shared.table.get(self.line.key()).filter(|e| K::ANY_DRAFT || e.draft >= depth);
        let open = entry.map(|e| absolute(e.known.bounds, i32::from(self.line.ply())));
        K::draw_open(rest, open)
    }

    /// Step 3: the entry and its admitted bounds on this path, or the node's value.
    fn look_up(
        &mut self,
        board: &Board,
        ply: usize,
        alpha: i32,
        beta: i32,
        depth: i32,
        pv: bool,
    ) -> Result<(Option<Entry>, Bounds, K::Trace), Valued<K>> {
        if self.frames[ply].excluded.is_some() {
            return Ok((None, Bounds::NONE, K::free(DRAW)));
        }
        let Some(mut entry) = self.shared.table.get(self.line.key()) else {
            return Ok((None, Bounds::NONE, K::free(DRAW)));
        };
        entry.best = entry.best.filter(|&mv| board.is_legal(mv));
        let mut known = entry.known;
        known.bounds = absolute(known.bounds, ply as i32);
        let (bounds, trace) = self.admit(known);
        if !pv && entry.draft >= depth && self.line.clock() < CLOCK_LIMIT {
            let value = if bounds.lower >= beta {
                bounds.lower
            } else if bounds.upper <= alpha {
                bounds.upper
            } else {
                return Ok((Some(entry), bounds, trace));
            };
            self.counters.table_hits += 1;
            return Err((value, trace));
        }
        Ok((Some(entry), bounds, trace))
    }

    /// The stored bounds that hold on this line. A refusal that the game before the root may have caused is noted.
    #[inline]
    pub(super) fn admit(&mut self, known: Known) -> (Bounds, K::Trace) {
        let (bounds, trace) = K::admit(known, &self.line);
        if bounds != known.bounds {
            self.counters.refused += 1;
            self.counters.met_game |= self.line.past_may_meet(known.filter);
        }
        (bounds, trace)
    }

    /// Step 4.
    fn weigh(
        &mut self,
        placed: &Placed,
        entry: Option<&Entry>,
        bounds: Bounds,
        (alpha, beta, depth, ply, cut, in_check, pv): (i32, i32, i32, usize, bool, bool, bool),
    ) -> Context {
        let mut context =
            Context { pv, cut, in_check, depth, ply, alpha, beta, raw: NO_EVALUATION, ..Context::default() };
        if in_check {
            self.frames[ply].evaluation = NO_EVALUATION;
            context.evaluation = NO_EVALUATION;
        } else {
            context.raw = match entry {
                Some(entry) if entry.evaluation != NO_EVALUATION => entry.evaluation,
                _ => self.evaluate(placed),
            };
            let corrected = self.judged(placed.board(), context.raw);
            self.frames[ply].evaluation = corrected;
            context.evaluation = corrected;
            if bounds.lower > corrected && bounds.lower < MATE_BOUND {
                (context.evaluation, context.by_bound) = (bounds.lower, true);
            } else if bounds.upper < corrected && bounds.upper > -MATE_BOUND {
                (context.evaluation, context.by_bound) = (bounds.upper, true);
            }
            let earlier =
                |back: usize| if ply >= back { self.frames[ply - back].evaluation } else { NO_EVALUATION };
            let reference = if earlier(2) == NO_EVALUATION { earlier(4) } else { earlier(2) };
            context.improving = reference == NO_EVALUATION || corrected > reference;
        }
        // Internal iterative reduction: without a table move the order is poor, so look less deep first. A move that the
        // last search of this node did not confirm counts as none.
        if depth >= INTERNAL_DEPTH
            && (pv || cut)
            && entry.is_none_or(|e| e.best.is_none() || e.older)
            && self.frames[ply].excluded.is_none()
        {
            context.depth -= i32::from(self.shared.options.selective);
        }
        self.histories.killers[ply + 1] = [None; 2];
        context
    }

    /// Steps 6 to 8.
    fn moves(
        &mut self,
        placed: &Placed,
        c: Context,
        alpha_start: i32,
        (mut best, mut gather, ground): (i32, K::Gather, K::Trace),
        entry: Option<Entry>,
        bounds: Bounds,
    ) -> Valued<K> {
        let (board, ply, beta) = (placed.board(), c.ply, c.beta);
        let (mut alpha, mut best_move, mut skipped) = (c.alpha, None, false);
        let mut tried = self.take_list();
        let mut put_off: VecDeque<(Move, Late)> = VecDeque::new();
        let table_move = entry.and_then(|e| e.best).filter(|&mv| self.frames[ply].excluded != Some(mv));
        let before = self.before(ply);
        let mut picker = Picker::all(table_move, self.take_scratch());
        let mut made = 0;
        let checks = Checks::new(board);
        self.detect.enter(&self.line);
        loop {
            let (mv, put_off_before) = match picker.next(board, &self.histories, ply, before) {
                Some(mv) => (mv, None),
                None => match put_off.pop_front() {
                    Some((mv, late)) => (mv, Some(late)),
                    None => break,
                },
            };
            if self.frames[ply].excluded == Some(mv) || (ply == 0 && !self.root_allows(mv)) {
                continue;
            }
            made += i32::from(put_off_before.is_none());
            let late = put_off_before.unwrap_or_else(|| {
                let quiet = order::is_quiet(board, mv);
                // The first move is hardly ever passed over, and never reduced.
                let history = if quiet && (made > 1 || best > -INFINITE) {
                    picker.history(board, mv, &self.histories, before)
                } else {
                    0
                };
                Late { count: made + picker.passed(), quiet, losing: picker.in_bad_captures(), history }
            });
            let may_pass = put_off_before.is_none() && best > -MATE_BOUND;
            if may_pass {
                let verdict = self.passes_over(board, mv, &c, late, &checks);
                if verdict == Verdict::LesserByBound {
                    K::lean(&mut gather, ground);
                }
                let lesser = matches!(verdict, Verdict::LesserToo | Verdict::LesserByBound);
                if verdict == Verdict::AllLater || (lesser && picker.in_quiets()) {
                    picker.thin_quiets(board, &checks, c.depth >= REDUCED_FROM);
                }
                if verdict != Verdict::Search {
                    skipped = true;
                    continue;
                }
            }
            let (extension, again) = self.extension(placed, mv, &c, entry.as_ref(), bounds);
            if self.aborted {
                break;
            }
            if let Some(trace) = again {
                // Several moves beat beta: so will this node, and what it rests on is what they do.
                self.detect.leave(&self.line);
                self.give_scratch(picker);
                self.give_list(tried);
                return (beta, trace);
            }
            if ply == 0
                && let Some(hook) = &self.hook
            {
                let better = self.task.excluded.len();
                hook(self.task.depth as u32, mv, better + late.count as usize);
            }
            let child = placed.play(mv, &self.shared.weights);
            let key = identity(child.board());
            self.shared.table.prefetch(key);
            let new_depth = c.depth - 1 + extension;
            // Step 7.
            let first = late.count == 1;
            let together = first || (c.cut && late.count <= TOGETHER);
            if !together && put_off_before.is_none() && c.depth >= MIN_DEPTH && self.is_busy(key, new_depth) {
                put_off.push_back((mv, late));
                continue;
            }
            self.frames[ply].arrival = Some(order::arrival(board, mv));
            let reduction = self.reduction(board, &child, mv, &c, late, table_move);
            let reversible = self.line.push(board, child.board(), key);
            let (score, trace) = self.descend(&child, &c, alpha, new_depth, reduction, first, key);
            self.line.pop();
            if self.aborted {
                break;
            }
            K::add(&mut gather, trace, Edge { key, reversible, score, best: score > best });
            if K::EARLY {
                self.update_early(&c, &gather);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if c.pv {
                        self.extend_pv(ply, mv, score < beta);
                    }
                    if score >= beta {
                        skipped = true;
                        break;
                    }
                }
            }
            if tried.len() < MOST_LEARNING {
                tried.push(mv);
            }
        }
        self.detect.leave(&self.line);
        self.give_scratch(picker);
        if self.aborted {
            self.give_list(tried);
            return (DRAW, K::free(DRAW));
        }
        if made == 0 && best == -INFINITE {
            let value = match (self.frames[ply].excluded, c.in_check) {
                (Some(_), _) => alpha,
                (None, true) => ply as i32 - MATE,
                (None, false) => DRAW,
            };
            self.give_list(tried);
            return (value, K::free(value));
        }
        let closed = self.close(board, &c, alpha_start, (best, best_move, skipped), &gather, &tried);
        self.give_list(tried);
        closed
    }

    /// The early update of keepers that have one: writes the results of the moves so far to the entry of the open node.
    fn update_early(&mut self, c: &Context, gather: &K::Gather) {
        let bounds = K::running(gather);
        if bounds.lower > -INFINITE && self.frames[c.ply].excluded.is_none() {
            let known = Known::plain(relative(bounds, c.ply as i32), true);
            let entry = Entry { best: None, older: false, known, evaluation: c.raw, draft: c.depth };
            self.shared.table.put(self.line.key(), &entry);
        }
    }

    /// Step 8.
    fn close(
        &mut self,
        board: &Board,
        c: &Context,
        alpha_start: i32,
        (best, best_move, moves_left): (i32, Option<Move>, bool),
        gather: &K::Gather,
        tried: &[Move],
    ) -> Valued<K> {
        let ply = c.ply;
        let result = NodeResult { ply: ply as i16, best, alpha: alpha_start, beta: c.beta, moves_left };
        let closed = K::close(gather, result);
        self.counters.closed += 1;
        self.counters.dependent += u64::from(K::grounds(closed.trace).rest != NEVER);
        if let Some(mv) = best_move.filter(|_| best >= c.beta) {
            let before = self.before(ply);
            self.histories.reward(board, mv, tried, c.depth, ply, before);
        }
        if self.frames[ply].excluded.is_some() || (ply == 0 && !self.task.excluded.is_empty()) {
            return (best, closed.trace);
        }
        let loud = best_move.is_some_and(|mv| !order::is_quiet(board, mv));
        let says_nothing = (best >= c.beta && best <= self.frames[ply].evaluation)
            || (best_move.is_none() && best >= self.frames[ply].evaluation);
        if !c.in_check && !loud && !says_nothing && best.abs() < MATE_BOUND {
            self.histories.correct(board, best - self.frames[ply].evaluation, c.depth);
        }
        let mut known = closed.keep;
        if known.bounds.is_none() {
            known = Known::NONE;
        }
        let known = K::on_path(Known { bounds: relative(known.bounds, ply as i32), ..known }, &self.line);
        let entry = Entry { best: best_move, older: false, known, evaluation: c.raw, draft: c.depth };
        self.shared.table.put(self.line.key(), &entry);
        (best, closed.trace)
    }

    fn root_allows(&self, mv: Move) -> bool {
        let wanted = &self.shared.limits.search_moves;
        !self.task.excluded.contains(&mv) && (wanted.is_empty() || wanted.contains(&mv))
    }

    /// Step 6: 1 or 2 for a singular table move, -1 for a table move that is not singular. If other moves beat beta
    /// without it, the node is cut, and its value has the grounds of the trace. If the verification only decides the
    /// depth of the move, its trace plays no part: the move's own search returns its grounds. A draw with the game that
    /// it meets is an event like any other ([`crate::repetition::path`]).
    fn extension(
        &mut self,
        placed: &Placed,
        mv: Move,
        c: &Context,
        entry: Option<&Entry>,
        bounds: Bounds,
    ) -> (i32, Option<K::Trace>) {
        let Some(entry) = entry.filter(|e| e.best == Some(mv)) else { return (0, None) };
        let Options { selective, .. } = self.shared.options;
        let trusted = entry.draft >= c.depth - SINGULAR_DRAFT
            && bounds.lower > -MATE_BOUND
            && bounds.lower < MATE_BOUND;
        let far = c.ply * SINGULAR_PLIES[1] >= SINGULAR_PLIES[0] * self.task.depth as usize;
        if !selective || c.ply == 0 || c.depth < SINGULAR_DEPTH || !trusted || far {
            return (0, None);
        }
        let target = bounds.lower - SINGULAR_MARGIN * c.depth;
        self.frames[c.ply].excluded = Some(mv);
        let saved = std::mem::take(&mut self.frames[c.ply].pv);
        let (value, trace) =
            self.node_again(placed, target - 1, target, (c.depth - 1) / SINGULAR_SHARE, c.cut);
        self.frames[c.ply].excluded = None;
        self.frames[c.ply].pv = saved;
        if value < target {
            return (if !c.pv && value < target - DOUBLE_MARGIN { 2 } else { 1 }, None);
        }
        if target >= c.beta && !c.pv {
            return (0, Some(trace));
        }
        (if bounds.lower >= c.beta { -1 } else { 0 }, None)
    }

    /// Searches the node again without its table move. The check extension was granted already, the position counted.
    fn node_again(&mut self, placed: &Placed, alpha: i32, beta: i32, depth: i32, cut: bool) -> Valued<K> {
        let check = i32::from(!placed.board().checkers().is_empty());
        let evaluation = self.frames[self.line.ply() as usize].evaluation;
        self.counters.nodes -= 1;
        let result = self.node(placed, alpha, beta, depth - check, cut);
        self.frames[self.line.ply() as usize].evaluation = evaluation;
        result
    }

    /// The scout windows of one child.
    #[expect(clippy::too_many_arguments, reason = "window, depths and the mark belong together")]
    fn descend(
        &mut self,
        child: &Placed,
        c: &Context,
        alpha: i32,
        depth: i32,
        reduction: i32,
        first: bool,
        key: u64,
    ) -> Valued<K> {
        let negated = |(value, trace): Valued<K>| (-value, trace);
        if first {
            return negated(self.node(child, -c.beta, -alpha, depth, !(c.pv || c.cut)));
        }
        let mark = c.depth >= MIN_DEPTH;
        if let (true, Some(busy)) = (mark, &self.shared.busy) {
            busy.start(key, depth);
        }
        let reduced = if depth - reduction < 1 { depth.min(1) } else { depth - reduction };
        let cut = reduction > 0 || !c.cut;
        let mut valued = negated(self.node(child, -alpha - 1, -alpha, reduced, cut));
        if valued.0 > alpha && reduced < depth && !self.aborted {
            valued = negated(self.node(child, -alpha - 1, -alpha, depth, !c.cut));
        }
        if valued.0 > alpha && c.pv && (valued.0 < c.beta || c.ply == 0) && !self.aborted {
            valued = negated(self.node(child, -c.beta, -alpha, depth, false));
        }
        if let (true, Some(busy)) = (mark, &self.shared.busy) {
            busy.finish(key, depth);
        }
        valued
    }

    fn is_busy(&self, key: u64, depth: i32) -> bool {
        self.shared.busy.as_ref().is_some_and(|busy| busy.is_busy(key, depth))
    }

    /// The line below belongs to the move only if its value is exact. A child that failed low has no line. A child with
    /// a window of width 1 has left another child's line there.
    fn extend_pv(&mut self, ply: usize, mv: Move, exact: bool) {
        let mut pv = std::mem::take(&mut self.frames[ply].pv);
        pv.clear();
        pv.push(mv);
        if exact {
            pv.extend_from_slice(&self.frames[ply + 1].pv);
        }
        self.frames[ply].pv = pv;
    }
}
