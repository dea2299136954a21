//! The reader of connections: its limits, its scratch memory and its questions.

use super::captures::Captures;
use super::distance::{FAR, Field, MOST_DISTANCE, Sight};
use super::open::leans_to_join;
use super::query::{Query, Target, Task};
use super::tree::Tree;
use crate::board::{Board, Vertex, VertexSet};
use crate::effort::{Limits, LinkLimits};
use crate::tactics::ko::KoState;
use crate::tactics::{Code, Reader, Reading, Trace};

/// Answers whether strings can be joined or cut. It may be kept from question to question and from position to
/// position: its cache never changes an answer.
#[derive(Clone)]
pub struct ConnectionReader {
    pub(super) limits: LinkLimits,
    pub(super) sight: Sight,
    pub(super) tree: Tree,
    pub(super) area: VertexSet,
    pub(super) to_string: Field,
    pub(super) to_target: Field,
    pub(super) nodes: u64,
    pub(super) limit_hit: bool,
    pub(super) trace: Option<Box<Trace>>,
    total_nodes: u64,
}

impl Default for ConnectionReader {
    fn default() -> Self {
        Self::new(LinkLimits::default())
    }
}

impl ConnectionReader {
    /// A reader with these limits.
    #[must_use]
    pub fn new(limits: LinkLimits) -> Self {
        let quick = Limits::of_links(limits.capture_nodes);
        let thorough = Limits { nodes: 2 * limits.capture_nodes, ..Limits::default() };
        let reader = Captures::new(Reader::for_one_question(quick), Reader::for_one_question(thorough));
        Self {
            limits,
            sight: Sight { reader, captures: Vec::new(), ko_seen: false },
            tree: Tree::default(),
            area: VertexSet::default(),
            to_string: Field::default(),
            to_target: Field::default(),
            nodes: 0,
            limit_hit: false,
            trace: None,
            total_nodes: 0,
        }
    }

    /// The limits it reads under.
    #[must_use]
    pub const fn limits(&self) -> LinkLimits {
        self.limits
    }

    /// Positions looked at since it was made.
    #[must_use]
    pub const fn total_nodes(&self) -> u64 {
        self.total_nodes
    }

    /// Records every variation from now on into `trace`, until [`Self::finish_trace`].
    pub fn resume_trace(&mut self, trace: Trace) {
        self.trace = Some(Box::new(trace));
    }

    /// Ends the recording.
    pub fn finish_trace(&mut self) -> Option<Trace> {
        self.trace.take().map(|trace| *trace)
    }

    /// Can the owner of two strings join them, moving first? They may be one string already: a win with a pass. A
    /// vertex without a stone, or stones of two colours, read as a failure.
    pub fn connect(&mut self, board: &Board, a: Vertex, b: Vertex) -> Reading {
        self.query(board, a, b).map(|query| self.join(board, &query)).unwrap_or_default()
    }

    /// Can the opponent of their owner keep two strings apart, moving first? With a pass as the point: without a move.
    pub fn disconnect(&mut self, board: &Board, a: Vertex, b: Vertex) -> Reading {
        self.query(board, a, b).map(|query| self.cut(board, &query)).unwrap_or_default()
    }

    /// Whether the owner of the string at `v`, moving first, can join it to an own stone in the area, present or new.
    pub fn break_in(&mut self, board: &Board, v: Vertex, area: &[Vertex]) -> Reading {
        self.area_query(board, v, area).map(|query| self.join(board, &query)).unwrap_or_default()
    }

    /// Can the opponent of its owner, moving first, keep the string at `v` out of the area?
    pub fn block_off(&mut self, board: &Board, v: Vertex, area: &[Vertex]) -> Reading {
        self.area_query(board, v, area).map(|query| self.cut(board, &query)).unwrap_or_default()
    }

    pub(super) fn query(&self, board: &Board, a: Vertex, b: Vertex) -> Option<Query> {
        let owner = board.color_at(a)?;
        (board.color_at(b) == Some(owner)).then_some(Query { string: a, target: Target::String(b), owner })
    }

    fn area_query(&mut self, board: &Board, v: Vertex, area: &[Vertex]) -> Option<Query> {
        self.area = area.iter().copied().filter(|&v| board.on_board(v)).collect();
        Some(Query { string: v, target: Target::Area, owner: board.color_at(v)? })
    }

    /// A new question. The results of earlier questions are dropped, because under a limit of positions they could
    /// change the answer. The search runs on a copy whose history is the line it reads.
    pub(super) fn begin(&mut self, board: &Board) -> Board {
        (self.nodes, self.limit_hit, self.sight.ko_seen) = (0, false, false);
        self.sight.reader.forget();
        board.without_history()
    }

    /// The owner moves first: can he join outright; if not and a ko matters, with a ko?
    fn join(&mut self, board: &Board, q: &Query) -> Reading {
        let board = &mut self.begin(board);
        for demand in [Code::Win, Code::KoA, Code::KoB] {
            let outcome = self.search(board, q, true, demand);
            let guessed = self.limit_hit && demand == Code::Win && q.target != Target::Area;
            let joined = outcome.numbers.proof == 0
                || (guessed && leans_to_join(outcome.numbers, self.limits.guess_join));
            if joined {
                return self.end(demand, outcome.line);
            }
            if self.limit_hit || !self.sight.ko_seen {
                break;
            }
        }
        self.end(Code::Fail, Vec::new())
    }

    /// The cutter moves first: can he cut outright; if not and a ko matters, with a ko?
    fn cut(&mut self, board: &Board, q: &Query) -> Reading {
        let board = &mut self.begin(board);
        for (demand, code) in [(Code::KoB, Code::Win), (Code::KoA, Code::KoA), (Code::Win, Code::KoB)] {
            let outcome = self.search(board, q, false, demand);
            let guessed = self.limit_hit && code == Code::Win;
            let cut = outcome.numbers.disproof == 0
                || (guessed && self.limits.guess.cuts(&self.evidence(board, q)));
            if cut {
                let mut line = outcome.line;
                if line.is_empty() {
                    line.push(self.first_cut(board, q));
                }
                return self.end(code, line);
            }
            if self.limit_hit || !self.sight.ko_seen {
                break;
            }
        }
        self.end(Code::Fail, Vec::new())
    }

    /// The cutter's move where no search was needed: it takes a string, or lies in the way.
    fn first_cut(&mut self, board: &mut Board, q: &Query) -> Vertex {
        if let Some(danger) = self.danger(board, q, KoState::Free) {
            return danger.point;
        }
        let task = Task { q, demand: Code::Win, reach: 0 };
        let distance = self.measure(board, task, MOST_DISTANCE, KoState::Free);
        if distance == FAR {
            return Vertex::PASS;
        }
        self.measure_back(board, task, distance, KoState::Free);
        let moves = self.cuts(board, q, distance, KoState::Free);
        moves.and_then(|mut moves| moves.in_order().first().map(|m| m.v)).unwrap_or(Vertex::PASS)
    }

    fn end(&mut self, code: Code, line: Vec<Vertex>) -> Reading {
        self.total_nodes += self.nodes;
        let point = line.first().copied().unwrap_or(Vertex::PASS);
        Reading { code, point, line, nodes: self.nodes, limit_hit: self.limit_hit }
    }
}
