//! The geometry of propagation: data that depend only on the size of the board and the offset from the source.

use super::CELLS;
use crate::spread::field::DIRECTIONS;
use std::sync::OnceLock;

/// The number of offsets in a row of the table: one row more is this many entries further, one column more is one.
const OFFSET_PITCH: i32 = 64;
/// The entry of the source itself.
const ORIGIN: u32 = (OFFSET_PITCH * OFFSET_PITCH / 2 + OFFSET_PITCH / 2) as u32;
/// Entries of the table.
const OFFSETS: usize = (OFFSET_PITCH * OFFSET_PITCH) as usize;

/// A vertex and its offset from the source in one number, so that one addition moves both. The lower half is the
/// cell, the upper half the entry of the offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place(u32);

impl Place {
    pub(super) const fn of_source(cell: usize) -> Self {
        Self(ORIGIN << 16 | cell as u32)
    }

    #[inline]
    pub(super) const fn cell(self) -> usize {
        self.0 as usize % CELLS
    }

    #[inline]
    pub(super) const fn plus(self, step: Step) -> Self {
        Self(self.0.wrapping_add(step.0))
    }
}

/// The difference of two places.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step(u32);

/// The four directions that can lead away from the source at an offset. Two along the lines come first, then two
/// diagonals, both in the order of the queue. If only three lead away, the last of a kind has damping 0.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(super) struct Outward {
    /// The squared cosines.
    pub(super) damping: [f32; 4],
    /// The steps.
    pub(super) step: [Step; 4],
    /// From the cell to the entry of the squeeze of the diagonals.
    pub(super) squeeze: [i32; 2],
}

/// The tables of one board size.
#[derive(Debug)]
pub(super) struct Geometry {
    /// All eight steps, as the queue orders them.
    pub(super) steps: [Step; 8],
    /// From the cell to the squeeze of the last four.
    pub(super) squeeze: [i32; 4],
    outward: Box<[Outward; OFFSETS]>,
}

impl Geometry {
    pub(super) fn of(size: usize) -> &'static Self {
        static TABLES: [OnceLock<Geometry>; super::MAX_SIZE + 1] =
            [const { OnceLock::new() }; super::MAX_SIZE + 1];
        TABLES[size].get_or_init(|| Self::new(size))
    }

    fn new(size: usize) -> Self {
        let stride = size as i32 + 1;
        let steps = DIRECTIONS.map(|(down, right)| {
            Step((((down * OFFSET_PITCH + right) << 16) + down * stride + right) as u32)
        });
        // Down and left, up and left, up and right, down and right: a step along a rising diagonal is squeezed by the
        // two vertices on the falling one of its block, which stand in the second half; and the other way round.
        let n = CELLS as i32;
        let squeeze = [n - 1, -stride - 1, n - stride, 0];
        let mut outward: Box<[Outward; OFFSETS]> =
            vec![Outward::default(); OFFSETS].try_into().expect("so many");
        let reach = size as i32 - 1;
        for a in -reach..=reach {
            for b in -reach..=reach {
                if (a, b) == (0, 0) {
                    continue;
                }
                let of = &mut outward[(ORIGIN as i32 + a * OFFSET_PITCH + b) as usize];
                for (lanes, kind) in [(0, 0..4), (2, 4..8)] {
                    let mut free = lanes;
                    for d in kind {
                        let (down, right) = DIRECTIONS[d];
                        let scalar = down * a + right * b;
                        if scalar > 0 {
                            let lengths = (a * a + b * b) * (down * down + right * right);
                            of.damping[free] = (scalar * scalar) as f32 / lengths as f32;
                            of.step[free] = steps[d];
                            if d >= 4 {
                                of.squeeze[free - 2] = squeeze[d - 4];
                            }
                            free += 1;
                        }
                    }
                }
            }
        }
        Self { steps, squeeze, outward }
    }

    #[inline]
    pub(super) fn outward(&self, place: Place) -> &Outward {
        &self.outward[(place.0 >> 16) as usize % OFFSETS]
    }
}
