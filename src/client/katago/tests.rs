//! Tests of the client of KataGo's analysis protocol: queries, answers, and the file of stored answers.

use super::answer::read;
use super::kept::Kept;
use super::query::Question;
use serde_json::{Value, json};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::world::Position;

fn vertex(name: &str, size: usize) -> Vertex {
    Vertex::from_gtp(name, size).expect("a vertex")
}

/// A 9x9 board with a placed stone and two moves.
fn position() -> Position {
    let mut board = Board::new(9);
    board.place(Color::Black, vertex("E5", 9)).expect("an empty vertex");
    for (color, v) in [(Color::White, "C3"), (Color::Black, "G7")] {
        board.play(color, vertex(v, 9)).expect("legal");
    }
    Position { komi: 6.75, ..Position::new(board, Color::White) }
}

fn good(question: &Question) -> Value {
    let mut policy = vec![json!(0.0123); 82];
    for v in question.board.vertices().filter(|&v| question.board.color_at(v).is_some()) {
        policy[v.index(9)] = json!(-1.0);
    }
    json!({
        "turnNumber": question.turn,
        "rootInfo": { "scoreLead": 3.12345, "winrate": 0.6, "currentPlayer": if question.to_move == Color::Black { "B" } else { "W" } },
        "ownership": vec![0.25; 81], "policy": policy,
    })
}

#[test]
fn a_query_has_the_moves_for_the_side_whose_turn_it_is_and_the_stones_alone_for_the_other() {
    let position = position();
    let with = |side| Question::new(&position, side, 1).expect("a question").query();
    let [black, white] = [with(Color::Black), with(Color::White)];
    assert_eq!(white["initialStones"], json!([["B", "E5"]]));
    assert_eq!(white["moves"], json!([["W", "C3"], ["B", "G7"]]));
    assert_eq!(black["moves"], json!([]));
    assert_eq!(black["initialPlayer"], "B");
    assert_eq!(black["initialStones"].as_array().map(Vec::len), Some(3));
    // A quarter of a point is no komi of the protocol.
    assert_eq!(white["komi"], 7.0);
}

#[test]
fn boards_that_the_protocol_does_not_take_are_not_asked_about() {
    for size in [1, 20, 25] {
        assert!(
            Question::new(&Position::new(Board::new(size), Color::Black), Color::Black, 1).is_none(),
            "{size}"
        );
    }
}

#[test]
fn an_answer_for_something_else_is_refused_and_says_what_is_wrong() {
    let position = position();
    let question = Question::new(&position, Color::White, 1).expect("a question");
    let view = read(&good(&question), &question).expect("a view");
    assert_eq!((view.lead, view.win_rate, view.owner[0]), (3.1235, 0.6, 0.25));
    assert_eq!(view.likelihood[vertex("E5", 9).index(9)], 0.0);
    let spoilt = |name: &str, value: Value| {
        let mut answer = good(&question);
        match answer["rootInfo"].get(name) {
            Some(_) => answer["rootInfo"][name] = value,
            None => answer[name] = value,
        }
        read(&answer, &question).expect_err(name)
    };
    for (name, value, expected) in [
        ("currentPlayer", json!("B"), "answered for B to move"),
        ("turnNumber", json!(1), "answered for turn 1"),
        ("scoreLead", json!("much"), "left `rootInfo.scoreLead` out"),
        ("scoreLead", json!(1e9), "as `rootInfo.scoreLead`"),
        ("winrate", json!(1.5), "as `rootInfo.winrate`"),
        ("ownership", json!([0.0]), "of 1 numbers for a board that has 81"),
        ("ownership", json!(vec![7.0; 81]), "no number from -1 to 1"),
        ("policy", Value::Null, "left `policy` out"),
        ("policy", json!(vec![0.01; 82]), "answered for another position"),
    ] {
        let error = spoilt(name, value);
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn kept_answers_come_back_as_they_were_and_a_cut_line_is_passed_over() {
    let folder = std::env::temp_dir().join(format!("tengen-kept-{}", std::process::id()));
    let path = folder.join("answers.jsonl");
    let position = position();
    let question = Question::new(&position, Color::White, 1).expect("a question");
    let view = read(&good(&question), &question).expect("a view");
    let kept = Kept::open(Some(&path), "katago analysis").expect("a new file");
    assert_eq!(kept.get(&question.key()), None);
    kept.put(&question.key(), &view).expect("room");
    drop(kept);
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, format!("{text}{{\"key\":\"cut")).expect("a file");
    for _ in 0..2 {
        let kept = Kept::open(Some(&path), "katago analysis").expect("a known file");
        assert_eq!(kept.get(&question.key()), Some(view.clone()));
        assert_eq!(kept.get("another"), None);
    }
    let other = Kept::open(Some(&path), "leela analysis").map(drop).expect_err("another judge");
    assert!(other.to_string().contains("katago analysis"), "{other}");
    std::fs::remove_dir_all(&folder).expect("a folder");
}
