//! GTP commands about the score: final status, final score, estimates, and the node counters.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure, vertices};
use super::{Command, command};
use tengen_go::AnalyseSystems;
use tengen_go::board::Color;
use tengen_go::influence::SecondInfluence;
use tengen_go::judge::Judgement;
use tengen_go::score::Status;
use tengen_go::territory::score::{self, Estimate};

pub(super) const COMMANDS: &[Command] = &[
    command("final_score", final_score),
    command("final_status", final_status),
    command("final_status_list", final_status_list),
    command("estimate_score", estimate_score),
    command("new_score", new_score),
    command("experimental_score", experimental_score),
    command("reset_reading_node_counter", |s, _| reset(&mut s.counters.reading)),
    command("get_reading_node_counter", |s, _| Ok(s.counters.reading.to_string())),
    command("reset_owl_node_counter", |s, _| reset(&mut s.counters.owl)),
    command("get_owl_node_counter", |s, _| Ok(s.counters.owl.to_string())),
    command("reset_life_node_counter", |s, _| reset(&mut s.counters.owl)),
    command("get_life_node_counter", |s, _| Ok(s.counters.owl.to_string())),
    command("reset_connection_node_counter", |s, _| reset(&mut s.counters.connection)),
    command("get_connection_node_counter", |s, _| Ok(s.counters.connection.to_string())),
    command("reset_trymove_counter", |s, _| reset(&mut s.counters.trymove)),
    command("get_trymove_counter", |s, _| Ok(s.counters.trymove.to_string())),
];

fn reset(counter: &mut u64) -> Answer {
    *counter = 0;
    Ok(String::new())
}

/// `B+3.5`, `W+2`, `0`.
fn result(white_lead: f32) -> String {
    if white_lead > 0.0 {
        format!("W+{white_lead:.1}")
    } else if white_lead < 0.0 {
        format!("B+{:.1}", -white_lead)
    } else {
        "0".into()
    }
}

fn final_score(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let (scoring, komi) = (session.scoring, session.komi);
    Ok(result(session.final_status().white_lead(scoring, komi)))
}

/// The final score in the form of an estimate. Both bounds are the score.
fn new_score(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let (scoring, komi) = (session.scoring, session.komi);
    let score = session.final_status().white_lead(scoring, komi);
    Ok(Estimate { score, upper: score, lower: score }.to_string())
}

fn final_status(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    Ok(session.final_status().at(v).name().into())
}

fn final_status_list(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let name = words.word(0).ok_or_else(|| Failure::new("missing status"))?;
    let wanted = Status::from_name(name).ok_or_else(|| Failure::new("invalid status"))?;
    let status = session.final_status().clone();
    let board = session.board();
    let size = board.size();
    let matching = board.vertices().filter(|&v| status.at(v) == wanted);
    if !wanted.is_of_stones() {
        return Ok(vertices(matching, size));
    }
    Ok(matching
        .filter(|&v| board.origin(v) == v)
        .map(|v| vertices(board.stones(v), size))
        .collect::<Vec<_>>()
        .join("\n"))
}

/// The score by the second influence, and its bounds if either side moves first everywhere.
fn estimate(session: &mut Session) -> Result<Estimate, Failure> {
    let (scoring, komi, board) = (session.scoring, session.komi, session.board().clone());
    let found = session.look::<SecondInfluence>(AnalyseSystems::SecondInfluence);
    let (influence, _) = found.ok_or_else(|| Failure::new("the influence could not be computed"))?;
    Ok(score::estimate(&board, &influence.maps, komi, scoring))
}

/// The judge's lead, and its values if either side passes. Without a judge it is the score by influence.
fn estimate_score(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let to_move = session.to_move;
    session.look::<Judgement>(AnalyseSystems::Judge);
    session.judged()?;
    let judged = session.look::<Judgement>(AnalyseSystems::Judge).and_then(|(judgement, _)| {
        let white = |first: Color| judgement.lead(first).map(|lead| -lead);
        Some(Estimate { score: white(to_move)?, upper: white(Color::White)?, lower: white(Color::Black)? })
    });
    judged.map_or_else(|| estimate(session), Ok).map(|found| found.to_string())
}

fn experimental_score(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let found = estimate(session)?;
    let lead = if color == Color::White { found.upper } else { found.lower };
    Ok(format!("{:.3}", lead))
}
