//! Describes the position in sentences: who leads, the best moves with their first reason, and the groups in trouble.
//! All fields follow after the sentences.

use super::look::Look;
use crate::number_text::counted;
use crate::record::findings::Findings;
use crate::report::board::Layer;
use crate::report::sentences::{self, player};
use crate::view::html::{self, folded, link, table};
use std::fmt::Write as _;
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::{Dragon, Status};
use tengen_go::moves::Reason;
use tengen_render::{Sheet, escape};

/// Moves that are named.
const BEST: usize = 3;
/// Groups that are named, and their least stones.
const GROUPS: (usize, usize) = (6, 2);
/// Bytes of the measures that a page lists.
const LINES: usize = 16_000;

/// The panel's summary of the position.
pub(super) fn position(look: &Look, findings: &Findings) -> String {
    let groups = groups(look, findings);
    let moves = played(look) + &best(look, findings);
    let lead = leader(look, findings);
    // Of a problem the answer is asked, not the score of an empty board.
    if is_problem(look) { groups + &moves + &lead } else { lead + &moves + &groups }
}

/// Whether the record sets up stones of both sides and has no names: a problem, not a game.
fn is_problem(look: &Look) -> bool {
    let root = look.record.as_ref().and_then(|record| record.tree.nodes.first());
    root.is_some_and(|node| {
        let has = |name: &str| node.get(name).is_some();
        has("AB") && has("AW") && !has("PB") && !has("PW")
    })
}

/// The leader, the lead, and its source.
fn leader(look: &Look, findings: &Findings) -> String {
    let Some(white) = findings.white_lead() else { return String::new() };
    let leader = if white > 0.0 { Color::White } else { Color::Black };
    let sentence = match white.abs() {
        points if points < 0.75 => "The game is even.".to_owned(),
        points if points < 9.5 => format!("{} leads by about {points:.1} points.", player(leader)),
        points => format!("{} leads by about {points:.0} points.", player(leader)),
    };
    let judged = findings.judgement.as_ref();
    let view = judged.and_then(|judgement| judgement.with(look.input.position.to_move));
    let fault = judged.and_then(|judgement| judgement.fault.as_ref());
    let fault = fault.map_or_else(String::new, |fault| {
        format!("<p class=\"warning\">{}. {}.</p>", escape(&fault.message), escape(&fault.help))
    });
    let (source, chance) = match (judged, view) {
        (Some(judgement), Some(view)) => (
            format!("<a href=\"concept?name=judge\">judge</a>: {}", escape(&judgement.source)),
            format!(" Black wins with {:.0} %.", 100.0 * view.win_rate),
        ),
        _ => ("by <a href=\"concept?name=territory\">territory</a>".into(), String::new()),
    };
    let bar = view.map_or_else(String::new, |view| share_bar(view.win_rate));
    format!(
        "{fault}<p class=\"lead\">{sentence}</p>{bar}<p class=\"soft\">{} points, {source}.{chance}</p>",
        sentences::score_text(white)
    )
}

/// The chance of Black as a bar; its steps are whole twentieths, because the content policy forbids styles in a page.
fn share_bar(black: f32) -> String {
    let width = (100.0 * black).round().clamp(0.0, 100.0);
    format!(
        "<svg class=\"chance\" viewBox=\"0 0 100 5\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Black wins with {width} percent\">\
         <rect width=\"100\" height=\"5\" fill=\"#f6f3ea\"/><rect width=\"{width}\" height=\"5\" fill=\"#26262a\"/></svg>"
    )
}

/// The move of the record that led here, with a link to its causes.
fn played(look: &Look) -> String {
    let record = look.record.as_ref().filter(|_| look.tries.is_empty());
    let parent = record.and_then(|record| record.tree.nodes.get(look.node)?.parent);
    let (Some(parent), Some((color, v))) = (parent, look.input.position.board.last_move()) else {
        return String::new();
    };
    if v == Vertex::PASS {
        return format!("<p class=\"said\" id=\"played\">{} passed.</p>", player(color));
    }
    let node = if parent == 0 { String::new() } else { parent.to_string() };
    let to = super::why::ask(look, v, &[("node", &node), ("layer", Layer::Moves.name())]);
    format!(
        "<p class=\"said\" id=\"played\">{} played {}. {}</p>",
        player(color),
        v.to_gtp(look.size()),
        link(&to, "why?", "why")
    )
}

/// The best moves, each with its value and its first reason.
fn best(look: &Look, findings: &Findings) -> String {
    if look.is_over() {
        return String::new();
    }
    let (size, color) = (look.size(), look.input.position.to_move);
    let ranked = findings.ranked();
    let to_move = player(color);
    if ranked.is_empty() {
        return format!("<p>{to_move} to move; no move is worth anything: pass.</p>");
    }
    let mut out = format!("<h3>{to_move} to move</h3><ol class=\"best\">");
    for candidate in ranked.iter().take(BEST) {
        let name = candidate.vertex.to_gtp(size);
        let why = telling(&candidate.reasons)
            .map(|reason| sentences::reason(&look.input.position.board, color, candidate.vertex, reason))
            .unwrap_or_default();
        let to = look.address(&[("layer", Layer::Moves.name())]) + "&at=" + &name;
        let _ = write!(
            out,
            "<li>{} <b>{:.1} points</b>. {} {}</li>",
            link(&(to.clone() + "#facts"), &name, "move"),
            candidate.value,
            escape(&why),
            link(&(to + "&why=1#facts"), "why?", "why")
        );
    }
    out + "</ol>"
}

/// The most informative reason. Shape is the reason only if the move has no other.
fn telling(reasons: &[Reason]) -> Option<&Reason> {
    let is_faint = |reason: &Reason| matches!(reason, Reason::Likely(..) | Reason::Shape(..));
    reasons.iter().find(|reason| !is_faint(reason)).or_else(|| reasons.first())
}

/// The groups whose fate is open or lost, and the moves that decide it.
fn groups(look: &Look, findings: &Findings) -> String {
    let Some(map) = &findings.dragons else { return String::new() };
    let mut named: Vec<&Dragon> = map
        .dragons
        .iter()
        .filter(|d| d.size() >= GROUPS.1 && matches!(d.status, Status::Critical | Status::Dead))
        .collect();
    named.sort_by_key(|d| (d.status != Status::Critical, std::cmp::Reverse(d.size())));
    if named.is_empty() {
        return String::new();
    }
    let mut out =
        String::from("<h3><a href=\"concept?name=dragon\">Groups</a> in trouble</h3><ul class=\"plain\">");
    for dragon in named.iter().take(GROUPS.0) {
        let name = dragon.origin.to_gtp(look.size());
        let to = look.address(&[("layer", Layer::Dragons.name())]) + "&at=" + &name + "#facts";
        let _ = write!(
            out,
            "<li>{}’s {} at {}: {} {}</li>",
            player(dragon.color),
            counted("stone", dragon.size()),
            link(&to, &name, "group"),
            html::explained(&fate(dragon, look.size())),
            link(&to, "why?", "why")
        );
    }
    if named.len() > GROUPS.0 {
        let _ = write!(out, "<li>and {} more</li>", named.len() - GROUPS.0);
    }
    out + "</ul>"
}

/// The fate of a group, with the moves that decide it.
pub(super) fn fate(dragon: &Dragon, size: usize) -> String {
    let (owner, enemy) = (player(dragon.color), player(dragon.color.other()));
    let at =
        |v: Vertex| if v == Vertex::PASS { "elsewhere".to_owned() } else { format!("at {}", v.to_gtp(size)) };
    match (dragon.status, dragon.vital_points()) {
        (Status::Critical, Some((attack, defence))) => {
            format!("critical. {owner} saves it {}, {enemy} kills it {}.", at(defence), at(attack))
        }
        (Status::Critical, None) => "critical: who moves first decides.".into(),
        (Status::Dead, _) => "dead.".into(),
        (Status::Alive, _) => "alive.".into(),
        (Status::Unknown, _) => "its fate is not known.".into(),
    }
}

/// All fields of the position, and the measures of the layer, folded away.
pub(super) fn all_fields(findings: &Findings, layer: Layer, sheets: &[Sheet]) -> String {
    let lines: Vec<&str> = sheets.iter().flat_map(|s| s.lines.iter().map(String::as_str)).collect();
    let text = html::short(&lines.join("\n"), LINES);
    let title = super::layers::name(layer);
    let mut body = String::new();
    if let Some(territory) = findings.record.get("territory") {
        let _ = write!(body, "<h3>Estimate</h3>{}", table(territory));
    }
    let board =
        tengen_render::text::draw(&crate::report::board::stones(&findings.position.board, "Board"), false);
    let _ = write!(
        body,
        "<h3>{title}</h3><pre id=\"lines\">{}</pre><h3>The board as text</h3><pre>{}</pre>",
        escape(&text),
        escape(&board)
    );
    folded("All fields", &body)
}
