//! Valuation: what the reasons of a candidate are worth, in points.
//!
//! # Source
//! GNU Go manual, "Valuation of suggested moves".

use super::generators::Facts;
use super::reason::{Candidate, Reason};

/// Gives every candidate its value.
pub fn value(facts: &Facts<'_>, candidates: &mut [Candidate]) {
    for candidate in candidates {
        for reason in &candidate.reasons {
            match reason {
                Reason::Attack(v, code) => {
                    candidate.territorial += 2.0 * facts.board.string_size(*v) as f32 * certainty(*code);
                }
                Reason::Defend(v, code) => {
                    candidate.territorial += 2.0 * facts.board.string_size(*v) as f32 * certainty(*code);
                }
                _ => {}
            }
        }
        candidate.value = (candidate.territorial + candidate.strategic).max(candidate.minimum);
    }
}

/// A result with ko is worth a part of the sure one.
fn certainty(code: u8) -> f32 {
    match code {
        1 => 1.0,
        2 => 0.6,
        _ => 0.4,
    }
}
