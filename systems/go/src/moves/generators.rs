//! Generators: each looks at what is known of the position and names moves with reasons. None gives values.

use super::reason::{Candidate, Reason};
use crate::board::{Board, Color, Vertex};
use std::collections::BTreeMap;

/// What is known of the position when moves are generated.
pub struct Facts<'a> {
    /// The position.
    pub board: &'a Board,
    /// Whose moves.
    pub color: Color,
}

impl<'a> Facts<'a> {
    /// What the board alone tells.
    #[must_use]
    pub const fn of(board: &'a Board, color: Color) -> Self {
        Self { board, color }
    }
}

/// Moves with their reasons, by vertex.
#[derive(Debug, Default)]
pub struct Reasons(BTreeMap<Vertex, Vec<Reason>>);

impl Reasons {
    /// Adds a reason for a move, once.
    pub fn add(&mut self, v: Vertex, reason: Reason) {
        let list = self.0.entry(v).or_default();
        if !list.contains(&reason) {
            list.push(reason);
        }
    }
}

/// All candidates with their reasons, in vertex order, without values.
#[must_use]
pub fn generate(facts: &Facts<'_>) -> Vec<Candidate> {
    let mut reasons = Reasons::default();
    atari(facts, &mut reasons);
    super::opening::generate(facts, &mut reasons);
    reasons
        .0
        .into_iter()
        .filter(|(v, _)| facts.board.is_legal(facts.color, *v))
        .map(|(vertex, reasons)| Candidate { reasons, ..Candidate::new(vertex) })
        .collect()
}

/// Captures of strings in atari, and running with our own.
fn atari(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    for v in board.vertices().filter(|&v| board.liberties(v) == 1 && board.origin(v) == v) {
        let Some(liberty) = board.liberty_vertices(v).next() else { continue };
        if board.color_at(v) == Some(facts.color) {
            let mut trial = board.clone();
            if trial.play(facts.color, liberty).is_ok() && trial.liberties(v) > 2 {
                reasons.add(liberty, Reason::Defend(v, 1));
            }
            for enemy in board.adjacent_strings(v) {
                if let Some(take) =
                    board.liberty_vertices(enemy).next().filter(|_| board.liberties(enemy) == 1)
                {
                    reasons.add(take, Reason::Defend(v, 1));
                }
            }
        } else {
            reasons.add(liberty, Reason::Attack(v, 1));
        }
    }
}
