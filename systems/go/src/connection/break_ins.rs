//! Break-ins into territories: which safe string can reach how far, whoever moves first.
//!
//! # Source
//! GNU Go manual, "Break Ins" (influence chapter).
//!
//! # Notation
//! A *territory* is a connected region that influence gives to one colour. The *intruders* are safe strings of the other
//! colour close to it.
//!
//! # Steps
//! For each territory of [`LEAST`] vertices or more:
//! 1. The intruders: strings the caller calls safe, nearest first by connection distance, at most [`NEAREST`].
//! 2. Each tries to break in, and the territory's owner to block it off.
//! 3. If the break-in works, or the block does not, the territory is shrunk: the vertices nearest to the intruder leave
//!    it. Back to 2 with what is left, until the intruder can't reach it or it is too small.
//!
//! # Departures
//! The manual does not say which vertices a shrinking takes; here all at the intruder's least distance to the goal.
//!
//! # Cost
//! Two connection questions for each intruder and shrinking.

use super::distance::{FAR, Start};
use super::reader::ConnectionReader;
use crate::board::{Board, Color, Vertex, VertexSet};
use crate::tactics::Code;

/// The least territory that is looked at.
pub const LEAST: usize = 10;
/// The most intruders for one territory.
pub const NEAREST: usize = 4;

/// A territory as influence sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Territory {
    /// Whose it is.
    pub owner: Color,
    /// Its vertices.
    pub vertices: Vec<Vertex>,
}

/// One break-in that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakIn {
    /// The number of the territory in the list.
    pub territory: usize,
    /// The intruder: a stone of his string.
    pub intruder: Vertex,
    /// What the intruder reaches, moving first, and where he plays.
    pub break_in: (Code, Vertex),
    /// What the territory's owner reaches, moving first, and where he plays.
    pub block_off: (Code, Vertex),
    /// The vertices that leave the territory if the intruder moves first; if the owner's block fails, in any case.
    pub lost: Vec<Vertex>,
}

/// Tries to break into all large territories. `is_safe` says which stones an intrusion may start from.
/// The result is in the order of the territories, intruders and shrinkings.
pub fn break_ins(
    reader: &mut ConnectionReader,
    board: &Board,
    territories: &[Territory],
    is_safe: impl Fn(Vertex) -> bool,
) -> Vec<BreakIn> {
    let mut found = Vec::new();
    for (number, territory) in territories.iter().enumerate() {
        if territory.vertices.len() < LEAST {
            continue;
        }
        let mut goal = territory.vertices.clone();
        // 1.
        for intruder in intruders(reader, board, territory, &is_safe) {
            while !goal.is_empty() {
                // 2.
                let broken = reader.break_in(board, intruder, &goal);
                if !broken.code.works() {
                    break;
                }
                let blocked = reader.block_off(board, intruder, &goal);
                // 3.
                let lost = nearest(reader, board, intruder, territory.owner.other(), &goal);
                goal.retain(|v| !lost.contains(v));
                if lost.is_empty() {
                    break;
                }
                found.push(BreakIn {
                    territory: number,
                    intruder,
                    break_in: (broken.code, broken.point),
                    block_off: (blocked.code, blocked.point),
                    lost,
                });
            }
        }
    }
    found
}

/// 1. The safe strings nearest to the territory, by distance and then by vertex.
fn intruders(
    reader: &mut ConnectionReader,
    board: &Board,
    territory: &Territory,
    is_safe: &impl Fn(Vertex) -> bool,
) -> Vec<Vertex> {
    let intruder = territory.owner.other();
    let goal: VertexSet = territory.vertices.iter().copied().collect();
    reader.survey(board, intruder, Start::Area(&goal));
    let mut near: Vec<(u8, Vertex)> = board
        .strings()
        .filter(|&v| board.color_at(v) == Some(intruder) && is_safe(v))
        .map(|v| (reader.to_target.to(board, v), v))
        .filter(|&(distance, _)| (1..FAR).contains(&distance))
        .collect();
    near.sort_unstable();
    near.into_iter().take(NEAREST).map(|(_, v)| v).collect()
}

/// 3. The vertices of the goal at the least distance from the intruder.
fn nearest(
    reader: &mut ConnectionReader,
    board: &Board,
    intruder: Vertex,
    color: Color,
    goal: &[Vertex],
) -> Vec<Vertex> {
    reader.survey(board, color, Start::String(intruder));
    let distance = |v: Vertex| reader.to_target.to(board, v);
    let least = goal.iter().map(|&v| distance(v)).min().unwrap_or(FAR);
    goal.iter().copied().filter(|&v| least < FAR && distance(v) == least).collect()
}
