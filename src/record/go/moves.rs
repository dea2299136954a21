//! Writes candidate moves into records.

use super::Analysed;
use crate::record::rounded;
use crate::scene::Column;
use serde_json::{Map, Value, json};
use tengen_go::AnalyseSystems;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::moves::{Candidate, Cause, MoveList, Reason, Term};

/// The most moves in a record; their number stands beside them.
const SHOWN: usize = 10;

impl Analysed<'_> {
    pub(super) fn move_list(&self) -> Option<&MoveList> {
        self.engine.result(self.slot, AnalyseSystems::MoveEvaluation)
    }

    /// Candidates of positive value, best first, ties in vertex order.
    pub(in crate::record) fn ranked(&self) -> Option<Vec<&Candidate>> {
        let mut ranked: Vec<&Candidate> =
            self.move_list()?.candidates.iter().filter(|c| c.value > 0.0).collect();
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
        Some(ranked)
    }
}

/// The record's part: the best moves, or all where asked for, each with its reasons.
pub(super) fn result(
    analysed: &Analysed,
    columns: &[Column],
    result: &mut Map<String, Value>,
) -> Option<String> {
    let size = analysed.input.position.board.size();
    let ranked = analysed.ranked()?;
    let shown = if columns.contains(&Column::Moves) { ranked.len() } else { SHOWN };
    let moves = ranked.iter().take(shown).map(|c| candidate(c, size)).collect();
    result.insert("candidates".into(), json!(ranked.len()));
    result.insert("moves".into(), Value::Array(moves));
    if let Some(after) = ranked.first().and_then(|c| after(analysed, c.vertex)) {
        result.insert("stones_after".into(), after.into());
    }
    Some(
        ranked.first().map_or("no move".into(), |c| format!("best {} {:.1}", c.vertex.to_gtp(size), c.value)),
    )
}

/// The name of a reason's kind, as `owl_attack`.
pub(in crate::record) fn kind(reason: &Reason) -> String {
    let name = format!("{reason:?}");
    let letters = name.chars().take_while(char::is_ascii_alphanumeric);
    letters.fold(String::new(), |mut text, c| {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
        text
    })
}

/// The stones after a move of the player to move, its captures taken off.
fn after(analysed: &Analysed, v: Vertex) -> Option<String> {
    let position = &analysed.input.position;
    let mut board = position.board.clone();
    board.play(position.to_move, v).ok()?;
    Some(stones(&board))
}

/// The stones in vertex order, one letter for each vertex: `X` black, `O` white, `.` empty.
pub(super) fn stones(board: &Board) -> String {
    let letter = |v| match board.color_at(v) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    board.vertices().map(letter).collect()
}

/// All candidates of positive value, best first, as [`result`] has the best.
pub(super) fn all(analysed: &Analysed) -> Option<Value> {
    let size = analysed.input.position.board.size();
    Some(analysed.ranked()?.into_iter().map(|c| candidate(c, size)).collect())
}

/// A candidate: its value, the terms that add up to it, their causes, and its reasons.
#[must_use]
pub fn candidate(c: &Candidate, size: usize) -> Value {
    let terms: Map<String, Value> =
        Term::ALL.iter().map(|&term| (term.name().to_owned(), rounded(c.terms.get(term)))).collect();
    let names = |at: &[Vertex]| at.iter().map(|v| v.to_gtp(size)).collect::<Vec<_>>();
    let cause = |cause: &Cause| {
        json!({
            "term": cause.term.name(),
            "points": rounded(cause.points),
            "reason": cause.reason,
            "at": names(&cause.at),
        })
    };
    let reason = |r: &Reason| json!({ "kind": kind(r), "text": r.text(size) });
    let mut told = json!({
        "move": c.vertex.to_gtp(size),
        "value": rounded(c.value),
        "terms": terms,
        "followup_value": rounded(c.followup_value),
        "reverse_followup_value": rounded(c.reverse_value),
        "shape_factor": rounded(c.shape),
        "likely": rounded(c.likely),
        "safe": c.safe,
        "reasons": c.reasons.iter().map(reason).collect::<Vec<_>>(),
        "causes": c.causes.iter().map(cause).collect::<Vec<_>>(),
    });
    if let Some(opinion) = &c.search {
        told["search"] = json!({
            "visits": opinion.visits,
            "of": opinion.of,
            "win_rate": rounded(opinion.win_rate),
            "lead": rounded(opinion.lead),
        });
    }
    told
}
