//! Tests of the prediction of likely moves: ladders, shapes, and weights.

use super::ladder::Stones;
use super::shapes::{Shapes, parse};
use super::*;
use crate::board::{Board, Color, Vertex};
use crate::playout::board::code;
use proptest::prelude::*;

fn board(rows: &[&str]) -> Board {
    let size = rows.len();
    let mut board = Board::new(size);
    for (row, text) in rows.iter().enumerate() {
        for (col, cell) in text.bytes().enumerate() {
            let v = Vertex::from_index(row * size + col, size);
            match cell {
                b'X' => board.play(Color::Black, v).expect("legal"),
                b'O' => board.play(Color::White, v).expect("legal"),
                _ => continue,
            };
        }
    }
    board
}

fn at(text: &str, size: usize) -> usize {
    Vertex::from_gtp(text, size).expect("a vertex").at()
}

const LADDER: [&str; 7] = [".......", ".......", "..X....", ".XO....", ".X.....", ".......", "......."];

fn with(rows: [&'static str; 7], changes: &[(usize, &'static str)]) -> Stones {
    let mut rows = rows;
    changes.iter().for_each(|&(row, text)| rows[row] = text);
    Stones::from(&PlayoutBoard::from(&board(&rows)))
}

#[test]
fn a_ladder_catches_unless_a_stone_breaks_it_or_a_hunter_can_be_taken() {
    let prey = at("C4", 7);
    assert!(with(LADDER, &[]).hunt(prey, at("D4", 7), &mut { LADDERS }));
    assert!(
        !with(LADDER, &[]).hunt(prey, at("C3", 7), &mut { LADDERS }),
        "from the other side it gets three liberties"
    );
    assert!(
        !with(LADDER, &[(5, "....O..")]).hunt(prey, at("D4", 7), &mut { LADDERS }),
        "a friend stands in the way"
    );
    let weak = [(1, "..O...."), (2, ".OXO..."), (3, "OXO....")];
    assert!(
        !with(LADDER, &weak).hunt(prey, at("D4", 7), &mut { LADDERS }),
        "the hunter on C5 is taken first"
    );
}

#[test]
fn who_is_in_atari_gets_away_by_three_liberties_or_by_taking() {
    let prey = at("C4", 7);
    assert!(!with(LADDER, &[(3, ".XOX...")]).flee(prey, &mut { LADDERS }));
    assert!(with(LADDER, &[(3, ".XOX..."), (4, "..O...."), (5, "..O....")]).flee(prey, &mut { LADDERS }));
    assert!(with(LADDER, &[(3, ".XOX..."), (2, ".OXO..."), (1, "..O....")]).flee(prey, &mut { LADDERS }));
}

/// The same question on the playouts' board; `left` are the positions it may look at.
fn reference_flees(board: &PlayoutBoard, prey: usize, left: &mut u32) -> bool {
    if board.liberty_count(prey) > 1 || *left == 0 {
        return true;
    }
    *left -= 1;
    let own = board.color[prey];
    let mut ways: Vec<usize> = board.liberties(prey).iter().map(Vertex::at).collect();
    board.for_each_stone(prey, |s| {
        for n in board.neighbours(s) {
            if board.color[n] == 3 - own && board.liberty_count(n) == 1 {
                ways.push(board.liberty(n));
            }
        }
    });
    ways.into_iter().any(|way| {
        let mut next = Box::new(board.clone());
        next.pass();
        if !next.is_legal(way, own) {
            return false;
        }
        next.play(way, own);
        match next.liberty_count(prey) {
            0 | 1 => false,
            2 => {
                let liberties: Vec<usize> = next.liberties(prey).iter().map(Vertex::at).collect();
                !liberties.into_iter().any(|l| reference_catches(&next, prey, l, left))
            }
            _ => true,
        }
    })
}

fn reference_catches(board: &PlayoutBoard, prey: usize, hunt: usize, left: &mut u32) -> bool {
    let mut next = Box::new(board.clone());
    next.pass();
    let hunter = 3 - board.color[prey];
    next.is_legal(hunt, hunter) && {
        next.play(hunt, hunter);
        !reference_flees(&next, prey, left)
    }
}

/// The board turned by `k`: bit 0 mirrors columns, bit 1 rows, bit 2 swaps them; colours swapped with `swap`.
fn turned(board: &Board, k: usize, swap: bool) -> (PlayoutBoard, impl Fn(Vertex) -> Vertex) {
    let size = board.size();
    let turn = move |v: Vertex| {
        let (mut r, mut c) = (v.row(size), v.col(size));
        if k & 4 != 0 {
            std::mem::swap(&mut r, &mut c);
        }
        let c = if k & 1 != 0 { size - 1 - c } else { c };
        let r = if k & 2 != 0 { size - 1 - r } else { r };
        Vertex::from_index(r * size + c, size)
    };
    let mut other = PlayoutBoard::new(size);
    for v in board.vertices() {
        if let Some(color) = board.color_at(v) {
            let color = if swap { color.other() } else { color };
            other.play(turn(v).at(), code(color));
        }
    }
    (other, turn)
}

fn keys(board: &PlayoutBoard, color: u8, v: usize) -> Vec<u64> {
    let mut keys = Vec::new();
    Shapes::new(board, color).each(v, |_, key| {
        keys.push(key);
        true
    });
    keys
}

fn played(size: usize, picks: &[usize]) -> Board {
    let mut board = Board::new(size);
    let mut color = Color::Black;
    for pick in picks {
        let legal: Vec<_> = board.vertices().filter(|&v| board.is_legal(color, v)).collect();
        if let Some(&v) = legal.get(pick % legal.len().max(1)) {
            board.play(color, v).expect("legal");
        }
        color = color.other();
    }
    board
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn ratings_and_shapes_are_the_same_in_all_orientations_and_with_colours_swapped(
        size in 5usize..=11,
        picks in prop::collection::vec(0usize..1000, 1..70),
        k in 0usize..8,
        swap in any::<bool>(),
    ) {
        let board = played(size, &picks);
        let plain = turned(&board, 0, false).0;
        let (other, turn) = turned(&board, k, swap);
        let color = Color::Black;
        let (mine, theirs) = (code(color), code(if swap { color.other() } else { color }));
        let nobody = |_: usize| 0.0;
        let rated = Model::own().rate(&plain, mine, [0, 0], &nobody, LADDERS);
        let again = Model::own().rate(&other, theirs, [0, 0], &nobody, LADDERS);
        prop_assert_eq!(rated.len(), again.len());
        for m in rated {
            let there = turn(Vertex(m.vertex as u16)).at();
            let same = again.iter().find(|a| a.vertex == there).expect("the same moves");
            prop_assert_eq!(keys(&plain, mine, m.vertex), keys(&other, theirs, there));
            // Where a ladder is read the order of its two liberties may decide whether the budget lasts.
            let touches = |n: usize| matches!(plain.color[n], 1 | 2) && plain.liberty_count(n) <= 2;
            if !plain.neighbours(m.vertex).into_iter().any(touches) {
                prop_assert!((same.rating - m.rating).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn ladders_on_bare_stones_agree_with_those_on_the_board(
        size in 4usize..=7,
        picks in prop::collection::vec(0usize..1000, 4..30),
    ) {
        let board = PlayoutBoard::from(&played(size, &picks));
        let stones = Stones::from(&board);
        for v in Board::new(size).vertices().map(Vertex::at).filter(|&v| matches!(board.color[v], 1 | 2)) {
            // Kos are taken back for ever here: only what both read to the end is compared.
            let (mut fast, mut slow) = (120, 30);
            match board.liberty_count(v) {
                1 => {
                    let (a, b) = (stones.flee(v, &mut fast), reference_flees(&board, v, &mut slow));
                    prop_assert!(a == b || fast == 0 || slow == 0);
                }
                2 => for l in board.liberties(v).iter().map(Vertex::at) {
                    let (a, b) = (stones.hunt(v, l, &mut fast), reference_catches(&board, v, l, &mut slow));
                    prop_assert!(a == b || fast == 0 || slow == 0);
                },
                _ => {}
            }
        }
    }

    #[test]
    fn a_shape_written_as_text_has_the_key_of_its_place(picks in prop::collection::vec(0usize..1000, 1..60)) {
        let board = PlayoutBoard::from(&played(9, &picks));
        let shapes = Shapes::new(&board, 1);
        for v in Board::new(9).vertices().filter(|&v| board.stone(v).is_none()) {
            for (level, key) in keys(&board, 1, v.at()).into_iter().enumerate() {
                prop_assert_eq!(parse(&shapes.text(v.at(), level)), Some((level, key)));
            }
        }
    }
}

#[test]
fn own_weights_can_be_read_and_prefer_a_capture_to_the_first_line() {
    let model = Model::own();
    assert!(model.shapes.len() > 1000);
    let board = PlayoutBoard::from(&board(&[
        ".........",
        ".........",
        "...X.....",
        ".XOOX....",
        "..XX.....",
        "...O.....",
        ".........",
        ".........",
        ".........",
    ]));
    let mut board = board;
    board.play(at("B7", 9), 2);
    let mut moves = model.rate(&board, 1, [at("B7", 9), 0], &|_| 0.0, LADDERS);
    softmax(&mut moves, |m| &mut m.rating);
    let sum: f32 = moves.iter().map(|m| m.rating).sum();
    assert!((sum - 1.0).abs() < 1e-3);
    let of = |text: &str| moves.iter().find(|m| m.vertex == at(text, 9)).expect("a move").rating;
    assert!(of("C7") > of("J1"));
}

#[test]
fn what_is_wrong_with_weights_is_told_with_its_line() {
    let own = OWN.lines().filter(|l| !l.starts_with("# ")).collect::<Vec<_>>().join("\n");
    let table = [
        ("".to_owned(), "expected"),
        ("[capture]\n1".to_owned(), "line 1: expected [recapture]"),
        ("[recapture]\nmany".to_owned(), "line 2: `many` is no weight"),
        ("[recapture]\n1 2".to_owned(), "line 2: more weights"),
        ("[recapture]\n[capture]".to_owned(), "line 2: the group before [capture] has 1 weights too few"),
        (format!("{own}\nXO? 3"), "`XO?` is no shape"),
        (format!("{own}\n........"), "a shape and its weight"),
        (format!("{own}\n........ 99999"), "`99999` is no weight"),
        (format!("{own}\n[shapes]"), "found [shapes]"),
    ];
    for (text, wanted) in table {
        let error = Model::parse(&text).expect_err("wrong weights").to_string();
        assert!(error.contains(wanted), "{error} should say {wanted}");
    }
}
