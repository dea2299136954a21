//! GTP commands that generate moves, and commands that query the reasons for a move.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};
use crate::report::reasons;
use std::time::Instant;
use tengen_go::board::{Color, Vertex};
use tengen_go::moves::{Choice, Review};
use tengen_go::reasons::ReasonError;

pub(super) const COMMANDS: &[Command] = &[
    command("genmove", genmove),
    command("genmove_black", |s, _| generate(s, Color::Black, false)),
    command("genmove_white", |s, _| generate(s, Color::White, false)),
    command("kgs-genmove_cleanup", |s, w| w.color(0).and_then(|c| generate(s, c, true))),
    command("reg_genmove", reg_genmove),
    command("gg_genmove", gg_genmove),
    command("restricted_genmove", restricted_genmove),
    command("top_moves", top_moves),
    command("top_moves_black", |s, _| top_moves_of(s, Color::Black)),
    command("top_moves_white", |s, _| top_moves_of(s, Color::White)),
    command("all_move_values", all_move_values),
    command("move_reasons", move_reasons),
    command("tengen-move_values", move_values),
    command("tengen-decision", decision),
    command("move_probabilities", move_probabilities),
    command("move_uncertainty", move_uncertainty),
];

fn not_trying(session: &Session) -> Result<(), Failure> {
    if session.is_trying() { Err(Failure::new("genmove cannot be called when stackp > 0")) } else { Ok(()) }
}

fn genmove(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    generate(session, color, false)
}

fn generate(session: &mut Session, color: Color, cleanup: bool) -> Answer {
    not_trying(session)?;
    let begun = Instant::now();
    let choice = if cleanup {
        let request = tengen_go::moves::Request { cleanup: true, ..session.request() };
        session.review_of(color, &request).choice
    } else {
        session.review(color).choice
    };
    session.judged()?;
    let comment = (!cleanup).then(|| session.last_review().map(Review::comment)).flatten();
    session.clock.spend(color, begun.elapsed().as_secs_f64());
    if choice == Choice::Resign && session.may_resign {
        return Ok("resign".into());
    }
    let v = choice.vertex();
    session.play(color, v)?;
    if let Some(comment) = comment {
        session.comments.push((session.board().history_len(), comment));
    }
    Ok(v.to_gtp(session.board().size()))
}

fn reg_genmove(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    not_trying(session)?;
    let v = session.review(color).choice.vertex();
    session.judged()?;
    Ok(v.to_gtp(session.board().size()))
}

fn gg_genmove(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    not_trying(session)?;
    if let Some(seed) = words.number::<u64>(1) {
        session.seed = seed;
        session.forget();
    }
    let v = session.review(color).choice.vertex();
    Ok(v.to_gtp(session.board().size()))
}

fn restricted_genmove(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    not_trying(session)?;
    let size = session.board().size();
    let allowed = words
        .from(1)
        .iter()
        .map(|text| Vertex::from_gtp(text, size))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| Failure::new("invalid coordinate"))?;
    if allowed.is_empty() {
        return Err(Failure::new("no allowed vertex"));
    }
    let request = tengen_go::moves::Request { allowed: Some(&allowed), ..session.request() };
    let v = session.review_of(color, &request).choice.vertex();
    Ok(v.to_gtp(size))
}

/// The number of moves `top_moves` names.
const TOP: usize = 10;

fn top_moves(session: &mut Session, _: &Arguments<'_>) -> Answer {
    Ok(session.last_review().map(top_line).unwrap_or_default())
}

fn top_moves_of(session: &mut Session, color: Color) -> Answer {
    not_trying(session)?;
    Ok(top_line(session.review(color)))
}

fn top_line(review: &Review) -> String {
    review
        .ranked()
        .take(TOP)
        .map(|c| format!("{} {:.2}", c.vertex.to_gtp(review.size), c.value))
        .collect::<Vec<_>>()
        .join(" ")
}

fn all_move_values(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let Some(review) = session.last_review() else { return Ok(String::new()) };
    let mut lines: Vec<_> = review.candidates.iter().filter(|c| c.value > 0.0).collect();
    lines.sort_by_key(|c| c.vertex);
    Ok(lines
        .iter()
        .map(|c| format!("{:<3} {:.2}", c.vertex.to_gtp(review.size), c.value))
        .collect::<Vec<_>>()
        .join("\n"))
}

/// `move_reasons MOVE [OTHER]`: the gain of a move over a pass, or over another move, unit by unit with its cause.
fn move_reasons(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    if !session.board().is_empty(v) {
        return Err(Failure::new("vertex must not be occupied"));
    }
    let against = words.word(1).map(|_| words.vertex(1, session.board())).transpose()?;
    match session.explain(v, against) {
        Ok(explained) => Ok(reasons::sentences(&explained, session.board()).join("\n")),
        Err(error @ ReasonError::Illegal { .. }) => Err(Failure::new(error.to_string())),
        // The manual's reasons, of the move that was thought about last.
        Err(ReasonError::NoJudge { .. }) => {
            Ok(session.last_review().map(|r| r.reasons(v).join("\n")).unwrap_or_default())
        }
    }
}

/// `tengen-move_values [VERTEX]`: the value in points of the last candidates, or of one, with terms, causes, reasons
/// and the search's opinion. It prints one line of JSON for each, best first.
fn move_values(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let only = words.word(0).map(|_| words.vertex(0, session.board())).transpose()?;
    let Some(review) = session.last_review() else { return Ok(String::new()) };
    let mut all: Vec<_> = review.candidates.iter().filter(|c| only.is_none_or(|v| c.vertex == v)).collect();
    all.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
    let lines = all.iter().map(|c| crate::record::go::moves::candidate(c, review.size).to_string());
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The decider of the last considered move (the pipeline's values or the search), and the reason.
fn decision(session: &mut Session, _: &Arguments<'_>) -> Answer {
    Ok(session.last_review().map(|r| r.decision.text(r.size)).unwrap_or_default())
}

/// The best move is played whenever it is asked for.
fn move_probabilities(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let Some(review) = session.last_review() else { return Ok(String::new()) };
    Ok(format!("{} 1.0000", review.choice.vertex().to_gtp(review.size)))
}

fn move_uncertainty(_: &mut Session, _: &Arguments<'_>) -> Answer {
    Ok("0.0000".into())
}
