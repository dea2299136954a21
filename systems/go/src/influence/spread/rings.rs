//! One source, ring after ring: steps 2 to 5 of the propagation.

use super::edges::{EdgeLine, Edges};
use super::{FINAL_FILTER, FIRST, LINE, MAX_SIZE};

/// Vertices handled together: the compiler makes vectors of them.
const LANES: usize = 8;
/// Entries of a cosine line: offsets from `-MIDDLE`, with room for a vector that runs over.
const COSINES: usize = 72;
/// Where offset 0 stands in a cosine line.
const MIDDLE: usize = 32;

/// One source.
pub(super) struct Source {
    pub(super) row: usize,
    pub(super) col: usize,
    pub(super) strength: f32,
    /// One over the attenuation.
    pub(super) per_step: f32,
    pub(super) cutoff: f32,
}

/// The squared cosines of the steps into one side of ring `k`, by offset along the side.
#[derive(Clone, Copy, Debug)]
struct Cosines {
    /// From ring `k - 1`: straight, with, against.
    forward: [[f32; COSINES]; 3],
    /// Within the ring, by distance from the axis.
    along: [f32; MAX_SIZE + 1],
}

/// The geometry tables and the lines of one source.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    cosines: Vec<Cosines>,
    /// Per side (up, down, left, right) the line of the last ring, already divided by the attenuation.
    previous: [[f32; LINE]; 4],
    /// Per side the line of the ring being made.
    current: [[f32; LINE]; 4],
}

/// The squared cosine between the offset and the direction; 0 if it doesn't lead outward.
fn squared_cosine(offset: (i32, i32), direction: (i32, i32)) -> f32 {
    let scalar = offset.0 * direction.0 + offset.1 * direction.1;
    if offset == (0, 0) {
        return 1.0;
    }
    if scalar <= 0 {
        return 0.0;
    }
    let lengths = (offset.0.pow(2) + offset.1.pow(2)) * (direction.0.pow(2) + direction.1.pow(2));
    (scalar * scalar) as f32 / lengths as f32
}

fn cosines(ring: i32) -> Cosines {
    let mut to = Cosines { forward: [[0.0; COSINES]; 3], along: [0.0; MAX_SIZE + 1] };
    for b in -ring..=ring {
        for (table, along) in to.forward.iter_mut().zip([0, 1, -1]) {
            let from = b - along;
            if from.abs() < ring {
                table[(MIDDLE as i32 + b) as usize] = squared_cosine((ring - 1, from), (1, along));
            }
        }
    }
    for b in 2..=ring {
        to.along[b as usize] = squared_cosine((ring, b - 1), (0, 1));
    }
    to
}

/// A line of the board that a ring meets: its edges, and whether steps come from the line behind.
type Side<'a> = Option<(&'a EdgeLine, bool)>;

/// The four sides of a ring in the order up, down, left, right.
struct RingView<'a> {
    ring: usize,
    size: usize,
    sides: [Side<'a>; 4],
    /// Where the axis stands in the side's line.
    axis: [usize; 4],
}

impl<'a> RingView<'a> {
    fn new(ring: usize, size: usize, source: &Source, edges: &'a Edges) -> Self {
        let (row, col) = (source.row, source.col);
        let line = |lines: &'a [EdgeLine], at: Option<usize>, behind| {
            at.and_then(|at| lines.get(at)).map(|line| (line, behind))
        };
        let (rows, columns) = (&edges.rows[..size], &edges.columns[..size]);
        Self {
            ring,
            size,
            sides: [
                line(rows, row.checked_sub(ring), true),
                line(rows, Some(row + ring), false),
                line(columns, col.checked_sub(ring), true),
                line(columns, Some(col + ring), false),
            ],
            axis: [col, col, row, row],
        }
    }

    /// How far the side reaches from its axis: against, with.
    fn extent(&self, side: usize) -> [usize; 2] {
        [self.axis[side].min(self.ring), (self.size - 1 - self.axis[side]).min(self.ring)]
    }

    /// The corners on the board: the side up or down, the side left or right, and their entries.
    fn corners(&self) -> impl Iterator<Item = ([usize; 2], [usize; 2])> + '_ {
        let there = |&(v, h): &(usize, usize)| self.sides[v].is_some() && self.sides[h].is_some();
        [(0, 2), (0, 3), (1, 2), (1, 3)].into_iter().filter(there).map(|(vertical, horizontal)| {
            let entry = |side: usize, with: bool| {
                let axis = FIRST + self.axis[side];
                if with { axis + self.ring } else { axis - self.ring }
            };
            ([vertical, horizontal], [entry(vertical, horizontal == 3), entry(horizontal, vertical == 1)])
        })
    }
}

#[inline]
fn above(cutoff: f32, contribution: f32) -> f32 {
    if contribution > cutoff { contribution } else { 0.0 }
}

#[inline]
fn window<const N: usize>(line: &[f32], at: usize) -> &[f32; N] {
    line[at..].first_chunk().expect("lines are padded by more than a vector")
}

impl Rings {
    pub(super) fn new() -> Self {
        Self {
            cosines: (0..=MAX_SIZE as i32).map(cosines).collect(),
            previous: [[0.0; LINE]; 4],
            current: [[0.0; LINE]; 4],
        }
    }

    /// Adds what the source gives to the two halves of the map.
    pub(super) fn spread(
        &mut self,
        size: usize,
        source: &Source,
        edges: &Edges,
        by_rows: &mut [[f32; LINE]],
        by_columns: &mut [[f32; LINE]],
    ) {
        let (row, col) = (source.row, source.col);
        by_rows[row][FIRST + col] += source.strength;
        self.previous = [[0.0; LINE]; 4];
        for (previous, axis) in self.previous.iter_mut().zip([col, col, row, row]) {
            previous[FIRST + axis] = source.strength * source.per_step;
        }
        let mut alive = [true; 4];
        let reach = row.max(col).max(size - 1 - row).max(size - 1 - col);
        for ring in 1..=reach {
            let view = RingView::new(ring, size, source, edges);
            self.forward(&view, source, alive); // step 2
            self.chains(&view, source, alive); // step 3
            alive = self.finish(&view, source, by_rows, by_columns); // steps 4 and 5
            if alive == [false; 4] {
                break;
            }
        }
    }

    /// Step 2: what comes from the ring before. The corners belong to the sides up and down here.
    fn forward(&mut self, view: &RingView<'_>, source: &Source, alive: [bool; 4]) {
        let cosines = &self.cosines[view.ring].forward;
        for (side, (current, previous)) in self.current.iter_mut().zip(&self.previous).enumerate() {
            *current = [0.0; LINE];
            let Some((line, behind)) = view.sides[side].filter(|_| alive[side]) else { continue };
            let edges = if behind { &line.up } else { &line.down };
            let [against, with] = view.extent(side);
            let axis = view.axis[side];
            for start in (0..=against + with).step_by(LANES) {
                let at = FIRST + axis - against + start;
                let cos = MIDDLE - against + start;
                let from: &[f32; LANES + 2] = window(previous, at - 1);
                let [e0, e1, e2]: [&[f32; LANES]; 3] = [0, 1, 2].map(|d| window(&edges[d], at));
                let [c0, c1, c2]: [&[f32; LANES]; 3] = [0, 1, 2].map(|d| window(&cosines[d], cos));
                let to: &mut [f32; LANES] =
                    current[at..].first_chunk_mut().expect("lines are padded by more than a vector");
                for l in 0..LANES {
                    to[l] = above(source.cutoff, from[l + 1] * e0[l] * c0[l])
                        + above(source.cutoff, from[l] * e1[l] * c1[l])
                        + above(source.cutoff, from[l + 2] * e2[l] * c2[l]);
                }
            }
        }
        for (sides, entries) in view.corners() {
            self.current[sides[1]][entries[1]] = 0.0;
        }
    }

    /// Step 3: what comes along the ring, from the axis outwards.
    fn chains(&mut self, view: &RingView<'_>, source: &Source, alive: [bool; 4]) {
        let along = &self.cosines[view.ring].along;
        for (side, current) in self.current.iter_mut().enumerate() {
            let Some((line, _)) = view.sides[side].filter(|_| alive[side]) else { continue };
            let [against, with] = view.extent(side);
            let axis = FIRST + view.axis[side];
            for b in 2..=with {
                let factor = line.along[0][axis + b] * along[b] * source.per_step;
                current[axis + b] += above(source.cutoff, current[axis + b - 1] * factor);
            }
            for b in 2..=against {
                let factor = line.along[1][axis - b] * along[b] * source.per_step;
                current[axis - b] += above(source.cutoff, current[axis - b + 1] * factor);
            }
        }
    }

    /// Steps 4 and 5, and makes the ring the previous one. Returns which sides carry anything on.
    fn finish(
        &mut self,
        view: &RingView<'_>,
        source: &Source,
        by_rows: &mut [[f32; LINE]],
        by_columns: &mut [[f32; LINE]],
    ) -> [bool; 4] {
        for (sides, entries) in view.corners() {
            let chain = std::mem::take(&mut self.current[sides[1]][entries[1]]);
            self.current[sides[0]][entries[0]] += chain;
        }
        let (row, col, ring) = (source.row, source.col, view.ring);
        let filter = source.cutoff * FINAL_FILTER;
        let targets = [row.wrapping_sub(ring), row + ring, col.wrapping_sub(ring), col + ring];
        for (side, target) in targets.into_iter().enumerate() {
            if view.sides[side].is_some() {
                let (here, across) =
                    if side < 2 { (&mut *by_rows, &*by_columns) } else { (&mut *by_columns, &*by_rows) };
                add_line(&self.current[side], target, filter, here, across);
            }
        }
        for (sides, entries) in view.corners() {
            self.current[sides[1]][entries[1]] = self.current[sides[0]][entries[0]];
        }
        let mut alive = [false; 4];
        let lines = self.previous.iter_mut().zip(&self.current);
        for ((previous, current), alive) in lines.zip(&mut alive) {
            let mut sum = 0.0;
            for (to, from) in previous.iter_mut().zip(current) {
                *to = from * source.per_step;
                sum += from;
            }
            *alive = sum > 0.0;
        }
        alive
    }
}

/// Adds a line to its half of the map; amounts up to `filter` only where the map has nothing yet.
fn add_line(
    line: &[f32; LINE],
    target: usize,
    filter: f32,
    here: &mut [[f32; LINE]],
    across: &[[f32; LINE]],
) {
    let to = &mut here[target];
    let mut any_tiny = false;
    for &amount in line {
        any_tiny |= amount > 0.0 && amount <= filter;
    }
    for (i, (to, &amount)) in to.iter_mut().zip(line).enumerate() {
        if !any_tiny || amount > filter || (amount > 0.0 && *to + across[i - FIRST][FIRST + target] == 0.0) {
            *to += amount;
        }
    }
}
