//! Compares the manual's examples, computed with Tengen's own databases, exactly.

use super::after_move::{self, MoveInfluence, MoveQuestion};
use super::after_moves::MoveTrial;
use super::patterns::causes;
use super::*;
use crate::board::{Board, Color, Marks, Vertex};
use crate::patterns::{EngineQueries, PatternDatabases, Queries};
use crate::spread::field::vertices;
use crate::spread::{Effect, InfluenceMap, Spreader};
use crate::tactics::Reader;

/// White's O and Black's X as in the manual's figures.
fn board(diagram: &str) -> (Board, Marks) {
    Board::from_diagram(diagram).expect("a diagram")
}

fn all_lively(board: &Board) -> Vec<StoneStatus> {
    lively(board, None, |_| (false, false))
}

fn map(board: &Board, to_move: Color, status: &[StoneStatus]) -> InfluenceMap {
    let pass = Pass { board, to_move: Some(to_move), status, kind: Kind::Territorial };
    let field = pass.field();
    let mut reader = Reader::default();
    let mut queries = EngineQueries::new(board.clone(), &mut reader);
    let causes = causes(&PatternDatabases::default(), &pass, &field, &mut queries);
    pass.compute(&mut Spreader::new(), field, causes)
}

/// White's move at `at`, with these strings dead before and saved by it.
fn white_plays(board: &Board, at: Vertex, dead: &[Vertex]) -> (InfluenceMap, MoveInfluence) {
    let mut status = all_lively(board);
    for &string in dead {
        for v in board.stones(string) {
            status[v.at()] = StoneStatus::default();
        }
    }
    let before = map(board, Color::Black, &status);
    let trial = MoveTrial { at, stone: LIVELY, saved: dead, killed: &[] };
    let question = MoveQuestion { board, color: Color::White, trial, status: &status };
    let (after, status) = after_move::status_after(&question).expect("a legal move");
    let databases = PatternDatabases::default();
    (before, after_move::compute(&question, &after, &status, &databases, &mut Reader::default()))
}

/// The territory as the manual draws it: x, o, y and z (dead stones), `.` for less than a half.
fn picture(map: &InfluenceMap) -> String {
    let size = map.field.size;
    let mut text = String::new();
    for v in vertices(size) {
        text.push(match (map.stones[v.at()], map.territory[v.at()]) {
            (Some(Color::Black), value) if value > 1.5 => 'z',
            (Some(Color::White), value) if value < -1.5 => 'y',
            (Some(Color::Black), _) => 'X',
            (Some(Color::White), _) => 'O',
            (None, value) if value > 0.5 => 'o',
            (None, value) if value < -0.5 => 'x',
            _ => '.',
        });
        if v.col(size) + 1 == size {
            text.push('\n');
        }
    }
    text
}

fn assert_value(found: f32, wanted: f32, before: &InfluenceMap, answer: &MoveInfluence) {
    let show = |m: &InfluenceMap| {
        let odd: Vec<String> = vertices(m.field.size)
            .filter(|v| m.territory[v.at()].fract().abs() > 0.005)
            .map(|v| format!("{} {:.2}", v.to_gtp(m.field.size), m.territory[v.at()]))
            .collect();
        format!("{}{odd:?}\n{:?}\n", picture(m), m.causes)
    };
    assert!(
        (found - wanted).abs() < 0.05,
        "{found} instead of {wanted}\nbefore\n{}after\n{}followup\n{}",
        show(before),
        show(&answer.map),
        show(&answer.followup)
    );
}

#[test]
fn the_push_into_a_gap_is_worth_one_point_with_a_follow_up_of_three() {
    let (board, marks) = board(
        "
        . . . O X . . . .
        . . . O X . . . .
        . . . O X X X . .
        . . . O X . X X X
        . . . O a . . X .
        . . . O X . X X X
        . . . O X X X . .
        . . . O X . . . .
        . . . O X . . . .",
    );
    let (before, answer) = white_plays(&board, marks['a'], &[]);
    assert_value(answer.delta(&before, Color::White), 1.0, &before, &answer);
    assert_value(answer.followup_value(Color::White), 3.0, &before, &answer);
}

#[test]
fn the_first_line_hane_makes_a_difference_of_four() {
    let (board, marks) = board(
        "
        . . . . O X . . .
        . . . . O X . . .
        . . . . O X . . .
        . . . . O X . . .
        . . . . O X . . .
        . . . . O X . . .
        . . . . O X . . .
        . . . . O X . . .
        . . . . . a . . .",
    );
    let (before, answer) = white_plays(&board, marks['a'], &[]);
    assert_value(answer.delta(&before, Color::White), 4.0, &before, &answer);
}

#[test]
fn saving_six_stones_is_worth_eighteen_points() {
    let (board, marks) = board(
        "
        . X . X . . X O . .
        . . . . . . X O . .
        . . . . . . X O . .
        . . . . . . X O . .
        . . . . . . X O . .
        . . . . . . X O . .
        . . . . . . X O . .
        X X X X X X X O . .
        X . O O O O X O . .
        X . O . . O a O . .",
    );
    let (before, answer) = white_plays(&board, marks['a'], &[Vertex::new(8, 2, 10)]);
    assert_value(answer.delta(&before, Color::White), 18.0, &before, &answer);
}

const GAP: &str = "
    . . . . . . . . .
    . . X . . . X . .
    . . . . . . . . .
    . . X . . . X . .
    . . . X X X . . .
    . . . X X X . . .
    O O O a . O O O O
    O . . . . . . . O
    O . . . . . . . O";

#[test]
fn a_gap_in_the_third_line_leaks_if_the_enemy_moves_first_until_it_is_narrowed() {
    let (board, marks) = board(GAP);
    let inside = Vertex::new(8, 4, 9);
    let status = all_lively(&board);
    assert_eq!(map(&board, Color::White, &status).whose_territory(inside), Some(Color::White));
    assert_eq!(map(&board, Color::Black, &status).whose_territory(inside), None);
    let (before, answer) = white_plays(&board, marks['a'], &[]);
    assert_eq!(answer.map.whose_territory(inside), Some(Color::White));
    assert!(answer.delta(&before, Color::White) > 3.0, "{}", picture(&answer.map));
}

const CORNER: &str = "
    . . . . . . .
    O O O O . . .
    . . . O . . .
    . . . a . X .
    . . . O . . .
    . . . O O O .
    . . . . . O .";

#[test]
fn a_one_space_jump_keeps_influence_out_of_the_corner() {
    let (board, marks) = board(CORNER);
    let status = all_lively(&board);
    for to_move in Color::BOTH {
        let map = map(&board, to_move, &status);
        assert!(map.influence[0][marks['a'].at()] > 0.0, "Black reaches the gap");
        for (row, col) in [(3, 2), (2, 1), (4, 2), (3, 0), (2, 2)] {
            assert_eq!(map.influence[0][Vertex::new(row, col, 7).at()], 0.0, "{row} {col}");
        }
    }
}

#[test]
fn influence_does_not_squeeze_through_a_diagonal() {
    let (board, _) = board(". . . X .\nO O . . .\n. . O . .\n. . O . .\n. . O . .");
    let map = map(&board, Color::Black, &all_lively(&board));
    assert!(map.influence[0][Vertex::new(1, 2, 5).at()] > 0.0);
    assert_eq!(map.influence[0][Vertex::new(2, 1, 5).at()], 0.0);
}

#[test]
fn every_effect_names_the_pattern_that_caused_it() {
    let (board, marks) = board(CORNER);
    let map = map(&board, Color::Black, &all_lively(&board));
    let cause =
        map.causes.iter().find(|c| (c.at, c.color, c.effect) == (marks['a'], Color::Black, Effect::Barrier));
    assert!(cause.is_some_and(|c| !c.pattern.is_empty()), "{:?}", map.causes);
}

#[test]
fn a_false_eye_that_counts_as_territory_is_one_before_the_moves_that_are_tried() {
    let (board, _) = board(
        "X . X . . . .
         X X X X X X X
         X X . . . . .
         . X X X . . .
         X O O O O . .
         . . . . . . .
         . . . . . . .",
    );
    let at = Vertex::from_gtp("A4", 7).expect("a vertex");
    let status = all_lively(&board);
    let pass = Pass { board: &board, to_move: Some(Color::Black), status: &status, kind: Kind::Territorial };
    let influence = pass.compute(&mut Spreader::new(), pass.field(), Vec::new());
    let mut reader = Reader::default();
    let tactics = crate::tactics::map::read(&mut reader, &mut board.clone());
    let mut queries = EngineQueries { tactics: Some(&tactics), ..EngineQueries::new(board, &mut reader) };
    assert!(queries.false_eye(at) && !queries.false_eye_territory(at), "no influence is known");
    queries.influence = Some(&influence);
    assert!(queries.false_eye_territory(at));
    queries.keep_false_eyes();
    queries.tactics = None;
    assert!(!queries.false_eye(at) && queries.false_eye_territory(at));
}

#[test]
fn patterns_know_the_dragons_in_the_second_pass_and_not_in_the_first() {
    let text = "Pattern Dead\n\nO.\n\n:8,ts\n\nAb\n\n>if (dead(A)) non_oterritory(b);\n";
    let barriers = ("barriers.db", text);
    let (databases, faults) = PatternDatabases::load([barriers]).expect("a database");
    assert_eq!(faults, []);
    let (board, _) = board(
        "O O . O X . .
         O O O O X . .
         O O X X X . .
         O O X . . . .
         X X X . . . .
         . . . . . . .
         . . . . . . .",
    );
    let with_them = move |app: &mut bevy_app::App| {
        app.insert_resource(databases.clone());
    };
    let mut engine = crate::GoEngine::with_plugins(1, (crate::GoPlugins, with_them));
    engine.put(0, crate::world::Position::new(board, Color::Black));
    engine.analyse(crate::AnalyseSystems::SecondInfluence);
    let of_pattern = |maps: &[InfluenceMap; 2]| maps[1].causes.iter().any(|cause| &*cause.pattern == "Dead");
    let first = engine.result::<FirstInfluence>(0, crate::AnalyseSystems::FirstInfluence).expect("a pass");
    let second = engine.result::<SecondInfluence>(0, crate::AnalyseSystems::SecondInfluence).expect("a pass");
    assert!(!of_pattern(&first.maps) && of_pattern(&second.maps));
}
