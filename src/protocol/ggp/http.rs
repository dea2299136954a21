//! As much HTTP as game managers speak, read with limits.
//!
//! A request is read until its `Content-Length` is there (or, without one, until the sender closes his side). Every
//! limit is a typed error; none of them can take longer than the deadline or more memory than the largest body.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// The largest head (request line and headers) that is read, in bytes.
pub const MAX_HEAD: usize = 64 << 10;

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A message of the protocol: the body of a `POST`, or the decoded path of a `GET`.
    Message(String),
    /// `OPTIONS`, which browsers send first.
    Options,
    /// Any other method; it is answered with an empty body.
    Other,
}

/// Why a request could not be read.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The head is larger than [`MAX_HEAD`].
    #[error("the request's head is larger than {MAX_HEAD} bytes")]
    LargeHead,
    /// The body is larger than allowed.
    #[error("the request's body is larger than {0} bytes")]
    LargeBody(usize),
    /// The request took too long to arrive.
    #[error("the request did not arrive in time")]
    Slow,
    /// The sender closed the connection too early.
    #[error("the connection was closed in the middle of the request")]
    Truncated,
    /// Not HTTP.
    #[error("this is not an HTTP request: {0}")]
    Malformed(&'static str),
    /// The connection failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl HttpError {
    /// The status line of the reply to it.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self {
            Self::LargeHead => "431 Request Header Fields Too Large",
            Self::LargeBody(_) => "413 Content Too Large",
            Self::Slow => "408 Request Timeout",
            Self::Truncated | Self::Malformed(_) | Self::Io(_) => "400 Bad Request",
        }
    }
}

/// A connection whose reads can be given a time limit.
pub trait Timed: Read {
    /// The longest that the next read may wait.
    ///
    /// # Errors
    /// If the connection refuses it.
    fn limit(&mut self, wait: Duration) -> io::Result<()>;
}

impl Timed for std::net::TcpStream {
    fn limit(&mut self, wait: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(wait))
    }
}

impl Timed for &[u8] {
    fn limit(&mut self, _: Duration) -> io::Result<()> {
        Ok(())
    }
}

/// Reads one request, until `deadline` at the latest.
///
/// # Errors
/// See [`HttpError`].
pub fn read_request(from: &mut impl Timed, max_body: usize, deadline: Instant) -> Result<Request, HttpError> {
    let mut bytes = Vec::with_capacity(4096);
    let head_end = loop {
        match end_of_head(&bytes) {
            Some(end) if end <= MAX_HEAD => break end,
            None if bytes.len() <= MAX_HEAD => {}
            _ => return Err(HttpError::LargeHead),
        }
        if !read_some(from, &mut bytes, deadline)? {
            return Err(HttpError::Truncated);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let body = bytes.split_off(head_end);
    let mut words = head.lines().next().unwrap_or_default().split_ascii_whitespace();
    let method = words.next().ok_or(HttpError::Malformed("no method"))?;
    match method {
        "POST" => {
            let body = read_body(from, &head, body, max_body, deadline)?;
            Ok(Request::Message(String::from_utf8_lossy(&body).into_owned()))
        }
        "GET" => {
            let path = words.next().ok_or(HttpError::Malformed("no path"))?;
            Ok(Request::Message(percent_decoded(path.trim_start_matches('/'))))
        }
        "OPTIONS" => Ok(Request::Options),
        _ if method.bytes().all(|b| b.is_ascii_uppercase()) => Ok(Request::Other),
        _ => Err(HttpError::Malformed("the method is no word in capitals")),
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let crlf = bytes.windows(4).position(|w| w == b"\r\n\r\n").map(|i| i + 4);
    let lf = bytes.windows(2).position(|w| w == b"\n\n").map(|i| i + 2);
    match (crlf, lf) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn read_body(
    from: &mut impl Timed,
    head: &str,
    mut body: Vec<u8>,
    max_body: usize,
    deadline: Instant,
) -> Result<Vec<u8>, HttpError> {
    let length = content_length(head)?;
    if length.is_some_and(|n| n > max_body) {
        return Err(HttpError::LargeBody(max_body));
    }
    while length.is_none_or(|n| body.len() < n) {
        if body.len() > max_body {
            return Err(HttpError::LargeBody(max_body));
        }
        if !read_some(from, &mut body, deadline)? {
            if length.is_some() {
                return Err(HttpError::Truncated);
            }
            break;
        }
    }
    if let Some(n) = length {
        body.truncate(n);
    }
    Ok(body)
}

fn content_length(head: &str) -> Result<Option<usize>, HttpError> {
    for line in head.lines().skip(1) {
        let Some((name, value)) = line.split_once(':') else { continue };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let value = value.trim();
            // A length too long for the machine is a body too large, not a malformed one.
            return if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
                Ok(Some(value.parse().unwrap_or(usize::MAX)))
            } else {
                Err(HttpError::Malformed("Content-Length is not a number"))
            };
        }
    }
    Ok(None)
}

/// Appends what arrives; `false` at the end of the stream.
fn read_some(from: &mut impl Timed, into: &mut Vec<u8>, deadline: Instant) -> Result<bool, HttpError> {
    let wait = deadline.saturating_duration_since(Instant::now());
    if wait.is_zero() {
        return Err(HttpError::Slow);
    }
    from.limit(wait)?;
    let mut chunk = [0; 8192];
    match from.read(&mut chunk) {
        Ok(0) => Ok(false),
        Ok(n) => {
            into.extend_from_slice(&chunk[..n]);
            Ok(true)
        }
        Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
            Err(HttpError::Slow)
        }
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(true),
        Err(e) => Err(e.into()),
    }
}

/// `%20` and `+` become blanks, other `%xx` their byte; a `%` without two hexadecimal digits stays.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|h| std::str::from_utf8(h).ok());
        match (bytes[at], hex.and_then(|h| u8::from_str_radix(h, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (b'+', _) => {
                out.push(b' ');
                at += 1;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes the reply.
///
/// # Errors
/// If the connection fails.
pub fn write_reply(to: &mut impl Write, status: &str, body: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n",
        body.len()
    );
    to.write_all(head.as_bytes())?;
    to.write_all(body.as_bytes())?;
    to.flush()
}
