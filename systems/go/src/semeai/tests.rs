use super::count::{Runner, eye_class, eye_liberties, margin};
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

/// The race between the strings of Black and White on the marked vertices `a` (mine) and `b` (theirs).
fn race(diagram: &str, mine: (usize, usize), theirs: (usize, usize)) -> (RaceResult, usize) {
    let (board, _) = Board::from_diagram(diagram).expect("a diagram");
    let size = board.size();
    let stones = |(row, col)| board.stones(Vertex::new(row, col, size)).collect::<Vec<_>>();
    let (mine, theirs) = (stones(mine), stones(theirs));
    let alive: Vec<bool> = (0..board.padded_len())
        .map(|i| {
            let v = Vertex(i as u16);
            board.color_at(v).is_some() && !mine.contains(&v) && !theirs.contains(&v)
        })
        .collect();
    let dead = vec![false; board.padded_len()];
    let found = RaceReader::default().analyse(&board, &mine, &theirs, (&alive, &dead), 2000);
    (found, size)
}

#[test]
fn races_on_the_edge() {
    let equal = "
        . X X O O . . . .
        X X O X O . . . .
        O O O X O . . . .
        X X X X O . . . .
        O O O O O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    // White's three at A7 to C8 have no liberty but by capturing; the diagram is a plain capture.
    let (found, size) = race(equal, (3, 0), (2, 0));
    assert_eq!((found.defense, found.attack), (Code::Win, Code::Win), "{}", found.point.to_gtp(size));
}
