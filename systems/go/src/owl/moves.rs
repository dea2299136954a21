//! Candidate moves of a life-and-death search, best first.
//!
//! # Steps
//! Each empty vertex of the arena gathers points for what it does: vital points of eye spaces and half eyes, margins
//! and what lies before them, liberties of strings in danger on either side, cutting points, the way out. The
//! best [`limit`] that are legal and not plainly bad are tried, and [`RUNS`] ways to run, which say little about eyes and
//! liberties.

use super::judge::{Judge, Judgement};
use crate::board::{Board, Color, Vertex};
use crate::sight::{Arena, Tally, liberties_after};

/// How many candidates a node of this depth has.
const fn limit(depth: u32) -> usize {
    match depth {
        0 => 14,
        1..=2 => 8,
        3..=5 => 6,
        6..=9 => 4,
        _ => 3,
    }
}

/// How many running moves are tried, of either side, and at the first how many moves of a line, where there are nodes for it.
const RUNS: usize = 2;
const RUN_DEPTH: u32 = 3;

/// A running move ends at most so many steps from the way out.
const RUN_TO: u8 = 4;

/// The candidates for the side to move. Uses what `judge` found for this very position; `favour` adds points per padded
/// cell for what decided elsewhere in the tree.
pub(super) fn candidates(
    board: &Board,
    arena: &Arena,
    judge: &Judge,
    judgement: &Judgement,
    to_move: Color,
    depth: u32,
    favour: &[i32],
) -> Vec<Vertex> {
    let mut tally = Tally::new(board);
    let attacking = to_move != arena.color;
    eye_points(&mut tally, board, arena, judge, attacking);
    string_points(&mut tally, board, arena, judge, attacking);
    tally.add_all(judge.catches.iter().copied(), 40);
    tally.add_all(judge.joins.iter().copied(), 20);
    if judgement.escape > 0 || judgement.links > 0 {
        escape_points(&mut tally, board, arena, judge);
    }
    if let Some((_, last)) = board.last_move().filter(|(_, v)| *v != Vertex::PASS) {
        for n in board.neighbors8(last) {
            if tally.score[n.at()] > 0 {
                tally.add(n, 3);
            }
        }
    }
    let mut moves = tally.best(limit(depth), |v| {
        favour.get(v.at()).copied().unwrap_or(0) + quality(board, arena, judge, to_move, v)
    });
    if depth < RUN_DEPTH && judge.careful {
        let runs = running_moves(board, arena, judge, to_move);
        let more: Vec<Vertex> = runs.into_iter().take(RUNS).filter(|v| !moves.contains(v)).collect();
        moves.extend(more);
    }
    moves
}

/// A diagonal step, a jump or a knight's move from the defender's stones towards where the arena is open or a friend lives,
/// to a vertex with room of its own; the shortest way first. The attacker blocks there.
pub(super) fn running_moves(board: &Board, arena: &Arena, judge: &Judge, to_move: Color) -> Vec<Vertex> {
    let own = |v: Vertex| board.color_at(v) == Some(arena.color) && !arena.safe_friend[v.at()];
    let mut found: Vec<(usize, Vertex)> = Vec::new();
    for &v in &arena.ground.cells {
        let out = arena.out[v.at()];
        if out <= RUN_TO
            && board.is_empty(v)
            && !board.neighbors4(v).any(own)
            && is_step_from(board, v, own)
            && liberties_after(board, to_move, v, 3) >= 3
        {
            let faced = board.neighbors4(v).filter(|n| judge.visible[n.at()]).count();
            found.push((2 * usize::from(out) + 3 * faced, v));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, v)| v).collect()
}

/// Whether one of these stones stands a diagonal step, a jump or a knight's move away, with nothing between.
fn is_step_from(board: &Board, v: Vertex, stone: impl Fn(Vertex) -> bool) -> bool {
    let size = board.size();
    let (row, col) = (v.row(size) as isize, v.col(size) as isize);
    let at = |down: isize, right: isize| {
        let (row, col) = (usize::try_from(row + down).ok()?, usize::try_from(col + right).ok()?);
        (row < size && col < size).then(|| Vertex::new(row, col, size))
    };
    let empty = |down, right| at(down, right).is_some_and(|u| board.is_empty(u));
    let stands = |down, right| at(down, right).is_some_and(&stone);
    let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().any(|(down, right)| {
        stands(down, right) && (empty(down, 0) || empty(0, right))
            || stands(2 * down, right) && empty(down, 0) && empty(down, right)
            || stands(down, 2 * right) && empty(0, right) && empty(down, right)
    });
    diagonal
        || [(1, 0), (-1, 0), (0, 1), (0, -1)]
            .into_iter()
            .any(|(down, right)| stands(2 * down, 2 * right) && empty(down, right))
}

/// Eye spaces: vital points, half eyes, margins.
fn eye_points(tally: &mut Tally<'_>, board: &Board, arena: &Arena, judge: &Judge, attacking: bool) {
    for space in &judge.spaces {
        if !space.touches(board, |n| judge.dragon[n.at()]) {
            continue;
        }
        tally.add_vital_points(space, attacking, [40, 15, 20]);
        let size = space.vertices.len();
        for (&v, &marginal) in space.vertices.iter().zip(&space.marginal) {
            if marginal {
                // Before a space that can hold no eye there is little to gain.
                let (at, beyond) = if space.value.d == 0 { (8, 3) } else { (24, 10) };
                tally.add(v, at);
                for n in board.neighbors4(v) {
                    if arena.ground.inside[n.at()] && !space.holds(n) {
                        tally.add(n, beyond);
                    }
                }
            } else if size <= 9 && space.value.d > 0 {
                let links = board.neighbors4(v).filter(|&n| space.holds(n)).count();
                tally.add(v, 6 + 4 * links as i32);
            } else {
                tally.add(v, 3);
            }
        }
    }
}

/// Strings of both sides: liberties in danger, cutting points.
fn string_points(tally: &mut Tally<'_>, board: &Board, arena: &Arena, judge: &Judge, attacking: bool) {
    for v in arena.ground.strings(board, |_| true) {
        let liberties = board.liberties(v);
        let own = board.color_at(v) == Some(arena.color);
        if own && judge.dragon[v.at()] {
            tally.add_all(board.liberty_vertices(v), [0, 45, 22, 8, 4, 2][liberties.min(5)]);
        } else if own && !arena.safe_friend[v.at()] {
            tally.add_all(board.liberty_vertices(v), 3);
        } else if !own && !arena.safe_foe[v.at()] {
            let mut touching = false;
            board.each_adjacent(v, |s| touching |= judge.dragon[s.at()]);
            if !touching {
                continue;
            }
            let points = match liberties {
                1 => 50,
                2 => 24,
                3 => 11,
                4 => 5,
                _ => 2,
            };
            for l in board.liberty_vertices(v) {
                tally.add(l, points + 2 * board.string_size(v).min(5) as i32);
                // Saving or catching a string may also mean the vertex beyond the liberty.
                if liberties <= 2 && attacking {
                    tally.add_all(board.neighbors4(l), 3);
                }
            }
            if attacking && liberties <= 2 {
                board.each_adjacent(v, |s| {
                    if board.liberties(s) == 1 {
                        tally.add_all(board.liberty_vertices(s), 35);
                    }
                });
            }
        }
    }
    for &v in &arena.ground.cells {
        if board.is_empty(v) {
            let strings = board.strings_next_to(v, arena.color).filter(|n| judge.dragon[n.at()]).count();
            if strings >= 2 {
                tally.add(v, 12);
            }
        }
    }
}

/// The way out: liberties of the dragon away from the attacker, and the next step.
fn escape_points(tally: &mut Tally<'_>, board: &Board, arena: &Arena, judge: &Judge) {
    for &v in &arena.ground.cells {
        if !board.is_empty(v) || !board.neighbors4(v).any(|n| judge.dragon[n.at()]) {
            continue;
        }
        tally.add(v, 8);
        if board.neighbors4(v).any(|n| arena.safe_friend[n.at()]) {
            tally.add(v, 30);
        }
        for n in board.neighbors8(v) {
            if board.is_empty(n)
                && arena.ground.inside[n.at()]
                && !board.neighbors4(n).any(|m| judge.dragon[m.at()])
            {
                tally.add(n, 6 + i32::from(arena.escape[n.at()]));
            }
        }
    }
}

/// What speaks against a move: self-atari, filling one's own eye. Illegal moves get a sum below zero.
fn quality(board: &Board, arena: &Arena, judge: &Judge, to_move: Color, v: Vertex) -> i32 {
    let captures =
        board.neighbors4(v).any(|n| board.color_at(n) == Some(to_move.other()) && board.liberties(n) == 1);
    if board.is_suicide(to_move, v) {
        return -10_000;
    }
    let liberties = liberties_after(board, to_move, v, 3);
    let mut points = 0;
    if liberties == 1 && !captures {
        let stones: usize =
            1 + board.strings_next_to(v, to_move).map(|n| board.string_size(n)).sum::<usize>();
        points -= if to_move == arena.color { 25 } else { 6 + 4 * stones.min(8) as i32 };
    }
    if to_move == arena.color && !captures && judge.spaces.iter().any(|s| s.is_eye_at(v)) {
        return -10_000;
    }
    points
}
