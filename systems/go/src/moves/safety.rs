//! Moves for the safety of weak dragons and for the end of the game: ways out, eyes, neutral points, dead stones.
//!
//! # Source
//! GNU Go 3.8 manual, "Move generation": "Making eyes", "Strategical attack", "Endgame"; "Escape" for the way out.
//!
//! # Steps
//! 1. For a dragon in doubt with a way out, the first steps that reach the most open space. Its owner runs there, and
//!    the other side blocks there.
//! 2. For a dragon with a half eye, the vital point of the eye.
//! 3. For a region that touches living stones of both colours, the neutral vertices next to such stones. Influence
//!    gives them to nobody with either side moving first, and both sides fill them in the end.
//! 4. For dead enemy stones, the move that takes them off the board.

use super::facts::Facts;
use super::reason::{Reason, Reasons, Target};
use super::room;
use crate::board::{Board, Color, Vertex};
use crate::dragons::escapes::escape_values;
use crate::dragons::weakness::{eyes, of_room};
use crate::dragons::{Dragon, Status};
use crate::escape;

/// A dragon this weak wants to be safer.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `runs`.
const WEAK: f32 = 0.35;
/// An escape route above this needs no move.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `runs`.
const FREE: u32 = 16;
/// The number of ways out that are named for a dragon.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `runs`.
const WAYS: usize = 3;
/// A territory value below this is nobody's.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `neutral`.
const NEUTRAL: f32 = 0.3;
/// The change of an escape route by a move in the open.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `runs`.
const STEP: u32 = 8;
/// The change of a dragon's eyes by a move at the vital point of a half eye.
///
/// Origin: definition, half an eye.
const EYE: f32 = 0.5;
/// The most stones a change of safety is counted for.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `safety`.
pub(super) const MOST_SIZE: f32 = 20.0;
/// The most steps from a dragon to a move that runs.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `runs`.
const FIRST_STEPS: u8 = 2;
/// The value of filling a neutral point, and more for each stone beside it.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `neutral`.
const NEUTRAL_POINT: [f32; 2] = [0.1, 0.05];
/// The most moves that take a dead string off.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `neutral`.
const MOST_CLEAN_UPS: usize = 2;

/// All steps.
pub(super) fn generate(facts: &Facts<'_>, reasons: &mut Reasons) {
    let mut values: [Option<Vec<u8>>; 2] = [None, None];
    for dragon in &facts.dragons.dragons {
        if dragon.status != Status::Dead && dragon.weakness >= WEAK {
            let values = values[dragon.color.index()]
                .get_or_insert_with(|| escape_values(facts.board, facts.influence(), dragon.color));
            ways_out(facts, dragon, values, reasons);
        }
        if dragon.status != Status::Dead
            && let Some(vital) = dragon.heye.filter(|_| dragon.weakness > 0.0)
        {
            reasons.add(vital, Reason::Eye(Target::of(dragon)));
        }
    }
    neutral_points(facts, reasons);
    dead_stones(facts, reasons);
}

/// Step 1.
fn ways_out(facts: &Facts<'_>, dragon: &Dragon, values: &[u8], reasons: &mut Reasons) {
    if !(1..=FREE).contains(&dragon.escape_route) {
        return;
    }
    let board = facts.board;
    let mask = board.marks(dragon.stones.iter().copied());
    let hostile = |v: Vertex| facts.dragons.at(v).is_none_or(|d| d.status != Status::Dead);
    let step = escape::steps(board, &mask, dragon.color, hostile);
    let reach = |v: Vertex| -> u32 {
        let near = board.neighbors8(v).filter(|n| step[n.at()] > step[v.at()]);
        u32::from(values[v.at()]) + near.map(|n| 1 + u32::from(values[n.at()])).sum::<u32>()
    };
    let mut ways: Vec<(u32, Vertex)> = board
        .vertices()
        .filter(|&v| (1..=FIRST_STEPS).contains(&step[v.at()]))
        .map(|v| (reach(v), v))
        .collect();
    ways.sort_unstable_by_key(|&(reach, v)| (std::cmp::Reverse(reach), v));
    for &(_, v) in ways.iter().take(WAYS) {
        let own = dragon.color == facts.color;
        let to = Target::of(dragon);
        reasons.add(v, if own { Reason::Escape(to) } else { Reason::StrategicAttack(to) });
    }
}

/// The value of a move for the safety of the dragon at `v`: the change of its weakness times its size.
pub(super) fn worth(facts: &Facts<'_>, reason: &Reason) -> f32 {
    if let Reason::Strengthens(t, room) | Reason::Weakens(t, room) = reason {
        let Some(dragon) = facts.dragons.at(t.at) else { return 0.0 };
        return room::gain(room, dragon).abs() * dragon.effective_size.min(MOST_SIZE);
    }
    let (v, by_eye) = match reason {
        Reason::Eye(t) => (t.at, true),
        Reason::Escape(t) | Reason::StrategicAttack(t) => (t.at, false),
        _ => return 0.0,
    };
    let Some(dragon) = facts.dragons.at(v) else { return 0.0 };
    let own = dragon.color == facts.color;
    let (route, eyes, moyo) = (dragon.escape_route, eyes(dragon), dragon.moyo_territorial_value);
    let now = of_room(moyo, route, eyes);
    let then = match (by_eye, own) {
        (true, true) => of_room(moyo, route, eyes + EYE),
        (true, false) => of_room(moyo, route, (eyes - EYE).max(0.0)),
        (false, true) => of_room(moyo, route + STEP, eyes),
        (false, false) => of_room(moyo, route.saturating_sub(STEP), eyes),
    };
    (then - now).abs() * dragon.effective_size.min(MOST_SIZE)
}

/// Step 3.
fn neutral_points(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    let living = |v: Vertex, color: Color| {
        board.color_at(v) == Some(color) && facts.dragons.at(v).is_none_or(|d| d.status != Status::Dead)
    };
    let mut seen = vec![false; board.padded_len()];
    for start in board.vertices().filter(|&v| board.is_empty(v)) {
        if seen[start.at()] {
            continue;
        }
        let mut touched = [false; 2];
        let region = board.region(start, &mut seen, |n| {
            Color::BOTH.into_iter().for_each(|color| touched[color.index()] |= living(n, color));
            board.is_empty(n)
        });
        if touched != [true, true] {
            continue;
        }
        for &v in region.iter().filter(|&&v| is_nobodys(facts, v)) {
            let contact = board.neighbors4(v).any(|n| Color::BOTH.iter().any(|&c| living(n, c)));
            if contact && board.liberties_after(facts.color, v) >= 2 {
                reasons.add(v, Reason::FillLiberty);
            }
        }
    }
}

/// Whether influence gives a vertex to nobody, with either side moving first.
fn is_nobodys(facts: &Facts<'_>, v: Vertex) -> bool {
    facts.second.maps.iter().all(|map| map.territory[v.at()].abs() < NEUTRAL)
}

/// The value of filling a neutral point. It grows with the number of stones of both colours next to the point.
pub(super) fn of_neutral_point(board: &Board, v: Vertex) -> f32 {
    let stones = board.neighbors4(v).filter(|&n| !board.is_empty(n)).count();
    NEUTRAL_POINT[0] + NEUTRAL_POINT[1] * stones as f32
}

/// Step 4.
fn dead_stones(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    for dragon in facts.dragons.dragons.iter().filter(|d| d.status == Status::Dead && d.color != facts.color)
    {
        for &string in &dragon.strings {
            let fills =
                |l: &Vertex| board.liberties(string) == 1 || board.liberties_after(facts.color, *l) >= 2;
            for l in board.liberty_vertices(string).filter(fills).take(MOST_CLEAN_UPS) {
                reasons.add(l, Reason::CleanUp(Target::new(string, board.string_size(string))));
            }
        }
    }
}
