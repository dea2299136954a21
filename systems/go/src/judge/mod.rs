//! The judge estimates who will own each vertex, which moves are likely, who leads and who wins.
//!
//! A judge proves nothing. So a proof outranks every result that rests on a judge.
//!
//! # Notation
//! A *view* is the judge's answer with one side to move. A [`Judgement`] holds both views, so no stage before
//! `MoveEvaluation` depends on the side to move. Owners, leads and win rates are Black's. *Lead* is the expected final
//! margin by area, komi included; *lead if pass* is the lead with the other side to move. Their difference is the value
//! of the right to move.
//!
//! # Judges
//! | name | what it is |
//! | --- | --- |
//! | [`Embedded`] | a small net whose weights are compiled in ([`net`]) |
//! | [`LookingAhead`] | a small search by that net, combined with playouts |
//! | [`Playouts`] | a search by playouts ([`crate::playout`]) |
//! | [`NoJudge`] | no judge: only the methods of GNU Go's manual |
//!
//! A program may add its own judge. It implements [`Judge`] and sets the resource [`JudgeInForce`].

mod balance;
mod embedded;
mod in_force;
pub mod inputs;
mod looking_ahead;
pub mod net;
mod playouts;
mod plugin;
pub mod search;
#[cfg(test)]
mod tests;
mod upright;

pub use embedded::Embedded;
pub use in_force::JudgeInForce;
pub use looking_ahead::LookingAhead;
pub use playouts::Playouts;
pub use plugin::{JudgePlugin, UnknownJudge};

use crate::board::{Color, Vertex};
use crate::world::Position;
use bevy_ecs::prelude::*;
use thiserror::Error;

/// The least size of a board that a net judges.
pub const LEAST_SIZE: usize = 7;

/// A judge's answer about a position with one side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The expected owner of each vertex in vertex order, from 1 (Black's) to -1 (White's).
    pub owner: Vec<f32>,
    /// How likely the side to move plays at each vertex, in vertex order; with [`View::pass`] they add up to 1.
    pub likelihood: Vec<f32>,
    /// How likely it passes.
    pub pass: f32,
    /// Black's expected lead in points of area, komi included.
    pub lead: f32,
    /// How likely Black wins.
    pub win_rate: f32,
}

impl View {
    /// The likelihood of a move or a pass; 0 off the board.
    #[must_use]
    pub fn likelihood_of(&self, v: Vertex, size: usize) -> f32 {
        if v == Vertex::PASS {
            return self.pass;
        }
        self.likelihood.get(v.index(size)).copied().unwrap_or(0.0)
    }

    /// The most likely moves, a pass too, most likely first; ties in vertex order.
    #[must_use]
    pub fn ranked(&self, size: usize) -> Vec<(Vertex, f32)> {
        let on_board = self.likelihood.iter().enumerate().map(|(i, &p)| (Vertex::from_index(i, size), p));
        let mut moves: Vec<_> = on_board.chain([(Vertex::PASS, self.pass)]).filter(|m| m.1 > 0.0).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        moves
    }
}

/// The answer of the judge in force about the position on a slot. Written by [`JudgePlugin`]; empty where no judge
/// spoke.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The name of the judge, also where it said nothing.
    pub source: String,
    /// With Black to move, then with White; `None` where the judge does not judge such a position.
    pub views: Option<[View; 2]>,
    /// Why the judge could not be asked.
    pub fault: Option<JudgeFault>,
}

impl Judgement {
    /// The view with this side to move.
    #[must_use]
    pub fn with(&self, to_move: Color) -> Option<&View> {
        self.views.as_ref().map(|views| &views[to_move.index()])
    }

    /// Black's lead with this side to move.
    #[must_use]
    pub fn lead(&self, to_move: Color) -> Option<f32> {
        self.with(to_move).map(|view| view.lead)
    }

    /// Black's lead if this side passes.
    #[must_use]
    pub fn lead_if_pass(&self, to_move: Color) -> Option<f32> {
        self.lead(to_move.other())
    }

    /// The worth of this side's right to move, in points: its lead less its lead if it passes.
    #[must_use]
    pub fn move_worth(&self, to_move: Color) -> Option<f32> {
        let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
        Some(sign * (self.lead(to_move)? - self.lead_if_pass(to_move)?))
    }

    /// The expected owner of each vertex, the mean of both views.
    #[must_use]
    pub fn owner(&self) -> Option<Vec<f32>> {
        let [black, white] = self.views.as_ref()?;
        Some(black.owner.iter().zip(&white.owner).map(|(&a, &b)| f32::midpoint(a, b)).collect())
    }
}

/// Why a judge could not be asked about a position: only a judge that is another program has such faults.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct JudgeFault {
    /// The fault, with the judge's name.
    pub message: String,
    /// The line of help.
    pub help: String,
}

/// A judge's answer about a position: both views, or nothing if it does not judge such positions.
pub type Answer = Result<Option<[View; 2]>, JudgeFault>;

/// Something that judges positions.
pub trait Judge: Send + Sync {
    /// Its name in records.
    fn name(&self) -> String;

    /// Both views of each position, in their order.
    fn views(&self, positions: &[&Position]) -> Vec<Answer>;

    /// The view with the side to move that the position has.
    fn view(&self, position: &Position) -> Option<View> {
        let [black, white] = self.views(&[position]).pop()?.ok()??;
        Some(if position.to_move == Color::Black { black } else { white })
    }

    /// The views of these positions, each with the side to move that it has, in their order.
    fn view_each(&self, positions: &[Position]) -> Vec<Option<View>> {
        positions.iter().map(|position| self.view(position)).collect()
    }

    /// How many positions a search asks about at once. More than one serves judges that answer late or in batches.
    fn batch(&self) -> usize {
        1
    }

    /// The looks that a search by this judge makes for a requested number; 0 if no search asks this judge.
    fn looks(&self, asked: u32) -> u32 {
        let _ = asked;
        0
    }

    /// Whether a search asks this judge at its positions.
    fn is_searched(&self) -> bool {
        self.looks(1) > 0
    }

    /// Whether a level plays the move of highest value, without a search.
    fn leaves_moves_to_values(&self) -> bool {
        false
    }
}

/// Judges nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJudge;

impl Judge for NoJudge {
    fn name(&self) -> String {
        "none".into()
    }

    fn leaves_moves_to_values(&self) -> bool {
        true
    }

    fn views(&self, positions: &[&Position]) -> Vec<Answer> {
        vec![Ok(None); positions.len()]
    }
}
