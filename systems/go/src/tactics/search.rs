//! The search of tactical reading: attack and defence are two functions that call each other.
//!
//! # Source
//! GNU Go 3.8 manual, chapter "Tactical reading", for the frame: when a string counts as captured or alive, and how
//! depth cuts off. Thomas Thomsen, "Lambda-search in game trees: with application to Go" (2000), for the order of an
//! attack. The candidate moves are our own (see `candidates`).
//!
//! # Notation
//! The *target* is the string that is attacked; its *owner* defends. An attack of *order 1* is a ladder: each move is
//! an atari. An attack of *order n* consists of moves that threaten an attack of order *n - 1*, which would follow if
//! the owner passed. So before an attack of order *n* the target has at most *n + 1* liberties, and after each of its
//! moves at most *n*. Nets are of order 2, loose ladders of order 3 or 4.
//!
//! A *far* move of the attacker is not on a liberty of the target. It is a net, a backfilling move, or the rescue of a
//! surrounding string. One line tries only a limited number of them, and hardly any where a threat is carried out.
//!
//! # Steps
//! The attacker to move ([`Reader::attack_at`]):
//! 1. A target with more liberties than the order can attack, or more than four, is alive.
//! 2. A target with one liberty is taken. This ends the search unless the capturing stone is a lone stone that can be
//!    taken back.
//! 3. A move is not played if the owner can answer it by an extension that escapes. A reply that leaves one liberty
//!    more than needed refutes every move except a move at the vertex of that reply. Two such replies refute
//!    everything.
//! 4. Attacks of lower orders come first, because they are cheap and an attack that works there works.
//! 5. Otherwise each candidate is tried in order, liberties before remote moves. The first that wins ends the search,
//!    else the best ko stands.
//!
//! The owner to move ([`Reader::defend_at`]):
//! 1. A target with more liberties than the order leaves it is saved, and so is one that gets more by one move.
//! 6. If no attack of the next lower order would follow a pass, the target is saved.
//! 7. Otherwise each candidate is tried; the vertex where the threat would be carried out is one.
//!
//! On both sides the reply that refuted the last candidate is tried first against the next.
//!
//! # Departures
//! The order of the attacks falls with depth ([`Limits`]), far moves are counted, and the owner tries candidates
//! instead of all moves.
//!
//! # Invariants
//! A code depends only on the position, the ko state, the string, the order, the depth and the remaining far moves. It
//! never depends on the path. More far moves never harm the attacker. Depth grows with each move, so there are no
//! circles. At the node limit every open question except the first one gives up, so its target lives. The first
//! question keeps its proofs.
//!
//! # Cost
//! A ladder costs as many positions as it has moves. Most strings with four liberties cost about ten positions, because
//! no move on a liberty threatens anything. An attack that nearly works costs thousands.

use super::ATTACKABLE;
use super::candidates::{Gains, Moves, ReadingTask, Stage};
use super::code::{Answer, Code};
use super::ko::{self, KoState};
use super::node::Node;
use super::reader::{MAX_DEPTH, Reader};
use crate::board::{Board, Color, Vertex};
#[cfg(doc)]
use crate::effort::Limits;

/// Tells the keys of attacks from those of defences.
///
/// Origin: definition, a random pattern of bits.
const ATTACK: u64 = 0x1f83_d9ab_fb41_bd6b;
/// The string is safe without a move, or nothing shows the opposite.
///
/// Origin: definition, an answer.
const SAVED: Answer = Answer { code: Code::Win, point: Vertex::PASS };

/// Tells the keys of defences from those of attacks.
///
/// Origin: definition, a random pattern of bits.
const DEFEND: u64 = 0x5be0_cd19_137e_2179;

impl Reader {
    /// The highest order of attack that is read at this depth.
    #[inline]
    pub(super) fn order_at(&self, depth: u16) -> u8 {
        if depth < self.limits.loose_depth {
            4
        } else if depth <= self.limits.branch_depth {
            3
        } else if depth <= self.limits.depth {
            2
        } else {
            1
        }
    }

    /// The most liberties a target may have before an attack of this order at this depth.
    #[inline]
    fn attackable(&self, order: u8, depth: u16) -> usize {
        let most = ATTACKABLE[usize::from(depth > self.limits.fourlib_depth)];
        (order as usize + 1).min(most)
    }

    /// The owner to move is saved if he gets more liberties than this.
    #[inline]
    fn saved_above(&self, order: u8, depth: u16) -> usize {
        self.attackable(order.min(self.order_at(depth + 1)), depth + 1)
    }

    fn key(&self, board: &Board, v: Vertex, order: u8, node: Node, question: u64) -> u64 {
        // Depth does not matter to ladders.
        let depth = if order == 1 { 0 } else { u64::from(node.depth) };
        let place =
            u64::from(board.origin(v).0) << 24 | depth << 16 | u64::from(order) << 8 | node.ko.key() << 34;
        board.situation_hash(Color::Black)
            ^ question
            ^ place.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(17)
    }

    /// The far moves left, as far as they matter: not to ladders.
    const fn far(order: u8, node: Node) -> u8 {
        if order == 1 { 0 } else { node.far }
    }

    /// Counts a position; false when the limit is reached.
    #[inline]
    fn count(&mut self, node: Node) -> bool {
        self.limit_hit |= node.depth > MAX_DEPTH || self.nodes >= self.limits.nodes;
        self.nodes += u64::from(!self.limit_hit);
        !self.limit_hit
    }

    /// Plays `v` for `color` if the ko scheme allows it, asks for the opponent's answer, takes back, and turns the
    /// answer into the mover's code. `None` if it can't be played.
    pub(super) fn trial(
        &mut self,
        board: &mut Board,
        color: Color,
        v: Vertex,
        node: Node,
        reply: impl FnOnce(&mut Self, &mut Board, Node) -> Code,
    ) -> Option<Code> {
        let (ko, conditional) = ko::play(board, color, v, node.ko, node.depth <= self.limits.ko_depth)?;
        if let Some(trace) = &mut self.trace {
            trace.enter(color, v);
        }
        let code = reply(self, board, Node { depth: node.depth + 1, ko, far: node.far });
        board.undo();
        let code = match (conditional, code) {
            (false, code) => code.reverse(),
            (true, Code::Win) => Code::Fail,
            (true, _) => Code::KoB,
        };
        if let Some(trace) = &mut self.trace {
            trace.leave(code);
        }
        Some(code)
    }

    pub(super) fn known_attack(&self, board: &Board, v: Vertex, node: Node) -> Option<Answer> {
        if board.liberties(v) == 1 {
            let point = board.liberty_vertices(v).next()?;
            return Some(Answer { code: Code::Win, point });
        }
        let most = self.limits.far_moves;
        (1..=self.order_at(node.depth))
            .filter_map(|order| self.cache.get(self.key(board, v, order, node, ATTACK), most, Code::Win))
            .find(|answer| answer.code == Code::Win)
    }

    pub(super) fn known_defence(&self, board: &Board, v: Vertex, node: Node) -> Option<Answer> {
        (0..=self.limits.far_moves)
            .rev()
            .flat_map(|far| (1..=self.order_at(node.depth) + 1).rev().map(move |order| (far, order)))
            .find_map(|(far, order)| self.cache.get(self.key(board, v, order, node, DEFEND), far, Code::Fail))
    }

    /// After a pass: the attacker may carry out a threat, with few far moves.
    fn after_pass(&self, node: Node) -> Node {
        let ko = if let KoState::Weak(_) = node.ko { KoState::Free } else { node.ko };
        let most = if node.depth <= self.limits.threat_depth { self.limits.threat_moves } else { 0 };
        let far = node.far.min(most);
        Node { depth: node.depth + 1, ko, far }
    }

    /// The place of a question before any move.
    const fn root(&self, ko: KoState) -> Node {
        Node { depth: 0, ko, far: self.limits.far_moves }
    }

    /// The attacker's move `point` at the root, or the owner's.
    pub(super) fn try_root(&mut self, board: &mut Board, point: Vertex, v: Vertex, attacking: bool) -> Code {
        let Some(owner) = board.color_at(v) else { return Code::Fail };
        let node = self.root(KoState::Free);
        let asked = ReadingTask { target: v, owner, order: self.order_at(0), node, attacking };
        self.answered(board, asked, point, &mut { Vertex::PASS }).unwrap_or_default()
    }

    /// The mover's code for the attacker's move `point`, or the owner's. The reply that refutes it is tried first against the
    /// next.
    #[inline]
    fn answered(
        &mut self,
        board: &mut Board,
        asked: ReadingTask,
        point: Vertex,
        reply: &mut Vertex,
    ) -> Option<Code> {
        let ReadingTask { target, owner, order, node, attacking } = asked;
        let mover = if attacking { owner.other() } else { owner };
        self.trial(board, mover, point, node, |reader, board, node| {
            let answer = if attacking {
                reader.defend_at(board, target, order, node, *reply)
            } else {
                reader.attack_at(board, target, order, node, *reply, None)
            };
            if answer.code == Code::Win {
                *reply = answer.point;
            }
            answer.code
        })
    }

    /// The best attack of this order on the string at `v`, the attacker to move; the gains of the owner may be known.
    pub(super) fn attack_at(
        &mut self,
        board: &mut Board,
        v: Vertex,
        order: u8,
        node: Node,
        hint: Vertex,
        gains: Option<&mut Gains>,
    ) -> Answer {
        let Some(owner) = board.color_at(v) else { return Answer { code: Code::Win, point: Vertex::PASS } };
        let order = order.min(self.order_at(node.depth));
        let liberties = board.liberties(v);
        // 1.
        if liberties > self.attackable(order, node.depth) {
            return Answer::default();
        }
        // 2.
        let mut best = Answer::default();
        let mut tried = Vertex::PASS;
        if liberties == 1 {
            best = self.capture(board, v, owner, order, node);
            tried = best.point;
            if best.code == Code::Win {
                return best;
            }
        }
        let key = self.key(board, v, order, node, ATTACK);
        let far = Self::far(order, node);
        if let Some(answer) = self.cache.get(key, far, Code::Win) {
            return answer;
        }
        // 3.
        let mut own;
        let gains = match gains {
            Some(known) => known,
            None => {
                own = self.gains.of(board, v, owner);
                &mut own
            }
        };
        let after = node.depth + 1;
        let most = self.saved_above(order.min(self.order_at(after) + 1), after);
        let ways_out = gains.ways_out(most);
        if ways_out > 1 {
            return best;
        }
        if !self.count(node) {
            return best;
        }
        // 4.
        if order > 1 && liberties <= order as usize {
            let lower = self.attack_at(board, v, order - 1, node, hint, Some(gains));
            if lower.code > best.code {
                best = lower;
            }
        }
        // 5.
        let mut moves = Moves::default();
        let mut reply = Vertex::PASS;
        for stage in [Stage::Near, Stage::Far] {
            if best.code == Code::Win || self.limit_hit || (ways_out > 0 && stage == Stage::Far) {
                break;
            }
            let Some(left) = node.far.checked_sub(u8::from(stage == Stage::Far)) else { break };
            if gains.score(board, owner) {
                self.gains.keep(board, v, *gains);
            }
            let node = Node { far: left, ..node };
            let asked = ReadingTask { target: v, owner, order, node, attacking: true };
            moves.attack(board, asked, gains, &self.limits, stage);
            moves.prefer(hint);
            while let Some(point) = moves.take_best() {
                if point == tried || gains.outruns(board, owner, point, most) {
                    continue;
                }
                if let Some(code) = self.answered(board, asked, point, &mut reply)
                    && code > best.code
                {
                    best = Answer { code, point };
                    if code == Code::Win {
                        break;
                    }
                }
            }
        }
        if self.limit_hit && node.depth > 0 {
            return best;
        }
        self.store(key, far, best)
    }

    /// Step 2: takes a target in atari off. A lone stone may be taken back at once, in a ko or a snapback. Then
    /// reading goes on with the stone that stands there.
    fn capture(&mut self, board: &mut Board, v: Vertex, owner: Color, order: u8, node: Node) -> Answer {
        let point = board.liberty_vertices(v).next().expect("the target has one liberty");
        let lone = board.string_size(v) == 1;
        let attacker = owner.other();
        // Nothing is left to ask where it can't be taken back: then it isn't played out.
        let settled = !lone || board.liberties_after(attacker, point) > 1;
        if settled && self.trace.is_none() && board.is_legal(attacker, point) {
            return Answer { code: Code::Win, point };
        }
        let code = self.trial(board, attacker, point, node, |reader, board, node| {
            if !lone || board.liberties(point) > 1 {
                return Code::Fail;
            }
            let back = reader.trial(board, owner, v, node, |reader, board, node| {
                reader.attack_at(board, v, order, node, Vertex::PASS, None).code
            });
            back.unwrap_or_default()
        });
        Answer { code: code.unwrap_or_default(), point }
    }

    /// The best defence of the string at `v` against attacks of this order, the owner to move.
    pub(super) fn defend_at(
        &mut self,
        board: &mut Board,
        v: Vertex,
        order: u8,
        node: Node,
        hint: Vertex,
    ) -> Answer {
        let Some(owner) = board.color_at(v) else { return Answer::default() };
        let order = order.min(self.order_at(node.depth) + 1);
        // 1.
        let most = self.saved_above(order, node.depth);
        if board.liberties(v) > most.min(order as usize) {
            return SAVED;
        }
        let key = self.key(board, v, order, node, DEFEND);
        let far = Self::far(order, node);
        // Nothing is kept where an extension saves him, so what is known has the word.
        if let Some(answer) = self.cache.get(key, far, Code::Fail) {
            return answer;
        }
        let mut gains = self.gains.of(board, v, owner);
        if let Some(point) = gains.extension(board, owner, most) {
            return Answer { code: Code::Win, point };
        }
        if !self.count(node) {
            return SAVED;
        }
        // 6.
        let threat = self.threat(board, v, order, node, &mut gains);
        // 7.
        let asked = ReadingTask { target: v, owner, order, node, attacking: false };
        let best = self.best_reply(board, asked, &gains, threat, hint);
        if self.limit_hit && node.depth > 0 {
            return SAVED;
        }
        self.store(key, far, best)
    }

    /// The best attack at the root. If the move takes a ko that the owner takes back, and still wins, a winning move
    /// without a ko is named if one exists. It leaves the owner no ko threat.
    pub(super) fn attack_root(&mut self, board: &mut Board, v: Vertex) -> Answer {
        let best = self.attack_at(board, v, self.order_at(0), self.root(KoState::Free), Vertex::PASS, None);
        let Some(owner) = board.color_at(v) else { return best };
        let takes_ko = |board: &mut Board| board.ko_point() == Some(v);
        if best.code != Code::Win
            || !board.is_liberty(best.point, v)
            || board.tried(owner.other(), best.point, takes_ko) != Some(true)
        {
            return best;
        }
        let others = self.root_candidates(board, v, true);
        let other = others
            .into_iter()
            .find(|&point| point != best.point && self.try_root(board, point, v, true) == Code::Win);
        other.map_or(best, |point| Answer { code: Code::Win, point })
    }

    /// Step 7: the best of the owner's candidates; a pass if none is better.
    fn best_reply(
        &mut self,
        board: &mut Board,
        asked: ReadingTask,
        gains: &Gains,
        threat: Answer,
        hint: Vertex,
    ) -> Answer {
        let ReadingTask { target: v, node, .. } = asked;
        let mut best = Answer { code: threat.code.reverse(), point: Vertex::PASS };
        let mut moves = Moves::default();
        let mut reply = threat.point;
        for stage in [Stage::Near, Stage::Far] {
            if best.code == Code::Win || self.limit_hit {
                break;
            }
            moves.defend(board, asked, gains, &self.limits, stage);
            if board.liberties(v) > 1 {
                moves.also(board, threat.point);
            }
            moves.prefer(hint);
            while let Some(point) = moves.take_best() {
                let code = self.answered(board, asked, point, &mut reply);
                // At the root the nearest of several kos alike is named.
                let nearer = || {
                    best.point == Vertex::PASS
                        || (node.depth == 0 && steps(board, v, point) < steps(board, v, best.point))
                };
                if let Some(code) = code
                    && (code > best.code || (code == best.code && nearer()))
                {
                    best = Answer { code, point };
                    if code == Code::Win {
                        break;
                    }
                }
            }
        }
        best
    }

    /// The best defence at the root against a working attack. It first answers attacks of lower orders, so that the
    /// node limit leaves a move that holds against those.
    pub(super) fn defend_root(&mut self, board: &mut Board, v: Vertex, attack: Answer) -> Answer {
        let Some(owner) = board.color_at(v) else { return Answer::default() };
        let highest = self.order_at(0) + 1;
        let gains = Gains::new(board, v, owner);
        if let Some(point) = gains.extension(board, owner, self.attackable(self.order_at(1), 1)) {
            return Answer { code: Code::Win, point };
        }
        let mut best = Answer::default();
        for order in 2..=highest {
            let asked =
                ReadingTask { target: v, owner, order, node: self.root(KoState::Free), attacking: false };
            best = self.best_reply(board, asked, &gains, attack, best.point);
            if best.code == Code::Fail || self.limit_hit {
                break;
            }
        }
        best
    }

    /// Step 6: the attack of the next lower order that would follow a pass of the owner.
    fn threat(&mut self, board: &mut Board, v: Vertex, order: u8, node: Node, gains: &mut Gains) -> Answer {
        let Some(owner) = board.color_at(v) else { return Answer::default() };
        if board.liberties(v) == 1 && board.string_size(v) > 1 {
            let point = board.liberty_vertices(v).next().expect("the target has one liberty");
            return Answer { code: Code::Win, point };
        }
        board.play(owner, Vertex::PASS).expect("a pass is always legal");
        let mut answer =
            self.attack_at(board, v, order.max(2) - 1, self.after_pass(node), Vertex::PASS, Some(gains));
        // A ko may be all that the lower order finds.
        if answer.code.works() && answer.code != Code::Win && order > 1 {
            let node = Node { far: node.far, ..self.after_pass(node) };
            answer = self.attack_at(board, v, order, node, answer.point, Some(gains));
        }
        board.undo();
        answer
    }

    /// The best attack, for a reading that has its own counts: the ko state is carried on, `limits.nodes` is for this
    /// question alone.
    pub(crate) fn attack_within(&mut self, board: &mut Board, v: Vertex, ko: KoState) -> Answer {
        (self.nodes, self.limit_hit) = (0, false);
        self.attack_at(board, v, self.order_at(0), self.root(ko), Vertex::PASS, None)
    }

    /// The best defence against an attack that works, likewise.
    pub(crate) fn defend_within(&mut self, board: &mut Board, v: Vertex, ko: KoState) -> Answer {
        (self.nodes, self.limit_hit) = (0, false);
        self.defend_at(board, v, self.order_at(0) + 1, self.root(ko), Vertex::PASS)
    }

    #[inline]
    fn store(&mut self, key: u64, far: u8, answer: Answer) -> Answer {
        if !self.limit_hit {
            self.cache.put(key, far, answer);
        }
        answer
    }
}

/// Steps along lines from a vertex to the nearest stone of the string at `v`.
fn steps(board: &Board, v: Vertex, point: Vertex) -> usize {
    let size = board.size();
    let far = |s: Vertex| s.row(size).abs_diff(point.row(size)) + s.col(size).abs_diff(point.col(size));
    board.stones(v).map(far).min().unwrap_or(0)
}
