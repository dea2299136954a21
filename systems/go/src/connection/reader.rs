//! The reader: limits, scratch and the questions it answers.

use super::cache::Cache;
use super::distance::{Captures, FAR, Field};
use super::search::Answer;
use super::zone::Zone;
use crate::board::{Board, Color, Vertex};
use crate::tactics::ko::KoState;
use crate::tactics::{self, Code, Reader, Reading, Trace};

/// How far the reading goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most moves the owner gets to join.
    pub moves: u8,
    /// The most moves beyond the distance at the start.
    pub detour: u8,
    /// The most liberties of a string between the two that may be captured tactically.
    pub capture_liberties: usize,
    /// Positions looked at for one question.
    pub nodes: u64,
    /// Positions looked at for one tactical question within.
    pub capture_nodes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { moves: 8, detour: 3, capture_liberties: 2, nodes: 300, capture_nodes: 60 }
    }
}

/// What is to be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The string at a vertex, of the same owner.
    String(Vertex),
    /// The reader's area.
    Area,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    pub(super) string: Vertex,
    pub(super) target: Target,
    pub(super) owner: Color,
}

impl Query {
    pub(super) const fn target_string(&self) -> Option<Vertex> {
        match self.target {
            Target::String(b) => Some(b),
            Target::Area => None,
        }
    }

    /// Whether one of the strings is off the board.
    pub(super) fn lost(&self, board: &Board) -> bool {
        let gone = |v| board.color_at(v) != Some(self.owner);
        gone(self.string) || self.target_string().is_some_and(gone)
    }
}

/// Answers whether strings can be joined or cut. It may be kept from question to question and from position to
/// position: its cache never changes an answer.
#[derive(Clone)]
pub struct ConnectionReader {
    pub(super) limits: Limits,
    pub(super) reader: Reader,
    /// Reads deeper; asked where much hangs on the answer.
    pub(super) deep: Reader,
    pub(super) cache: Cache,
    pub(super) area: Zone,
    pub(super) to_string: Field,
    pub(super) to_target: Field,
    pub(super) captures: Captures,
    pub(super) nodes: u64,
    pub(super) limit_hit: bool,
    pub(super) trace: Option<Box<Trace>>,
    total_nodes: u64,
}

impl Default for ConnectionReader {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl ConnectionReader {
    /// A reader with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let tactical = tactics::Limits {
            depth: 2,
            branch_depth: 0,
            loose_depth: 0,
            backfill_depth: 1,
            wide_depth: 0,
            fourlib_depth: 0,
            ko_depth: 2,
            nodes: limits.capture_nodes,
        };
        Self {
            limits,
            reader: Reader::new(tactical),
            deep: Reader::new(tactics::Limits {
                nodes: 4 * limits.capture_nodes,
                ..tactics::Limits::default()
            }),
            cache: Cache::default(),
            area: Zone::default(),
            to_string: Field::default(),
            to_target: Field::default(),
            captures: Captures::default(),
            nodes: 0,
            limit_hit: false,
            trace: None,
            total_nodes: 0,
        }
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

    /// Records every variation from now on into `trace`, until [`Self::finish_trace`]. Results out of the cache leave no
    /// variations, so it is emptied first.
    pub fn resume_trace(&mut self, trace: Trace) {
        self.cache = Cache::default();
        self.trace = Some(Box::new(trace));
    }

    /// Ends the recording.
    pub fn finish_trace(&mut self) -> Option<Trace> {
        self.trace.take().map(|trace| *trace)
    }

    /// Can the owner of two strings join them, moving first? They may be one string already: a win with a pass. A
    /// vertex without a stone, or stones of two colours, read as a failure.
    pub fn connect(&mut self, board: &Board, a: Vertex, b: Vertex) -> Reading {
        match self.query(board, a, b) {
            Some(query) => self.join(board, &query),
            None => Reading::default(),
        }
    }

    /// Can the opponent of their owner keep two strings apart, moving first? With a pass as the point: without a move.
    pub fn disconnect(&mut self, board: &Board, a: Vertex, b: Vertex) -> Reading {
        match self.query(board, a, b) {
            Some(query) => self.cut(board, &query),
            None => Reading::default(),
        }
    }

    /// Can the owner of the string at `v`, moving first, join it to a stone of his in the area (one that is there, or
    /// one he plays)?
    pub fn break_in(&mut self, board: &Board, v: Vertex, area: &[Vertex]) -> Reading {
        match self.area_query(board, v, area) {
            Some(query) => self.join(board, &query),
            None => Reading::default(),
        }
    }

    /// Can the opponent of its owner, moving first, keep the string at `v` out of the area?
    pub fn block_off(&mut self, board: &Board, v: Vertex, area: &[Vertex]) -> Reading {
        match self.area_query(board, v, area) {
            Some(query) => self.cut(board, &query),
            None => Reading::default(),
        }
    }

    fn query(&self, board: &Board, a: Vertex, b: Vertex) -> Option<Query> {
        let owner = board.color_at(a)?;
        (board.color_at(b) == Some(owner)).then_some(Query { string: a, target: Target::String(b), owner })
    }

    fn area_query(&mut self, board: &Board, v: Vertex, area: &[Vertex]) -> Option<Query> {
        self.area = area.iter().copied().filter(|&v| board.on_board(v)).collect();
        Some(Query { string: v, target: Target::Area, owner: board.color_at(v)? })
    }

    /// A new question. What earlier ones found is forgotten: under a limit of positions it could change the answer.
    /// The search runs on a copy whose history is the line it reads.
    fn begin(&mut self, board: &Board) -> Board {
        (self.nodes, self.limit_hit) = (0, false);
        self.cache.next_question();
        self.reader.forget();
        self.deep.forget();
        board.without_history()
    }

    /// The owner moves first: more and more moves, until he succeeds or the limits are reached.
    fn join(&mut self, board: &Board, q: &Query) -> Reading {
        let board = &mut self.begin(board);
        let mut best = Answer::new(Code::Fail, Vertex::PASS);
        for left in self.lengths(board, q) {
            let answer = self.join_at(board, q, left, KoState::Free);
            if self.limit_hit {
                break;
            }
            if answer.code > best.code {
                best = answer;
            }
            if best.code == Code::Win {
                break;
            }
        }
        if self.limit_hit && best.code == Code::Fail && q.target_string().is_some() {
            best = self.estimate_join(board, q);
        }
        self.end(&best)
    }

    /// The cutter moves first: a cut that holds against the owner's longest try stands.
    fn cut(&mut self, board: &Board, q: &Query) -> Reading {
        let board = &mut self.begin(board);
        let mut best = Answer::new(Code::Win, Vertex::PASS);
        for left in self.lengths(board, q) {
            let answer = self.cut_at(board, q, left, KoState::Free);
            if self.limit_hit {
                break;
            }
            best = answer;
            if best.code == Code::Fail {
                break;
            }
        }
        if best.code == Code::Win && best.point == Vertex::PASS {
            best.point = self.estimate_cut(board, q);
        }
        self.end(&best)
    }

    fn lengths(&mut self, board: &mut Board, q: &Query) -> std::ops::RangeInclusive<u8> {
        let distance = self.measure(board, q, self.limits.moves, KoState::Free);
        if distance == FAR {
            // Too far for a way of stones; a capture may still join.
            return 1..=1;
        }
        distance.max(1)..=(distance + self.limits.detour).min(self.limits.moves)
    }

    fn end(&mut self, best: &Answer) -> Reading {
        self.total_nodes += self.nodes;
        let point = if best.code.works() { best.point } else { Vertex::PASS };
        Reading { code: best.code, point, line: Vec::new(), nodes: self.nodes, limit_hit: self.limit_hit }
    }
}
