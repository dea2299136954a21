//! Spreads influence over a board. The module has the input, the propagation from all sources, and the resulting map.
//!
//! [`mod@field`] is the input. [`permeability`] is the effect of stones on it, and [`effects`] the effect of patterns.
//! [`Spreader`] does the propagation that the steps below describe, and [`InfluenceMap`] is the result.
//! [`crate::influence`] decides the strengths of the stones and the patterns.
//!
//! # Source
//! GNU Go 3.8 manual, chapter "Influence", section "The Influence Algorithm". The details that the text leaves out
//! are measured against GNU Go 3.8's answers.
//!
//! # Notation
//! A source is at `(m, n)` with strength `s` and attenuation `A`. A vertex at the offset `(a, b)` from it holds the
//! amount `w`. A step in the direction `(di, dj)` contributes `P * w / (A * g) * D`. `P` is the permeability, `g` the
//! factor of a diagonal step, and `D = (di*a + dj*b)^2 / ((a^2 + b^2) (di^2 + dj^2))` the squared cosine.
//!
//! # Steps
//! 1. Once for a map and colour: find the permeability of every vertex. The *squeeze* of every diagonal step is the
//!    larger permeability of the two vertices beside it, divided by `g`. A block of four vertices has two squeezes.
//!    Blocked vertices get an infinite amount, so that they never count as new. Once for a board size: find for every
//!    offset the outward directions, at most four, with their `D` and the distance of the target.
//! 2. For each source: process a queue of vertices in the order of their arrival. Each vertex sends influence in its
//!    outward directions. The tests whether a contribution is above the cutoff and whether its target is new are
//!    arithmetic, not branches, because a branch would be unpredictable.
//! 3. A vertex whose amount is too small for any step passes nothing on.
//! 4. The source's amounts are added to the colour's map, and cleared.
//!
//! # Departures
//! None. Vertices are handled in the order of the manual's queue ([`mod@reference`]), so both agree except for the last
//! bits of the products. An amount that arrives at a vertex after it was handled is kept, but not passed on.
//!
//! Two variants are slower on the recorded 19x19 positions, where a source reaches 34 vertices. The first processes
//! rings of lines, four vertices at a time. It takes 8000 instructions for each source; this kernel takes 3900, and the
//! plain queue takes 17000. The second has a table of all eight factors of every vertex instead of permeability and
//! squeezes. It costs a lone source 800 ns more.
//!
//! # Cost
//! `O(vertices reached)` for each source; nothing is allocated. Figures: `docs/go-influence.md`.

pub mod effects;
pub mod field;
mod geometry;
mod kernel;
mod map;
mod memory;
pub mod permeability;
pub mod reference;

pub use effects::{Cause, Effect};
pub use field::{Field, PerColor};
pub use map::InfluenceMap;

use crate::board::Color;
use field::padded_len;
use geometry::Geometry;
use kernel::{Kernel, Source};
use memory::Memory;

/// Amounts at or below this many cutoffs are dropped at vertices that have influence already.
const FINAL_FILTER: f32 = 1.01;

/// Boards up to this size fit the kernel's arrays.
const MAX_SIZE: usize = 25;
/// Cells of the kernel's arrays, which are padded as the field's are: a power of two, so that masks keep indices inside.
const CELLS: usize = 1024;

/// The number of entries of the padded array that one step searches for sources.
const LANES: usize = 16;

/// The propagation kernel with its scratch memory: keep one per thread and use it again.
#[derive(Clone, Debug)]
pub struct Spreader {
    kernel: Kernel,
    likeness: Likeness,
}

/// The stored contributions for similar fields.
#[derive(Clone, Debug, Default)]
enum Likeness {
    #[default]
    None,
    /// The next field is like those that come after it.
    Next,
    /// The first of them.
    To(Box<Memory>),
}

impl Default for Spreader {
    fn default() -> Self {
        Self { kernel: Kernel::new(), likeness: Likeness::None }
    }
}

impl Spreader {
    /// A kernel with empty scratch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on the fields given to [`Self::spread`] are similar to the next one. Equal contributions of its
    /// sources are reused. The results are those without, to the last bit.
    pub fn expect_alike(&mut self) {
        self.likeness = Likeness::Next;
    }

    /// Computes the influence of both colours into `out` (padded arrays, made to fit).
    pub fn spread(&mut self, field: &Field, out: &mut PerColor<Vec<f32>>) {
        let mut likeness = std::mem::take(&mut self.likeness);
        let first = matches!(likeness, Likeness::Next);
        if first {
            likeness = Likeness::To(Box::new(Memory::new(field)));
        }
        for color in Color::BOTH {
            let out = &mut out[color.index()];
            out.clear();
            out.resize(padded_len(field.size), 0.0);
            match &mut likeness {
                Likeness::To(memory) if first => {
                    let (sources, stride) = (memory.of_mut(color), field.size + 1);
                    self.each_source(field, color, out, |kernel, source, geometry| {
                        kernel.spread(source, geometry, |cell, amount| sources.keep_amount(cell, amount));
                        sources.keep_source(*source, stride);
                    });
                }
                Likeness::To(memory) if memory.fits(field) => {
                    let sources = memory.of(color);
                    let (changed, mut from) = (sources.changes(field, color), 0);
                    self.each_source(field, color, out, |kernel, source, geometry| {
                        match sources.recall(source, &changed, &mut from) {
                            Some(amounts) => kernel.add_known(source, amounts),
                            None => kernel.spread(source, geometry, |_, _| ()),
                        }
                    });
                }
                _ => self.each_source(field, color, out, |kernel, source, geometry| {
                    kernel.spread(source, geometry, |_, _| ());
                }),
            }
        }
        self.likeness = likeness;
    }

    /// Lets the kernel, made ready, handle each source in the order of the vertices.
    ///
    /// # Panics
    /// If the board is larger than 25x25.
    fn each_source(
        &mut self,
        field: &Field,
        color: Color,
        out: &mut [f32],
        mut handle: impl FnMut(&mut Kernel, &Source, &Geometry),
    ) {
        assert!(field.size <= MAX_SIZE, "boards have at most 25 lines");
        let (strength, attenuation) = (&field.strength[color.index()], &field.attenuation[color.index()]);
        let geometry = Geometry::of(field.size);
        let mut begun = false;
        // Walls have no strength, and the padded array is in vertex order.
        for (chunk, strengths) in strength.chunks(LANES).enumerate() {
            if !strengths.iter().fold(false, |any, &s| any | (s > 0.0)) {
                continue;
            }
            for (i, &strength) in strengths.iter().enumerate() {
                let at = chunk * LANES + i;
                if strength <= 0.0 {
                    continue;
                }
                if !begun {
                    self.kernel.prepare(field, color); // step 1
                    self.kernel.map[..out.len()].copy_from_slice(out);
                    begun = true;
                }
                let source = Source {
                    cell: at,
                    strength,
                    per_step: attenuation[at].recip(),
                    cutoff: field.cutoff,
                    filter: field.cutoff * FINAL_FILTER,
                };
                handle(&mut self.kernel, &source, geometry); // steps 2 to 4
            }
        }
        if begun {
            out.copy_from_slice(&self.kernel.map[..out.len()]);
        }
    }
}

#[cfg(test)]
mod tests;
