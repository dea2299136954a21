//! `tengen uci` speaks UCI on stdin and stdout.

use super::Outcome;
use crate::protocol::uci::Session;
use std::io;

/// The arguments of `tengen uci`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen uci`.
///
/// # Errors
/// Never: faults are reported by the protocol.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    Session::new(io::stdout()).run(io::BufReader::new(io::stdin()));
    Ok(Outcome::Success)
}
