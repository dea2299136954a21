//! Attack and defence: two functions that call each other.
//!
//! # Source
//! GNU Go manual, chapter "Tactical reading", for the frame (what counts as captured, as alive, how depth cuts off);
//! the candidate moves are our own (see `candidates`).
//!
//! # Notation
//! The *target* is the string that is attacked; its *owner* defends.
//!
//! # Steps
//! 1. A target with more liberties than the depth allows to attack is alive.
//! 2. One liberty: it is taken, and that is the end unless a lone stone can be taken back.
//! 3. Otherwise each candidate is tried in order; the first that wins ends the search, else the best ko stands.
//! 4. A move that is no liberty of the target must threaten: if a ladder would not follow the owner's pass, it is
//!    skipped.
//! 5. The owner's last try, unless he would be taken for good, is a pass: an attack that threatens nothing fails, and
//!    filling his own liberties is never better than leaving them.
//!
//! # Invariants
//! An answer depends on the position, the ko state, the string and the depth alone, never on the way there or on what
//! was read before. Depth grows with each move, so there are no circles. When the node limit strikes, every open
//! question but the first gives up (the target lives), and the first keeps what it had proved.
//!
//! # Cost
//! Some hundred positions for a usual question; ladders cost their length.

use super::cache::Answer;
use super::candidates::{Candidate, Moves};
use super::code::Code;
use super::ko::{self, KoState};
use super::reader::{Limits, MAX_DEPTH, Node, Reader};
use crate::board::{Board, Color, Vertex};

const ATTACK: u64 = 0x1f83_d9ab_fb41_bd6b;
/// The string is safe without a move, or nobody can say otherwise.
const SAVED: Answer = Answer { code: Code::Win, point: Vertex::PASS };

const DEFEND: u64 = 0x5be0_cd19_137e_2179;

impl Reader {
    /// The most liberties a target may have and still be attacked at this depth.
    #[inline]
    pub(super) fn attackable(&self, depth: u16) -> usize {
        if depth <= self.limits.fourlib_depth {
            4
        } else if depth <= self.limits.depth {
            3
        } else {
            2
        }
    }

    fn key(&self, board: &Board, v: Vertex, node: Node, question: u64) -> u64 {
        // Beyond the depth limit everything is a ladder and depth no longer matters.
        let depth = u64::from(node.depth.min(self.limits.depth + 1));
        let width = u64::from(self.width[0]) << 48 | u64::from(self.width[1]) << 54;
        let place = u64::from(board.origin(v).0) << 24 | depth << 16 | node.ko.key() << 34 | width;
        board.situation_hash(Color::Black)
            ^ question
            ^ place.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(17)
    }

    /// Counts a position; false when the limit is reached.
    #[inline]
    fn count(&mut self, node: Node) -> bool {
        if node.depth > MAX_DEPTH {
            self.limit_hit = true;
        }
        self.charge(1)
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
        let (ko, conditional) = ko::play(board, color, v, node, node.depth <= self.limits.ko_depth)?;
        if let Some(trace) = &mut self.trace {
            trace.enter(color, v);
        }
        let code = reply(self, board, Node { depth: node.depth + 1, ko });
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
        self.cache.get(self.key(board, v, node, ATTACK)).map(|(answer, _)| answer)
    }

    pub(super) fn known_defence(&self, board: &Board, v: Vertex, node: Node) -> Option<Answer> {
        self.cache.get(self.key(board, v, node, DEFEND)).map(|(answer, _)| answer)
    }

    /// The attacker's move `point` at the root.
    pub(super) fn try_attack(&mut self, board: &mut Board, owner: Color, point: Vertex, v: Vertex) -> Code {
        self.trial(board, owner.other(), point, Node::ROOT, |r, b, n| r.defend_at(b, v, n).code)
            .unwrap_or_default()
    }

    /// The owner's move `point` at the root.
    pub(super) fn try_defend(&mut self, board: &mut Board, owner: Color, point: Vertex, v: Vertex) -> Code {
        self.trial(board, owner, point, Node::ROOT, |r, b, n| r.attack_at(b, v, n).code).unwrap_or_default()
    }

    /// The best attack on the string at `v`, the attacker to move.
    pub(super) fn attack_at(&mut self, board: &mut Board, v: Vertex, node: Node) -> Answer {
        let Some(owner) = board.color_at(v) else { return Answer { code: Code::Win, point: Vertex::PASS } };
        let liberties = board.liberties(v);
        // 1.
        if liberties > self.attackable(node.depth) || !self.count(node) {
            return Answer::default();
        }
        // 2.
        let mut best = Answer::default();
        let mut tried = Vertex::PASS;
        if liberties == 1 {
            best = self.capture(board, v, owner, node);
            tried = best.point;
            if best.code == Code::Win {
                return best;
            }
        }
        let key = self.key(board, v, node, ATTACK);
        let start = self.nodes;
        if let Some((answer, cost)) = self.cache.get(key) {
            return if self.charge(cost) { answer } else { Answer::default() };
        }
        // 3.
        let mut moves = Moves::default();
        moves.attack(board, v, owner, node.depth, &self.limits_of(0));
        for Candidate { v: point, distant, .. } in moves.in_order().filter(|c| c.v != tried) {
            let code = self.trial(board, owner.other(), point, node, |reader, board, node| {
                if distant && !reader.threatens(board, v, node) {
                    Code::Win
                } else {
                    reader.defend_at(board, v, node).code
                }
            });
            if let Some(code) = code
                && code > best.code
            {
                best = Answer { code, point };
                if code == Code::Win {
                    break;
                }
            }
        }
        if self.limit_hit && node.depth > 0 {
            return Answer::default();
        }
        self.store(key, best, start)
    }

    /// Step 4: whether an attack would follow if the owner passed.
    fn threatens(&mut self, board: &mut Board, v: Vertex, node: Node) -> bool {
        let depth = match board.liberties(v) {
            0..=2 => self.limits.depth + 1,
            3 => node.depth.max(self.limits.branch_depth + 1),
            _ => node.depth + 1,
        };
        self.attack_at(board, v, Node { depth, ..node.after_pass() }).code.works()
    }

    /// Step 2: takes a target in atari off. A lone stone may be taken back at once, in a ko or a snapback: then the reading
    /// goes on with the stone that stands there.
    fn capture(&mut self, board: &mut Board, v: Vertex, owner: Color, node: Node) -> Answer {
        let point = board.liberty_vertices(v).next().expect("the target has one liberty");
        let lone = board.string_size(v) == 1;
        let code = self.trial(board, owner.other(), point, node, |reader, board, node| {
            if !lone || board.liberties(point) > 1 {
                return Code::Fail;
            }
            let back = reader
                .trial(board, owner, v, node, |reader, board, node| reader.attack_at(board, v, node).code);
            back.unwrap_or_default()
        });
        Answer { code: code.unwrap_or_default(), point }
    }

    /// The best defence of the string at `v`, the owner to move and the attack a threat.
    pub(super) fn defend_at(&mut self, board: &mut Board, v: Vertex, node: Node) -> Answer {
        let Some(owner) = board.color_at(v) else { return Answer::default() };
        let liberties = board.liberties(v);
        // 1.
        if liberties > self.attackable(node.depth + 1) {
            return SAVED;
        }
        if !self.count(node) {
            return SAVED;
        }
        let key = self.key(board, v, node, DEFEND);
        let start = self.nodes;
        if let Some((answer, cost)) = self.cache.get(key) {
            return if self.charge(cost) { answer } else { SAVED };
        }
        // 3.
        let mut moves = Moves::default();
        moves.defend(board, v, owner, node.depth, &self.limits_of(1));
        let mut best = Answer { code: Code::Fail, point: Vertex::PASS };
        for Candidate { v: point, .. } in moves.in_order() {
            let code = self.trial(board, owner, point, node, |r, b, n| r.attack_at(b, v, n).code);
            if let Some(code) = code
                && (code > best.code || best.point == Vertex::PASS)
            {
                best = Answer { code, point };
                if code == Code::Win {
                    break;
                }
            }
        }
        // 5.
        if !self.limit_hit && best.code != Code::Win && (liberties > 1 || board.string_size(v) == 1) {
            let code = self.pass(board, owner, v, node);
            if !self.limit_hit && code > best.code {
                best = Answer { code, point: Vertex::PASS };
            }
        }
        if self.limit_hit && node.depth > 0 {
            return SAVED;
        }
        self.store(key, best, start)
    }

    fn pass(&mut self, board: &mut Board, owner: Color, v: Vertex, node: Node) -> Code {
        board.play(owner, Vertex::PASS).expect("a pass is always legal");
        let code = self.attack_at(board, v, node.after_pass()).code.reverse();
        board.undo();
        code
    }

    /// The limits of one side (0 attacker, 1 owner) at the present stage.
    fn limits_of(&self, side: usize) -> Limits {
        Limits { wide_depth: self.width[side], ..self.limits }
    }

    /// The best attack, for a reading that has its own counts: the ko state is carried on, `limits.nodes` is for this
    /// question alone.
    pub(crate) fn attack_within(&mut self, board: &mut Board, v: Vertex, ko: KoState) -> (Code, Vertex) {
        (self.nodes, self.limit_hit) = (0, false);
        let answer = self.attack_at(board, v, Node { depth: 0, ko });
        (answer.code, answer.point)
    }

    /// The best defence against an attack that works, likewise.
    pub(crate) fn defend_within(&mut self, board: &mut Board, v: Vertex, ko: KoState) -> (Code, Vertex) {
        (self.nodes, self.limit_hit) = (0, false);
        let answer = self.defend_at(board, v, Node { depth: 0, ko });
        (answer.code, answer.point)
    }

    /// Adds the positions of a search, made or remembered; false when the limit is reached by that.
    #[inline]
    fn charge(&mut self, cost: u32) -> bool {
        if self.limit_hit {
            return false;
        }
        self.nodes += u64::from(cost);
        if self.nodes > self.limits.nodes {
            self.nodes = self.limits.nodes;
            self.limit_hit = true;
        }
        !self.limit_hit
    }

    #[inline]
    fn store(&mut self, key: u64, answer: Answer, start: u64) -> Answer {
        if !self.limit_hit {
            self.cache.put(key, answer, u32::try_from(self.nodes - start).unwrap_or(u32::MAX));
        }
        answer
    }
}
