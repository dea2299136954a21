//! Candidate moves in records and expectations.

use super::Analysed;
use super::check::{Differences, stage, vertex};
use crate::record::rounded;
use crate::scene::{Case, Column, Expect};
use serde_json::{Map, Value, json};
use tengen_core::Diagnostic;
use tengen_go::AnalyseSystems;
use tengen_go::board::Vertex;
use tengen_go::moves::{Candidate, Cause, MoveList, Reason, Term};

/// Moves shown in a record; how many there are stands beside them.
const SHOWN: usize = 10;

impl Analysed<'_> {
    pub(super) fn move_list(&self) -> Option<&MoveList> {
        self.engine.result(self.slot, AnalyseSystems::MoveEvaluation)
    }

    /// Candidates of positive value, best first, ties in vertex order.
    fn ranked(&self) -> Option<Vec<&Candidate>> {
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
fn kind(reason: &Reason) -> String {
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
    Some(super::result::stones(&board))
}

/// All candidates of positive value, best first, as [`result`] has the best.
pub(super) fn all(analysed: &Analysed) -> Option<Value> {
    let size = analysed.input.position.board.size();
    Some(analysed.ranked()?.into_iter().map(|c| candidate(c, size)).collect())
}

/// A candidate: its value and the terms that add up to it, what they come from, its reasons.
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

/// Checks `BestMove` and `Move`.
pub(super) fn check(
    case: &Case,
    analysed: &Analysed,
    expect: &Expect,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    let size = analysed.input.position.board.size();
    let ranked = analysed.ranked().ok_or_else(|| stage(case, "MoveEvaluation"))?;
    match expect {
        Expect::BestMove(names) => {
            let best = ranked.first().map(|c| c.vertex);
            let mut found = false;
            for name in names {
                found |= Some(vertex(case, analysed.input, name)?) == best;
            }
            if !found {
                let best = best.map_or("none".into(), |v| v.to_gtp(size));
                differences.say(format!("the best move is {best}"));
            }
        }
        Expect::Move { at, reasons, at_least, at_most, rank, terms, followup, reverse_followup, within } => {
            let v = vertex(case, analysed.input, at)?;
            let Some(place) = ranked.iter().position(|c| c.vertex == v) else {
                differences.say(format!("{at} is no candidate of positive value"));
                return Ok(());
            };
            let c = ranked[place];
            differences.within(&format!("the value of {at}"), *at_least, *at_most, c.value);
            for (name, wanted) in terms {
                let term = Term::ALL.into_iter().find(|t| t.name() == name);
                let term = term.ok_or_else(|| unknown_term(case, name))?;
                differences.near(&format!("{name} of {at}"), Some(*wanted), c.terms.get(term), *within);
            }
            differences.near(&format!("the follow-up of {at}"), *followup, c.followup_value, *within);
            differences.near(
                &format!("the reverse follow-up of {at}"),
                *reverse_followup,
                c.reverse_value,
                *within,
            );
            if rank.is_some_and(|rank| place + 1 > rank) {
                differences.say(format!("{at} is at place {}", place + 1));
            }
            let found: Vec<String> = ranked[place].reasons.iter().map(|r| r.text(size)).collect();
            let is_there = |wanted: &String| {
                ranked[place]
                    .reasons
                    .iter()
                    .zip(&found)
                    .any(|(r, text)| kind(r) == *wanted || text.contains(wanted))
            };
            for reason in reasons.iter().filter(|wanted| !is_there(wanted)) {
                differences.say(format!("{at} lacks the reason `{reason}`; it has: {}", found.join("; ")));
            }
        }
        _ => {}
    }
    Ok(())
}

fn unknown_term(case: &Case, name: &str) -> Diagnostic {
    let names: Vec<&str> = Term::ALL.iter().map(|t| t.name()).collect();
    case.fault(name, format!("a move's value has no term `{name}`"))
        .help(format!("the terms are {}", names.join(", ")))
}
