//! Corrects the two views of a board, because the net overrates the right to move.
//!
//! # Source
//! Own work; the fit is in `experiments/2026-11-28-go-judge-balance.md`.
//!
//! # Notation
//! `h` is half the difference between the leads with Black and with White to move, in points. It is half the net's
//! value of the right to move.
//!
//! # Steps
//! 1. The mean of both leads stays. Half the difference becomes [`worth`]`(h)`: nearly `h` for small values, little
//!    above seven points for large values.
//! 2. The owner maps of the two views are mixed in the same proportion.
//!
//! # Cost
//! One pass over both maps.

use super::net::Verdict;

/// How high the curve rises, where it bends, and its slope beyond. Fit by bins of `h` on 2,359 positions of ten games of
/// `learn_{a,b}`, part `choose`.
const HEIGHT: f32 = 7.2;
const BEND: f32 = 8.0;
const SLOPE: f32 = 0.1;

/// Half the worth of the right to move where the net says `h`, in points.
fn worth(h: f32) -> f32 {
    HEIGHT * libm::tanhf(h / BEND) + SLOPE * h
}

/// All steps, for the views with either side to move, each from the side of its mover.
pub(super) fn balance([ours, theirs]: &mut [Verdict; 2]) {
    let h = f32::midpoint(ours.lead, theirs.lead);
    let mean = f32::midpoint(ours.lead, -theirs.lead);
    let kept = if h.abs() < 0.01 { 1.0 } else { worth(h) / h };
    (ours.lead, theirs.lead) = (mean + worth(h), -mean + worth(h));
    let own = f32::midpoint(1.0, kept);
    for (a, b) in ours.owner.iter_mut().zip(&mut theirs.owner) {
        (*a, *b) = (own * *a - (1.0 - own) * *b, own * *b - (1.0 - own) * *a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(lead: f32, owner: f32) -> Verdict {
        Verdict { owner: vec![owner], likelihood: Vec::new(), lead, spread: 1.0 }
    }

    #[test]
    fn the_mean_of_both_leads_stays_and_a_large_difference_shrinks() {
        for (ours, theirs, worth) in
            [(1.0, 1.0, 1.0), (30.0, -6.0, 7.72), (-4.0, 44.0, 9.10), (0.0, 0.0, 0.0)]
        {
            let mut both = [verdict(ours, 0.5), verdict(theirs, 0.1)];
            balance(&mut both);
            let [a, b] = both.map(|verdict| verdict.lead);
            assert!((f32::midpoint(a, -b) - f32::midpoint(ours, -theirs)).abs() < 1e-4, "{ours} {theirs}");
            assert!((f32::midpoint(a, b) - worth).abs() < 0.01, "{ours} {theirs}: {a} {b}");
        }
    }

    #[test]
    fn the_sides_may_change_places() {
        let mut both = [verdict(12.5, 0.7), verdict(3.25, -0.4)];
        let mut turned = [both[1].clone(), both[0].clone()];
        balance(&mut both);
        balance(&mut turned);
        assert_eq!(both[0].lead.to_bits(), turned[1].lead.to_bits());
        assert_eq!(both[1].owner, turned[0].owner);
    }
}
