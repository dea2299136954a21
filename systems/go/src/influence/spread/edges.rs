//! What a step out of a vertex passes on, for every direction: step 1 of the propagation.

use super::{CELLS, PITCH, cell_of};
use crate::board::{Color, Vertex};
use crate::influence::field::Field;

/// All steps of one colour's influence.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    /// By direction and cell the permeability of the vertex, for a diagonal step times the larger of the two beside it
    /// and over the diagonal factor; 0 where the target is blocked. Walls are never left.
    pub(super) factor: Box<[[f32; CELLS]; 8]>,
    /// By cell the permeability; on walls anything.
    permeability: Box<[f32; CELLS]>,
    /// By cell 1 where influence may go, 0 elsewhere and on the walls around.
    open: Box<[f32; CELLS]>,
}

impl Edges {
    pub(super) fn new() -> Self {
        Self {
            factor: Box::new([[0.0; CELLS]; 8]),
            permeability: Box::new([0.0; CELLS]),
            open: Box::new([0.0; CELLS]),
        }
    }

    /// Computes the steps for the influence of `color`, [`LANES`] vertices of a line at a time.
    pub(super) fn fill(&mut self, field: &Field, color: Color) {
        let size = field.size;
        for row in 0..size {
            let (cell, start) = (cell_of(row, 0), Vertex::new(row, 0, size).at());
            let from = &field.permeability[color.index()][start..start + size];
            self.permeability[cell..cell + size].copy_from_slice(from);
            let open = self.open[cell..cell + size].iter_mut();
            open.zip(&field.blocked[start..start + size]).for_each(|(o, &b)| *o = f32::from(u8::from(!b)));
            self.open[cell + size] = 0.0;
        }
        self.open[cell_of(size, 0)..cell_of(size, size)].fill(0.0);
        let per_diagonal = [field.diagonal.recip(); LANES];
        for row in 0..size {
            // What the last lanes compute beyond the line stands on walls, which are never left.
            for col in (0..size).step_by(LANES) {
                let cell = cell_of(row, col);
                let lines = [cell - PITCH, cell, cell + PITCH];
                let [pu, p, pd] = lines.map(|cell| around(&self.permeability, cell));
                let [ou, o, od] = lines.map(|cell| around(&self.open, cell));
                let here = lanes(p, 1);
                let across = product(here, per_diagonal);
                let squeezed = |a, b| product(across, larger(a, b));
                let factors = [
                    product(here, lanes(od, 1)),
                    product(here, lanes(o, 0)),
                    product(here, lanes(ou, 1)),
                    product(here, lanes(o, 2)),
                    product(squeezed(lanes(pd, 1), lanes(p, 0)), lanes(od, 0)),
                    product(squeezed(lanes(pu, 1), lanes(p, 0)), lanes(ou, 0)),
                    product(squeezed(lanes(pu, 1), lanes(p, 2)), lanes(ou, 2)),
                    product(squeezed(lanes(pd, 1), lanes(p, 2)), lanes(od, 2)),
                ];
                for (to, factor) in self.factor.iter_mut().zip(factors) {
                    to[cell..cell + LANES].copy_from_slice(&factor);
                }
            }
        }
    }
}

/// Vertices of a line that are computed together.
const LANES: usize = 8;

/// The cells of so many vertices of a line, and one more on either side.
#[inline]
fn around(cells: &[f32; CELLS], cell: usize) -> &[f32; LANES + 2] {
    cells[cell - 1..].first_chunk().expect("the arrays go on below the largest board")
}

/// Those from the `shift`th on.
#[inline]
fn lanes(of: &[f32; LANES + 2], shift: usize) -> [f32; LANES] {
    std::array::from_fn(|i| of[i + shift])
}

#[inline]
fn product(a: [f32; LANES], b: [f32; LANES]) -> [f32; LANES] {
    std::array::from_fn(|i| a[i] * b[i])
}

#[inline]
fn larger(a: [f32; LANES], b: [f32; LANES]) -> [f32; LANES] {
    std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
}
