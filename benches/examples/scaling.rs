//! Compares one search on two threads with the same search on one thread, in turn.
//!
//!     cargo run --release -p tengen-benches --example scaling -- chess FILE.epd [POSITIONS] [DEPTH]
//!     cargo run --release -p tengen-benches --example scaling -- uct FILE.kif [ROUNDS] [VISITS]
//!     cargo run --release -p tengen-benches --example scaling -- single FILE.kif [ROUNDS] [VISITS]
//!     cargo run --release -p tengen-benches --example scaling -- go FILE.sgf [ROUNDS] [PLAYOUTS]
//!
//! UCT searches before the clock runs, so that each thread has its machines, as a player has after the start clock.
//! `single` is UCT as the player `auto` uses it in short games: with the moves of playouts, and one game for each leaf.
//! For chess, the program measures the time and the nodes to a depth for every position. For UCT and Go, it measures
//! the visits per second in one position, with a different random seed in every round. It prints geometric means of the
//! ratios. It also prints twice their standard error, as a factor either way. With one thread, Go uses the plain loop
//! of its players.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the ratios, and how far it is, are what it is for"
)]

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use tengen_chess::history::Game as ChessGame;
use tengen_chess::search::{Limits as ChessLimits, Options, SearchReport, search};
use tengen_core::{Budget, Parallelism};
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Rules, Vertex};
use tengen_go::playout::{LADDERS, Limits, PlayoutBoard, Policy, Root, search_moves, search_on_threads};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::players::uct::{self, Uct};

/// MiB of a chess search's table.
const TABLE: usize = 64;
/// The Go position is that before so much of its game is played, of a hundred.
const GO_SHARE: usize = 30;
/// The visits of UCT before the clock runs.
const WARM_UP: u64 = 1_000;

/// Ratios, by their logarithms.
#[derive(Default)]
struct Ratios(Vec<f64>);

impl Ratios {
    fn add(&mut self, ratio: f64) {
        self.0.push(ratio.ln());
    }

    /// Their geometric mean, and twice its standard error as a factor.
    fn told(&self) -> String {
        let count = self.0.len() as f64;
        let mean = self.0.iter().sum::<f64>() / count;
        let spread = self.0.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        format!("x{:.3} (a factor of {:.3} either way)", mean.exp(), (2.0 * (spread / count).sqrt()).exp())
    }
}

fn bytes_of(file: &str) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|error| format!("{file}: {error}"))
}

fn text_of(file: &str) -> Result<String, Box<dyn Error>> {
    Ok(String::from_utf8(bytes_of(file)?)?)
}

fn timed<R>(run: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = run();
    (start.elapsed().as_secs_f64(), result)
}

/// Both ways, the one that is asked first changing from round to round.
fn by_turns<R>(round: usize, mut run: impl FnMut(usize) -> R) -> [R; 2] {
    if round.is_multiple_of(2) {
        let one = run(1);
        [one, run(2)]
    } else {
        let two = run(2);
        [run(1), two]
    }
}

fn chess(file: &str, positions: usize, depth: u32) -> Result<(), Box<dyn Error>> {
    let text = text_of(file)?;
    let (mut time, mut nodes) = (Ratios::default(), Ratios::default());
    let mut seconds = [0.0; 2];
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(positions);
    for (round, line) in lines.enumerate() {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let game = ChessGame::from_text(&format!("{} 0 1", fields.join(" ")), [])?;
        let [one, two] = by_turns(round, |threads| -> (f64, SearchReport) {
            let options = Options { threads, ..Options::default() };
            let limits = ChessLimits { depth: Some(depth), ..ChessLimits::default() };
            timed(|| search(&game, limits, options, TABLE))
        });
        seconds[0] += one.0;
        seconds[1] += two.0;
        time.add(one.0 / two.0);
        nodes.add(two.1.nodes as f64 / one.1.nodes as f64);
        eprint!("\r{} positions", round + 1);
    }
    eprintln!();
    println!("chess: time to depth {depth} on two threads: {}", time.told());
    println!("chess: all positions together: {:.1} s on one, {:.1} s on two", seconds[0], seconds[1]);
    println!("chess: nodes to depth {depth}, two threads to one: {}", nodes.told());
    Ok(())
}

fn uct(file: &str, rounds: usize, visits: u64, single: bool) -> Result<(), Box<dyn Error>> {
    let text = text_of(file)?;
    let game = Game::load(&text, LoadLimits::default(), &mut || false).map_err(|faults| {
        let told = faults.diagnostics(&text).into_iter().map(|fault| format!("{file}: {fault}"));
        told.collect::<Vec<_>>().join("\n")
    })?;
    let game = Arc::new(game);
    let state = game.machine("auto")?.initial();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let (mut rate, mut slowest) = (Ratios::default(), f64::INFINITY);
    for round in 0..rounds {
        let [one, two] = by_turns(round, |threads| -> Result<f64, Box<dyn Error>> {
            let budget = |visits| Budget { visits: Some(visits), ..Budget::default() };
            let mut search = Uct::new(&game, &state, round as u64, budget(WARM_UP))?.with_threads(threads);
            if single {
                search = search.with_moves_of_playouts().with_single_games();
            }
            let inside = if threads > 1 { Parallelism::Inside } else { Parallelism::Shards };
            let mut warm = pool.install(|| uct::run(vec![search], inside));
            warm.iter_mut().for_each(|search| search.set_budget(budget(visits)));
            let (time, done) = timed(|| pool.install(|| uct::run(warm, inside)));
            Ok(done[0].visits() as f64 / time)
        });
        let (one, two) = (one?, two?);
        rate.add(two / one);
        slowest = slowest.min(one);
    }
    let name = if single { "single" } else { "uct" };
    println!("{name}: visits a second on two threads: {}; on one at least {slowest:.0}", rate.told());
    Ok(())
}

fn go(file: &str, rounds: usize, playouts: u32) -> Result<(), Box<dyn Error>> {
    let tree = sgf::parse(&bytes_of(file)?)?;
    let line = tree.line(&[]);
    let until = Until::Move(line.len() * GO_SHARE / 100);
    let game = sgf::load(&tree, &line, until, Rules::default())?;
    let board = PlayoutBoard::from(&game.board);
    let root = Root {
        board: &board,
        color: game.to_move,
        last: Vertex::PASS,
        before: Vertex::PASS,
        komi: game.komi,
        owner: None,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let mut rate = Ratios::default();
    for round in 0..rounds {
        let [one, two] = by_turns(round, |threads| {
            let seed = round as u64;
            let limits = Limits {
                playouts,
                policy: Policy::default(),
                win_share: 0.8,
                warm_up: 0,
                ladders: LADDERS,
                seed,
            };
            let (time, found) = timed(|| match threads {
                1 => search_moves(root, &|_| true, &[], &limits, &mut || false),
                n => pool.install(|| search_on_threads(root, &|_| true, &[], &limits, n, &mut || false)),
            });
            found.moves.iter().map(|m| f64::from(m.visits)).sum::<f64>() / time
        });
        rate.add(two / one);
    }
    println!("go: playouts a second on two threads: {}", rate.told());
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scaling: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, default| given.get(n).map_or(Ok(default), |text| text.parse::<usize>());
    let file = given.get(1).ok_or("scaling chess|uct|single|go FILE [ROUNDS] [DEPTH|VISITS|PLAYOUTS]")?;
    match given[0].as_str() {
        "chess" => chess(file, number(2, 100)?, number(3, 15)? as u32),
        "uct" => uct(file, number(2, 10)?, number(3, 100_000)? as u64, false),
        "single" => uct(file, number(2, 10)?, number(3, 100_000)? as u64, true),
        "go" => go(file, number(2, 10)?, number(3, 2_000)? as u32),
        other => Err(format!("{other} is none of chess, uct, single, go").into()),
    }
}
