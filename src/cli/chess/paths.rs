//! `tengen chess paths`: checks on random endgames that a score called free equals the score without the game before
//! the position.
//!
//! # Steps
//! 1. Make a small position with a random game before it, with many repetitions, from a seed.
//! 2. Search the position twice: with this game before it, and as the start of a game.
//! 3. If the first score is called free ([`Verdict::is_free`]), both scores must be equal.

use crate::cli::Outcome;
use crate::number_text::counted;
use rayon::prelude::*;
use std::io::Write;
use std::ops::Range;
use tengen_chess::exact::{ExactOptions, random, solve};
use tengen_chess::history::{Game, Policy};
use tengen_chess::repetition::{Path as Verdict, Scheme};
use tengen_chess::search::{Limits, Options, search};

/// The arguments of `tengen chess paths`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Positions
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// The first position's seed; the others follow
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Plies searched
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The search that plays instead of the exact one; it is the same from run to run with one thread alone
    #[arg(long, conflicts_with = "threads")]
    playing: bool,
    /// Schemes tried
    #[arg(long, value_delimiter = ',', default_value = "exact")]
    scheme: Vec<Scheme>,
    /// Policies tried
    #[arg(long, value_delimiter = ',', default_value = "A,B,R,T")]
    policy: Vec<Policy>,
    /// Workers on one position
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Positions at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// Positions between two lines of progress.
const PIECE: u64 = 4096;

/// The counts of one scheme under one policy.
#[derive(Clone, Default)]
struct Tally {
    /// Scores by their grounds: nothing, line, game, steered, unknown.
    told: [u64; 5],
    /// Scores that differ without the game.
    differ: u64,
    /// The free scores among them, by random seed.
    false_claims: Vec<u64>,
}

const WORDS: [&str; 5] = ["nothing", "line", "game", "steered", "unknown"];

impl Tally {
    fn and(mut self, other: Self) -> Self {
        self.told.iter_mut().zip(other.told).for_each(|(sum, more)| *sum += more);
        self.differ += other.differ;
        self.false_claims.extend(other.false_claims);
        self
    }
}

/// Searches all positions. The exit status says whether every claim was true.
///
/// # Errors
/// If stdout fails.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.max(1)).build()?;
    let (mut out, mut good) = (std::io::stdout().lock(), true);
    let kind = if args.playing { "playing search" } else { "exact search" };
    writeln!(
        out,
        "{}, {kind}, depth {}, {}\n",
        counted("position", args.games as usize),
        args.depth,
        counted("thread", args.threads)
    )?;
    writeln!(
        out,
        "| scheme | policy | {} | differ without the game | reported free, and differ |",
        WORDS.join(" | ")
    )?;
    writeln!(out, "| --- | --- |{}", " --- |".repeat(WORDS.len() + 2))?;
    for &scheme in &args.scheme {
        for &policy in &args.policy {
            let tally = tried(args, &pool, scheme, policy);
            let told = tally.told.map(|n| n.to_string()).join(" | ");
            let (differ, false_claims) = (tally.differ, tally.false_claims.len());
            writeln!(out, "| {} | {} | {told} | {differ} | {false_claims} |", scheme.name(), policy.name())?;
            for seed in &tally.false_claims {
                writeln!(out, "<!-- seed {seed} -->")?;
            }
            out.flush()?;
            good &= tally.false_claims.is_empty();
        }
    }
    Ok(Outcome::from(good))
}

/// All positions under a scheme and a policy.
fn tried(args: &Args, pool: &rayon::ThreadPool, scheme: Scheme, policy: Policy) -> Tally {
    let end = args.seed.saturating_add(args.games);
    let mut sum = Tally::default();
    for first in (args.seed..end).step_by(PIECE as usize) {
        let piece: Range<u64> = first..first.saturating_add(PIECE).min(end);
        let done = piece.end - args.seed;
        let one = |seed| of_position(args, seed, scheme, policy);
        sum = sum.and(pool.install(|| piece.into_par_iter().map(one).reduce(Tally::default, Tally::and)));
        // Whoever closed the stream does not want to know.
        let _ = writeln!(std::io::stderr(), "{} {}: {done} done", scheme.name(), policy.name());
    }
    sum.false_claims.sort_unstable();
    sum
}

/// One position with its game and without it.
fn of_position(args: &Args, seed: u64, scheme: Scheme, policy: Policy) -> Tally {
    let game = random::game(seed);
    let [(with, path), (without, _)] =
        [&game, &game.without_history()].map(|game| score(args, game, scheme, policy));
    let mut tally = Tally::default();
    if let Some(at) = WORDS.iter().position(|word| *word == path.word()) {
        tally.told[at] = 1;
    }
    tally.differ = u64::from(with != without);
    if with != without && path.is_free() {
        tally.false_claims.push(seed);
    }
    tally
}

fn score(args: &Args, game: &Game, scheme: Scheme, policy: Policy) -> (i32, Verdict) {
    if args.playing {
        let limits = Limits { depth: Some(args.depth), ..Limits::default() };
        let report = search(game, limits, Options { scheme, policy, ..Options::default() }, 1);
        return (report.score, report.path);
    }
    let options = ExactOptions {
        depth: args.depth,
        scheme,
        policy,
        table_bits: 14,
        threads: args.threads,
        ..ExactOptions::default()
    };
    let report = solve(game, options);
    (report.value, report.path)
}
