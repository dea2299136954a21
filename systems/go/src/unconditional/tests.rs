//! Tests of unconditional life and territory.

use super::*;
use crate::goban;
use proptest::prelude::*;

/// The map as text: `A` alive, `D` dead, `X`/`O` territory, `.` undecided; one line per row.
fn drawn(board: &Board) -> Vec<String> {
    let map = UnconditionalMap::build(board);
    let letter = |v| match map.at(v) {
        Status::Undecided => '.',
        Status::Alive => 'A',
        Status::Dead => 'D',
        Status::Territory(Color::Black) => 'X',
        Status::Territory(Color::White) => 'O',
    };
    let cells: Vec<char> = board.vertices().map(letter).collect();
    cells.chunks(board.size()).map(|row| row.iter().collect()).collect()
}

#[test]
fn two_eyes_live_and_one_does_not() {
    let (board, _) = goban!(
        ". X . X .", //
        "X X X X .",
        ". . . . .",
        "O O . . .",
        ". O . . .",
    );
    assert_eq!(drawn(&board), ["XAXA.", "AAAA.", ".....", ".....", "....."]);
}

#[test]
fn an_eye_of_two_vertices_is_one_eye() {
    let (board, _) = goban!(
        ". . X . .", //
        "X X X . .",
        ". . . . .",
        ". . . . .",
        ". . . . .",
    );
    assert_eq!(drawn(&board), [".....", ".....", ".....", ".....", "....."]);
}

#[test]
fn strings_that_share_two_eyes_live_together() {
    let (board, _) = goban!(
        ". X . . .", //
        "X . X . .",
        ". X X . .",
        "X X . . .",
        ". . . . .",
    );
    // The corner, the middle and the left eye hold all four strings.
    assert_eq!(drawn(&board), ["XA...", "AXA..", "XAA..", "AA...", "....."]);
}

#[test]
fn a_stone_without_room_for_an_eye_is_dead() {
    let (board, _) =
        goban!(". X O . X .", "X X . . X .", "X . X X X .", "X X X . . .", ". . . . . .", ". . . . . .",);
    let rows = drawn(&board);
    assert_eq!(rows[0], "XADXA.");
    assert_eq!(rows[1], "AAXXA.");
}

#[test]
fn room_for_two_eyes_in_the_middle_is_no_territory() {
    // Inside lies a ring of liberties, and within it two vertices, then three, that touch no black stone.
    let (two, _) = goban!(
        "X X X X X X X X",
        "X X . . . . X X",
        "X X . . . . X .",
        "X X . . . . X X",
        "X X X X X X X X",
        ". X . X . X X X",
        "X X X X X X X .",
        ". . . . . . X X",
    );
    assert_eq!(drawn(&two)[1..4], ["AAXXXXAA", "AAXXXXAX", "AAXXXXAA"]);
    let (three, _) = goban!(
        "X X X X X X X X",
        "X . . . . . X X",
        "X . . . . . X .",
        "X . . . . . X X",
        "X X X X X X X X",
        ". X . X . X X X",
        "X X X X X X X .",
        ". . . . . . X X",
    );
    assert_eq!(drawn(&three)[1..4], ["A.....AA", "A.....AX", "A.....AA"]);
}

#[test]
fn the_last_liberty_of_dead_stones_is_territory() {
    let (board, m) =
        goban!(". X . X X .", "X X X X X X", ". . . . X .", ". . . . X O", ". . . . X X", ". . . . . .",);
    assert!(m.iter().next().is_none());
    assert_eq!(drawn(&board)[0..5], ["XAXAAX", "AAAAAA", "....AX", "....AD", "....AA"]);
    let (corner, _) = goban!(
        ". X . X X O .",
        "X X X X X X O",
        ". . . . X . .",
        ". . . . X X X",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
    );
    assert_eq!(drawn(&corner)[0..4], ["XAXAADX", "AAAAAAD", "....AXX", "....AAA"]);
}

#[test]
fn a_capturable_stone_beside_its_own_territory_is_alive() {
    let (board, _) =
        goban!(". X . X O .", "X X X X O .", "X . . X O .", "X X . . O .", ". X X X O .", "O O O O O .",);
    let map = UnconditionalMap::build(&board);
    assert!(
        board
            .vertices()
            .filter(|&v| board.color_at(v) == Some(Color::Black))
            .all(|v| map.at(v) == Status::Alive)
    );
}

#[test]
fn stones_that_could_get_a_seki_are_undecided() {
    // Black's two stones inside White's group. With six liberties, or four in a zigzag, he can't fill in without giving
    // White two eyes; with the four of a cross he can.
    let cases = [
        (["O O . . O O", "O . X X . O", "O O . . O O"], Status::Undecided),
        (["O O . O O O", "O . X X . O", "O O O . O O"], Status::Undecided),
        (["O O . O O O", "O . X X . O", "O O . O O O"], Status::Dead),
    ];
    for ([upper, middle, lower], expected) in cases {
        let text = format!(
            ". X . X X X X .\nX X X X X X X X\nX O O O O O O X\nX {upper} X\nX {middle} X\nX {lower} X\n\
             X O O O O O O X\nX X X X X X X X\n"
        );
        let (board, _) = Board::from_diagram(&text).unwrap();
        let map = UnconditionalMap::build(&board);
        let stone = Vertex::from_gtp("B2", 8).unwrap();
        assert_eq!(map.at(stone), expected, "{board}");
    }
}

fn position() -> impl Strategy<Value = Board> {
    (2_usize..8, prop::collection::vec((prop::bool::weighted(0.7), any::<u16>()), 1..90)).prop_map(
        |(size, moves)| {
            let mut board = Board::new(size);
            for (black, at) in moves {
                let color = if black { Color::Black } else { Color::White };
                let _ = board.play(color, Vertex::from_index(at as usize % (size * size), size));
            }
            board
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_strings_that_stay_are_those_of_bensons_theorem(board in position()) {
        for color in Color::BOTH {
            prop_assert_eq!(life(&board, color).invincible, benson_tests::alive(&board, color), "{}\n{}", color, &board);
        }
    }

    #[test]
    fn territory_holds_no_invincible_stone_of_the_other(board in position()) {
        let map = UnconditionalMap::build(&board);
        for v in board.vertices() {
            for color in Color::BOTH {
                let both = map.of(color).territory[v.at()] && map.of(color.other()).invincible[v.at()];
                prop_assert!(!both, "{board}");
            }
        }
    }
}
