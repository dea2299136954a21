//! Candidate moves of a race, best first.
//!
//! # Steps
//! Each empty vertex gathers points for what it does: captures and rescues, vital points of eyes, liberties of the
//! other side filled or made fillable, own liberties gained, ways out, cuts and links; shared liberties come last.
//! Of moves that only fill outside liberties, which are all alike, the best few are kept.

use super::race::Race;
use super::view::View;
use crate::board::{Board, Color, Vertex};
use crate::sight::Tally;

/// What speaks against a move that is not to be tried.
const NEVER: i32 = -10_000;

/// How many candidates a node of this depth has.
const fn limit(depth: u32) -> usize {
    match depth {
        0 => 16,
        1..=2 => 9,
        3..=5 => 7,
        6..=11 => 5,
        _ => 4,
    }
}

/// How many of the moves that do nothing but fill.
const fn fill_limit(depth: u32) -> usize {
    if depth == 0 { 4 } else { 2 }
}

/// The candidates of `mover`. `view` is what is known of this very position.
pub(super) fn candidates(board: &Board, race: &Race, view: &View, mover: Color, depth: u32) -> Vec<Vertex> {
    let mut tally = Tally::new(board);
    strings(&mut tally, board, race, view, mover);
    eyes(&mut tally, board, view, mover);
    ways_out(&mut tally, board, race, view, mover);
    links(&mut tally, board, race, view, mover);
    let before = tally.score.clone();
    // Where one side lives for itself liberties no longer matter, only eyes, catches and ways out.
    let settled = view.sides.iter().any(|side| side.alive);
    let fills =
        if settled { Vec::new() } else { liberties(&mut tally, board, race, view, mover, fill_limit(depth)) };
    let worth_trying = |v: Vertex| before[v.at()] > 0 || fills.contains(&v);
    tally.best(limit(depth), |v| if worth_trying(v) { quality(board, view, mover, v) } else { NEVER })
}

/// Captures, rescues, attacks on strings around the dragons.
fn strings(tally: &mut Tally<'_>, board: &Board, race: &Race, view: &View, mover: Color) {
    let [own, foe] = [mover, mover.other()].map(|c| &view.sides[c.index()]);
    for v in race.ground.strings(board, |v| board.liberties(v) <= 3) {
        let liberties = board.liberties(v);
        let size = board.string_size(v).min(6) as i32;
        if board.color_at(v) == Some(mover) {
            let mut near = own.dragon[v.at()];
            board.each_adjacent(v, |s| near |= foe.dragon[s.at()]);
            if !near {
                continue;
            }
            let points = [0, 40, 14, 4][liberties] + if own.dragon[v.at()] { 10 } else { 0 } + size;
            tally.add_all(board.liberty_vertices(v), points);
        } else {
            // A string in atari may be one that took stones out of an eye of its own side.
            let mut near = foe.dragon[v.at()] || liberties == 1;
            board.each_adjacent(v, |s| near |= own.dragon[s.at()]);
            let hopeless = race.safe[v.at()] || foe.dragon[v.at()] && foe.alive;
            if !near || hopeless && liberties > 1 {
                continue;
            }
            let within = view.hidden[v.at()];
            let points = if within { [0, 12, 3, 0] } else { [0, 55, 20, 5] }[liberties] + 2 * size;
            tally.add_all(board.liberty_vertices(v), points);
        }
    }
}

/// Vital points and margins of the eyes of both dragons; the inside of the other's eye when it is time to fill it.
fn eyes(tally: &mut Tally<'_>, board: &Board, view: &View, mover: Color) {
    for color in Color::BOTH {
        let attacking = color != mover;
        let side = &view.sides[color.index()];
        for &i in &side.touching {
            let space = &side.spaces[i];
            tally.add_vital_points(space, attacking, [40, 12, 18]);
            for (&v, _) in space.vertices.iter().zip(&space.marginal).filter(|(_, marginal)| **marginal) {
                tally.add(v, 16);
                for n in board.neighbors4(v) {
                    if !space.holds(n) {
                        tally.add(n, 5);
                    }
                }
            }
            if attacking {
                let living = view.sides[mover.index()].alive;
                let only = living || side.outside.is_empty() && view.shared.len() <= 1;
                let links =
                    |v| board.neighbors4(v).filter(|&n| space.proper().any(|u| u == n)).count() as i32;
                let mut inner: Vec<(i32, Vertex)> =
                    space.proper().filter(|&v| board.is_empty(v)).map(|v| (links(v), v)).collect();
                inner.sort_unstable_by_key(|&(points, v)| (-points, v));
                for &(points, v) in inner.iter().take(3) {
                    tally.add(v, 4 + 3 * points + if only { 24 } else { 0 });
                }
            }
        }
    }
}

/// Liberties of the other side filled or approached, own liberties gained, shared ones. Returns the fills worth trying.
fn liberties(
    tally: &mut Tally<'_>,
    board: &Board,
    race: &Race,
    view: &View,
    mover: Color,
    most: usize,
) -> Vec<Vertex> {
    let foe = mover.other();
    let mut fills: Vec<(i32, Vertex)> = Vec::new();
    let mut fill = |tally: &mut Tally<'_>, v: Vertex, points: i32| {
        tally.add(v, points);
        fills.push((-tally.score[v.at()], v));
    };
    let mut keep = Vec::new();
    for &l in &view.sides[foe.index()].outside {
        let after = board.liberties_after(mover, l);
        if after >= 2 {
            fill(tally, l, 26 + after.min(4) as i32);
        } else {
            for n in board.neighbors4(l).filter(|&n| board.is_empty(n)) {
                tally.add(n, 18);
                keep.push(n);
            }
            if race.ground.inside[l.at()] {
                fill(tally, l, 8);
            }
        }
    }
    for &l in &view.shared {
        let points = if view.sides[foe.index()].outside.is_empty() { 22 } else { 9 };
        fill(tally, l, points);
    }
    fills.sort_unstable();
    let mut best: Vec<Vertex> = fills.into_iter().take(most).map(|(_, v)| v).collect();
    best.append(&mut keep);
    let mut gains: Vec<(usize, Vertex)> = Vec::new();
    for &l in view.sides[mover.index()].outside.iter().chain(&view.shared) {
        let now: usize =
            board.strings_next_to(l, mover).map(|n| board.liberties(n)).max().unwrap_or_default();
        let gain = board.liberties_after(mover, l).saturating_sub(now);
        if gain > 0 {
            gains.push((gain, l));
        }
    }
    gains.sort_unstable_by_key(|&(gain, v)| (std::cmp::Reverse(gain), v));
    for &(gain, l) in gains.iter().take(3) {
        tally.add(l, 10 + 6 * gain as i32);
        best.push(l);
    }
    best
}

/// The way out of either dragon: its open liberties and the next step.
fn ways_out(tally: &mut Tally<'_>, board: &Board, race: &Race, view: &View, mover: Color) {
    for color in Color::BOTH {
        let side = &view.sides[color.index()];
        if side.escape == 0 || side.alive {
            continue;
        }
        let values = &race.escape[color.index()];
        let share = if color == mover { 8 } else { 7 };
        for &l in side.outside.iter().chain(&view.shared) {
            tally.add(l, share);
            for n in board.neighbors8(l) {
                if board.is_empty(n)
                    && race.ground.inside[n.at()]
                    && !board.neighbors4(n).any(|m| side.dragon[m.at()])
                {
                    tally.add(n, share - 2 + i32::from(values[n.at()]));
                }
            }
        }
    }
}

/// Vertices next to two strings that a stone would join or cut.
fn links(tally: &mut Tally<'_>, board: &Board, race: &Race, view: &View, mover: Color) {
    for &v in race.ground.cells.iter().filter(|&&v| board.is_empty(v)) {
        for color in Color::BOTH {
            let dragon = &view.sides[color.index()].dragon;
            let near: Vec<Vertex> = board.strings_next_to(v, color).collect();
            if near.len() >= 2 && near.iter().any(|n| dragon[n.at()]) {
                let out = near.iter().any(|n| !dragon[n.at()]);
                tally.add(v, if out { 16 } else { 8 } + i32::from(color == mover));
            }
        }
    }
}

/// What speaks against a move: suicide, self-atari, filling one's own eye. Illegal moves get a sum below zero.
fn quality(board: &Board, view: &View, mover: Color, v: Vertex) -> i32 {
    if board.is_suicide(mover, v) {
        return NEVER;
    }
    let foe = mover.other();
    let captures = board.strings_next_to(v, foe).any(|n| board.liberties(n) == 1);
    if captures {
        return 0;
    }
    let own = &view.sides[mover.index()];
    if own.touching.iter().any(|&i| own.spaces[i].is_eye_at(v)) {
        return NEVER;
    }
    if board.liberties_after(mover, v) == 1 {
        let stones: usize = 1 + board.strings_next_to(v, mover).map(|n| board.string_size(n)).sum::<usize>();
        let theirs = &view.sides[foe.index()];
        let filling = theirs.spaces.iter().any(|s| s.holds(v));
        return if filling { -2 * stones.min(8) as i32 } else { -10 - 5 * stones.min(8) as i32 };
    }
    0
}
