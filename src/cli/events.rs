//! `tengen events`: prints what happens to the dragons of a game from move to move, from the records of a run.

use super::Outcome;
use super::run::Format;
use crate::report::events::Follower;
use anyhow::Context as _;
use std::fs::File;
use std::io::{self, BufReader, Write as _};
use std::path::PathBuf;
use tengen_core::{escaped_json, escaped_line};

/// The arguments of `tengen events`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Records of analyses of games, move by move (`tengen run game.sgf --every 1 --out DIR` writes DIR/records.jsonl)
    #[arg(required = true, value_name = "RECORDS")]
    files: Vec<PathBuf>,
    /// What to write to stdout
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Only dragons of at least N stones
    #[arg(long, value_name = "N", default_value_t = 1)]
    stones: usize,
}

/// Carries out `tengen events`.
///
/// # Errors
/// If a file can't be read, or a line of it is no record.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for path in &args.files {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("can't read {shown}"))?;
        let mut follower = Follower::default();
        for (index, line) in crate::files::record_lines(BufReader::new(file)).enumerate() {
            let place = || format!("{shown}:{}: this is no record", index + 1);
            let record = serde_json::from_str(&line.with_context(place)?).with_context(place)?;
            for event in follower.follow(&record).iter().filter(|e| e.size >= args.stones) {
                match args.format {
                    Format::Table => writeln!(out, "{}", escaped_line(&event.sentence()))?,
                    Format::Json => writeln!(out, "{}", escaped_json(&serde_json::to_string(event)?))?,
                }
            }
        }
    }
    out.flush()?;
    Ok(Outcome::Success)
}
