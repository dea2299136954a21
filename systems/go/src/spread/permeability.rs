//! Permeability: the effect of the stones on the spread of influence.
//!
//! # Source
//! GNU Go 3.8 manual, "Influence", section "Permeability". The reductions beside stones are measured against GNU Go
//! 3.8's answers.
//!
//! # Steps
//! 1. Permeability is 1 everywhere. For the enemy it is 0 on a safe stone; for the own colour it is 0 on a stone that
//!    is not safe.
//! 2. Patterns set it to 0 at a barrier and multiply it by 0.7 at weak points. Another module does this step.
//! 3. The permeability for the enemy is reduced at every vertex without a safe stone. The factor is 0.25 for each
//!    orthogonally adjacent safe stone and 0.65 for each diagonally adjacent one. It is not reduced if one of the eight
//!    neighbours is a stone of that colour that is not safe.
//! 4. A source vertex without a safe stone gets permeability 1 again for its colour.

use super::field::{Field, vertices};
use crate::board::{Color, Vertex};

/// The factor of an orthogonally adjacent safe stone on the enemy's permeability.
pub const BESIDE_STONE: f32 = 0.25;
/// The factor of a diagonally adjacent safe stone.
pub const DIAGONAL_TO_STONE: f32 = 0.65;
/// The factor of a pattern's weak point.
pub const WEAK_POINT: f32 = 0.7;

/// Step 3 for one vertex: how the stones around it reduce the permeability for the influence of `color`.
#[must_use]
pub fn reduction(field: &Field, stones: &[Option<Color>], v: Vertex, color: Color) -> f32 {
    let stride = field.size + 1;
    let at = v.at();
    let enemy = Some(color.other());
    let orthogonal = [at - 1, at + 1, at - stride, at + stride];
    let diagonal = [at - stride - 1, at - stride + 1, at + stride - 1, at + stride + 1];
    let mut factor = 1.0;
    for (beside, each) in [(orthogonal, BESIDE_STONE), (diagonal, DIAGONAL_TO_STONE)] {
        for n in beside {
            if stones[n] == enemy {
                if !field.blocked[n] {
                    return 1.0;
                }
                factor *= each;
            }
        }
    }
    factor
}

/// Step 3 for the whole board.
pub fn reduce_beside_stones(field: &mut Field, stones: &[Option<Color>]) {
    for v in vertices(field.size).filter(|v| !field.blocked[v.at()]).collect::<Vec<_>>() {
        for color in Color::BOTH {
            let factor = reduction(field, stones, v, color);
            field.permeability[color.index()][v.at()] *= factor;
        }
    }
}

/// Step 4.
pub fn open_sources(field: &mut Field) {
    for v in vertices(field.size) {
        if !field.blocked[v.at()] {
            for c in 0..2 {
                if field.strength[c][v.at()] > 0.0 {
                    field.permeability[c][v.at()] = 1.0;
                }
            }
        }
    }
}

/// Blocks the stones that the permeabilities show to be safe: open for their own colour, closed for the enemy.
pub fn block_safe_stones(field: &mut Field, stones: &[Option<Color>]) {
    for v in vertices(field.size) {
        if let Some(color) = stones[v.at()] {
            let [own, enemy] = [color, color.other()].map(|c| field.permeability[c.index()][v.at()]);
            field.blocked[v.at()] = own > 0.0 && enemy == 0.0;
        }
    }
}

/// Permeabilities recorded with two decimals become the exact ones they stand for: the reduction by the stones times
/// a power of [`WEAK_POINT`]. Values that are no such product stay.
///
/// A 1 for `to_move` that the stones around forbid is a *double block*, opened only after the influence had been
/// computed: it becomes 0 again.
pub fn unround(field: &mut Field, stones: &[Option<Color>], to_move: Option<Color>) {
    for v in vertices(field.size).filter(|v| !field.blocked[v.at()]).collect::<Vec<_>>() {
        for color in Color::BOTH {
            let recorded = field.permeability[color.index()][v.at()];
            let mut exact = reduction(field, stones, v, color);
            if recorded == 1.0 {
                let source = field.strength[color.index()][v.at()] > 0.0;
                if exact < 1.0 && !source && Some(color) == to_move {
                    field.permeability[color.index()][v.at()] = 0.0;
                }
            } else if recorded > 0.0 {
                while exact > recorded + 0.006 {
                    exact *= WEAK_POINT;
                }
                if (exact - recorded).abs() <= 0.006 {
                    field.permeability[color.index()][v.at()] = exact;
                }
            }
        }
    }
}
