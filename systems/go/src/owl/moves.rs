//! Candidate moves of a life-and-death search, best first.
//!
//! # Steps
//! Each empty vertex of the arena collects points for its effects in the fight ([`Fight`]) and for the findings of
//! judgement. The best [`width`] moves that are legal and not plainly bad are tried. [`RUNS`] running moves are added,
//! because points for eyes and liberties say little about them.

use super::judge::{Judge, Judgement};
use crate::board::{Board, Color, Vertex};
use crate::local_view::{Arena, Fight, Tally, width};

/// The number of running moves of either side.
///
/// Origin: measured, `experiments/2026-11-22-go-life-and-death.md`, "Walking wrong proofs".
const RUNS: usize = 2;
/// The number of first moves of a line at which running moves are tried, if the nodes suffice.
///
/// Origin: measured, `experiments/2026-11-22-go-life-and-death.md`, "Walking wrong proofs".
const RUN_DEPTH: u32 = 3;
/// The fewest liberties of a running move.
///
/// Origin: measured, `experiments/2026-11-22-go-life-and-death.md`, "Walking wrong proofs".
const RUN_LIBERTIES: usize = 3;
/// The cost of a running move: for each step to the way out, and for each attacker's stone beside it.
///
/// Origin: measured, `experiments/2026-11-22-go-life-and-death.md`, "Walking wrong proofs".
const RUN_COST: [usize; 2] = [2, 3];

/// Points of a move that takes an attacking string, and of one that joins a friend with eyes.
///
/// Origin: ablation, `experiments/2026-11-27-go-rules-without-effect.md`: what can be taken, and joins.
const PROSPECTS: [i32; 2] = [40, 20];
/// Points of a move next to the last one.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `points`.
const BESIDE_LAST: i32 = 3;

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
    let fight = Fight {
        board,
        ground: &arena.ground,
        color: arena.color,
        dragon: &judge.dragon,
        spaces: &judge.spaces,
        safe: [&arena.safe_friend, &arena.safe_foe],
        escape: &arena.escape,
    };
    fight.eyes(&mut tally, attacking);
    fight.strings(&mut tally, attacking, usize::MAX);
    tally.add_all(judge.catches.iter().copied(), PROSPECTS[0]);
    tally.add_all(judge.joins.iter().copied(), PROSPECTS[1]);
    if judgement.escape > 0 || judgement.links > 0 {
        fight.ways_out(&mut tally);
    }
    if let Some((_, last)) = board.last_move().filter(|(_, v)| *v != Vertex::PASS) {
        for n in board.neighbors8(last) {
            if tally.score[n.at()] > 0 {
                tally.add(n, BESIDE_LAST);
            }
        }
    }
    let mut moves =
        tally.best(width(depth), |v| favour.get(v.at()).copied().unwrap_or(0) + fight.quality(to_move, v));
    if depth < RUN_DEPTH && judge.careful {
        let runs = running_moves(board, arena, judge, to_move);
        let more: Vec<Vertex> = runs.into_iter().take(RUNS).filter(|v| !moves.contains(v)).collect();
        moves.extend(more);
    }
    moves
}

/// Diagonal steps, jumps and knight's moves from the defender's stones towards the open side of the arena or a living
/// friend. The target vertex must have room; the shortest way comes first. The attacker blocks there.
pub(super) fn running_moves(board: &Board, arena: &Arena, judge: &Judge, to_move: Color) -> Vec<Vertex> {
    let own = |v: Vertex| board.color_at(v) == Some(arena.color) && !arena.safe_friend[v.at()];
    let mut found: Vec<(usize, Vertex)> = Vec::new();
    for &v in &arena.ground.cells {
        let Some(out) = arena.out.near(v) else { continue };
        if board.is_empty(v)
            && !board.neighbors4(v).any(own)
            && is_step_from(board, v, own)
            && board.liberties_after(to_move, v) >= RUN_LIBERTIES
        {
            let faced = board.neighbors4(v).filter(|n| judge.visible[n.at()]).count();
            found.push((RUN_COST[0] * usize::from(out) + RUN_COST[1] * faced, v));
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
