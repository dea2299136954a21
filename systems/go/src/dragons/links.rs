//! Links between strings by the patterns of `conn.db` and by reading.
//!
//! # Source
//! GNU Go 3.8 manual, "The Connections Database" and "Connection".
//!
//! # Notation
//! A *cutting point* is a vertex where a B pattern says that the enemy cuts. A *shape* is a C pattern; the stones `O`
//! in it belong to one dragon.
//!
//! # Steps
//! 1. B patterns mark cutting points.
//! 2. Strings that a C pattern connects become one dragon, unless one of them is lost.
//! 3. A pattern of any class may join strings by its action. `amalgamate` joins two strings.
//!    `amalgamate_most_valuable_helper` joins the middle one of three strings with the larger of its neighbours.
//!
//! # Departures
//! For a doubtful link a pattern calls `xplay_disconnect`, which is connection reading under [`Effort::links`]. The
//! reading gives up a link if the cutter's move leaves the strings more than [`LinkLimits::reach`] stones apart.
//! Statistics judge a link that stays open ([`Guess::Learned`](crate::effort::Guess::Learned)). With more effort few
//! links stay open. These count as cut unless the numbers of the search favour the owner. A cut by ko counts as a cut.
//! Rules without reading come first, and strings that are already joined are not read.
//!
//! # Cost
//! The matching takes some microseconds; nearly all time is in reading. A fifth of all near pairs of strings stays
//! open and takes two thirds of the positions. The mean is about 50 positions for each question.

use super::partition::Partition;
use crate::board::{Board, Color, MixMap, Vertex};
use crate::connection::ConnectionReader;
#[cfg(doc)]
use crate::effort::Effort;
use crate::effort::LinkLimits;
use crate::eyes::Tactics;
use crate::memory::{self, QuestionKind, ReadingMemory};
use crate::patterns::memo::Goal;
use crate::patterns::query::{accepts, act};
use crate::patterns::{EngineQueries, Match, Matcher, PatternDatabases, Queries};
use crate::spread::{InfluenceMap, PerColor};
use crate::tactics::{Code, Limits, Reader};
use std::sync::Arc;

/// The patterns and the reader that links are found with. Nothing in it changes an answer.
pub struct Links {
    /// Connections: classes B and C.
    pub patterns: Arc<Matcher>,
    reader: ConnectionReader,
    memory: ReadingMemory,
}

impl Links {
    /// Our own patterns, and reading that goes so far.
    #[must_use]
    pub fn new(limits: LinkLimits) -> Self {
        Self {
            patterns: PatternDatabases::default().connections,
            reader: ConnectionReader::new(limits),
            memory: ReadingMemory::with_bytes(0),
        }
    }

    /// Keeps answers in this memory from now on.
    pub fn keep_readings(&mut self, memory: &ReadingMemory) {
        self.memory = memory.clone();
    }

    /// Answers about one position.
    pub fn at<'a, T: Tactics>(&'a mut self, board: &'a Board, tactics: &'a T) -> LinkReader<'a, T> {
        LinkReader {
            board,
            tactics,
            influence: None,
            patterns: &self.patterns,
            reader: &mut self.reader,
            memory: &self.memory,
            known: MixMap::default(),
            reads: false,
            partition: Partition::of_strings(board),
            cuts: Vec::new(),
        }
    }
}

/// Finds the links of one position.
pub struct LinkReader<'a, T> {
    /// The position.
    pub board: &'a Board,
    /// The readings of its strings.
    pub tactics: &'a T,
    /// Influence before dragons are known, each map with that colour moving first; what conditions about moyos and
    /// areas look at.
    pub influence: Option<&'a PerColor<InfluenceMap>>,
    patterns: &'a Matcher,
    reader: &'a mut ConnectionReader,
    memory: &'a ReadingMemory,
    /// By the origins of two strings, the lower one first.
    known: MixMap<u32, Code>,
    /// Whether questions are read; else they stay open.
    pub(super) reads: bool,
    /// Which strings have become one dragon by now.
    pub partition: Partition,
    /// Per padded vertex the cutting points of the colour that is joined.
    pub(super) cuts: Vec<bool>,
}

impl<'a, T: Tactics> LinkReader<'a, T> {
    /// Whether the enemy, moving first, keeps two strings apart; nothing while no question is read.
    pub fn disconnect(&mut self, a: Vertex, b: Vertex) -> Option<Code> {
        let (a, b) = (self.board.origin(a), self.board.origin(b));
        let (low, high) = (a.min(b), a.max(b));
        let key = u32::from(low.0) << 16 | u32::from(high.0);
        let known = self.known.get(&key).copied();
        if known.is_some() || !self.reads {
            return known;
        }
        let found = self.read(self.board, low, high);
        self.known.insert(key, found);
        Some(found)
    }

    /// The same in any position.
    fn read(&mut self, board: &Board, a: Vertex, b: Vertex) -> Code {
        let asked = memory::MemoryKey::new(QuestionKind::Link, (a, b, self.reader.limits()), board, &[]);
        self.memory.answer(&asked, |_| size_of::<Code>(), |board| self.reader.disconnect(board, a, b).code)
    }

    /// Whether the enemy, moving first, takes the string.
    pub fn capturable(&self, v: Vertex) -> bool {
        self.tactics.attack(v).code.works()
    }

    /// Whether the enemy, moving first, takes one of two strings and not the other, which cuts every link they have. A ko
    /// parts nothing: the owner may answer it by the link.
    pub fn parted(&self, a: Vertex, b: Vertex) -> bool {
        let taken = |v| self.tactics.attack(v).code == Code::Win;
        taken(a) != taken(b)
    }

    /// Whether a string is lost: it can be taken and not be saved.
    pub fn lost(&self, v: Vertex) -> bool {
        self.capturable(v) && !self.tactics.defence(v).code.works()
    }

    /// 1. Finds the cutting points of the strings of `owner`.
    pub(super) fn find_cuts(&mut self, owner: Color) {
        self.reads = true;
        self.cuts = vec![false; self.board.padded_len()];
        let patterns = self.patterns;
        for found in patterns.find(self.board, owner, |pattern| pattern.has('B')) {
            if accepts(&found, &mut LinkQueries { links: self, owner, open: false }) {
                for v in found.vertices('*').chain(found.vertices('!')) {
                    self.cuts[v.at()] = true;
                }
            }
        }
    }

    /// 2. The shapes of `owner` that may join something.
    pub(super) fn shapes(&self, owner: Color) -> Vec<Match<'a>> {
        let patterns = self.patterns;
        let order = |name: &str| patterns.database().patterns.iter().position(|p| &*p.name == name);
        let mut all = patterns.find(self.board, owner, |pattern| pattern.has('C'));
        all.sort_by_key(|found| order(&found.pattern.name));
        all.retain(|found| !found.vertices('O').any(|v| self.lost(v)));
        all
    }

    /// 2. Joins by these shapes, and keeps the pairs that a later round will read.
    pub(super) fn join_by_shapes(&mut self, shapes: &mut Vec<Match<'_>>) {
        shapes.retain(|found| {
            let strings = self.board.origins(found.vertices('O'));
            if strings.windows(2).all(|pair| self.partition.same(pair[0], pair[1])) {
                return false;
            }
            let mut asked = LinkQueries { links: self, owner: found.color, open: false };
            let (accepted, open) = (accepts(found, &mut asked), asked.open);
            if accepted && !open {
                strings.windows(2).for_each(|pair| self.partition.join(pair[0], pair[1]));
            }
            open
        });
    }

    /// 3. Joins by the actions of patterns, every question read.
    pub(super) fn join_by_actions(&mut self, owner: Color) {
        self.reads = true;
        let patterns = self.patterns;
        for found in patterns.find(self.board, owner, |pattern| !pattern.actions.is_empty()) {
            let mut asked = LinkQueries { links: self, owner, open: false };
            if !accepts(&found, &mut asked) {
                continue;
            }
            for (function, at) in act(&found, &mut asked).done {
                let at: Vec<Vertex> = at.into_iter().flatten().filter(|&v| !self.lost(v)).collect();
                match (function.name, &at[..]) {
                    ("amalgamate", &[a, b]) => self.partition.join(a, b),
                    ("amalgamate_most_valuable_helper", &[a, b, c]) => {
                        let [first, last] = [a, c].map(|v| self.partition.stones(self.board, v));
                        self.partition.join(b, if first >= last { a } else { c });
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The answers to the patterns' conditions.
struct LinkQueries<'a, 'b, T> {
    links: &'a mut LinkReader<'b, T>,
    /// The colour that is joined.
    owner: Color,
    /// Whether an answer is still open.
    open: bool,
}

impl<T: Tactics> Queries for LinkQueries<'_, '_, T> {
    fn board(&self) -> &Board {
        self.links.board
    }

    fn attack(&mut self, v: Vertex) -> i32 {
        i32::from(self.links.tactics.attack(v).code.works())
    }

    fn defend(&mut self, v: Vertex) -> i32 {
        i32::from(self.links.tactics.defence(v).code.works())
    }

    fn safe_move(&mut self, color: Color, v: Vertex) -> i32 {
        i32::from(self.links.tactics.safe_move(v, color).works())
    }

    fn after(&mut self, goal: Goal, first: Color, moves: &[Vertex], [a, b]: [Vertex; 2]) -> i32 {
        if goal != Goal::Disconnect {
            let mut reader = Reader::new(Limits::of_constraints());
            let mut queries = EngineQueries {
                memory: self.links.memory.clone(),
                ..EngineQueries::new(self.links.board.without_history(), &mut reader)
            };
            return queries.after(goal, first, moves, [a, b]);
        }
        if moves.is_empty() {
            let found = self.links.disconnect(a, b);
            self.open |= found.is_none();
            return i32::from(found.is_some_and(Code::works));
        }
        let mut board = self.links.board.clone();
        board.play_in_turn(first, moves);
        i32::from(self.links.read(&board, a, b).works())
    }

    fn cut(&mut self, _color: Color, v: Vertex) -> bool {
        self.links.cuts[v.at()]
    }

    fn same_dragon(&mut self, a: Vertex, b: Vertex) -> bool {
        self.links.partition.same(a, b)
    }

    /// With the enemy of the joined colour moving first.
    fn holder(&mut self, v: Vertex, level: u8) -> Option<Color> {
        let map = &self.links.influence?[self.owner.other().index()];
        match level {
            1 => map.whose_area(v),
            2 => map.whose_moyo(v),
            _ => map.whose_territory(v),
        }
    }
}
