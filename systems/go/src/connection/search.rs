//! Joining and cutting: two functions that call each other.
//!
//! # Source
//! The frame is GNU Go's manual, "Connection Reading"; the zones are after T. Cazenave, "Abstract proof search" (2000)
//! and T. Thomsen, "Lambda-search in game trees" (2000): what a threat rests on is all that can parry it.
//!
//! # Notation
//! The *owner* of the string wants to join it to the *target*, another string of his or an area; the *cutter* is his
//! opponent. `left` is the number of moves the owner has left. The *zone* of a success of the owner holds the empty
//! vertices where a move of the cutter could have mattered.
//!
//! # Steps
//! The owner to move ([`ConnectionReader::join_at`]):
//! 1. Joined: done. Target further than `left`: failed.
//! 2. An opponent's string that touches both sides and can be captured: done.
//! 3. Otherwise he tries what `candidates` offers: vertices on ways that are short enough, and what keeps his stones on
//!    such ways or takes the opponent's off.
//!
//! The cutter to move ([`ConnectionReader::cut_at`]):
//! 4. The string or the target can be captured: cut. Joined otherwise: failed.
//! 5. He passes. If the owner can't join then with `left` moves, no move is needed. Otherwise the owner's threat with the
//!    fewest moves has a zone, and
//! 6. each empty vertex of it is tried; that none cuts proves that the strings are joined.
//!
//! # Invariants
//! An answer depends on the position, the ko state, the question and `left` alone. `left` falls with each move of
//! the owner, so there are no circles.
//!
//! # Cost
//! A few microseconds for a position; some hundred positions for a usual question.

use super::candidates::Moves;
use super::distance::{FAR, Start};
use super::reader::{ConnectionReader, Query, Target};
use super::zone::Zone;
use crate::board::{Board, Color, Vertex};
use crate::tactics::ko::{self, KoState};
use crate::tactics::{Code, Node};

const JOIN: u64 = 0x6a09_e667_f3bc_c908;
const CUT: u64 = 0xbb67_ae85_84ca_a73b;

/// What the player to move reaches, by which move, and, if the owner reaches anything, what that rests on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) code: Code,
    pub(super) point: Vertex,
    pub(super) zone: Zone,
}

impl Answer {
    pub(super) fn new(code: Code, point: Vertex) -> Self {
        Self { code, point, zone: Zone::default() }
    }
}

/// The ko state after a pass.
fn after_pass(ko: KoState) -> KoState {
    Node { depth: 0, ko }.after_pass().ko
}

impl ConnectionReader {
    fn key(&self, board: &Board, q: &Query, left: u8, ko: KoState, question: u64) -> u64 {
        let target = match q.target {
            Target::String(b) => u64::from(board.origin(b).0),
            Target::Area => self.area.key() | 1 << 40,
        };
        let place = u64::from(board.origin(q.string).0) << 48 | u64::from(left) << 42 | ko.key() << 21;
        board.situation_hash(Color::Black)
            ^ question
            ^ place.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(23)
            ^ target.wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(41)
    }

    /// Counts a position; false when the limit is reached.
    #[inline]
    fn count(&mut self) -> bool {
        self.nodes += 1;
        self.limit_hit |= self.nodes > self.limits.nodes;
        !self.limit_hit
    }

    /// Plays `v` if the ko scheme allows it, asks for the opponent's answer, takes back: the mover's code, and the
    /// zone of the answer. `None` if it can't be played.
    fn trial(
        &mut self,
        board: &mut Board,
        color: Color,
        v: Vertex,
        ko: KoState,
        reply: impl FnOnce(&mut Self, &mut Board, KoState) -> Answer,
    ) -> Option<(Code, Zone)> {
        let (ko, conditional) = ko::play(board, color, v, Node { depth: 0, ko }, true)?;
        if let Some(trace) = &mut self.trace {
            trace.enter(color, v);
        }
        let Answer { code, zone, .. } = reply(self, board, ko);
        board.undo();
        let code = match (conditional, code) {
            (false, code) => code.reverse(),
            (true, Code::Win) => Code::Fail,
            (true, _) => Code::KoB,
        };
        if let Some(trace) = &mut self.trace {
            trace.leave(code);
        }
        Some((code, zone))
    }

    /// Whether the string has reached the target.
    #[inline]
    pub(super) fn is_joined(&self, board: &Board, q: &Query) -> bool {
        match q.target {
            Target::String(b) => board.same_string(q.string, b),
            Target::Area => self.area.meets(board.stone_bits(q.string)),
        }
    }

    /// Measures both ways; the least number of stones that join.
    pub(super) fn measure(&mut self, board: &mut Board, q: &Query, limit: u8, ko: KoState) -> u8 {
        self.read_captures(board, q, ko);
        let start = match q.target {
            Target::String(b) => Start::String(b),
            Target::Area => Start::Area(&self.area),
        };
        self.to_target.measure(board, q.owner, start, limit, &self.captures);
        let distance = self.to_target.to(board, q.string);
        if distance <= limit {
            self.to_string.measure(board, q.owner, Start::String(q.string), limit, &self.captures);
        }
        distance
    }

    /// Finds the opponent's strings of two liberties or fewer around the string, the target and the stones played since
    /// the question that can be captured.
    fn read_captures(&mut self, board: &mut Board, q: &Query, ko: KoState) {
        self.captures.clear();
        let mut weak: [Vertex; 12] = [Vertex::PASS; 12];
        let mut count = 0;
        let mut around = |board: &Board, s: Vertex| {
            board.each_adjacent(s, |t| {
                if board.liberties(t) <= 2 && count < weak.len() {
                    let t = board.origin(t);
                    if !weak[..count].contains(&t) {
                        weak[count] = t;
                        count += 1;
                    }
                }
            });
        };
        for s in [Some(q.string), q.target_string()].into_iter().flatten() {
            around(board, s);
        }
        for (color, v) in board.moves() {
            if color == q.owner && board.color_at(v) == Some(color) {
                around(board, v);
            }
        }
        for &t in &weak[..count] {
            if self.reader.attack_within(board, t, ko).0 == Code::Win {
                let saved = self.reader.defend_within(board, t, ko).0.works()
                    || self.deep.defend_within(board, t, ko).0.works();
                self.captures.add(t, u8::from(saved));
            }
        }
    }

    /// The zone of the captures that take at most this many stones.
    fn captures_zone(&self, board: &Board, stones: u8) -> Zone {
        let mut zone = Zone::default();
        for (t, _) in self.captures.iter().filter(|&(_, needed)| needed <= stones) {
            zone.union(&capture_zone(board, t, t));
        }
        zone
    }

    /// The owner moves: can he join?
    pub(super) fn join_at(&mut self, board: &mut Board, q: &Query, left: u8, ko: KoState) -> Answer {
        // 1.
        if self.is_joined(board, q) {
            return Answer::new(Code::Win, Vertex::PASS);
        }
        if left == 0 || q.lost(board) || !self.count() {
            return Answer::new(Code::Fail, Vertex::PASS);
        }
        let key = self.key(board, q, left, ko, JOIN);
        if let Some(answer) = self.cache.get(key) {
            return answer;
        }
        // 2.
        let mut best = self.take_between(board, q, ko);
        if best.code == Code::Win {
            return self.store(key, best);
        }
        let distance = self.measure(board, q, left, ko);
        if distance == FAR {
            return self.store(key, best);
        }
        if distance == 0 {
            let zone = self.captures_zone(board, 0);
            return self.store(key, Answer { code: Code::Win, point: Vertex::PASS, zone });
        }
        // 3.
        let mut moves = Moves::default();
        moves.join(board, q, &self.to_string, &self.to_target, left);
        let captures: Vec<Vertex> = self.captures.iter().filter(|c| c.1 == 1).map(|c| c.0).collect();
        for t in captures {
            let way = self.to_string.to(board, t).saturating_add(self.to_target.to(board, t));
            if way <= left + 1 {
                moves.add(self.reader.attack_within(board, t, ko).1, 36 - 8 * i16::from(way));
            }
        }
        for point in moves.in_order() {
            let tried = self.trial(board, q.owner, point, ko, |r, b, ko| r.cut_at(b, q, left - 1, ko));
            if let Some((code, mut zone)) = tried
                && code > best.code
            {
                zone.add(point);
                best = Answer { code, point, zone };
                if code == Code::Win {
                    break;
                }
            }
        }
        self.store(key, best)
    }

    /// 2. Captures an opponent's string that touches the string and the target.
    fn take_between(&mut self, board: &mut Board, q: &Query, ko: KoState) -> Answer {
        let mut best = Answer::new(Code::Fail, Vertex::PASS);
        let mut between = [Vertex::PASS; 8];
        let mut count = 0;
        board.each_adjacent(q.string, |t| {
            let near = board.liberties(t) <= self.limits.capture_liberties && count < between.len();
            if near && self.touches_target(board, q, t) {
                between[count] = t;
                count += 1;
            }
        });
        for &t in &between[..count] {
            let (code, point) = self.reader.attack_within(board, t, ko);
            if code > best.code {
                best = Answer { code, point, zone: capture_zone(board, t, point) };
            }
        }
        best
    }

    fn touches_target(&self, board: &Board, q: &Query, t: Vertex) -> bool {
        match q.target {
            Target::Area => self.area.meets(board.stone_bits(t)),
            Target::String(b) => {
                let mut touches = false;
                board.each_adjacent(t, |s| touches |= board.same_string(s, b));
                touches
            }
        }
    }

    /// The cutter moves: can he keep string and target apart?
    pub(super) fn cut_at(&mut self, board: &mut Board, q: &Query, left: u8, ko: KoState) -> Answer {
        // 4.
        let mut best = self.capture_either(board, q, ko);
        if best.code == Code::Win || self.is_joined(board, q) || !self.count() {
            return best;
        }
        let key = self.key(board, q, left, ko, CUT);
        if let Some(answer) = self.cache.get(key) {
            return answer;
        }
        // 5.
        if left == 0 {
            let joined = self.measure(board, q, 0, ko) == 0;
            let zone = self.captures_zone(board, 0);
            let code = if joined { best.code } else { Code::Win };
            return self.store(key, Answer { code, point: Vertex::PASS, zone });
        }
        if self.measure(board, q, left, ko) == 0 {
            best.zone.union(&self.captures_zone(board, 0));
            return self.store(key, best);
        }
        let threat = self.threat(board, q, left, ko);
        if threat.code == Code::Fail {
            return self.store(key, Answer::new(Code::Win, Vertex::PASS));
        }
        let pass = threat.code.reverse();
        let mut zone = threat.zone;
        zone.union(&best.zone);
        if pass > best.code {
            best = Answer::new(pass, Vertex::PASS);
        }
        // 6.
        self.measure(board, q, left + 1, ko);
        let mut moves = Moves::default();
        moves.cut(board, q, &self.to_string, &self.to_target, &zone, threat.point);
        for point in moves.in_order() {
            let tried =
                self.trial(board, q.owner.other(), point, ko, |r, b, ko| r.join_within(b, q, left, ko));
            let Some((code, answer_zone)) = tried else { continue };
            zone.add(point);
            zone.union(&answer_zone);
            if code > best.code {
                best.code = code;
                best.point = point;
                if code == Code::Win {
                    break;
                }
            }
        }
        best.zone = zone;
        self.store(key, best)
    }

    /// 4. Captures the string or the target. On failure the zone says where a cutter's move would threaten to.
    fn capture_either(&mut self, board: &mut Board, q: &Query, ko: KoState) -> Answer {
        let mut best = Answer::new(Code::Fail, Vertex::PASS);
        let both = [Some(q.string), q.target_string().filter(|&b| !board.same_string(q.string, b))];
        for s in both.into_iter().flatten() {
            if board.color_at(s) != Some(q.owner) {
                return Answer::new(Code::Win, Vertex::PASS);
            }
            let liberties = board.liberties(s);
            if liberties <= 2 {
                let (code, point) = self.reader.attack_within(board, s, ko);
                if code > best.code {
                    (best.code, best.point) = (code, point);
                }
            }
            if liberties <= 3 {
                best.zone.add_bits(board.liberty_bits(s));
            }
        }
        best
    }

    /// 5. What the owner could do if the cutter passed, with as few moves as possible.
    fn threat(&mut self, board: &mut Board, q: &Query, left: u8, ko: KoState) -> Answer {
        board.play(q.owner.other(), Vertex::PASS).expect("a pass is always legal");
        let best = self.join_within(board, q, left, after_pass(ko));
        board.undo();
        best
    }

    /// The owner moves: the join with the fewest moves, so that it rests on little.
    fn join_within(&mut self, board: &mut Board, q: &Query, left: u8, ko: KoState) -> Answer {
        let nearest = self.measure(board, q, left, ko).min(left).max(1);
        let mut best = Answer::new(Code::Fail, Vertex::PASS);
        for moves in nearest..=left {
            let answer = self.join_at(board, q, moves, ko);
            if answer.code > best.code {
                best = answer;
                if best.code == Code::Win {
                    break;
                }
            }
        }
        best
    }

    #[inline]
    fn store(&mut self, key: u64, answer: Answer) -> Answer {
        if !self.limit_hit {
            self.cache.put(key, answer);
        }
        answer
    }
}

/// What a capture of the string at `t`, beginning at `point`, rests on: its liberties and those next to them, and the
/// liberties of the strings around it that could be taken in turn.
fn capture_zone(board: &Board, t: Vertex, point: Vertex) -> Zone {
    let mut zone = Zone::default();
    zone.add(point);
    zone.add_bits(board.liberty_bits(t));
    for l in board.liberty_vertices(t) {
        board.neighbors4(l).filter(|&n| board.is_empty(n)).for_each(|n| zone.add(n));
    }
    board.each_adjacent(t, |c| {
        if board.liberties(c) <= 2 {
            zone.add_bits(board.liberty_bits(c));
        }
    });
    zone
}
