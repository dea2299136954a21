//! `tengen report`: writes a page for each game, with its lead, key moments and lost groups.

use super::Outcome;
use super::common::{EffortArgs, JudgeArgs, PatternArgs};
use crate::batch::progress::Progress;
use crate::files::{FolderLock, stem, write_file};
use crate::number_text::counted;
use crate::report::game::{self, look};
use crate::report::step::ReportProgress;
use crate::report::summary;
use crate::scene::GameRecord;
use crate::scene::paths;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tengen_core::{Diagnostic, escaped_line};
use tengen_go::{Effort, GoEngine};

/// The arguments of `tengen report`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Game records (`.sgf`), folders of them, or globs in quotes
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Where the pages go; `index.html` is the summary
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write over the report that the folder of --out holds
    #[arg(long)]
    force: bool,
    /// Look at every N-th position of a game
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    /// Write the records too, with the sentences as comments
    #[arg(long)]
    sgf: bool,
    /// No progress on stderr
    #[arg(long)]
    no_progress: bool,
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// Carries out `tengen report`.
///
/// # Errors
/// If the folder holds a report or cannot be written. A bad record is reported on stderr and in the summary. Without a
/// game that can be read nothing is written.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let mut engine = GoEngine::new(1);
    engine.read_under(Effort::of(args.effort.in_force().unwrap_or_default()));
    engine.judge_by(args.judge.in_force().unwrap_or_default());
    if let Some(patterns) = args.patterns.load()? {
        engine.world_mut().insert_resource(patterns);
    }
    let summed_up = args.out.join("index.html");
    anyhow::ensure!(
        args.force || !summed_up.exists(),
        "{} holds pages already: take another folder, or --force to write over them",
        args.out.display()
    );
    let (files, unusable) = paths::game_files(&args.games);
    let every = usize::from(args.every);
    let positions = |path: &PathBuf| game::positions(&GameRecord::read(path)?, every);
    let total: Vec<Result<usize, Diagnostic>> = files.iter().map(positions).collect();
    // A folder without a page of a game would be in the way of the next report.
    let lock = if total.iter().any(Result::is_ok) { Some(lock(&args.out)?) } else { None };
    let total: usize = total.into_iter().filter_map(Result::ok).sum();
    let mut progress = Progress::new(Some(total), 0, !args.no_progress);
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for (path, reason) in unusable {
        let fault = format!("can't use {}: {reason}", path.display());
        progress.print(&escaped_line(&fault));
        faults.push(fault);
    }
    for (number, path) in files.iter().enumerate() {
        progress.print(&escaped_line(&path.display().to_string()));
        match one(&args, &mut engine, path, number, &mut progress) {
            Ok(game) => {
                let (report, file) = game?;
                if let Some(fault) = &report.stopped {
                    progress.print(fault);
                    faults.push(fault.clone());
                }
                games.push((report, file));
            }
            Err(fault) => {
                progress.print(&fault.to_string());
                faults.push(fault.to_string());
            }
        }
    }
    progress.finish();
    if lock.is_none() || games.is_empty() {
        writeln!(
            io::stderr(),
            "no game was read: {} gets no pages",
            escaped_line(&args.out.display().to_string())
        )?;
        return Ok(Outcome::Failure);
    }
    write(&summed_up, &summary::page_of(&games, &faults))?;
    // Whoever closed stdout has the pages all the same.
    let _ = writeln!(
        io::stdout(),
        "{} in {}",
        counted("game", games.len()),
        escaped_line(&summed_up.display().to_string())
    );
    Ok(Outcome::from(faults.is_empty()))
}

/// Makes a folder and takes its lock.
fn lock(folder: &Path) -> anyhow::Result<FolderLock> {
    std::fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    FolderLock::take_for_now(folder)
}

type Written = anyhow::Result<(crate::report::game::GameReport, String)>;

fn one(
    args: &Args,
    engine: &mut GoEngine,
    path: &Path,
    number: usize,
    progress: &mut Progress,
) -> Result<Written, Diagnostic> {
    let record = GameRecord::read(path)?;
    for warning in record.warnings() {
        progress.print(&warning.to_string());
    }
    let name = stem(path).into_owned();
    let mut on_progress = |event: ReportProgress| match event {
        ReportProgress::More(count) => progress.more(count),
        ReportProgress::Done => progress.step(true),
    };
    let report = look(engine, &record, &name, usize::from(args.every), &mut on_progress)?;
    let page = report.page();
    // Two games may bear the same name.
    let file = format!("{:03}-{name}", number + 1);
    let written = write(&args.out.join(format!("{file}.html")), &page).and_then(|()| {
        if args.sgf { write(&args.out.join(format!("{file}.sgf")), &report.sgf(&record)) } else { Ok(()) }
    });
    Ok(written.map(|()| (report, format!("{file}.html"))))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    write_file(path, |file| file.write_all(text.as_bytes()))
}
