use super::*;
use crate::board::{Board, Color, Marks, Vertex, sgf};
use crate::goban;
use crate::tactics::{Code, Reading};

struct Case {
    what: &'static str,
    position: (Board, Marks),
    /// Whether the owner, moving first, joins `a` and `b`'s strings (stones right above the marks are meant).
    connect: Code,
    disconnect: Code,
}

fn at(board: &Board, name: &str) -> Vertex {
    Vertex::from_gtp(name, board.size()).unwrap()
}

fn cases() -> Vec<(Case, &'static str, &'static str)> {
    vec![
        (
            Case {
                what: "two empty vertices hold a diagonal",
                position: goban!(". . . . .", ". . X . .", ". X . . .", ". . . . .", ". . . . ."),
                connect: Code::Win,
                disconnect: Code::Fail,
            },
            "C4",
            "B3",
        ),
        (
            Case {
                what: "a diagonal with one vertex gone can be cut",
                position: goban!(". . . . .", ". O X . .", ". X . . .", "O O O . .", ". . . . ."),
                connect: Code::Win,
                disconnect: Code::Win,
            },
            "C4",
            "B3",
        ),
        (
            Case {
                what: "a bamboo joint holds",
                position: goban!(". . . . .", ". X . X .", ". X . X .", ". . . . .", ". . . . ."),
                connect: Code::Win,
                disconnect: Code::Fail,
            },
            "B4",
            "D4",
        ),
        (
            Case {
                what: "solid walls between can't be passed",
                position: goban!("X . O . X", ". . O . .", ". . O . .", ". . O . .", "X . O . X"),
                connect: Code::Fail,
                disconnect: Code::Win,
            },
            "A5",
            "E5",
        ),
        (
            Case {
                what: "a cutting stone in atari is taken",
                position: goban!(". . . . .", ". O X . .", "O X O X .", ". O . . .", ". . . . ."),
                connect: Code::Win,
                disconnect: Code::Win,
            },
            "C4",
            "B3",
        ),
    ]
}

#[test]
fn small_links_are_judged_as_any_player_would() {
    for (case, a, b) in cases() {
        let board = &case.position.0;
        let (a, b) = (at(board, a), at(board, b));
        let mut reader = ConnectionReader::default();
        assert_eq!(reader.connect(board, a, b).code, case.connect, "connect: {}", case.what);
        assert_eq!(reader.disconnect(board, a, b).code, case.disconnect, "disconnect: {}", case.what);
    }
}

#[test]
fn no_answer_changes_with_the_order_of_the_questions() {
    let cases = cases();
    let ask = |reader: &mut ConnectionReader, i: usize| -> [Reading; 2] {
        let (case, a, b) = &cases[i];
        let board = &case.position.0;
        let (a, b) = (at(board, a), at(board, b));
        [reader.connect(board, a, b), reader.disconnect(board, a, b)]
    };
    let alone: Vec<_> = (0..cases.len()).map(|i| ask(&mut ConnectionReader::default(), i)).collect();
    let mut shared = ConnectionReader::default();
    for i in (0..cases.len()).rev().chain(0..cases.len()) {
        assert_eq!(ask(&mut shared, i), alone[i]);
    }
}

#[test]
fn questions_without_stones_of_one_colour_fail() {
    let (board, _) = goban!("X . .", ". . .", ". . O");
    let mut reader = ConnectionReader::default();
    let [x, o, empty] = ["A3", "C1", "B2"].map(|name| at(&board, name));
    for (a, b) in [(x, o), (x, empty), (empty, x)] {
        assert_eq!(reader.connect(&board, a, b), Reading::default());
        assert_eq!(reader.disconnect(&board, a, b), Reading::default());
    }
    assert_eq!(reader.break_in(&board, empty, &[x]), Reading::default());
    assert_eq!(reader.connect(&board, x, x).code, Code::Win);
}

/// The example of the manual's section "Break Ins"; `None` without the file.
fn manuals_example() -> Option<Board> {
    let shared = std::env::var_os("TENGEN_SHARED").map_or_else(
        || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        std::path::PathBuf::from,
    );
    let text = std::fs::read(shared.join("suites/go/games/break_in.sgf")).ok()?;
    let tree = sgf::parse(&text).expect("a game record");
    let game = sgf::load(&tree, &tree.line(&[]), sgf::Until::End, crate::board::Rules::default());
    Some(game.expect("a position").board)
}

const GOAL: &str = "E9 F9 G9 E8 F8 G8 H8 G7 H7 J7 H6 J6 H5 J5 H4 J4 H3 J3 H2 J2";

#[test]
fn the_manuals_break_in_is_found_and_the_territory_shrinks() {
    let Some(board) = manuals_example() else { return };
    let goal: Vec<Vertex> = GOAL.split(' ').map(|name| at(&board, name)).collect();
    let mut reader = ConnectionReader::default();
    let first = reader.break_in(&board, at(&board, "D7"), &goal);
    assert_eq!((first.code, first.point), (Code::Win, at(&board, "E8")));
    let territory = Territory { owner: Color::White, vertices: goal.clone() };
    let found = break_ins(&mut reader, &board, &[territory], |_| true);
    assert!(!found.is_empty());
    assert!(found.iter().all(|b| b.break_in.0.works() && !b.lost.is_empty()));
    assert!(found.iter().flat_map(|b| &b.lost).all(|v| goal.contains(v)));
}

#[test]
fn small_territories_are_left_alone() {
    let (board, _) = goban!(". . . . .", ". . . . .", "O O . O O", ". X . . .", ". . . . .");
    let vertices: Vec<Vertex> = board.vertices().take(LEAST - 1).collect();
    let territory = Territory { owner: Color::White, vertices };
    assert_eq!(break_ins(&mut ConnectionReader::default(), &board, &[territory], |_| true), []);
}
