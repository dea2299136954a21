//! One source: steps 2 to 4 of the propagation.

use super::edges::Edges;
use super::{CELLS, PITCH};
use crate::influence::field::DIRECTIONS;
use std::sync::LazyLock;

/// Where the offset of the source itself stands: cells differ by as much as their offsets.
const ORIGIN: usize = CELLS / 2;

/// What depends on the offset from the source alone. At most four directions lead outward; a direction of damping 0
/// fills the rest.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Outward {
    /// The squared cosines.
    damping: [f32; 4],
    /// How far apart the cells are.
    step: [i16; 4],
    /// Which of the eight directions.
    direction: [u8; 4],
}

static OUTWARD: LazyLock<Box<[Outward; CELLS]>> = LazyLock::new(outward);

/// How far apart two cells are.
pub(super) const fn cell_step((down, right): (i32, i32)) -> i16 {
    (down * PITCH as i32 + right) as i16
}

fn outward() -> Box<[Outward; CELLS]> {
    let mut of = Box::new([Outward::default(); CELLS]);
    let reach = PITCH as i32 / 2;
    for a in -reach..=reach {
        for b in -reach..=reach {
            let Some(of) = of.get_mut((ORIGIN as i32 + a * PITCH as i32 + b) as usize) else { continue };
            let mut free = 0;
            for (d, &(down, right)) in DIRECTIONS.iter().enumerate() {
                let scalar = down * a + right * b;
                if scalar > 0 {
                    let lengths = (a * a + b * b) * (down * down + right * right);
                    of.damping[free] = (scalar * scalar) as f32 / lengths as f32;
                    of.step[free] = cell_step((down, right));
                    of.direction[free] = d as u8;
                    free += 1;
                }
            }
        }
    }
    of
}

#[inline]
fn above(cutoff: f32, contribution: f32) -> f32 {
    if contribution > cutoff { contribution } else { 0.0 }
}

/// Whether something arrives where nothing was, for numbers of 0 and more: in their bits, to spare two comparisons.
#[inline]
fn is_first(before: f32, contribution: f32) -> bool {
    before.to_bits().wrapping_sub(1) & contribution.to_bits().wrapping_neg() >= 1 << 31
}

/// One source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Its cell.
    pub(super) cell: usize,
    pub(super) strength: f32,
    /// One over the attenuation.
    pub(super) per_step: f32,
    pub(super) cutoff: f32,
    /// Amounts up to this are added only where nothing is yet.
    pub(super) filter: f32,
}

/// The scratch memory of one source.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// What has arrived at each cell; 0 between sources.
    amounts: Box<[f32; CELLS]>,
    /// The queue of cells.
    queue: Box<[u16; CELLS]>,
}

impl Kernel {
    pub(super) fn new() -> Self {
        Self { amounts: Box::new([0.0; CELLS]), queue: Box::new([0; CELLS]) }
    }

    /// Adds what the source gives to the cells of the map.
    pub(super) fn spread(&mut self, source: &Source, edges: &Edges, out: &mut [f32; CELLS]) {
        let outward = &**OUTWARD;
        let (amounts, queue) = (&mut *self.amounts, &mut *self.queue);
        let from_source = ORIGIN.wrapping_sub(source.cell);
        out[source.cell % CELLS] += source.strength;
        // An entry of the queue counts only if the tail moves: no branch depends on what arrives.
        // The source itself sends in all directions; its targets are new.
        let amount = source.strength * source.per_step;
        let mut tail = 0;
        for (d, &direction) in DIRECTIONS.iter().enumerate() {
            let contribution = above(source.cutoff, amount * edges.factor[d][source.cell % CELLS]);
            let target = source.cell.wrapping_add_signed(cell_step(direction).into()) % CELLS;
            if contribution > 0.0 {
                amounts[target] = contribution;
                queue[tail % CELLS] = target as u16;
                tail += 1;
            }
        }
        let mut head = 0;
        while head < tail {
            let cell = usize::from(queue[head % CELLS]) % CELLS;
            head += 1;
            // No factor is above 1: what is too little here is too little for every step (step 3).
            let amount = amounts[cell] * source.per_step;
            if amount <= source.cutoff {
                continue;
            }
            let outward = &outward[cell.wrapping_add(from_source) % CELLS];
            for i in 0..4 {
                let factor = edges.factor[usize::from(outward.direction[i]) % 8][cell];
                let contribution = above(source.cutoff, amount * factor * outward.damping[i]);
                let target = cell.wrapping_add_signed(outward.step[i].into()) % CELLS;
                let before = amounts[target];
                amounts[target] = before + contribution;
                queue[tail % CELLS] = target as u16;
                tail += usize::from(is_first(before, contribution));
            }
        }
        for &cell in &queue[..tail.min(CELLS)] {
            let amount = std::mem::take(&mut amounts[usize::from(cell) % CELLS]);
            let to = &mut out[usize::from(cell) % CELLS];
            if amount > source.filter || *to == 0.0 {
                *to += amount;
            }
        }
    }
}
