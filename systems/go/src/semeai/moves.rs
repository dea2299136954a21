//! Candidate moves of a race, best first.
//!
//! # Steps
//! Each empty vertex collects points for its effects in the fight about either dragon
//! ([`Fight`](crate::local_view::Fight)). It also collects points for liberties of the other side that it fills or
//! makes fillable, and for own liberties gained; shared liberties come last. Moves that only fill outside liberties are
//! equivalent, so only the best few of them are kept.

use super::race::Race;
use super::view::View;
use crate::board::{Board, Color, Vertex};
use crate::local_view::{NEVER, Tally, width};

/// The number of kept moves that only fill.
const fn fill_limit(depth: u32) -> usize {
    if depth == 0 { 4 } else { 2 }
}

/// Strings with at most this many liberties are in danger.
const DANGER: usize = 3;

/// The candidates of `mover`. `view` holds the findings about this very position.
pub(super) fn candidates(board: &Board, race: &Race, view: &View, mover: Color, depth: u32) -> Vec<Vertex> {
    let mut tally = Tally::new(board);
    let [own, foe] = [mover, mover.other()].map(|color| view.fight(board, race, color));
    for fight in [&own, &foe] {
        let (side, attacking) = (&view.sides[fight.color.index()], fight.color != mover);
        fight.strings(&mut tally, attacking, DANGER);
        fight.eyes(&mut tally, attacking);
        if side.escape > 0 && !side.alive {
            fight.ways_out(&mut tally);
        }
    }
    let before = tally.score.clone();
    // Where one side lives for itself liberties no longer matter, only eyes, catches and ways out.
    let settled = view.sides.iter().any(|side| side.alive);
    let fills =
        if settled { Vec::new() } else { liberties(&mut tally, board, race, view, mover, fill_limit(depth)) };
    let worth_trying = |v: Vertex| before[v.at()] > 0 || fills.contains(&v);
    tally.best(width(depth), |v| {
        let fight = if foe.spaces.iter().any(|space| space.holds(v)) { &foe } else { &own };
        if worth_trying(v) { fight.quality(mover, v) } else { NEVER }
    })
}

/// Liberties of the other side filled or approached, shared ones, and own ones gained. Returns the moves worth trying.
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
    let gains = gains(board, view, mover);
    gains.iter().for_each(|&(gain, v)| tally.add(v, 10 + 6 * gain as i32));
    let fills = fills.into_iter().take(most).map(|(_, v)| v);
    fills.chain(keep).chain(gains.into_iter().map(|(_, v)| v)).collect()
}

/// At most three vertices where the mover's strings gain most liberties, with these numbers. The count assumes such
/// gains ([`View`], step 4), so the search must try them.
fn gains(board: &Board, view: &View, mover: Color) -> Vec<(usize, Vertex)> {
    let gain = |l: Vertex| {
        let now = board.strings_next_to(l, mover).map(|n| board.liberties(n)).max().unwrap_or_default();
        board.liberties_after(mover, l).saturating_sub(now)
    };
    let around = view.sides[mover.index()].outside.iter().chain(&view.shared);
    let mut gains: Vec<_> = around.map(|&l| (gain(l), l)).filter(|&(gain, _)| gain > 0).collect();
    gains.sort_unstable_by_key(|&(gain, v)| (std::cmp::Reverse(gain), v));
    gains.truncate(3);
    gains
}
