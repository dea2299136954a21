//! Late move reductions: the table of reductions by depth and by the number of the move.
//!
//! # Source
//! The logarithmic formula in general use (Chess Programming Wiki, "Late Move Reductions"); the factors are Tengen's
//! own.

use super::constants::{LOGARITHMS, REDUCTION};
use std::sync::OnceLock;

/// The basic reduction in 1024ths of a ply, from the number of the move (from 1) alone.
#[inline]
#[must_use]
pub(super) fn base(depth: i32, number: i32) -> i32 {
    table()[depth.min(63) as usize][number.min(63) as usize]
}

/// Reductions in 1024ths of a ply, by depth and number of the move.
fn table() -> &'static [[i32; 64]; 64] {
    /// Origin: definition, made from the constants.
    static TABLE: OnceLock<[[i32; 64]; 64]> = OnceLock::new();
    TABLE.get_or_init(|| {
        // Logarithms in 1024ths, by integers alone so that every machine has the same table.
        let ln = |x: usize| -> i64 {
            let (whole, x) = (x.ilog2(), x as i64);
            let fraction = ((x << 10) >> whole) - 1024;
            ((i64::from(whole) * 1024 + fraction) * 710) / 1024
        };
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let product = ln(depth) * ln(number);
                *cell = REDUCTION + (product * LOGARITHMS[0] / (1024 * LOGARITHMS[1])) as i32;
            }
        }
        table
    })
}
