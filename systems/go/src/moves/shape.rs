//! Local shape: the likelihood of a move by its surroundings, which is learned from games, and named forms of bad
//! shape.
//!
//! # Source
//! GNU Go 3.8 manual, "Shape factor": the largest contribution counts fully, each further one as 1; the factor is
//! 1.05 to that power. The likelihood comes from [`crate::playout::prediction`], which replaces the manual's database
//! of shapes.
//!
//! # Steps
//! 1. Once for a position: the probability of every move by its surroundings, and the ownership by influence. The last
//!    move does not count, because a value belongs to the position.
//! 2. The probability of a candidate, compared with an even share of all moves, becomes a shape value. Named forms give
//!    further shape values.
//! 3. The values become a factor. It at most doubles a value, and at most halves it.

use super::facts::Facts;
use super::reason::{Candidate, Reason, Reasons};
use super::steps::line;
use crate::board::{Board, Vertex};
use crate::playout::PlayoutBoard;
use crate::playout::board::{MAX_SIZE, code};
use crate::playout::prediction::{LADDERS, Model, softmax};

/// The number of moves that become candidates for their probability alone.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `likely`.
const MOST_LIKELY: usize = 12;
/// The least probability of such a move.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `likely`.
const LEAST_LIKELY: f32 = 0.004;
/// A move of less than this part of an even share needs more of a reason than to lie at a border.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `likely`.
const UNLIKELY: f32 = 0.15;

/// The power of the probability, compared with an even share, that is a factor.
///
/// Origin: fit, part `choose` of the truth positions, commit 0a3aeae; no table is kept.
const EXPONENT: f32 = 0.3;
/// The shape factor is no less than this, and no more than one over it.
///
/// Origin: fit, part `choose` of the truth positions, commit 0a3aeae; no table is kept.
const LEAST_FACTOR: f32 = 0.5;
/// The factor of one point of shape.
///
/// Origin: manual, "Shape Factor".
const POINT: f32 = 1.05;

/// Points of shape of the named forms.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `forms`.
const FORMS: Forms = Forms { empty_triangle: -4.0, hane: 3.0, filling: -5.0, lonely: -8.0 };

/// See [`FORMS`].
struct Forms {
    /// Three stones round an empty point.
    empty_triangle: f32,
    /// Round the head of an enemy stone next to a friend.
    hane: f32,
    /// Between three friends, next to no enemy.
    filling: f32,
    /// On the first line, away from all stones.
    lonely: f32,
}

/// The probability of each move by its surroundings.
#[derive(Clone, Debug, Default)]
pub(super) struct Likely {
    /// By padded vertex; empty on boards that are too large.
    probability: Vec<f32>,
    /// An even share of all moves.
    even: f32,
}

impl Likely {
    /// Step 1.
    pub(super) fn new(facts: &Facts<'_>) -> Self {
        let board = facts.board;
        if board.size() > MAX_SIZE {
            return Self::default();
        }
        let territory = &facts.influence().territory;
        let owner = |index: usize| territory[Vertex::from_index(index, board.size()).at()].clamp(-1.0, 1.0);
        let mut rated =
            Model::own().rate(&PlayoutBoard::from(board), code(facts.color), [0, 0], &owner, LADDERS);
        softmax(&mut rated, |r| &mut r.rating);
        let mut probability = vec![0.0; board.padded_len()];
        for move_ in &rated {
            probability[move_.vertex] = move_.rating;
        }
        Self { probability, even: 1.0 / rated.len().max(1) as f32 }
    }

    /// The probability of a move; an even share where nothing is known.
    pub(super) fn of(&self, v: Vertex) -> f32 {
        self.probability.get(v.at()).copied().unwrap_or(self.even)
    }

    /// The factor from the surroundings of a move: the ratio of its probability to an even share, to the power of
    /// [`EXPONENT`].
    fn factor(&self, v: Vertex) -> f32 {
        (self.of(v) / self.even.max(f32::MIN_POSITIVE)).powf(EXPONENT)
    }

    /// Whether a move's surroundings make it unlikely.
    pub(super) fn is_unlikely(&self, v: Vertex) -> bool {
        self.of(v) < UNLIKELY * self.even
    }

    /// Moves that their surroundings make likely.
    pub(super) fn generate(&self, facts: &Facts<'_>, reasons: &mut Reasons) {
        let mut best: Vec<Vertex> = facts
            .board
            .vertices()
            .filter(|&v| self.of(v) >= LEAST_LIKELY && !self.probability.is_empty())
            .collect();
        best.sort_by(|&a, &b| self.of(b).total_cmp(&self.of(a)).then(a.cmp(&b)));
        for &v in best.iter().take(MOST_LIKELY) {
            reasons.add(v, Reason::Likely(self.of(v)));
        }
    }
}

/// Adds shape reasons and the shape factor.
pub(super) fn judge(facts: &Facts<'_>, likely: &Likely, candidate: &mut Candidate) {
    let mut found = Vec::new();
    patterns(facts, candidate.vertex, &mut found);
    let fold = |sign: f32| {
        let values: Vec<f32> = found.iter().map(|&(_, v): &(_, f32)| v * sign).filter(|v| *v > 0.0).collect();
        let most = values.iter().copied().fold(0.0, f32::max);
        if values.is_empty() { 0.0 } else { most + (values.len() - 1) as f32 }
    };
    let likeness = likely.factor(candidate.vertex);
    candidate.shape = (likeness * POINT.powf(fold(1.0) - fold(-1.0))).clamp(LEAST_FACTOR, 1.0 / LEAST_FACTOR);
    for (name, value) in found {
        let reason = Reason::Shape(name, value);
        if !candidate.reasons.contains(&reason) {
            candidate.reasons.push(reason);
        }
    }
}

fn patterns(facts: &Facts<'_>, v: Vertex, found: &mut Vec<(&'static str, f32)>) {
    let board = facts.board;
    let own = |u: Vertex| board.color_at(u) == Some(facts.color);
    let enemy = |u: Vertex| board.color_at(u) == Some(facts.color.other());
    let friends = board.neighbors4(v).filter(|&n| own(n)).count();
    let enemies = board.neighbors4(v).filter(|&n| enemy(n)).count();
    let diagonal_friends = board.diagonals(v).filter(|&d| own(d)).count();
    if makes_empty_triangle(board, v, &own) && enemies == 0 {
        found.push(("empty triangle", FORMS.empty_triangle));
    }
    // Hane: round the head of an enemy stone next to a friend.
    if friends == 0 && enemies == 1 && diagonal_friends >= 1 {
        found.push(("hane", FORMS.hane));
    }
    if friends >= 3 && enemies == 0 {
        found.push(("filling", FORMS.filling));
    }
    if friends == 0 && enemies == 0 && diagonal_friends == 0 && line(board, v) == 1 {
        found.push(("lonely on the first line", FORMS.lonely));
    }
}

/// Whether a stone at `v` makes three stones round an empty point.
fn makes_empty_triangle(board: &Board, v: Vertex, own: &impl Fn(Vertex) -> bool) -> bool {
    board.neighbors4(v).filter(|&a| own(a)).any(|a| {
        board.diagonals(v).filter(|&d| own(d)).any(|d| {
            // The fourth corner of the square of v, a and d.
            let n = board.size();
            if !board.neighbors4(a).any(|m| m == d) {
                return false;
            }
            let row = if a.row(n) == v.row(n) { d.row(n) } else { v.row(n) };
            let col = if a.col(n) == v.col(n) { d.col(n) } else { v.col(n) };
            board.is_empty(Vertex::new(row, col, n))
        })
    })
}
