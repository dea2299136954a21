//! Territory, moyo and area: the owner of each vertex, and the connected regions of each kind.

use crate::board::{Board, Color, Vertex};
use crate::spread::InfluenceMap;
use bevy_ecs::prelude::Component;
use serde::{Deserialize, Serialize};

/// The territory value beyond which a vertex is somebody's without doubt.
pub const SETTLED: f32 = 0.95;

/// The strength of the claim on a vertex. As a column of the points it is written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Region {
    /// Nobody's.
    #[default]
    Neutral,
    /// One side's influence is clearly stronger.
    Area(Color),
    /// Territory that can easily materialize if the opponent neglects to reduce.
    Moyo(Color),
    /// Expected to be points at the end of the game.
    Territory(Color),
    /// A stone.
    Stone(Color),
}

impl Region {
    /// GNU Go's code: 4 stone, 3 territory, 2 moyo, 1 area, 0 neutral, Black negative.
    #[must_use]
    pub const fn code(self) -> i8 {
        let (level, color) = match self {
            Self::Neutral => return 0,
            Self::Area(color) => (1, color),
            Self::Moyo(color) => (2, color),
            Self::Territory(color) => (3, color),
            Self::Stone(color) => (4, color),
        };
        match color {
            Color::White => level,
            Color::Black => -level,
        }
    }
}

impl InfluenceMap {
    fn holder(&self, v: Vertex, holds: impl Fn(f32, f32, f32) -> bool) -> Option<Color> {
        let [b, w] = [0, 1].map(|c| self.influence[c][v.at()]);
        let value = self.territory[v.at()];
        if holds(w, b, value) {
            Some(Color::White)
        } else if holds(b, w, -value) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The colour whose territory a vertex is: influence without any of the opponent's, and a value above [`SETTLED`].
    #[must_use]
    pub fn whose_territory(&self, v: Vertex) -> Option<Color> {
        self.holder(v, |own, enemy, value| own > 0.0 && enemy == 0.0 && value > SETTLED)
    }

    /// The colour whose moyo a vertex is; territory is moyo.
    #[must_use]
    pub fn whose_moyo(&self, v: Vertex) -> Option<Color> {
        self.whose_territory(v)
            .or_else(|| self.holder(v, |own, enemy, _| own > 7.0 * enemy && own > 5.0 && enemy < 10.0))
    }

    /// The colour whose area a vertex is; moyo is area.
    #[must_use]
    pub fn whose_area(&self, v: Vertex) -> Option<Color> {
        self.whose_moyo(v)
            .or_else(|| self.holder(v, |own, enemy, _| own > 3.0 * enemy && own > 1.0 && enemy < 40.0))
    }

    /// The firmest claim on a vertex.
    #[must_use]
    pub fn region(&self, v: Vertex) -> Region {
        if let Some(color) = self.stones[v.at()] {
            return Region::Stone(color);
        }
        if let Some(color) = self.whose_territory(v) {
            return Region::Territory(color);
        }
        if let Some(color) = self.whose_moyo(v) {
            return Region::Moyo(color);
        }
        self.whose_area(v).map_or(Region::Neutral, Region::Area)
    }
}

/// Connected regions held by one colour, with their sizes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Segments {
    /// Per padded vertex the region's number from 1; 0 for none.
    pub at: Vec<u16>,
    /// Per region (entry 0 unused) its colour, vertices that count, and territorial value for its colour.
    pub segments: Vec<Segment>,
}

/// One connected region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The holder.
    pub color: Color,
    /// Its vertices, except the colour's own safe stones.
    pub size: u32,
    /// The sum of the territory values in it, for its colour.
    pub territorial_value: f32,
}

impl Segments {
    /// The regions of what `holder` says, joined along the lines; safe stones belong to their colour's regions and join
    /// them.
    #[must_use]
    pub fn of(board: &Board, map: &InfluenceMap, holder: impl Fn(Vertex) -> Option<Color>) -> Self {
        let whose = |v: Vertex| {
            if map.field.blocked[v.at()] { map.stones[v.at()] } else { holder(v) }
        };
        let (mut at, mut seen) = (vec![0; board.padded_len()], vec![false; board.padded_len()]);
        let mut segments = vec![Segment { color: Color::Black, size: 0, territorial_value: 0.0 }];
        for start in board.vertices() {
            let Some(color) = whose(start).filter(|_| !seen[start.at()]) else { continue };
            let mut segment = Segment { color, size: 0, territorial_value: 0.0 };
            for v in board.region(start, &mut seen, |n| whose(n) == Some(color)) {
                at[v.at()] = segments.len() as u16;
                if !map.field.blocked[v.at()] {
                    segment.size += 1;
                    let value = map.territory[v.at()];
                    segment.territorial_value += if color == Color::White { value } else { -value };
                }
            }
            segments.push(segment);
        }
        Self { at, segments }
    }

    /// The regions of moyo.
    #[must_use]
    pub fn moyos(board: &Board, map: &InfluenceMap) -> Self {
        Self::of(board, map, |v| map.whose_moyo(v))
    }
}
