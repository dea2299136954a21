//! Lines played out on the board: the line that captures a string, and the lines that kill or save a dragon.
//!
//! An address carries the tried moves (`try`) and the moves still to come (`rest`), so a reader can step back and
//! forth.

use super::look::{Look, joined};
use crate::record::findings::Findings;
use crate::report::sentences::player;
use crate::view::html::{folded, link, table};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use serde_json::json;
use std::fmt::Write as _;
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::Play;
use tengen_go::dragons::{Dragon, Status};

/// The most moves of a dragon's line.
const LONGEST: usize = 16;

/// The moves tried and to come, each a link to the position after it.
pub(super) fn steps(look: &Look) -> String {
    let size = look.input.position.board.size();
    let all: Vec<(Color, Vertex)> = look.tries.iter().chain(&look.rest).copied().collect();
    if all.is_empty() {
        return String::new();
    }
    let here = look.tries.len();
    let mut out = String::from("<nav id=\"steps\" aria-label=\"Moves tried\">");
    for n in 0..=all.len() {
        let words = match n.checked_sub(1).map(|last| all[last]) {
            Some((color, Vertex::PASS)) => format!("{} passes", player(color)),
            Some((color, v)) => format!("{} {}", player(color), v.to_gtp(size)),
            None => "Start".into(),
        };
        let (class, key) = match n {
            _ if n == here => ("on", ""),
            _ if n + 1 == here => ("step", ","),
            _ if n == here + 1 => ("step", "."),
            _ => ("step", ""),
        };
        let to = look.elsewhere(&[("try", &joined(&all[..n], size)), ("rest", &joined(&all[n..], size))]);
        let shown = if key.is_empty() { String::new() } else { format!(" <kbd>{key}</kbd>") };
        let _ = write!(
            out,
            "<a class=\"{class}\" data-key=\"{key}\" href=\"{}\">{words}{shown}</a>",
            tengen_render::escape(&to)
        );
    }
    out + "</nav>"
}

/// The address of a line's first position, the whole line still to come.
pub(super) fn to_line(look: &Look, line: &[(Color, Vertex)], layer: &str) -> String {
    let rest = joined(line, look.input.position.board.size());
    look.elsewhere(&[("rest", &rest), ("layer", layer), ("map", ""), ("move", "")])
}

/// The link to the line that takes the string, if there is one.
pub(super) fn of_string(look: &Look, findings: &Findings, at: Vertex) -> String {
    let board = &look.input.position.board;
    let Some(owner) = board.color_at(at) else { return String::new() };
    let Some(read) = findings.tactics.as_ref().and_then(|t| t.at(board, at)) else { return String::new() };
    if read.line.is_empty() || !read.attack.works() {
        return String::new();
    }
    let colors = [owner.other(), owner];
    let line: Vec<_> = read.line.iter().enumerate().map(|(n, &v)| (colors[n % 2], v)).collect();
    format!(
        "<nav class=\"line\">{}</nav>",
        link(&to_line(look, &line, "stones"), "Play the capture out", "capture")
    )
}

/// The claims of readings about the dragon, and links to the lines that kill and save it.
pub(super) fn of_dragon(look: &Look, findings: &Findings, at: Vertex) -> String {
    let Some(dragon) = findings.dragons.as_ref().and_then(|map| map.at(at)) else { return String::new() };
    let size = findings.size();
    let claims: Vec<_> = findings
        .claims(at)
        .map(|claim| {
            json!({
                "basis": claim.basis,
                "status": claim.status,
                "seki": claim.seki,
                "enemy_first": told(&claim.attack, "does not kill it", size),
                "owner_first": told(&claim.defense, "does not save it", size),
            })
        })
        .collect();
    let mut out = String::new();
    if !claims.is_empty() {
        let list = claims.iter().map(table).collect::<String>();
        let _ = write!(
            out,
            "<section data-title=\"Claims\">{}</section>",
            folded("What each reading says of the group", &list)
        );
    }
    if dragon.vital_points().is_some() {
        let name = at.to_gtp(size);
        let to = |first: &str| format!("line?{}&at={name}&first={first}", look.query(&[]));
        let _ = write!(
            out,
            "<nav class=\"line\">{}{}</nav>",
            link(&to("attack"), "Play the kill out", "kill"),
            link(&to("defence"), "Play the rescue out", "save")
        );
    }
    out
}

/// The result of a side, in words.
fn told(play: &Play, fails: &str, size: usize) -> String {
    let doubt = if play.certain { "" } else { " (not read to its end)" };
    let line: Vec<String> = play.line.iter().map(|v| v.to_gtp(size)).collect();
    match (play.code.works(), line.is_empty()) {
        (false, _) => format!("{fails}{doubt}"),
        (true, true) => format!("{:?}, without a move{doubt}", play.code),
        (true, false) => format!("{:?} by {}{doubt}", play.code, line.join(" ")),
    }
}

/// The link to the line that kills or saves the dragon at a vertex. Each step plays the published vital point, until
/// the dragon is no longer critical.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    let found = Look::read(site, request).and_then(|look| {
        let size = look.input.position.board.size();
        let at = Vertex::from_gtp(request.get("at"), size).filter(|&v| v != Vertex::PASS);
        let at = at.ok_or("the board has no such vertex")?;
        let line = played_out(site, &look, at, request.get("first") == "attack")?;
        Ok(Reply::see(&to_line(&look, &line, "dragons")))
    });
    found.unwrap_or_else(|fault| Reply::fault(&fault))
}

fn played_out(site: &Site, look: &Look, at: Vertex, attack: bool) -> Result<Vec<(Color, Vertex)>, String> {
    let mut input = look.input.clone();
    let owner = input.position.board.color_at(at).ok_or("there is no stone")?;
    let mut side = if attack { owner.other() } else { owner };
    let mut line = Vec::new();
    while line.len() < LONGEST && input.position.board.color_at(at) == Some(owner) {
        input.position.to_move = side;
        let findings = site.analysis_cache.findings(&input, look.patterns);
        let dragon = findings.dragons.as_ref().and_then(|map| map.at(at));
        let Some(v) = dragon.and_then(|dragon| vital(dragon, side)) else { break };
        if input.position.board.play(side, v).is_err() {
            break;
        }
        input.moves += 1;
        line.push((side, v));
        side = side.other();
    }
    if line.is_empty() { Err("the dragon is not critical: no move decides".into()) } else { Ok(line) }
}

/// The move that decides about a critical dragon for this side.
fn vital(dragon: &Dragon, side: Color) -> Option<Vertex> {
    let (attack, defence) = dragon.vital_points().filter(|_| dragon.status == Status::Critical)?;
    Some(if side == dragon.color { defence } else { attack }).filter(|&v| v != Vertex::PASS)
}
