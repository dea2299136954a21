//! Break-ins in the schedule: the parts of territories that reading takes away from their owner.
//!
//! # Source
//! GNU Go 3.8 manual, "Break Ins" (influence chapter): the break-in code runs after the influence module and revises
//! its valuations.
//!
//! # Steps
//! For each colour as the intruder:
//! 1. Find the territories of the other colour, with the intruder to move.
//! 2. Read the break-ins into them ([`break_ins`]).
//! 3. Lost vertices belong to nobody with the intruder to move. They also belong to nobody with the owner to move if
//!    his block fails.
//!
//! # Cost
//! The cost of the break-ins of [`crate::connection`], for a few territories of each board.

use super::plugin::{SecondInfluence, second_influence};
use crate::board::{Board, Color, Vertex};
use crate::connection::{BreakIn, ConnectionReader, Territory, break_ins};
use crate::effort::{BreakInLimits, Effort};
use crate::memory::ReadingMemory;
use crate::schedule::{Analyse, AnalyseSystems, kept};
use crate::spread::InfluenceMap;
use crate::world::{BoardSlot, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// The break-ins into the territories of a board. Written by [`BreakInsPlugin`].
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct BreakIns(pub Vec<BreakIn>);

/// Adds [`find_break_ins`], after the second influence; runs in [`AnalyseSystems::SecondInfluence`].
pub struct BreakInsPlugin;

impl Plugin for BreakInsPlugin {
    fn build(&self, app: &mut App) {
        // The moves ask for it too, and either plugin may be there without the other.
        let _ = app.try_register_required_components::<BoardSlot, BreakIns>();
        let system = find_break_ins.after(second_influence).in_set(AnalyseSystems::SecondInfluence);
        app.add_systems(Analyse, system);
    }
}

/// Finds break-ins, and takes the lost vertices away from the territories.
pub fn find_break_ins(
    mut boards: Query<(&Position, &mut SecondInfluence, &mut BreakIns)>,
    effort: Res<Effort>,
    memory: Res<ReadingMemory>,
    mut reader: Local<Option<(BreakInLimits, ConnectionReader)>>,
) {
    let limits = effort.break_ins;
    let reader = kept(&mut reader, limits, || ConnectionReader::new(limits.links));
    for (position, mut second, mut found) in &mut boards {
        found.0.clear();
        if limits.nearest == 0 || second.status[0].len() != position.board.padded_len() {
            continue;
        }
        for intruder in Color::BOTH {
            let status = &second.status[intruder.index()];
            let safe = |v: Vertex| status[v.at()].safe;
            // 1. and 2.
            let territories = territories(&position.board, &second.maps[intruder.index()], intruder.other());
            found.0.extend(break_ins(reader, &memory, &position.board, &territories, limits, safe));
        }
        // 3.
        for broken in &found.0 {
            let owner = broken.owner;
            let firm = broken.block_off.code.works();
            for map in [Some(owner.other()), Some(owner).filter(|_| !firm)].into_iter().flatten() {
                let territory = &mut second.maps[map.index()].territory;
                broken.lost.iter().for_each(|v| territory[v.at()] = 0.0);
            }
        }
    }
}

/// 1. The territories of a colour, stones not among them.
fn territories(board: &Board, map: &InfluenceMap, owner: Color) -> Vec<Territory> {
    let is_one = |v: Vertex| !map.field.blocked[v.at()] && map.whose_territory(v) == Some(owner);
    let mut seen = vec![false; board.padded_len()];
    let mut found = Vec::new();
    for v in board.vertices().filter(|&v| is_one(v)) {
        if !seen[v.at()] {
            let mut vertices = board.region(v, &mut seen, is_one);
            vertices.sort_unstable();
            found.push(Territory { owner, vertices });
        }
    }
    found
}

#[cfg(test)]
mod tests;
