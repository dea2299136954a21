//! The engine's answers to the constraints of patterns, by reading, worms, the topology of eyes, and influence.

use super::memo::{Goal, Known, Memo};
use super::query::Queries;
use super::status::UNKNOWN;
use crate::board::{Board, Color, KoRule, Vertex, VertexSet};
use crate::connection::ConnectionReader;
use crate::eyes::topology::{self, HalfEyeKind, Tactics};
use crate::memory::{self, QuestionKind, ReadingMemory};
use crate::spread::InfluenceMap;
use crate::tactics::area;
use crate::tactics::{Answer, Code, Reader, TacticsMap, WormTactics};
use crate::worms::WormMap;

/// Answers constraints about one position from the findings of the stages so far, and by reading.
pub struct EngineQueries<'a> {
    /// The position. Reading plays on it and takes everything back.
    pub board: Board,
    /// The reader.
    pub reader: &'a mut Reader,
    /// The worms, if known.
    pub worms: Option<&'a WormMap>,
    /// The readings of the strings in the position, if known.
    pub tactics: Option<&'a TacticsMap>,
    /// The influence that `oarea` and its like look at, if known.
    pub influence: Option<&'a InfluenceMap>,
    /// The value of `status(x)` for each padded vertex; empty before dragons are known.
    pub statuses: Vec<i32>,
    /// Per padded vertex whether it was a false eye that counts as territory before the move now tried; empty if none is.
    pub false_eyes: Vec<bool>,
    /// The reader of connections; made when first asked.
    pub connections: Option<Box<ConnectionReader>>,
    /// The earlier readings of this position.
    pub memo: Memo,
    /// The readings of all positions.
    pub memory: ReadingMemory,
}

impl<'a> EngineQueries<'a> {
    /// Answers about this position by reading alone.
    #[must_use]
    pub fn new(board: Board, reader: &'a mut Reader) -> Self {
        Self {
            board,
            reader,
            worms: None,
            tactics: None,
            influence: None,
            statuses: Vec::new(),
            false_eyes: Vec::new(),
            connections: None,
            memo: Memo::default(),
            memory: ReadingMemory::with_bytes(0),
        }
    }

    /// Plays the moves, asks, takes them back; if it was asked before, the answer is remembered.
    fn read(
        &mut self,
        goal: Goal,
        first: Color,
        moves: &[Vertex],
        strings: [Vertex; 2],
        ask: impl FnOnce(&mut Reader, &mut Board) -> i32,
    ) -> i32 {
        let Self { board, reader, memo, memory, .. } = self;
        memo.ask(goal, first, moves, strings, || {
            // Under superko an answer rests on the past, too.
            let lasts = board.history_len() == 0 || board.rules().ko == KoRule::Simple;
            let parts = (goal, first, moves, strings, reader.limits());
            let asked = memory::MemoryKey::new(QuestionKind::Condition, parts, board, &[]);
            let kept: Option<Known> = if lasts { memory.recall(&asked) } else { None };
            if let Some(known) = kept {
                reader.count_cut_off(known.cut_off);
                return known;
            }
            let before = reader.cut_off();
            let (mut watched, watch) = board.watched_here();
            watched.play_in_turn(first, moves);
            let value = ask(reader, &mut watched);
            let area = watch.footprint(board);
            let on_ko = watch.saw_ko() || board.ko().is_some_and(|(v, _)| area.holds(v));
            let known = Known { value, area, on_ko, cut_off: reader.cut_off() - before };
            if lasts {
                memory.keep(&asked, &watch, &known, size_of::<Known>());
            }
            known
        })
    }

    /// Whether an empty vertex is a false eye that counts as its owner's territory.
    fn is_false_territory(&self, v: Vertex) -> bool {
        let owner = self.influence.and_then(|map| map.whose_territory(v));
        owner.is_some()
            && self.board.neighbors4(v).all(|n| self.board.color_at(n) == owner)
            && self.topology(v) == Some(HalfEyeKind::False)
    }

    /// Begins the trial of moves: false eyes at this moment stay false.
    pub(crate) fn keep_false_eyes(&mut self) {
        self.false_eyes = self.board.marks(self.board.vertices().filter(|&v| self.is_false_territory(v)));
    }

    /// The known reading of the string. Records the area that the reading looked at.
    fn known(&mut self, v: Vertex) -> Option<&'a WormTactics> {
        let worm = self.tactics?.at(&self.board, v)?;
        self.memo.see(Some(area::of_reading(&self.board, v, &VertexSet::EMPTY)));
        Some(worm)
    }

    fn topology(&self, v: Vertex) -> Option<HalfEyeKind> {
        let tactics = self.tactics?;
        let mut colors = self.board.neighbors4(v).filter_map(|n| self.board.color_at(n));
        let owner = colors.next()?;
        if colors.any(|c| c != owner) || !self.board.is_empty(v) {
            return None;
        }
        let read = Strings { board: &self.board, tactics };
        let sum = topology::diagonal_sum(&self.board, v, owner, |_| false, &read);
        sum.half_eye(v).map(|eye| eye.kind)
    }
}

/// The reading of the position, for the topology of eyes.
struct Strings<'a> {
    board: &'a Board,
    tactics: &'a TacticsMap,
}

/// The value of a reading in a constraint. The results of both sides add up to that of a win.
const fn value(code: Code) -> i32 {
    match code {
        Code::Fail => 0,
        Code::KoB => 1,
        Code::KoA => 4,
        Code::Win => 5,
    }
}

impl Tactics for Strings<'_> {
    fn attack(&self, v: Vertex) -> Answer {
        let code = self.tactics.at(self.board, v).map_or(Code::Fail, |t| t.attack);
        Answer { code, point: Vertex::PASS }
    }

    fn defence(&self, v: Vertex) -> Answer {
        let code = self.tactics.at(self.board, v).map_or(Code::Win, |t| t.defense);
        Answer { code, point: Vertex::PASS }
    }

    fn safe_move(&self, v: Vertex, color: Color) -> Code {
        let mut board = self.board.clone();
        if board.play(color, v).is_ok() && board.liberties(v) > 1 { Code::Win } else { Code::Fail }
    }
}

impl Queries for EngineQueries<'_> {
    fn board(&self) -> &Board {
        &self.board
    }

    fn liberties(&mut self, v: Vertex, order: usize) -> i32 {
        if order == 1 {
            return self.board.liberties(v) as i32;
        }
        let worm = self.worms.and_then(|w| w.get(v));
        worm.map_or(0, |w| i32::from(w.liberties[order.clamp(1, 4) - 1]))
    }

    fn attack(&mut self, v: Vertex) -> i32 {
        if self.board.color_at(v).is_none() {
            return 0;
        }
        if let Some(worm) = self.known(v) {
            return value(worm.attack);
        }
        self.after(Goal::Attack, Color::Black, &[], [v; 2])
    }

    fn defend(&mut self, v: Vertex) -> i32 {
        if let Some(worm) = self.known(v) {
            return value(worm.defense);
        }
        if Queries::attack(self, v) == 0 { 0 } else { self.after(Goal::Defend, Color::Black, &[], [v; 2]) }
    }

    fn after(&mut self, goal: Goal, first: Color, moves: &[Vertex], strings: [Vertex; 2]) -> i32 {
        let [a, b] = strings;
        if matches!(goal, Goal::Connect | Goal::Disconnect) {
            let mut connections = self.connections.take().unwrap_or_default();
            let answer = self.read(goal, first, moves, strings, |_, board| {
                let connects = goal == Goal::Connect;
                let ask = if connects { ConnectionReader::connect } else { ConnectionReader::disconnect };
                value(ask(&mut connections, board, a, b).code)
            });
            self.connections = Some(connections);
            return answer;
        }
        self.read(goal, first, moves, strings, |reader, board| {
            let gone = strings.into_iter().any(|v| board.color_at(v).is_none());
            value(match goal {
                Goal::Attack | Goal::AttackEither if gone => Code::Win,
                _ if gone => Code::Fail,
                Goal::Attack => reader.attack(board, a).code,
                Goal::AttackEither => reader.attack_either(board, a, b).code,
                Goal::Defend if !reader.attack(board, a).code.works() => Code::Win,
                Goal::Defend => reader.defend(board, a).code,
                _ => reader.defend_both(board, a, b),
            })
        })
    }

    fn safe_move(&mut self, color: Color, v: Vertex) -> i32 {
        if !self.board.is_legal(color, v) {
            return 0;
        }
        // The same reading as that of an attack with the move itself as its goal.
        value(Code::Win) - self.after(Goal::Attack, color, &[v], [v; 2])
    }

    fn half_eye(&mut self, v: Vertex) -> bool {
        self.topology(v) == Some(HalfEyeKind::Half)
    }

    fn false_eye(&mut self, v: Vertex) -> bool {
        self.topology(v) == Some(HalfEyeKind::False)
    }

    fn false_eye_territory(&mut self, v: Vertex) -> bool {
        self.false_eyes.get(v.at()).copied().unwrap_or_else(|| self.is_false_territory(v))
    }

    fn status(&mut self, v: Vertex) -> i32 {
        self.statuses.get(v.at()).copied().unwrap_or(UNKNOWN)
    }

    fn holder(&mut self, v: Vertex, level: u8) -> Option<Color> {
        let map = self.influence?;
        match level {
            1 => map.whose_area(v),
            2 => map.whose_moyo(v),
            _ => map.whose_territory(v),
        }
    }
}
