//! What a step out of a vertex passes on, for every direction: step 1 of the propagation.

use super::{CELLS, PITCH, cell_of};
use crate::board::{Color, Vertex};
use crate::influence::field::Field;

/// All steps of one colour's influence.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    /// By cell and direction the permeability of the vertex, for a diagonal step times the larger of the two beside it
    /// and over the diagonal factor; 0 where the target is blocked. Walls are never left.
    pub(super) factor: Box<[[f32; 8]; CELLS]>,
    /// The board with walls around: permeability, and 1 where influence may go, 0 elsewhere.
    cells: Box<[(f32, f32); CELLS]>,
}

impl Edges {
    pub(super) fn new() -> Self {
        Self { factor: Box::new([[0.0; 8]; CELLS]), cells: Box::new([(0.0, 0.0); CELLS]) }
    }

    /// Computes the steps for the influence of `color`.
    pub(super) fn fill(&mut self, field: &Field, color: Color) {
        let size = field.size;
        let permeability = &field.permeability[color.index()];
        for row in 0..=size {
            let (cell, start) = (cell_of(row, 0), Vertex::new(row.min(size - 1), 0, size).at());
            for col in 0..size {
                let open = row < size && !field.blocked[start + col];
                self.cells[cell + col] = (permeability[start + col], f32::from(u8::from(open)));
            }
            self.cells[cell + size] = (0.0, 0.0);
        }
        let per_diagonal = field.diagonal.recip();
        for row in 0..size {
            for cell in cell_of(row, 0)..cell_of(row, size) {
                let here = self.cells[cell].0;
                if here == 0.0 {
                    self.factor[cell] = [0.0; 8];
                    continue;
                }
                let line = |cell: usize| [self.cells[cell - 1], self.cells[cell], self.cells[cell + 1]];
                let ([ul, u, ur], [l, _, r], [dl, d, dr]) =
                    (line(cell - PITCH), line(cell), line(cell + PITCH));
                let straight = |to: (f32, f32)| here * to.1;
                let across =
                    |to: (f32, f32), a: (f32, f32), b: (f32, f32)| here * per_diagonal * a.0.max(b.0) * to.1;
                self.factor[cell] = [
                    straight(d),
                    straight(l),
                    straight(u),
                    straight(r),
                    across(dl, d, l),
                    across(ul, u, l),
                    across(ur, u, r),
                    across(dr, d, r),
                ];
            }
        }
    }
}
