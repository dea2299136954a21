//! Break-ins into territories: how far each safe enemy string can reach into them, with either side moving first.
//!
//! # Source
//! GNU Go 3.8 manual, "Break Ins" (influence chapter).
//!
//! # Notation
//! A *territory* is a connected region that influence gives to one colour. The *intruders* are safe strings of the
//! other colour close to it.
//!
//! # Steps
//! For each territory that is large enough ([`BreakInLimits`]):
//! 1. Find the intruders: the few strings nearest by connection distance among those that the caller calls safe.
//! 2. Read for each whether it can break in, and whether the territory's owner can block it off.
//! 3. If the break-in works, or the block does not, shrink the territory: the vertices nearest to the intruder leave
//!    it. Repeat step 2 with the rest, until the intruder cannot reach it or it is too small.
//!
//! # Departures
//! The manual does not say which vertices leave a territory. Here all vertices at the intruder's least distance to the
//! goal leave it.
//!
//! # Cost
//! Two connection questions for each intruder and each shrinking.

use super::distance::{FAR, Start};
use super::reader::ConnectionReader;
use crate::board::{Board, Color, Vertex, VertexSet};
use crate::effort::BreakInLimits;
use crate::memory::{self, QuestionKind, ReadingMemory};
use crate::tactics::Reading;

/// A territory as influence sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Territory {
    /// The colour of the territory.
    pub owner: Color,
    /// Its vertices.
    pub vertices: Vec<Vertex>,
}

/// One break-in that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakIn {
    /// The owner of the territory.
    pub owner: Color,
    /// A vertex in the midst of the territory.
    pub around: Vertex,
    /// The intruder: a stone of his string.
    pub intruder: Vertex,
    /// The intruder's result, moving first.
    pub break_in: Reading,
    /// The result of the territory's owner, moving first.
    pub block_off: Reading,
    /// The vertices that leave the territory if the intruder moves first; if the owner's block fails, in any case.
    pub lost: Vec<Vertex>,
}

impl BreakIn {
    /// The result of this player, moving first, and that of the other.
    #[must_use]
    pub fn by(&self, color: Color) -> (&Reading, &Reading) {
        let both = (&self.block_off, &self.break_in);
        if color == self.owner { both } else { (both.1, both.0) }
    }
}

/// Tries to break into all large territories. `is_safe` says which stones an intrusion may start from.
/// The result is in the order of the territories, intruders and shrinkings.
pub fn break_ins(
    reader: &mut ConnectionReader,
    memory: &ReadingMemory,
    board: &Board,
    territories: &[Territory],
    limits: BreakInLimits,
    is_safe: impl Fn(Vertex) -> bool,
) -> Vec<BreakIn> {
    let mut found = Vec::new();
    for territory in territories.iter().filter(|territory| territory.vertices.len() >= limits.least) {
        let mut goal = territory.vertices.clone();
        // 1.
        for intruder in intruders(reader, board, territory, limits.nearest, &is_safe) {
            while !goal.is_empty() {
                // 2.
                let break_in = kept(memory, reader, board, (intruder, &goal, true));
                if !break_in.code.works() {
                    break;
                }
                let block_off = kept(memory, reader, board, (intruder, &goal, false));
                // 3.
                let lost = nearest(reader, board, intruder, territory.owner.other(), &goal);
                goal.retain(|v| !lost.contains(v));
                if lost.is_empty() {
                    break;
                }
                let around = territory.vertices[territory.vertices.len() / 2];
                let owner = territory.owner;
                found.push(BreakIn { owner, around, intruder, break_in, block_off, lost });
            }
        }
    }
    found
}

/// 2. The break-in of this intruder into an area, or the block, out of the memory if the answer still holds.
fn kept(
    memory: &ReadingMemory,
    reader: &mut ConnectionReader,
    board: &Board,
    (intruder, goal, breaks_in): (Vertex, &[Vertex], bool),
) -> Reading {
    let parts = (intruder, goal, breaks_in, reader.limits());
    let asked = memory::MemoryKey::new(QuestionKind::BreakIn, parts, board, &[]);
    memory.answer(&asked, Reading::bytes, |board| {
        if breaks_in {
            reader.break_in(board, intruder, goal)
        } else {
            reader.block_off(board, intruder, goal)
        }
    })
}

/// 1. The safe strings nearest to the territory, by distance and then by vertex.
fn intruders(
    reader: &mut ConnectionReader,
    board: &Board,
    territory: &Territory,
    most: usize,
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
    near.into_iter().take(most).map(|(_, v)| v).collect()
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
