//! Tests of the terms of a move's value.

use super::*;

/// A value of `T`, `F`, `R` and a factor.
fn value(gain: f32, followup: f32, reverse: f32, factor: f32) -> Terms {
    let mut terms = Terms::default();
    terms.set(Term::Territory, gain);
    terms.count_followups(followup, reverse);
    terms.finish(factor, 0.0, f32::MAX);
    terms
}

#[test]
fn a_follow_up_counts_half_until_the_move_is_sente_and_then_doubles_it() {
    // T, F, R, and the value.
    let cases = [
        (1.0, 3.0, 0.0, 2.0), // the manual's push: sente once it is worth playing
        (4.0, 0.0, 0.0, 4.0),
        (4.0, 2.0, 0.0, 5.0),
        (4.0, 8.0, 0.0, 8.0),
        (4.0, 80.0, 0.0, 8.0),
        (4.0, 0.0, 80.0, 8.0),
        (4.0, 80.0, 80.0, 12.0),
        (0.0, 50.0, 0.0, 0.0), // a threat that gains nothing
        (-2.0, 50.0, 0.0, 0.0),
    ];
    for (gain, followup, reverse, wanted) in cases {
        let terms = value(gain, followup, reverse, 1.0);
        assert!((terms.total() - wanted).abs() < 1e-5, "{gain} {followup} {reverse}: {terms:?}");
    }
}

#[test]
fn the_terms_add_up_to_the_value_whatever_shape_and_limits_do() {
    let mut terms = value(6.0, 4.0, 2.0, 1.1);
    assert!((terms.total() - 9.9).abs() < 1e-4);
    terms.finish(0.5, 0.0, 3.0);
    assert!((terms.total() - 3.0).abs() < 1e-5);
    assert_eq!(terms.named().map(|(_, points)| points).sum::<f32>(), terms.total());
    terms.finish(0.5, 20.0, 30.0);
    assert!((terms.total() - 20.0).abs() < 1e-5);
}
