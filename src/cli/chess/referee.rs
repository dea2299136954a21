//! `tengen chess referee`: the referee's verdict on the games of PGN files, one JSON line for each game.

use crate::cli::Outcome;
use crate::number_text::counted;
use crate::scene::GameTexts;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use tengen_chess::exact::random;
use tengen_chess::history::referee::{Verdict, judge_record};
use tengen_chess::rules::pgn::{self, PgnGame};
use tengen_chess::rules::pgn_read::{self, GameText};

/// The arguments of `tengen chess referee`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// PGN files
    #[arg(required_unless_present = "sample")]
    files: Vec<PathBuf>,
    /// Write N random games with many repetitions as PGN instead, to test a referee
    #[arg(long, value_name = "GAMES", conflicts_with = "files")]
    sample: Option<u64>,
    /// Of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only games that can't be read, or whose result the rules or the end of the moves contradict
    #[arg(long)]
    faults: bool,
}

/// Judges every game. The exit status says whether all games were readable and agree.
///
/// # Errors
/// If a file can't be read.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(games) = args.sample {
        return sample(games, args.seed);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.max(1)).build()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut games, mut faults) = (0_usize, 0_usize);
    for path in &args.files {
        let name = path.display().to_string();
        let read = |reason| anyhow::anyhow!("{name}: {reason}");
        let (mut games_of_file, mut before) = (GameTexts::open(path).map_err(read)?, 0);
        while let Some(texts) = games_of_file.next_games().map_err(read)? {
            let answers: Vec<(String, bool)> = pool.install(|| {
                let numbered = texts.par_iter().enumerate();
                numbered.map(|(n, game)| answer(&name, before + n + 1, game.as_text())).collect()
            });
            before += texts.len();
            for (line, good) in answers {
                games += 1;
                faults += usize::from(!good);
                if !args.faults || !good {
                    writeln!(out, "{}", tengen_core::escaped_json(&line))?;
                }
            }
        }
    }
    out.flush()?;
    let stderr = &mut std::io::stderr();
    writeln!(
        stderr,
        "{}, {faults} that can't be read or have a contradicted result",
        counted("game", games)
    )?;
    Ok(Outcome::from(faults == 0))
}

/// Writes random games; the result of every other one is right.
fn sample(games: u64, seed: u64) -> anyhow::Result<Outcome> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for number in 0..games {
        let game = random::long_game(tengen_core::derive_seed(seed, &[number]), 28);
        let result = if number % 2 == 0 { game.result().score() } else { "1-0" };
        let tags = [("Event", "sample".to_owned()), ("Round", (number + 1).to_string())]
            .map(|(name, value)| (name.to_owned(), value));
        let (start, moves) = (game.start(), game.moves());
        write!(out, "{}", pgn::write(&PgnGame { start, moves, tags: &tags, comments: &[], result }))?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}

/// The line of a game, and whether it could be read and agrees.
fn answer(file: &str, number: usize, text: GameText<'_>) -> (String, bool) {
    let place = json!({"file": file, "game": number, "line": text.line});
    let record = pgn_read::read(text);
    if let Some(fault) = record.fault {
        let error = json!({"file": file, "game": number, "line": text.line, "error": fault.to_string()});
        return (error.to_string(), false);
    }
    let verdict = judge_record(&record);
    let good = verdict.agrees;
    let players = record.tag("White").zip(record.tag("Black"));
    let players = players.map(|(white, black)| format!("{white} - {black}"));
    let mut told = told(&place, &record.result, players, &verdict);
    let null_moves: Vec<usize> = record.null_moves().collect();
    if !null_moves.is_empty() {
        told["null_moves"] = json!(null_moves);
    }
    if let Some(marker) = record.contradicting_marker() {
        told["termination_marker"] = json!(marker);
    }
    (told.to_string(), good)
}

fn told(place: &Value, result: &str, players: Option<String>, verdict: &Verdict) -> Value {
    json!({
        "file": place["file"], "game": place["game"], "line": place["line"], "players": players,
        "result": result, "plies": verdict.plies, "claims": verdict.claims, "fivefold": verdict.fivefold,
        "seventy_five": verdict.seventy_five, "dead": verdict.dead,
        "end": verdict.end.map(|(end, _)| end), "end_ply": verdict.end.map(|(_, ply)| ply),
        "played_on": verdict.played_on, "dictated": verdict.dictated, "agrees": verdict.agrees,
    })
}
