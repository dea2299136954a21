//! The facts about a vertex: the columns of its point, its string, dragon, cave and eye space, the move there, and the
//! effects of patterns. Units and moves are shown as in the record, field by field. So a field added to the record
//! appears here without a change.

use super::html::table;
use crate::number_text::fixed;
use crate::record::findings::{Findings, Map};
use crate::report::sentences;
use serde_json::{Map as Fields, Value, json};
use std::fmt::Write as _;
use tengen_go::board::{Color, Vertex};
use tengen_go::moves::Candidate;
use tengen_render::escape;

/// All that is known, as a piece of a page.
pub(super) fn of(findings: &Findings, at: Vertex) -> String {
    let name = at.to_gtp(findings.size());
    let mut out = format!("<h2 data-at=\"{name}\">{name}</h2>");
    let mut section = |title: &str, body: &str| {
        let _ = write!(out, "<section data-title=\"{0}\"><h3>{0}</h3>{body}</section>", escape(title));
    };
    section(&format!("Move at {name}"), &of_move(findings, at));
    if let Some(string) = string(findings, at) {
        section("String", &(read_of(findings, at) + &table(string)));
    }
    if let Some(dragon) = dragon(findings, at) {
        section("Dragon", &table(dragon));
    }
    if let Some(eye) = eye(findings, at) {
        section("Eye space", &table(&eye));
    }
    section("Influence and territory", &influence(findings, at));
    section("Patterns here", &patterns(findings, at));
    out
}

/// The entry of a list of the record by its `origin` or `move`.
fn entry<'a>(findings: &'a Findings, list: &str, key: &str, name: &str) -> Option<&'a Value> {
    findings.record.get(list)?.as_array()?.iter().find(|e| e.get(key).and_then(Value::as_str) == Some(name))
}

fn string(findings: &Findings, at: Vertex) -> Option<&Value> {
    let board = &findings.position.board;
    board.color_at(at)?;
    entry(findings, "worms", "origin", &board.origin(at).to_gtp(board.size()))
}

fn dragon(findings: &Findings, at: Vertex) -> Option<&Value> {
    let dragon = findings.dragons.as_ref()?.at(at)?;
    entry(findings, "dragons", "origin", &dragon.origin.to_gtp(findings.size()))
}

fn eye(findings: &Findings, at: Vertex) -> Option<Value> {
    let eyes = findings.eyes.as_ref()?;
    let names = |list: &[Vertex]| list.iter().map(|v| v.to_gtp(findings.size())).collect::<Vec<_>>();
    let mut all = Fields::new();
    for color in Color::BOTH {
        let Some(space) = eyes.at(at, color) else { continue };
        let of = json!({
            "vertices": names(&space.vertices),
            "eyes": [space.value.min_eyes(), space.value.max_eyes()],
            "marginal": space.marginal_count(),
            "attack_points": names(&space.attack_points),
            "defence_points": names(&space.defence_points),
        });
        all.insert(color.to_string(), of);
    }
    (!all.is_empty()).then_some(Value::Object(all))
}

/// The candidate as the record has it, or why there is none; and what the move changes in territory.
fn of_move(findings: &Findings, at: Vertex) -> String {
    let (board, color) = (&findings.position.board, findings.position.to_move);
    let name = at.to_gtp(board.size());
    if !board.is_empty(at) {
        return format!("<p>No move: {name} is occupied.</p>");
    }
    if !board.is_legal(color, at) {
        return format!("<p>No move: {color} may not play at {name} (suicide or ko).</p>");
    }
    let candidates = findings.moves.as_ref().map_or(&[][..], |list| &list.candidates);
    let mut out = match (entry(findings, "moves", "move", &name), candidates.iter().find(|c| c.vertex == at))
    {
        (Some(record), Some(candidate)) => in_words(findings, candidate) + &table(record),
        (Some(record), None) => table(record),
        (None, Some(c)) => {
            let reasons: Vec<String> = c.reasons.iter().map(|r| r.text(board.size())).collect();
            format!(
                "<p>A candidate without value ({:.2}): it {}.</p>",
                c.value,
                escape(&reasons.join("; it "))
            )
        }
        (None, None) => "<p>Why not here? No generator names a reason for this move.</p>".to_owned(),
    };
    if let Some((before, Ok(after))) = findings.after(color, at) {
        let changed: Vec<String> = board
            .vertices()
            .map(|v| (v, before.territory[v.at()], after.map.territory[v.at()]))
            .filter(|(_, b, a)| (a - b).abs() >= 0.1)
            .map(|(v, b, a)| format!("{} {b:.2} → {a:.2}", v.to_gtp(board.size())))
            .collect();
        out += &table(&json!({
            "change_of_territory": fixed(after.delta(before, color), 2),
            "follow_up": fixed(after.followup_value(color), 2),
            "captures": after.captured,
            "territory_before_and_after_by_vertex": changed.join(", "),
        }));
    }
    out
}

/// A candidate's worth and reasons as sentences.
fn in_words(findings: &Findings, candidate: &Candidate) -> String {
    let (board, color) = (&findings.position.board, findings.position.to_move);
    let mut out =
        format!("<p class=\"said\">{}</p>", escape(&sentences::worth(candidate, color, board.size())));
    for reason in &candidate.reasons {
        let text = sentences::reason(board, color, candidate.vertex, reason);
        let _ = write!(out, "<p class=\"said\">{}</p>", escape(&text));
    }
    out
}

/// The reading of the string, as a sentence.
fn read_of(findings: &Findings, at: Vertex) -> String {
    let board = &findings.position.board;
    let read = findings.tactics.as_ref().and_then(|t| t.at(board, at));
    let told = read.and_then(|read| sentences::string(board, at, read));
    told.map_or_else(String::new, |text| format!("<p class=\"said\">{}</p>", escape(&text)))
}

fn influence(findings: &Findings, at: Vertex) -> String {
    let mut out = String::from(
        "<table><tr><th>first to move</th><th>dragons</th><th>Black’s influence</th><th>White’s</th><th>territory</th></tr>",
    );
    for (map, first, dragons) in [
        (Map::Second(Color::Black), "Black", "known"),
        (Map::Second(Color::White), "White", "known"),
        (Map::First(Color::Black), "Black", "unknown"),
        (Map::First(Color::White), "White", "unknown"),
    ] {
        if let Some(map) = findings.map(map) {
            let _ = write!(
                out,
                "<tr><td>{first}</td><td>{dragons}</td><td>{:.2}</td><td>{:.2}</td><td>{:.2}</td></tr>",
                map.influence[0][at.at()],
                map.influence[1][at.at()],
                map.territory[at.at()]
            );
        }
    }
    out + "</table>"
}

/// The effects of patterns at the vertex, by the side that moves first.
fn patterns(findings: &Findings, at: Vertex) -> String {
    let size = findings.size();
    let mut out = String::from("<ul>");
    for color in Color::BOTH {
        let causes = findings.map(Map::Second(color)).map_or(&[][..], |map| &map.causes);
        for cause in causes.iter().filter(|c| c.at == at) {
            let _ = write!(out, "<li>{color} first: {}</li>", escape(&cause.text(size)));
        }
    }
    out + "</ul>"
}
