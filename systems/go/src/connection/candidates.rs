//! What owner and cutter try, best first. Generators never judge: the search does.

use super::distance::{FAR, Field};
use super::reader::Query;
use super::zone::Zone;
use crate::board::{Board, Color, Vertex};

const MOST: usize = 48;

/// A short list of moves, each vertex once.
pub(super) struct Moves {
    list: [(i16, Vertex); MOST],
    len: usize,
}

impl Default for Moves {
    fn default() -> Self {
        Self { list: [(0, Vertex::PASS); MOST], len: 0 }
    }
}

impl Moves {
    /// Adds a move; the higher of two scores counts.
    pub(super) fn add(&mut self, v: Vertex, score: i16) {
        if v == Vertex::PASS {
            return;
        }
        if let Some(old) = self.list[..self.len].iter_mut().find(|m| m.1 == v) {
            old.0 = old.0.max(score);
        } else if self.len < MOST {
            self.list[self.len] = (score, v);
            self.len += 1;
        }
    }

    /// The moves, best first, ties in vertex order.
    pub(super) fn in_order(mut self) -> impl Iterator<Item = Vertex> {
        self.list[..self.len].sort_unstable_by_key(|&(score, v)| (-score, v));
        self.list.into_iter().take(self.len).map(|m| m.1)
    }

    /// The owner's moves with `left` moves to go: vertices on ways of at most that length; liberties of the cutter's
    /// strings in the way, and what rescues his own strings in the way that are short of liberties.
    pub(super) fn join(&mut self, board: &Board, q: &Query, from: &Field, to: &Field, left: u8) {
        for &v in &from.reached {
            let (a, b) = (from.to(board, v), to.to(board, v));
            if b == FAR {
                continue;
            }
            match board.color_at(v) {
                None if a + b <= left + 1 => {
                    let score = way_score(board, q.owner, v, a, b);
                    self.add(v, score);
                }
                Some(color) if color == q.owner && a + b < left => self.rescue(board, q.owner, v),
                Some(color)
                    if color != q.owner && usize::from(a + b) <= usize::from(left) + board.liberties(v) =>
                {
                    for l in board.liberty_vertices(v) {
                        self.add(l, 12 - 4 * board.liberties(v) as i16);
                    }
                }
                _ => {}
            }
        }
        self.rescue(board, q.owner, q.string);
        if let Some(b) = q.target_string() {
            self.rescue(board, q.owner, b);
        }
    }

    /// Ways to save a string of two liberties or fewer.
    fn rescue(&mut self, board: &Board, owner: Color, s: Vertex) {
        if board.liberties(s) > 2 {
            return;
        }
        for l in board.liberty_vertices(s) {
            self.add(l, 4 * board.liberties_after(owner, l).min(4) as i16 - 4);
        }
        board.each_adjacent(s, |t| {
            if board.liberties(t) == 1 {
                for l in board.liberty_vertices(t) {
                    self.add(l, 16);
                }
            }
        });
    }

    /// The cutter's moves: the empty vertices of the zone, the owner's key move first.
    pub(super) fn cut(
        &mut self,
        board: &Board,
        q: &Query,
        from: &Field,
        to: &Field,
        zone: &Zone,
        key: Vertex,
    ) {
        let cutter = q.owner.other();
        for v in zone.iter().filter(|&v| board.is_empty(v)) {
            let (a, b) = (from.to(board, v), to.to(board, v));
            let near = if a == FAR || b == FAR { -20 } else { -4 * i16::from(a + b) };
            let safe = board.liberties_after(cutter, v).min(4) as i16;
            let first = if v == key { 30 } else { 0 };
            self.add(v, near + 2 * safe + first);
        }
    }
}

/// Short ways first, then the middle of a way, then beside own stones.
fn way_score(board: &Board, owner: Color, v: Vertex, a: u8, b: u8) -> i16 {
    let friends = board.neighbors8(v).filter(|&n| board.color_at(n) == Some(owner)).count() as i16;
    let safe = board.liberties_after(owner, v).min(4) as i16;
    40 - 8 * i16::from(a + b) - 2 * i16::from(a.abs_diff(b)) + friends.min(3) + safe
}
