//! The oracle: the definition of the exact value as a program. It has no table, and its only move ordering is captures
//! first.
//!
//! # Source
//! The README of the project's repetition suite, section "The exact search, completely".
//!
//! # Steps
//! 1. A repetition under the policy has the value 0.
//! 2. A position without a legal move has the value of mate or stalemate.
//! 3. At depth 0 the value is the material.
//! 4. Otherwise the value is the maximum over all legal moves of the negated value of the child.
//!
//! # Departures
//! The oracle uses alpha-beta, whose root value is the minimax value. It counts occurrences in plain vectors. It does
//! not use [`crate::history::Line`], so that the two check each other.

use super::material;
use crate::history::{Game, Key, Policy, identity};
use crate::repetition::{DRAW, INFINITE, MATE};
use crate::rules::notation::legal_moves;
use cozy_chess::Board;

/// The searcher: occurrences in the game and on the line.
#[derive(Debug)]
pub struct Reference {
    policy: Policy,
    game: Vec<Key>,
    line: Vec<Key>,
    /// Nodes left; the search gives up below 0.
    budget: i64,
}

/// The exact value, or `None` if it takes more than `budget` nodes.
#[must_use]
pub fn value(game: &Game, depth: u32, policy: Policy, budget: u64) -> Option<i32> {
    value_and_nodes(game, depth, policy, budget).map(|(value, _)| value)
}

/// The exact value and the number of nodes.
#[must_use]
pub fn value_and_nodes(game: &Game, depth: u32, policy: Policy, budget: u64) -> Option<(i32, u64)> {
    let mut replay = Game::new(game.start().clone());
    let mut keys = vec![identity(replay.board())];
    for &mv in game.moves() {
        replay.play(mv);
        keys.push(identity(replay.board()));
    }
    let line = if policy == Policy::R { keys.pop().into_iter().collect() } else { Vec::new() };
    let mut searcher =
        Reference { policy, game: keys, line, budget: i64::try_from(budget).unwrap_or(i64::MAX) };
    let value = searcher.search(game.board(), depth, 0, -INFINITE, INFINITE);
    let left = u64::try_from(searcher.budget).ok()?;
    Some((value, budget - left))
}

impl Reference {
    fn is_draw(&self, key: Key) -> bool {
        let count = |keys: &[Key]| keys.iter().filter(|k| **k == key).count();
        let (g, t) = (count(&self.game), count(&self.line));
        match self.policy {
            Policy::A => g + t >= 1,
            Policy::B | Policy::R => t >= 1 || g >= 2,
            Policy::T => g + t >= 2,
        }
    }

    fn search(&mut self, board: &Board, depth: u32, ply: i32, alpha: i32, beta: i32) -> i32 {
        self.budget -= 1;
        if self.budget < 0 {
            return 0;
        }
        let key = identity(board);
        // Step 1.
        if ply > 0 && self.is_draw(key) {
            return DRAW;
        }
        // Step 2.
        let mut moves = legal_moves(board);
        if moves.is_empty() {
            return if board.checkers().is_empty() { DRAW } else { ply - MATE };
        }
        // Step 3.
        if depth == 0 {
            return material(board);
        }
        // Step 4.
        let them = board.colors(!board.side_to_move());
        moves.sort_by_key(|mv| !them.has(mv.to));
        if ply > 0 {
            self.line.push(key);
        }
        let mut best = -INFINITE;
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            best = best.max(-self.search(&child, depth - 1, ply + 1, -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        if ply > 0 {
            self.line.pop();
        }
        best
    }
}
