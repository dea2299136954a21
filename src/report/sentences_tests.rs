//! Tests that the sentences of reports agree with the record and with separate readings.

use super::*;
use crate::record::findings::Findings;
use crate::report::game::{look, positions};
use crate::report::step::ReportProgress;
use crate::scene::GameRecord;
use crate::scene::position;
use std::collections::BTreeSet;
use std::path::Path;
use tengen_go::board::sgf::Until;
use tengen_go::connection::ConnectionReader;
use tengen_go::moves::Target;
use tengen_go::tactics::{Limits, Reader};
use tengen_go::{AnalyseSystems, GoEngine};

/// The number before a word of a sentence.
fn number_before(sentence: &str, word: &str) -> Option<f32> {
    let words: Vec<&str> = sentence.split([' ', '(']).collect();
    words.iter().position(|w| w.starts_with(word)).and_then(|i| words[i - 1].parse().ok())
}

/// Compares sentences about captured stones and groups with the stones of the record before and after the move, one
/// by one.
#[test]
fn sentences_about_stones_are_true_on_a_game_that_comes_along() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/go/games/9x9-2.sgf");
    let record = GameRecord::read(&path).expect("a record");
    let line = record.tree.line(&[]);
    let (mut done, mut more) = (0, 0);
    let mut on_progress = |progress: ReportProgress| match progress {
        ReportProgress::More(count) => more += count,
        ReportProgress::Done => done += 1,
    };
    let report =
        look(&mut GoEngine::new(1), &record, "game", 1, &mut on_progress).expect("it is a good record");
    let counted = positions(&record, 1).expect("it is a good record");
    assert!(!report.moments.is_empty(), "the game has mistakes");
    for moment in &report.moments {
        let step = report.steps.iter().find(|step| step.number == moment.number).expect("it was looked at");
        assert_eq!(step.loss, Some(moment.loss), "move {} has one loss", moment.number);
    }
    assert!(more > 0 && done == counted + more, "{done} of {counted} positions and {more} of key moments");
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
    let text = loss(Color::Black, Vertex::new(0, 0, 9), 9, 6.5, [-2.0, 4.5]);
    assert_eq!(text, "Black A9 loses 6.5 points: the estimate goes from B+2.0 to W+4.5.");
    let text = captures(Color::White, Vertex::new(8, 8, 9), 9, 1);
    assert_eq!(text.as_deref(), Some("White J1 takes 1 stone off the board."));
}

#[test]
fn playouts_that_outweigh_a_reading_are_named_with_what_it_says() {
    let life = |status| Claim::of(Rule::LifeAndDeath, status);
    let race = |status| Claim::of(Rule::Semeai, status);
    for (status, claims, wanted) in [
        (Status::Dead, vec![life(Status::Alive)], "life-and-death reading says it is alive"),
        (
            Status::Alive,
            vec![life(Status::Dead), life(Status::Critical)],
            "life-and-death reading says it is critical",
        ),
        (
            Status::Dead,
            vec![life(Status::Critical), race(Status::Alive)],
            "life-and-death reading says it is critical and a capturing race says it is alive",
        ),
        (Status::Dead, vec![life(Status::Dead), race(Status::Alive)], "a capturing race says it is alive"),
        (Status::Alive, vec![life(Status::Unknown)], "tactical reading says otherwise"),
    ] {
        let dragon = Dragon { status, rule: Rule::Odds, ..Dragon::default() };
        let told = basis(&dragon, &claims);
        assert_eq!(told, format!("by playouts with either side moving first, though {wanted}"));
        let sentence = death(&dragon, 9, Status::Alive, &claims);
        assert!(
            sentence.contains(&format!(" is {} {told}; it was alive before.", status.name())),
            "{sentence}"
        );
    }
    let eyes = Dragon { rule: Rule::Eyes, ..Dragon::default() };
    assert_eq!(basis(&eyes, []), "by its eyes");
}

/// Sentences that are known to be false: the game, the moves before the position, the sentence. A sentence that
/// became true must be removed, so that the list stays correct.
const KNOWN_FALSE: [(&str, usize, &str); 3] = [
    ("9x9-1", 34, "Black C6 saves Black's 1 stone at A2."),
    ("9x9-1", 34, "Black D4 saves Black's 1 stone at A2."),
    ("9x9-1", 82, "Black H7 saves Black's 1 stone at G1."),
];

/// Tests every n-th position of a game.
const STEP: usize = 12;

/// The vertex behind the last ` at ` of a sentence.
fn vertex(sentence: &str, size: usize) -> Vertex {
    let name =
        sentence.rsplit(" at ").next().and_then(|rest| rest.split([' ', '.']).next()).expect("a vertex");
    Vertex::from_gtp(name, size).expect("a vertex")
}

/// Whether a sentence about a move holds on the board after it, by a separate reading. `None` for sentences that are
/// not about captures, life or links.
fn holds(sentence: &str, board: &Board, after: &Board, deep: &mut Option<Findings>) -> Option<bool> {
    let size = board.size();
    let mut reader = Reader::new(Limits::single());
    let is_there = |v: Vertex| after.color_at(v).is_some() && after.color_at(v) == board.color_at(v);
    let status = |deep: &mut Option<Findings>, v: Vertex| {
        let findings = deep.get_or_insert_with(|| {
            let mut engine = GoEngine::new(1);
            let (color, _) = after.last_move().expect("it was just played");
            let position = tengen_go::world::Position::new(after.clone(), color.other());
            let input = crate::scene::position::GoInput {
                position,
                marks: tengen_go::board::Marks::default(),
                moves: 0,
                stopped: None,
                warnings: Vec::new(),
            };
            Findings::analyse(&mut engine, &input, AnalyseSystems::Dragons)
        });
        findings.dragons.as_ref().and_then(|d| d.at(v)).map(|d| d.status)
    };
    let words: Vec<&str> = sentence.split([' ', '.']).collect();
    let verb = *words.get(2)?;
    if sentence.contains(" if ") {
        return None;
    }
    Some(match verb {
        "captures" => {
            let v = vertex(sentence, size);
            !is_there(v) || !reader.defend(&mut after.clone(), v).code.works()
        }
        "saves" => {
            let v = vertex(sentence, size);
            is_there(v) && !reader.attack(&mut after.clone(), v).code.works()
        }
        "kills" => {
            let v = vertex(sentence, size);
            !is_there(v) || status(deep, v) == Some(Status::Dead)
        }
        "makes" if sentence.contains(" live.") => {
            let v = Vertex::from_gtp(words.iter().skip_while(|w| **w != "at").nth(1)?, size)?;
            is_there(v) && status(deep, v) != Some(Status::Dead)
        }
        "connects" => {
            let v = |n: usize| Vertex::from_gtp(words.get(n).unwrap_or(&""), size).expect("a vertex");
            let (a, b) = (v(3), v(5));
            is_there(a)
                && is_there(b)
                && (after.origin(a) == after.origin(b)
                    || !ConnectionReader::default().disconnect(after, a, b).code.works())
        }
        _ => return None,
    })
}

/// Parses each sentence about a move. Compares its statements about captures, life and links with fresh readers of
/// the position after the move, with the other side to move.
#[test]
fn sentences_about_captures_lives_and_links_hold_by_reading_of_the_position_after_the_move() {
    let mut engine = GoEngine::new(1);
    // The known false ones would change with each net.
    engine.judge_by("none".parse().expect("a judge"));
    let (mut checked, mut found) = (0, BTreeSet::new());
    for game in ["9x9-1", "9x9-2", "9x9-3"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/go/games/{game}.sgf"));
        let record = GameRecord::read(&path).expect("a record");
        let line = record.tree.line(&[]);
        let places = (2..line.len()).filter(|i| i % STEP == 11);
        for place in places {
            let input = position::of_line(&record, &line[..place], Until::End).expect("a position");
            let findings = Findings::analyse(&mut engine, &input, AnalyseSystems::MoveEvaluation);
            let (board, color) = (&findings.position.board, findings.position.to_move);
            let candidates = findings.moves.iter().flat_map(|list| &list.candidates);
            for candidate in candidates.filter(|c| board.is_legal(color, c.vertex)) {
                let mut after = board.clone();
                after.play(color, candidate.vertex).expect("it is legal");
                let mut deep = None;
                for reason in &candidate.reasons {
                    let sentence = super::reason(board, color, candidate.vertex, reason);
                    if let Some(is_true) = holds(&sentence, board, &after, &mut deep) {
                        checked += 1;
                        if !is_true {
                            found.insert((game, input.moves, sentence));
                        }
                    }
                }
            }
        }
    }
    let known: BTreeSet<(&str, usize, String)> =
        KNOWN_FALSE.iter().map(|&(game, moves, text)| (game, moves, text.to_owned())).collect();
    assert_eq!(found, known, "of {checked} sentences that were checked");
    assert!(checked > 100, "{checked}");
}

#[test]
fn sentences_name_whose_stones_they_are_and_lines_alternate() {
    let mut board = Board::new(9);
    let at = |name: &str| Vertex::from_gtp(name, 9).expect("a vertex");
    board.play(Color::White, at("D5")).expect("legal");
    board.play(Color::White, at("E5")).expect("legal");
    let text = reason(&board, Color::Black, at("D4"), &Reason::Attack(Target::new(at("D5"), 2), 2));
    assert_eq!(text, "Black D4 captures White's 2 stones at D5 if Black wins a ko.");
    let text = reason(&board, Color::White, at("D4"), &Reason::Connect(at("D5"), at("E5")));
    assert_eq!(text, "White D4 connects D5 and E5.");
    assert_eq!(line(Color::White, &[at("A1"), at("B2"), Vertex::PASS], 9), "White A1, Black B2, White PASS");
}
