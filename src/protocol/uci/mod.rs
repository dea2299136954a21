//! UCI: a session that reads commands on one thread, searches on another, and never stops listening.
//!
//! # Source
//! Stefan-Meyer Kahlen, *UCI protocol* (April 2006). Where it leaves questions open, the session follows common
//! practice. Bad input is answered by `info string ...` and the engine goes on. Without legal moves the answer is
//! `bestmove (none)`.
//!
//! # Steps
//! 1. A reader thread turns lines of stdin into [`command::Command`]s.
//! 2. The session keeps the game, the options and the table, and starts a thread for each `go`.
//! 3. That thread prints `info` lines, waits for `stop` or `ponderhit` if it must, and prints one `bestmove`.

pub mod clock;
pub mod command;
pub mod options;
mod session;

pub use session::Session;

#[cfg(test)]
mod tests;
