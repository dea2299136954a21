//! Measures the share of a search's time that `ChessPlugins` and `PropnetPlugins` take.
//!
//!     cargo run --release -p tengen-benches --example publishing -- [ROUNDS]
//!
//! Two Worlds run the same search in turn, one with the plugins and one without. The two alternate in running first.
//! Both must find the same result. For each search, the table has the median time without the plugins, and the median
//! share over the rounds. A busy machine needs more rounds.
#![allow(clippy::print_stdout, reason = "the shares are what it is for")]

use bevy_app::{App, NoopPluginGroup, PluginGroup};
use bevy_ecs::prelude::*;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use tengen_benches::median;
use tengen_chess::ChessPlugins;
use tengen_chess::evaluation::Weights;
use tengen_chess::history::Game as ChessGame;
use tengen_chess::search::{Limits, Options, Table, Think};
use tengen_core::{Budget, Parallelism};
use tengen_propnet::PropnetPlugins;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::players::uct::Uct;
use tengen_propnet::world;
use tengen_search::{ExpandPlugin, run_to_end};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Rulesheets: one of the usual kind, and one whose games end at once, so that nothing but the tree takes time.
const RULESHEETS: [(&str, &str); 2] = [
    ("noughts", include_str!("../../resources/gdl/noughts.kif")),
    ("standoff", include_str!("../../resources/gdl/standoff.kif")),
];

/// A World with these plugins.
fn app(plugins: impl PluginGroup) -> App {
    let mut app = App::empty();
    app.insert_resource(Parallelism::Inside).add_plugins(ExpandPlugin).add_plugins(plugins);
    app
}

/// Runs a search in turn in both Worlds. `run` gives what it finds, and only its time counts; `make` is not timed.
fn measure<S, F: PartialEq>(
    name: &str,
    rounds: usize,
    [plain, published]: [&mut App; 2],
    make: impl Fn() -> S,
    run: impl Fn(&mut World, S) -> F,
) -> Result<(), Box<dyn Error>> {
    let timed = |app: &mut App| {
        let search = make();
        let since = Instant::now();
        let found = run(app.world_mut(), search);
        (since.elapsed().as_secs_f64(), found)
    };
    let (mut times, mut shares) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let (without, with) = match round % 2 {
            0 => (timed(plain), timed(published)),
            _ => {
                let with = timed(published);
                (timed(plain), with)
            }
        };
        if without.1 != with.1 {
            return Err(format!("{name}: published searches find something else").into());
        }
        times.push(1e3 * without.0);
        shares.push(1e2 * (with.0 / without.0 - 1.0));
    }
    println!("{name:34} {:9.3} ms {:+7.2} %", median(times), median(shares));
    Ok(())
}

/// Searches of chess, by their nodes and their lines.
fn chess(rounds: usize) -> Result<(), Box<dyn Error>> {
    let game = ChessGame::from_text(KIWIPETE, [])?;
    let weights = Arc::new(Weights::default());
    for (nodes, multi_pv) in [(1_000, 1), (5_000, 1), (20_000, 1), (20_000, 4)] {
        let make = || {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let options = Options { multi_pv, ..Options::default() };
            let table = Arc::new(Table::with_entries(1 << 12).expect("a small table fits in memory"));
            Think::new(&game, limits, options, table, Arc::clone(&weights), Box::new(()))
        };
        let run = |world: &mut World, think| {
            let search = tengen_search::start(world, 0, think);
            run_to_end(world);
            tengen_search::take::<Think>(world, search).map(|think| think.report())
        };
        let (mut plain, mut published) = (app(NoopPluginGroup), app(ChessPlugins));
        // Short searches need more rounds, because a machine is never at rest.
        let rounds = rounds * (40_000 / nodes as usize);
        let name = format!("chess, {nodes} nodes, {multi_pv} lines");
        measure(&name, rounds, [&mut plain, &mut published], make, run)?;
    }
    Ok(())
}

/// Searches of small nets, by their visits and their threads. Larger nets have longer jobs.
fn nets(rounds: usize) -> Result<(), Box<dyn Error>> {
    RULESHEETS.iter().try_for_each(|&(name, text)| net(rounds, name, text))
}

fn net(rounds: usize, sheet: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let game = Arc::new(Game::load(text, LoadLimits::default(), &mut || false)?);
    let state = game.machine("auto")?.initial();
    for (visits, threads) in [(500, 1), (4_000, 1), (4_000, 2)] {
        let make = || {
            let budget = Budget { visits: Some(visits), ..Budget::default() };
            Uct::new(&game, &state, 1, budget).map(|uct| uct.with_threads(threads))
        };
        let run = |world: &mut World, uct: Result<Uct, _>| {
            let search = world::start(world, 0, uct.expect("a sound game"));
            run_to_end(world);
            world::take(world, search).map(|uct| (uct.lines(0), uct.nodes(), uct.visits()))
        };
        let (mut plain, mut published) = (app(NoopPluginGroup), app(PropnetPlugins));
        let name = format!("{sheet}, {visits} visits, {threads} threads");
        measure(&name, 4 * rounds, [&mut plain, &mut published], make, run)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(40), |text| text.parse())?;
    // One thread: the other would work on the plain search while the published one is measured.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("{:34} {:>12} {:>9}", "search", "median time", "share");
    pool.install(|| chess(rounds).and_then(|()| nets(rounds)).map_err(|error| error.to_string()))?;
    Ok(())
}
