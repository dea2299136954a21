//! What a step into a vertex passes on, for every vertex and direction: step 1 of the propagation.

use super::{FIRST, LINE, MAX_SIZE};
use crate::board::{Color, Vertex};
use crate::influence::field::Field;

/// The factors of one line of targets, one array a direction. "Forward" is away from the source as rings grow, "with"
/// along the line as indices grow. The backward ones serve the opposite side.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeLine {
    /// Steps from the line before (a smaller line number): straight, with, against.
    pub(super) down: [[f32; LINE]; 3],
    /// Steps from the line behind (a larger line number): straight, with, against.
    pub(super) up: [[f32; LINE]; 3],
    /// Steps within the line: with, against.
    pub(super) along: [[f32; LINE]; 2],
}

const EMPTY: EdgeLine = EdgeLine { down: [[0.0; LINE]; 3], up: [[0.0; LINE]; 3], along: [[0.0; LINE]; 2] };

/// All edges of one colour: lines are rows in `rows` and columns in `columns`.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    pub(super) rows: Vec<EdgeLine>,
    pub(super) columns: Vec<EdgeLine>,
    /// What rows and columns are computed from; padding stays 0 while the size stays.
    scratch: Option<Box<[Lines; 2]>>,
    size: usize,
}

#[derive(Clone, Debug)]
/// Permeability and openness with a wall of 0 around, a line each: line 0 is wall.
struct Lines {
    permeability: [[f32; LINE]; MAX_SIZE + 2],
    open: [[f32; LINE]; MAX_SIZE + 2],
}

impl Edges {
    /// Computes the edges for the influence of `color`.
    pub(super) fn fill(&mut self, field: &Field, color: Color) {
        let size = field.size;
        if self.size != size {
            *self = Self { size, ..Self::default() };
        }
        let zero = || Lines { permeability: [[0.0; LINE]; MAX_SIZE + 2], open: [[0.0; LINE]; MAX_SIZE + 2] };
        let scratch = self.scratch.get_or_insert_with(|| Box::new([zero(), zero()]));
        let [rows, columns] = scratch.as_mut();
        for row in 0..size {
            for col in 0..size {
                let v = Vertex::new(row, col, size).at();
                let permeability = field.permeability[color.index()][v];
                let open = f32::from(u8::from(!field.blocked[v]));
                rows.permeability[row + 1][FIRST + col] = permeability;
                rows.open[row + 1][FIRST + col] = open;
                columns.permeability[col + 1][FIRST + row] = permeability;
                columns.open[col + 1][FIRST + row] = open;
            }
        }
        fill_lines(rows, size, field.diagonal.recip(), &mut self.rows);
        fill_lines(columns, size, field.diagonal.recip(), &mut self.columns);
    }
}

fn fill_lines(from: &Lines, size: usize, per_diagonal: f32, to: &mut Vec<EdgeLine>) {
    to.resize(size, EMPTY);
    for (line, edges) in to.iter_mut().enumerate() {
        let (here, open) = (&from.permeability[line + 1], &from.open[line + 1]);
        fill_step(&from.permeability[line], here, open, per_diagonal, size, &mut edges.down);
        fill_step(&from.permeability[line + 2], here, open, per_diagonal, size, &mut edges.up);
        for i in FIRST..FIRST + size {
            edges.along[0][i] = here[i - 1] * open[i];
            edges.along[1][i] = here[i + 1] * open[i];
        }
    }
}

/// Steps from the line `from` into the line `here`. A diagonal one squeezes between the vertex of `from` straight
/// before the target and the vertex of `here` beside it.
fn fill_step(
    from: &[f32; LINE],
    here: &[f32; LINE],
    open: &[f32; LINE],
    per_diagonal: f32,
    size: usize,
    to: &mut [[f32; LINE]; 3],
) {
    let [straight, with, against] = to;
    for i in FIRST..FIRST + size {
        straight[i] = from[i] * open[i];
        with[i] = from[i - 1] * from[i].max(here[i - 1]) * open[i] * per_diagonal;
        against[i] = from[i + 1] * from[i].max(here[i + 1]) * open[i] * per_diagonal;
    }
}
