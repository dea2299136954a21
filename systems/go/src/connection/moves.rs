//! The moves that owner and cutter try in connection reading. Generators never evaluate a position; the search does.
//!
//! # Notation
//! The *way* of a vertex is the length of the shortest connection through it. Its *slack* is the excess of the way over
//! the distance.

use super::distance::{Carrier, FAR};
use super::links;
use super::query::{Query, Target};
use super::reader::ConnectionReader;
use crate::board::{Board, SmallList, Vertex, VertexSet};
use crate::tactics::Code;
use crate::tactics::ko::KoState;

const MOST: usize = 40;

/// A move to try.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Candidate {
    pub(super) v: Vertex,
    /// The owner's distance after it, as far as it is known before.
    pub(super) distance: u8,
    /// The penalty of the move against the best one.
    pub(super) doubt: u8,
}

/// A short list of moves, each vertex once.
#[derive(Default)]
pub(super) struct Moves(SmallList<Candidate, MOST>);

impl Moves {
    /// Adds a move; the more promising of two entries counts.
    fn add(&mut self, v: Vertex, distance: u8, doubt: u8) {
        if v == Vertex::PASS {
            return;
        }
        let new = Candidate { v, distance, doubt };
        match self.0.iter_mut().find(|m| m.v == v) {
            Some(old) if doubt < old.doubt => *old = new,
            Some(_) => {}
            None => self.0.push(new),
        }
    }

    /// The moves, most promising first, ties in vertex order.
    pub(super) fn in_order(&mut self) -> &[Candidate] {
        self.0.sort_unstable_by_key(|c| (c.doubt, c.v));
        &self.0
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A string of the owner that can be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Danger {
    pub(super) string: Vertex,
    pub(super) code: Code,
    /// The move that takes it.
    pub(super) point: Vertex,
}

impl ConnectionReader {
    /// The length of the shortest way through the empty vertex, or the string of the cutter, at `v`.
    fn way(&self, board: &Board, v: Vertex) -> u8 {
        let (a, b) = (self.to_string.to(board, v), self.to_target.to(board, v));
        let dead_end = board.is_empty(v) && self.to_string.before(v) == self.to_target.before(v);
        if a == FAR || b == FAR || dead_end { FAR } else { (a + b).saturating_sub(1) }
    }

    /// The owner's moves: vertices on ways at most one longer than the shortest, captures of stones there, and
    /// rescues of own strings there.
    pub(super) fn joins(
        &mut self,
        board: &mut Board,
        q: &Query,
        distance: u8,
        danger: Option<Danger>,
        ko: KoState,
    ) -> Moves {
        let mut moves = danger.map_or_else(Moves::default, |d| self.saves(board, q, d, distance, ko));
        if distance == 0 {
            // Joined but for the cutter's next move: what secures that.
            for v in self.link(board, q).zone.iter().filter(|&v| board.is_empty(v)) {
                moves.add(v, 0, self_atari(board.liberties_after(q.owner, v)));
            }
        }
        for i in 0..self.to_string.reached.len() {
            let v = self.to_string.reached[i];
            let way = self.way(board, v);
            if way > distance + 1 {
                continue;
            }
            let slack = way.max(1) - distance.max(1).min(way.max(1)) + u8::from(distance == 0);
            if slack > 0 && distance > self.limits.detour {
                continue;
            }
            let after = way.saturating_sub(1);
            match board.color_at(v) {
                None => {
                    let aside = u8::from(way == 1 && !self.is_beside_both(board, q, v));
                    let doubt = 3 * slack + aside + self_atari(board.liberties_after(q.owner, v));
                    moves.add(v, after, doubt + u8::from(danger.is_some()));
                }
                Some(color) if color == q.owner => {
                    ataris(board, v, distance, slack, &mut moves);
                    if board.liberties(v) <= 1 && !board.same_string(v, q.string) {
                        board.liberty_vertices(v).for_each(|l| moves.add(l, distance, 3));
                    }
                }
                Some(_) => {
                    if let Some(capture) =
                        self.sight.captures.iter().find(|c| c.origin == v && c.point != Vertex::PASS)
                    {
                        moves.add(capture.point, after, 2 * slack);
                    }
                }
            }
        }
        moves
    }

    /// Whether a stone at `v` would touch the string and the target.
    fn is_beside_both(&self, board: &Board, q: &Query, v: Vertex) -> bool {
        let target = match q.target {
            Target::String(b) => board.is_liberty(v, b),
            Target::Area => self.area.holds(v),
        };
        target && board.is_liberty(v, q.string)
    }

    /// The moves that save the owner's string.
    fn saves(&mut self, board: &mut Board, q: &Query, danger: Danger, distance: u8, ko: KoState) -> Moves {
        let Danger { string, point, .. } = danger;
        let mut moves = Moves::default();
        let defence = self.sight.reader.defence(board, string, ko);
        if defence.code.works() {
            moves.add(defence.point, distance, 0);
        }
        moves.add(point, distance, 2);
        for l in board.liberty_vertices(string) {
            moves.add(l, distance, 1 + self_atari(board.liberties_after(q.owner, l)));
        }
        board.each_adjacent(string, |t| {
            if board.liberties(t) == 1 {
                board.liberty_vertices(t).for_each(|l| moves.add(l, distance, 0));
            }
        });
        moves
    }

    /// The cutter's moves. If the owner has ways of one stone, only moves that answer all of them, and captures of
    /// his strings. `None` if no move does: then he is joined.
    pub(super) fn cuts(&mut self, board: &mut Board, q: &Query, distance: u8, ko: KoState) -> Option<Moves> {
        let mut moves = Moves::default();
        let must = match distance {
            0 => Some(self.link(board, q).zone),
            1 => self.must_play(board, q),
            _ => None,
        };
        let carriers = if must.is_none() { self.carriers(board, q, distance) } else { VertexSet::default() };
        for i in 0..self.to_string.reached.len() {
            let v = self.to_string.reached[i];
            let way = self.way(board, v);
            if way > distance + 1 {
                continue;
            }
            let slack = way.saturating_sub(distance);
            match board.color_at(v) {
                None => {
                    if must.as_ref().map_or(slack == 0 || carriers.holds(v), |zone| zone.holds(v)) {
                        let own = board.liberties_after(q.owner.other(), v);
                        moves.add(v, distance + 1 - slack.min(1), 2 * slack + self_atari(own));
                    }
                }
                Some(color) if color == q.owner => self.attacks(board, q, v, distance, &mut moves),
                Some(_) => self.rescues(board, v, distance, ko, must.as_ref(), &mut moves),
            }
        }
        self.attacks(board, q, q.string, distance, &mut moves);
        if let Target::String(b) = q.target {
            self.attacks(board, q, b, distance, &mut moves);
        }
        if let Some(zone) = &must {
            for v in zone.iter().filter(|&v| board.is_empty(v)) {
                let own = board.liberties_after(q.owner.other(), v);
                moves.add(v, distance, 1 + self_atari(own));
            }
            if moves.is_empty() {
                return None;
            }
        }
        Some(moves)
    }

    /// Liberties of a string of the owner that is short of them.
    fn attacks(&self, board: &Board, q: &Query, s: Vertex, distance: u8, moves: &mut Moves) {
        if board.liberties(s) <= 2 {
            for l in board.liberty_vertices(s) {
                let own = board.liberties_after(q.owner.other(), l);
                moves.add(l, distance, 3 + self_atari(own));
            }
        }
    }

    /// The moves that keep a string of the cutter from being taken.
    fn rescues(
        &mut self,
        board: &mut Board,
        t: Vertex,
        distance: u8,
        ko: KoState,
        must: Option<&VertexSet>,
        moves: &mut Moves,
    ) {
        let Some(capture) = self.sight.captures.iter().find(|c| c.origin == t).copied() else { return };
        let needed = |v: Vertex| must.is_none_or(|zone| zone.holds(v));
        if capture.point != Vertex::PASS {
            let defence = self.sight.reader.defence(board, t, ko);
            if defence.code.works() && needed(defence.point) {
                moves.add(defence.point, distance + 1, 1);
            }
        }
        for l in board.liberty_vertices(t).filter(|&l| needed(l)) {
            moves.add(l, distance, 3);
        }
    }

    /// The vertices that the shortest ways depend on.
    fn carriers(&self, board: &Board, q: &Query, distance: u8) -> VertexSet {
        let cutter = Some(q.owner.other());
        let mut carrier = Carrier::default();
        for &v in self.to_string.reached.iter().filter(|&&v| self.way(board, v) == distance) {
            self.to_string.add_carrier(board, v, cutter, &mut carrier);
            self.to_target.add_carrier(board, v, cutter, &mut carrier);
        }
        carrier.zone
    }

    /// The vertices that meet every way of one stone; `None` if there is no such way with links that keep apart.
    fn must_play(&self, board: &Board, q: &Query) -> Option<VertexSet> {
        let cutter = Some(q.owner.other());
        let mut all: Option<VertexSet> = None;
        for &v in &self.to_string.reached {
            if self.way(board, v) != 1 {
                continue;
            }
            let mut carrier = Carrier::default();
            match board.color_at(v) {
                None => carrier.zone.insert(v),
                Some(_) => match self.sight.captures.iter().find(|c| c.origin == v && c.stones == 1) {
                    Some(capture) => {
                        carrier.zone.insert(capture.point);
                        links::add_capture_carrier(board, v, &mut carrier.zone);
                    }
                    None => continue,
                },
            }
            self.to_string.add_carrier(board, v, cutter, &mut carrier);
            self.to_target.add_carrier(board, v, cutter, &mut carrier);
            if !carrier.broken {
                match &mut all {
                    Some(all) => *all &= carrier.zone,
                    None => all = Some(carrier.zone),
                }
            }
        }
        all
    }
}

/// Moves that put a string beside the owner's string at `s` in atari.
fn ataris(board: &Board, s: Vertex, distance: u8, slack: u8, moves: &mut Moves) {
    board.each_adjacent(s, |t| {
        if board.liberties(t) == 2 {
            board.liberty_vertices(t).for_each(|l| moves.add(l, distance, 3 + slack));
        }
    });
}

/// The penalty of a stone with this few liberties.
const fn self_atari(liberties: usize) -> u8 {
    match liberties {
        0 => 8,
        1 => 4,
        2 => 1,
        _ => 0,
    }
}
