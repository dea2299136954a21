//! UCI: a session that reads commands on one thread, searches on another, and never stops listening.
//!
//! # Source
//! Stefan-Meyer Kahlen, *UCI protocol* (April 2006). What it leaves open follows common practice: bad input is
//! answered by `info string ...` and the engine goes on; without legal moves the answer is `bestmove (none)`.
//!
//! # Steps
//! 1. A reader thread turns lines of stdin into [`command::Command`]s.
//! 2. The session keeps the game, the options and the table, and starts a thread per `go`.
//! 3. That thread prints `info` lines, waits for `stop` or `ponderhit` if it must, and prints one `bestmove`.

pub mod clock;
pub mod command;
pub mod options;
mod session;

pub use session::Session;

#[cfg(test)]
mod tests;
