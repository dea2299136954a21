//! The requests for the viewer's pages, and the replies.

use super::html;
use std::collections::BTreeMap;

/// A request, as far as pages read it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The page's name.
    pub page: String,
    /// The address's query, and a form's fields.
    pub fields: BTreeMap<String, String>,
    /// Whether a form was sent.
    pub is_post: bool,
    /// The sent form.
    pub form: String,
}

impl Request {
    /// Reads a query, and the body of a form.
    #[must_use]
    pub fn new(page: &str, query: &str, form: Option<&str>) -> Self {
        let pairs = query.split('&').chain(form.into_iter().flat_map(|f| f.split('&')));
        let fields = pairs
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (decode(name), decode(value)))
            .collect();
        Self { page: page.into(), fields, is_post: form.is_some(), form: form.unwrap_or_default().into() }
    }

    /// The bytes of a form's field in any encoding; `None` if it was not sent.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let mut pairs = self.form.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(field, _)| *field == name).map(|(_, value)| decoded(value))
    }

    /// A field; empty if it is missing.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// Undoes the escapes of a form's field; an invalid escape stays.
pub(super) fn decode(text: &str) -> String {
    String::from_utf8_lossy(&decoded(text)).into_owned()
}

fn decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = text.get(i + 1..i + 3).and_then(|h| u8::from_str_radix(h, 16).ok());
        match (bytes[i], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                i += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        i += 1;
    }
    out
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// HTTP's number.
    pub status: u16,
    /// The type of the body.
    pub kind: &'static str,
    /// The content to send.
    pub body: String,
    /// The address of a redirection.
    pub location: Option<String>,
}

impl Reply {
    /// A page.
    #[must_use]
    pub const fn html(body: String) -> Self {
        Self { status: 200, kind: "text/html; charset=utf-8", body, location: None }
    }

    /// Plain text.
    #[must_use]
    pub fn text(status: u16, body: &str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: format!("{body}\n"), location: None }
    }

    /// Redirects to another page.
    #[must_use]
    pub fn see(to: &str) -> Self {
        Self { location: Some(to.into()), ..Self::text(303, "see the next page") }
    }

    /// The fault of a request, as a page.
    #[must_use]
    pub fn fault(text: &str) -> Self {
        let body =
            format!("<p class=\"fault\">{}</p><p><a href=\"./\">back</a></p>", tengen_render::escape(text));
        Self { status: 400, ..Self::html(html::page("That could not be shown", &body)) }
    }
}
