//! The part of HTTP that game managers use, read with limits.
//!
//! A request is read until its `Content-Length` is reached or its last chunk has arrived. Without either, it is read
//! until the sender closes the connection. A request that exceeds a limit gives a typed error. No request can take
//! longer than the deadline, or more memory than the largest allowed body.

use super::access::Asker;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// The largest head (request line and headers) that is read, in bytes.
pub const MAX_HEAD: usize = 64 << 10;

/// The longest line that announces a chunk, and all lines after the last chunk, in bytes.
const MAX_CHUNK_HEAD: usize = 4096;

/// A request, and who sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The request.
    pub request: Request,
    /// The sender.
    pub asker: Asker,
}

/// The kind of request.
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
pub fn read_request(
    from: &mut impl Timed,
    max_body: usize,
    deadline: Instant,
) -> Result<Received, HttpError> {
    let mut input = Input { from, bytes: Vec::with_capacity(4096), deadline };
    let head = input.head()?;
    let head = String::from_utf8_lossy(&head);
    let mut words = head.lines().next().unwrap_or_default().split_ascii_whitespace();
    let method = words.next().ok_or(HttpError::Malformed("no method"))?;
    let asker = Asker {
        host: header(&head, "host")?,
        origin: header(&head, "origin")?,
        site: header(&head, "sec-fetch-site")?,
    };
    let request = match method {
        "POST" => {
            let body = input.body(&head, max_body)?;
            Request::Message(String::from_utf8_lossy(&body).into_owned())
        }
        "GET" => {
            let path = words.next().ok_or(HttpError::Malformed("no path"))?;
            Request::Message(percent_decoded(path.trim_start_matches('/')))
        }
        "OPTIONS" => Request::Options,
        _ if method.bytes().all(|b| b.is_ascii_uppercase()) => Request::Other,
        _ => return Err(HttpError::Malformed("the method is no word in capitals")),
    };
    Ok(Received { request, asker })
}

/// The value of a header; two of the same name are refused, since one of them lies.
fn header(head: &str, name: &str) -> Result<Option<String>, HttpError> {
    let mut found = None;
    for line in head.lines().skip(1) {
        let Some((key, value)) = line.split_once(':') else { continue };
        if key.trim().eq_ignore_ascii_case(name) && found.replace(value.trim().to_owned()).is_some() {
            return Err(HttpError::Malformed("a header stands there twice"));
        }
    }
    Ok(found)
}

/// The bytes that have arrived and are not used yet.
struct Input<'a, T> {
    from: &'a mut T,
    bytes: Vec<u8>,
    deadline: Instant,
}

impl<T: Timed> Input<'_, T> {
    /// The first `length` bytes, taken out.
    fn take(&mut self, length: usize) -> Vec<u8> {
        let rest = self.bytes.split_off(length);
        std::mem::replace(&mut self.bytes, rest)
    }

    /// Waits for more; a stream that ends here was cut off.
    fn more(&mut self) -> Result<(), HttpError> {
        if read_some(self.from, &mut self.bytes, self.deadline)? { Ok(()) } else { Err(HttpError::Truncated) }
    }

    fn head(&mut self) -> Result<Vec<u8>, HttpError> {
        let mut searched = 0;
        loop {
            let from = searched.min(self.bytes.len());
            match end_of_head(&self.bytes[from..]).map(|end| from + end) {
                Some(end) if end <= MAX_HEAD => return Ok(self.take(end)),
                None if self.bytes.len() <= MAX_HEAD => {}
                _ => return Err(HttpError::LargeHead),
            }
            searched = self.bytes.len().saturating_sub(3);
            self.more()?;
        }
    }

    fn body(&mut self, head: &str, max: usize) -> Result<Vec<u8>, HttpError> {
        let chunked = header(head, "transfer-encoding")?;
        if chunked.as_deref().is_some_and(|coding| !coding.eq_ignore_ascii_case("identity")) {
            if !chunked.is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
                return Err(HttpError::Malformed("the only Transfer-Encoding known is chunked"));
            }
            return self.chunks(max);
        }
        match content_length(head)? {
            Some(length) if length > max => Err(HttpError::LargeBody(max)),
            Some(length) => {
                while self.bytes.len() < length {
                    self.more()?;
                }
                Ok(self.take(length))
            }
            None => {
                while self.bytes.len() <= max {
                    if !read_some(self.from, &mut self.bytes, self.deadline)? {
                        return Ok(std::mem::take(&mut self.bytes));
                    }
                }
                Err(HttpError::LargeBody(max))
            }
        }
    }

    /// A body in chunks (RFC 9112, section 7.1): size in hexadecimal, the bytes, and so on to a chunk of nothing.
    fn chunks(&mut self, max: usize) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        loop {
            let line = self.line()?;
            let digits = line.split(';').next().unwrap_or_default().trim();
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(HttpError::Malformed("the size of a chunk is no hexadecimal number"));
            }
            let size = usize::from_str_radix(digits, 16).unwrap_or(usize::MAX);
            if size > max - body.len() {
                return Err(HttpError::LargeBody(max));
            }
            if size == 0 {
                break;
            }
            while self.bytes.len() < size {
                self.more()?;
            }
            body.append(&mut self.take(size));
            if !self.line()?.is_empty() {
                return Err(HttpError::Malformed("a chunk is longer than its size"));
            }
        }
        // What may follow the last chunk, up to an empty line, says nothing to us.
        let mut left = MAX_CHUNK_HEAD;
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Ok(body);
            }
            left = left.checked_sub(line.len()).ok_or(HttpError::LargeHead)?;
        }
    }

    fn line(&mut self) -> Result<String, HttpError> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.bytes[searched..].iter().position(|&b| b == b'\n') {
                let line = self.take(searched + end + 1);
                return Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned());
            }
            searched = self.bytes.len();
            if searched > MAX_CHUNK_HEAD {
                return Err(HttpError::LargeHead);
            }
            self.more()?;
        }
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

fn content_length(head: &str) -> Result<Option<usize>, HttpError> {
    let Some(value) = header(head, "content-length")? else { return Ok(None) };
    // A length too long for the machine is a body too large, not a malformed one.
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        Ok(Some(value.parse().unwrap_or(usize::MAX)))
    } else {
        Err(HttpError::Malformed("Content-Length is not a number"))
    }
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

/// Writes the reply. `origin` is the page that may read it, if a page asked.
///
/// # Errors
/// If the connection fails.
pub fn write_reply(to: &mut impl Write, status: &str, body: &str, origin: Option<&str>) -> io::Result<()> {
    let mut head =
        format!("HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\n", body.len());
    if let Some(origin) = origin {
        head += &format!(
            "Access-Control-Allow-Origin: {origin}\r\nVary: Origin\r\n\
             Access-Control-Allow-Methods: POST, GET, OPTIONS\r\nAccess-Control-Allow-Headers: Content-Type\r\n"
        );
    }
    head += "\r\n";
    to.write_all(head.as_bytes())?;
    to.write_all(body.as_bytes())?;
    to.flush()
}
