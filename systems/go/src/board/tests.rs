//! Tests of the board: strings, liberties, undo, ko, suicide, and area.

use super::reference_tests::{colors_after, string_by_flood};
use super::*;
use crate::goban;
use proptest::prelude::*;

fn colors(board: &Board) -> Vec<Option<Color>> {
    board.vertices().map(|v| board.color_at(v)).collect()
}

type Point = (Option<Color>, Vec<Vertex>, Vec<Vertex>);

/// Everything that can be seen of a board.
fn seen(board: &Board) -> (Vec<Point>, Option<Vertex>, u64, [u32; 2]) {
    let points = board
        .vertices()
        .map(|v| (board.color_at(v), board.stones(v).collect(), board.liberty_vertices(v).collect()))
        .collect();
    (points, board.ko_point(), board.situation_hash(Color::Black), Color::BOTH.map(|c| board.captured(c)))
}

fn check_against_flood(board: &Board) {
    let mut hash = 0;
    for v in board.vertices() {
        let Some(color) = board.color_at(v) else {
            assert_eq!(board.liberties(v), 0);
            continue;
        };
        hash ^= zobrist::stone(color, v);
        let (stones, liberties) = string_by_flood(board, v);
        assert_eq!(board.origin(v), stones[0]);
        assert_eq!(board.string_size(v), stones.len());
        assert_eq!(board.liberties(v), liberties.len());
        assert_eq!(board.stones(v).collect::<Vec<_>>(), stones);
        assert_eq!(board.liberty_vertices(v).collect::<Vec<_>>(), liberties);
        let mut touching: Vec<Vertex> = stones.iter().flat_map(|&s| board.neighbors4(s)).collect();
        touching.retain(|&n| board.color_at(n) == Some(color.other()));
        touching.iter_mut().for_each(|n| *n = string_by_flood(board, *n).0[0]);
        touching.sort_unstable();
        touching.dedup();
        assert_eq!(board.adjacent_strings(v), touching);
    }
    assert_eq!(board.hash(), hash);
}

fn rules() -> impl Strategy<Value = Rules> {
    let ko = prop_oneof![Just(KoRule::Simple), Just(KoRule::PositionalSuperko)];
    let suicide =
        prop_oneof![Just(SuicideRule::Forbidden), Just(SuicideRule::MultiStone), Just(SuicideRule::Allowed)];
    (ko, suicide).prop_map(|(ko, suicide)| Rules { ko, suicide })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn strings_and_liberties_stay_as_a_flood_fill_finds_them(
        size in 1_usize..8, rules in rules(), moves in prop::collection::vec((any::<bool>(), any::<u16>()), 1..120)
    ) {
        let mut board = Board::with_rules(size, rules);
        for (white, at) in moves {
            let color = if white { Color::White } else { Color::Black };
            let v = Vertex::from_index(at as usize % (size * size), size);
            if board.is_legal(color, v) {
                let expected = colors_after(&board, color, v);
                let liberties = board.liberties_after(color, v);
                board.play(color, v).unwrap();
                if !board.is_empty(v) {
                    prop_assert_eq!(board.liberties(v), liberties);
                }
                prop_assert_eq!(colors(&board), expected);
                check_against_flood(&board);
            } else {
                let before = seen(&board);
                prop_assert!(board.play(color, v).is_err());
                prop_assert_eq!(seen(&board), before);
            }
        }
    }

    #[test]
    fn undo_brings_back_everything_that_can_be_seen(
        size in 1_usize..8, rules in rules(),
        moves in prop::collection::vec((any::<bool>(), any::<bool>(), any::<u16>()), 1..150)
    ) {
        let mut board = Board::with_rules(size, rules);
        let mut stack = Vec::new();
        for (white, back, at) in moves {
            if back && let Some(before) = stack.pop() {
                prop_assert!(board.undo());
                prop_assert_eq!(seen(&board), before);
                continue;
            }
            let color = if white { Color::White } else { Color::Black };
            let v = Vertex::from_index(at as usize % (size * size), size);
            let before = seen(&board);
            if board.play(color, v).is_ok() {
                stack.push(before);
            }
        }
        while let Some(before) = stack.pop() {
            prop_assert!(board.undo());
            prop_assert_eq!(seen(&board), before);
        }
        prop_assert!(!board.undo());
    }

    #[test]
    fn superko_never_lets_a_position_come_back(moves in prop::collection::vec(any::<u16>(), 1..200)) {
        let rules = Rules { ko: KoRule::PositionalSuperko, suicide: SuicideRule::Allowed };
        let mut board = Board::with_rules(2, rules);
        let mut positions = vec![colors(&board)];
        for (i, at) in moves.into_iter().enumerate() {
            let color = Color::BOTH[i % 2];
            let v = Vertex::from_index(at as usize % 4, 2);
            let repeats = board.is_empty(v) && positions.contains(&colors_after(&board, color, v));
            prop_assert_eq!(board.is_legal(color, v), board.is_empty(v) && !repeats);
            if board.play(color, v).is_ok() {
                positions.push(colors(&board));
            }
        }
    }
}

#[test]
fn a_ko_can_be_taken_back_after_a_move_elsewhere() {
    let (mut board, m) = goban!(". X O . .", "X a X O .", ". X O . .", ". . . . .", ". . . . b",);
    board.remove(Vertex::from_gtp("C4", 5).unwrap());
    let c4 = Vertex::from_gtp("C4", 5).unwrap();
    board.play(Color::Black, c4).unwrap();
    board.play(Color::White, m['a']).unwrap();
    assert_eq!(board.ko_point(), Some(c4));
    assert_eq!(board.play(Color::Black, c4), Err(IllegalMove::Ko));
    assert!(board.clone().play_ignoring_ko(Color::Black, c4).is_ok());
    board.play(Color::Black, m['b']).unwrap();
    board.play(Color::White, Vertex::PASS).unwrap();
    assert!(board.is_legal(Color::Black, c4));
    board.undo();
    board.undo();
    assert_eq!(board.play(Color::Black, c4), Err(IllegalMove::Ko));
}

#[test]
fn suicide_is_as_the_rules_say() {
    let (board, m) = goban!("a X b O", "X . O O", "X X X X", ". . . .",);
    let cases = [
        (SuicideRule::Forbidden, false, false),
        (SuicideRule::MultiStone, false, false),
        (SuicideRule::Allowed, true, false),
    ];
    for (suicide, single, other) in cases {
        let board = board.clone().under(Rules { suicide, ..Rules::default() });
        assert_eq!(board.is_legal(Color::White, m['a']), single, "{suicide:?}");
        assert_eq!(!board.is_legal(Color::White, m['b']), other, "{suicide:?}");
    }
    let (board, m) = goban!("O a X", "X X .", ". . .");
    for (suicide, legal) in
        [(SuicideRule::Forbidden, false), (SuicideRule::MultiStone, true), (SuicideRule::Allowed, true)]
    {
        let mut board = board.clone().under(Rules { suicide, ..Rules::default() });
        assert_eq!(board.play(Color::White, m['a']).is_ok(), legal, "{suicide:?}");
        assert_eq!(board.captured(Color::Black), if legal { 2 } else { 0 });
    }
}

#[test]
fn a_stone_between_two_regions_borders_both() {
    let (board, m) = goban!("a O X b .", ". O X . .", "O O X X X", ". . . c .", ". . . . O");
    let mut seen = vec![false; board.padded_len()];
    let found = ['a', 'b', 'c'].map(|name| {
        let (region, borders) = board.bordered_region(m[name], &mut seen, |v| board.color_at(v));
        (region.len(), borders)
    });
    assert_eq!(found, [(2, [false, true]), (4, [true, false]), (9, [true, true])]);
    assert!(board.vertices().all(|v| seen[v.at()] == board.is_empty(v)));
}

#[test]
fn area_counts_stones_and_what_only_one_colour_reaches() {
    let (board, _) = goban!(". X . O .", ". X . O O", "X X . O .", ". X O O .", ". X O . .");
    assert_eq!(board.area_lead(0.5), (8 + 4 - (6 + 4)) as f32 + 0.5);
    assert_eq!(Board::new(5).area_lead(0.0), 0.0, "nobody's");
}

#[test]
fn adjacent_strings_are_named_once_by_their_origins() {
    let (board, _) = goban!("X O X", "O O X", "X . .");
    let v = |text: &str| Vertex::from_gtp(text, 3).unwrap();
    assert_eq!(board.adjacent_strings(v("B3")), [v("A3"), v("C3"), v("A1")]);
    assert_eq!(board.adjacent_strings(v("B1")), []);
}

#[test]
fn a_diagram_says_what_is_wrong_with_it() {
    let cases = [
        ("", "a board has 1 to 25 rows, this diagram has 0"),
        (&".\n".repeat(26), "a board has 1 to 25 rows, this diagram has 26"),
        ("X O\nX", "this row has 1 vertices, the diagram has 2 rows"),
        ("X ?\nX O", "`?` means nothing in a diagram"),
        ("a .\n. a", "the letter `a` stands twice"),
    ];
    for (text, message) in cases {
        assert_eq!(Board::from_diagram(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_board_prints_as_the_diagram_it_came_from() {
    let text = "X . O\n. X .\nO . .\n";
    assert_eq!(Board::from_diagram(text).unwrap().0.to_string(), text);
}

#[test]
fn a_board_without_history_is_the_same_position() {
    let (mut board, _) = goban!(". X .", "X . X", ". X .");
    board.play(Color::Black, Vertex::from_gtp("A1", 3).unwrap()).unwrap();
    let mut bare = board.without_history();
    assert_eq!(seen(&bare), seen(&board));
    assert!(!bare.undo());
}
