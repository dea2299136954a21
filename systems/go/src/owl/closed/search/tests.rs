//! Tests of the search of closed life-and-death problems.

use super::*;

#[test]
fn eight_eighths_double_a_first_number() {
    for (eighths, number) in [(0, 16), (8, 32), (-8, 8), (4, 22), (-4, 11), (-16, 4), (-400, 1), (400, MOST)]
    {
        assert_eq!(doubled(eighths), number, "{eighths}");
    }
    assert!((-60..60).all(|e| doubled(e) <= doubled(e + 1)));
}

#[test]
fn a_move_that_decided_before_is_looked_at_sooner() {
    let rates = [(0, 0), (0, 4), (4, 4), (100, 100)].map(|(decided, tried)| Success { decided, tried });
    let numbers = rates.map(|success| success.weigh(16, 16));
    assert_eq!(numbers[0], (128, 128), "nothing is known");
    assert!(numbers[1].0 > 128 && numbers[1].1 < 128, "it failed");
    assert!(numbers[2].0 < 128 && numbers[3].0 < numbers[2].0, "it decided, and often");
}
