//! `tengen gdl match`: games between players.

use super::{Outcome, load_game};
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_core::{Budget, Parallelism, Stop, derive_seed};
use tengen_propnet::players::{Kind, selfplay};

/// The arguments of `tengen gdl match`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet
    file: PathBuf,
    /// A player per role: legal, random, montecarlo, uct, alphabeta (the last one serves further roles)
    #[arg(long, value_delimiter = ',', default_value = "uct,random")]
    players: Vec<String>,
    /// How many games
    #[arg(long, default_value_t = 10)]
    games: u64,
    /// Seconds for each move
    #[arg(long, conflicts_with = "visits", value_parser = crate::cli::numbers::seconds)]
    seconds: Option<f64>,
    /// Visits for each move
    #[arg(long)]
    visits: Option<u64>,
    /// Players change roles after every game
    #[arg(long)]
    swap: bool,
    /// The seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Plays the games one after the other: a line each, then the means by player.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let Some(game) = load_game(&args.file, 60.0, super::DEFAULT_TABLES)? else { return Ok(Outcome::Failure) };
    let game = Arc::new(game);
    let kinds: Vec<Kind> = args
        .players
        .iter()
        .map(|name| Kind::by_name(name).with_context(|| format!("there is no player `{name}`")))
        .collect::<Result<_, _>>()?;
    let roles = game.program.roles().len();
    let mut sums = vec![(0.0, 0_u32); roles];
    let mut out = io::stdout().lock();
    for n in 0..args.games {
        let shift = if args.swap { n as usize % roles } else { 0 };
        let seat = |role: usize| (role + shift) % roles;
        let players: Vec<Kind> = (0..roles).map(|r| kinds[seat(r).min(kinds.len() - 1)]).collect();
        let seed = derive_seed(args.seed, &[n]);
        let record = match args.seconds {
            None => {
                let budget = Budget { visits: Some(args.visits.unwrap_or(1000)), ..Budget::default() };
                selfplay::play(
                    &game,
                    &players,
                    &mut |_, _| budget.clone(),
                    seed,
                    1000,
                    Parallelism::Inside,
                    &Stop::NEVER,
                )?
            }
            Some(seconds) => {
                let mut budget = |_: usize, _: &[Vec<String>]| {
                    let until = Instant::now() + Duration::from_secs_f64(seconds);
                    Budget { stop: Stop::when(move || Instant::now() >= until), ..Budget::default() }
                };
                selfplay::play(&game, &players, &mut budget, seed, 1000, Parallelism::Inside, &Stop::NEVER)?
            }
        };
        for (role, goals) in record.goals.iter().enumerate() {
            let value: f64 = goals.first().and_then(|g| g.parse().ok()).unwrap_or(0.0);
            sums[seat(role)].0 += value;
            sums[seat(role)].1 += u32::from(value >= 100.0);
        }
        let goals: Vec<String> = record.goals.iter().map(|g| g.join("/")).collect();
        writeln!(out, "game {n}: {} moves, goals {}", record.moves.len(), goals.join(" "))?;
        out.flush()?;
    }
    for (n, (sum, wins)) in sums.iter().enumerate() {
        let name = &args.players[n.min(args.players.len() - 1)];
        writeln!(out, "{name}: mean goal {:.1}, {wins} of {} with 100", sum / args.games as f64, args.games)?;
    }
    Ok(Outcome::Success)
}
