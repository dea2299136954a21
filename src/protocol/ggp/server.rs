//! Accepts connections, reads a message from each, answers it.

use super::http::{self, Request};
use super::message::{self, Message};
use super::session::{Log, Session};
use super::{PlayerFactory, Settings};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// A player waiting for game managers.
pub struct Server {
    settings: Settings,
    factory: Arc<dyn PlayerFactory>,
    log: Log,
    current: Mutex<Option<Session>>,
    /// The name of the match in `current`, readable while `current` is being thought about.
    playing: Mutex<Option<String>>,
    connections: AtomicUsize,
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
            current: Mutex::new(None),
            playing: Mutex::new(None),
            connections: AtomicUsize::new(0),
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
        if self.connections.fetch_add(1, Ordering::AcqRel) >= self.settings.max_connections {
            self.connections.fetch_sub(1, Ordering::AcqRel);
            return;
        }
        let server = Arc::clone(self);
        std::thread::spawn(move || {
            if let Err(error) = server.connection(stream) {
                (server.log)(&format!("a reply could not be sent: {error}"));
            }
            server.connections.fetch_sub(1, Ordering::AcqRel);
        });
    }

    fn connection(&self, mut stream: TcpStream) -> io::Result<()> {
        let arrival = Instant::now();
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(self.settings.read_timeout))?;
        let request =
            http::read_request(&mut stream, self.settings.max_body, arrival + self.settings.read_timeout);
        match request {
            Ok(Request::Message(text)) => {
                let (status, body) = self.reply(&text, arrival);
                http::write_reply(&mut stream, status, &body)
            }
            Ok(Request::Options | Request::Other) => http::write_reply(&mut stream, "200 OK", ""),
            Err(error) => {
                (self.log)(&format!("a request was refused: {error}"));
                http::write_reply(&mut stream, error.status(), &error.to_string())
            }
        }
    }

    /// The status and body of the reply to a message that arrived then.
    pub fn reply(&self, text: &str, arrival: Instant) -> (&'static str, String) {
        match message::parse(text) {
            Ok(message) => ("200 OK", self.answer(message, arrival)),
            Err(error) => {
                (self.log)(&format!("a message was refused: {error}"));
                ("400 Bad Request", error.to_string())
            }
        }
    }

    fn answer(&self, message: Message, arrival: Instant) -> String {
        match message {
            Message::Info => {
                let status = if locked(&self.playing).is_some() { "busy" } else { "available" };
                format!("( ( name {} ) ( status {status} ) )", self.settings.name)
            }
            Message::Preview => if locked(&self.playing).is_some() { "busy" } else { "ready" }.to_owned(),
            Message::Start { .. } => self.start(message, arrival),
            Message::Play { id, moves } => self.play(&id, moves, arrival),
            Message::Stop { id, moves } => self.end(&id, moves, "done"),
            Message::Abort { id } => self.end(&id, None, "aborted"),
        }
    }

    fn start(&self, message: Message, arrival: Instant) -> String {
        let Message::Start { id, .. } = &message else { return "busy".into() };
        let id = id.clone();
        // While a match is being thought about its lock is held: that is busy, and no reason to wait.
        let mut current = match self.current.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return "busy".into(),
        };
        let mut playing = locked(&self.playing);
        if playing.is_some() && current.as_ref().is_some_and(|s| !s.abandoned(arrival)) {
            return "busy".into();
        }
        *playing = Some(id.clone());
        drop(playing);
        *current = Session::start(message, arrival, Arc::clone(&self.factory), Arc::clone(&self.log));
        self.drop_if_ended(&id, &mut current);
        "ready".into()
    }

    fn play(&self, id: &str, moves: Option<Vec<String>>, arrival: Instant) -> String {
        if locked(&self.playing).as_deref() != Some(id) {
            return "busy".into();
        }
        let mut current = locked(&self.current);
        let Some(session) = current.as_mut().filter(|s| s.id() == id) else { return "busy".into() };
        let answer = session.play(moves, arrival);
        self.drop_if_ended(id, &mut current);
        // Nothing legal is known only if the rules could not be read; the manager will choose for us.
        answer.unwrap_or_else(|| "nil".into())
    }

    /// A match stopped or aborted while its player was thinking is dropped by whoever held it.
    fn drop_if_ended(&self, id: &str, current: &mut Option<Session>) {
        if locked(&self.playing).as_deref() != Some(id) {
            *current = None;
        }
    }

    fn end(&self, id: &str, moves: Option<Vec<String>>, word: &str) -> String {
        let mut playing = locked(&self.playing);
        if playing.as_deref() != Some(id) {
            return "busy".into();
        }
        *playing = None;
        drop(playing);
        // Never wait for a player: an abort has one second. If it is thinking, `drop_if_ended` clears up.
        if let Ok(mut current) = self.current.try_lock()
            && let Some(session) = current.take()
        {
            session.stop(moves);
        }
        self.finished.fetch_add(1, Ordering::AcqRel);
        word.to_owned()
    }
}

/// What the lock guards is replaced whole, so a panic elsewhere leaves it sound.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
