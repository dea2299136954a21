//! The key stack: the keys of all positions of the game and of the current line in one array. A repetition is found by
//! a walk back over it.
//!
//! # Source
//! Bruce Moreland, *Repetition Detection* (2001): "a stack of keys in the current line, plus keys from the game
//! history". The walk back ends at a pawn move or a capture.
//!
//! # Notation
//! The *rest* of a draw by repetition is the ply of the earlier position that it repeats. A value that depends on such
//! a draw is valid only below that ply. [`GAME`] and lower numbers stand for a position of the game before the root.
//! [`NEVER`] stands for no draw.
//!
//! # Steps
//! 1. Push: the run (the positions since the last irreversible move) grows by one. A new run starts after a capture, a
//!    pawn move, a lost castling right, or a null move.
//! 2. Query: walk back in steps of two plies, from the fourth ply back to the start of the run, and count equal keys.
//! 3. The policy turns counts into a draw and its rest.
//!
//! # Departures
//! Moreland stops at captures and pawn moves. Here castling and lost castling rights also end a run, because the
//! positions before and after them are never the same. A null move must end a run, too.

use super::filter::Filter;
use super::identity::{Key, identity};
use super::policy::Policy;
use cozy_chess::{Board, Color};

/// The greatest rest of a draw with a position of the game before the root. Earlier positions have lower rests.
pub const GAME: i16 = -1;
/// The rest of a value that rests on no draw above it.
pub const NEVER: i16 = i16::MAX;

/// One position of game or line.
#[derive(Clone, Copy, Debug)]
struct Step {
    key: Key,
    /// Plies back to the start of the run.
    run: u16,
    /// Plies since the last capture or pawn move.
    clock: u16,
    /// Squares the last move left and reached, if it was reversible.
    moved: [u8; 2],
    /// Whether the side to move is in check.
    check: bool,
    /// Positions above this one whose recurrence below would be a draw.
    drawn: Filter,
}

/// The effect of the game before the root. Every field is empty for a game that begins at the root.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// Positions whose recurrence is, or may become, a draw because of the game before the root.
    drawn: Filter,
}

/// Positions of the game and of the current line, with the policy that judges them.
#[derive(Clone, Debug)]
pub struct Line {
    steps: Vec<Step>,
    root: usize,
    policy: Policy,
    past: Past,
}

impl Line {
    /// The line at the root of a game given by its positions, first to last, with their clocks.
    #[must_use]
    pub fn new(positions: &[(Board, u16)], policy: Policy) -> Self {
        let mut line = Self {
            steps: Vec::with_capacity(positions.len() + 256),
            root: positions.len(),
            policy,
            past: Past::default(),
        };
        for (index, (board, clock)) in positions.iter().enumerate() {
            let before = index.checked_sub(1).map(|i| &positions[i].0).filter(|b| is_reversible(b, board));
            line.append(identity(board), *clock, before.map(|before| moved(before, board)), in_check(board));
        }
        line.root = positions.len().saturating_sub(1);
        line.mark_game();
        line
    }

    /// Step 1: the position after a move. `before` is the position it was played in.
    pub fn push(&mut self, before: &Board, after: &Board, key: Key) -> bool {
        let reversible = is_reversible(before, after);
        let clock = if after.halfmove_clock() == 0 { 0 } else { self.clock().saturating_add(1) };
        self.append(key, clock, reversible.then(|| moved(before, after)), in_check(after));
        reversible
    }

    /// The position after a null move: nothing above it can recur.
    pub fn push_null(&mut self, key: Key) {
        let clock = self.clock().saturating_add(1);
        self.append(key, clock, None, false);
    }

    /// Takes back the last push.
    pub fn pop(&mut self) {
        debug_assert!(self.steps.len() > self.root + 1, "the game is never popped");
        self.steps.pop();
    }

    /// The squares of the move if it was reversible.
    fn append(&mut self, key: Key, clock: u16, moved: Option<[u8; 2]>, check: bool) {
        let ply = self.ply();
        let step = match (self.steps.last(), moved) {
            (Some(last), Some(moved)) => {
                let drawn = if self.recurrence_draws(ply) { last.drawn.with(last.key) } else { last.drawn };
                Step { key, run: last.run.saturating_add(1), clock, moved, check, drawn }
            }
            _ => Step { key, run: 0, clock, moved: [0; 2], check, drawn: Filter::EMPTY },
        };
        self.steps.push(step);
    }

    /// Whether one more occurrence of the position at `ply` may be a draw in some continuation.
    fn recurrence_draws(&self, ply: i16) -> bool {
        match self.policy {
            Policy::A | Policy::T => true,
            Policy::B => ply >= 1,
            Policy::R => ply >= 0,
        }
    }

    /// Adds positions that occurred twice in the game to the root's filter (policies B and R). Records the effect of
    /// the game before the root.
    fn mark_game(&mut self) {
        let Some(root) = self.steps.last().copied() else { return };
        if matches!(self.policy, Policy::A | Policy::T) {
            let earlier = &self.steps[self.root - usize::from(root.run)..self.root];
            self.past.drawn = earlier.iter().fold(Filter::EMPTY, |filter, step| filter.with(step.key));
            return;
        }
        let run = &self.steps[self.root - usize::from(root.run)..];
        let in_game = if self.policy == Policy::R { &run[..run.len() - 1] } else { run };
        let mut drawn = Filter::EMPTY;
        let mut seen = std::collections::HashSet::with_capacity(in_game.len());
        for step in in_game {
            if !seen.insert(step.key) {
                drawn = drawn.with(step.key);
            }
        }
        self.steps[self.root].drawn = drawn;
        self.past.drawn = drawn;
    }

    /// Whether a stored bound with this filter may be refused here because of the game before the root, beyond the
    /// effect of the line.
    #[inline]
    #[must_use]
    pub fn past_may_meet(&self, filter: Filter) -> bool {
        i32::from(self.run()) > i32::from(self.ply()) && self.past.drawn.may_meet(filter)
    }

    /// Squares left and reached by the move `back` plies before the current position (0: the last), if it lies in
    /// the run.
    #[inline]
    #[must_use]
    pub fn moved_back(&self, back: u16) -> Option<[u8; 2]> {
        (back < self.run()).then(|| self.steps[self.steps.len() - 1 - usize::from(back)].moved)
    }

    /// The key of the current position.
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        self.steps.last().map_or(0, |s| s.key)
    }

    /// Distance of the current position from the root.
    #[inline]
    #[must_use]
    pub fn ply(&self) -> i16 {
        ply_of(self.steps.len(), self.root + 1)
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn clock(&self) -> u16 {
        self.steps.last().map_or(0, |s| s.clock)
    }

    /// Plies back to the start of the run: 0 means nothing above can recur.
    #[inline]
    #[must_use]
    pub fn run(&self) -> u16 {
        self.steps.last().map_or(0, |s| s.run)
    }

    /// The positions above that would be draws if they recurred below the current one.
    #[inline]
    #[must_use]
    pub fn drawn(&self) -> Filter {
        self.steps.last().map_or(Filter::EMPTY, |s| s.drawn)
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The key `back` plies before the current position, inside the run.
    #[inline]
    #[must_use]
    pub fn key_back(&self, back: u16) -> Option<Key> {
        (back <= self.run()).then(|| self.steps[self.steps.len() - 1 - usize::from(back)].key)
    }

    /// Keys of the game from the start of the run to the root, for detectors that keep tables.
    pub fn game_keys(&self) -> impl Iterator<Item = Key> + '_ {
        let run = self.steps.get(self.root).map_or(0, |s| usize::from(s.run));
        self.steps[self.root - run..=self.root].iter().map(|s| s.key)
    }

    /// Steps 2 and 3: if the current position is a draw by repetition, the rest of that draw.
    #[inline]
    #[must_use]
    pub fn repetition(&self) -> Option<i16> {
        let run = self.run();
        if run < 4 { None } else { self.judge(self.key(), run, 4) }
    }

    /// Whether a position with this key would be a draw, if `distance` reversible plies from the current one reached
    /// it. The walk starts at `distance + first` plies back.
    #[must_use]
    pub fn would_repeat(&self, key: Key, back: u16) -> Option<i16> {
        self.judge(key, self.run(), back)
    }

    fn judge(&self, key: Key, run: u16, first: u16) -> Option<i16> {
        let here = self.steps.len() - 1;
        let mut in_game = 0;
        let mut on_line = 0;
        let mut back = usize::from(first);
        while back <= usize::from(run) {
            let index = here - back;
            if self.steps[index].key == key {
                let ply = ply_of(index, self.root);
                let line_first = i16::from(self.policy != Policy::R);
                if ply >= line_first {
                    on_line += 1
                } else {
                    in_game += 1
                }
                if self.policy.draws(in_game, on_line) {
                    return Some(ply);
                }
            }
            back += 2;
        }
        None
    }

    /// The side whose perpetual check makes the draw with this rest. Every move of that side since the position at
    /// that ply gave check, and not every move of the other side. `true` is the side to move. `None` if it is
    /// nobody's, or if the game is part of it.
    #[must_use]
    pub fn perpetual(&self, rest: i16) -> Option<bool> {
        let back = (rest >= 0).then(|| usize::try_from(self.ply() - rest).ok())??;
        let cycle = &self.steps[self.steps.len() - back..];
        // Every other position of the cycle has the same side to move as the current one, the last of it.
        let [own, theirs] = [0, 1].map(|first| cycle.iter().rev().skip(first).step_by(2).all(|s| s.check));
        (own != theirs).then_some(theirs)
    }

    /// A hash of everything that can make a later position a draw. These are the positions of the run, separately for
    /// game and line, each with its number of occurrences. Equal sets of positions have equal codes in any order.
    #[must_use]
    pub fn path_code(&self) -> u64 {
        let here = self.steps.len() - 1;
        let line_first = i16::from(self.policy != Policy::R);
        let two_kinds = matches!(self.policy, Policy::B | Policy::R);
        let mut code = 0x5851_F42D_4C95_7F2D_u64;
        for back in 0..=usize::from(self.run()) {
            let index = here - back;
            let on_line = two_kinds && ply_of(index, self.root) >= line_first;
            let salt = if on_line { 0x9E37_79B9_7F4A_7C15 } else { 0xC2B2_AE3D_27D4_EB4F };
            code = code.wrapping_add(mixed(self.steps[index].key ^ salt));
        }
        code
    }

    /// The rest of a draw by the fifty-move rule at the current position: the ply at which the clock started.
    #[inline]
    #[must_use]
    pub fn clock_rest(&self) -> i16 {
        self.ply().saturating_sub(i16::try_from(self.clock()).unwrap_or(i16::MAX))
    }
}

/// Mixes the bits of a key.
fn mixed(key: Key) -> u64 {
    let key = (key ^ (key >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (key ^ (key >> 29)).wrapping_mul(0x9FB2_1C65_1E98_DF25) ^ (key >> 7)
}

fn in_check(board: &Board) -> bool {
    !board.checkers().is_empty()
}

/// Squares left and reached by a reversible move. Nothing is captured, so occupancy identifies them.
#[inline]
fn moved(before: &Board, after: &Board) -> [u8; 2] {
    let (old, new) = (before.occupied().0, after.occupied().0);
    [(old & !new).trailing_zeros() as u8, (new & !old).trailing_zeros() as u8]
}

/// Ply of the step at `index`: never below 0 for the root and what follows it, however long the game is.
fn ply_of(index: usize, root: usize) -> i16 {
    // Only a game reaches the ends of the type, and only before the root: all positions that far back are alike.
    (index as i64 - root as i64).clamp(i16::MIN.into(), i64::from(NEVER) - 1) as i16
}

/// Whether the position before the move can recur: no capture, no pawn move, no castling right lost.
#[inline]
#[must_use]
pub fn is_reversible(before: &Board, after: &Board) -> bool {
    after.halfmove_clock() != 0
        && Color::ALL.iter().all(|&c| before.castle_rights(c) == after.castle_rights(c))
}
