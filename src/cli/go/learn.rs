//! `tengen go learn`: learns the weights of the move prediction from game records.

mod descent;

use crate::cli::Outcome;
use crate::number_text::counted;
use descent::{Options, Score, learn};
use std::io::Write;
use std::path::{Path, PathBuf};
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Board, Rules};
use tengen_go::playout::board::MAX_SIZE;

/// The arguments of `tengen go learn`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Game records in SGF, their main lines are learned; every tenth is left out to measure with
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// How often a shape must have been played to get a weight
    #[arg(long, default_value_t = Options::default().least)]
    least: u32,
    /// Times over all games
    #[arg(long, default_value_t = Options::default().epochs, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Length of the first step
    #[arg(long, default_value_t = Options::default().rate, value_parser = amount)]
    rate: f32,
    /// Pull of the weights towards zero
    #[arg(long, default_value_t = Options::default().pull, value_parser = amount)]
    pull: f32,
    /// Where the weights go
    #[arg(long)]
    out: PathBuf,
}

/// Reads, learns, writes. A record that can't be read is named and left out.
///
/// # Errors
/// If no record can be read or the weights can't be written.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    // Known before the work, not after it.
    let folder = args.out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    anyhow::ensure!(folder.is_dir(), "--out {}: there is no folder {}", args.out.display(), folder.display());
    let mut stderr = std::io::stderr();
    let (mut games, mut faults) = (Vec::new(), 0);
    for path in &args.games {
        match load(path) {
            Ok(board) => games.push(board),
            Err(error) => {
                faults += 1;
                writeln!(stderr, "{}", tengen_core::escaped(&format!("{error:#}")))?;
            }
        }
    }
    anyhow::ensure!(!games.is_empty(), "no record to learn from");
    let options = Options { least: args.least, epochs: args.epochs, rate: args.rate, pull: args.pull };
    writeln!(stderr, "{}", counted("game", games.len()))?;
    let learned = learn(&games, &options, |epoch, score| {
        // Progress alone; if stderr is gone nobody misses it.
        let _ = writeln!(std::io::stderr(), "epoch {epoch}: {}", told(&score));
    });
    let head = format!(
        "# Weights of the move prediction in hundredths; see README.md.\n\
         # Made by: tengen go learn --least {} --epochs {} --rate {} --pull {}\n\
         # {}, {}. Learned from: {}.\n# Left out: {}.\n\n",
        args.least,
        args.epochs,
        args.rate,
        args.pull,
        counted("game", games.len()),
        counted("shape", learned.shapes),
        told(&learned.seen),
        told(&learned.unseen)
    );
    crate::files::write_file(&args.out, |file| file.write_all((head + &learned.text).as_bytes()))?;
    Ok(Outcome::from(faults == 0))
}

/// A number from 0 to 10.
fn amount(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|x| (0.0..=10.0).contains(x))
        .ok_or_else(|| "a number from 0 to 10 is wanted".to_owned())
}

fn told(score: &Score) -> String {
    if score.positions == 0 {
        return "no positions".to_owned();
    }
    format!(
        "{}, first {:.1} %, in five {:.1} %, loss {:.3}",
        counted("position", score.positions),
        100.0 * score.first,
        100.0 * score.first_five,
        score.loss
    )
}

/// The main line of a record, played to its end.
fn load(path: &Path) -> anyhow::Result<Board> {
    let name = || path.display().to_string();
    let text = crate::files::bytes(path).map_err(|reason| anyhow::anyhow!("{}: {reason}", name()))?;
    let tree = sgf::parse(&text).map_err(|e| anyhow::anyhow!("{}: {}", name(), e.diagnostic(&text)))?;
    let game = sgf::load(&tree, &tree.line(&[]), Until::End, Rules::default())
        .map_err(|e| anyhow::anyhow!("{}: {}", name(), e.diagnostic(&text)))?;
    anyhow::ensure!(game.board.size() <= MAX_SIZE, "{}: boards up to {MAX_SIZE} can be learned from", name());
    if let Some((_, reason)) = game.stopped {
        anyhow::bail!("{}: move {} can't be played: {reason}", name(), game.moves + 1);
    }
    Ok(game.board)
}
