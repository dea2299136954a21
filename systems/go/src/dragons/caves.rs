//! Caves: unions of cavities that the analysis treats as one empty region.
//!
//! # Source
//! GNU Go 2.7 manual (2001), "Worms and Dragons", sections "Amalgamation of cavities" and "Dragons" (`BORDER`).
//!
//! # Notation
//! A *cavity* is an empty worm, a *cave* a union of cavities. The *boundary components* of an inessential string are
//! the cavities that touch it. With the string they become one empty worm when it is taken off.
//!
//! # Steps
//! 1. Every cavity is a cave of its border colour.
//! 2. The boundary components of each inessential string become one cave, with the border colour opposite to the
//!    string's.
//! 3. A cave with one border colour whose neighbours are all of one dragon is that dragon's (`border`).
//!
//! # Departures
//! The manual defines inessential strings twice. This module uses the second definition, in the section on caves. That
//! definition does not ask whether a neighbour can be captured. In the manual's own figure all neighbours can be
//! captured.
//!
//! # Cost
//! Linear in the board.

use super::plugin::DragonSystems;
use super::{DragonMap, Partition};
use crate::board::{Board, Vertex, in_order};
use crate::schedule::{Analyse, AnalyseSystems};
use crate::world::{BoardSlot, Position};
use crate::worms::{WormColor, WormMap, is_inessential_by_shape};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

#[cfg(test)]
mod tests;

/// One cave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cave {
    /// Its border colour.
    pub color: WormColor,
    /// Its first vertex in vertex order.
    pub origin: Vertex,
    /// Number of empty vertices.
    pub size: u16,
    /// The dragon around it, by its origin; `None` for a gray border, or if strings around it are of several.
    pub border: Option<Vertex>,
    /// Its cavities by their origins, in vertex order. Several are the boundary components of inessential strings.
    pub cavities: Vec<Vertex>,
}

/// The caves of a board. Written by [`CavesPlugin`].
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct CaveMap {
    /// By origin in vertex order.
    pub caves: Vec<Cave>,
    /// Per padded vertex the index into `caves`; `u16::MAX` on stones and walls.
    pub index: Vec<u16>,
}

impl CaveMap {
    /// The cave at a vertex; `None` if it isn't empty.
    #[must_use]
    pub fn at(&self, v: Vertex) -> Option<&Cave> {
        self.caves.get(usize::from(*self.index.get(v.at())?))
    }
}

/// Amalgamates the cavities of every board.
///
/// Reads [`Position`], [`WormMap`], [`DragonMap`]; writes [`CaveMap`]; runs in [`AnalyseSystems::Dragons`].
pub struct CavesPlugin;

impl Plugin for CavesPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, CaveMap>().add_systems(
            Analyse,
            find_caves.after(DragonSystems::DecideStatus).in_set(AnalyseSystems::Dragons),
        );
    }
}

fn find_caves(mut boards: Query<(&Position, &WormMap, &DragonMap, &mut CaveMap)>) {
    for (position, worms, dragons, mut caves) in &mut boards {
        *caves = amalgamate(&position.board, worms, dragons);
    }
}

/// Makes caves of the cavities.
#[must_use]
pub fn amalgamate(board: &Board, worms: &WormMap, dragons: &DragonMap) -> CaveMap {
    // 1.
    let cavity = |v: Vertex| worms.get(v).filter(|w| w.color.stone().is_none()).map(|w| w.origin);
    let mut parts = Partition::of(board, cavity);
    let mut color: Vec<WormColor> = worms.worms.iter().map(|w| w.color).collect();
    let number = |parts: &Partition, v: Vertex| usize::from(worms.index[parts.root(v).at()]);
    // 2.
    for string in worms.strings().filter(|w| is_inessential_by_shape(board, w)) {
        let border = match string.color {
            WormColor::Black => WormColor::WhiteBorder,
            _ => WormColor::BlackBorder,
        };
        let around = board.stones(string.origin).flat_map(|v| board.neighbors4(v));
        let cavities: Vec<Vertex> = around.filter(|&v| board.is_empty(v)).collect();
        cavities.windows(2).for_each(|pair| parts.join(pair[0], pair[1]));
        if let Some(&v) = cavities.first() {
            color[number(&parts, v)] = border;
        }
    }
    let mut map = CaveMap { caves: Vec::new(), index: vec![u16::MAX; board.padded_len()] };
    let mut number_of = vec![u16::MAX; worms.worms.len()];
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        let root = number(&parts, v);
        if number_of[root] == u16::MAX {
            number_of[root] = map.caves.len() as u16;
            map.caves.push(Cave {
                color: color[root],
                origin: v,
                size: 0,
                border: None,
                cavities: Vec::new(),
            });
        }
        map.index[v.at()] = number_of[root];
        let cave = &mut map.caves[usize::from(number_of[root])];
        cave.size += 1;
        cave.cavities.extend(cavity(v).filter(|&origin| origin == v));
    }
    find_borders(board, dragons, &mut map);
    map
}

/// Step 3.
fn find_borders(board: &Board, dragons: &DragonMap, map: &mut CaveMap) {
    let mut borders: Vec<Vec<Vertex>> = vec![Vec::new(); map.caves.len()];
    for v in board.vertices() {
        let Some(cave) = map.at(v) else { continue };
        let Some(owner) = cave.color.border() else { continue };
        for n in board.neighbors4(v).filter(|&n| board.color_at(n) == Some(owner)) {
            borders[usize::from(map.index[v.at()])].extend(dragons.at(n).map(|d| d.origin));
        }
    }
    for (cave, around) in map.caves.iter_mut().zip(borders) {
        cave.border = if let [one] = in_order(around)[..] { Some(one) } else { None };
    }
}
