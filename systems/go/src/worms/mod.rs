//! Worms: the strings and cavities of a board, with all their fields that need no reading.
//!
//! # Source
//! GNU Go 2.7 manual (2001), "Worms and Dragons", section "Worms", and the same chapter of GNU Go 3.8's manual.
//! Recorded answers of GNU Go 3.8 settle the questions that both leave open.
//!
//! # Notation
//! A *worm* is a maximal set of vertices connected along the lines, all black, all white or all empty. A *string* is a
//! worm of stones, a *cavity* an empty one. Field names are the manual's.
//!
//! # Steps
//! 1. Find the strings and cavities, with colour or border colour, size and origin ([`build`]).
//! 2. Find the stones and cavities of a ko.
//! 3. Find the liberties of order 1 to 4 (`liberties`).
//! 4. Compute the effective size (`size`).
//! 5. Find genus, cutting stones and inessential strings (`shape`).
//! 6. After reading, find lunch, and inessential strings once more ([`WormMap::settle_lunch`]).
//! 7. After reading, find the cutting points that saving a string would make ([`crate::connection::cuts`]).
//!
//! # Departures
//! The manual of 2001 and GNU Go 3.8's answers differ in these points:
//! - `effective_size` is the manual's; GNU Go 3.8 counts only half of the share of the empty vertices
//!   ([`Worm::recorded_effective_size`]).
//! - `cutstone`: of several pairs of enemy strings the best one decides in the manual, and the last one in GNU Go 3.8.
//!   [`Worm::cutstone`] follows GNU Go 3.8. The two rules differ on 44 of 1890 recorded strings.
//! - A liberty flanked by two enemy stones, or by one and the edge, leads to no liberties of higher order. The 3.8
//!   manual names the first case; the second is measured.
//! - A stone between two strings that share two of its liberties may be inessential (as in the manual's own example).
//! - Inessential strings with a stone on the edge may have edge liberties (measured).
//!
//! # Cost
//! For genus and liberties, linear in the board for each string; for the rest, once linear in the board.

mod liberties;
pub mod plugin;
mod shape;
mod size;
#[cfg(test)]
mod tests;

pub use liberties::by_order;
pub use plugin::WormsPlugin;
pub use shape::is_inessential as is_inessential_by_shape;

use crate::board::{Board, Color, Vertex};
use bevy_ecs::prelude::Component;

/// The colour of a string, or the border colour of a cavity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum WormColor {
    /// A black string.
    Black,
    /// A white string.
    White,
    /// A cavity bordered by black strings alone.
    BlackBorder,
    /// A cavity bordered by white strings alone.
    WhiteBorder,
    /// A cavity bordered by both colours, or by none.
    #[default]
    GrayBorder,
}

impl WormColor {
    /// The colour of the stones; `None` for a cavity.
    #[must_use]
    pub const fn stone(self) -> Option<Color> {
        match self {
            Self::Black => Some(Color::Black),
            Self::White => Some(Color::White),
            _ => None,
        }
    }

    /// The one colour around a cavity; `None` for a string or a gray border.
    #[must_use]
    pub const fn border(self) -> Option<Color> {
        match self {
            Self::BlackBorder => Some(Color::Black),
            Self::WhiteBorder => Some(Color::White),
            _ => None,
        }
    }
}

impl From<Color> for WormColor {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// One worm. For cavities only `color`, `size`, `origin` and `ko` mean anything.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worm {
    /// Colour or border colour.
    pub color: WormColor,
    /// The distinguished member: the first one in vertex order.
    pub origin: Vertex,
    /// Number of vertices.
    pub size: u16,
    /// The stones, and the empty vertices that are at least as close to this string as to any other, up to distance
    /// 4. A vertex shared by `k` strings counts `1/k`.
    pub effective_size: f32,
    /// Number of liberties of order 1, 2, 3, 4.
    pub liberties: [u16; 4],
    /// 2 for a cutting stone (adjacent to two enemy strings without a common liberty), 1 for a potential cutting
    /// stone (two with one), else 0. One of several pairs decides, as in GNU Go 3.8. It is the first enemy string in
    /// vertex order of its touching stones, with the last different string.
    pub cutstone: u8,
    /// The number of cutting points that saving it would make. Known after reading.
    pub cutstone2: u8,
    /// Connected components of its complement, minus one.
    pub genus: u16,
    /// In a ko: the stone in atari, or the cavity beside it.
    pub ko: bool,
    /// No life potential unless a surrounding string is killed.
    pub inessential: bool,
    /// An enemy string next to it that can be captured: its origin. Known after reading.
    pub lunch: Option<Vertex>,
}

impl Worm {
    /// The value of a string: twice its effective size. If it is taken instead of saved, the area of both sides changes
    /// by its stones and its share of the empty vertices around.
    #[must_use]
    pub fn value(&self) -> f32 {
        2.0 * self.effective_size
    }

    /// The effective size as GNU Go 3.8 prints it: the stones plus half of the empty vertices.
    #[must_use]
    pub fn recorded_effective_size(&self) -> f32 {
        let stones = f32::from(self.size);
        stones + (self.effective_size - stones) / 2.0
    }
}

/// The worms of a board. Written by [`WormsPlugin`]; `lunch` and `inessential` once more after reading, and `cutstone2` by
/// [`CutStonesPlugin`](crate::connection::CutStonesPlugin).
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct WormMap {
    /// All worms, strings and cavities, by their origins in vertex order.
    pub worms: Vec<Worm>,
    /// Per padded vertex the index into `worms`; `u16::MAX` on walls.
    pub index: Vec<u16>,
}

impl WormMap {
    /// The worm at a vertex; `None` outside the board.
    #[inline]
    #[must_use]
    pub fn get(&self, v: Vertex) -> Option<&Worm> {
        self.worms.get(*self.index.get(v.at())? as usize)
    }

    /// The strings, by origin in vertex order.
    pub fn strings(&self) -> impl Iterator<Item = &Worm> {
        self.worms.iter().filter(|w| w.color.stone().is_some())
    }

    /// The cavities, by origin in vertex order.
    pub fn cavities(&self) -> impl Iterator<Item = &Worm> {
        self.worms.iter().filter(|w| w.color.stone().is_none())
    }

    /// Step 6: `capturable` says of a string, by its origin, that reading found an attack on it. Sets `lunch` to the
    /// first such neighbour in vertex order, and takes strings with a lunch out of the inessential ones.
    pub fn settle_lunch(&mut self, board: &Board, capturable: impl Fn(Vertex) -> bool) {
        for worm in self.worms.iter_mut().filter(|w| w.color.stone().is_some()) {
            worm.lunch = board.adjacent_strings(worm.origin).into_iter().find(|&s| capturable(s));
            worm.inessential = shape::is_inessential(board, worm) && worm.lunch.is_none();
        }
    }
}

/// Finds and measures the worms of a board; `lunch` is left open.
#[must_use]
pub fn build(board: &Board) -> WormMap {
    let mut map = find(board);
    mark_ko(board, &mut map);
    for worm in map.worms.iter_mut().filter(|w| w.color.stone().is_some()) {
        worm.genus = shape::genus(board, worm);
        worm.cutstone = shape::cutstone(board, worm);
    }
    liberties::count(board, &mut map);
    size::effective(board, &mut map);
    for worm in map.worms.iter_mut().filter(|w| w.color.stone().is_some()) {
        worm.inessential = shape::is_inessential(board, worm);
    }
    map
}

/// Step 1: strings and cavities with colour, origin and size.
fn find(board: &Board) -> WormMap {
    let mut map = WormMap { worms: Vec::new(), index: vec![u16::MAX; board.padded_len()] };
    // Of empty vertices alone: a stone is met again at the border of each cavity.
    let mut seen = vec![false; board.padded_len()];
    for origin in board.vertices() {
        if map.index[origin.at()] != u16::MAX {
            continue;
        }
        let (members, color) = match board.color_at(origin) {
            Some(color) => (board.stones(origin).collect(), color.into()),
            None => {
                let (cavity, borders) = board.bordered_region(origin, &mut seen, |v| board.color_at(v));
                let color = match borders {
                    [true, false] => WormColor::BlackBorder,
                    [false, true] => WormColor::WhiteBorder,
                    _ => WormColor::GrayBorder,
                };
                (cavity, color)
            }
        };
        for v in &members {
            map.index[v.at()] = map.worms.len() as u16;
        }
        map.worms.push(Worm { color, origin, size: members.len() as u16, ..Worm::default() });
    }
    map
}

/// Step 2.
fn mark_ko(board: &Board, map: &mut WormMap) {
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        if let Some(stone) = ko_stone(board, v) {
            map.worms[map.index[v.at()] as usize].ko = true;
            map.worms[map.index[stone.at()] as usize].ko = true;
        }
    }
}

/// The stone of a ko whose cavity is this empty vertex. All its neighbours have one colour, a single stone among them
/// is in atari, and its capture captures nothing else.
pub(crate) fn ko_stone(board: &Board, cavity: Vertex) -> Option<Vertex> {
    let mut colors = board.neighbors4(cavity).map(|n| board.color_at(n));
    let color = colors.next()?.filter(|&c| colors.all(|other| other == Some(c)))?;
    let mut taken = board.strings_next_to(cavity, color).filter(|&s| board.liberties(s) == 1);
    taken.next().filter(|&stone| board.string_size(stone) == 1 && taken.next().is_none())
}
