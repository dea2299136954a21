//! The facts about a vertex: the columns of its point, its string, dragon, cave and eye space, the move there, and the
//! effects of patterns. The page shows units and moves field by field, as in the record. So a field that is added to
//! the record appears here without a change of this module.

use crate::number_text::{counted, fixed, plural};
use crate::record::findings::{Findings, Map};
use crate::report::sentences;
use crate::view::html::{explained, folded, table};
use serde_json::{Map as Fields, Value, json};
use std::fmt::Write as _;
use tengen_go::board::{Color, Vertex};
use tengen_go::moves::Candidate;
use tengen_render::escape;

/// All that is known, as a piece of a page: sentences first, fields folded below them.
pub(super) fn of(findings: &Findings, at: Vertex) -> String {
    let name = at.to_gtp(findings.size());
    let mut out = String::new();
    let mut section = |title: &str, body: &str| {
        let _ = write!(out, "<section data-title=\"{0}\"><h3>{0}</h3>{body}</section>", escape(title));
    };
    section(&format!("Move at {name}"), &of_move(findings, at));
    if let Some(string) = string(findings, at) {
        section("String", &(string_words(findings, at) + &read_of(findings, at) + &all(&table(string))));
    }
    if let Some(dragon) = dragon(findings, at) {
        section("Group", &(group_words(findings, at) + &all(&table(dragon))));
    }
    if let Some(eye) = eye(findings, at) {
        section("Eye space", &(eye_words(findings, at) + &all(&table(&eye))));
    }
    section("Influence and territory", &(territory_words(findings, at) + &all(&influence(findings, at))));
    let patterns = patterns(findings, at);
    if !patterns.is_empty() {
        section("Patterns here", &all(&patterns));
    }
    out
}

/// All fields of a thing, folded.
fn all(fields: &str) -> String {
    folded("All fields", fields)
}

fn string_words(findings: &Findings, at: Vertex) -> String {
    let board = &findings.position.board;
    let Some(owner) = board.color_at(at) else { return String::new() };
    let (stones, liberties) = (board.string_size(at), board.liberties(at));
    format!(
        "<p class=\"said\">{} of {}’s, with {}.</p>",
        counted("stone", stones),
        sentences::player(owner),
        if liberties == 1 { "1 liberty".to_owned() } else { format!("{liberties} liberties") }
    )
}

fn group_words(findings: &Findings, at: Vertex) -> String {
    let Some(dragon) = findings.dragons.as_ref().and_then(|map| map.at(at)) else { return String::new() };
    let fate = super::summary::fate(dragon, findings.size());
    format!(
        "<p class=\"said\">{}’s group of {}: {} Why: {}.</p>",
        sentences::player(dragon.color),
        counted("stone", dragon.size()),
        explained(&fate),
        sentences::basis(dragon, findings.claims(dragon.origin))
    )
}

fn eye_words(findings: &Findings, at: Vertex) -> String {
    let Some(eyes) = findings.eyes.as_ref() else { return String::new() };
    let told = |color: Color| {
        let space = eyes.at(at, color)?;
        let (least, most) = (space.value.min_eyes(), space.value.max_eyes());
        let eyes = if least == most { format!("{least}") } else { format!("{least} or {most}") };
        let points = counted("point", space.vertices.len());
        let side = sentences::player(color);
        Some(format!(
            "<p class=\"said\">An eye space of {side}’s, {points} wide, worth {eyes} {}.</p>",
            plural("eye", usize::from(most))
        ))
    };
    Color::BOTH.into_iter().filter_map(told).collect()
}

fn territory_words(findings: &Findings, at: Vertex) -> String {
    let of = |first: Color| {
        let value = findings.map(Map::Second(first))?.territory[at.at()];
        let whose = match value {
            v if v >= 0.05 => format!("White’s to {:.0} %", 100.0 * v.min(1.0)),
            v if v <= -0.05 => format!("Black’s to {:.0} %", -100.0 * v.max(-1.0)),
            _ => "nobody’s".to_owned(),
        };
        Some(format!("{whose} if {} moves first", sentences::player(first)))
    };
    let told: Vec<String> = Color::BOTH.into_iter().filter_map(of).collect();
    if told.is_empty() {
        String::new()
    } else {
        format!("<p class=\"said\">This point is {}.</p>", told.join(", "))
    }
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

/// The candidate as in the record, or the reason why there is none, and the change of territory by the move.
fn of_move(findings: &Findings, at: Vertex) -> String {
    let (board, color) = (&findings.position.board, findings.position.to_move);
    let name = at.to_gtp(board.size());
    if !board.is_empty(at) {
        return format!("<p>No move: {name} is occupied.</p>");
    }
    if !board.is_legal(color, at) {
        return format!(
            "<p>No move: {} may not play at {name} (suicide or ko).</p>",
            sentences::player(color)
        );
    }
    let candidates = findings.moves.as_ref().map_or(&[][..], |list| &list.candidates);
    let mut out = match (entry(findings, "moves", "move", &name), candidates.iter().find(|c| c.vertex == at))
    {
        (Some(record), Some(candidate)) => in_words(findings, candidate) + &all(&table(record)),
        (Some(record), None) => all(&table(record)),
        (None, Some(c)) => {
            let reasons: Vec<String> = c.reasons.iter().map(|r| r.text(board.size())).collect();
            format!(
                "<p>A candidate without value ({:.1} points): it {}.</p>",
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
        let delta = after.delta(before, color);
        let _ = write!(
            out,
            "<p class=\"said\">It changes the territory by {:.1} points for {}.</p>",
            delta,
            sentences::player(color)
        );
        out += &folded(
            "Its territory, field by field",
            &table(&json!({
                "change_of_territory": fixed(delta, 2),
                "follow_up": fixed(after.followup_value(color), 2),
                "captures": after.captured,
                "territory_before_and_after_by_vertex": changed.join(", "),
            })),
        );
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
    let mut out = String::new();
    for color in Color::BOTH {
        let causes = findings.map(Map::Second(color)).map_or(&[][..], |map| &map.causes);
        for cause in causes.iter().filter(|c| c.at == at) {
            let _ = write!(out, "<p>{} first: {}</p>", sentences::player(color), escape(&cause.text(size)));
        }
    }
    out
}
