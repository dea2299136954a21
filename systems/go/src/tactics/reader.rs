//! The tactical reader: its limits, its scratch memory and its questions.

use super::cache::Cache;
use super::candidates::{Gains, KnownGains, Moves, ReadingTask, Stage};
use super::code::{Answer, Code, Reading};
use super::ko;
use super::node::Node;
use super::trace::Trace;
use crate::board::{Board, Vertex, in_order};
use crate::effort::Limits;

/// Positions for each question about two strings after a move that threatens both.
///
/// Origin: own choice, unmeasured.
const DOUBLE_NODES: u64 = 1000;

/// No reading goes deeper than this many moves: a ladder twice across the board.
///
/// Origin: own choice, unmeasured.
pub(super) const MAX_DEPTH: u16 = 300;

/// The longest line that a reading gives.
///
/// Origin: definition, a capacity that no result depends on.
const MOST_LINE: usize = 60;

/// Answers tactical questions about positions. It may be kept from question to question and from position to
/// position: no answer depends on the questions before.
#[derive(Clone)]
pub struct Reader {
    pub(super) limits: Limits,
    pub(super) cache: Cache,
    pub(super) gains: KnownGains,
    pub(super) nodes: u64,
    pub(super) limit_hit: bool,
    total_nodes: u64,
    cut_off: u64,
    pub(super) trace: Option<Box<Trace>>,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Reader {
    /// A reader with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            cache: Cache::new(),
            gains: KnownGains::default(),
            nodes: 0,
            limit_hit: false,
            total_nodes: 0,
            cut_off: 0,
            trace: None,
        }
    }

    /// A reader that forgets before each question.
    pub(crate) fn for_one_question(limits: Limits) -> Self {
        Self { cache: Cache::for_one_question(limits.nodes), ..Self::new(limits) }
    }

    /// The limits it reads under.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Positions looked at since it was made.
    #[must_use]
    pub const fn total_nodes(&self) -> u64 {
        self.total_nodes
    }

    /// Questions that the node limit cut off since it was made.
    #[must_use]
    pub const fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// Counts questions that the node limit cut off when their kept answers were read.
    pub(crate) const fn count_cut_off(&mut self, questions: u64) {
        self.cut_off += questions;
    }

    /// Reads under these limits from now on.
    pub fn read_under(&mut self, limits: Limits) {
        if self.limits != limits {
            let (total_nodes, cut_off) = (self.total_nodes, self.cut_off);
            *self = Self { total_nodes, cut_off, ..Self::new(limits) };
        }
    }

    /// Forgets all results, as if it were new.
    pub fn forget(&mut self) {
        self.cache.forget();
    }

    /// The moves tried first against the string at `v`, or for it.
    pub(super) fn root_candidates(&self, board: &Board, v: Vertex, attacking: bool) -> Vec<Vertex> {
        let Some(owner) = board.color_at(v) else { return Vec::new() };
        let mut gains = Gains::new(board, v, owner);
        let mut moves = Moves::default();
        if attacking {
            let asked =
                ReadingTask { target: v, owner, order: self.order_at(0), node: Node::LADDER, attacking };
            gains.score(board, owner);
            for stage in [Stage::Near, Stage::Far] {
                moves.attack(board, asked, &gains, &self.limits, stage);
            }
        } else {
            let asked =
                ReadingTask { target: v, owner, order: self.order_at(0) + 1, node: Node::LADDER, attacking };
            for stage in [Stage::Near, Stage::Far] {
                moves.defend(board, asked, &gains, &self.limits, stage);
            }
        }
        std::iter::from_fn(|| moves.take_best()).collect()
    }

    /// Can the opponent capture the string at `v` by a ladder: atari after atari?
    pub fn ladder_attack(&mut self, board: &mut Board, v: Vertex) -> Reading {
        self.ask(
            board,
            v,
            |reader, board| reader.attack_at(board, v, 1, Node::LADDER, Vertex::PASS, None),
            true,
        )
    }

    /// Records every variation from now on into `trace`, which another reader may have had meanwhile. Results out of the cache
    /// leave no variations, so it is emptied first.
    pub fn resume_trace(&mut self, trace: Trace) {
        self.cache.forget();
        self.trace = Some(Box::new(trace));
    }

    /// Ends the recording.
    pub fn finish_trace(&mut self) -> Option<Trace> {
        self.trace.take().map(|trace| *trace)
    }

    /// Can the opponent, moving first, capture the string at `v`? A vertex without a stone reads as a failure.
    pub fn attack(&mut self, board: &mut Board, v: Vertex) -> Reading {
        self.forget();
        self.attack_on(board, v)
    }

    /// [`Self::attack`] with the remembered results of other questions.
    pub(super) fn attack_on(&mut self, board: &mut Board, v: Vertex) -> Reading {
        self.ask(board, v, |reader, board| reader.attack_root(board, v), true)
    }

    /// Can its owner, moving first, save the string at `v`? A win with a pass as the point: it needs no move. A move
    /// that could not be refuted within the node limit counts as saving the string. If no attack was found within the
    /// limit, the most urgent move is named, because a move may be needed.
    pub fn defend(&mut self, board: &mut Board, v: Vertex) -> Reading {
        self.forget();
        self.defend_on(board, v)
    }

    /// [`Self::defend`] with the remembered results of other questions.
    pub(super) fn defend_on(&mut self, board: &mut Board, v: Vertex) -> Reading {
        let attack = self.attack_on(board, v);
        let idle = attack.code.reverse();
        let Some(owner) = board.color_at(v) else { return Reading::default() };
        if idle == Code::Win {
            let mut point = Vertex::PASS;
            if attack.limit_hit {
                let candidates = self.root_candidates(board, v, false);
                point = candidates.into_iter().find(|&c| board.is_legal(owner, c)).unwrap_or(point);
            }
            return Reading { code: idle, point, line: Vec::new(), ..attack };
        }
        let threat = Answer { code: attack.code, point: attack.point };
        let mut reading = self.ask(board, v, |reader, board| reader.defend_root(board, v, threat), false);
        reading.nodes += attack.nodes;
        if idle > reading.code || !reading.code.works() {
            (reading.code, reading.point) = (idle.max(reading.code), Vertex::PASS);
            reading.line.clear();
        }
        reading
    }

    /// Whether the attacker's move at `point` captures the string at `v` in the end, or the owner's saves it: its code.
    pub fn does(&mut self, board: &mut Board, point: Vertex, v: Vertex, attacking: bool) -> Code {
        self.forget();
        self.does_on(board, point, v, attacking)
    }

    /// [`Self::does`] with the remembered results of other questions.
    pub(super) fn does_on(&mut self, board: &mut Board, point: Vertex, v: Vertex, attacking: bool) -> Code {
        let code = |reader: &mut Self, board: &mut Board| reader.try_root(board, point, v, attacking);
        self.ask(board, v, |reader, board| Answer { code: code(reader, board), point }, attacking).code
    }

    /// Can the opponent capture one of two strings of a colour with one move? The better of the two attacks, or a move
    /// that threatens both at once.
    pub fn attack_either(&mut self, board: &mut Board, a: Vertex, b: Vertex) -> Reading {
        self.forget();
        let first = self.attack_on(board, a);
        let second = self.attack_on(board, b);
        let mut best = if second.code > first.code { second } else { first };
        let Some(color) = board.color_at(a) else { return best };
        if best.code == Code::Win {
            return best;
        }
        let points: Vec<Vertex> = self.double_threats(board, a, b);
        for point in points {
            let saved = board.tried(color.other(), point, |board| {
                self.within(DOUBLE_NODES, |reader| reader.defend_both_on(board, a, b))
            });
            let code = saved.map_or(Code::Fail, Code::reverse);
            if code > best.code {
                best = Reading { code, point, line: vec![point], ..best };
            }
        }
        best
    }

    /// Whether the owner of two strings, moving first, can save both.
    pub fn defend_both(&mut self, board: &mut Board, a: Vertex, b: Vertex) -> Code {
        self.forget();
        self.defend_both_on(board, a, b)
    }

    fn defend_both_on(&mut self, board: &mut Board, a: Vertex, b: Vertex) -> Code {
        let Some(color) = board.color_at(a).or(board.color_at(b)) else { return Code::Fail };
        let (first, second) = (self.attack_on(board, a).code, self.attack_on(board, b).code);
        if !first.works() && !second.works() {
            return Code::Win;
        }
        let mut best = if first.works() && second.works() { Code::Fail } else { first.max(second).reverse() };
        let mut points: Vec<Vertex> = Vec::new();
        for v in [a, b] {
            points.push(self.defend_on(board, v).point);
            points.extend(board.liberty_vertices(v));
            points.extend(self.capturing_moves(board, v));
        }
        for point in in_order(points) {
            if best == Code::Win || point == Vertex::PASS {
                continue;
            }
            let codes =
                board.tried(color, point, |board| [a, b].map(|v| self.attack_on(board, v).code.reverse()));
            best = best.max(codes.map_or(Code::Fail, |[a, b]| a.min(b)));
        }
        best
    }

    /// Moves that might threaten both strings: shared liberties, and neighbouring liberties.
    fn double_threats(&self, board: &Board, a: Vertex, b: Vertex) -> Vec<Vertex> {
        let mut points: Vec<Vertex> = board.liberty_vertices(a).filter(|&v| board.is_liberty(v, b)).collect();
        points.extend(board.liberty_vertices(a).filter(|&v| !board.is_liberty(v, b)));
        points.extend(board.liberty_vertices(b).filter(|&v| !board.is_liberty(v, a)));
        points
    }

    /// Moves by which the owner of the string at `v` takes a string next to it off at once.
    fn capturing_moves(&self, board: &Board, v: Vertex) -> Vec<Vertex> {
        let mut points = Vec::new();
        board.each_adjacent(v, |c| {
            if board.liberties(c) == 1 {
                points.extend(board.liberty_vertices(c));
            }
        });
        points
    }

    /// Asks with at most this many positions for each question.
    pub(crate) fn within<T>(&mut self, nodes: u64, ask: impl FnOnce(&mut Self) -> T) -> T {
        let all = std::mem::replace(&mut self.limits.nodes, nodes);
        self.limits.nodes = nodes.min(all);
        let answer = ask(self);
        self.limits.nodes = all;
        answer
    }

    /// Runs one question with fresh counters and looks the line up afterwards. If the node limit cuts it off, it runs
    /// once more under narrower limits. If the first run found no attack, or did not finish a defence, the second run
    /// decides.
    fn ask(
        &mut self,
        board: &mut Board,
        v: Vertex,
        search: impl Fn(&mut Self, &mut Board) -> Answer,
        attack: bool,
    ) -> Reading {
        if board.color_at(v).is_none() {
            return Reading::default();
        }
        (self.nodes, self.limit_hit) = (0, false);
        let mut answer = search(self, board);
        let mut nodes = self.nodes;
        let limit_hit = self.limit_hit;
        let unsettled = limit_hit && (!attack || !answer.code.works());
        let narrower = self.limits.narrower().filter(|_| unsettled);
        if let Some(narrower) = narrower {
            let limits = std::mem::replace(&mut self.limits, narrower);
            self.forget();
            (self.nodes, self.limit_hit) = (0, false);
            answer = search(self, board);
            nodes += self.nodes;
            self.limits = limits;
        }
        self.total_nodes += nodes;
        self.cut_off += u64::from(limit_hit);
        let line = if answer.code.works() { self.line(board, v, answer.point, attack) } else { Vec::new() };
        if narrower.is_some() {
            self.forget();
        }
        Reading { code: answer.code, point: answer.point, line, nodes, limit_hit }
    }

    /// The line from `first` on, as far as the cache still knows it.
    fn line(&mut self, board: &mut Board, v: Vertex, first: Vertex, attack: bool) -> Vec<Vertex> {
        let mark = board.history_len();
        let Some(owner) = board.color_at(v) else { return Vec::new() };
        let (mut line, mut node, mut point, mut attackers_turn) = (Vec::new(), Node::LADDER, first, attack);
        while line.len() < MOST_LINE {
            let color = if attackers_turn { owner.other() } else { owner };
            if point == Vertex::PASS {
                break;
            }
            let Some((ko, _)) = ko::play(board, color, point, node.ko, true) else { break };
            line.push(point);
            node = Node { depth: node.depth + 1, ko, far: 0 };
            attackers_turn = !attackers_turn;
            if board.color_at(v) != Some(owner) {
                break;
            }
            let known = if attackers_turn {
                self.known_attack(board, v, node)
            } else {
                self.known_defence(board, v, node)
            };
            let Some(answer) = known else { break };
            point = answer.point;
        }
        board.undo_to(mark);
        line
    }
}
