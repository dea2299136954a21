//! Tests of connection reading: links, cuts, break-ins, and open searches.

use super::*;
use crate::board::{Board, Color, Marks, Vertex, sgf};
use crate::effort::{Effort, Level};
use crate::goban;
use crate::memory::ReadingMemory;
use crate::proof::Numbers;
use crate::tactics::ko::KoState;
use crate::tactics::{Code, Reading};
use proptest::prelude::*;

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
                position: goban!(". . . . .", ". O X . .", ". X O X .", ". O . . .", ". . . . ."),
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

/// A sure link between the strings at two vertices.
struct Link {
    what: &'static str,
    rows: &'static [&'static str],
    a: &'static str,
    b: &'static str,
    sure: bool,
}

const LINKS: &[Link] = &[
    Link {
        what: "a diagonal with both vertices empty",
        rows: &[". . . . .", ". . X . .", ". X . . .", ". . . . .", ". . . . ."],
        a: "C4",
        b: "B3",
        sure: true,
    },
    Link {
        what: "a diagonal with one vertex taken",
        rows: &[". . . . .", ". O X . .", ". X . . .", ". . . . .", ". . . . ."],
        a: "C4",
        b: "B3",
        sure: false,
    },
    Link {
        what: "a bamboo joint",
        rows: &[". . . . .", ". X . X .", ". X . X .", ". . . . .", ". . . . ."],
        a: "B4",
        b: "D4",
        sure: true,
    },
    Link {
        what: "a one-space jump in the open",
        rows: &[". . . . .", ". . . . .", ". X . X .", ". . . . .", ". . . . ."],
        a: "B3",
        b: "D3",
        sure: false,
    },
    Link {
        what: "a tiger's mouth, where the enemy's stone is taken",
        rows: &[". . . . .", ". . X . .", ". X . X .", ". . . . .", ". . O . ."],
        a: "B3",
        b: "D3",
        sure: true,
    },
    Link {
        what: "a tiger's mouth with an enemy stone at its opening",
        rows: &[". . . . .", ". . X . .", ". X . X .", ". . O . .", ". . . . ."],
        a: "B3",
        b: "D3",
        sure: false,
    },
    Link {
        what: "one vertex the enemy could only enter by suicide",
        rows: &["X . X . .", ". X . . .", ". . . . .", ". . . . .", ". . . . ."],
        a: "A5",
        b: "C5",
        sure: true,
    },
    Link {
        what: "the mouth of a ko: the enemy's stone there takes one",
        rows: &[". O X . .", "O X . X .", ". O X . .", ". . O . .", ". . . . ."],
        a: "B4",
        b: "D4",
        sure: false,
    },
    Link {
        what: "two common liberties of a string in atari",
        rows: &["X . . . .", ". X . . .", ". . . . .", ". . . . .", ". . . . ."],
        a: "A5",
        b: "B4",
        sure: true,
    },
    Link {
        what: "a string in atari can be taken instead",
        rows: &["X O . . .", ". X O . .", ". . . . .", ". . . . .", ". . . . ."],
        a: "A5",
        b: "B4",
        sure: false,
    },
];

#[test]
fn sure_links_are_those_of_the_table() {
    let mut wrong = Vec::new();
    for link in LINKS {
        let board = Board::from_diagram(&link.rows.join("\n")).unwrap().0;
        let (a, b) = (at(&board, link.a), at(&board, link.b));
        let common = board.liberty_vertices(a).find(|&l| board.is_liberty(l, b));
        let both =
            [(a, b), (b, a)].map(|(a, b)| common.and_then(|l| links::between_strings(&board, a, b, l)));
        if both.map(|found| found.is_some()) != [link.sure; 2] {
            wrong.push(format!("{}: {both:?}", link.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The board in one of eight orientations, with the colours as they are or swapped; and where a vertex goes.
fn turned(board: &Board, orientation: usize, swap: bool) -> (Board, impl Fn(Vertex) -> Vertex + use<>) {
    let size = board.size();
    let turn = move |v: Vertex| crate::board::upright::turned(v, orientation as u8, size);
    let mut to = Board::new(size);
    for v in board.vertices() {
        if let Some(color) = board.color_at(v) {
            to.place(if swap { color.other() } else { color }, turn(v)).unwrap();
        }
    }
    (to, turn)
}

#[test]
fn small_links_are_judged_the_same_in_every_orientation_and_for_both_colours() {
    for (case, a, b) in cases() {
        for i in 0..16 {
            let (board, turn) = turned(&case.position.0, i % 8, i >= 8);
            let (a, b) = (turn(at(&case.position.0, a)), turn(at(&case.position.0, b)));
            let mut reader = ConnectionReader::default();
            assert_eq!(reader.connect(&board, a, b).code, case.connect, "connect {i}: {}", case.what);
            assert_eq!(
                reader.disconnect(&board, a, b).code,
                case.disconnect,
                "disconnect {i}: {}",
                case.what
            );
        }
    }
}

fn random_position() -> impl Strategy<Value = Board> {
    (5_usize..9, prop::collection::vec(any::<u16>(), 10..50)).prop_map(|(size, moves)| {
        let mut board = Board::new(size);
        for (i, at) in moves.into_iter().enumerate() {
            let _ = board.play(Color::BOTH[i % 2], Vertex::from_index(at as usize % (size * size), size));
        }
        board
    })
}

/// Some pairs of strings of one colour.
fn pairs(board: &Board) -> Vec<(Vertex, Vertex)> {
    let strings: Vec<Vertex> = board.strings().collect();
    let all = strings.iter().flat_map(|&a| strings.iter().map(move |&b| (a, b)));
    all.filter(|&(a, b)| a < b && board.color_at(a) == board.color_at(b)).take(6).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn swapped_colours_swap_nothing_else_and_earlier_questions_change_nothing(board in random_position()) {
        let (board, _) = turned(&board, 0, false);
        let (swapped, _) = turned(&board, 0, true);
        let mut shared = ConnectionReader::default();
        for (a, b) in pairs(&board) {
            let fresh = |board: &Board| {
                let mut reader = ConnectionReader::default();
                [reader.connect(board, a, b), ConnectionReader::default().disconnect(board, a, b)]
            };
            let expected = fresh(&board);
            // Positions looked at depend on what the tactical table pushes out, so on the colours' keys.
            let answers = |found: &[Reading; 2]| found.clone().map(|r| (r.code, r.point, r.line));
            prop_assert_eq!(answers(&fresh(&swapped)), answers(&expected));
            prop_assert_eq!(&[shared.connect(&board, a, b), shared.disconnect(&board, a, b)], &expected);
            for reading in expected {
                prop_assert_eq!(reading.line.first().copied().unwrap_or(Vertex::PASS), reading.point);
                prop_assert!(reading.code.works() || reading.line.is_empty());
            }
        }
    }
}

#[test]
fn an_open_search_leans_to_whoever_moves_first_as_the_table_says() {
    // Least numbers of open positions to prove and to disprove; whether a join is guessed by factor 4/3; a cut, by
    // factors 2 and 4/3.
    const TABLE: &[(u32, u32, [bool; 3])] = &[
        (1, 1, [false, false, false]),
        (3, 4, [true, false, false]),
        (9, 10, [false, false, false]),
        (10, 9, [false, false, false]),
        (4, 3, [false, false, false]),
        (15, 10, [false, false, true]),
        (20, 10, [false, false, true]),
        (21, 10, [false, true, true]),
        (1 << 30, 1, [false, true, true]),
        (1, 1 << 30, [true, false, false]),
        (1 << 30, 1 << 30, [false, false, false]),
    ];
    for &(pn, dn, expected) in TABLE {
        let numbers = Numbers { proof: pn, disproof: dn };
        let guesses = [
            open::leans_to_join(numbers, (4, 3)),
            open::leans_to_cut(numbers, (2, 1)),
            open::leans_to_cut(numbers, (4, 3)),
        ];
        assert_eq!(guesses, expected, "{pn}, {dn}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_ko_is_never_guessed(board in random_position(), nodes in 1_u64..60) {
        let mut reader = ConnectionReader::new(LinkLimits { nodes, ..LinkLimits::default() });
        for (a, b) in pairs(&board) {
            for reading in [reader.connect(&board, a, b), reader.disconnect(&board, a, b)] {
                prop_assert!(!reading.limit_hit || matches!(reading.code, Code::Fail | Code::Win));
            }
        }
    }
}

#[test]
fn the_line_of_a_cut_can_be_played() {
    let (case, a, b) = &cases()[1];
    let mut board = case.position.0.clone();
    let (a, b) = (at(&board, a), at(&board, b));
    let reading = ConnectionReader::default().disconnect(&board, a, b);
    assert!(!reading.line.is_empty());
    for (i, &v) in reading.line.iter().enumerate() {
        board.play(Color::BOTH[(i + 1) % 2], v).unwrap();
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
    assert_eq!(first.code, Code::Win);
    // A known failure: the manual breaks in at E8, we at D8, which can't be blocked either.
    assert_ne!(first.point, at(&board, "E8"), "the manual's point is found: ask for it here");
    let mut after = board.clone();
    after.play(Color::Black, first.point).expect("a legal move");
    assert_eq!(reader.block_off(&after, at(&board, "D7"), &goal).code, Code::Fail);
    let territory = Territory { owner: Color::White, vertices: goal.clone() };
    let found = break_ins(
        &mut reader,
        &ReadingMemory::default(),
        &board,
        &[territory],
        Effort::of(Level::Deep).break_ins,
        |_| true,
    );
    assert!(!found.is_empty());
    assert!(found.iter().all(|b| b.break_in.code.works() && !b.lost.is_empty()));
    assert!(found.iter().flat_map(|b| &b.lost).all(|v| goal.contains(v)));
}

#[test]
fn small_territories_are_left_alone() {
    let (board, _) = goban!(". . . . .", ". . . . .", "O O . O O", ". X . . .", ". . . . .");
    let limits = Effort::of(Level::Deep).break_ins;
    let vertices: Vec<Vertex> = board.vertices().take(limits.least - 1).collect();
    let territory = Territory { owner: Color::White, vertices };
    assert_eq!(
        break_ins(
            &mut ConnectionReader::default(),
            &ReadingMemory::default(),
            &board,
            &[territory],
            limits,
            |_| true
        ),
        []
    );
}

/// The stones Black needs to join the strings at two vertices, with snares and without.
fn distances(board: &Board, a: &str, b: &str) -> [u8; 2] {
    [true, false].map(|snares| {
        let mut reader = ConnectionReader::new(LinkLimits { snares, ..LinkLimits::default() });
        let q = reader.query(board, at(board, a), at(board, b)).unwrap();
        let task = query::Task { q: &q, demand: Code::Win, reach: 0 };
        reader.measure(&mut reader.clone().begin(board), task, distance::MOST_DISTANCE, KoState::Free)
    })
}

#[test]
fn a_cutting_stone_that_would_be_taken_holds_a_link() {
    // White at F2 would have two liberties, and Black takes it wherever it runs.
    let (board, _) = goban!(
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . X .",
        ". . . O O X .",
        ". . . O O X .",
        ". . X X X . .",
        ". . . . . . ."
    );
    assert_eq!(distances(&board, "E2", "F3"), [0, 1]);
    // White at F5 has friends on both its ways out.
    let (board, _) = goban!(
        ". . . . . . . . .",
        ". . . . . X . . .",
        ". . . O O X . . .",
        ". . . O O X . O .",
        ". . X X X . . . .",
        ". . . . . . . O .",
        ". . . . . . O . .",
        ". . . . . . . . .",
        ". . . . . . . . ."
    );
    assert_eq!(distances(&board, "E5", "F6"), [1, 1]);
    assert_eq!(
        ConnectionReader::default().disconnect(&board, at(&board, "E5"), at(&board, "F6")).code,
        Code::Win
    );
}
