//! Tests of the format, the matcher and the evaluation on small inputs.

use super::*;
use crate::board::{Board, Color, Vertex};
use tengen_core::Severity;

fn load(text: &str) -> Matcher {
    let (database, faults) = parse("test.db", text);
    let errors: Vec<String> =
        faults.iter().filter(|f| f.severity == Severity::Error).map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{errors:?}");
    Matcher::new(database)
}

fn board(diagram: &str) -> Board {
    Board::from_diagram(diagram).expect("a diagram").0
}

const HANE: &str = "
# The hane at the head.
Pattern Hane

X*
O.

:8,A,value(2.5)

XB
Oc

;lib(c)==0 && !x_somewhere(B,c)
";

#[test]
fn a_pattern_without_symmetry_matches_in_all_eight_orientations() {
    let matcher = load("Pattern P\n\nOX.\n.*.\n\n:8,A\n");
    for orientation in 0..8 {
        // The pattern around the middle of a board, turned.
        let mut board = Board::new(9);
        let turn = matcher::Orientation(orientation);
        for (cell, color) in [((0, 0), Color::Black), ((0, 1), Color::White)] {
            let (row, col) = turn.turn(cell);
            let v = Vertex::new((4 + row) as usize, (4 + col) as usize, 9);
            board.place(color, v).expect("an empty vertex");
        }
        let found = matcher.find(&board, Color::Black, |_| true);
        assert_eq!(found.len(), 2, "the two stones alone fit from both sides");
        let right = found.iter().find(|m| m.orientation == turn).expect("its own orientation");
        let (row, col) = turn.turn((1, 1));
        let star = Vertex::new((4 + row) as usize, (4 + col) as usize, 9);
        assert_eq!(right.label('*'), Some(star));
    }
}

#[test]
fn edges_are_only_matched_at_the_edge() {
    let matcher = load("Pattern Edge\n\n|O.\n|..\n+--\n\n:8,A\n");
    let at_corner = board(". . . . .\n. . . . .\n. . . . .\nX . . . .\n. . . . .");
    assert_eq!(matcher.find(&at_corner, Color::Black, |_| true).len(), 1);
    assert_eq!(matcher.find(&at_corner, Color::White, |_| true).len(), 0);
    let elsewhere = board(". . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . .");
    assert_eq!(matcher.find(&elsewhere, Color::Black, |_| true).len(), 0);
}

#[test]
fn a_diagram_never_wraps_around_the_edge() {
    let matcher = load("Pattern Wide\n\nO...\n\n:8,A\n");
    let right = board(". . . . .\n. . . . X\n. . . . .\n. . . . .\n. . . . .");
    let found = matcher.find(&right, Color::Black, |_| true);
    let ends: Vec<Vertex> = found.iter().map(|m| m.vertex((0, 3))).collect();
    assert!(ends.iter().all(|&v| right.on_board(v)));
    assert!(ends.contains(&Vertex::new(1, 1, 5)), "to the left");
    assert!(ends.contains(&Vertex::new(4, 4, 5)), "downwards");
    assert_eq!(found.len(), 4, "each in two orientations");
}

#[test]
fn constraints_are_trees_with_cs_precedence() {
    let matcher = load(HANE);
    let pattern = &matcher.database().patterns[0];
    assert_eq!(pattern.reason, "The hane at the head.");
    assert_eq!(pattern.value("value"), Some(2.5));
    let b = board(". . . .\n. O . .\n. X . .\n. . . .");
    let found = matcher.find(&b, Color::Black, |_| true);
    assert_eq!(found.len(), 2, "to the left and to the right");
    let mut reader = crate::tactics::Reader::default();
    let mut queries = EngineQueries::new(b.clone(), &mut reader);
    assert!(found.iter().all(|m| query::accepts(m, &mut queries)));
}

#[test]
fn faults_name_file_line_and_pattern() {
    let cases = [
        ("Pattern A\n\nO?Z\n\n:8,A\n", 3, "`Z` means nothing"),
        ("Pattern A\n\nOX\nO\n\n:8,A\n", 4, "1 cells"),
        ("Pattern A\n\nOX\n\n:9,A\n", 5, "unknown symmetry"),
        ("Pattern A\n\nOX\n\n:8,A,my_helper\n", 5, "unknown helper"),
        ("Pattern A\n\nOX\n\n:8,A\n\nOb\n\n;oplay_atack(b,b)\n", 9, "unknown function `oplay_atack`"),
        ("Pattern A\n\nOX\n\n:8,A\n\nOb\n\n;weak(b)\n", 9, "`weak` is not answered by this engine"),
        ("Pattern A\n\nOX\n\n:8,A\n\nOb\n\n>antisuji(b);\n", 9, "`antisuji` is not answered"),
        ("Pattern A\n\nOX\n\n:8,A\n\nOb\n\n;lib(b,b)\n", 9, "2 arguments"),
        ("Pattern A\n\nOX\n\n:8,A\n\nOb\n\n;lib(c)>1\n", 1, "no label"),
        ("Pattern A\n\nOX\n\n:8,A\n\nOb\n\n;lib(b)>\n", 9, "ends too early"),
        ("Pattern A\n\nOX\n\n:8,A\n\nO.b\n", 7, "another shape"),
        ("Pattern A\n\nOX\n", 1, "no `:` line"),
        ("OX\n", 1, "before the first pattern"),
        ("Pattern A\n\nOX\n\n:8,A\n\nPattern A\n\nXO\n\n:8,A\n", 7, "has the name already"),
    ];
    for (text, line, message) in cases {
        let (_, faults) = parse("my.db", text);
        let fault = faults.iter().find(|f| f.severity == Severity::Error).unwrap_or_else(|| panic!("{text}"));
        assert!(fault.message.contains(message), "{fault}");
        assert_eq!(fault.at.map(|at| at.line), Some(line), "{fault}");
        assert_eq!(fault.file.as_deref(), Some("my.db"));
        assert!(line == 1 && message.contains("before") || fault.message.contains("pattern A"), "{fault}");
    }
}

#[test]
fn calls_without_an_effect_are_warned_of_by_name() {
    let text =
        "Pattern A\n\nO.\n\n:8,C\n\nOb\n\n;omoyo(b) && distrust_tactics_helper(b)\n>amalgamate(b,b);\n";
    let silent = |file: &str| {
        let (_, faults) = parse(file, text);
        assert!(faults.iter().all(|f| f.severity == Severity::Warning), "{faults:?}");
        let names = faults.iter().filter_map(|f| f.message.split('`').nth(1).map(str::to_string));
        names.collect::<Vec<_>>()
    };
    assert_eq!(silent("mine/conn.db"), ["distrust_tactics_helper"]);
    assert_eq!(silent("barriers.db"), ["distrust_tactics_helper", "amalgamate"]);
}

#[test]
fn duplicates_under_symmetry_are_reported() {
    let text = "Pattern A\n\nOX\n.x\n\n:8,A\n\nPattern B\n\nXO\nx.\n\n:8,A\n";
    let (database, faults) = parse("my.db", text);
    assert_eq!(database.patterns.len(), 2);
    assert!(faults.iter().any(|f| f.message.contains("the same as A")), "{faults:?}");
}

#[test]
fn the_table_of_functions_is_sorted() {
    assert!(functions::FUNCTIONS.windows(2).all(|w| w[0].name < w[1].name));
}

#[test]
fn our_own_databases_have_no_fault_and_a_reason_for_each_pattern() {
    let own = PatternDatabases::default();
    for matcher in [&own.influence, &own.barriers, &own.connections] {
        assert!(!matcher.database().patterns.is_empty());
        for pattern in &matcher.database().patterns {
            assert!(!pattern.reason.is_empty(), "{} says not why", pattern.name);
        }
    }
    for (file, text) in [
        ("influence.db", include_str!("../../../../resources/go/patterns/influence.db")),
        ("barriers.db", include_str!("../../../../resources/go/patterns/barriers.db")),
        ("conn.db", include_str!("../../../../resources/go/patterns/conn.db")),
    ] {
        let (_, faults) = parse(file, text);
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

#[test]
fn constraints_deeper_than_the_stack_are_faults_with_a_place() {
    use super::expr::{Source, parse_actions, parse_constraint};
    let source = |text: &str| {
        let mut source = Source::default();
        source.push(text, 7, 1);
        source
    };
    for text in [
        format!("{}1{}", "(".repeat(5400), ")".repeat(5400)),
        format!("{}1", "!".repeat(100_000)),
        format!("1{}", "||1".repeat(100_000)),
    ] {
        let fault = parse_constraint(&source(&text)).expect_err("it is too deep");
        assert!(fault.to_string().contains('7'), "{fault}");
        assert!(parse_actions(&source(&text)).is_err());
    }
    assert!(parse_actions(&source(&"if(1)".repeat(100_000))).is_err());
    assert!(parse_constraint(&source(&format!("{}1{}", "(".repeat(99), ")".repeat(99)))).is_ok());
}
