//! Small pieces of HTML for the pages of the viewer. All texts in them are escaped.

pub(super) use crate::report::heading::short;
use serde_json::Value;
use std::fmt::Write as _;
use tengen_core::Diagnostic;
use tengen_render::{Key, escape};

/// A page around a body.
#[must_use]
pub(super) fn page(title: &str, body: &str) -> String {
    page_with_announcement(title, "", body)
}

/// A page around a body. A screen reader reads the announcement when the page replaces another page.
#[must_use]
pub(super) fn page_with_announcement(title: &str, announcement: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><link rel=\"icon\" href=\"data:,\">\
         <link rel=\"stylesheet\" href=\"style.css\"><title>{title}</title></head>\
         <body><header class=\"top\"><a class=\"brand\" href=\"./\"><i></i>Tengen</a><b class=\"title\">{title}</b>\
         <a class=\"open\" href=\"new\">Play<span> against Tengen</span></a>\
         <a class=\"open\" href=\"concept\">Help</a></header>\
         <p id=\"live\" class=\"sr\" role=\"status\"></p>\
         <div id=\"page\" data-said=\"{}\">\n{body}</div>\
         <script src=\"script.js\"></script></body></html>\n",
        escape(announcement)
    )
}

/// A link to another page of the viewer.
#[must_use]
pub(super) fn link(to: &str, text: &str, class: &str) -> String {
    format!("<a class=\"{class}\" href=\"{}\">{}</a>", escape(to), escape(text))
}

/// Terms with the words that hover over them.
const TERMS: [(&str, &str); 7] = [
    ("komi", "points that White gets for moving second"),
    ("critical", "who moves first decides whether it lives"),
    ("liberties", "empty points next to the stones"),
    ("eye space", "points that the group surrounds, where it can make eyes"),
    ("handicap", "stones that Black may put down before White’s first move"),
    ("judge", "a small net that estimates who will own each point"),
    ("framework", "an area that is not territory yet but may become it"),
];

/// A text escaped, its terms explained on pointing.
#[must_use]
pub(super) fn explained(text: &str) -> String {
    let mut out = escape(text);
    for (term, words) in TERMS {
        if let Some(at) = out.find(term) {
            let whole = format!("<abbr title=\"{words}\">{term}</abbr>");
            out.replace_range(at..at + term.len(), &whole);
        }
    }
    out
}

/// The warnings of reading the position, in the order of the file.
#[must_use]
pub(super) fn warnings(warnings: &[Diagnostic]) -> String {
    let one = |warning: &Diagnostic| format!("<pre class=\"warning\">{}</pre>", escape(&warning.to_string()));
    let told: String = warnings.iter().map(one).collect();
    if told.is_empty() { told } else { format!("<div role=\"note\" aria-label=\"Warnings\">{told}</div>") }
}

/// Fields that only an engineer needs, folded away.
#[must_use]
pub(super) fn folded(name: &str, body: &str) -> String {
    format!(
        "<details class=\"more fields\"><summary>{}</summary><div class=\"wide\">{body}</div></details>",
        escape(name)
    )
}

/// The legend of a picture as a list.
#[must_use]
pub(super) fn legend(keys: &[Key]) -> String {
    if keys.is_empty() {
        return String::new();
    }
    let mut out = String::from("<ul class=\"legend\">");
    for key in keys {
        let _ = write!(out, "<li>{}{}</li>", tengen_render::sign_alone(key), escape(&key.meaning));
    }
    out + "</ul>"
}

/// All fields of a JSON object as a table, so that new fields appear without a change here.
#[must_use]
pub(super) fn table(object: &Value) -> String {
    let mut out = String::from("<table>");
    if let Some(fields) = object.as_object() {
        for (name, value) in fields {
            let name = name.replace('_', " ");
            let _ = write!(out, "<tr><th>{}</th><td>{}</td></tr>", escape(&name), value_html(value));
        }
    }
    out + "</table>"
}

fn value_html(value: &Value) -> String {
    match value {
        Value::String(text) => escape(text),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().map(table).collect::<String>()
        }
        Value::Array(items) => {
            let separator =
                if items.iter().any(|i| i.as_str().is_some_and(|s| s.contains(' '))) { "<br>" } else { ", " };
            items.iter().map(value_html).collect::<Vec<_>>().join(separator)
        }
        Value::Object(_) => table(value),
        Value::Null => "none".into(),
        other => escape(&other.to_string()),
    }
}

/// A text for the query of an address.
#[must_use]
pub(super) fn encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
