//! Finds half eyes and false eyes by the diagonals of a vertex.
//!
//! # Source
//! GNU Go 3.8 manual, "Topology of Half Eyes and False Eyes" and "Topology with Ko".
//!
//! # Steps
//! 1. Each diagonal vertex outside the eye space has a count. It is 2 if an enemy stone that cannot be captured stands
//!    there. It is 1 if the enemy can safely play there or his stone can be captured and saved. Otherwise it is 0. Ko
//!    makes it 3/4 or 5/4.
//! 2. A diagonal beyond one edge counts 1, beyond a corner 0.
//! 3. The sum decides. Up to 2 it is a proper eye, with 3 a half eye, with 4 and more a false eye. Values between them
//!    depend on ko.
//!
//! # Departures
//! If all stones around the vertex belong to one string, the eye is proper whatever its diagonals are.

use crate::board::{Board, Color, Vertex};
use crate::tactics::{Answer, Code};

/// The diagonal value where the ko favours the owner of the eye.
pub const KO_FOR_OWNER: f32 = 0.75;
/// The diagonal value where the ko favours the attacker.
pub const KO_FOR_ATTACKER: f32 = 1.25;

/// Readings or guesses about strings and vertices near an eye.
pub trait Tactics {
    /// The code of a capture of the string at `v` if its opponent moves first, and the move, if known.
    fn attack(&self, v: Vertex) -> Answer;
    /// The code of a rescue of the string at `v` if its owner moves first, and the move. Asked only if it can be
    /// captured.
    fn defence(&self, v: Vertex) -> Answer;
    /// The code of a play of `color` at `v` without being captured.
    fn safe_move(&self, v: Vertex, color: Color) -> Code;
}

/// The kind of a topological half or false eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum HalfEyeKind {
    /// An eye only if its owner moves first.
    Half,
    /// No eye.
    False,
}

/// A vertex that is less than an eye, and the moves that decide it.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfEye {
    /// The vertex.
    pub vertex: Vertex,
    /// Sum over the diagonals; 3 for a half eye, 4 for a false one, between them by ko.
    pub value: f32,
    /// Half or false.
    pub kind: HalfEyeKind,
    /// Moves that make it false.
    pub attack_points: Vec<Vertex>,
    /// Moves that make it proper.
    pub defence_points: Vec<Vertex>,
}

/// The diagonal sum of a vertex, and the moves that change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiagonalSum {
    /// The topological value.
    pub value: f32,
    /// Attacking moves on the diagonals.
    pub attack_points: Vec<Vertex>,
    /// Defending moves on the diagonals.
    pub defence_points: Vec<Vertex>,
}

impl HalfEye {
    /// Whether the side that moves first decides, possibly by a ko.
    #[must_use]
    pub fn is_half(&self) -> bool {
        self.kind == HalfEyeKind::Half
    }

    /// Whether it is a half eye that only a ko can make false.
    #[must_use]
    pub fn falls_by_ko_only(&self) -> bool {
        self.is_half() && self.value < 3.0
    }
}

impl DiagonalSum {
    /// The half or false eye this sum makes of `vertex`; `None` for a proper eye.
    #[must_use]
    pub fn half_eye(self, vertex: Vertex) -> Option<HalfEye> {
        let kind = if self.value >= 4.0 {
            HalfEyeKind::False
        } else if self.value > 2.0 {
            HalfEyeKind::Half
        } else {
            return None;
        };
        let Self { value, attack_points, defence_points } = self;
        Some(HalfEye { vertex, value, kind, attack_points, defence_points })
    }
}

/// Steps 1 and 2: the diagonal sum of a vertex in the eye space of `owner`. `inside` says whether a diagonal vertex
/// belongs to the proper eye space.
pub fn diagonal_sum(
    board: &Board,
    vertex: Vertex,
    owner: Color,
    inside: impl Fn(Vertex) -> bool,
    tactics: &impl Tactics,
) -> DiagonalSum {
    let mut sum = DiagonalSum::default();
    if one_string_around(board, vertex, owner) {
        return sum;
    }
    let stride = board.size() as i32 + 1;
    for step in [-stride - 1, -stride + 1, stride - 1, stride + 1] {
        let q = Vertex((i32::from(vertex.0) + step) as u16);
        if !board.on_board(q) {
            // Beyond a corner both orthogonal vertices towards it are off the board as well.
            let vertical = Vertex((i32::from(vertex.0) + step.signum() * stride) as u16);
            let horizontal = Vertex((i32::from(vertex.0) + step - step.signum() * stride) as u16);
            sum.value += f32::from(u8::from(board.on_board(vertical) || board.on_board(horizontal)));
            continue;
        }
        if !inside(q) {
            judge_diagonal(board, q, owner, tactics, &mut sum);
        }
    }
    sum
}

fn one_string_around(board: &Board, vertex: Vertex, owner: Color) -> bool {
    let mut around = board.neighbors4(vertex);
    let Some(first) = around.next() else { return false };
    board.color_at(first) == Some(owner) && around.all(|n| board.same_string(n, first))
}

fn judge_diagonal(board: &Board, q: Vertex, owner: Color, tactics: &impl Tactics, sum: &mut DiagonalSum) {
    match board.color_at(q) {
        Some(color) if color == owner => {}
        Some(_) => {
            let attack = tactics.attack(q);
            if attack.code == Code::Fail {
                sum.value += 2.0;
                return;
            }
            let defence = tactics.defence(q);
            sum.value += match (attack.code, defence.code) {
                // Captured at leisure: by ko it is only nearly so.
                (Code::Win, Code::Fail) => return,
                (Code::Win, Code::Win) => 1.0,
                (Code::Win, _) => KO_FOR_OWNER,
                _ => KO_FOR_ATTACKER,
            };
            let known = |point: Vertex| Some(point).filter(|&p| p != Vertex::PASS);
            sum.attack_points.extend(known(defence.point));
            sum.defence_points.extend(known(attack.point));
        }
        None => {
            sum.value += match tactics.safe_move(q, owner.other()) {
                Code::Fail => return,
                Code::Win => 1.0,
                Code::KoA | Code::KoB => KO_FOR_OWNER,
            };
            sum.attack_points.push(q);
            sum.defence_points.push(q);
        }
    }
}
