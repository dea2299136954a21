//! Tests of combination attacks.

use super::*;
use proptest::prelude::*;

fn found(rows: &[&str], color: Color) -> Option<Combination> {
    let mut board = Board::from_diagram(&rows.join("\n")).unwrap().0;
    combination_attack(&mut Reader::new(Limits::of_combinations()), &mut board, color)
}

/// Black's lone stone at E5 between its neighbours, and one or two more; D5 puts both in atari.
fn double_atari(second: &str) -> [String; 9] {
    let rows = [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". O O . O O . . .",
        ". O O . O O . . .",
        "O 2 X . X O . . .",
        ". O . . . . . . .",
        ". . X . X . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ];
    rows.map(|row| row.replace('2', second))
}

#[test]
fn a_lone_stone_is_a_prize_only_beside_something_larger() {
    for (second, point) in [("O", None), ("X", Some("D5"))] {
        let rows = double_atari(second);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let found = found(&rows, Color::White).map(|c| c.point.to_gtp(9));
        assert_eq!(found.as_deref(), point, "{second}");
    }
}

#[test]
fn the_manuals_example_has_a_combination() {
    // The manual's section "Combination reading"; the rest of the board is empty.
    let corner = [
        "....OOOOX",
        "....OOXXX",
        "..O.OXX..",
        ".OXO.OX..",
        ".OX..OO..",
        ".XXOOOXO.",
        "...XXOX..",
        "....XOX..",
        ".XX..X...",
        "X........",
    ];
    let mut board = Board::new(19);
    for (row, line) in corner.iter().enumerate() {
        for (col, sign) in line.chars().enumerate().filter(|&(_, sign)| sign != '.') {
            let color = if sign == 'O' { Color::White } else { Color::Black };
            board.place(color, Vertex::new(row, col, 19)).unwrap();
        }
    }
    let mut reader = Reader::new(Limits::of_combinations());
    let found = combination_attack(&mut reader, &mut board, Color::White).expect("a combination");
    assert!(!Reader::default().attack(&mut board, found.target).code.works());
    // The manual's own move is one too: whatever follows, something falls.
    board.play(Color::White, Vertex::from_gtp("C13", 19).unwrap()).unwrap();
    let threatened = Vertex::from_gtp("C14", 19).unwrap();
    assert!(Reader::default().attack(&mut board, threatened).code.works());
    let saved = Reader::default().defend(&mut board, threatened);
    board.play(Color::Black, saved.point).unwrap();
    assert!(combination_attack(&mut reader, &mut board, Color::White).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_found_is_safe_from_any_single_attack_and_can_be_played(
        size in 5_usize..9,
        moves in prop::collection::vec(any::<u16>(), 15..60),
    ) {
        let mut board = Board::new(size);
        for (i, at) in moves.into_iter().enumerate() {
            let _ = board.play(Color::BOTH[i % 2], Vertex::from_index(at as usize % (size * size), size));
        }
        let mut reader = Reader::new(Limits::of_combinations());
        let first = combination_attack(&mut reader, &mut board, Color::Black);
        prop_assert_eq!(&combination_attack(&mut reader, &mut board, Color::Black), &first);
        if let Some(found) = first {
            prop_assert_eq!(board.color_at(found.target), Some(Color::White));
            prop_assert!(!Reader::default().attack(&mut board, found.target).code.works());
            prop_assert_eq!(found.line.first(), Some(&found.point));
            for (i, &v) in found.line.iter().enumerate() {
                prop_assert!(board.play(Color::BOTH[i % 2], v).is_ok());
            }
        }
    }
}
