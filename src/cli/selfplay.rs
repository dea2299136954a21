//! `tengen selfplay`: plays whole games of Go, chess or a rulesheet. It writes a game record for each game, and a
//! summary.

use super::Outcome;
use super::common::{EffortArgs, ExistingArgs, JudgeArgs, Resources, SceneArgs, stop_on_interruption};
use crate::batch::progress::Progress;
use crate::batch::selfplay::folder::manifest;
use crate::batch::selfplay::live::Live;
use crate::batch::selfplay::sequential::Sequential;
use crate::batch::selfplay::summary::Summary;
use crate::batch::selfplay::{self, Folder, Plan, merge};
use crate::batch::shard::Shard;
use crate::judges;
use crate::number_text::counted;
use crate::record::Record;
use crate::report::table::{Look, Table};
use crate::scene::Case;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use tengen_core::{Diagnostic, escaped, escaped_line};

/// The arguments of `tengen selfplay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A scene with the task `SelfPlay`; of several positions the games begin in turn
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    /// How many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99_999))]
    games: u32,
    /// The folder for game-00001.sgf (chess: .pgn, GDL: .json) and so on, games.jsonl and summary.json
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Keep all games in one file, all-games.sgf (chess: .pgn, GDL: .json, one value after the other), instead of a file
    /// each
    #[arg(long)]
    one_file: bool,
    #[command(flatten)]
    existing: ExistingArgs,
    /// Play only the i-th of N shards, every N-th game, into a folder of its own; `tengen merge` puts them together
    #[arg(long, value_name = "i/N")]
    shard: Option<Shard>,
    /// The day that game records bear, as 2026.11.25; without it they bear none, and are the same on any day
    #[arg(long, value_name = "DATE", value_parser = date)]
    date: Option<String>,
    /// Let the scene start the programs that it names as players or judge, and ask those that listen at addresses
    #[arg(long)]
    allow_commands: bool,
    /// No progress on stderr
    #[arg(long)]
    no_progress: bool,
}

/// Carries out `tengen selfplay`.
///
/// # Errors
/// If the command cannot run. Faults of a scene are written as by `tengen run`.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let pool = args.resources.pool()?;
    let cases = SceneArgs::of(args.scene.clone()).cases(args.resources.seed);
    let mut plan = match Plan::of(&cases, args.resources.seed) {
        Ok(plan) => plan,
        Err(faults) if faults.is_empty() => anyhow::bail!("the scene names no position"),
        Err(faults) => return refuse(&cases, &faults),
    };
    plan.effort = args.effort.in_force().or(plan.effort);
    let by_scene = plan.judge.as_ref().map(|judge| judge.0.name()).filter(|name| judges::is_command(name));
    if let Some(command) = by_scene.filter(|_| !args.allow_commands && !args.judge.is_given()) {
        anyhow::bail!(
            "the scene lets another program judge, `{}`: allow it by --allow-commands",
            escaped_line(&command)
        );
    }
    plan.judge = args.judge.in_force().or(plan.judge);
    plan.date = args.date;
    plan.one_file = args.one_file;
    if let Some(command) = plan.commands().next().filter(|_| !args.allow_commands) {
        anyhow::bail!(
            "the scene lets another program play, `{}`: allow it by --allow-commands",
            escaped_line(command)
        );
    }
    anyhow::ensure!(
        args.shard.is_none() || plan.sprt.is_none(),
        "a sequential test looks at all games in turn: take `sprt` out of the scene, or play without --shard"
    );
    let interrupted = stop_on_interruption()?;
    if let Err(error) = selfplay::try_programs(&plan, &interrupted) {
        anyhow::bail!("{error}: no game is played, and {} is left as it is", args.out.display());
    }
    let manifest = merge::marked(manifest(&plan, &cases), args.shard, &args.scene);
    let live = Arc::new(Live::of(&args.out));
    plan.live = Some(live.clone());
    let mut folder = Folder::open(&args.out, &plan, &manifest, args.existing.existing())?;
    live.begin();
    if folder.dropped() > 0 {
        let games = counted("game", folder.dropped());
        writeln!(io::stderr(), "played again, since the record was torn or altered: {games}")?;
    }
    folder.keep_first(args.games);
    let (mut broken, mut test) = (Vec::new(), Sequential::of(&plan));
    let mut decided = test.as_mut().and_then(|test| test.look(&plan, folder.entries(), &[]));
    let numbers = args.shard.unwrap_or(Shard::WHOLE).select((1..=args.games).collect());
    let wanted = numbers.len();
    let missing: Vec<u32> = match decided {
        Some(_) => Vec::new(),
        None => numbers.into_iter().filter(|n| !folder.entries().contains_key(n)).collect(),
    };
    let mut progress = Progress::new(Some(wanted), folder.entries().len(), !args.no_progress);
    let result = selfplay::play(&pool, &plan, &missing, &interrupted, |played| {
        progress.step(played.is_ok());
        match played {
            Ok(game) => folder.add(&game)?,
            Err(game) => broken.push(game),
        }
        live.standing(|| Summary::of(&plan, folder.entries().iter().map(|(&n, entry)| (n, entry))).json());
        let lost: Vec<u32> = broken.iter().map(|game| game.number).collect();
        decided = test.as_mut().and_then(|test| test.look(&plan, folder.entries(), &lost));
        Ok(if decided.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    progress.finish();
    result?;
    if let Some((last, _)) = decided {
        folder.remove_after(last)?;
        broken.retain(|game| game.number <= last);
    }
    broken.sort_by_key(|game| game.number);
    for game in broken.iter().take(NAMED) {
        writeln!(io::stderr(), "game {} could not be played: {}", game.number, escaped(&game.reason))?;
    }
    let done = folder.entries().len();
    if decided.is_none() && done + broken.len() < wanted {
        anyhow::bail!("interrupted after {done} of {}; --resume goes on from there", counted("game", wanted));
    }
    let summary = Summary::of(&plan, folder.entries().iter().map(|(&number, entry)| (number, entry)));
    folder.finish(&summary.json())?;
    let mut stdout = io::stdout().lock();
    if done > 0 {
        let mut text = Vec::new();
        summary.write(&mut text)?;
        write!(stdout, "{}", escaped(&String::from_utf8_lossy(&text)))?;
    }
    stdout.flush().context("can't write to stdout")?;
    if let Some((last, _)) = decided.filter(|&(last, _)| last < args.games) {
        writeln!(
            io::stderr(),
            "the test is decided after {last} of {} games: the others are not played",
            args.games
        )?;
    }
    if !broken.is_empty() {
        writeln!(io::stderr(), "{} of {} could not be played", broken.len(), counted("game", wanted))?;
    }
    Ok(broken.is_empty().into())
}

/// A date as PGN has it.
fn date(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split(['.', '-']).collect();
    let number = |n: usize, digits: usize, range: std::ops::RangeInclusive<u32>| {
        let part = parts.get(n).filter(|p| p.len() == digits && p.bytes().all(|b| b.is_ascii_digit()));
        part.and_then(|p| p.parse().ok()).is_some_and(|value| range.contains(&value))
    };
    let good = parts.len() == 3 && number(0, 4, 1..=9999) && number(1, 2, 1..=12) && number(2, 2, 1..=31);
    if good { Ok(parts.join(".")) } else { Err("write year, month and day, as in 2026.11.25".into()) }
}

/// The number of unplayable games that are named one by one.
const NAMED: usize = 5;

/// The faults on stdout, as `tengen run` writes them.
fn refuse(cases: &[Case], faults: &[(usize, Diagnostic)]) -> anyhow::Result<Outcome> {
    let mut table = Table::default();
    for (index, fault) in faults {
        let case = &cases[*index];
        let task = case.scene.as_ref().map(|s| s.task.name());
        table.add(&Record::error(&case.id, case.domain(), task, fault));
    }
    let mut stdout = io::stdout().lock();
    table.write(&mut stdout, Look::of_stdout(), None)?;
    stdout.flush().context("can't write to stdout")?;
    Ok(Outcome::Failure)
}
