//! A player that is started as a process and listens at a port of this machine.
//!
//! # Guarantees
//! The guarantees are those of [`crate::client::process`]. The player runs below `tengen keep`. It ends, with all
//! processes that it started, when its [`Program`] is dropped or when Tengen ends in any way. Its stdout is dropped
//! unread, and the last lines of its stderr are stored.

use super::Client;
use crate::client::child_guard;
use crate::client::process::{EngineError, LastLines, keep_last_lines, reason_of_end, spawn};
use std::io::{self, BufReader};
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};
use tengen_core::Stop;

/// The part of a command that stands for the port.
pub const PORT: &str = "{port}";

/// The part of a command that stands for the seed of the match.
pub const SEED: &str = "{seed}";

/// The time in which a program must listen.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two questions whether a program listens.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// A running player.
pub struct Program {
    client: Client,
    child: Child,
    last_lines: LastLines,
    /// Closed when its stderr has ended.
    stderr_end: Receiver<()>,
}

impl Program {
    /// Starts a player, and waits until it answers `INFO`. In the command, [`PORT`] becomes a free port and [`SEED`]
    /// the seed.
    ///
    /// # Errors
    /// If it cannot be started, ends at once, or does not listen by [`PATIENCE`].
    pub fn start(command: &str, seed: u64, stop: &Stop) -> Result<Self, EngineError> {
        let broken = |reason| EngineError::Broken { command: command.into(), reason };
        // Closed again: the program listens there next.
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr()).map_err(broken)?.port();
        let line = command.replace(PORT, &port.to_string()).replace(SEED, &seed.to_string());
        let mut child = spawn(&line, Stdio::null())?;
        let errors = child.stderr.take();
        let last_lines = LastLines::default();
        let (stderr_open, stderr_end) = sync_channel::<()>(0);
        let lines_read = Arc::clone(&last_lines);
        let listen = move || {
            errors.into_iter().for_each(|errors| keep_last_lines(BufReader::new(errors), &lines_read));
            drop(stderr_open);
        };
        // From here on the program is ended in every way out.
        let client = Client::new(&format!("127.0.0.1:{port}"), stop);
        let program = Self { client, child, last_lines, stderr_end };
        std::thread::Builder::new().name("player".into()).spawn(listen).map_err(broken)?;
        let until = Instant::now() + PATIENCE;
        loop {
            if child_guard::exit_code(&program.child, Duration::ZERO).is_some() {
                let how = reason_of_end(
                    &program.child,
                    "it ended at once",
                    &program.last_lines,
                    &program.stderr_end,
                );
                return Err(broken(io::Error::other(how)));
            }
            match program.client.ask("( INFO )", Instant::now() + Duration::from_secs(2)) {
                Ok(_) => return Ok(program),
                Err(error @ EngineError::Stopped { .. }) => return Err(error),
                Err(_) if Instant::now() < until => std::thread::sleep(ASK_EVERY),
                Err(error) => return Err(error),
            }
        }
    }

    /// The client that speaks with it.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        child_guard::end(&mut self.child);
    }
}
