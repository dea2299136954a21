//! The figures of an analysis for graphical programs: moves with visits and win rates, the lead, and ownership.
//! `lz-analyze`, `kata-analyze` and the analysis protocol all take their figures from this module, which reads a
//! [`Review`].
//!
//! # Meaning of the numbers
//! - `winrate` is the mean of the judge's win rates over the visits. Without a judge, the position has the share of won
//!   playouts, and a move has its mean value. The mean value combines winning or losing with the margin.
//! - `utility` is the mean value, scaled to -1 to 1.
//! - `lead` is the expected result by area counting, komi included. For the position it comes from the judge, or from
//!   the playouts without a judge. For a move it is the mean over the visits of the move.
//! - `prior` is the likelihood that the judge gave the move. Without a judge it is the move's share of the sum of all
//!   values that the pipeline gave before the search.
//! - `pv` is the most visited line of a search by the judge. A search by playouts gives only the move itself.
//! - `ownership` is the mean over the search, for the position and for each move.

use tengen_go::board::{Board, Color, Vertex};
use tengen_go::judge::View;
use tengen_go::moves::Review;

/// Moves that a single look lists.
const LISTED: usize = 20;

/// A position with its moves figures, for the side to move.
#[derive(Clone, Debug)]
pub struct PositionFigures {
    /// The mover.
    pub color: Color,
    /// Most visited first.
    pub moves: Vec<MoveFigures>,
    /// The side's win rate.
    pub winrate: f32,
    /// The side's lead in points, komi included.
    pub lead: f32,
    /// Playouts in all.
    pub visits: u32,
    /// For each vertex in vertex order: 1 certainly the side's, -1 certainly the opponent's.
    pub ownership: Vec<f32>,
    /// The judge's likelihood of each vertex in vertex order, and of a pass last; empty without a judge.
    pub likelihood: Vec<f32>,
}

/// A move.
#[derive(Clone, Debug)]
pub struct MoveFigures {
    /// Where; a pass too.
    pub vertex: Vertex,
    /// Its playouts.
    pub visits: u32,
    /// Mean win rate, 0 to 1; of a search by playouts the mean value.
    pub winrate: f32,
    /// Mean value, -1 to 1.
    pub utility: f32,
    /// How likely the judge called it; without a judge its share of the pipeline's value.
    pub prior: f32,
    /// The side's mean lead in points at the ends of its visits, komi included.
    pub lead: f32,
    /// The move and what follows it.
    pub line: Vec<Vertex>,
    /// As [`PositionFigures::ownership`], after the move; empty if it is not known.
    pub ownership: Vec<f32>,
}

impl PositionFigures {
    /// Reads a review of a position with this komi.
    #[must_use]
    pub fn of(review: &Review, komi: f32) -> Self {
        let sign = if review.color == Color::White { 1.0 } else { -1.0 };
        let value = |v: Vertex| review.at(v).map_or(0.0, |c| c.terms.own_gain().max(c.urgent).max(c.minimum));
        let all: f32 = review.candidates.iter().map(|c| value(c.vertex)).sum();
        let moves = review
            .findings
            .moves
            .iter()
            .filter(|m| m.visits > 0)
            .map(|m| MoveFigures {
                vertex: m.vertex,
                visits: m.visits,
                winrate: if m.likelihood > 0.0 { m.win_rate } else { m.value },
                utility: 2.0f32.mul_add(m.value, -1.0),
                prior: match m.likelihood {
                    told if told > 0.0 => told,
                    _ if all > 0.0 => value(m.vertex) / all,
                    _ => 0.0,
                },
                lead: m.lead,
                line: if m.line.is_empty() { vec![m.vertex] } else { m.line.clone() },
                ownership: m.owner.iter().map(|o| sign * o).collect(),
            })
            .collect();
        Self {
            color: review.color,
            moves,
            winrate: review.findings.win_rate,
            lead: sign * (review.findings.white_lead + komi),
            visits: review.findings.playouts,
            ownership: review.findings.owner.iter().map(|o| sign * o).collect(),
            likelihood: Vec::new(),
        }
    }

    /// The same with the judge's word: priors are its own, and without a search by it lead, win rate and ownership.
    #[must_use]
    pub fn judged(mut self, view: &View, size: usize) -> Self {
        let sign = if self.color == Color::Black { 1.0 } else { -1.0 };
        let is_searched = self.visits > 1 && self.moves.iter().any(|m| !m.ownership.is_empty());
        if !is_searched {
            self.lead = sign * view.lead;
            self.winrate = if self.color == Color::Black { view.win_rate } else { 1.0 - view.win_rate };
            self.ownership = view.owner.iter().map(|o| sign * o).collect();
        }
        self.likelihood = view.likelihood.iter().copied().chain([view.pass]).collect();
        for m in &mut self.moves {
            m.prior = view.likelihood_of(m.vertex, size);
        }
        self
    }

    /// A single look of the judge: its likely moves, most likely first.
    #[must_use]
    pub fn look(view: &View, color: Color, size: usize) -> Self {
        let none = Self {
            color,
            moves: Vec::new(),
            winrate: 0.0,
            lead: 0.0,
            visits: 1,
            ownership: Vec::new(),
            likelihood: Vec::new(),
        };
        let mut look = none.judged(view, size);
        let of = |(vertex, prior)| MoveFigures {
            vertex,
            visits: 1,
            winrate: look.winrate,
            utility: 2.0f32.mul_add(look.winrate, -1.0),
            prior,
            lead: look.lead,
            line: vec![vertex],
            ownership: Vec::new(),
        };
        look.moves = view.ranked(size).into_iter().take(LISTED).map(of).collect();
        look
    }

    /// The likelihood of each vertex, -1 where the side may not play, and of a pass last. Without a judge, the moves' priors.
    #[must_use]
    pub fn policy(&self, board: &Board) -> Vec<f32> {
        if !self.likelihood.is_empty() {
            let mut policy = self.likelihood.clone();
            for v in board.vertices().filter(|&v| !board.is_legal(self.color, v)) {
                policy[v.index(board.size())] = -1.0;
            }
            return policy;
        }
        let prior = |v: Vertex| self.moves.iter().find(|m| m.vertex == v).map_or(0.0, |m| m.prior);
        let mut policy: Vec<f32> =
            board.vertices().map(|v| if board.is_legal(self.color, v) { prior(v) } else { -1.0 }).collect();
        let sum: f32 = policy.iter().filter(|p| **p > 0.0).sum();
        policy.push((1.0 - sum).max(0.0));
        policy
    }
}
