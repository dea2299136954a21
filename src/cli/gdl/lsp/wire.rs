//! Reads and writes the messages of the language server over stdio. A message is a header with `Content-Length`, an
//! empty line, and JSON.
//!
//! The messages are those of `lsp-server`. The reader of that crate ends at the first broken message, and allocates any
//! size that a header names. This reader skips a broken message, reports it, and accepts at most [`MOST`] bytes.

use lsp_server::Message;
use std::io::{self, BufRead, Read as _};

/// The longest message.
pub(super) const MOST: usize = 64 << 20;
/// The longest line of a header.
const LINE: u64 = 4096;

/// The result of reading a message.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// Something else, with the reason.
    Broken(String),
}

/// The next message; `None` at the end.
///
/// # Errors
/// If the input can't be read.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = header(input)? else { return Ok(None) };
    let length = match length {
        Ok(length) => length,
        Err(reason) => return Ok(Some(Incoming::Broken(reason))),
    };
    if length > MOST {
        io::copy(&mut input.by_ref().take(length as u64), &mut io::sink())?;
        return Ok(Some(Incoming::Broken(format!("a message has at most {} MiB", MOST >> 20))));
    }
    let mut body = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Broken(format!("not a message: {error}")),
    }))
}

/// The length that a header says; `None` at the end.
fn header(input: &mut impl BufRead) -> io::Result<Option<Result<usize, String>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match length {
                Some(length) => return Ok(Some(Ok(length))),
                None => continue,
            }
        }
        match text.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                match value.trim().parse() {
                    Ok(number) => length = Some(number),
                    Err(_) => return Ok(Some(Err("the header has no length".into()))),
                }
            }
            Some((name, _)) if name.trim().to_ascii_lowercase().starts_with("content-") => {}
            _ => return Ok(Some(Err("a header line is `Content-Length: N`".into()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_broken_is_skipped_and_what_follows_is_read() {
        let good = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
        let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let text = format!(
            "nonsense\r\n{}{}Content-Length: x\r\n\r\nContent-Type: a\r\n{}Content-Length: 99999999999999\r\n\r\nxx",
            framed("{\"a\":"),
            framed("[]"),
            framed(good)
        );
        let mut input = text.as_bytes();
        let mut found = Vec::new();
        while let Some(incoming) = read(&mut input).unwrap() {
            found.push(matches!(incoming, Incoming::Message(_)));
        }
        assert_eq!(found, [false, false, false, false, true, false]);
    }
}
