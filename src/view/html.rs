//! Small pieces of pages. Only this module escapes texts.

use serde_json::Value;
use std::fmt::Write as _;
use tengen_render::escape;

/// A page around a body.
#[must_use]
pub(super) fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><link rel=\"icon\" href=\"data:,\">\
         <link rel=\"stylesheet\" href=\"style.css\"><title>{title}</title></head>\
         <body><header><a href=\"./\">Tengen</a> <b>{title}</b></header>\n{body}\
         <script src=\"script.js\"></script></body></html>\n"
    )
}

/// A link to a page of ours.
#[must_use]
pub(super) fn link(to: &str, text: &str, class: &str) -> String {
    format!("<a class=\"{class}\" href=\"{}\">{}</a>", escape(to), escape(text))
}

/// The fields of a JSON object as a table, whatever they are: what is published later shows up by itself.
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
