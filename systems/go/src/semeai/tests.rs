//! Tests of races: counts, searches, and seki.

use super::count::{Runner, eye_class, eye_liberties, margin};
use super::view::Side;
use super::*;

const fn runner(exclusive: u32, eye_size: u32) -> Runner {
    Runner { exclusive, eye: eye_class(eye_size) }
}

/// The killer's and, with the same side moving first, the victim's success.
fn outcome(killer: Runner, victim: Runner, shared: u32) -> (bool, bool) {
    (margin(killer, victim, shared, true) >= 0, margin(victim, killer, shared, false) >= 0)
}

#[test]
fn textbook_counts() {
    // (killer's exclusive liberties and eye, victim's, shared, killer kills, killer is killed), the killer first.
    let table = [
        ("equal, no shared: whoever is first", (3, 0), (3, 0), 0, true, false),
        ("one behind", (2, 0), (3, 0), 0, false, true),
        ("one shared is like none", (3, 0), (3, 0), 1, true, false),
        ("two shared make a seki of equals", (3, 0), (3, 0), 2, false, false),
        ("one ahead beats two shared", (4, 0), (3, 0), 2, true, false),
        ("far behind with two shared", (1, 0), (4, 0), 2, false, true),
        ("an eye against none takes the shared", (2, 1), (4, 0), 3, true, false),
        ("no eye against an eye has to fill all shared", (5, 0), (3, 1), 3, false, true),
        ("no eye against an eye, far ahead", (6, 0), (3, 1), 3, true, false),
        ("two eyes of a kind and a shared liberty: seki", (3, 1), (3, 1), 1, false, false),
        ("a big eye against a small one has no seki", (5, 4), (5, 1), 2, true, false),
    ];
    for (name, (k, k_eye), (v, v_eye), shared, kills, dies) in table {
        assert_eq!(outcome(runner(k, k_eye), runner(v, v_eye), shared), (kills, dies), "{name}");
    }
    for (size, liberties) in [(1, 1), (2, 2), (3, 3), (4, 5), (5, 8), (6, 12)] {
        assert_eq!(eye_liberties(size, 0), liberties, "an eye of {size}");
    }
}

#[test]
fn both_sides_never_kill_each_other() {
    for bits in 0..8 * 8 * 5 * 3 * 3_u32 {
        let (k, v, shared) = (bits % 8, bits / 8 % 8, bits / 64 % 5);
        let (k_eye, v_eye) = (bits / 320 % 3, bits / 960 % 3);
        let (killer, victim) = (runner(k, 3 * k_eye), runner(v, 3 * v_eye));
        for first in [false, true] {
            let kills = margin(killer, victim, shared, first) >= 0;
            let dies = margin(victim, killer, shared, !first) >= 0;
            assert!(!(kills && dies), "{killer:?} {victim:?} {shared}");
            let seki = !kills && !dies;
            assert!(!seki || killer.eye == victim.eye && shared > 0, "{killer:?} {victim:?} {shared}");
        }
    }
}

/// A race of two rows across the board. Mine has the first number of outside liberties, theirs the second. No liberty
/// is shared, and all strings around live.
fn rows(mine: usize, theirs: usize) -> Vec<Vec<char>> {
    let line = |liberties: usize, wall: char| {
        let at = |i| if i < liberties { '.' } else { wall };
        (0..9).map(at).collect::<Vec<_>>()
    };
    let full = |stone: char| vec![stone; 9];
    let empty = full('.');
    vec![
        empty.clone(),
        full('X'),
        line(theirs, 'X'),
        full('O'),
        full('X'),
        line(mine, 'O'),
        full('O'),
        empty.clone(),
        empty,
    ]
}

/// The diagram with rows and columns exchanged, mirrored, or with the colours swapped, as the bits say.
fn turned(diagram: &[Vec<char>], bits: u32) -> Vec<Vec<char>> {
    let n = diagram.len();
    let mut turned = diagram.to_vec();
    for (row, line) in turned.iter_mut().enumerate() {
        for (col, c) in line.iter_mut().enumerate() {
            let (r, k) = if bits & 1 == 0 { (row, col) } else { (col, row) };
            let r = if bits & 2 == 0 { r } else { n - 1 - r };
            let k = if bits & 4 == 0 { k } else { n - 1 - k };
            *c = match diagram[r][k] {
                'X' if bits & 8 != 0 => 'O',
                'O' if bits & 8 != 0 => 'X',
                other => other,
            };
        }
    }
    turned
}

/// The race on a turned diagram of [`rows`], mine being the fifth row.
fn race(diagram: &[Vec<char>], bits: u32) -> RaceResult {
    let text: Vec<String> =
        turned(diagram, bits).into_iter().map(|line| line.into_iter().collect()).collect();
    let (board, _) = Board::from_diagram(&text.join("\n")).expect("a diagram");
    // The numbers of the rows go the same way as the stones.
    let rows = turned(&(0..9).map(|row| vec![char::from(b'0' + row); 9]).collect::<Vec<_>>(), bits & 7);
    let of =
        |row: char| -> Vec<Vertex> { board.vertices().filter(|v| rows[v.row(9)][v.col(9)] == row).collect() };
    let (mine, theirs) = (of('4'), of('3'));
    let mut alive = vec![false; board.padded_len()];
    for v in board.vertices().filter(|&v| board.color_at(v).is_some()) {
        alive[v.at()] = !mine.contains(&v) && !theirs.contains(&v);
    }
    let dead = vec![false; board.padded_len()];
    RaceReader::default().analyse(&board, &mine, &theirs, (&alive, &dead), 2000)
}

#[test]
fn whoever_has_more_liberties_or_the_move_wins_in_every_orientation_and_colour() {
    for (mine, theirs, codes) in [
        (3, 3, (Code::Win, Code::Win)),
        (4, 3, (Code::Win, Code::Win)),
        (2, 3, (Code::Fail, Code::Fail)),
        (5, 2, (Code::Win, Code::Win)),
        (2, 5, (Code::Fail, Code::Fail)),
    ] {
        for bits in 0..16 {
            let found = race(&rows(mine, theirs), bits);
            assert_eq!((found.defense, found.attack), codes, "{mine} to {theirs} liberties, turned {bits}");
            assert!(found.certain);
            assert_eq!(found.line.is_empty(), codes.0 == Code::Fail, "{mine} to {theirs}");
        }
    }
}

#[test]
fn a_prey_makes_its_captor_live_if_it_leaves_a_large_room_or_a_second_eye() {
    let side = |spoils, eye| Side { spoils, eye, ..Side::default() };
    for (spoils, eye, lives) in [(7, 0, true), (6, 0, false), (2, 1, true), (1, 1, false)] {
        assert_eq!(
            side(0, eye).lives_by(&side(spoils, 0)),
            lives,
            "{spoils} vertices beside an eye of {eye}"
        );
    }
}
