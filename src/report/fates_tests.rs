//! Tests of the fate of groups: which groups are lost, and at which move.

use super::*;

/// A game of a board of three lines: in each position the dead or living black stones of the first row.
fn fates(rows: &[&str]) -> Fates {
    let stone = |(n, letter): (usize, char)| match letter {
        'a' => Some((Color::Black, false, Vertex::from_index(n / 3 * 3, 3))),
        'd' => Some((Color::Black, true, Vertex::from_index(n / 3 * 3, 3))),
        _ => None,
    };
    let position = |(n, row): (usize, &&str)| {
        let mut stones: Vec<Stone> = row.chars().enumerate().map(stone).collect();
        stones.resize(9, None);
        (n + 1, stones)
    };
    Fates { size: 3, positions: rows.iter().enumerate().map(position).collect() }
}

#[test]
fn a_group_is_lost_where_it_dies_for_good_and_not_where_its_status_flips() {
    let lost = fates(&["aaa", "ddd", "aaa", "ddd", "ddd"]).lost();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!((lost[0].number, lost[0].stones.len(), lost[0].is_taken), (4, 3, false));
    assert!(fates(&["aaa", "ddd", "aaa"]).lost().is_empty(), "it lives in the end");
}

#[test]
fn a_group_taken_off_alive_is_lost_when_it_is_taken() {
    let lost = fates(&["aaa", "aaa", "..."]).lost();
    assert_eq!((lost.len(), lost[0].number, lost[0].is_taken), (1, 3, true));
    let dead_before = fates(&["aaa", "ddd", "..."]).lost();
    assert_eq!((dead_before[0].number, dead_before[0].is_taken), (2, false));
}

#[test]
fn single_stones_and_pairs_are_left_out() {
    assert!(fates(&["aa.", "dd."]).lost().is_empty());
}

#[test]
fn a_flicker_of_the_status_does_not_move_the_deciding_move() {
    let rows =
        ["aaa", "ddd", "ddd", "ddd", "ddd", "ddd", "ddd", "aaa", "ddd", "ddd", "ddd", "ddd", "ddd", "ddd"];
    let lost = fates(&rows).lost();
    assert_eq!((lost.len(), lost[0].number), (1, 2), "{lost:?}");
    let back = ["aaa", "ddd", "ddd", "aaa", "aaa", "aaa", "ddd", "ddd"];
    assert_eq!(fates(&back).lost()[0].number, 7, "it had come back to life");
}

#[test]
fn stones_put_in_one_by_one_and_taken_off_together_are_one_group() {
    let lost = fates(&["d..", "dd.", "ddd", "..."]).lost();
    assert_eq!((lost.len(), lost[0].stones.len()), (1, 3), "{lost:?}");
}
