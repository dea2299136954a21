//! Tests which strings become one dragon: small shapes, and the recordings of GNU Go 3.8.
#![allow(clippy::print_stderr, reason = "the share is shown beside the assertion")]

mod support;

use support::{board, oracles};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::amalgamate::amalgamate;
use tengen_go::dragons::build::{find_eye_spaces, join_strings};
use tengen_go::dragons::links::Links;
use tengen_go::dragons::tactics::{Answers, ReadTactics};
use tengen_go::dragons::{DragonMap, Partition};
use tengen_go::effort::{Effort, Level};
use tengen_go::eyes::{Domains, EyeSolver, Tactics};
use tengen_go::influence::FirstInfluence;
use tengen_go::patterns::PatternDatabases;
use tengen_go::tactics::{Answer, Code, Reader};
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine};

fn parts(board: &Board, links: &mut Links) -> Partition {
    parts_with(board, None, links)
}

fn parts_with(board: &Board, influence: Option<&FirstInfluence>, links: &mut Links) -> Partition {
    let mut reader = Reader::default();
    let tactics = ReadTactics::new(board, &mut reader, 2000, Answers::default());
    let eyes = find_eye_spaces(board, &tactics, &mut EyeSolver::default(), &mut Domains::default());
    join_strings(board, &eyes, &tactics, influence, links).0
}

/// Two stones, and whether they are of one dragon.
struct Case {
    what: &'static str,
    rows: [&'static str; 9],
    a: &'static str,
    b: &'static str,
    same: bool,
}

const EMPTY: &str = ". . . . . . . . .";
/// Enemy stones far off, so that the board is nobody's eye space.
const ENEMY: &str = ". O . . O . . O .";

/// The enemy at E5 threatens E6 and F5.
const DOUBLE_PEEP: [&str; 9] = [
    EMPTY,
    ". . . O . . . . .",
    ". . . . . . O . .",
    ". O . X . X . . .",
    ". . O . . . . O .",
    ". . . . . X . . .",
    ". . . O . . . O .",
    EMPTY,
    EMPTY,
];

/// The enemy at E6 threatens E5 and the diagonal from E7 to D8.
const JUMP_AND_DIAGONAL: [&str; 9] = [
    ". . . . . . . . .",
    ". O O O . . . . .",
    "O X X X O . . . X",
    "X . . . . . X . .",
    ". . . . O . . . .",
    ". . . . . . . . .",
    "X . . . . . . . .",
    ". . . . . O . . .",
    ". . . . . . . . .",
];

/// The enemy at F5 threatens E5 and F4.
const JUMP_AND_KNIGHTS_MOVE: [&str; 9] = [
    EMPTY,
    ". . . O . . . . .",
    ". . . . . . . O .",
    ". . . . X O . . .",
    ". O . X . . X . .",
    ". . O O X . . . .",
    ". O . . . . X . X",
    EMPTY,
    EMPTY,
];

/// The same, the enemy's stone by G5.
const JUMP_AND_KNIGHTS_MOVE_BESIDE: [&str; 9] = [
    EMPTY,
    ". . . O . . . . .",
    ". . . . . O . O .",
    ". . . . X . O . .",
    ". O . . . . X . .",
    ". . . . X . . . .",
    ". O . . . . . . X",
    ". . . O . O . . .",
    EMPTY,
];

/// Four strings meet between F3 and G2.
const CROSSCUT: [&str; 9] = [
    ". O . X X O . . .",
    ". O X X O O . O X",
    ". . X . X O . O X",
    ". X X X X O O O X",
    "X . X O O . O X X",
    ". X O . O . O X .",
    ". O O X O O X X .",
    ". O X . X X O O X",
    ". O . . . . . . .",
];

/// Two stones in a row with enemies two lines off.
const TWO_SPACE_JUMP: [&str; 9] =
    [ENEMY, EMPTY, ". . . . O O . . .", EMPTY, ". . . X . . X . .", EMPTY, ". . . . O O . . .", EMPTY, ENEMY];

const CASES: &[Case] = &[
    Case {
        what: "a one-space jump",
        rows: [ENEMY, EMPTY, EMPTY, ". . . X . X . . .", EMPTY, EMPTY, EMPTY, EMPTY, ENEMY],
        a: "D6",
        b: "F6",
        same: true,
    },
    Case {
        what: "a knight's move",
        rows: [ENEMY, EMPTY, EMPTY, ". . . X . . . . .", ". . . . . X . . .", EMPTY, EMPTY, EMPTY, ENEMY],
        a: "D6",
        b: "F5",
        same: true,
    },
    Case {
        what: "a two-space jump in the open",
        rows: [ENEMY, EMPTY, EMPTY, ". . . X . . X . .", EMPTY, EMPTY, EMPTY, EMPTY, ENEMY],
        a: "D6",
        b: "G6",
        same: true,
    },
    Case {
        what: "a large knight's move in the open",
        rows: [ENEMY, EMPTY, EMPTY, ". . X . . . . . .", ". . . . . X . . .", EMPTY, EMPTY, EMPTY, ENEMY],
        a: "C6",
        b: "F5",
        same: true,
    },
    Case {
        what: "stones on two sides of a wall",
        rows: [
            EMPTY,
            ". X . . . . . . .",
            EMPTY,
            EMPTY,
            "O O O O O O O O O",
            EMPTY,
            EMPTY,
            ". . . . . . . X .",
            EMPTY,
        ],
        a: "B8",
        b: "H2",
        same: false,
    },
    Case {
        what: "a one-space jump that is cut",
        rows: [
            EMPTY,
            EMPTY,
            ". . . O O O . . .",
            ". . . X O X . . .",
            ". . . . O . . . .",
            ". . . . O . . . .",
            EMPTY,
            EMPTY,
            EMPTY,
        ],
        a: "D6",
        b: "F6",
        same: false,
    },
    Case {
        what: "the cut at * that forbids amalgamation, on one side",
        rows: [
            EMPTY,
            EMPTY,
            ". . . . X . . . .",
            ". . O O . O O . .",
            ". . X . O . X . .",
            ". . . . O . . . .",
            EMPTY,
            EMPTY,
            EMPTY,
        ],
        a: "D6",
        b: "E5",
        same: false,
    },
    Case {
        what: "the cut at * that forbids amalgamation, on the other side",
        rows: [
            EMPTY,
            EMPTY,
            ". . . . X . . . .",
            ". . O O . O O . .",
            ". . X . O . X . .",
            ". . . . O . . . .",
            EMPTY,
            EMPTY,
            EMPTY,
        ],
        a: "F6",
        b: "E5",
        same: false,
    },
    Case {
        what: "the same cut with help behind it, on one side",
        rows: [
            EMPTY,
            ". . . X X X . . .",
            ". . . . X . . . .",
            ". . O O . O O . .",
            ". . X . O . X . .",
            ". . . . O . . . .",
            EMPTY,
            EMPTY,
            EMPTY,
        ],
        a: "D6",
        b: "E5",
        same: false,
    },
    Case {
        what: "the same cut with help behind it, on the other side",
        rows: [
            EMPTY,
            ". . . X X X . . .",
            ". . . . X . . . .",
            ". . O O . O O . .",
            ". . X . O . X . .",
            ". . . . O . . . .",
            EMPTY,
            EMPTY,
            EMPTY,
        ],
        a: "F6",
        b: "E5",
        same: false,
    },
    Case {
        what: "a jump beneath a string that is taken where the three meet",
        rows: [
            EMPTY,
            EMPTY,
            EMPTY,
            EMPTY,
            ". . . O O O . . .",
            ". . . O X O . . .",
            ". . O O X O O . .",
            ". . X X . X X . .",
            EMPTY,
        ],
        a: "D2",
        b: "F2",
        same: true,
    },
    Case {
        what: "of two links over a cutting point the one worth more",
        rows: [
            EMPTY,
            EMPTY,
            ". . . . X . . . .",
            ". . O O . O O O .",
            ". . X . O . X . .",
            ". . . . O . . . .",
            EMPTY,
            EMPTY,
            EMPTY,
        ],
        a: "F6",
        b: "E5",
        same: true,
    },
    Case {
        what: "two one-space jumps that one stone peeps at",
        rows: DOUBLE_PEEP,
        a: "D6",
        b: "F6",
        same: false,
    },
    Case {
        what: "two one-space jumps that one stone peeps at, the other of them",
        rows: DOUBLE_PEEP,
        a: "F6",
        b: "F4",
        same: false,
    },
    Case {
        what: "one of these jumps beside a solid stone",
        rows: [
            EMPTY,
            ". . . O . . . . .",
            ". . . . . . O . .",
            ". O . X . X . . .",
            ". . O . . X . O .",
            EMPTY,
            ". . . O . . . O .",
            EMPTY,
            EMPTY,
        ],
        a: "D6",
        b: "F6",
        same: true,
    },
    Case {
        what: "a knight's move on the edge that the enemy stands beside already",
        rows: [
            EMPTY,
            EMPTY,
            ". . O . . . . . .",
            EMPTY,
            ". . . . . . X . .",
            ". . O . . . X . .",
            EMPTY,
            ". . O . . . O X .",
            ". . . . . . . X .",
        ],
        a: "G4",
        b: "H2",
        same: true,
    },
    Case {
        what: "two strings beside a lost stone of the enemy",
        rows: [
            EMPTY,
            EMPTY,
            ". . X X . . . . .",
            ". X O . X . . . .",
            ". . X X . . . . .",
            EMPTY,
            EMPTY,
            EMPTY,
            EMPTY,
        ],
        a: "C7",
        b: "C5",
        same: true,
    },
    Case {
        what: "two strings around an eye space that the enemy cuts at a diagonal",
        rows: [
            ". X X . X . . . .",
            "O O O X . . . . .",
            ". . O O X . . . .",
            ". O . O O X . . .",
            ". . O . O X . . .",
            ". O O O X . . . .",
            "O O X X . X . . .",
            "X O X . . . . . .",
            "X X X . . . . . .",
        ],
        a: "E7",
        b: "F6",
        same: false,
    },
    Case {
        what: "a diagonal that is cut by ko",
        rows: [
            ". . . . . O . O X",
            ". . X . X X O O X",
            ". . . X O . O X O",
            ". . O X . . . X .",
            ". X . . O O O . X",
            ". . . X X X O . .",
            ". . . . X O . O O",
            ". . . . . X O O X",
            ". . . . . . . . X",
        ],
        a: "E3",
        b: "F2",
        same: false,
    },
    Case {
        what: "a diagonal beyond a one-space jump that one stone threatens with it",
        rows: JUMP_AND_DIAGONAL,
        a: "E7",
        b: "D8",
        same: false,
    },
    Case {
        what: "a one-space jump before a diagonal that one stone threatens with it",
        rows: JUMP_AND_DIAGONAL,
        a: "E5",
        b: "E7",
        same: false,
    },
    Case {
        what: "a one-space jump, of which one stone has a knight's move, where one stone threatens both",
        rows: JUMP_AND_KNIGHTS_MOVE,
        a: "E4",
        b: "E6",
        same: false,
    },
    Case { what: "the knight's move there", rows: JUMP_AND_KNIGHTS_MOVE, a: "E4", b: "G5", same: true },
    Case {
        what: "the same jump, the enemy beside the far stone",
        rows: JUMP_AND_KNIGHTS_MOVE_BESIDE,
        a: "E4",
        b: "E6",
        same: false,
    },
    Case {
        what: "the knight's move there, too",
        rows: JUMP_AND_KNIGHTS_MOVE_BESIDE,
        a: "E4",
        b: "G5",
        same: true,
    },
    Case {
        what: "two strings at a crosscut where the enemy's stones can't part them",
        rows: CROSSCUT,
        a: "F2",
        b: "G3",
        same: true,
    },
    Case { what: "the enemy's two strings there", rows: CROSSCUT, a: "F3", b: "G2", same: false },
    Case {
        what: "two away in a row, the enemy two lines off",
        rows: TWO_SPACE_JUMP,
        a: "D5",
        b: "G5",
        same: false,
    },
];

#[test]
fn strings_are_amalgamated_as_the_table_says_in_every_orientation_and_for_both_colours() {
    let mut links = Links::new(Effort::default().links);
    let mut wrong = Vec::new();
    for case in CASES {
        let drawn = Board::from_diagram(&case.rows.join("\n")).expect("a diagram").0;
        for i in 0..16 {
            let turn = |v: Vertex| {
                let (mut row, mut col) = (v.row(9), v.col(9));
                if i & 1 != 0 {
                    row = 8 - row;
                }
                if i & 2 != 0 {
                    col = 8 - col;
                }
                if i & 4 != 0 {
                    (row, col) = (col, row);
                }
                Vertex::new(row, col, 9)
            };
            let mut board = Board::new(9);
            for v in drawn.vertices() {
                if let Some(color) = drawn.color_at(v) {
                    board.place(if i & 8 == 0 { color } else { color.other() }, turn(v)).expect("empty");
                }
            }
            let at = |name| turn(Vertex::from_gtp(name, 9).expect("a vertex"));
            if parts(&board, &mut links).same(at(case.a), at(case.b)) != case.same {
                wrong.push(format!("{} ({i})", case.what));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Fixed answers in place of tactics: this code against the string at `at`, no capture of any other string, and no
/// safe enemy stone.
struct Decreed {
    at: Vertex,
    capture: Code,
}

impl Tactics for Decreed {
    fn attack(&self, v: Vertex) -> Answer {
        Answer { code: if v == self.at { self.capture } else { Code::Fail }, point: Vertex::PASS }
    }

    fn defence(&self, _: Vertex) -> Answer {
        Answer { code: Code::Win, point: Vertex::PASS }
    }

    fn safe_move(&self, _: Vertex, _: Color) -> Code {
        Code::Fail
    }
}

#[test]
fn strings_are_parted_where_one_of_them_is_taken_without_ko() {
    let board = Board::from_diagram(&DOUBLE_PEEP.join("\n")).expect("a diagram").0;
    let at = |name| Vertex::from_gtp(name, 9).expect("a vertex");
    for (capture, parted) in [(Code::Fail, false), (Code::KoB, false), (Code::KoA, false), (Code::Win, true)]
    {
        let tactics = Decreed { at: at("D6"), capture };
        let mut links = Links::new(Effort::default().links);
        let reader = links.at(&board, &tactics);
        assert_eq!(reader.parted(at("D6"), at("F6")), parted, "{capture:?}");
        assert_eq!(reader.parted(at("F6"), at("D6")), parted, "{capture:?}");
        assert!(!reader.parted(at("F4"), at("F6")));
    }
}

#[test]
fn a_cutting_point_joins_nothing_though_a_stone_there_is_taken() {
    let board = Board::from_diagram(&DOUBLE_PEEP.join("\n")).expect("a diagram").0;
    let at = |name| Vertex::from_gtp(name, 9).expect("a vertex");
    let tactics = Decreed { at: Vertex::PASS, capture: Code::Fail };
    let mut links = Links::new(Effort::default().links);
    let mut reader = links.at(&board, &tactics);
    amalgamate(Color::Black, &[], &mut reader);
    assert!(!reader.partition.same(at("D6"), at("F6")));
    assert!(!reader.partition.same(at("F4"), at("F6")));
}

/// Black's stones of three sizes in a row, and White far off.
const THREE_APART: [&str; 9] = [
    EMPTY,
    EMPTY,
    ". X . . X . . X .",
    ". . . . X . . X .",
    ". . . . . . . X .",
    EMPTY,
    EMPTY,
    EMPTY,
    "O . . . . . . . O",
];

#[test]
fn strings_are_joined_by_the_actions_of_patterns_where_their_conditions_hold() {
    let board = Board::from_diagram(&THREE_APART.join("\n")).expect("a diagram").0;
    let at = |name| Vertex::from_gtp(name, 9).expect("a vertex");
    let two = "Pattern A\n\nO...O\n\n:8,C\n\na.c.b\n\n";
    let row = "Pattern A\n\nO..O..O\n\n:8,-\n\naddbeec\n\n";
    let near = "Pattern A\n\nO..O\n\n:8,-\n\nac.b\n\n";
    let [left, middle, right] = ["B7", "E7", "H7"].map(at);
    // The pattern's row and rule; which of the stones left, middle and right are joined by it.
    let cases = [
        (near, ">amalgamate(a,b);", [true, true]),
        (near, ";lib(a)>3\n>amalgamate(a,b);", [true, true]),
        (near, ";lib(a)>9\n>amalgamate(a,b);", [false, false]),
        (near, ";omoyo(c)\n>amalgamate(a,b);", [true, true]),
        (near, ";oarea(c)\n>amalgamate(a,b);", [true, true]),
        (near, ";xmoyo(c) || xarea(c)\n>amalgamate(a,b);", [false, false]),
        (row, ">amalgamate_most_valuable_helper(a,b,c);", [false, true]),
        (two, ">amalgamate(a,b);", [false, false]),
    ];
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(board.clone(), Color::Black));
    engine.analyse(AnalyseSystems::FirstInfluence);
    let influence: FirstInfluence =
        engine.result::<FirstInfluence>(0, AnalyseSystems::FirstInfluence).expect("influence").clone();
    for (shape, rule, wanted) in cases {
        let text = format!("{shape}{rule}\n");
        let (databases, faults) = PatternDatabases::load([("conn.db", &*text)]).expect("a database");
        assert!(faults.is_empty(), "{faults:?}");
        let mut links = Links::new(Effort::default().links);
        links.patterns = databases.connections;
        let found = parts_with(&board, Some(&influence), &mut links);
        assert_eq!([found.same(left, middle), found.same(middle, right)], wanted, "{text}");
    }
}

#[test]
fn most_recorded_dragons_have_the_same_stones() {
    for (how, mut links, least) in [
        ("in the schedule", Links::new(Effort::default().links), 89.0),
        ("with more effort", Links::new(Effort::of(Level::Deep).links), 90.0),
    ] {
        let Some(share) = share_of_same_dragons(how, &mut links) else { continue };
        assert!(share >= least, "{how}: {share:.1} %");
    }
}

/// Percent of the recorded dragons that are made of the same stones; nothing without recordings.
fn share_of_same_dragons(how: &str, links: &mut Links) -> Option<f64> {
    let (mut same, mut total) = (0_u32, 0_u32);
    for oracle in oracles() {
        let board = board(&oracle);
        let map = DragonMap::of_partition(&board, &parts(&board, links));
        for dragon in oracle.json["dragons"].as_array().expect("dragons") {
            let names = dragon["stones"].as_array().expect("stones").iter();
            let mut theirs: Vec<Vertex> =
                names.filter_map(|name| Vertex::from_gtp(name.as_str()?, oracle.size)).collect();
            theirs.sort_unstable();
            let ours = map.at(theirs[0]).map(|d| {
                let mut stones = d.stones.clone();
                stones.sort_unstable();
                stones
            });
            total += 1;
            same += u32::from(ours.as_ref() == Some(&theirs));
        }
    }
    (total > 0).then(|| {
        let share = 100.0 * f64::from(same) / f64::from(total);
        eprintln!("{how} {same} of {total} recorded dragons have the same stones: {share:.1} %");
        share
    })
}
