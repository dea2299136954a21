//! The moves of the opening: empty corners, enclosures, approaches, answers and extensions, and the first moves on
//! small boards.
//!
//! # Source
//! Common opening theory (Ishigure, "In the Beginning", 1973): corners before sides before the centre.
//!
//! # Notation
//! A corner is treated as if it lay at the top left: `at(row, col)` counts lines from 1. Diagrams that are not
//! symmetric are also tried mirrored (`flip`).

use super::facts::Facts;
use super::reason::{Reason, Reasons};
use super::steps::{line, within};
use crate::board::{Board, Color, Vertex};

/// The least values of opening moves, and where they are looked for.
struct Opening {
    /// The smallest board with corner moves and extensions.
    least_size: usize,
    /// The first move on a smaller board.
    centre: f32,
    /// The most stones for each line of the board while corner moves, and while extensions are looked for.
    corner_stones: usize,
    side_stones: usize,
    /// The lines of a corner.
    corner: usize,
    /// A move in an empty corner, and more for each of [`EMPTY`].
    empty: f32,
    empty_more: [f32; 2],
    /// An enclosure of a stone on the star point, and of another stone.
    enclose: [f32; 2],
    /// An approach to a stone on the star point, and to another stone.
    approach: [f32; 2],
    /// The first answer to an approach.
    answer: f32,
    /// Each further move of a list is worth this much less than the one before.
    step: f32,
    /// An extension in the corner, and more in the middle of a side.
    extension: f32,
    extension_middle: f32,
    /// The steps within which an extension has no stone, and more for stones of each colour within these.
    clear: usize,
    near: usize,
    near_more: f32,
    /// Less for each stone within these steps.
    room: usize,
    room_less: f32,
}

/// The values in use.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `opening`.
const OPENING: Opening = Opening {
    least_size: 13,
    centre: 40.0,
    corner_stones: 5,
    side_stones: 4,
    corner: 7,
    empty: 55.0,
    empty_more: [1.0, 0.5],
    enclose: [26.0, 38.0],
    approach: [30.0, 38.0],
    answer: 34.0,
    step: 2.0,
    extension: 14.0,
    extension_middle: 4.0,
    clear: 3,
    near: 7,
    near_more: 2.0,
    room: 6,
    room_less: 0.5,
};

/// Opening moves with reasons.
pub(super) fn generate(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    let stones = board.vertices().filter(|&v| board.color_at(v).is_some()).count();
    let size = board.size();
    if size < OPENING.least_size {
        if stones == 0 {
            let middle = size / 2;
            reasons.add(Vertex::new(middle, middle, size), Reason::Opening("the centre", OPENING.centre));
        }
        return;
    }
    if stones > size * OPENING.corner_stones {
        return;
    }
    for corner in 0..4 {
        for flip in [false, true] {
            corner_moves(facts, &Corner { board, corner, flip }, reasons);
        }
    }
    if stones < size * OPENING.side_stones {
        sides(facts, reasons);
    }
}

/// A corner with one stone in it and what to do about it: the stone's place; moves of its owner; moves of the other.
struct Lone {
    stone: (usize, usize),
    enclose: &'static [(usize, usize)],
    approach: &'static [(usize, usize)],
}

/// The first moves in an empty corner.
///
/// Origin: source, common opening theory of the module's head.
const EMPTY: [(usize, usize); 2] = [(4, 4), (3, 4)];

/// The star point.
///
/// Origin: definition, the point on the fourth lines.
const STAR: (usize, usize) = (4, 4);

/// Lone stones, best move first.
///
/// Origin: source, common opening theory of the module's head.
const LONE: &[Lone] = &[
    Lone { stone: (4, 4), enclose: &[(3, 6), (4, 6)], approach: &[(3, 6)] },
    Lone { stone: (3, 4), enclose: &[(5, 3), (5, 4)], approach: &[(5, 3), (5, 4), (6, 3)] },
    Lone { stone: (3, 5), enclose: &[(4, 3)], approach: &[(4, 3), (3, 3)] },
    Lone { stone: (4, 5), enclose: &[(3, 3)], approach: &[(3, 3), (3, 4)] },
    Lone { stone: (3, 3), enclose: &[(4, 6), (3, 6)], approach: &[(4, 4)] },
];

/// Answers to an approach: our stone, theirs, our moves.
struct Answer {
    ours: (usize, usize),
    theirs: (usize, usize),
    answers: &'static [(usize, usize)],
}

/// Answers, best first.
///
/// Origin: source, common opening theory of the module's head.
const ANSWERS: &[Answer] = &[
    Answer { ours: (4, 4), theirs: (3, 6), answers: &[(6, 3), (6, 4)] },
    Answer { ours: (4, 4), theirs: (3, 3), answers: &[(3, 4), (4, 3)] },
    Answer { ours: (4, 4), theirs: (4, 6), answers: &[(6, 3), (6, 4)] },
    Answer { ours: (3, 4), theirs: (5, 3), answers: &[(5, 2), (5, 5), (6, 2)] },
    Answer { ours: (3, 4), theirs: (5, 4), answers: &[(5, 3), (4, 6)] },
    Answer { ours: (3, 4), theirs: (6, 3), answers: &[(5, 5), (4, 6)] },
    Answer { ours: (3, 3), theirs: (4, 4), answers: &[(3, 4), (4, 3)] },
    Answer { ours: (5, 3), theirs: (3, 4), answers: &[(4, 3), (5, 5), (3, 7)] },
];

fn corner_moves(facts: &Facts<'_>, corner: &Corner<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    let stones = corner.stones(OPENING.corner);
    match stones.as_slice() {
        [] => {
            for (at, more) in EMPTY.into_iter().zip(OPENING.empty_more) {
                reasons.add(corner.at(at.0, at.1), Reason::Opening("an empty corner", OPENING.empty + more));
            }
        }
        &[(at, color)] => {
            for lone in LONE.iter().filter(|l| l.stone == at) {
                let own = color == facts.color;
                let (list, what) =
                    if own { (lone.enclose, "an enclosure") } else { (lone.approach, "an approach") };
                let first = if own { OPENING.enclose } else { OPENING.approach };
                let first = first[usize::from(at != STAR)];
                for (i, &(r, c)) in list.iter().enumerate() {
                    let v = corner.at(r, c);
                    if is_roomy(board, v) {
                        reasons.add(v, Reason::Opening(what, first - OPENING.step * i as f32));
                    }
                }
            }
        }
        &[(a, a_color), (b, b_color)] if a_color != b_color => {
            let (ours, theirs) = if a_color == facts.color { (a, b) } else { (b, a) };
            for answer in ANSWERS.iter().filter(|x| x.ours == ours && x.theirs == theirs) {
                for (i, &(r, c)) in answer.answers.iter().enumerate() {
                    let least = OPENING.answer - OPENING.step * i as f32;
                    reasons.add(corner.at(r, c), Reason::Opening("an answer in the corner", least));
                }
            }
        }
        _ => {}
    }
}

/// Whether nothing stands next to or diagonally next to `v`.
fn is_roomy(board: &Board, v: Vertex) -> bool {
    board.is_empty(v) && board.neighbors8(v).all(|n| board.is_empty(n))
}

/// Extensions and wedges on the third and fourth line, where there is room: the wider, the better.
fn sides(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    for v in board.vertices().filter(|&v| matches!(line(board, v), 3 | 4)) {
        if !board.is_empty(v) || within(board, v, OPENING.clear).any(|u| board.color_at(u).is_some()) {
            continue;
        }
        let near = |color: Color| {
            within(board, v, OPENING.near).filter(|&u| board.color_at(u) == Some(color)).count()
        };
        let (own, enemy) = (near(facts.color), near(facts.color.other()));
        let room = within(board, v, OPENING.room).filter(|&u| board.color_at(u).is_some()).count();
        let middle = 1.0 - off_centre(board, v);
        let least = OPENING.extension
            + OPENING.extension_middle * middle
            + if own > 0 { OPENING.near_more } else { 0.0 }
            + if enemy > 0 { OPENING.near_more } else { 0.0 }
            - room as f32 * OPENING.room_less;
        reasons.add(v, Reason::Opening("an extension", least));
    }
}

/// 0 in the middle of a side, 1 in the corner.
fn off_centre(board: &Board, v: Vertex) -> f32 {
    let n = board.size();
    let (r, c) = (v.row(n) as f32, v.col(n) as f32);
    let half = (n - 1) as f32 / 2.0;
    // The side's own coordinate is the one nearer the middle.
    ((r - half).abs().min((c - half).abs())) / half
}

/// One corner of the board, seen so that it lies at the top left.
struct Corner<'a> {
    board: &'a Board,
    corner: usize,
    flip: bool,
}

impl Corner<'_> {
    /// The vertex on these lines, counted from 1 at the corner's two edges.
    fn at(&self, row: usize, col: usize) -> Vertex {
        let n = self.board.size();
        let (row, col) = if self.flip { (col, row) } else { (row, col) };
        let turn = |x: usize, far: bool| if far { n - x } else { x - 1 };
        Vertex::new(turn(row, self.corner & 1 != 0), turn(col, self.corner & 2 != 0), n)
    }

    /// The stones on its first `lines` lines, with their places.
    fn stones(&self, lines: usize) -> Vec<((usize, usize), Color)> {
        let places = (1..=lines).flat_map(|r| (1..=lines).map(move |c| (r, c)));
        places.filter_map(|(r, c)| Some(((r, c), self.board.color_at(self.at(r, c))?))).collect()
    }
}
