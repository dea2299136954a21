//! The arguments of `tengen gdl match`, and the players that they name.

use crate::cli::common::ExistingArgs;
use anyhow::Context as _;
use std::path::PathBuf;
use tengen_propnet::players::Kind;

/// The arguments of `tengen gdl match`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheets; the games of each are played in turn
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// A player per role but `random`: legal, random, montecarlo, uct, alphabeta, auto [default: auto,random]. Others
    /// play over GGP: an address, as in ggp:127.0.0.1:9147, or a command with {port} and perhaps {seed} in it, as in
    /// "tengen ggp --port {port}". `auto` plans where there is one role, else it searches like `uct`. The last one
    /// serves further roles; with the game manager they move at random. In a game of hidden information each knows
    /// its own moves and percepts
    #[arg(long)]
    pub(super) players: Option<String>,
    /// How many games of each rulesheet
    #[arg(long, visible_alias = "matches", default_value_t = 10)]
    pub(super) games: u64,
    /// Seconds for each move; the game manager takes whole ones, 1 without the option
    #[arg(long, conflicts_with = "visits", value_parser = crate::cli::numbers::seconds)]
    pub(super) seconds: Option<f64>,
    /// Seconds of the start clock, which the first move has beside its own
    #[arg(long, default_value = "0", requires = "seconds", value_parser = crate::cli::numbers::seconds)]
    pub(super) start: f64,
    /// Visits for each move; not with the game manager
    #[arg(long)]
    pub(super) visits: Option<u64>,
    /// Players change roles after every game
    #[arg(long)]
    pub(super) swap: bool,
    /// The seed; the game manager gives each match the next one
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    /// The folder for matches.jsonl, a line a match, and summary.json; all players play over GGP
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) existing: ExistingArgs,
    /// Exchange the words of the games for others; all players play over GGP
    #[arg(long)]
    pub(super) scramble: bool,
    /// Seconds after a clock in which the game manager still takes an answer
    #[arg(long, default_value = "1", value_parser = crate::cli::numbers::seconds)]
    pub(super) margin: f64,
    /// Threads of each of Tengen's players under the game manager; 0 is one per core
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(super) threads: u16,
}

/// Tengen's player of this name.
pub(super) fn kind(name: &str) -> anyhow::Result<Kind> {
    let known: Vec<&str> = Kind::NAMES.iter().map(|(name, _)| *name).collect();
    Kind::by_name(name)
        .with_context(|| format!("there is no player `{name}`: the players are {}", known.join(", ")))
}
