//! `tengen analyse`: KataGo's analysis protocol on stdin and stdout.

use super::Outcome;
use super::common::{EffortArgs, PatternArgs};
use crate::protocol::analysis::{Analyst, serve};
use std::io;

/// The arguments of `tengen analyse`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    effort: EffortArgs,
}

/// Carries out `tengen analyse`.
///
/// # Errors
/// If stdin or stdout can't be used.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let worker = Analyst::default().patterns(args.patterns.load()?).effort(args.effort.effort);
    serve(io::stdin().lock(), io::stdout(), worker)?;
    Ok(Outcome::Success)
}
