//! The connection distance: the number of stones a colour needs to join a vertex to a start if the opponent passes.
//! Links that the opponent cannot break cost nothing.
//!
//! # Source
//! Own design. The links that cost nothing are those of the GNU Go 3.8 manual, section "Superstrings".
//!
//! # Notation
//! The *owner* places stones, the *cutter* passes. A *sure link* needs no stone. Its *carrier* are the empty vertices
//! where the cutter's move must be answered. The distance of an empty vertex counts the stone on it.
//!
//! # Steps
//! The search is breadth-first: level *n* holds the vertices and strings that *n* stones reach.
//! 1. From a string of the owner the search reaches the string's liberties, and empty vertices with a sure link to it,
//!    for one more stone. It reaches the owner's strings with a sure link for no more stones. Two strings that share
//!    one liberty also have a sure link if a cutting stone there is captured. Such a liberty is a *snare*. Tactical
//!    reading finds a snare where the cutting stone would have two liberties.
//! 2. From an empty vertex the search reaches the same, as if the owner's stone stood there.
//! 3. A cutter's string next to such a string or vertex costs the stones that capture it. The cost is 0 if tactical
//!    reading finds that the string is lost, and 1 if it can be captured. Otherwise the cost is the number of its
//!    liberties. From a captured string the search goes on to its neighbours.
//!
//! # Departures
//! The distance is not a strict lower bound. Two stones of a path that fill liberties of one string are counted twice.
//! Step 3 counts the emptied vertices as joined.
//!
//! # Cost
//! A few microseconds. The cost grows with the distance, not with the size of the board.

use super::captures::Captures;
use super::links;
use crate::board::{Board, Color, SmallList, Vertex, VertexSet};
use crate::tactics::ko::KoState;
use crate::tactics::{Answer, Code};

/// Not within the limit.
pub(super) const FAR: u8 = 100;

/// The greatest distance that a move in the way is looked for.
pub(super) const MOST_DISTANCE: u8 = 8;

/// The least code with which the cutter spoils a demand.
pub(super) const fn spoils(demand: Code) -> Code {
    match demand {
        Code::Win => Code::KoB,
        Code::KoA => Code::KoA,
        _ => Code::Win,
    }
}

/// The kind of link of one step of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Stone beside stone, or the start.
    Solid,
    /// By a sure link with this carrier; a pass where it has fewer vertices.
    Link([Vertex; 2]),
    /// By taking the stone that would cut at this vertex.
    Snare(Vertex),
    /// By taking the string of the cutter at this vertex, which is lost.
    Take(Vertex),
    /// By stones of the owner that take a string of the cutter, or fill its liberties.
    Fill,
}

/// The basis of a way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Carrier {
    /// The empty vertices where a move of the cutter could matter.
    pub(super) zone: VertexSet,
    /// Whether two of its links share a vertex, or it is no sure way at all.
    pub(super) broken: bool,
    /// Whether a string of the cutter must be taken.
    pub(super) takes: bool,
}

/// Distances from one start, up to a limit.
#[derive(Clone, Default)]
pub(super) struct Field {
    /// Per padded vertex; of a string only the entry of its origin counts.
    cost: Vec<u8>,
    /// The previous vertex of a way, and the kind of step.
    previous: Vec<(Vertex, Option<Step>)>,
    levels: Vec<Vec<Vertex>>,
    /// Everything that was reached.
    pub(super) reached: Vec<Vertex>,
    limit: u8,
}

/// The cost of capturing one string of the cutter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capture {
    pub(super) origin: Vertex,
    /// 0 if it is lost, 1 if one move takes it; else its liberties.
    pub(super) stones: u8,
    /// The move, if one takes it.
    pub(super) point: Vertex,
}

/// The limits for reading captures on the way, and the results.
#[derive(Clone)]
pub(super) struct Sight {
    pub(super) reader: Captures,
    /// The readings in the position.
    pub(super) captures: Vec<Capture>,
    /// Whether a reading depended on a ko.
    pub(super) ko_seen: bool,
}

/// The place where distances are measured: the position, and the reader of captures in it. Each string is read once.
pub(super) struct Ground<'a> {
    pub(super) board: &'a mut Board,
    pub(super) owner: Color,
    pub(super) sight: &'a mut Sight,
    /// The string and the target of the question; a pass for an area.
    pub(super) ends: [Vertex; 2],
    pub(super) ko: KoState,
    /// The code that the owner's captures must reach.
    pub(super) demand: Code,
    /// Whether links that are held by taking the stone that cuts are read.
    pub(super) snares: bool,
}

impl Ground<'_> {
    /// Whether a string of the cutter stands beside the string or the target of the question.
    fn touches_question(&self, t: Vertex) -> bool {
        let mut touches = false;
        self.board.each_adjacent(t, |s| touches |= self.ends.iter().any(|&e| self.board.same_string(s, e)));
        touches
    }

    /// Whether the cutter's stone on the empty vertex `l`, with two liberties there, would be taken.
    fn is_snare(&mut self, l: Vertex) -> bool {
        let cutter = self.owner.other();
        let takes = |n: Vertex| self.board.color_at(n) == Some(self.owner) && self.board.liberties(n) < 2;
        if !self.snares
            || self.board.ko_point() == Some(l)
            || self.board.around(l).into_iter().any(takes)
            || self.board.liberties_after(cutter, l) > 2
        {
            return false;
        }
        let (reader, ko) = (&mut self.sight.reader, self.ko);
        self.board.tried(cutter, l, |board| reader.attack(board, l, ko).code == Code::Win).unwrap_or(true)
    }

    /// Stones to capture the string of the cutter at `t`.
    fn stones(&mut self, t: Vertex) -> usize {
        let liberties = self.board.liberties(t);
        if liberties > self.sight.reader.most_liberties() || (liberties == 3 && !self.touches_question(t)) {
            return liberties;
        }
        let origin = self.board.origin(t);
        if let Some(known) = self.sight.captures.iter().find(|k| k.origin == origin) {
            return usize::from(known.stones);
        }
        let Answer { code, point } = self.sight.reader.attack(self.board, t, self.ko);
        self.sight.ko_seen |= !matches!(code, Code::Fail | Code::Win);
        let capture = if code >= self.demand {
            let saved = self.sight.reader.defence(self.board, t, self.ko).code;
            Capture { origin, stones: u8::from(saved >= spoils(self.demand)), point }
        } else {
            Capture { origin, stones: liberties as u8, point: Vertex::PASS }
        };
        self.sight.captures.push(capture);
        usize::from(capture.stones)
    }
}

/// The start of a measurement.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// The string at a vertex.
    String(Vertex),
    /// Any vertex of an area, by a stone on it.
    Area(&'a VertexSet),
}

/// The goal of a measurement, where it stops.
#[derive(Clone, Copy)]
pub(super) enum Until<'a> {
    /// Everything within the limit.
    Limit,
    /// This string, and ways one stone longer.
    Reached(Vertex),
    /// Only what lies on ways to where the field was measured from, at most one stone longer than this.
    Way(&'a Field, u8),
}

impl Field {
    /// Measures from a start.
    pub(super) fn measure(&mut self, ground: &mut Ground<'_>, start: Start<'_>, limit: u8, until: Until<'_>) {
        let len = ground.board.padded_len();
        if self.cost.len() == len {
            for v in self.reached.drain(..) {
                self.cost[v.at()] = FAR;
            }
        } else {
            self.reached.clear();
            self.cost = vec![FAR; len];
            self.previous = vec![(Vertex::PASS, None); len];
        }
        self.limit = limit;
        if self.levels.len() <= limit as usize {
            self.levels.resize(limit as usize + 1, Vec::new());
        }
        self.levels.iter_mut().for_each(Vec::clear);
        let begin = (Vertex::PASS, None);
        match start {
            Start::String(v) => self.relax(ground.board.origin(v), 0, begin, until),
            Start::Area(zone) => zone.iter().for_each(|v| match ground.board.color_at(v) {
                None => self.relax(v, 1, begin, until),
                Some(color) if color == ground.owner => self.relax(ground.board.origin(v), 0, begin, until),
                Some(_) => {
                    let stones = ground.stones(v) as u8;
                    self.relax(ground.board.origin(v), stones, begin, until);
                }
            }),
        }
        if let Start::Area(zone) = start {
            self.beside_area(ground, zone, until);
        }
        let mut level = 0;
        while level <= self.limit {
            while let Some(v) = self.levels[level as usize].pop() {
                if self.cost[v.at()] != level {
                    continue;
                }
                match ground.board.color_at(v) {
                    Some(color) if color == ground.owner => self.expand_string(ground, v, level, until),
                    None => self.expand_empty(ground, v, level, until),
                    Some(_) => self.expand_taken(ground, v, level, until),
                }
            }
            level += 1;
        }
    }

    /// A string, or a stone, with two ways into an area has a sure link to it.
    fn beside_area(&mut self, ground: &Ground<'_>, zone: &VertexSet, until: Until<'_>) {
        let board = &*ground.board;
        for v in zone.iter().filter(|&v| board.is_empty(v)) {
            for n in board.around(v).into_iter().filter(|&n| board.on_board(n) && !zone.holds(n)) {
                let cost = u8::from(board.is_empty(n));
                if board.color_at(n) == Some(ground.owner.other()) || self.cost[board.origin(n).at()] <= cost
                {
                    continue;
                }
                let inside = |l: &Vertex| board.is_empty(*l) && zone.holds(*l);
                let mut ways = if board.is_empty(n) {
                    board.around(n).into_iter().filter(inside).collect::<Vec<_>>()
                } else {
                    board.liberty_vertices(n).filter(inside).collect()
                };
                if ways.len() >= 2 {
                    ways.truncate(2);
                    let step = Step::Link([ways[0], ways[1]]);
                    self.relax(board.origin(n), cost, (Vertex::PASS, Some(step)), until);
                }
            }
        }
    }

    /// The distance of the string or empty vertex at `v`.
    #[inline]
    pub(super) fn to(&self, board: &Board, v: Vertex) -> u8 {
        self.cost[board.origin(v).at()]
    }

    /// The string or empty vertex a way came from last before the empty vertex `v`.
    #[inline]
    pub(super) fn before(&self, v: Vertex) -> Vertex {
        self.previous[v.at()].0
    }

    /// Adds the carriers of the links on the way from `v` to the start. A string of colour `taken` at `v` counts as
    /// off the board.
    pub(super) fn add_carrier(&self, board: &Board, v: Vertex, taken: Option<Color>, carrier: &mut Carrier) {
        let mut at = board.origin(v);
        if board.color_at(v).is_some_and(|color| Some(color) == taken) {
            at = self.previous[at.at()].0;
        }
        while at != Vertex::PASS
            && let (previous, Some(step)) = self.previous[at.at()]
        {
            match step {
                Step::Solid => {}
                Step::Link(vertices) => {
                    for v in vertices.into_iter().filter(|&v| v != Vertex::PASS) {
                        carrier.broken |= carrier.zone.holds(v);
                        carrier.zone.insert(v);
                    }
                }
                Step::Snare(l) => {
                    carrier.takes = true;
                    carrier.broken |= carrier.zone.holds(l);
                    links::add_snare_carrier(board, l, &mut carrier.zone);
                }
                Step::Fill => carrier.broken = true,
                Step::Take(t) => {
                    carrier.takes = true;
                    links::add_capture_carrier(board, t, &mut carrier.zone);
                }
            }
            at = previous;
        }
    }

    /// Whether it is news, and of use, that `v` is reached at this cost.
    #[inline]
    fn wants(&self, v: Vertex, cost: u8, until: Until<'_>) -> bool {
        let off = |other: &Self, distance: u8| cost + other.cost[v.at()] > distance + 2;
        cost <= self.limit
            && cost < self.cost[v.at()]
            && !matches!(until, Until::Way(other, distance) if off(other, distance))
    }

    #[inline]
    fn relax(&mut self, v: Vertex, cost: u8, previous: (Vertex, Option<Step>), until: Until<'_>) {
        if !self.wants(v, cost, until) {
            return;
        }
        if matches!(until, Until::Reached(goal) if goal == v) {
            self.limit = self.limit.min(cost + 1);
        }
        if self.cost[v.at()] == FAR {
            self.reached.push(v);
        }
        self.cost[v.at()] = cost;
        self.previous[v.at()] = previous;
        self.levels[cost as usize].push(v);
    }

    /// A string of the cutter that this many stones take.
    fn relax_taken(&mut self, t: Vertex, level: u8, stones: usize, previous: Vertex, until: Until<'_>) {
        let cost = (stones + usize::from(level)).min(usize::from(FAR)) as u8;
        let step = if stones == 0 { Step::Take(t) } else { Step::Fill };
        self.relax(t, cost, (previous, Some(step)), until);
    }

    /// 1.
    fn expand_string(&mut self, ground: &mut Ground<'_>, s: Vertex, level: u8, until: Until<'_>) {
        let board = &*ground.board;
        let mut doubtful: SmallList<(Vertex, Vertex), 8> = SmallList::default();
        let further = level < self.limit;
        for l in board.liberty_vertices(s) {
            if further {
                self.relax(l, level + 1, (s, Some(Step::Solid)), until);
            }
            for n in board.around(l) {
                match board.color_at(n) {
                    Some(color) if color == ground.owner => {
                        let to = board.origin(n);
                        if !self.wants(to, level, until) {
                            continue;
                        }
                        if let Some(carrier) = links::between_strings(board, s, n, l) {
                            self.relax(to, level, (s, Some(Step::Link(carrier))), until);
                        } else if ground.snares
                            && !board.same_string(s, n)
                            && board.liberties(s).min(board.liberties(n)) > 2
                        {
                            doubtful.push((l, to));
                        }
                    }
                    None if further
                        && self.wants(n, level + 1, until)
                        && board.is_empty(n)
                        && !board.is_liberty(n, s) =>
                    {
                        if let Some(carrier) = links::to_vertex(board, ground.owner, s, n, l) {
                            self.relax(n, level + 1, (s, Some(Step::Link(carrier))), until);
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut hostile = Hostile::default();
        board.each_adjacent(s, |t| hostile.push_once(board.origin(t)));
        for &(l, n) in doubtful.iter() {
            if self.wants(n, level, until) && ground.is_snare(l) {
                self.relax(n, level, (s, Some(Step::Snare(l))), until);
            }
        }
        for &t in hostile.iter() {
            let stones = ground.stones(t);
            self.relax_taken(ground.board.origin(t), level, stones, s, until);
        }
    }

    /// 2.
    fn expand_empty(&mut self, ground: &mut Ground<'_>, v: Vertex, level: u8, until: Until<'_>) {
        let board = &*ground.board;
        let mut hostile = Hostile::default();
        let further = level < self.limit;
        for n in board.around(v) {
            match board.color_at(n) {
                Some(color) if color == ground.owner => {
                    self.relax(board.origin(n), level, (v, Some(Step::Solid)), until);
                }
                Some(_) => hostile.push_once(board.origin(n)),
                None if board.on_board(n) => {
                    if further {
                        self.relax(n, level + 1, (v, Some(Step::Solid)), until);
                    }
                    for w in board.around(n) {
                        let (to, cost) = match board.color_at(w) {
                            Some(color) if color == ground.owner => (board.origin(w), level),
                            None if further && w != v => (w, level + 1),
                            _ => continue,
                        };
                        if self.wants(to, cost, until)
                            && board.on_board(w)
                            && let Some(carrier) = links::between_vertices(board, ground.owner, v, w, n)
                        {
                            self.relax(to, cost, (v, Some(Step::Link(carrier))), until);
                        }
                    }
                }
                None => {}
            }
        }
        for &t in hostile.iter() {
            let stones = ground.stones(t);
            self.relax_taken(ground.board.origin(t), level, stones, v, until);
        }
    }

    /// 3.
    fn expand_taken(&mut self, ground: &mut Ground<'_>, t: Vertex, level: u8, until: Until<'_>) {
        let board = &*ground.board;
        for l in board.liberty_vertices(t) {
            self.relax(l, level + 1, (t, Some(Step::Solid)), until);
        }
        board.each_adjacent(t, |s| self.relax(board.origin(s), level, (t, Some(Step::Solid)), until));
    }
}

/// Some strings of the cutter, each once.
type Hostile = SmallList<Vertex, 16>;
