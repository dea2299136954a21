//! Keeps the contributions of the sources of one field, for fields that differ from it in a few vertices. Such fields
//! are those after a move.
//!
//! # Steps
//! 1. For every source of the first field, keep the cells that it reaches, their amounts and the *footprint* of the
//!    source. The footprint is the cells, the source, and all eight neighbours of every cell that passes influence on.
//!    The contribution of a source depends on nothing beyond its footprint.
//! 2. In another field, mark the vertices with another permeability or blocking.
//! 3. A source of the same strength and attenuation whose footprint has no marked vertex gives the same amounts. They
//!    are added in the same order, so the map is the same to the last bit.
//!
//! # Cost
//! A field after a move costs 0.6 of a field from scratch on 13x13 and 19x19, 0.8 on 9x9 (bench `after moves`).

use super::CELLS;
use super::kernel::Source;
use crate::board::{Color, Vertex};
use crate::spread::field::{Field, PerColor};

/// A set of cells.
type Cells = crate::board::Cells<{ CELLS / 64 }>;

/// The sources of one field.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    size: usize,
    diagonal: f32,
    colors: PerColor<Sources>,
}

/// The contributions of one colour.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    permeability: Vec<f32>,
    blocked: Vec<bool>,
    /// In the order of their cells.
    known: Vec<Known>,
    /// Cells and amounts of all, one source's after the other's.
    amounts: Vec<(u16, f32)>,
}

/// The data about one source.
#[derive(Clone, Debug)]
struct Known {
    source: Source,
    footprint: Cells,
    /// The end of its part of the amounts, and the beginning of the next part.
    end: usize,
}

impl Memory {
    pub(super) fn new(field: &Field) -> Self {
        let sources = |color: Color| Sources {
            permeability: field.permeability[color.index()].clone(),
            blocked: field.blocked.clone(),
            ..Sources::default()
        };
        Self { size: field.size, diagonal: field.diagonal, colors: Color::BOTH.map(sources) }
    }

    /// Whether the field is one of the same kind.
    pub(super) fn fits(&self, field: &Field) -> bool {
        self.size == field.size && self.diagonal.to_bits() == field.diagonal.to_bits()
    }

    pub(super) fn of(&self, color: Color) -> &Sources {
        &self.colors[color.index()]
    }

    pub(super) fn of_mut(&mut self, color: Color) -> &mut Sources {
        &mut self.colors[color.index()]
    }
}

impl Sources {
    /// Step 1: a cell of the source that is being spread.
    #[inline]
    pub(super) fn keep_amount(&mut self, cell: usize, amount: f32) {
        self.amounts.push((cell as u16, amount));
    }

    /// Step 1: that was all of the source. Rows are `stride` cells long.
    pub(super) fn keep_source(&mut self, source: Source, stride: usize) {
        let begin = self.known.last().map_or(0, |k| k.end);
        let [mut cells, mut senders] = [Cells::EMPTY; 2];
        senders.insert(Vertex(source.cell as u16));
        for &(cell, amount) in &self.amounts[begin..] {
            let at = Vertex(cell);
            cells.insert(at);
            // What arrived after the cell was handled is in the amount, too: so some of these sent nothing.
            if amount * source.per_step * self.permeability[at.at()] > source.cutoff {
                senders.insert(at);
            }
        }
        let footprint = cells | senders.spread(1).spread(stride as i32);
        self.known.push(Known { source, footprint, end: self.amounts.len() });
    }

    /// Step 2.
    pub(super) fn changes(&self, field: &Field, color: Color) -> Cells {
        let mut changed = Cells::EMPTY;
        let then = self.permeability.iter().zip(&self.blocked);
        let now = field.permeability[color.index()].iter().zip(&field.blocked);
        for (at, ((p, b), (q, c))) in then.zip(now).enumerate().take(CELLS) {
            changed.0[at / 64] |= u64::from(p.to_bits() != q.to_bits() || b != c) << (at % 64);
        }
        changed
    }

    /// Step 3: the amounts of the source, if it gives the same. `from` is where to look for it, and moves on: sources come
    /// in the order of their cells.
    pub(super) fn recall(&self, source: &Source, changed: &Cells, from: &mut usize) -> Option<&[(u16, f32)]> {
        while self.known.get(*from)?.source.cell < source.cell {
            *from += 1;
        }
        let known = &self.known[*from];
        let same = known.source == *source && !known.footprint.meets(&changed.0);
        let begin = from.checked_sub(1).map_or(0, |before| self.known[before].end);
        same.then(|| &self.amounts[begin..known.end])
    }
}
