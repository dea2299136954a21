//! The server of the GGP player: it accepts connections, reads one message from each, and answers it.

use super::http::{self, HttpError, Received, Request};
use super::message::{self, Message};
use super::session::{Log, Reply, Session};
use super::{Made, PlayerFactory, Settings};
use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Threads of ended matches that may still be on their way out when another match begins.
const MAX_LEAVING: usize = 2;

/// A player waiting for game managers.
pub struct Server {
    settings: Settings,
    factory: Arc<dyn PlayerFactory>,
    log: Log,
    current: Mutex<Option<Arc<Session>>>,
    /// Threads of matches, this one's and those of ended ones.
    threads: Arc<AtomicUsize>,
    connections: AtomicUsize,
    /// Connections whose request is not there yet, oldest first.
    reading: Mutex<VecDeque<(usize, TcpStream)>>,
    numbers: AtomicUsize,
    finished: AtomicUsize,
}

impl Server {
    /// A server that gives its matches to the factory's players and its remarks to `log`.
    #[must_use]
    pub fn new(settings: Settings, factory: Arc<dyn PlayerFactory>, log: Log) -> Arc<Self> {
        Arc::new(Self {
            settings,
            factory,
            log,
            current: Mutex::default(),
            threads: Arc::default(),
            connections: AtomicUsize::new(0),
            reading: Mutex::default(),
            numbers: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
        })
    }

    /// Serves until the number of matches in the settings is played (for ever if that is 0).
    ///
    /// # Errors
    /// If the listener fails for good.
    pub fn serve(self: &Arc<Self>, listener: &TcpListener) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        loop {
            match listener.accept() {
                Ok((stream, _)) => self.take(stream),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(2))
                }
                // The peer's haste is not our fault; a lack of descriptors passes.
                Err(e) => {
                    (self.log)(&format!("a connection failed: {e}"));
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
            let done = self.finished.load(Ordering::Acquire);
            if self.settings.matches > 0 && done >= self.settings.matches && self.idle() {
                return Ok(());
            }
        }
    }

    fn idle(&self) -> bool {
        self.connections.load(Ordering::Acquire) == 0
    }

    fn take(self: &Arc<Self>, stream: TcpStream) {
        if self.connections.load(Ordering::Acquire) >= self.settings.max_connections && !self.make_room() {
            return;
        }
        // It stands in the list before the next one comes.
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let Ok(line) = stream.try_clone() else { return };
        locked(&self.reading).push_back((number, line));
        self.connections.fetch_add(1, Ordering::AcqRel);
        let server = Arc::clone(self);
        let serve = move || {
            if let Err(error) = server.connection(stream, number) {
                (server.log)(&format!("a reply could not be sent: {error}"));
            }
            server.connections.fetch_sub(1, Ordering::AcqRel);
        };
        if let Err(error) = std::thread::Builder::new().name("connection".into()).spawn(serve) {
            (self.log)(&format!("a connection was closed: {error}"));
            self.was_reading(number);
            self.connections.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Closes the connection that has kept us waiting for its request the longest; whether there was one.
    fn make_room(&self) -> bool {
        let oldest = locked(&self.reading).pop_front();
        // Its thread sees the end of the stream and leaves.
        oldest.map(|(_, stream)| drop(stream.shutdown(Shutdown::Both))).is_some()
    }

    /// Takes a connection off the list of those whose request is awaited; whether it still stood there.
    fn was_reading(&self, number: usize) -> bool {
        let mut reading = locked(&self.reading);
        let before = reading.len();
        reading.retain(|(n, _)| *n != number);
        reading.len() < before
    }

    fn connection(&self, mut stream: TcpStream, number: usize) -> io::Result<()> {
        let received = self.receive(&mut stream);
        if !self.was_reading(number) {
            return Ok(());
        }
        let (arrival, received) = received?;
        let received = match received {
            Ok(received) => received,
            Err(error) => return self.refuse(&mut stream, &error),
        };
        if let Some(why) = self.settings.access.refusal(&received.asker) {
            (self.log)(&format!("a request was refused: {why}"));
            return http::write_reply(&mut stream, "403 Forbidden", why, None);
        }
        let origin = received.asker.origin.as_deref();
        match received.request {
            Request::Message(text) => {
                let line = stream.try_clone()?;
                let (status, body) = self.reply(&text, arrival, &mut || hung_up(&line));
                http::write_reply(&mut stream, status, &body, origin)
            }
            Request::Options | Request::Other => http::write_reply(&mut stream, "200 OK", "", origin),
        }
    }

    /// Reads a request; when it began to arrive.
    fn receive(&self, stream: &mut TcpStream) -> io::Result<(Instant, Result<Received, HttpError>)> {
        let arrival = Instant::now();
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(self.settings.read_timeout))?;
        let deadline = arrival + self.settings.read_timeout;
        Ok((arrival, http::read_request(stream, self.settings.max_body, deadline)))
    }

    fn refuse(&self, stream: &mut TcpStream, error: &HttpError) -> io::Result<()> {
        (self.log)(&format!("a request was refused: {error}"));
        http::write_reply(stream, error.status(), &error.to_string(), None)
    }

    /// The status and body of the reply to a message that arrived then; `gone` says whether its sender has hung up.
    pub fn reply(
        &self,
        text: &str,
        arrival: Instant,
        gone: &mut dyn FnMut() -> bool,
    ) -> (&'static str, String) {
        match message::parse(text) {
            Ok(message) => ("200 OK", self.answer(message, arrival, gone)),
            Err(error) => {
                (self.log)(&format!("a message was refused: {error}"));
                ("400 Bad Request", error.to_string())
            }
        }
    }

    fn answer(&self, message: Message, arrival: Instant, gone: &mut dyn FnMut() -> bool) -> String {
        match message {
            Message::Info => {
                let status = if locked(&self.current).is_some() { "busy" } else { "available" };
                format!("( ( name {} ) ( status {status} ) )", self.settings.name)
            }
            Message::Preview => if locked(&self.current).is_some() { "busy" } else { "ready" }.to_owned(),
            Message::Start { .. } => self.start(message, arrival, gone),
            Message::Play { id, made } => self.play(&id, made, arrival, gone),
            Message::Stop { id, made } => self.end(&id, Some(made), "done"),
            Message::Abort { id } => self.end(&id, None, "aborted"),
        }
    }

    fn start(&self, message: Message, arrival: Instant, gone: &mut dyn FnMut() -> bool) -> String {
        let Message::Start { start_clock, .. } = message else { return "busy".into() };
        let session = {
            let mut current = locked(&self.current);
            let waiting = current.as_ref().is_some_and(|old| !old.abandoned(arrival));
            // An ended match's thread leaves as soon as its player asks; new ones must not pile up behind it.
            let leaving = self.threads.load(Ordering::Acquire).saturating_sub(usize::from(current.is_some()));
            if waiting || leaving > MAX_LEAVING {
                return "busy".into();
            }
            if let Some(old) = current.take() {
                (self.log)(&format!("the match {} was given up by its manager", old.id()));
                old.end(None);
            }
            let (factory, log) = (Arc::clone(&self.factory), Arc::clone(&self.log));
            *current = Session::start(message, arrival, factory, log, &self.threads);
            current.clone()
        };
        let Some(session) = session else { return "busy".into() };
        session.prepare(start_clock, arrival, gone);
        "ready".into()
    }

    /// The match of this name, if it is the one being played.
    fn session(&self, id: &str) -> Option<Arc<Session>> {
        locked(&self.current).clone().filter(|session| session.id() == id)
    }

    fn play(&self, id: &str, made: Made, arrival: Instant, gone: &mut dyn FnMut() -> bool) -> String {
        match self.session(id).map(|session| session.play(made, arrival, gone)) {
            Some(Reply::Move(text)) => text,
            // The manager will choose for us.
            Some(Reply::Nothing) => "nil".into(),
            Some(Reply::Busy) | None => "busy".into(),
        }
    }

    fn end(&self, id: &str, made: Option<Made>, word: &str) -> String {
        let session = {
            let mut current = locked(&self.current);
            if current.as_ref().is_none_or(|session| session.id() != id) {
                return "busy".into();
            }
            current.take()
        };
        if let Some(session) = session {
            session.end(made);
        }
        self.finished.fetch_add(1, Ordering::AcqRel);
        word.to_owned()
    }
}

/// Whether the other side has closed the connection.
fn hung_up(line: &TcpStream) -> bool {
    let looked = line.set_nonblocking(true).and_then(|()| line.peek(&mut [0]));
    let _ = line.set_nonblocking(false);
    match looked {
        Ok(read) => read == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock && error.kind() != io::ErrorKind::Interrupted,
    }
}

/// The guarded value is replaced as a whole, so a panic elsewhere leaves it valid.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
