//! The game manager's side of GGP. It sends messages to a listening player. Each message and its answer use a separate
//! connection.
//!
//! The player is not trusted. The length of an answer is limited. If no answer comes by the deadline, the wait ends
//! with an error.
//!
//! | module | what |
//! | --- | --- |
//! | [`messages`] | writes the messages of one match, and reads the answers |
//! | [`scrambler`] | replaces the words of a rulesheet by other words |
//! | [`program`] | a player that is started as a process |

pub mod messages;
pub mod program;
pub mod scrambler;

use crate::client::process::EngineError;
use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};
use tengen_core::{Stop, escaped_line};

/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// The time between two checks whether the run goes on.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// The time limit for a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// A player at an address, `host:port`.
#[derive(Clone, Debug)]
pub struct Client {
    address: String,
    stop: Stop,
}

impl Client {
    /// The player at this address; `stop` ends every wait for it.
    #[must_use]
    pub fn new(address: &str, stop: &Stop) -> Self {
        Self { address: address.to_owned(), stop: stop.clone() }
    }

    /// The same player for its last message: the wait has its deadline alone.
    #[must_use]
    pub fn heedless(&self) -> Self {
        Self { address: self.address.clone(), stop: Stop::NEVER }
    }

    /// The answer to a message, by this moment at the latest.
    ///
    /// # Errors
    /// If nobody listens, the answer is not HTTP or comes too late, or the run is stopped.
    pub fn ask(&self, message: &str, until: Instant) -> Result<String, EngineError> {
        let broken = |reason| EngineError::Broken { command: self.address.clone(), reason };
        let mut stream = self.connect(until).map_err(broken)?;
        let request = format!(
            "POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
            message.len()
        );
        let mut unsent = request.as_bytes();
        while !unsent.is_empty() {
            self.in_time(message, until)?;
            match stream.write(unsent) {
                Ok(0) => return Err(broken(io::ErrorKind::WriteZero.into())),
                Ok(n) => unsent = &unsent[n..],
                Err(error) if is_timeout(&error) => {}
                Err(error) => return Err(broken(error)),
            }
        }
        let (mut received, mut part) = (Vec::new(), [0; 4096]);
        while body(&received, false).is_none() {
            // A player that sends a letter now and then is late too.
            self.in_time(message, until)?;
            match stream.read(&mut part) {
                Ok(0) => break,
                Ok(n) => received.extend_from_slice(&part[..n]),
                Err(error) if is_timeout(&error) => {}
                Err(error) => return Err(broken(error)),
            }
            if received.len() > MAX_ANSWER {
                return Err(self.refusal(message, "more than it should"));
            }
        }
        body(&received, true).ok_or_else(|| self.refusal(message, &String::from_utf8_lossy(&received)))
    }

    /// Whether the wait for an answer goes on.
    fn in_time(&self, message: &str, until: Instant) -> Result<(), EngineError> {
        let (command, request) = (self.address.clone(), brief(message));
        if self.stop.now() {
            return Err(EngineError::Stopped { command, request });
        }
        if Instant::now() >= until {
            return Err(EngineError::Late { command, request });
        }
        Ok(())
    }

    fn connect(&self, until: Instant) -> io::Result<TcpStream> {
        let patience = until.saturating_duration_since(Instant::now()).clamp(ASK_EVERY, CONNECT);
        let mut last = io::Error::new(io::ErrorKind::NotFound, "there is no such address");
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, patience) {
                Ok(stream) => {
                    stream.set_read_timeout(Some(ASK_EVERY))?;
                    stream.set_write_timeout(Some(ASK_EVERY))?;
                    return Ok(stream);
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// The error of an answer that is of no use.
    #[must_use]
    pub fn refusal(&self, message: &str, answer: &str) -> EngineError {
        let command = self.address.clone();
        EngineError::Refused { command, request: brief(message), answer: brief(answer) }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

/// The beginning of a message, without control characters.
fn brief(text: &str) -> String {
    escaped_line(&text.chars().take(80).collect::<String>()).into_owned()
}

/// The body of a good reply, trimmed; `None` while it is not whole. At the end of the connection the body is the
/// received part.
fn body(received: &[u8], ended: bool) -> Option<String> {
    let at = received.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&received[..at]).to_ascii_lowercase();
    let mut lines = head.lines();
    let status = lines.next()?;
    if !(status.starts_with("http/1.") && status.split(' ').nth(1) == Some("200")) {
        return None;
    }
    let length = lines.find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    let body = &received[at + 4..];
    let whole = length.map_or(ended, |length| body.len() >= length);
    let text = &body[..length.unwrap_or(body.len()).min(body.len())];
    whole.then(|| String::from_utf8_lossy(text).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_reply_is_whole_by_its_length_or_by_the_end_of_the_connection() {
        for (received, ended, expected) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nready", false, Some("ready")),
            ("HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nrea", false, None),
            ("HTTP/1.0 200 OK\r\n\r\n ready \n", true, Some("ready")),
            ("HTTP/1.0 200 OK\r\n\r\nready", false, None),
            ("HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nready", true, None),
            ("HTTP/1.0 503 busy\r\n\r\nbusy", true, None),
            ("ready", true, None),
            ("", true, None),
        ] {
            assert_eq!(body(received.as_bytes(), ended).as_deref(), expected, "{received:?}");
        }
    }

    #[test]
    fn a_player_that_is_silent_talks_without_end_or_is_not_there_is_an_error_by_its_name() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address").to_string();
        std::thread::spawn(move || {
            let (_silent, _) = listener.accept().expect("the first question");
            let (mut endless, _) = listener.accept().expect("the second");
            let _ = endless.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
            while endless.write_all(&[b'x'; 65536]).is_ok() {}
        });
        let client = Client::new(&address, &Stop::NEVER);
        let soon = || Instant::now() + Duration::from_millis(50);
        assert!(matches!(client.ask("( INFO )", soon()), Err(EngineError::Late { .. })));
        let long = Instant::now() + Duration::from_secs(60);
        assert!(matches!(client.ask("( INFO )", long), Err(EngineError::Refused { .. })));
        let nobody = Client::new(&address, &Stop::NEVER).ask("( INFO )", soon());
        assert!(matches!(nobody, Err(EngineError::Broken { .. })), "{nobody:?}");
    }
}
