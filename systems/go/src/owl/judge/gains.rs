//! The remaining chances of a dragon without eyes: a way out, or the capture of attacking strings.
//!
//! # Notation
//! The numbers of steps are those of [`super`].

use super::Judge;
use crate::board::{Board, Vertex};
use crate::escape::route;
use crate::local_view::Arena;

/// The fewest liberties of a defender's stone on a free liberty that leads on.
///
/// Origin: measured, commit b914525, together with six other changes.
const LEADS_ON: usize = 3;
/// The fewest liberties of a friend that is worth reaching.
///
/// Origin: measured, commit b914525, together with six other changes.
const FRIEND: usize = 3;
/// An attacking string is linked to one with more liberties than this, and than its own.
///
/// Origin: measured, commit b914525, together with six other changes.
const LINKED: usize = 3;
/// A string in atari from one side that runs to more liberties than this does not fall.
///
/// Origin: measured, commit b914525, together with six other changes.
const RUN: usize = 3;
/// A string of three liberties may fall only if every string of the dragon has more liberties than this.
///
/// Origin: measured, commit b914525, together with six other changes.
const PATIENCE: usize = 3;

impl Judge {
    /// Step 4, the way out: escape values at distance four, and the number of links to living friends. A link is an
    /// empty vertex next to both; the attacker cannot block two at once. A dragon that holds such a stone has enough.
    pub(super) fn escape(&self, board: &Board, arena: &Arena) -> (u32, usize) {
        let color = arena.color;
        let beside = |v: Vertex| board.neighbors4(v).any(|n| self.dragon[n.at()]);
        let befriended = |v: Vertex| board.neighbors4(v).any(|n| arena.safe_friend[n.at()]);
        let mut links = 0;
        for &v in &arena.ground.cells {
            if self.dragon[v.at()] && arena.safe_friend[v.at()] {
                return (0, 2);
            }
            if board.is_empty(v) && beside(v) && befriended(v) && board.liberties_after(color, v) >= 2 {
                links += 1 + usize::from(board.liberties_after(color.other(), v) < 2);
            }
        }
        (route(board, &self.dragon, color, |v| arena.escape.at(v), |_| 0, |v| self.visible[v.at()]), links)
    }

    /// Whether the defender gains something by playing on this liberty outside his eye spaces: room beyond it, or friends.
    /// Deep in the tree a margin without an eye counts as an eye space that has been looked at.
    fn leads_on(&self, board: &Board, arena: &Arena, v: Vertex, eager: bool) -> bool {
        let (color, foe) = (arena.color, arena.color.other());
        let claimed = self.spaces.iter().any(|s| (eager || s.value.d > 0) && s.holds(v));
        if claimed || board.liberties_after(color, v) < LEADS_ON {
            return false;
        }
        let faced =
            |v: Vertex| board.neighbors4(v).any(|n| board.color_at(n) == Some(foe) && self.visible[n.at()]);
        !faced(v)
            || board.neighbors4(v).any(|n| {
                let friend = board.color_at(n) == Some(color) && !self.dragon[n.at()];
                friend && board.liberties(n) >= FRIEND
                    || board.is_empty(n) && arena.ground.inside[n.at()] && !faced(n)
            })
    }

    /// Vertices where a stone joins the dragon, which has room for this number of eyes, to a friend whose eye spaces
    /// complete two eyes.
    pub(super) fn find_joins(&mut self, board: &Board, arena: &Arena, own: u8) {
        let color = arena.color;
        let mut eyes: Vec<(Vertex, u8)> = Vec::new();
        for space in self.spaces.iter().filter(|space| space.value.d > 0) {
            let around = || space.vertices.iter().flat_map(|&u| board.strings_next_to(u, color));
            if around().any(|s| self.dragon[s.at()]) {
                continue;
            }
            for s in board.origins(around()) {
                match eyes.iter_mut().find(|(o, _)| *o == s) {
                    Some((_, room)) => *room += space.value.d,
                    None => eyes.push((s, space.value.d)),
                }
            }
        }
        eyes.retain(|&(s, room)| own + room >= 2 && board.liberties(s) > 1);
        if eyes.is_empty() {
            return;
        }
        for &v in arena.ground.cells.iter().filter(|&&v| board.is_empty(v)) {
            let friend = board.strings_next_to(v, color).any(|s| {
                let origin = board.origin(s);
                eyes.iter().any(|&(o, _)| o == origin)
            });
            if friend
                && board.neighbors4(v).any(|n| self.dragon[n.at()])
                && board.liberties_after(color, v) >= 2
            {
                self.joins.push(v);
            }
        }
    }

    /// Whether an attacking string might be captured soon, by counting liberties.
    fn may_fall(
        &self,
        board: &Board,
        arena: &Arena,
        s: Vertex,
        weakest: usize,
        attacker_first: bool,
    ) -> bool {
        let (foe, defender) = (arena.color.other(), arena.color);
        let liberties = board.liberties(s);
        let linked = || {
            board.liberty_vertices(s).any(|l| {
                board.strings_next_to(l, foe).any(|n| {
                    !board.same_string(n, s)
                        && (arena.safe_foe[n.at()] || board.liberties(n) > liberties.max(LINKED))
                })
            })
        };
        let run = |out: Vertex| board.liberties_after(foe, out);
        match liberties {
            1 => !attacker_first || board.liberty_vertices(s).all(|out| run(out) < 2),
            2 if !attacker_first => {
                let outs: Vec<Vertex> = board.liberty_vertices(s).collect();
                // Atari from one side; the string runs to the other, where the first liberty is gone.
                (0..2).any(|i| {
                    board.liberties_after(defender, outs[i]) > 0 && run(outs[1 - i]) <= RUN && !linked()
                })
            }
            3 => !attacker_first && weakest > PATIENCE && !linked(),
            _ => false,
        }
    }

    /// Step 5: no attacking string next to the dragon that could fall, and no free liberty to crawl along. The attacker's
    /// move stops one of these, not two.
    pub(in crate::owl) fn nothing_to_gain(
        &self,
        board: &Board,
        arena: &Arena,
        attacker_first: bool,
        eager: bool,
    ) -> bool {
        let foe = arena.color.other();
        let mut weakest = usize::MAX;
        let mut prospects = self.joins.len();
        let mut looked = board.marks(self.joins.iter().copied());
        for &v in &arena.ground.cells {
            if !self.dragon[v.at()] {
                continue;
            }
            if arena.goal.contains(&v) {
                weakest = weakest.min(board.liberties(v));
            }
            for n in board.neighbors4(v) {
                if board.is_empty(n) && !looked[n.at()] {
                    looked[n.at()] = true;
                    prospects += usize::from(self.leads_on(board, arena, n, eager));
                }
            }
        }
        let strings = arena.ground.strings(board, |v| {
            board.color_at(v) == Some(foe)
                && !arena.safe_foe[v.at()]
                && self.visible[v.at()]
                && board.neighbors4(v).any(|n| self.dragon[n.at()])
        });
        let falls = |s: Vertex, first: bool| self.may_fall(board, arena, s, weakest, first);
        if strings.iter().any(|&s| falls(s, attacker_first)) {
            return false;
        }
        if !attacker_first {
            return prospects == 0;
        }
        if self.careful {
            prospects += strings.iter().filter(|&&s| falls(s, false)).count();
        }
        prospects <= 1 + usize::from(eager)
    }
}
