//! The page on which a reader edits a pattern database. It shows the effect of an edit on the maps and move values of
//! the current position. It saves the database to the folder of `--patterns`. The source is the GNU Go 3.8 manual,
//! chapter "Influence", section "Influence Tuning with view.pike".

use super::look::Look;
use crate::files::write_file;
use crate::number_text::fixed;
use crate::record::findings::{Findings, Map};
use crate::view::html::page as whole;
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use std::io::Write as _;
use tengen_go::board::Color;
use tengen_go::patterns::PatternDatabases;
use tengen_render::escape;

/// Our own databases' texts, to begin from.
const OWN: [(&str, &str); 3] = [
    ("influence.db", include_str!("../../../resources/go/patterns/influence.db")),
    ("barriers.db", include_str!("../../../resources/go/patterns/barriers.db")),
    ("conn.db", include_str!("../../../resources/go/patterns/conn.db")),
];

/// The page: the text of a database, and the effect of the change if it was sent.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::fault(&fault),
    };
    let file = match request.get("db") {
        "" => "barriers.db",
        name => name,
    };
    if !PatternDatabases::FILES.contains(&file) {
        return Reply::fault("the databases are influence.db, barriers.db, conn.db");
    }
    let text = if request.is_post { request.get("text").replace("\r\n", "\n") } else { current(site, file) };
    let told = if request.is_post {
        let what = Wanted { save: request.get("save") == "1", across: request.get("across") == "1" };
        tried(site, &look, file, &text, what)
    } else {
        String::new()
    };
    let others: String = PatternDatabases::FILES
        .map(|name| {
            let class = if name == file { "on" } else { "" };
            crate::view::html::link(&format!("tune?{}&db={name}", look.query(&[])), name, class)
        })
        .concat();
    let save = if site.patterns.is_some() {
        "<button name=\"save\" value=\"1\" id=\"save\">save to the folder of patterns</button>"
    } else {
        "<span class=\"hint\">start with --patterns DIR to be able to save</span>"
    };
    let body = format!(
        "<nav><a id=\"back\" href=\"game?{0}\">back to the board</a>{others}</nav>{told}\
         <form method=\"post\" action=\"tune?{0}&amp;db={file}\"><textarea name=\"text\" id=\"text\" aria-label=\"The pattern database\" spellcheck=\"false\">{1}</textarea>\
         <p><button id=\"try\">see what changes</button> <button name=\"across\" value=\"1\" id=\"over\">see what changes over many positions</button> {save}</p></form>",
        escape(&look.query(&[])),
        escape(&text),
    );
    Reply::html(whole(&format!("Patterns: {file}"), &body))
}

/// The text that is in force: the folder's, else our own.
fn current(site: &Site, file: &str) -> String {
    let of_folder = site.patterns.as_ref().and_then(|folder| std::fs::read_to_string(folder.join(file)).ok());
    let own = || OWN.iter().find(|(name, _)| *name == file).map_or("", |(_, text)| text).to_owned();
    of_folder.unwrap_or_else(own)
}

/// The requests besides the changes on this board.
#[derive(Clone, Copy)]
struct Wanted {
    save: bool,
    across: bool,
}

fn tried(site: &Site, look: &Look, file: &str, text: &str, wanted: Wanted) -> String {
    let others: Vec<(&str, String)> = PatternDatabases::FILES
        .into_iter()
        .filter(|name| *name != file)
        .map(|name| (name, current(site, name)))
        .collect();
    let all = others.iter().map(|(name, text)| (*name, text.as_str())).chain([(file, text)]);
    let databases = match PatternDatabases::load(all) {
        Ok((databases, _)) => databases,
        Err(faults) => {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return format!("<pre class=\"fault\" id=\"faults\">{}</pre>", escape(&lines.join("\n")));
        }
    };
    let before = look.findings(site);
    let number = site.analysis_cache.add_patterns(databases);
    let after = site.analysis_cache.findings(&look.input, number);
    let mut out = changes(&before, &after, "What changes on this board", ["before", "now"]);
    let _ = write!(
        out,
        "<p><a id=\"see\" href=\"game?{}\">look at the board with these patterns</a></p>",
        escape(&look.query(&[("patterns", &number.to_string())]))
    );
    if wanted.across {
        out += &super::edit_effects::table(site, look, number);
    }
    if wanted.save
        && let Some(folder) = &site.patterns
    {
        let path = folder.join(file);
        let _ = match write_file(&path, |file| file.write_all(text.as_bytes())) {
            Ok(()) => write!(out, "<p id=\"saved\">saved as {}</p>", escape(&path.display().to_string())),
            Err(e) => write!(out, "<p class=\"fault\">{}</p>", escape(&format!("{e:#}"))),
        };
    }
    out
}

/// The differences between two analyses of a position: effects of patterns, territory, move values.
pub(super) fn changes(before: &Findings, after: &Findings, heading: &str, names: [&str; 2]) -> String {
    let size = before.size();
    let mut out = format!("<h3>{}</h3><table id=\"changes\">", escape(heading));
    let mut row = |what: &str, was: &str, is: &str| {
        let _ =
            write!(out, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", escape(what), escape(was), escape(is));
    };
    row("", names[0], names[1]);
    for color in Color::BOTH {
        let (Some(a), Some(b)) = (before.map(Map::Second(color)), after.map(Map::Second(color))) else {
            continue;
        };
        for cause in b.causes.iter().filter(|c| !a.causes.contains(c)) {
            row(&format!("{color} first, pattern"), "", &cause.text(size));
        }
        for cause in a.causes.iter().filter(|c| !b.causes.contains(c)) {
            row(&format!("{color} first, pattern"), &cause.text(size), "");
        }
        for v in before.position.board.vertices() {
            let (was, is) = (a.territory[v.at()], b.territory[v.at()]);
            if (was - is).abs() >= 0.005 {
                row(
                    &format!("{color} first, territory at {}", v.to_gtp(size)),
                    &fixed(was, 2),
                    &fixed(is, 2),
                );
            }
        }
    }
    let value = |f: &Findings, v| f.ranked().iter().find(|c| c.vertex == v).map_or(0.0, |c| c.value);
    for v in before.position.board.vertices() {
        let (was, is) = (value(before, v), value(after, v));
        if (was - is).abs() >= 0.005 {
            row(&format!("value of {}", v.to_gtp(size)), &fixed(was, 2), &fixed(is, 2));
        }
    }
    out + "</table>"
}
