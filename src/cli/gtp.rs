//! `tengen gtp` speaks GTP version 2 on stdin and stdout.

use super::Outcome;
use super::common::{EffortArgs, JudgeArgs, PatternArgs};
use crate::protocol::gtp::{
    Session,
    input::Live,
    serve_lines,
    session::{DEFAULT_LEVEL, MOST_LOOKS},
};
use std::io;
use std::ops::RangeInclusive;
use tengen_go::moves::PLAYING_LEVELS;
use tengen_go::score::Scoring;

/// The arguments of `tengen gtp`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Playing level, from 0 to 100: higher thinks longer
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_name = "N", value_parser = clap::value_parser!(i32).range(levels()))]
    level: i32,
    /// Visits of the search for each move, in place of those of the level
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_LOOKS)))]
    visits: Option<u32>,
    /// Go on searching while the opponent thinks
    #[arg(long)]
    ponder: bool,
    /// The seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that the search of moves is made for; another number is another search, the same on any machine
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Count area (stones and territory) instead of territory and prisoners
    #[arg(long)]
    chinese_rules: bool,
    /// Give up lost games
    #[arg(long)]
    resign_allowed: bool,
}

fn levels() -> RangeInclusive<i64> {
    i64::from(*PLAYING_LEVELS.start())..=i64::from(*PLAYING_LEVELS.end())
}

/// Carries out `tengen gtp`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let mut session = Session::default();
    if let Some(patterns) = args.patterns.load()? {
        session.use_patterns(patterns);
    }
    session.set_level(args.level);
    session.set_effort(args.effort.in_force());
    session.judge_by(args.judge.in_force().unwrap_or_default());
    session.visits = args.visits;
    session.ponders = args.ponder;
    session.seed = args.seed;
    session.threads = args.threads.into();
    session.scoring = if args.chinese_rules { Scoring::Area } else { Scoring::Territory };
    session.may_resign = args.resign_allowed;
    serve_lines(&mut session, &mut Live::stdin(), io::stdout().lock())?;
    Ok(Outcome::Success)
}
