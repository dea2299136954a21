//! Turns an answer of the analysis protocol into a view of the position, and refuses an answer that does not fit the
//! query.

use super::query::Question;
use serde_json::Value;
use tengen_go::board::{Color, Vertex};
use tengen_go::judge::View;

/// A number rounded to four decimals, so that stored and used numbers are equal.
fn rounded(x: f64) -> f32 {
    ((x * 1e4).round() / 1e4) as f32
}

/// The view of an answer.
///
/// # Errors
/// Its fault, as the end of the sentence "the judge ...".
pub(super) fn read(answer: &Value, question: &Question) -> Result<View, String> {
    let root = &answer["rootInfo"];
    let number = |name: &str, least: f64, most: f64| {
        let x = root[name].as_f64().ok_or_else(|| format!("left `rootInfo.{name}` out"))?;
        if (least..=most).contains(&x) { Ok(x) } else { Err(format!("answered {x} as `rootInfo.{name}`")) }
    };
    let side = if question.to_move == Color::Black { "B" } else { "W" };
    match root["currentPlayer"].as_str() {
        Some(player) if player != side => {
            return Err(format!("answered for {player} to move where {side} was asked about"));
        }
        _ => {}
    }
    if let Some(turn) = answer["turnNumber"].as_u64()
        && turn as usize != question.turn
    {
        return Err(format!("answered for turn {turn} where turn {} was asked about", question.turn));
    }
    let vertices = question.board.size() * question.board.size();
    let list = |name: &str, length: usize| {
        let list = answer[name].as_array().ok_or_else(|| format!("left `{name}` out"))?;
        if list.len() != length {
            return Err(format!("gave `{name}` of {} numbers for a board that has {length}", list.len()));
        }
        let numbers: Option<Vec<f64>> = list.iter().map(|x| x.as_f64().filter(|x| x.abs() <= 1.01)).collect();
        numbers.ok_or_else(|| format!("gave `{name}` with what is no number from -1 to 1"))
    };
    let owner: Vec<f32> = list("ownership", vertices)?.into_iter().map(rounded).collect();
    let policy = list("policy", vertices + 1)?;
    if let Some(v) = question
        .board
        .vertices()
        .find(|&v| question.board.color_at(v).is_some() && policy[v.index(question.board.size())] >= 0.0)
    {
        let size = question.board.size();
        return Err(format!("answered for another position: it calls {} empty", v.to_gtp(size)));
    }
    let mut likelihood: Vec<f32> = policy.into_iter().map(|p| rounded(p.max(0.0))).collect();
    let pass = likelihood.pop().unwrap_or(0.0);
    let lead = rounded(number("scoreLead", -2000.0, 2000.0)?);
    let win_rate = rounded(number("winrate", 0.0, 1.0)?);
    for v in question.board.vertices().filter(|&v| v != Vertex::PASS) {
        if !question.board.is_legal(question.to_move, v) {
            likelihood[v.index(question.board.size())] = 0.0;
        }
    }
    Ok(View { owner, likelihood, pass, lead, win_rate })
}
