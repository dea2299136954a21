//! Tests whether stones survive, by the search of [`super::search`] with the life of a dragon as its goal.
//!
//! # Source
//! The tree search and its playouts are those of whole-board play (see [`super::search`]). The aim is that of GNU Go
//! 3.8 manual, "The Owl Code": the attacker wants to capture the stones at any price.
//!
//! # Notation
//! The *goal* is the set of the dragon's stones. *Survival* is the share of playouts in which most of their vertices
//! end as the defender's stones or eyes.
//!
//! # Steps
//! 1. In the tree both sides choose among the likely moves in the dragon's surroundings and a pass.
//! 2. Playouts go on over the whole board. So the answer includes ways out, captures of the surrounding stones, and
//!    capturing races.
//! 3. The most visited move is the answer, and its mean value is the certainty.
//!
//! # Departures
//! There is no exact answer and no ko code. Each playout fights a ko by its ordinary moves. The search is meant for
//! dragons whose surroundings are too large to be solved.
//!
//! # Cost
//! The cost of the playouts.

use super::board::{PlayoutBoard, code};
use super::policy::Policy;
use super::prediction::LADDERS;
use super::search::{Aim, Limits, Root, Search};
use crate::board::{Color, Vertex};

/// The side that moves first, and the limits.
#[derive(Clone, Copy)]
pub struct PlayoutCheck<'a> {
    /// The position.
    pub board: &'a PlayoutBoard,
    /// The dragon's stones.
    pub goal: &'a [Vertex],
    /// The colour of the stones.
    pub defender: Color,
    /// The side that moves first.
    pub mover: Color,
    /// The last move, or a pass.
    pub last: Vertex,
    /// Per padded vertex: whether moves there are searched.
    pub inside: &'a [bool],
    /// The number of playouts.
    pub playouts: u32,
    /// The seed of every random choice.
    pub seed: u64,
}

/// The result of trying out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    /// The first mover's best move; a pass if there is none.
    pub point: Vertex,
    /// The share of playouts in which the dragon survives after it, 0 to 1.
    pub survival: f32,
}

/// Tries out whether the dragon survives. Without playouts or stones it does, by a pass.
#[must_use]
pub fn try_out(trial: &PlayoutCheck<'_>) -> Tried {
    let goal: Vec<usize> = trial.goal.iter().map(|v| v.at()).collect();
    let limits = Limits {
        playouts: trial.playouts,
        policy: Policy::default(),
        win_share: 1.0,
        warm_up: 0,
        ladders: LADDERS,
        seed: trial.seed,
    };
    let root = Root {
        board: trial.board,
        color: trial.mover,
        last: trial.last,
        before: Vertex::PASS,
        komi: 0.0,
        owner: None,
    };
    let aim = Aim::Survival { defender: code(trial.defender), goal: &goal, inside: trial.inside };
    let mut search = Search::new(&root, aim, &limits);
    search.must_move();
    search.run(&mut |_| false);
    let findings = search.findings();
    match findings.moves.first().filter(|best| best.visits > 0 && !goal.is_empty()) {
        None => Tried { point: Vertex::PASS, survival: 1.0 },
        Some(best) => Tried {
            point: best.vertex,
            survival: if trial.mover == trial.defender { best.value } else { 1.0 - best.value },
        },
    }
}
