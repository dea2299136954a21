//! Life, ownership and the score of finished games, and an estimate of them for other positions.
//!
//! # Source
//! GNU Go 3.8 manual, "GTP commands": `final_score`, `final_status`. Playouts find the statuses: a dead stone is one
//! that playouts capture, with either side moving first.
//!
//! # Steps
//! The status is found on the upright image of the board ([`crate::board::upright`]). So all rotations and reflections
//! of a board, also with exchanged colours, have the same score.
//! 1. Find the mean ownership over playouts, half of them with either colour first.
//! 2. If that leaves doubts, use the mean ownership of two searches instead, because searches find the moves that save
//!    and kill.
//! 3. A string whose dragon lives by eyes is alive. So is a string of two dragons in a standoff (`dragons::held`).
//!    Ownership decides about the other strings. The dragon's status decides where ownership is unclear, or where a
//!    single question was asked.
//! 4. Without dead stones, a region surrounded by one colour is its territory. A region that both reach is shared out
//!    by ownership. A vertex that touches both colours is neutral.
//! 5. Strings in seki (`seki`) keep their stones and have no territory. In area counting, points that one colour
//!    surrounds there count for that colour.
//!
//! Step 3 and its constant were chosen on 267 nearly finished positions of games of the part `choose`:
//! `experiments/2026-11-25-go-final-status.md`.
//!
//! # Cost
//! The cost of the playouts.

use crate::board::upright::Upright;
use crate::board::{Board, Color, Vertex, VertexSet};
use crate::dragons::{self, DragonMap, Rule};
use crate::effort::StatusLimits;
use crate::names::named;
use crate::playout::{self, LADDERS, Limits, PlayoutBoard, Policy, Root};

mod seki;
#[cfg(test)]
mod tests;

/// The least distance of a string's mean ownership from neutral that decides its owner.
const TORN: f32 = 0.3;
/// An empty vertex of an open region this much one colour's is its territory.
const OWNED: f32 = 0.35;

pub use crate::territory::score::Scoring;

named! {
    /// The status of a vertex at the end of the game.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Status {
        /// A stone that stays.
        Alive = "alive",
        /// A stone that is taken off.
        Dead = "dead",
        /// A stone that stays without two eyes.
        Seki = "seki",
        /// An empty point of White.
        WhiteTerritory = "white_territory",
        /// An empty point of Black.
        BlackTerritory = "black_territory",
        /// An empty point of nobody.
        Dame = "dame",
    }
}

impl Status {
    /// The status GTP spells so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Whether stones have it, not empty points.
    #[must_use]
    pub const fn is_of_stones(self) -> bool {
        matches!(self, Self::Alive | Self::Dead | Self::Seki)
    }
}

/// The status of every vertex.
#[derive(Clone, Debug)]
pub struct FinalStatus {
    size: usize,
    /// Per vertex in vertex order.
    pub status: Vec<Status>,
    /// Mean ownership per vertex in vertex order: -1 Black's, 1 White's.
    pub owner: Vec<f32>,
    /// Who surrounds the neutral points of a seki, in vertex order: they count by area alone.
    seki_eyes: Vec<Option<Color>>,
    /// Stones each colour has taken in play.
    captured: [u32; 2],
    stones: Vec<Option<Color>>,
}

impl FinalStatus {
    /// The status of a vertex of the board.
    #[must_use]
    pub fn at(&self, v: Vertex) -> Status {
        self.status[v.index(self.size)]
    }

    /// White's points less Black's, komi included.
    #[must_use]
    pub fn white_lead(&self, scoring: Scoring, komi: f32) -> f32 {
        let mut points = [0i32; 2];
        let eyes = self.seki_eyes.iter().filter(|_| scoring == Scoring::Area);
        eyes.flatten().for_each(|color| points[color.index()] += 1);
        for (status, stone) in self.status.iter().zip(&self.stones) {
            match (status, stone) {
                (Status::WhiteTerritory, _) => points[1] += 1,
                (Status::BlackTerritory, _) => points[0] += 1,
                // The point and, where prisoners count, the stone.
                (Status::Dead, Some(color)) => {
                    points[color.other().index()] += if scoring == Scoring::Territory { 2 } else { 1 };
                }
                (Status::Alive | Status::Seki, Some(color)) if scoring == Scoring::Area => {
                    points[color.index()] += 1;
                }
                _ => {}
            }
        }
        if scoring == Scoring::Territory {
            points[0] += self.captured[0] as i32;
            points[1] += self.captured[1] as i32;
        }
        (points[1] - points[0]) as f32 + komi
    }
}

/// The final status with `to_move` to move, by playouts with this seed. [`crate::finished`] uses findings about the
/// dragons too.
#[must_use]
pub fn final_status(board: &Board, to_move: Color, seed: u64, spent: StatusLimits) -> FinalStatus {
    let upright = Upright::of(board, to_move, [Vertex::PASS; 2]);
    let found = on_image(&upright.image, seed, spent, None);
    turned_back(&found, &upright, board)
}

/// The final status of an upright image, Black to move, by playouts with this seed and by the findings about the dragons
/// of the image.
pub(crate) fn on_image(
    image: &Board,
    seed: u64,
    spent: StatusLimits,
    found: Option<&DragonMap>,
) -> FinalStatus {
    // 1.
    let fast = PlayoutBoard::from(image);
    let policy = Policy::default();
    let quick = |color, seed| playout::estimate(&fast, color, &policy, spent.playouts / 2, seed).owner;
    let both = quick(Color::Black, seed).into_iter().zip(quick(Color::White, seed ^ 1));
    let mut owner: Vec<f32> = both.map(|(a, b)| (a + b) / 2.0).collect();
    if !is_clear(image, &owner) {
        // 2.
        let limits = Limits {
            playouts: spent.search,
            policy,
            seed,
            win_share: 0.0,
            warm_up: spent.search / 3,
            ladders: LADDERS,
        };
        let [last, before] = [Vertex::PASS; 2];
        let root = Root { board: &fast, color: Color::Black, last, before, komi: 0.0, owner: None };
        owner = playout::search_moves(root, &|_| true, &[], &limits, &mut || false).owner;
    }
    settle(image, &owner, found)
}

/// The final status of a position from that of its upright image.
pub(crate) fn turned_back(found: &FinalStatus, upright: &Upright, board: &Board) -> FinalStatus {
    let territory =
        |color| if color == Color::Black { Status::BlackTerritory } else { Status::WhiteTerritory };
    let sign = if upright.side(Color::Black) == Color::Black { 1.0 } else { -1.0 };
    let of = |v: Vertex| match found.at(upright.there(v)) {
        Status::BlackTerritory => territory(upright.side(Color::Black)),
        Status::WhiteTerritory => territory(upright.side(Color::White)),
        other => other,
    };
    let size = board.size();
    let eye = |v: Vertex| found.seki_eyes[upright.there(v).index(size)].map(|color| upright.side(color));
    FinalStatus {
        size,
        status: board.vertices().map(of).collect(),
        seki_eyes: board.vertices().map(eye).collect(),
        owner: upright.mean(&found.owner).into_iter().map(|owner| sign * owner).collect(),
        captured: Color::BOTH.map(|c| board.captured(c)),
        stones: board.vertices().map(|v| board.color_at(v)).collect(),
    }
}

/// Whether every string's fate is clear.
fn is_clear(board: &Board, owner: &[f32]) -> bool {
    board.vertices().all(|v| board.is_empty(v) || owner[v.index(board.size())].abs() > 0.9)
}

/// Steps 3 to 5: the status that an ownership (vertex order, -1 Black's to 1 White's) and the dragons make.
#[must_use]
pub fn settle(board: &Board, owner: &[f32], found: Option<&DragonMap>) -> FinalStatus {
    let size = board.size();
    let held = found.map_or(VertexSet::EMPTY, |map| dragons::in_standoff(board, map));
    let dead = dead_stones(board, owner, found, &held);
    let is_dead = |v: Vertex| dead.holds(v);
    let alive = |v: Vertex| board.color_at(v).filter(|_| !is_dead(v));
    let mut status = vec![Status::Dame; size * size];
    for v in board.vertices() {
        if board.color_at(v).is_some() {
            status[v.index(size)] = if is_dead(v) { Status::Dead } else { Status::Alive };
        }
    }
    let seki = seki::stones(board, &is_dead, &|v| lives_by_eyes(found, v), &held);
    seki.iter().for_each(|v| status[v.index(size)] = Status::Seki);
    // 4., 5.
    let mut seki_eyes = vec![None; size * size];
    let mut seen = vec![false; board.padded_len()];
    for start in board.vertices() {
        if seen[start.at()] || alive(start).is_some() {
            continue;
        }
        let (region, borders) = board.bordered_region(start, &mut seen, alive);
        let seki_region =
            region.iter().any(|&v| board.neighbors4(v).any(|n| seki.holds(n) && alive(n).is_some()));
        for &v in &region {
            seki_eyes[v.index(size)] = match borders {
                [true, false] if seki_region && board.is_empty(v) => Some(Color::Black),
                [false, true] if seki_region && board.is_empty(v) => Some(Color::White),
                _ => None,
            };
            let of = match borders {
                _ if seki_region => None,
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => shared_owner(board, v, owner[v.index(size)], &alive),
            };
            if board.is_empty(v) {
                status[v.index(size)] = match of {
                    Some(Color::White) => Status::WhiteTerritory,
                    Some(Color::Black) => Status::BlackTerritory,
                    None => Status::Dame,
                };
            }
        }
    }
    let stones = board.vertices().map(|v| board.color_at(v)).collect();
    FinalStatus {
        size,
        status,
        seki_eyes,
        owner: owner.to_vec(),
        captured: Color::BOTH.map(|c| board.captured(c)),
        stones,
    }
}

/// Whether the dragon at a vertex lives by its eyes, or by room for them.
fn lives_by_eyes(found: Option<&DragonMap>, v: Vertex) -> bool {
    let dragon = found.and_then(|map| map.at(v));
    dragon.is_some_and(|d| {
        d.status == dragons::Status::Alive && matches!(d.rule, Rule::Unconditional | Rule::Eyes | Rule::Room)
    })
}

/// 3. Which vertices hold dead stones.
fn dead_stones(board: &Board, owner: &[f32], found: Option<&DragonMap>, held: &VertexSet) -> VertexSet {
    let size = board.size();
    let mut dead = VertexSet::EMPTY;
    for v in board.strings() {
        let own = if board.color_at(v) == Some(Color::White) { 1.0 } else { -1.0 };
        let sum: f32 = board.stones(v).map(|s| owner[s.index(size)] * own).sum();
        let mean = sum / board.string_size(v) as f32;
        let said = found.and_then(|map| map.at(v)).filter(|dragon| mean.abs() < TORN || dragon.is_firm());
        let is_dead = match said.map(|dragon| dragon.status) {
            _ if lives_by_eyes(found, v) || held.holds(v) => false,
            Some(dragons::Status::Dead) => true,
            Some(dragons::Status::Alive) => false,
            _ => mean < 0.0,
        };
        if is_dead {
            dead.unite(board.stone_bits(v));
        }
    }
    dead
}

/// The owner of a vertex of a region that both colours reach.
fn shared_owner(
    board: &Board,
    v: Vertex,
    owner: f32,
    alive: &impl Fn(Vertex) -> Option<Color>,
) -> Option<Color> {
    let touches = |color| board.neighbors4(v).any(|n| alive(n) == Some(color));
    if touches(Color::Black) && touches(Color::White) {
        return None;
    }
    let of = if owner > 0.0 { Color::White } else { Color::Black };
    (owner.abs() > OWNED).then_some(of)
}
