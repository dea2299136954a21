//! Tests of the weakness of a dragon.

use super::*;

#[test]
fn two_large_numbers_outweigh_one_small_one_no_more_than_allowed() {
    assert!((of_room(0.0, 0, 0.0) - 1.0).abs() < 1e-6);
    assert!(of_room(15.0, 0, 0.0).abs() < 1e-6);
    assert!((of_room(9.0, 10, 0.0) - 0.195).abs() < 1e-6);
}
