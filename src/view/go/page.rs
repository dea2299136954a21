//! The page of a Go game: the board with a layer, the controls, and beside it the position in sentences.

use super::look::Look;
use super::{
    facts as vertex_facts, files, heading, layers, lines, navigation, picture, summary, versus, why,
};
use crate::record::findings::Findings;
use crate::report::board::{Layer, sheets};
use crate::report::sentences::player;
use crate::view::html::{self, link};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use tengen_go::board::Vertex;
use tengen_render::{Sheet, escape, svg};

/// The page.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    let shown = Look::read(site, request).and_then(|look| {
        let map = look.map()?;
        let findings = look.findings(site);
        let pictures = sheets(&findings, look.layer, map);
        Ok(Reply::html(html::page_with_announcement(
            &title(&look),
            &announced(&look),
            &body(site, &look, &findings, &pictures),
        )))
    });
    shown.unwrap_or_else(|fault| Reply::fault(&fault))
}

fn body(site: &Site, look: &Look, findings: &Findings, pictures: &[Sheet]) -> String {
    format!(
        "<main class=\"game\"><section class=\"stage\" aria-label=\"Board\">{}{}{}</section>\
         <section class=\"panel\" aria-label=\"Position\">{}</section>\
         <section class=\"below\" aria-label=\"Game\">{}{}</section></main>",
        heading::players(look),
        board(look, pictures),
        navigation::controls(look),
        panel(site, look, findings, pictures),
        graph(look),
        navigation::tree(look),
    )
}

/// The board of the chosen layer. If the layer has two boards, the chosen one with links to both.
fn board(look: &Look, pictures: &[Sheet]) -> String {
    let chosen = pictures.get(look.sheet).or_else(|| pictures.first());
    let Some(sheet) = chosen else {
        return "<p>This layer says nothing of this position.</p>".into();
    };
    let mut sheet = sheet.clone();
    picture::for_people(&mut sheet, look.layer);
    picture::add_marks(&mut sheet, look);
    picture::add_line(&mut sheet, look);
    let words = picture::words(look);
    sheet.title = words;
    let mut out = format!("<div class=\"wood\">{}</div>", svg::board(&sheet));
    if pictures.len() > 1 {
        out += "<nav id=\"sheets\">";
        for (n, other) in pictures.iter().enumerate() {
            let on = if n == look.sheet { "on" } else { "" };
            let number = if n == 0 { String::new() } else { n.to_string() };
            let mut name = other.title.clone();
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            out += &link(&look.address(&[("sheet", &number)]), &format!("{name}’s"), on);
        }
        out += "</nav>";
    }
    out
}

fn panel(site: &Site, look: &Look, findings: &Findings, pictures: &[Sheet]) -> String {
    let legend = pictures.get(look.sheet).or_else(|| pictures.first()).map_or(&[][..], |sheet| &sheet.legend);
    let mut legend = legend.to_vec();
    legend.retain(|key| key.sign.text != ".");
    let is_hidden = look.versus.is_some() && (look.layer == Layer::Stones || look.is_over());
    let summary = if is_hidden { String::new() } else { summary::position(look, findings) };
    let first = match look.at {
        _ if look.wants_move() => "<p>Click on the move whose map you want to see.</p>".to_owned(),
        Some(at) => vertex(look, findings, at),
        None => String::new(),
    };
    let follow = follow(look);
    format!(
        "{}{}{}{}{}{}<div id=\"facts\" data-href=\"facts?{}&amp;at=\"{follow}>{first}</div>{summary}{}{}",
        versus::panel(look, site),
        heading::meta(look),
        layers::menu(look),
        html::legend(&legend),
        heading::comment(look),
        if look.versus.is_some() { String::new() } else { lines::steps(look) },
        escape(&look.query(&[])),
        trials(look, findings),
        summary::all_fields(findings, look.layer, pictures),
    )
}

/// The address that a click on the board leads to, where it is no question.
fn follow(look: &Look) -> String {
    let to = if look.wants_move() {
        look.address(&[("move", "")]) + "&move="
    } else if look.versus == Some(look.input.position.to_move) && !look.is_over() {
        format!("answer?{}&at=", look.query(&[("layer", "")]))
    } else {
        return String::new();
    };
    format!(" data-follow=\"{}\"", escape(&to))
}

fn title(look: &Look) -> String {
    let name = match &look.record {
        _ if look.file.starts_with("new-") => "New game".to_owned(),
        Some(record) if look.file.is_empty() || look.file.starts_with("drop-") => {
            record.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
        }
        None if look.file.is_empty() => "Empty board".to_owned(),
        _ => look.file.clone(),
    };
    let tried = if look.tries.is_empty() { "" } else { ", with moves tried" };
    let to_move = look.input.position.to_move;
    format!("{}, move {}{tried}, {to_move} to move", html::short(&name, 100), look.input.moves)
}

/// The text for a screen reader when this position replaces another.
fn announced(look: &Look) -> String {
    match look.input.position.board.last_move() {
        Some((color, v)) => format!("Move {}: {} {}", look.input.moves, player(color), v.to_gtp(look.size())),
        None => format!("Move {}", look.input.moves),
    }
}

/// The graphs of a record; they grow while the page is open.
fn graph(look: &Look) -> String {
    let Some(record) = &look.record else { return String::new() };
    let line = super::look::line_through(record, look.node);
    let at = line.iter().position(|&id| id == look.node).unwrap_or(0);
    let end = line.last().copied().unwrap_or(0);
    format!(
        "<div id=\"growing\" class=\"growing\" data-line=\"{}:{end}:{}\" data-at=\"{at}\" data-href=\"lead?{}\"></div>",
        escape(&look.file),
        look.patterns,
        escape(&look.query(&[]))
    )
}

/// Moves tried: the best move, taking back; the tools of an engineer.
fn trials(look: &Look, findings: &Findings) -> String {
    let size = look.size();
    let mut out = String::from("<nav id=\"tries\" aria-label=\"Try moves\">");
    if look.versus.is_none() {
        if let Some(best) = findings.ranked().first() {
            let text = format!("Play the best move, {}", best.vertex.to_gtp(size));
            out += &link(&look.after(best.vertex), &text, "best");
        }
        if !look.tries.is_empty() {
            let less = &look.tries[..look.tries.len() - 1];
            out += &link(&look.elsewhere(&[("try", &super::look::joined(less, size))]), "Take back", "undo");
        }
        let color = if look.input.position.to_move == tengen_go::board::Color::Black { "b" } else { "w" };
        out += &link(&look.address(&[("vs", color), ("layer", "")]), "Play on against Tengen", "versus");
    }
    let _ = write!(
        out,
        "<a class=\"save\" id=\"save-sgf\" download=\"{}\" href=\"save?{}\">Save as SGF</a>",
        escape(&files::file_name(look)),
        escape(&look.query(&[]))
    );
    out += "<details class=\"more\" id=\"tools\"><summary>Tools</summary>";
    let other = if look.input.position.to_move == tengen_go::board::Color::Black { "w" } else { "b" };
    out += &link(&look.address(&[("turn", other)]), "The other to move", "turn");
    out += &link(&format!("tune?{}", look.query(&[])), "Edit patterns", "tune");
    out += &link(&format!("compare?{}", look.query(&[])), "Compare settings", "compare");
    out + "</details></nav>" + &ask(look)
}

/// A vertex by its name: for keyboards, screen readers and browsers without script.
fn ask(look: &Look) -> String {
    let mut out = String::from("<form action=\"game\" class=\"pick\" id=\"ask\">");
    for field in look.query(&[]).split('&').filter_map(|field| field.split_once('=')) {
        let value = crate::view::request::decode(field.1);
        let _ = write!(out, "<input type=\"hidden\" name=\"{}\" value=\"{}\">", field.0, escape(&value));
    }
    out + "<label>What is known of a point <input name=\"at\" size=\"4\" maxlength=\"4\" placeholder=\"D4\" \
           autocomplete=\"off\"></label><button>Show</button></form>"
}

/// The facts about a vertex, as a piece of a page.
pub(in crate::view) fn facts(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::text(400, &fault),
    };
    let Some(at) = look.at else { return Reply::text(400, "the board has no such vertex") };
    let findings = look.findings(site);
    Reply::html(vertex(&look, &findings, at))
}

fn vertex(look: &Look, findings: &Findings, at: Vertex) -> String {
    let name = at.to_gtp(look.size());
    let color = look.input.position.to_move;
    let mut body = format!("<div class=\"card\"><h2 data-at=\"{name}\">{name}</h2>");
    if look.input.position.board.is_legal(color, at) {
        let _ = write!(
            body,
            "<nav>{}{}{}</nav>",
            link(&look.after(at), &format!("Try {} {name}", player(color)), "main try"),
            link(
                &look.address(&[("layer", "delta"), ("map", "after"), ("move", &name)]),
                "What it changes",
                "delta"
            ),
            link(
                &look.address(&[("layer", "territory"), ("map", "after"), ("move", &name)]),
                "Territory after it",
                "after"
            ),
        );
        body += &why::folded(look, at, look.is_why);
    }
    body += &lines::of_string(look, findings, at);
    body += &vertex_facts::of(findings, at);
    body += &lines::of_dragon(look, findings, at);
    body + "</div>"
}
