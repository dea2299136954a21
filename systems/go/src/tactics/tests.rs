//! Tests of tactical reading: attacks, defences, ladders, and kos.

use super::candidates::{Gains, Moves, ReadingTask, Stage};
use super::node::Node;
use super::*;
use crate::board::{Board, Color, Rules, Vertex};
use proptest::prelude::*;

/// A table case: its name, the diagram, the target, and attack and defence in GTP's spelling.
struct Case {
    shows: &'static str,
    rows: &'static [&'static str],
    target: &'static str,
    attack: &'static str,
    defend: &'static str,
}

fn board_of(rows: &[&str]) -> Board {
    Board::from_diagram(&rows.join("\n")).unwrap().0
}

fn say(reading: &Reading, size: usize) -> String {
    if reading.code.works() {
        format!("{} {}", reading.code.gtp(), reading.point.to_gtp(size))
    } else {
        "0".into()
    }
}

const CASES: &[Case] = &[
    Case {
        shows: "a ladder runs to the edge",
        rows: &[
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . X . . . . . .",
            ". . X O . . . . .",
            ". . X X . . . . .",
            ". . . . . . . . .",
        ],
        target: "D3",
        attack: "1 E3",
        defend: "1 E3",
    },
    Case {
        shows: "ladder breakers on both ways save the stone",
        rows: &[
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . O . . .",
            ". . . . . O . . .",
            ". . X . . . . . .",
            ". . X O . . . . .",
            ". . X X . O . . .",
            ". . . . . . . . .",
        ],
        target: "D3",
        attack: "0",
        defend: "1 PASS",
    },
    Case {
        shows: "a lone stone is taken in a ko, and saved by connecting or by taking its neighbour",
        rows: &[". X O . .", "X O . O .", ". X O . .", ". . . . .", ". . . . ."],
        target: "B4",
        attack: "2 C4",
        defend: "1",
    },
    Case {
        shows: "a stone whose capture is a snapback is not taken that way",
        rows: &[". O X . X", ". X O O X", ". . X X .", ". . . . .", ". . . . ."],
        target: "C5",
        attack: "0",
        defend: "1 PASS",
    },
    Case {
        shows: "a string on the edge is driven along it",
        rows: &[
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". X X X . . .",
            ". X O O X . .",
            ". . . . . . .",
        ],
        target: "C2",
        attack: "1",
        defend: "0",
    },
    Case {
        shows: "a net holds a stone that no ladder takes",
        rows: &[
            ". . . . . . . . .",
            ". . . . O . . . .",
            ". . . . . . . . .",
            ". . . X . . . . .",
            ". . . X O . . O .",
            ". . . . X X . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
        ],
        target: "E5",
        attack: "1 F6",
        defend: "1",
    },
    Case {
        shows: "an atari that would be self-atari is prepared by backfilling (GNU Go manual, cutoff and depth)",
        rows: &[
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". O O O O O O .",
            "O O X X X X X O",
            ". . O . X . X O",
        ],
        target: "C2",
        attack: "1",
        defend: "1",
    },
    Case {
        shows: "a stone whose capture is a ko is taken without one where that works",
        rows: &[". . . . . .", ". . . . . .", ". . X O X X", ". X O . O .", ". . X O X X", ". . . . . ."],
        target: "C3",
        attack: "1 D5",
        defend: "1",
    },
    Case {
        shows: "five liberties are alive",
        rows: &[
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". O X X . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
        ],
        target: "C4",
        attack: "0",
        defend: "1 PASS",
    },
];

#[test]
fn the_table_of_readings_holds() {
    let mut wrong = Vec::new();
    for case in CASES {
        let mut board = board_of(case.rows);
        let size = board.size();
        let v = Vertex::from_gtp(case.target, size).unwrap();
        let mut reader = Reader::default();
        let found = (reader.attack(&mut board, v), reader.defend(&mut board, v));
        let found = (say(&found.0, size), say(&found.1, size));
        // An expectation without a point takes any.
        let fits = |said: &str, expected: &str| said == expected || said.split(' ').next() == Some(expected);
        if !fits(&found.0, case.attack) || !fits(&found.1, case.defend) {
            wrong.push(format!("{}: {found:?}", case.shows));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A case of a generator: the rule, the diagram, the target, whether the attacker moves, the stage, and a move that
/// the stage must contain.
struct Rule {
    shows: &'static str,
    rows: &'static [&'static str],
    target: &'static str,
    attacking: bool,
    stage: Stage,
    gives: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        shows: "the attacker plays on a liberty",
        rows: &[". . . . .", ". . . . .", ". O X . .", ". . O . .", ". . . . ."],
        target: "C3",
        attacking: true,
        stage: Stage::Near,
        gives: "C4",
    },
    Rule {
        shows: "the attacker prepares a liberty that would be self-atari",
        rows: &[
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". O O O O O O .",
            "O O X X X X X O",
            ". . O . X . X O",
        ],
        target: "C2",
        attacking: true,
        stage: Stage::Far,
        gives: "B1",
    },
    Rule {
        shows: "the attacker nets a string at a liberty of order two",
        rows: &[". . . . .", ". . . . .", ". O X . .", ". . O . .", ". . . . ."],
        target: "C3",
        attacking: true,
        stage: Stage::Far,
        gives: "D4",
    },
    Rule {
        shows: "the attacker saves a surrounding string in atari",
        rows: &[". . . . . .", ". X . . . .", "X O X . . .", ". . O . . .", ". . . . . .", ". . . . . ."],
        target: "C4",
        attacking: true,
        stage: Stage::Far,
        gives: "B3",
    },
    Rule {
        shows: "the attacker takes the liberties of a friend that could be joined",
        rows: &[". . . . . .", ". O O . . .", "O X . X O .", ". O O . . .", ". . . . . .", ". . . . . ."],
        target: "B4",
        attacking: true,
        stage: Stage::Far,
        gives: "D5",
    },
    Rule {
        shows: "the owner extends",
        rows: &[". . . . .", ". O . . .", "O X . . .", ". O . . .", ". . . . ."],
        target: "B3",
        attacking: false,
        stage: Stage::Near,
        gives: "C3",
    },
    Rule {
        shows: "the owner takes a surrounding string in atari",
        rows: &[". . . . . .", ". X . . . .", "X O X . . .", ". . O . . .", ". . . . . .", ". . . . . ."],
        target: "C4",
        attacking: false,
        stage: Stage::Near,
        gives: "B3",
    },
    Rule {
        shows: "the owner puts a surrounding string of two liberties in atari",
        rows: &[". . . . . .", ". X . . . .", ". O X . . .", ". . O . . .", ". . . . . .", ". . . . . ."],
        target: "C4",
        attacking: false,
        stage: Stage::Far,
        gives: "B3",
    },
    Rule {
        shows: "the owner plays where his stones reach two liberties at once",
        rows: &[". . . . .", ". . . . .", ". O X . .", ". . O . .", ". . . . ."],
        target: "C3",
        attacking: false,
        stage: Stage::Far,
        gives: "D4",
    },
    Rule {
        shows: "the owner saves the string that holds a surrounding one",
        rows: &[". . . . . .", ". . . . . .", ". . X O . .", ". . O X O .", ". . . . . .", ". . . . . ."],
        target: "C4",
        attacking: false,
        stage: Stage::Far,
        gives: "D2",
    },
    Rule {
        shows: "the owner helps a string of two liberties that holds a surrounding one",
        rows: &[". . . . . .", ". . . . . .", ". . X O . .", ". . O X . .", ". . . . . .", ". . . . . ."],
        target: "C4",
        attacking: false,
        stage: Stage::Far,
        gives: "D2",
    },
    Rule {
        shows: "the owner begins a race with a surrounding string of four liberties",
        rows: &[". . . . . .", ". . . . . .", ". . . . . .", "X . X X . .", "O O O O . .", ". X X . . ."],
        target: "B1",
        attacking: false,
        stage: Stage::Far,
        gives: "B3",
    },
    Rule {
        shows: "the owner joins a friend",
        rows: &[". . . . . .", ". O O . . .", "O X . X O .", ". O O . . .", ". . . . . .", ". . . . . ."],
        target: "B4",
        attacking: false,
        stage: Stage::Near,
        gives: "C4",
    },
];

#[test]
fn each_rule_of_the_generators_gives_its_move() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let board = board_of(rule.rows);
        let size = board.size();
        let target = Vertex::from_gtp(rule.target, size).unwrap();
        let owner = board.color_at(target).unwrap();
        let asked = ReadingTask { target, owner, order: 3, node: Node::LADDER, attacking: rule.attacking };
        let gains = Gains::new(&board, target, owner);
        let mut moves = Moves::default();
        if rule.attacking {
            moves.attack(&board, asked, &gains, &Limits::default(), rule.stage);
        } else {
            moves.defend(&board, asked, &gains, &Limits::default(), rule.stage);
        }
        let found: Vec<String> = std::iter::from_fn(|| moves.take_best()).map(|v| v.to_gtp(size)).collect();
        if !found.iter().any(|v| v == rule.gives) {
            wrong.push(format!("{}: {found:?}", rule.shows));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn deeper_in_a_line_fewer_moves_are_tried() {
    // Black's two stones race four of three liberties.
    let board =
        board_of(&[". . . . . .", ". . . . . .", ". . . . . .", "X . X X . .", "O O O O X .", ". X X . . ."]);
    let [target, race] = ["B1", "B3"].map(|name| Vertex::from_gtp(name, 6).unwrap());
    let tried = |depth| {
        let mut moves = Moves::default();
        let owner = board.color_at(target).unwrap();
        let node = Node { depth, ..Node::LADDER };
        let asked = ReadingTask { target, owner, order: 3, node, attacking: false };
        moves.defend(
            &board,
            asked,
            &Gains::new(&board, target, owner),
            &Limits { race_depth: 2, chain_depth: 0, ..Limits::default() },
            Stage::Far,
        );
        std::iter::from_fn(|| moves.take_best()).collect::<Vec<_>>()
    };
    assert_eq!([0, 2, 3].map(|depth| tried(depth).contains(&race)), [true, true, false]);
    assert!(tried(3).iter().all(|v| tried(0).contains(v)));
}

#[test]
fn a_move_is_named_where_no_attack_was_found_in_time() {
    let case = CASES.iter().find(|case| case.attack == "1 F6").unwrap();
    let mut board = board_of(case.rows);
    let v = Vertex::from_gtp(case.target, board.size()).unwrap();
    let mut reader = Reader::new(Limits { nodes: 1, ..Limits::default() });
    let defend = reader.defend(&mut board, v);
    assert!(defend.limit_hit && defend.code == Code::Win);
    assert!(board.is_legal(Color::White, defend.point) && defend.point != Vertex::PASS);
}

#[test]
fn a_question_asked_alone_is_read_no_narrower_than_one_of_the_stage() {
    let depths = |l: Limits| {
        let (deep, wide) =
            ([l.depth, l.branch_depth, l.fourlib_depth, l.loose_depth], [l.wide_depth, l.prepare_depth]);
        let owner =
            [l.backfill_depth, l.race_depth, l.chain_depth, l.friends_depth, l.ko_depth, l.threat_depth];
        let far = [u16::from(l.far_moves), u16::from(l.threat_moves)];
        [&deep[..], &wide, &owner, &far].concat()
    };
    let pairs = depths(Limits::single()).into_iter().zip(depths(Limits::default()));
    assert!(pairs.clone().all(|(single, stage)| single >= stage), "{:?}", pairs.collect::<Vec<_>>());
}

#[test]
fn a_line_of_a_ladder_ends_where_the_string_can_be_taken() {
    let mut board = board_of(CASES[0].rows);
    let v = Vertex::from_gtp(CASES[0].target, 9).unwrap();
    let line = Reader::default().attack(&mut board, v).line;
    for (i, &point) in line.iter().enumerate() {
        board.play(Color::BOTH[i % 2], point).unwrap();
    }
    assert!(board.liberties(v) == 1 && line.len() > 6, "{line:?}");
}

#[test]
fn of_several_kos_alike_the_nearest_is_named() {
    let cases: [(&[&str], &str, &str, &str); 3] = [
        (&[". . . O .", "X X . O .", "X O . O .", "O . . X .", ". O X . X"], "E1", "3 E3", "C2"),
        (&["O . . X .", "X X X O X", ". . O O .", ". . O O .", "O O O X ."], "E4", "3 E2", "C5"),
        (&[". O X X X", "X . . . O", ". X O . .", "X X X O .", ". . O . O"], "C1", "3 A1", "E2"),
    ];
    for (rows, target, expected, further) in cases {
        let mut board = board_of(rows);
        let [v, further] = [target, further].map(|name| Vertex::from_gtp(name, 5).unwrap());
        let mut reader = Reader::default();
        let defend = reader.defend(&mut board, v);
        assert_eq!(say(&defend, 5), expected);
        assert_eq!(
            reader.does(&mut board, further, v, false),
            defend.code,
            "{target}: the further one is no worse"
        );
    }
}

#[test]
fn a_trace_holds_every_variation_and_changes_no_answer() {
    let mut board = board_of(CASES[0].rows);
    let v = Vertex::from_gtp(CASES[0].target, 9).unwrap();
    let mut reader = Reader::default();
    let silent = reader.attack(&mut board, v);
    reader.resume_trace(Trace::new(&board));
    let traced = reader.attack(&mut board, v);
    let tree = reader.finish_trace().unwrap().tree().clone();
    assert_eq!(silent, traced);
    assert!(tree.nodes.len() > traced.line.len());
    let text = crate::board::sgf::write(&tree);
    assert_eq!(crate::board::sgf::parse(text.as_bytes()).unwrap().nodes.len(), tree.nodes.len());
}

#[test]
fn a_move_that_threatens_two_strings_takes_one() {
    let mut board = board_of(&[
        ". . . . . . .",
        ". X X . X X .",
        "X O O . O O X",
        ". X X . X X .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
    ]);
    let v = |text: &str| Vertex::from_gtp(text, 7).unwrap();
    let reading = Reader::default().attack_either(&mut board, v("B5"), v("E5"));
    assert_eq!(say(&reading, 7), "1 D5");
}

/// A position out of random play, and questions about its strings.
fn position() -> impl Strategy<Value = (usize, Vec<u16>)> {
    (4_usize..8, prop::collection::vec(any::<u16>(), 10..70))
}

fn play_out(size: usize, moves: &[u16]) -> Board {
    let mut board = Board::with_rules(size, Rules::default());
    for (i, &at) in moves.iter().enumerate() {
        let v = Vertex::from_index(at as usize % (size * size), size);
        let _ = board.play(Color::BOTH[i % 2], v);
    }
    board
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_answer_and_no_count_depends_on_what_was_asked_before((size, moves) in position(), seed in any::<u64>()) {
        let mut board = play_out(size, &moves);
        let mut strings = board.strings().collect::<Vec<_>>();
        // The second reads again under narrower limits where these cut it off.
        let limits = [Limits { nodes: 3000, ..Limits::default() }, Limits { nodes: 200, ..Limits::single() }]
            [seed as usize % 2];
        let fresh: Vec<(Vertex, Reading, Reading)> = strings
            .iter()
            .map(|&v| (v, Reader::new(limits).attack(&mut board, v), Reader::new(limits).defend(&mut board, v)))
            .collect();
        let mut order = tengen_core::SplitMix64::new(seed);
        for i in (1..strings.len()).rev() {
            strings.swap(i, order.below(i as u32 + 1) as usize);
        }
        let mut reader = Reader::new(limits);
        for v in strings {
            let (_, attack, defend) = fresh.iter().find(|f| f.0 == v).unwrap();
            for (asked, expected) in [(reader.defend(&mut board, v), defend), (reader.attack(&mut board, v), attack)] {
                prop_assert_eq!(
                    (asked.code, asked.point, asked.nodes, asked.limit_hit),
                    (expected.code, expected.point, expected.nodes, expected.limit_hit)
                );
            }
        }
    }

    #[test]
    fn a_node_limit_never_finds_more_than_reading_without_one((size, moves) in position(), nodes in 1_u64..400) {
        let mut board = play_out(size, &moves);
        let mut full = Reader::new(Limits { nodes: 20_000, ..Limits::default() });
        let mut short = Reader::new(Limits { nodes, ..Limits::default() });
        for v in board.strings().collect::<Vec<_>>() {
            let (all, some) = (full.attack(&mut board, v), short.attack(&mut board, v));
            prop_assert!(all.limit_hit || some.code <= all.code, "{some:?} {all:?}");
        }
    }

    #[test]
    fn more_far_moves_never_find_less((size, moves) in position()) {
        let mut board = play_out(size, &moves);
        let [few, more, many] = [0, 1, 3].map(|far_moves| Limits { far_moves, nodes: 3000, ..Limits::default() });
        for v in board.strings().collect::<Vec<_>>() {
            let [few, more, many] = [few, more, many].map(|limits| Reader::new(limits).attack(&mut board, v));
            prop_assert!(more.limit_hit || few.code <= more.code, "{few:?} {more:?}");
            prop_assert!(many.limit_hit || more.code <= many.code, "{more:?} {many:?}");
        }
    }

    #[test]
    fn what_is_said_to_be_outrun_is((size, moves) in position()) {
        let mut board = play_out(size, &moves);
        for v in board.strings().filter(|&v| board.liberties(v) <= 4).collect::<Vec<_>>() {
            let owner = board.color_at(v).unwrap();
            let gains = Gains::new(&board, v, owner);
            for most in 1..5 {
                let mut outrun = 0;
                let moves: Vec<Vertex> = board.vertices().filter(|&x| board.is_empty(x)).collect();
                let legal: Vec<Vertex> = moves.into_iter().filter(|&x| board.is_legal(owner.other(), x)).collect();
                for &x in &legal {
                    let said = gains.outruns(&board, owner, x, most);
                    outrun += usize::from(said);
                    board.play(owner.other(), x).unwrap();
                    let after = Gains::new(&board, v, owner).extension(&board, owner, most);
                    prop_assert!(!said || after.is_some(), "{board} {} {}", v.to_gtp(size), x.to_gtp(size));
                    board.undo();
                }
                let ways_out = gains.ways_out(most);
                prop_assert!(ways_out == 0 || outrun + 1 >= legal.len());
                prop_assert!(ways_out < 2 || outrun == legal.len());
            }
        }
    }

    #[test]
    fn the_colours_are_treated_alike((size, moves) in position()) {
        let limits = Limits { nodes: 3000, ..Limits::default() };
        let mut board = play_out(size, &moves).without_history();
        let mut swapped = Board::with_rules(size, Rules::default());
        for v in board.vertices() {
            if let Some(color) = board.color_at(v) {
                swapped.place(color.other(), v).unwrap();
            }
        }
        let mut swapped = swapped.without_history();
        if let Some(ko) = board.ko_point() {
            let color = Color::BOTH.into_iter().find(|&c| !board.is_legal(c, ko) && !board.is_suicide(c, ko));
            swapped.set_ko(ko, color.map_or(Color::Black, Color::other));
        }
        let mut reader = Reader::new(limits);
        for v in board.strings().collect::<Vec<_>>() {
            for ask in [Reader::attack, Reader::defend] {
                let (one, other) = (ask(&mut reader, &mut board, v), ask(&mut reader, &mut swapped, v));
                prop_assert!(one.limit_hit || other.limit_hit || one.code == other.code);
            }
        }
    }

    #[test]
    fn reading_leaves_the_board_as_it_was((size, moves) in position()) {
        let mut board = play_out(size, &moves);
        let before = (board.to_string(), board.situation_hash(Color::Black), board.history_len());
        let mut reader = Reader::new(Limits { nodes: 100, ..Limits::default() });
        map::read(&mut reader, &mut board);
        combination_attack(&mut reader, &mut board, Color::White);
        prop_assert_eq!((board.to_string(), board.situation_hash(Color::Black), board.history_len()), before);
    }
}
