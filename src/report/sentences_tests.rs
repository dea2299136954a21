use super::*;
use crate::report::findings::Findings;
use crate::scene::cases::GameRecord;
use crate::scene::position;
use std::path::Path;
use tengen_go::board::sgf::Until;
use tengen_go::tactics::Reader;
use tengen_go::{AnalyseSystems, GoEngine};

/// The vertex and the number of stones of "... {verb} Black's N stones at V.".
fn claim(sentence: &str, size: usize) -> Option<(Vertex, usize, &str)> {
    let (head, rest) = sentence.split_once("'s ")?;
    let verb = head.split(' ').nth(2)?;
    let (count, rest) = rest.split_once(' ')?;
    let (_, name) = rest.split_once(" at ")?;
    let name = name.split([' ', '.']).next()?;
    Some((Vertex::from_gtp(name, size)?, count.parse().ok()?, verb))
}

/// What a sentence says of captures and rescues is so: the string is of that size, and a reader of its own finds that
/// after the move the string is off the board or has no defence, or can no longer be attacked.
#[test]
fn sentences_about_captures_and_rescues_are_true_on_the_games_that_come_along() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/go/games");
    let mut engine = GoEngine::new(1);
    let mut checked = 0;
    for game in ["9x9-1.sgf", "9x9-2.sgf", "9x9-3.sgf"] {
        let record = GameRecord::read(&folder.join(game)).expect("a record");
        for before in (5..60).step_by(9) {
            let input =
                position::of_line(&record, &record.tree.line(&[]), Until::Move(before)).expect("a position");
            let findings = Findings::analyse(&mut engine, &input, AnalyseSystems::MoveEvaluation);
            let (board, color) = (&input.position.board, input.position.to_move);
            for candidate in findings.ranked() {
                for found in &candidate.reasons {
                    let Some(text) = reason(board, color, candidate.vertex, found) else { continue };
                    if text.contains(" if a ko") {
                        continue;
                    }
                    let Some((at, count, verb)) = claim(&text, board.size()) else { continue };
                    assert_eq!(board.string_size(at), count, "{game} {before}: {text}");
                    let mut after = board.without_history();
                    after.play(color, candidate.vertex).expect("a candidate is legal");
                    let mut reader = Reader::default();
                    let holds = match verb {
                        "captures" => after.is_empty(at) || !reader.defend(&mut after, at).code.works(),
                        "saves" => !after.is_empty(at) && !reader.attack(&mut after, at).code.works(),
                        _ => continue,
                    };
                    assert!(holds, "{game} before move {before}: {text}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 20, "{checked} sentences were checked");
}

#[test]
fn losses_and_leads_are_signed_by_the_mover() {
    assert_eq!(lost(Color::White, 3.0, -2.0), 5.0);
    assert_eq!(lost(Color::Black, 3.0, -2.0), -5.0);
    let text = loss(Color::Black, Vertex::new(0, 0, 9), 9, -2.0, 4.5);
    assert_eq!(text, "Black A9 loses 6.5 points: the estimate goes from B+2.0 to W+4.5.");
    assert_eq!(
        captures(Color::White, Vertex::new(8, 8, 9), 9, 1).as_deref(),
        Some("White J1 takes 1 stone off the board.")
    );
}
