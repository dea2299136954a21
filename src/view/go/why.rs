//! Explains why a move is good, or worse than the best move. Each cause comes with the line that shows it on the board.

use super::lines;
use super::look::Look;
use crate::report::reasons;
use crate::report::sentences::player;
use crate::view::html::{self, link};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use tengen_go::board::{Color, Vertex};
use tengen_go::reasons::Explanation;
use tengen_render::escape;

/// The place of the causes of a move: folded, and asked for when it is opened.
pub(super) fn folded(look: &Look, at: Vertex, is_open: bool) -> String {
    let to = format!("why?{}&at={}", look.query(&[]), at.to_gtp(look.size()));
    format!(
        "<details class=\"more\" id=\"why\"{}><summary>Why? The causes, each with its line</summary><div class=\"growing\" \
         data-href=\"{}\"><p class=\"hint\">Looking for the causes… {}</p></div></details>",
        if is_open { " open" } else { "" },
        escape(&to),
        link(&format!("{to}&whole=1"), "On a page of their own", "alone"),
    )
}

/// A link to the place before a move, which shows its causes.
pub(super) fn ask(look: &Look, at: Vertex, changes: &[(&str, &str)]) -> String {
    let name = at.to_gtp(look.size());
    format!("{}&at={name}&why=1#facts", look.elsewhere(changes))
}

/// The causes as a piece of a page, or as a page.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    let is_whole = request.get("whole") == "1";
    let told = Look::read(site, request).and_then(|look| {
        let at = look.at.ok_or("the board has no such vertex")?;
        let back = look.address(&[]) + "&at=" + &at.to_gtp(look.size());
        Ok((causes(site, &look, at)?, back))
    });
    match (told, is_whole) {
        (Ok((body, back)), true) => {
            let way = link(&back, "The board", "board");
            Reply::html(html::page("Why?", &format!("<nav>{way}</nav><div class=\"text\">{body}</div>")))
        }
        (Ok((body, _)), false) => Reply::html(body),
        (Err(fault), true) => Reply::fault(&fault),
        (Err(fault), false) => {
            Reply::html(format!("<p data-done=\"1\" class=\"fault\">{}</p>", escape(&fault)))
        }
    }
}

fn causes(site: &Site, look: &Look, at: Vertex) -> Result<String, String> {
    let found = site.analysis_cache.explain(&look.input, look.patterns, at)?;
    let worse = found.under_best.filter(|better| better.against != Vertex::PASS && better.value < 0.0);
    let worse = worse.map_or_else(String::new, |better| told(look, &better));
    Ok(format!("<div data-done=\"1\" class=\"causes\">{}{worse}</div>", told(look, &found.over_pass)))
}

/// An explanation: the gain or loss of the move, its causes, and the unexplained rest.
fn told(look: &Look, explained: &Explanation) -> String {
    let (size, board) = (look.size(), &look.input.position.board);
    let name = |v: Vertex| if v == Vertex::PASS { "a pass".to_owned() } else { v.to_gtp(size) };
    let does = if explained.value < 0.0 { "loses" } else { "gains" };
    let mut out = format!(
        "<p class=\"said\"><b>By the <a href=\"concept?name=judge\">judge</a>, {} {} {does} {:.1} points against {}.</b></p><ul class=\"plain\">",
        player(explained.color),
        name(explained.vertex),
        explained.value.abs(),
        name(explained.against)
    );
    for change in &explained.changes {
        let sign = if change.points < 0.0 { '−' } else { '+' };
        let mut text = reasons::happens(change, explained, board);
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let mut color = reasons::begins(change, explained);
        let mut moves: Vec<(Color, Vertex)> = Vec::new();
        for &v in &change.line {
            moves.push((color, v));
            color = color.other();
        }
        let shown = if moves.len() < 2 && !change.is_of_other || moves.is_empty() {
            String::new()
        } else {
            format!(" {}", link(&lines::to_line(look, &moves, ""), "Show the line", "line"))
        };
        let doubt = if change.kind.is_some() && !change.proved {
            " <small>(not read to its end)</small>"
        } else {
            ""
        };
        let _ =
            write!(out, "<li><b>{sign}{:.1}</b> {}.{doubt}{shown}</li>", change.points.abs(), escape(&text));
    }
    if explained.unexplained.abs() >= 0.05 {
        let sign = if explained.unexplained < 0.0 { '−' } else { '+' };
        let _ = write!(
            out,
            "<li class=\"soft\"><b>{sign}{:.1}</b> without a cause.</li>",
            explained.unexplained.abs()
        );
    }
    out + "</ul>"
}
