//! Splits gates that have more inputs than a propagator's counter can count.

use super::super::builder::rebuild;
use super::super::{Lit, Net};

// The most inputs of a gate after this pass.
const MAX_INPUTS: usize = (1 << 14) - 1;

/// The net with no gate above `MAX_INPUTS`.
pub(super) fn run(net: &Net) -> Net {
    rebuild(net, Lit::of, |b, _, inputs| {
        let mut list = inputs.to_vec();
        while list.len() > MAX_INPUTS {
            list = list.chunks(MAX_INPUTS).map(|part| b.and(part.iter().copied())).collect();
        }
        b.and(list)
    })
}
