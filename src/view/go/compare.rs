//! The page that compares two settings of the engine on one position. A setting is a level of effort and a pattern
//! database.

use super::look::Look;
use crate::number_text::signed;
use crate::record::findings::{Findings, Map};
use crate::report::board::{Layer, sheets};
use crate::view::analysis_cache::Setting;
use crate::view::html::page as whole;
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use tengen_go::Level;
use tengen_go::board::Color;
use tengen_render::Sheet;
use tengen_render::{escape, svg};

/// Moves of each setting that are set against each other.
const BEST: usize = 5;

/// The page.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    body(site, request).unwrap_or_else(|fault| Reply::fault(&fault))
}

fn body(site: &Site, request: &Request) -> Result<Reply, String> {
    let look = Look::read(site, request)?;
    let (one, other) = (setting(site, request, "one", look.patterns)?, setting(site, request, "other", 0)?);
    let (a, b) = (
        site.analysis_cache.findings_under(&look.input, one),
        site.analysis_cache.findings_under(&look.input, other),
    );
    let names = [one, other].map(|s| s.text());
    let map = look.map()?;
    // The stones are the same under both.
    let layer = if look.layer == Layer::Stones { Layer::Territory } else { look.layer };
    let board = |findings: &Findings, name: &str, id: &str| {
        let pictures: String = pictures(findings, layer, map).iter().map(svg::board).collect();
        format!("<figure id=\"{id}\">{pictures}<figcaption>{}</figcaption></figure>", escape(name))
    };
    let body = format!(
        "<nav><a id=\"back\" href=\"game?{}\">back to the board</a></nav>{}\
         <main><div class=\"boards\">{}</div><div class=\"boards\">{}</div></main>{}\
         <details class=\"more\" id=\"differs\"><summary>What differs, field by field</summary>{}</details>",
        escape(&look.query(&[])),
        form(site, &look, one, other),
        board(&a, &names[0], "one"),
        board(&b, &names[1], "other"),
        verdicts(&a, &b, &names),
        super::tuning::changes(&a, &b, "What differs", [&names[0], &names[1]]),
    );
    Ok(Reply::html(whole("Two settings", &body)))
}

/// The boards of a layer as people read them.
fn pictures(findings: &Findings, layer: Layer, map: Map) -> Vec<Sheet> {
    let mut found = sheets(findings, layer, map);
    found.iter_mut().for_each(|sheet| super::picture::for_people(sheet, layer));
    found
}

/// The setting that fields of the address name: `one_effort`, `one_patterns`.
fn setting(site: &Site, request: &Request, side: &str, patterns: usize) -> Result<Setting, String> {
    let level = match request.get(&format!("{side}_effort")) {
        // Equal sides would show nothing: the other one begins with another effort.
        "" if side == "other" && site.analysis_cache.level == Level::Quick => Level::Normal,
        "" if side == "other" => Level::Quick,
        "" => site.analysis_cache.level,
        name => Level::ALL
            .into_iter()
            .find(|level| level.name() == name)
            .ok_or_else(|| format!("there is no effort `{name}`"))?,
    };
    let patterns = match request.get(&format!("{side}_patterns")) {
        "" => patterns,
        text => text
            .parse()
            .ok()
            .filter(|&n| site.analysis_cache.knows(n))
            .ok_or_else(|| format!("there are no patterns {text} here (any more)"))?,
    };
    Ok(Setting { level, patterns })
}

/// The choice of both settings.
fn form(site: &Site, look: &Look, one: Setting, other: Setting) -> String {
    let mut out = String::from("<form id=\"settings\" class=\"pick\" action=\"compare\">");
    for field in look.query(&[]).split('&').filter_map(|field| field.split_once('=')) {
        // The value is escaped for an address; a form escapes it again.
        let value = crate::view::request::decode(field.1);
        let _ = write!(out, "<input type=\"hidden\" name=\"{}\" value=\"{}\">", field.0, escape(&value));
    }
    for (side, now) in [("one", one), ("other", other)] {
        let _ = write!(out, "<label>{side}: effort <select name=\"{side}_effort\">");
        for level in Level::ALL {
            let on = if level == now.level { " selected" } else { "" };
            let _ = write!(out, "<option{on}>{}</option>", level.name());
        }
        let _ = write!(out, "</select></label> <label>patterns <select name=\"{side}_patterns\">");
        for number in site.analysis_cache.numbers() {
            let on = if number == now.patterns { " selected" } else { "" };
            let name = if number == 0 { "as started".to_owned() } else { format!("edit {number}") };
            let _ = write!(out, "<option value=\"{number}\"{on}>{name}</option>");
        }
        out += "</select></label> ";
    }
    out + "<button class=\"main\">Compare</button></form>"
}

/// The estimate, the best moves, and the dragons judged differently.
fn verdicts(a: &Findings, b: &Findings, names: &[String; 2]) -> String {
    let mut out = format!(
        "<h3>What each says</h3><table id=\"verdicts\"><tr><th></th><th>{}</th><th>{}</th></tr>",
        escape(&names[0]),
        escape(&names[1])
    );
    let mut row = |what: &str, was: String, is: String| {
        let class = if was == is { "" } else { " class=\"on\"" };
        let _ = write!(
            out,
            "<tr{class}><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(what),
            escape(&was),
            escape(&is)
        );
    };
    let lead = |f: &Findings| f.white_lead().map_or_else(String::new, |lead| signed(lead, 1));
    row("White’s lead", lead(a), lead(b));
    for n in 0..BEST {
        let best = |f: &Findings| {
            f.ranked()
                .get(n)
                .map_or_else(String::new, |c| format!("{} {:.2}", c.vertex.to_gtp(f.size()), c.value))
        };
        row(&format!("move {}", n + 1), best(a), best(b));
    }
    let status = |f: &Findings, v| f.dragons.as_ref().and_then(|m| m.at(v)).map(|d| d.status.name());
    for dragon in a.dragons.iter().flat_map(|map| &map.dragons) {
        let (was, is) = (status(a, dragon.origin), status(b, dragon.origin));
        if was != is {
            let side = if dragon.color == Color::Black { "Black" } else { "White" };
            let what = format!("{side}’s dragon at {}", dragon.origin.to_gtp(a.size()));
            row(&what, was.unwrap_or_default().into(), is.unwrap_or_default().into());
        }
    }
    out + "</table>"
}
