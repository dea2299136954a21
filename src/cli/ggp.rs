//! `tengen ggp`: a player of general games that a game manager drives over HTTP.

use super::Outcome;
use crate::protocol::ggp::access::Access;
use crate::protocol::ggp::players::Simple;
use crate::protocol::ggp::server::Server;
use crate::protocol::ggp::thinking::Thinking;
use crate::protocol::ggp::{PlayerFactory, Settings};
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tengen_propnet::game::LoadLimits;
use tengen_propnet::ground::Limits;
use tengen_propnet::players;

/// The arguments of `tengen ggp`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The port to listen on; 0 lets the system choose one
    #[arg(long, short, default_value_t = 9147)]
    pub port: u16,
    /// The address to listen on; the default is reached from this machine only
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub bind: IpAddr,
    /// Who plays
    #[arg(long, value_enum, default_value_t = Kind::Auto)]
    pub player: Kind,
    /// The name given to game managers
    #[arg(long, default_value = "Tengen")]
    pub name: String,
    /// The seed of the player's random choices
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
    /// End after this many matches; 0 is never
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub matches: usize,
    /// The largest request that is read, in MiB
    #[arg(long, default_value_t = 8, value_name = "MIB")]
    pub max_body: usize,
    /// A name of this machine that requests may carry as `Host`, beside localhost and number addresses
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// A page that may send requests, as browsers name it: http://localhost:8000
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub origins: Vec<String>,
    /// About the most memory that a rulesheet's net may take, in MiB; past it the prover plays
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    pub memory: usize,
    /// Threads of the player; 0 is one per core
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(..=512))]
    pub threads: u16,
    /// How long a request may take to arrive, in seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    pub read_timeout: u64,
}

/// The players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// The first legal move
    Legal,
    /// Any legal move
    Random,
    /// The best of random playouts
    Montecarlo,
    /// UCT
    Uct,
    /// Alpha-beta where two roles take turns, else UCT
    Alphabeta,
    /// Plans where there is one role, else UCT
    Auto,
}

/// Carries out `tengen ggp`.
///
/// # Errors
/// If the address can't be listened on.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    if args.threads > 0 {
        rayon::ThreadPoolBuilder::new()
            .num_threads(args.threads.into())
            .build_global()
            .context("can't start the threads asked for by --threads")?;
    }
    // The grounder needs about twice the memory of its tables, whose numbers have 4 bytes.
    let words = args.memory.saturating_mul(1 << 20) / 8;
    let limits = LoadLimits { ground: Limits { words, ..Limits::default() } };
    let thinking = |kind| Thinking { kind, seed: args.seed, limits };
    let factory: Arc<dyn PlayerFactory> = match args.player {
        Kind::Legal => Arc::new(Simple { seed: None }),
        Kind::Random => Arc::new(Simple { seed: Some(args.seed) }),
        Kind::Montecarlo => Arc::new(thinking(players::Kind::MonteCarlo)),
        Kind::Uct => Arc::new(thinking(players::Kind::Uct)),
        Kind::Alphabeta => Arc::new(thinking(players::Kind::AlphaBeta)),
        Kind::Auto => Arc::new(thinking(players::Kind::Auto)),
    };
    let settings = Settings {
        name: args.name,
        max_body: args.max_body.saturating_mul(1 << 20),
        read_timeout: Duration::from_secs(args.read_timeout.max(1)),
        matches: args.matches,
        access: Access { hosts: args.hosts, origins: args.origins },
        ..Settings::default()
    };
    let listener = TcpListener::bind((args.bind, args.port))
        .with_context(|| format!("can't listen on {} port {}", args.bind, args.port))?;
    say(&format!("listening on {}", listener.local_addr()?));
    Server::new(settings, factory, Arc::new(say)).serve(&listener)?;
    Ok(Outcome::Success)
}

/// A remark for the person watching, on stderr; if nobody can, play goes on.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "ggp: {}", tengen_core::escaped(text));
}
