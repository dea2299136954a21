//! `tengen selfplay`: whole games of Go, a game record each, and a summary.

use super::Outcome;
use super::common::{Resources, SceneArgs, interruption};
use crate::batch::progress::Progress;
use crate::batch::selfplay::{self, Folder, Plan, Start};
use crate::batch::{Record, Status};
use crate::report::selfplay::Summary;
use crate::report::table::Table;
use crate::scene::Case;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// The arguments of `tengen selfplay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A Go scene with the task `SelfPlay`; of several positions the games begin in turn
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    #[command(flatten)]
    resources: Resources,
    /// How many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99_999))]
    games: u32,
    /// The folder for game-00001.sgf and so on, games.jsonl and summary.json
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Keep the games that an earlier run with the same --out finished
    #[arg(long)]
    resume: bool,
    /// No progress on stderr
    #[arg(long)]
    no_progress: bool,
}

/// Carries out `tengen selfplay`.
///
/// # Errors
/// If the command can't be carried out; what is wrong with a scene is written as `tengen run` writes it.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let pool = args.resources.pool()?;
    let cases = SceneArgs { paths: vec![args.scene] }.cases(args.resources.seed);
    let Some(starts) = starts(&cases)? else { return Ok(Outcome::Failure) };
    anyhow::ensure!(!starts.is_empty(), "the scene names no position");
    let plan = Plan { starts, seed: args.resources.seed };
    let mut folder = Folder::open(&args.out, &plan, args.resume)?;
    folder.keep_first(args.games);
    let missing: Vec<u32> = (1..=args.games).filter(|n| !folder.entries().contains_key(n)).collect();
    let mut progress = Progress::new(args.games as usize, folder.entries().len(), !args.no_progress);
    let result = selfplay::play(&pool, &plan, &missing, interruption()?, |game| {
        progress.step(true);
        folder.add(&game)
    });
    progress.finish();
    result?;
    let done = folder.entries().len();
    if done < args.games as usize {
        anyhow::bail!("interrupted after {done} of {} games; --resume goes on from there", args.games);
    }
    let summary = Summary::of(folder.entries().values());
    folder.finish(&summary.json())?;
    let mut stdout = io::stdout().lock();
    summary.write(&mut stdout)?;
    stdout.flush().context("can't write to stdout")?;
    Ok(Outcome::Success)
}

/// Where the games begin; none, and the faults on stdout, if a case is of no use.
fn starts(cases: &[Case]) -> anyhow::Result<Option<Vec<Start>>> {
    let (mut starts, mut table) = (Vec::new(), Table::default());
    for case in cases {
        match Start::of(case) {
            Ok(start) => starts.push(start),
            Err(fault) => {
                let task = case.scene.as_ref().map(|s| s.task.name());
                table.add(&Record::error(&case.id, case.domain(), task, &fault));
            }
        }
    }
    if table.total(Status::Error) == 0 {
        return Ok(Some(starts));
    }
    let mut stdout = io::stdout().lock();
    table.write(&mut stdout)?;
    stdout.flush().context("can't write to stdout")?;
    Ok(None)
}
