//! The front end of `tengen uci`. A session reads commands on one thread and searches on another, so that it always
//! listens.
//!
//! # Source
//! Stefan-Meyer Kahlen, *UCI protocol* (April 2006). Where the document leaves questions open, the session follows
//! common practice. The engine answers bad input with `info string ...` and goes on. Without legal moves the answer is
//! `bestmove (none)`.
//!
//! # Steps
//! 1. A reader thread turns lines of stdin into [`command::Command`]s.
//! 2. The session keeps the game, the options and the table, and starts a thread for each `go`.
//! 3. The thread of a `go` prints `info` lines and one `bestmove`. Where UCI requires it, the thread first waits for
//!    `stop` or `ponderhit`.

pub mod clock;
pub mod command;
pub mod options;
mod session;

pub use session::Session;

#[cfg(test)]
mod tests;
