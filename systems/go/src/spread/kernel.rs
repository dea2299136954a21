//! The steps of the propagation for one colour's board and one source.

use super::CELLS;
use super::geometry::{Geometry, Place};
use crate::board::Color;
use crate::spread::field::Field;

#[inline]
fn above(cutoff: f32, contribution: f32) -> f32 {
    if contribution > cutoff { contribution } else { 0.0 }
}

/// Whether something arrives where nothing was, for numbers of 0 and more: in their bits, to spare two comparisons.
#[inline]
fn is_first(before: f32, contribution: f32) -> bool {
    before.to_bits().wrapping_sub(1) & contribution.to_bits().wrapping_neg() >= 1 << 31
}

/// Adds a contribution to its target, which joins the queue if it is new. An entry counts only if the tail moves, so
/// that no branch depends on the amount.
#[inline]
fn arrive(
    amounts: &mut [f32; CELLS],
    queue: &mut [Place; CELLS],
    tail: &mut usize,
    target: Place,
    contribution: f32,
) {
    let before = amounts[target.cell()];
    amounts[target.cell()] = before + contribution;
    queue[*tail % CELLS] = target;
    *tail += usize::from(is_first(before, contribution));
}

/// Adds one amount of a source to the map.
#[inline]
fn add(to: &mut f32, amount: f32, filter: f32) {
    if amount > filter || *to == 0.0 {
        *to += amount;
    }
}

/// One source.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// One colour's board, and the scratch memory of one source.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// By cell the permeability.
    permeability: Box<[f32; CELLS]>,
    /// The squeezes of the block of four vertices whose upper left vertex is the cell. The entry of the cell is the
    /// larger permeability off the diagonal that falls to the right, over the diagonal factor. The one for the rising
    /// diagonal is [`CELLS`] further.
    squeeze: Box<[f32; 2 * CELLS]>,
    /// The amount at each cell: 0 between sources, and infinite where influence may not go, so that such a cell is
    /// never new.
    amounts: Box<[f32; CELLS]>,
    /// The queue.
    queue: Box<[Place; CELLS]>,
    /// The map being made.
    pub(super) map: Box<[f32; CELLS]>,
}

impl Kernel {
    pub(super) fn new() -> Self {
        Self {
            permeability: Box::new([0.0; CELLS]),
            squeeze: Box::new([0.0; 2 * CELLS]),
            amounts: Box::new([0.0; CELLS]),
            queue: Box::new([Place::default(); CELLS]),
            map: Box::new([0.0; CELLS]),
        }
    }

    /// Step 1: the board for the influence of `color`.
    pub(super) fn prepare(&mut self, field: &Field, color: Color) {
        let len = field.blocked.len().min(CELLS);
        let stride = field.size + 1;
        let p = &field.permeability[color.index()][..len];
        self.permeability[..len].copy_from_slice(p);
        for (amount, &blocked) in self.amounts[..len].iter_mut().zip(&field.blocked[..len]) {
            *amount = if blocked { f32::INFINITY } else { 0.0 };
        }
        let per_diagonal = field.diagonal.recip();
        let blocks = len - stride - 1;
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        let (falling, rising) = self.squeeze.split_at_mut(CELLS);
        let (ul, ur, dl, dr) =
            (&p[..blocks], &p[1..=blocks], &p[stride..stride + blocks], &p[stride + 1..=stride + blocks]);
        let (falling, rising) = (&mut falling[..blocks], &mut rising[..blocks]);
        for i in 0..blocks {
            falling[i] = larger(ur[i], dl[i]) * per_diagonal;
            rising[i] = larger(ul[i], dr[i]) * per_diagonal;
        }
    }

    /// Adds the contributions of the source to the cells of the map: steps 2 to 4. Each cell is reported once, with its
    /// amount.
    pub(super) fn spread(&mut self, source: &Source, geometry: &Geometry, mut told: impl FnMut(usize, f32)) {
        let Self { permeability, squeeze, amounts, queue, map } = self;
        let squeeze = |cell: usize, to: i32| squeeze[cell.wrapping_add_signed(to as isize) % (2 * CELLS)];
        let start = Place::of_source(source.cell);
        map[start.cell()] += source.strength;
        // The source itself sends in all directions; its targets are new.
        let passed = source.strength * source.per_step * permeability[start.cell()];
        let mut tail = 0;
        for d in 0..8 {
            let factor = if d < 4 { 1.0 } else { squeeze(start.cell(), geometry.squeeze[d - 4]) };
            let contribution = above(source.cutoff, passed * factor);
            arrive(amounts, queue, &mut tail, start.plus(geometry.steps[d]), contribution);
        }
        let mut head = 0;
        while head < tail {
            let place = queue[head % CELLS];
            let cell = place.cell();
            head += 1;
            // No damping and no squeeze is above 1: what is too little here is too little for every step (step 3).
            let passed = amounts[cell] * source.per_step * permeability[cell];
            if passed <= source.cutoff {
                continue;
            }
            let outward = geometry.outward(place);
            let mut arriving: [f32; 4] = std::array::from_fn(|i| passed * outward.damping[i]);
            arriving[2] *= squeeze(cell, outward.squeeze[0]);
            arriving[3] *= squeeze(cell, outward.squeeze[1]);
            let contributions = arriving.map(|a| above(source.cutoff, a));
            for (contribution, &step) in contributions.into_iter().zip(&outward.step) {
                arrive(amounts, queue, &mut tail, place.plus(step), contribution);
            }
        }
        for place in &queue[..tail.min(CELLS)] {
            let amount = std::mem::take(&mut amounts[place.cell()]);
            told(place.cell(), amount);
            add(&mut map[place.cell()], amount, source.filter);
        }
    }

    /// Step 4 for a source whose amounts are known.
    pub(super) fn add_known(&mut self, source: &Source, amounts: &[(u16, f32)]) {
        self.map[source.cell % CELLS] += source.strength;
        for &(cell, amount) in amounts {
            add(&mut self.map[usize::from(cell) % CELLS], amount, source.filter);
        }
    }
}
