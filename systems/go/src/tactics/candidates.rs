//! What attacker and defender try, best first. Generators never judge: the search does.
//!
//! # Notation
//! *target*: the string in question. A *liberty of order two* is an empty vertex next to a liberty. A *surrounding*
//! string is one of the attacker's that touches the target; a *friend* is one of the owner's that touches a liberty of
//! the target.

use super::reader::Limits;
use crate::board::{Board, Color, Vertex};

/// A move to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) v: Vertex,
    /// Higher is tried earlier; ties in vertex order.
    pub(super) score: i16,
    /// Neither a liberty of the target nor a capture: must prove that it threatens something.
    pub(super) distant: bool,
}

const MOST: usize = 40;

/// A short list of moves, each vertex once.
pub(super) struct Moves {
    list: [Candidate; MOST],
    len: usize,
}

impl Default for Moves {
    fn default() -> Self {
        Self { list: [Candidate { v: Vertex::PASS, score: 0, distant: false }; MOST], len: 0 }
    }
}

impl Moves {
    fn add(&mut self, v: Vertex, score: i16, distant: bool) {
        if let Some(old) = self.list[..self.len].iter_mut().find(|c| c.v == v) {
            old.score = old.score.max(score);
            old.distant &= distant;
        } else if self.len < MOST {
            self.list[self.len] = Candidate { v, score, distant };
            self.len += 1;
        }
    }

    /// The moves, best first.
    pub(super) fn in_order(mut self) -> impl Iterator<Item = Candidate> {
        self.list[..self.len].sort_unstable_by_key(|c| (-c.score, c.v));
        self.list.into_iter().take(self.len)
    }

    /// The attacker's moves against a target of two liberties or more.
    pub(super) fn attack(
        &mut self,
        board: &Board,
        target: Vertex,
        owner: Color,
        depth: u16,
        limits: &Limits,
    ) {
        let attacker = owner.other();
        let count = board.liberties(target);
        for x in board.liberty_vertices(target) {
            let gain = board.liberties_after(owner, x) as i16;
            let own = board.liberties_after(attacker, x) as i16;
            let safe = if own <= 1 { -8 } else { own.min(4) };
            self.add(x, 40 + 4 * gain.min(8) + safe, false);
            if own <= 1 && depth <= limits.backfill_depth {
                self.backfill(board, target, attacker, x);
            }
        }
        if depth <= limits.backfill_depth {
            self.save_surrounding(board, target, attacker, depth, limits);
        }
        let branching = if count == 2 { limits.backfill_depth } else { limits.branch_depth };
        if depth <= limits.wide_depth.min(branching) {
            self.second_order(board, target, owner, attacker);
            self.friends(board, target, owner);
        }
    }

    /// A liberty at `x` is self-atari: first play where the stone at `x` would get its liberties.
    fn backfill(&mut self, board: &Board, target: Vertex, attacker: Color, x: Vertex) {
        for n in board.neighbors4(x) {
            if board.is_empty(n) && !board.is_liberty(n, target) {
                self.add(n, 25, true);
            } else if board.color_at(n) == Some(attacker) && board.liberties(n) <= 2 {
                for y in board.liberty_vertices(n).filter(|&y| y != x && !board.is_liberty(y, target)) {
                    self.add(y, 24, true);
                }
            }
        }
    }

    /// Surrounding strings in danger: extend them, or take what endangers them.
    fn save_surrounding(
        &mut self,
        board: &Board,
        target: Vertex,
        attacker: Color,
        depth: u16,
        limits: &Limits,
    ) {
        board.each_adjacent(target, |c| {
            let liberties = board.liberties(c);
            if liberties > 2 || (liberties == 2 && depth > limits.wide_depth) {
                return;
            }
            for x in board.liberty_vertices(c) {
                if board.liberties_after(attacker, x) > 1 {
                    self.add(x, if liberties == 1 { 35 } else { 15 }, true);
                }
            }
            board.each_adjacent(c, |d| {
                let reach = if depth <= limits.wide_depth { 3 } else { 1 };
                if board.liberties(d) <= reach && !board.same_string(d, target) {
                    for x in board.liberty_vertices(d) {
                        self.add(x, if board.liberties(d) == 1 { 38 } else { 5 }, true);
                    }
                }
            });
        });
    }

    /// Liberties of order two, those nearest to two liberties first: nets and blocks from afar.
    fn second_order(&mut self, board: &Board, target: Vertex, owner: Color, attacker: Color) {
        for x in board.liberty_vertices(target) {
            for y in board.neighbors4(x) {
                if board.is_empty(y) && !board.is_liberty(y, target) {
                    let near = board.neighbors4(y).filter(|&z| board.is_liberty(z, target)).count() as i16;
                    let helps =
                        board.neighbors8(y).filter(|&z| board.color_at(z) == Some(attacker)).count() as i16;
                    let hurts =
                        board.neighbors4(y).filter(|&z| board.color_at(z) == Some(owner)).count() as i16;
                    self.add(y, 8 * near + helps.min(3) + 2 * hurts, true);
                }
            }
        }
    }

    /// Friends with few liberties: taking them takes away the way out.
    fn friends(&mut self, board: &Board, target: Vertex, owner: Color) {
        for x in board.liberty_vertices(target) {
            for f in board.strings_next_to(x, owner) {
                if !board.same_string(f, target) && board.liberties(f) <= 4 {
                    for y in board.liberty_vertices(f) {
                        self.add(y, 20 - 4 * board.liberties(f) as i16, true);
                    }
                }
            }
        }
    }

    /// The owner's moves.
    pub(super) fn defend(
        &mut self,
        board: &Board,
        target: Vertex,
        owner: Color,
        depth: u16,
        limits: &Limits,
    ) {
        let count = board.liberties(target);
        for x in board.liberty_vertices(target) {
            let after = board.liberties_after(owner, x) as i16;
            if after > 1 || (count > 1 && depth <= limits.wide_depth) {
                self.add(x, 30 + 4 * after.min(9), false);
            }
        }
        self.break_chain(board, target, owner, depth, limits, count);
        // In atari only a lone stone has time for more: it can perhaps be taken back.
        if count == 1 && board.string_size(target) > 1 {
            return;
        }
        if depth <= limits.backfill_depth {
            for x in board.liberty_vertices(target) {
                for y in board.neighbors4(x) {
                    if board.is_empty(y) && !board.is_liberty(y, target) {
                        let near =
                            board.neighbors4(y).filter(|&z| board.is_liberty(z, target)).count() as i16;
                        let own =
                            board.neighbors8(y).filter(|&z| board.color_at(z) == Some(owner)).count() as i16;
                        if depth <= limits.wide_depth || near > 1 {
                            self.add(y, 8 * near + own.min(3), false);
                        }
                    }
                }
            }
        }
        if depth <= limits.wide_depth {
            self.help_friends(board, target, owner);
        }
    }

    /// Surrounding strings that can be taken, put in atari, or outrun in a race for liberties.
    fn break_chain(
        &mut self,
        board: &Board,
        target: Vertex,
        owner: Color,
        depth: u16,
        limits: &Limits,
        count: usize,
    ) {
        board.each_adjacent(target, |c| {
            let liberties = board.liberties(c);
            if liberties == 1 {
                for x in board.liberty_vertices(c) {
                    self.add(x, 60 + board.string_size(c).min(9) as i16, false);
                }
                return;
            }
            let near = liberties == 2 && depth <= limits.branch_depth;
            let race = liberties <= 4.min(count + 1) && depth <= limits.wide_depth;
            if count == 1 || !(near || race) {
                return;
            }
            for x in board.liberty_vertices(c) {
                let safe = board.liberties_after(owner, x) > 1;
                if safe || depth <= limits.backfill_depth {
                    let score = if liberties == 2 { 22 } else { 10 };
                    self.add(x, if safe { score } else { score - 15 }, false);
                }
                if !safe && depth <= limits.wide_depth {
                    self.clear_the_way(board, owner, x);
                }
            }
        });
    }

    /// A stone at `x` would be taken at once: first play where it gets liberties, or take what stands beside it.
    fn clear_the_way(&mut self, board: &Board, color: Color, x: Vertex) {
        for n in board.neighbors4(x) {
            if board.is_empty(n) {
                self.add(n, 3, false);
            } else if board.color_at(n) == Some(color.other()) && board.liberties(n) <= 2 {
                for y in board.liberty_vertices(n).filter(|&y| y != x) {
                    self.add(y, 3, false);
                }
            }
        }
    }

    /// Friends: the target may want to join them, and whoever endangers them endangers it.
    fn help_friends(&mut self, board: &Board, target: Vertex, owner: Color) {
        for x in board.liberty_vertices(target) {
            for f in board.strings_next_to(x, owner) {
                if board.same_string(f, target) || board.liberties(f) > 4 {
                    continue;
                }
                for y in board.liberty_vertices(f) {
                    self.add(y, 20 - 4 * board.liberties(f) as i16, false);
                }
                board.each_adjacent(f, |c| {
                    if board.liberties(c) <= 3 {
                        for y in board.liberty_vertices(c) {
                            self.add(y, if board.liberties(c) == 1 { 30 } else { 2 }, false);
                        }
                    }
                });
            }
        }
    }
}
