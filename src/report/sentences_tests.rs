use super::*;
use crate::report::game::look;
use crate::scene::cases::GameRecord;
use crate::scene::position;
use std::path::Path;
use tengen_go::GoEngine;
use tengen_go::board::sgf::Until;

/// The number before a word of a sentence.
fn number_before(sentence: &str, word: &str) -> Option<f32> {
    let words: Vec<&str> = sentence.split([' ', '(']).collect();
    words.iter().position(|w| w.starts_with(word)).and_then(|i| words[i - 1].parse().ok())
}

/// What sentences say of stones taken and of groups is held against the stones of the record before and after the move,
/// counted one by one.
#[test]
fn sentences_about_stones_are_true_on_a_game_that_comes_along() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/go/games/9x9-2.sgf");
    let record = GameRecord::read(&path).expect("a record");
    let line = record.tree.line(&[]);
    let report = look(&mut GoEngine::new(1), &record, "game", 1).expect("it is a good record");
    let stones = |place: usize, color| {
        let input = position::of_line(&record, &line[..=place], Until::End).expect("a position");
        let board = input.position.board;
        let count = board.vertices().filter(|&v| board.color_at(v) == Some(color)).count();
        (board, count)
    };
    let (mut takes, mut deaths) = (0, 0);
    for step in &report.steps {
        let place = line.iter().position(|&id| id == step.node).expect("it is on the line");
        for text in &step.sentences {
            if text.contains("off the board") {
                let (before, after) =
                    (stones(place - 1, step.color.other()).1, stones(place, step.color.other()).1);
                assert_eq!(number_before(text, "stone"), Some((before - after) as f32), "{text}");
                takes += 1;
            } else if let Some((who, rest)) = text.split_once("'s group at ") {
                let board = stones(place, step.color).0;
                let name = rest.split(' ').next().expect("a vertex");
                let at = Vertex::from_gtp(name, board.size()).expect("a vertex");
                assert_eq!(board.color_at(at).map(player), Some(who), "{text}");
                let all = number_before(rest, "stone").expect("a number") as usize;
                assert!(
                    (board.string_size(at)..=stones(place, step.color).1.max(81)).contains(&all),
                    "{text}"
                );
                deaths += 1;
            }
        }
    }
    assert!(takes > 0 && deaths > 0, "{takes} captures and {deaths} deaths were told");
}

#[test]
fn losses_and_leads_are_signed_by_the_mover() {
    assert_eq!(lost(Color::White, 3.0, -2.0), 5.0);
    assert_eq!(lost(Color::Black, 3.0, -2.0), -5.0);
    let text = loss(Color::Black, Vertex::new(0, 0, 9), 9, -2.0, 4.5);
    assert_eq!(text, "Black A9 loses 6.5 points: the estimate goes from B+2.0 to W+4.5.");
    let text = captures(Color::White, Vertex::new(8, 8, 9), 9, 1);
    assert_eq!(text.as_deref(), Some("White J1 takes 1 stone off the board."));
}
