//! `tengen chess tune`: learns the weights of the evaluation from games of the engine against itself.

use crate::cli::Outcome;
use crate::files::{check_writable, write_file};
use crate::number_text::counted;
use anyhow::Context as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tengen_chess::evaluation::Weights;
use tengen_chess::evaluation::tune::{Sample, error, tune};
use tengen_chess::history::Game;
use tengen_chess::rules::notation;
use tengen_chess::search::SearchReport;
use tengen_chess::search::order::is_quiet;
use tengen_chess::selfplay::{MatchRules, Player, play_game};
use tengen_core::derive_seed;

/// The arguments of `tengen chess tune`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Games to play
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 1500)]
    nodes: u64,
    /// Random plies each game begins with
    #[arg(long, default_value_t = 9)]
    random_plies: u32,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps of the descent
    #[arg(long, default_value_t = 400)]
    epochs: u32,
    /// Share of the game's result in the target; the rest is the search's score
    #[arg(long, default_value_t = 0.4, value_parser = crate::cli::numbers::share)]
    mix: f64,
    /// Weights to start from; without it the built-in ones
    #[arg(long)]
    start: Option<PathBuf>,
    /// Where the tuned weights go
    #[arg(long)]
    out: PathBuf,
}

/// A quiet position of a game: its number of moves, and a score from White's view.
struct Seen {
    moves: usize,
    white: i32,
}

/// Plays, tunes, writes.
///
/// # Errors
/// If files can't be read or written.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let start = match &args.start {
        Some(path) => Weights::parse(&super::read(path)?).with_context(|| path.display().to_string())?,
        None => Weights::default(),
    };
    // Before any game: what can't be written is told at once. The file there is kept until the new one is whole.
    check_writable(&args.out)?;
    let samples = samples(args, &start)?;
    let mut stderr = std::io::stderr();
    writeln!(stderr, "{}, error {:.6}", counted("position", samples.len()), error(&samples, &start))?;
    let tuned = tune(&samples, &start, args.epochs, |epoch, error| {
        if epoch % 50 == 0 {
            // Progress alone; if stderr is gone nobody misses it.
            let _ = writeln!(std::io::stderr(), "epoch {epoch}: error {error:.6}");
        }
    });
    writeln!(stderr, "tuned: error {:.6}", error(&samples, &tuned))?;
    let head = format!(
        "Evaluation weights, mg/eg in centipawns; see README.md.\nMade by: tengen chess tune --games {} --nodes {} \
         --random-plies {} --seed {} --epochs {} --mix {}\n{} positions, mean squared error {:.6}",
        args.games,
        args.nodes,
        args.random_plies,
        args.seed,
        args.epochs,
        args.mix,
        samples.len(),
        error(&samples, &tuned)
    );
    write_file(&args.out, |file| file.write_all(tuned.write(&head).as_bytes()))?;
    Ok(Outcome::Success)
}

/// Quiet positions of self-play with their results.
fn samples(args: &Args, weights: &Weights) -> anyhow::Result<Vec<Sample>> {
    let player = Player {
        weights: Arc::new(weights.clone()),
        table_entries: 1 << 14,
        ..Player::of_nodes("self", args.nodes)
    };
    let rules = MatchRules {
        random_plies: args.random_plies,
        resign_score: 1200,
        resign_plies: 4,
        ..MatchRules::default()
    };
    let mut out = Vec::new();
    for number in 0..args.games {
        let mut seen = Vec::new();
        let seed = derive_seed(args.seed, &[number]);
        let record = play_game(&Game::default(), [&player, &player], &rules, seed, |game, report| {
            seen.extend(quiet(game, report));
        });
        let mut replay = Game::default();
        for &mv in record.game.moves() {
            if let Some(seen) = seen.iter().find(|s| s.moves == replay.moves().len()) {
                out.push(Sample::new(replay.board(), weights, record.white_score(), seen.white, args.mix));
            }
            replay.play(mv);
        }
        if number % 100 == 99 {
            writeln!(std::io::stderr(), "{} games, {} positions", number + 1, out.len())?;
        }
    }
    Ok(out)
}

/// A position worth learning from: not in check, its best move quiet, its score no mate.
fn quiet(game: &Game, report: &SearchReport) -> Option<Seen> {
    let board = game.board();
    let mv = report.best.as_deref().and_then(|t| notation::parse_uci(board, t).ok())?;
    if !board.checkers().is_empty() || !is_quiet(board, mv) || report.score.abs() > 1500 {
        return None;
    }
    let white =
        if board.side_to_move() == tengen_chess::rules::Color::White { report.score } else { -report.score };
    Some(Seen { moves: game.moves().len(), white })
}
