//! The ways out of dragons: how each dragon is surrounded, how far it can run, and how weak it is without reading.
//!
//! # Source
//! GNU Go 3.8 manual, "Escape" and "Surrounded Dragons"; the weakness as in [`super::weakness`].
//!
//! # Cost
//! For each dragon a hull and a walk over the board.

use super::map::{Dragon, DragonMap, Safety, Status};
use super::weakness;
use crate::board::{Board, Color, Vertex};
use crate::escape;
use crate::influence::FirstInfluence;
use crate::spread::InfluenceMap;
use crate::surround::{SurroundMap, surround};

/// The way out of one dragon.
#[derive(Clone, Debug, PartialEq)]
pub struct Escape {
    /// Potential to escape, after the effect of being surrounded.
    pub route: u32,
    /// The same without this effect.
    pub unhindered: u32,
    /// The vertices at distance four, in vertex order.
    pub distance_four: Vec<Vertex>,
    /// What reaching the dragon is worth to a friend that runs.
    pub friend_value: u8,
    /// Whether and how it is surrounded.
    pub surround: SurroundMap,
    /// Its weakness before life-and-death reading.
    pub weakness: f32,
}

/// The ways out of all dragons; `map` holds the certain facts about them.
#[must_use]
pub fn find_escapes(board: &Board, first: &FirstInfluence, map: &DragonMap) -> Vec<Escape> {
    let values = Color::BOTH.map(|color| escape_values(board, &first.escape, color));
    (0..map.dragons.len()).map(|number| find_escape(board, &values, map, number)).collect()
}

fn find_escape(board: &Board, values: &[Vec<u8>; 2], map: &DragonMap, number: usize) -> Escape {
    let dragon = &map.dragons[number];
    let dead = |v: Vertex| map.at(v).is_some_and(|d| d.status == Status::Dead);
    // Dead stones are part of what surrounds, as in GNU Go's recorded hulls.
    let hostile = |v: Vertex| dragon.neighbors.binary_search(&map.index[v.at()]).is_ok();
    let around = surround(board, &dragon.stones, hostile);
    let mask = board.marks(dragon.stones.iter().copied());
    let friend = |v: Vertex| map.at(v).map_or(0, friend_value);
    let values = &values[dragon.color.index()];
    let (unhindered, four) =
        escape::way_out(board, &mask, dragon.color, |v| values[v.at()], friend, |v| !dead(v));
    let route = around.status.limit_escape(unhindered);
    let weakness = match dragon.status {
        Status::Dead => 1.0,
        _ if dragon.safety == Safety::Invincible => 0.0,
        _ => weakness::of_room(dragon.moyo_territorial_value, route, weakness::eyes(dragon)),
    };
    Escape {
        route,
        unhindered,
        distance_four: four.iter().collect(),
        friend_value: friend_value(dragon),
        surround: around,
        weakness,
    }
}

/// What reaching a dragon is worth to a friend that runs: 6 if it lives, 0 if it is dead, else 2.
#[must_use]
pub fn friend_value(dragon: &Dragon) -> u8 {
    match dragon.status {
        Status::Alive => 6,
        _ if dragon.crude_status == Status::Alive => 6,
        Status::Dead => 0,
        Status::Critical | Status::Unknown => 2,
    }
}

/// The value of a vertex to an escaping dragon: 4 in its colour's moyo, 2 in its area, 1 if neutral, else 0.
#[must_use]
pub fn escape_values(board: &Board, map: &InfluenceMap, color: Color) -> Vec<u8> {
    let mut values = vec![0; board.padded_len()];
    for v in board.vertices() {
        values[v.at()] = match map.whose_area(v) {
            None => 1,
            Some(holder) if holder != color => 0,
            Some(_) if map.whose_moyo(v).is_some() => 4,
            Some(_) => 2,
        };
    }
    values
}
