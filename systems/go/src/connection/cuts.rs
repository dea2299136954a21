//! Cutting points that saving a string would make: the field `cutstone2` of a worm.
//!
//! # Source
//! GNU Go 3.8 manual, section "Worms" (`cutstone2`) and section "Autohelper functions" (`potential_cutstone`: "saving
//! the worm would introduce at least two new cutting points"). GNU Go finds the points by patterns, which this module
//! does not use. The values recorded from GNU Go decide the details that the manual leaves open.
//!
//! # Notation
//! The *string* is one that can be captured and can be saved. A *cutting point* is an empty vertex diagonal to one of
//! its stones. It lies between two different enemy strings that both touch that stone. *Saved* is the board after the
//! saving move.
//!
//! # Steps
//! 1. Find the cutting points (`points`).
//! 2. Count a point that is the saving move itself if either enemy string can be captured.
//! 3. Count another point if the owner can disconnect the two enemy strings on the saved board. Count it also if his
//!    stone on the point could not be captured.
//!
//! # Cost
//! Two readings for each cutting point of a string that can be captured and saved: about one in a position.

use super::{ConnectionReader, LinkLimits};
use crate::board::{Board, Color, Vertex};
use crate::effort::Effort;
use crate::schedule::{Analyse, AnalyseSystems, kept};
use crate::tactics::plugin::read_tactics;
use crate::tactics::{Reader, TacticsMap, WormTactics};
use crate::world::Position;
use crate::worms::WormMap;
use crate::worms::plugin::settle_lunch;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Counts the cutting points of every string of every board.
///
/// Reads [`Position`], [`TacticsMap`]; writes [`WormMap`]; runs in [`AnalyseSystems::Tactics`], after the reading.
pub struct CutStonesPlugin;

impl Plugin for CutStonesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Analyse,
            count_cuts.after(settle_lunch).after(read_tactics).in_set(AnalyseSystems::Tactics),
        );
    }
}

fn count_cuts(
    mut boards: Query<(&Position, &TacticsMap, &mut WormMap)>,
    effort: Res<Effort>,
    mut links: Local<Option<(LinkLimits, ConnectionReader)>>,
    mut reader: Local<Reader>,
) {
    let limits = effort.question.links;
    let links = kept(&mut links, limits, || ConnectionReader::new(limits));
    reader.read_under(effort.strings);
    for (position, tactics, mut worms) in &mut boards {
        count(&position.board, tactics, links, &mut reader, &mut worms);
    }
}

/// A cutting point, and a stone of each of the two enemy strings.
type Point = (Vertex, [Vertex; 2]);

/// Sets `cutstone2` of all strings.
pub fn count(
    board: &Board,
    tactics: &TacticsMap,
    links: &mut ConnectionReader,
    reader: &mut Reader,
    map: &mut WormMap,
) {
    for worm in &mut map.worms {
        let Some(owner) = worm.color.stone() else { continue };
        let read = tactics.at(board, worm.origin).filter(|read| read.is_critical());
        worm.cutstone2 = match read {
            Some(read) if worm.cutstone > 0 => count_of(board, tactics, owner, read, links, reader),
            _ => 0,
        };
    }
}

/// Steps 1 to 3 for one string.
fn count_of(
    board: &Board,
    tactics: &TacticsMap,
    owner: Color,
    read: &WormTactics,
    links: &mut ConnectionReader,
    reader: &mut Reader,
) -> u8 {
    let found = points(board, read.origin, owner);
    if found.is_empty() {
        return 0;
    }
    let mut saved = board.without_history();
    let is_saved = saved.play(owner, read.defense_point).is_ok();
    let can_be_captured = |v: Vertex| tactics.at(board, v).is_some_and(|read| read.attack.works());
    let mut count = 0;
    for (point, [a, b]) in found {
        let cuts = if point == read.defense_point {
            can_be_captured(a) || can_be_captured(b)
        } else {
            is_saved && is_cut(&saved, owner, (point, [a, b]), links, reader)
        };
        count += u8::from(cuts);
    }
    count
}

/// Step 1, each point once.
fn points(board: &Board, string: Vertex, owner: Color) -> Vec<Point> {
    let foe = Some(owner.other());
    let mut found: Vec<Point> = Vec::new();
    for stone in board.stones(string) {
        let [north, west, east, south] = board.around(stone);
        for (a, b) in [(north, west), (north, east), (south, west), (south, east)] {
            if board.color_at(a) != foe || board.color_at(b) != foe || board.same_string(a, b) {
                continue;
            }
            let mut between =
                board.neighbors4(a).filter(|&v| v != stone && board.neighbors4(b).any(|n| n == v));
            let Some(point) = between.next().filter(|&v| board.is_empty(v)) else { continue };
            if found.iter().all(|known| known.0 != point) {
                found.push((point, [a, b]));
            }
        }
    }
    found
}

/// Step 3.
fn is_cut(
    saved: &Board,
    owner: Color,
    (point, [a, b]): Point,
    links: &mut ConnectionReader,
    reader: &mut Reader,
) -> bool {
    let foe = Some(owner.other());
    let are_there = saved.color_at(a) == foe && saved.color_at(b) == foe;
    if are_there && links.disconnect(saved, a, b).code.works() {
        return true;
    }
    let mut cut = saved.without_history();
    reader.forget();
    cut.play(owner, point).is_ok() && !reader.attack(&mut cut, point).code.works()
}

#[cfg(test)]
mod tests;
