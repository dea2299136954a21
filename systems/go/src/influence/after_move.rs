//! Influence after a move, and after a second move in a row. They give the territorial value and the follow-up value of
//! the move.
//!
//! # Source
//! GNU Go 3.8 manual, "Influence", sections "Influence and Territory" and "Patterns used by the Influence module".
//! The details of move and follow-up maps are measured against GNU Go 3.8's answers.
//!
//! # Steps
//! 1. Play the move. Its stone is either safe, with full strength, or not safe. The same holds for the stones that it
//!    saves.
//! 2. Compute an ordinary map with the opponent to move.
//! 3. Compute the follow-up map. It adds the mover's intrusions that start from the move or from saved stones, as
//!    sources with full strength.

use super::after_moves::MoveTrial;
use super::passes::{Kind, LIVELY, Pass, StoneStatus};
use super::patterns::{causes, followup_of, is_followup};
use crate::board::{Board, Color, IllegalMove, Vertex};
use crate::effort::Limits;
use crate::patterns::{EngineQueries, PatternDatabases};
use crate::spread::field::vertices;
use crate::spread::{InfluenceMap, Spreader, effects, permeability};
use crate::tactics::Reader;
use bevy_ecs::prelude::Component;

/// A move whose influence is asked for.
#[derive(Clone, Copy, Debug)]
pub struct MoveQuestion<'a> {
    /// The position before the move.
    pub board: &'a Board,
    /// The mover.
    pub color: Color,
    /// The move.
    pub trial: MoveTrial<'a>,
    /// The status of all stones before the move, with the opponent to move.
    pub status: &'a [StoneStatus],
}

/// The effect of a move on influence and territory. A board has it as a component if the move is asked for.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct MoveInfluence {
    /// The map after the move, the opponent to move.
    pub map: InfluenceMap,
    /// The same with the mover's follow-up intrusions.
    pub followup: InfluenceMap,
    /// Enemy stones taken.
    pub captured: usize,
}

impl MoveInfluence {
    /// The move's territorial value against the map `before` it with the opponent to move, for its colour. A stone it took off
    /// is no longer on the map, and worth the point of its prisoner.
    #[must_use]
    pub fn delta(&self, before: &InfluenceMap, color: Color) -> f32 {
        gained(before, &self.map, color) + self.captured as f32
    }

    /// The follow-up value: the gain of a second move in a row.
    #[must_use]
    pub fn followup_value(&self, color: Color) -> f32 {
        gained(&self.map, &self.followup, color)
    }
}

/// The change of territory between two maps, in points for `color`.
fn gained(before: &InfluenceMap, after: &InfluenceMap, color: Color) -> f32 {
    let of = |v: Vertex| after.territory[v.at()] - before.territory[v.at()];
    let sum: f32 = vertices(before.field.size).map(of).sum();
    if color == Color::White { sum } else { -sum }
}

/// Both maps of a move that is known only by its vertex. The function reads whether its stone can be captured. If it
/// cannot, the joined strings are saved. `status` is that of all stones before the move, with the opponent to move.
///
/// # Errors
/// If the move is against the rules.
pub fn of_move(
    board: &Board,
    color: Color,
    at: Vertex,
    status: &[StoneStatus],
    databases: &PatternDatabases,
) -> Result<MoveInfluence, IllegalMove> {
    let mut tried = board.without_history();
    tried.play_ignoring_ko(color, at)?;
    let safe = !Reader::default().attack(&mut tried, at).code.works();
    let stone = if safe { LIVELY } else { StoneStatus::default() };
    let saved: Vec<Vertex> =
        tried.neighbors4(at).filter(|&n| board.color_at(n) == Some(color) && safe).collect();
    let trial = MoveTrial { at, stone, saved: &saved, killed: &[] };
    let question = MoveQuestion { board, color, trial, status };
    let (after, status) = status_after(&question)?;
    Ok(compute(&question, &after, &status, databases, &mut Reader::new(Limits::of_constraints())))
}

/// The board after the move, and the status of its stones.
///
/// # Errors
/// If the move is against the rules.
pub fn status_after(question: &MoveQuestion<'_>) -> Result<(Board, Vec<StoneStatus>), IllegalMove> {
    let MoveTrial { at, stone, saved, killed } = question.trial;
    let mut board = question.board.clone();
    board.play_ignoring_ko(question.color, at)?;
    let mut status = question.status.to_vec();
    for v in board.vertices().filter(|&v| board.color_at(v).is_none()) {
        status[v.at()] = StoneStatus::default();
    }
    for (strings, to) in [(saved, LIVELY), (killed, StoneStatus::default())] {
        for v in strings.iter().flat_map(|&string| board.stones(string)) {
            status[v.at()] = to;
        }
    }
    status[at.at()] = stone;
    Ok((board, status))
}

/// Computes both maps from the board after the move and its stones' status; `reader` answers the patterns.
pub fn compute(
    question: &MoveQuestion<'_>,
    after: &Board,
    status: &[StoneStatus],
    databases: &PatternDatabases,
    reader: &mut Reader,
) -> MoveInfluence {
    let opponent = Some(question.color.other());
    let taken = |&v: &Vertex| question.board.color_at(v) == opponent && after.color_at(v) != opponent;
    let captured = question.board.vertices().filter(taken).count();
    let mut spreader = Spreader::new();
    let mut queries = EngineQueries::new(after.clone(), reader);
    let pass = Pass { board: after, to_move: opponent, status, kind: Kind::Territorial };
    let field = pass.field();
    let of_patterns = causes(databases, &pass, &field, &mut queries);
    let map = pass.compute(&mut spreader, field.clone(), of_patterns);
    let is_saved = |v: Vertex| question.trial.saves(after, v);
    let mut more = Vec::new();
    for found in databases.barriers.find(after, question.color, is_followup) {
        followup_of(&found, &field, is_saved, &mut queries, &mut more);
    }
    let mut followup = map.clone();
    if !more.is_empty() {
        effects::apply_intrusions(&more, 1.0, &mut followup.field); // step 3
        permeability::open_sources(&mut followup.field);
        spreader.spread(&followup.field, &mut followup.influence);
        followup.territory = followup.value_territory();
        followup.causes.extend(more);
    }
    MoveInfluence { map, followup, captured }
}
