//! Finds the dragons that a move gives room, and those that it takes room from.
//!
//! # Source
//! GNU Go 3.8 manual, "Strategical value": the change in the safety of dragons. The safety by room is that of
//! [`of_room`], measured against GNU Go 3.8's answers.
//!
//! # Steps
//! 1. A dragon is *near* if one of its stones is at most [`NEAR`] steps from the move.
//! 2. The change of its territory is the change at the vertices at most [`BESIDE`] steps from its stones.
//! 3. Its way out is found again with the new stone on the board. An own stone at most [`LINKED`] steps away counts as
//!    a part of the dragon.
//! 4. A move strengthens an own dragon if its territory or its way out grows by the least change that counts. Both
//!    changes together must not make the dragon weaker. A move weakens an enemy dragon by the same rule. A move names
//!    the two dragons whose room changes most.
//!
//! # Departures
//! The manual's program has patterns for such moves. Here the change itself is the reason, so the reason has figures.
//!
//! # Cost
//! A walk over the board for each near dragon of a safe move.

use super::facts::Facts;
use super::reason::{Candidate, Reason, Room, Target};
use crate::board::{Color, Vertex, VertexSet};
use crate::dragons::escapes::{escape_values, friend_value};
use crate::dragons::weakness::{eyes, of_room};
use crate::dragons::{Dragon, Safety, Status};
use crate::escape;

/// The most steps from a dragon to a move that concerns it.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`, "What else was tried", together with other changes.
const NEAR: usize = 4;
/// The most steps from a dragon to territory beside it.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`, "What else was tried", together with other changes.
const BESIDE: usize = 3;
/// The most steps from a dragon to a stone that counts as linked with it.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`, "What else was tried", together with other changes.
const LINKED: usize = 2;
/// The least change of territory that counts, in points.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`.
const LEAST_TERRITORY: f32 = 1.5;
/// The least change of a way out that counts.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`.
const LEAST_WAY_OUT: u32 = 6;
/// The most dragons that a move names: those whose room changes most.
///
/// Origin: measured, `experiments/2026-11-30-go-strategic-reasons.md`, "What else was tried", together with other changes.
const MOST: usize = 2;

/// A dragon, and the vertices up to each distance that counts.
struct Surroundings {
    number: usize,
    near: VertexSet,
    beside: VertexSet,
    linked: VertexSet,
}

/// What is the same for all moves of a position.
pub(super) struct Rooms {
    dragons: Vec<Surroundings>,
    escape: [Vec<u8>; 2],
}

impl Rooms {
    /// Of all dragons that are neither dead nor inessential.
    pub(super) fn new(facts: &Facts<'_>) -> Self {
        let board = facts.board;
        let stride = board.size() as i32 + 1;
        let grown = |dragon: &Dragon, steps: usize| {
            let stones: VertexSet = dragon.stones.iter().copied().collect();
            (0..steps).fold(stones, |set, _| set | set.around(stride))
        };
        let counts = |(_, d): &(usize, &Dragon)| {
            d.status != Status::Dead && !matches!(d.safety, Safety::Inessential | Safety::Invincible)
        };
        let dragons = facts.dragons.dragons.iter().enumerate().filter(counts);
        let dragons = dragons.map(|(number, dragon)| Surroundings {
            number,
            near: grown(dragon, NEAR),
            beside: grown(dragon, BESIDE),
            linked: grown(dragon, LINKED),
        });
        let escape = Color::BOTH.map(|color| escape_values(board, &facts.first.escape, color));
        Self { dragons: dragons.collect(), escape }
    }

    /// Adds a reason for each dragon that a safe move strengthens or weakens. `changes` are the changes of territory
    /// after it, for the mover.
    pub(super) fn add_reasons(
        &self,
        facts: &Facts<'_>,
        candidate: &mut Candidate,
        changes: &[(Vertex, f32)],
    ) {
        let at = candidate.vertex;
        let near: Vec<&Surroundings> = self.dragons.iter().filter(|d| d.near.holds(at)).collect();
        if near.is_empty() {
            return;
        }
        let mut after = facts.board.without_history();
        if after.play_ignoring_ko(facts.color, at).is_err() {
            return;
        }
        let mut changed: Vec<(f32, Reason)> = Vec::new();
        for found in near {
            let dragon = &facts.dragons.dragons[found.number];
            let is_own = dragon.color == facts.color;
            let sign = if is_own { 1.0 } else { -1.0 };
            let beside = changes.iter().filter(|(v, _)| found.beside.holds(*v) && facts.board.is_empty(*v));
            let change = sign * beside.map(|(_, change)| change).sum::<f32>();
            let mut mask = after.marks(dragon.stones.iter().copied());
            mask[at.at()] = is_own && found.linked.holds(at);
            let values = &self.escape[dragon.color.index()];
            let (unhindered, _) = escape::way_out(
                &after,
                &mask,
                dragon.color,
                |v| values[v.at()],
                |v| facts.dragons.at(v).map_or(0, friend_value),
                |v| facts.dragons.at(v).is_none_or(|d| d.status != Status::Dead),
            );
            let before = dragon.moyo_territorial_value;
            let room = Room {
                territory: [before, (before + change).max(0.0)],
                way_out: [dragon.escape_route, dragon.surround.status.limit_escape(unhindered)],
            };
            if counts(&room, dragon, is_own) {
                let target = Target::of(dragon);
                let reason = if is_own { Reason::Strengthens } else { Reason::Weakens };
                changed.push((size_of_change(&room), reason(target, room)));
            }
        }
        changed.sort_by(|a, b| b.0.total_cmp(&a.0));
        candidate.reasons.extend(changed.into_iter().take(MOST).map(|(_, reason)| reason));
    }
}

/// Step 4.
fn counts(room: &Room, dragon: &Dragon, is_own: bool) -> bool {
    let sign = if is_own { 1.0 } else { -1.0 };
    let [territory, then] = room.territory;
    let [way_out, way_out_then] = room.way_out;
    let by_territory = sign * (then - territory) >= LEAST_TERRITORY;
    let by_way_out = if is_own {
        way_out_then >= way_out + LEAST_WAY_OUT
    } else {
        way_out_then + LEAST_WAY_OUT <= way_out
    };
    (by_territory || by_way_out) && sign * gain(room, dragon) >= 0.0
}

/// How much the room changes: in points of territory, and a point of the way out as a part of one by the least changes.
fn size_of_change(room: &Room) -> f32 {
    let [territory, then] = room.territory;
    let way_out = room.way_out[0].abs_diff(room.way_out[1]) as f32;
    (then - territory).abs() / LEAST_TERRITORY + way_out / LEAST_WAY_OUT as f32
}

/// The loss of weakness by the change of room, with the same eyes.
pub(super) fn gain(room: &Room, dragon: &Dragon) -> f32 {
    let eyes = eyes(dragon);
    let of = |at: usize| of_room(room.territory[at], room.way_out[at], eyes);
    of(0) - of(1)
}
