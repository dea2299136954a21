//! Runs one hot function (a *kernel*) a given number of times, for `benches/instructions`.
//!
//! `kernels` prints the name of each kernel, and describes one call of it. `kernels NAME N` makes N calls.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "names to stdout are what it is for")]

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use tengen_benches::midgame;
use tengen_chess::evaluation::{PawnTable, Placed, Weights, evaluate};
use tengen_chess::history;
use tengen_chess::rules::{fen, perft};
use tengen_chess::search::{Limits, Options, search};
use tengen_core::{Budget, Parallelism};
use tengen_go::board::Color;
use tengen_go::playout::{PlayoutBoard, Policy, estimate};
use tengen_go::{AnalyseSystems, GoEngine};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::players::uct::{self, Uct};
use tengen_search::{SingleJob, run_all};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const NOUGHTS: &str = include_str!("../../resources/gdl/noughts.kif");
const STEPS: u64 = 1000;

/// A kernel with its input.
type Kernel = Box<dyn FnMut()>;

/// A kernel's name, what one call is about, and how to make it ready.
type Entry = (&'static str, &'static str, fn() -> Kernel);

const KERNELS: &[Entry] = &[
    ("go/analyse/9x9-midgame", "a whole analysis", || analysis(AnalyseSystems::MoveEvaluation)),
    ("go/tactics/9x9-midgame", "worms and tactical reading", || analysis(AnalyseSystems::Tactics)),
    ("go/playout/9x9-midgame", "10 playouts", playouts),
    ("chess/perft/kiwipete-3", "97,862 leaves", counting),
    ("chess/evaluation/kiwipete", "a position, from scratch", evaluating),
    ("chess/search/kiwipete-6", "a search to depth 6", searching),
    ("propnet/differential/noughts", "1,000 state changes", || random_games("differential")),
    ("propnet/lanes512/noughts", "1,000 state changes", || random_games("lanes512")),
    ("propnet/uct/noughts", "200 visits", tree),
    ("search/expand/whole", "100 searches of one job that does nothing", scheduling),
];

fn analysis(last: AnalyseSystems) -> Kernel {
    let (mut engine, position) = (GoEngine::new(1), midgame(9));
    Box::new(move || {
        engine.put(0, position.clone());
        engine.analyse(last);
    })
}

fn playouts() -> Kernel {
    let board = PlayoutBoard::from(&midgame(9).board);
    Box::new(move || drop(estimate(black_box(&board), Color::Black, &Policy::default(), 10, 1)))
}

fn counting() -> Kernel {
    let board = fen::parse(KIWIPETE).expect("a legal position").board;
    Box::new(move || assert_eq!(perft::perft(black_box(&board), 3), 97_862))
}

fn evaluating() -> Kernel {
    let board = fen::parse(KIWIPETE).expect("a legal position").board;
    let (weights, mut pawns) = (Weights::default(), PawnTable::default());
    Box::new(move || {
        black_box(evaluate(&Placed::new(black_box(&board), &weights), &weights, &mut pawns));
    })
}

fn searching() -> Kernel {
    let game = history::Game::from_text(KIWIPETE, []).expect("a legal position");
    let limits = || Limits { depth: Some(6), ..Limits::default() };
    Box::new(move || assert!(search(black_box(&game), limits(), Options::default(), 1).nodes > 0))
}

fn noughts() -> Game {
    Game::load(NOUGHTS, LoadLimits::default(), &mut || false).expect("our own rulesheets are sound")
}

fn random_games(way: &str) -> Kernel {
    let mut player = noughts().playouts(way, 1).expect("the way is there");
    Box::new(move || player.play(STEPS))
}

fn tree() -> Kernel {
    let game = Arc::new(noughts());
    let state = game.machine("auto").expect("it has a net").initial();
    Box::new(move || {
        let budget = Budget { visits: Some(200), ..Budget::default() };
        let search = Uct::new(&game, &state, 1, budget).expect("a sound game");
        assert!(uct::run(vec![search], Parallelism::Shards).remove(0).visits() >= 200);
    })
}

fn scheduling() -> Kernel {
    Box::new(|| {
        let searches = (0..100).map(|n| SingleJob::new("bench/whole", move || n)).collect();
        assert_eq!(run_all(searches, Parallelism::Shards).len(), 100);
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, times] = &arguments[..] else {
        KERNELS.iter().for_each(|(name, about, _)| println!("{name}\t{about}"));
        return ExitCode::SUCCESS;
    };
    let kernel = KERNELS.iter().find(|(known, ..)| known == name);
    let (Some((.., make)), Ok(times)) = (kernel, times.parse::<u32>()) else {
        eprintln!("no kernel {name}, or {times} is no number: without arguments the names are told");
        return ExitCode::from(2);
    };
    let mut kernel = make();
    (0..times).for_each(|_| kernel());
    ExitCode::SUCCESS
}
