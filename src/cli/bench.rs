//! `tengen bench`: prints one signature for each domain. A signature changes only when the behaviour of the domain
//! changes.

use super::Outcome;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use tengen_core::{Budget, Parallelism, escaped_line};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::judge::{Embedded, View};
use tengen_go::tactics::Reader;
use tengen_go::world::past_of;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::players::uct::{self, Uct};

/// The arguments of `tengen bench`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Exit with 1 unless the signatures are those in this file
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Carries out `tengen bench`.
///
/// # Errors
/// If stdout can't be written, or the file to check can't be read.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let line = signatures();
    super::common::print(&line)?;
    let Some(path) = args.check else { return Ok(Outcome::Success) };
    let wanted = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    if wanted == line {
        return Ok(Outcome::Success);
    }
    writeln!(
        io::stderr(),
        "{} says {}: behaviour has changed. If it should have, write the new line there and say so in the commit",
        escaped_line(&path.display().to_string()),
        escaped_line(wanted.trim_end())
    )?;
    Ok(Outcome::Failure)
}

/// One line: each domain and its signature.
#[must_use]
pub fn signatures() -> String {
    let chess = tengen_chess::search::bench::signature(4);
    let board = go_board();
    let (go, judge) = (go_signature(board.clone()), judge_signature(&board));
    format!("go {go} judge {judge} chess {chess} propnet {}\n", net_signature())
}

/// Counts of positions, legal moves and tree nodes of Tengen's own rulesheets, which depend on the propagation and on
/// a search.
fn net_signature() -> u64 {
    const RULES: [&str; 3] = [
        include_str!("../../resources/gdl/noughts.kif"),
        include_str!("../../resources/gdl/heaps.kif"),
        include_str!("../../resources/gdl/standoff.kif"),
    ];
    RULES.iter().map(|rules| of_rules(rules)).sum()
}

fn of_rules(text: &str) -> u64 {
    let game = Game::load(text, LoadLimits::default(), &mut || false).expect("our own rulesheets are sound");
    let game = Arc::new(game);
    let state = game.machine("auto").expect("our own rulesheets have nets").initial();
    let budget = || Budget { visits: Some(400), ..Budget::default() };
    let searches = [1, 4].map(|threads| {
        let search = Uct::new(&game, &state, 9, budget()).expect("a state of the game");
        search.with_threads(threads)
    });
    let done = uct::run(searches.into(), Parallelism::Shards);
    let arms =
        |search: &Uct| search.lines(0).iter().map(|l| u64::from(l.visits) * u64::from(l.id)).sum::<u64>();
    done.iter().map(|search| search.nodes() as u64 + search.visits() + arms(search)).sum()
}

/// A position that a fixed seed makes.
fn go_board() -> Board {
    let mut board = Board::new(9);
    let mut random = tengen_core::SplitMix64::new(9);
    let mut color = Color::Black;
    for _ in 0..400 {
        let v = Vertex::from_index(random.below(81) as usize, 9);
        if board.history_len() < 44 && board.play(color, v).is_ok() {
            color = color.other();
        }
    }
    board
}

/// Reading nodes of all strings of a position.
fn go_signature(mut board: Board) -> u64 {
    tengen_go::tactics::map::read(&mut Reader::default(), &mut board).nodes()
}

/// A sum over the embedded judge's answers with either side to move, to the last bit. It changes with the weights and
/// with the net's arithmetic.
fn judge_signature(board: &Board) -> u32 {
    let judge = Embedded::own();
    let views = Color::BOTH.iter().filter_map(|&color| judge.see(board, color, past_of(board), 7.5));
    let numbers = views.flat_map(|view| {
        let View { owner, likelihood, pass, lead, win_rate } = view;
        owner.into_iter().chain(likelihood).chain([pass, lead, win_rate])
    });
    numbers.fold(0, |sum: u32, number| sum.rotate_left(1) ^ number.to_bits())
}
