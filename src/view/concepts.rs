//! The pages of `docs/concepts`, which explain the terms. The program contains these pages, so that a link to them
//! works without a network. The parser of Markdown supports only what these pages use: headings, paragraphs, lists,
//! tables, code, links.

use super::html;
use super::request::{Reply, Request};
use std::fmt::Write as _;
use tengen_render::escape;

/// The pages by name.
const PAGES: [(&str, &str); 16] = [
    ("territory", include_str!("../../docs/concepts/territory.md")),
    ("influence", include_str!("../../docs/concepts/influence.md")),
    ("dragon", include_str!("../../docs/concepts/dragon.md")),
    ("worm", include_str!("../../docs/concepts/worm.md")),
    ("eye", include_str!("../../docs/concepts/eye.md")),
    ("life-and-death", include_str!("../../docs/concepts/life-and-death.md")),
    ("race", include_str!("../../docs/concepts/race.md")),
    ("move-value", include_str!("../../docs/concepts/move-value.md")),
    ("judge", include_str!("../../docs/concepts/judge.md")),
    ("repetition", include_str!("../../docs/concepts/repetition.md")),
    ("path-dependence", include_str!("../../docs/concepts/path-dependence.md")),
    ("shadow-scores", include_str!("../../docs/concepts/shadow-scores.md")),
    ("rulesheet", include_str!("../../docs/concepts/rulesheet.md")),
    ("net", include_str!("../../docs/concepts/net.md")),
    ("propagation", include_str!("../../docs/concepts/propagation.md")),
    ("lanes", include_str!("../../docs/concepts/lanes.md")),
];

/// The page of a concept, or the list of all.
pub(super) fn page(request: &Request) -> Reply {
    let name = request.get("name");
    if name.is_empty() {
        return Reply::html(html::page("Help", &help()));
    }
    match PAGES.iter().find(|page| page.0 == name) {
        Some((_, text)) => {
            Reply::html(html::page(title(text), &format!("<article class=\"text\">{}</article>", of(text))))
        }
        None => Reply::fault(&format!("there is no page about `{name}`")),
    }
}

fn help() -> String {
    let mut out = String::from(
        "<article class=\"text\"><h1>Help</h1><h2>Keys</h2><table><tr><th>key</th><th>what</th></tr>\
         <tr><td><kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd></td><td>one move back or on, first and last move</td></tr>\
         <tr><td><kbd>↑</kbd> <kbd>↓</kbd></td><td>the variation before, the next one</td></tr>\
         <tr><td><kbd>y</kbd> <kbd>d</kbd> <kbd>i</kbd> <kbd>m</kbd> <kbd>s</kbd></td><td>territory, groups, influence, candidates, last move</td></tr>\
         <tr><td><kbd>,</kbd> <kbd>.</kbd></td><td>one step back or on in a line that is played out</td></tr></table>\
         <p>A click on the board tells all that is known of the point. Drop an <code>.sgf</code> file on a page to open it.</p>\
         <h2>Terms</h2><ul>",
    );
    for (name, text) in PAGES {
        let _ = write!(out, "<li><a href=\"concept?name={name}\">{}</a></li>", escape(title(text)));
    }
    out + "</ul></article>"
}

fn title(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_start_matches("# ")
}

/// Markdown as HTML.
fn of(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|l| !l.starts_with("```")).collect();
            let _ = write!(out, "<pre class=\"{}\">{}</pre>", escape(language), escape(&code.join("\n")));
        } else if let Some(heading) = line.strip_prefix("# ") {
            let _ = write!(out, "<h1>{}</h1>", inline(heading));
        } else if let Some(heading) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            let _ = write!(out, "<h2>{}</h2>", inline(heading));
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|l| l.starts_with('|')) {
                rows.push(row);
            }
            out += &table(&rows);
        } else if line.starts_with("- ") || line.starts_with("1. ") {
            let mut item = line.split_once(' ').map_or("", |(_, text)| text).to_owned();
            while let Some(next) = lines.next_if(|l| l.starts_with("  ")) {
                item = item + " " + next.trim();
            }
            let _ = write!(out, "<ul><li>{}</li></ul>", inline(&item));
        } else if !line.trim().is_empty() {
            let mut paragraph = line.to_owned();
            while let Some(next) =
                lines.next_if(|l| !l.trim().is_empty() && !l.starts_with(['|', '#', '`', '-']))
            {
                paragraph = paragraph + " " + next;
            }
            let _ = write!(out, "<p>{}</p>", inline(&paragraph));
        }
    }
    out.replace("</ul><ul>", "")
}

fn table(rows: &[&str]) -> String {
    let mut out = String::from("<div class=\"wide\"><table>");
    for (n, row) in rows.iter().enumerate().filter(|(n, _)| *n != 1) {
        let tag = if n == 0 { "th" } else { "td" };
        let cells = row
            .trim()
            .trim_matches('|')
            .split('|')
            .map(|cell| format!("<{tag}>{}</{tag}>", inline(cell.trim())));
        let _ = write!(out, "<tr>{}</tr>", cells.collect::<String>());
    }
    out + "</table></div>"
}

/// Links, code and emphasis in a line. A link to another concept page stays a link; other links become plain words.
fn inline(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(words, to)| Some((words, to.split_once(')')?)));
        let Some((words, (target, tail))) = link else { break };
        let name = target.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
        out += &words_of(before);
        out += &match PAGES.iter().find(|page| page.0 == name) {
            Some(_) => format!("<a href=\"concept?name={name}\">{}</a>", words_of(words)),
            None => words_of(words),
        };
        rest = tail;
    }
    out + &words_of(rest)
}

/// Code and emphasis.
fn words_of(text: &str) -> String {
    let mut out = String::new();
    for (n, piece) in text.split('`').enumerate() {
        if n % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", escape(piece));
        } else {
            out += &emphasis(&escape(piece));
        }
    }
    out
}

/// Words between stars; a star without a second one stays.
fn emphasis(text: &str) -> String {
    let pieces: Vec<&str> = text.split('*').collect();
    let mut out = String::new();
    for (n, piece) in pieces.iter().enumerate() {
        out += match n {
            0 => "",
            n if n % 2 == 1 && n + 1 < pieces.len() => "<em>",
            n if n % 2 == 1 => "*",
            _ => "</em>",
        };
        out += piece;
    }
    out
}
