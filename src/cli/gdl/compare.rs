//! `tengen gdl compare`: compares this build with another build, with compiled Regular Boardgames and with other
//! reasoners. It writes one page with rates of random play, set-up times and memory.
//!
//! # Source
//! J. Kowalski and others, "Efficient Reasoning in Regular Boardgames" (2020), for Regular Boardgames (RBG), whose
//! rules are compiled to C++.
//!
//! # Steps
//! 1. Each build plays each game in a separate process. The two builds take turns, and the best round of each counts.
//! 2. The rate of RBG on this machine is estimated. It is the recorded rate of RBG, times the rate of the other build
//!    now, divided by its rate at the time of the recording. Both rates of the other build are those of the propagator
//!    of one state.
//! 3. If Python has OpenSpiel or Pgx, they play the games that they offer (`peers.py`).
//! 4. Each rulesheet of the folder is set up once in a separate process.

use super::Outcome;
use super::perf::{Peer, geometric_mean, read_peers};
use crate::files::write_file;
use crate::number_text::counted;
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use tengen_core::escaped_line;

/// Games with a recorded rate of RBG: the game, the rate of the other build then, and RBG's, in millions.
const RBG: [(&str, f64, f64); 7] = [
    ("ticTacToe", 5.8, 19.9),
    ("connectFour", 7.9, 20.7),
    ("breakthrough", 4.0, 2.2),
    ("reversi", 0.20, 1.07),
    ("gomoku_11x11", 9.8, 20.2),
    ("hex", 0.22, 5.8),
    ("skirmish", 0.19, 0.69),
];

/// Games without one.
const MORE: [&str; 10] = [
    "breakthroughSmall",
    "nineBoardTicTacToe",
    "pentago",
    "tron_10x10",
    "eightPuzzle",
    "hanoi",
    "sudokuGrade1",
    "blocksWorldParallel",
    "atariGo_7x7",
    "lightsOn",
];

/// The arguments of `tengen gdl compare`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder of the rulesheets
    folder: PathBuf,
    /// The table of other engines: game,roles,engine,state_changes_per_s,setup_cpu_s,...
    peers: PathBuf,
    /// The Markdown file to write
    out: PathBuf,
    /// The program of the other build, such as that of the commit eb9d38a
    #[arg(long)]
    against: PathBuf,
    /// The Python whose OpenSpiel and Pgx play beside; without them their columns are empty
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// How long each round of a game is
    #[arg(long, default_value_t = 1.0, value_parser = super::seconds)]
    seconds: f64,
    /// The rounds of each game and way
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..100))]
    rounds: u32,
    /// Leave out the set-up of all rulesheets
    #[arg(long)]
    no_setup: bool,
}

/// Rates of a game in state changes per second of processor time: one state, lanes.
struct Row {
    game: &'static str,
    now: [f64; 2],
    other: [f64; 2],
}

pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let peers = read_peers(&args.peers)?;
    let own = std::env::current_exe().context("this program's own path")?;
    let mut rows = Vec::new();
    for game in RBG.iter().map(|known| known.0).chain(MORE) {
        let sheet = args.folder.join(format!("{game}.kif"));
        // A folder need not have all of them.
        if !sheet.is_file() {
            continue;
        }
        let mut row = Row { game, now: [0.0; 2], other: [0.0; 2] };
        for _ in 0..args.rounds {
            for (place, way) in ["single", "lanes512"].into_iter().enumerate() {
                // The other build may know only one way for one state.
                let old_way = if place == 0 { "differential" } else { way };
                let other = rate(&args.against, &sheet, old_way, args.seconds)?;
                let now = rate(&own, &sheet, way, args.seconds)?;
                row.other[place] = row.other[place].max(other);
                row.now[place] = row.now[place].max(now);
            }
        }
        writeln!(io::stderr(), "{game}: {:.2} M/s", row.now[0] / 1e6)?;
        rows.push(row);
    }
    let live = live_rates(args, rows.iter().map(|row| row.game));
    let mut page = rates_page(&rows, &peers, &live, args);
    if !args.no_setup {
        page += &setup_table(&own, &args.folder, &peers)?;
    }
    write_file(&args.out, |file| file.write_all(page.as_bytes()))?;
    Ok(Outcome::Success)
}

/// The rate that a build says it played with.
fn rate(program: &Path, sheet: &Path, way: &str, seconds: f64) -> anyhow::Result<f64> {
    let mut command = Command::new(program);
    command.args(["gdl", "perf"]).arg(sheet).args(["-", &seconds.to_string(), "--propagator", way]);
    let out = command.output().with_context(|| program.display().to_string())?;
    let said = String::from_utf8_lossy(&out.stderr);
    let line = said.lines().find_map(|l| l.strip_suffix(" state changes per second of processor time"));
    line.and_then(|rate| rate.parse().ok()).with_context(|| {
        format!("{} says no rate of {}: {}", program.display(), sheet.display(), escaped_line(said.trim()))
    })
}

/// The script of step 3.
const PEERS: &str = include_str!("peers.py");

/// Step 3: by game and engine, in moves per second of processor time. Nothing if Python lacks them.
fn live_rates<'a>(args: &Args, games: impl Iterator<Item = &'a str>) -> BTreeMap<(String, String), f64> {
    let mut command = Command::new(&args.python);
    command.args(["-c", PEERS, &args.seconds.to_string()]).args(games);
    let Ok(out) = command.output() else { return BTreeMap::new() };
    let said = String::from_utf8_lossy(&out.stdout);
    let rate = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        Some(((words.next()?, words.next()?), words.next()?.parse().ok()?))
    };
    said.lines().filter_map(rate).collect()
}

fn millions(rate: f64) -> String {
    if rate < 1e6 { format!("{:.3}", rate / 1e6) } else { format!("{:.1}", rate / 1e6) }
}

fn rates_page(
    rows: &[Row],
    peers: &BTreeMap<String, Peer>,
    live: &BTreeMap<(String, String), f64>,
    args: &Args,
) -> String {
    let mut out = String::from("# This build beside others\n\nWritten by `tengen gdl compare`.\n\n");
    let _ = writeln!(
        out,
        "Random play on one core, goals of every ended game included, in millions of state changes per second of \
         processor time. Each way plays {} of {} s in turns, and the best counts. *Other* is the build given by \
         `--against`: its differential propagator and its 512 lanes. *RBG* is its recorded rate times (other now / \
         other then). Sancho's and ggplib's rates are recorded ones. OpenSpiel plays one state through its \
         Python interface, Pgx 4,096 games at once; both were measured in this run.\n",
        counted("round", args.rounds as usize),
        args.seconds
    );
    let _ = writeln!(
        out,
        "| game | one state | other | ratio | RBG | ratio | lanes | other | ratio | lanes / RBG | Sancho | ggplib | OpenSpiel | Pgx |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    let nobody = Peer::default();
    let mut of_rbg: [Vec<f64>; 2] = Default::default();
    let mut of_other = Vec::new();
    for row in rows {
        let peer = peers.get(row.game).unwrap_or(&nobody);
        let of_now = |engine: &str| live.get(&(row.game.to_owned(), engine.to_owned())).copied();
        let known = |rate: Option<f64>| rate.map_or_else(|| "-".to_owned(), millions);
        let rbg = RBG.iter().find(|known| known.0 == row.game);
        let rbg = rbg.map(|&(_, then, rbg)| rbg * row.other[0] / then);
        let ratio = |a: f64, b: Option<f64>| b.map_or_else(|| "-".to_owned(), |b| format!("{:.2}", a / b));
        match rbg {
            Some(rbg) => (0..2).for_each(|place| of_rbg[place].push(row.now[place] / rbg)),
            None => of_other.push(row.now[0] / row.other[0]),
        }
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.game,
            millions(row.now[0]),
            millions(row.other[0]),
            ratio(row.now[0], Some(row.other[0])),
            known(rbg),
            ratio(row.now[0], rbg),
            millions(row.now[1]),
            millions(row.other[1]),
            ratio(row.now[1], Some(row.other[1])),
            ratio(row.now[1], rbg),
            known(peer.sancho),
            known(peer.ggplib),
            known(of_now("openspiel")),
            known(of_now("pgx"))
        );
    }
    let least = |ratios: &[f64]| ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let _ = writeln!(
        out,
        "\nGeometric means: one state {:.2} of RBG on the games that have its rate (least {:.2}), lanes {:.1} (least \
         {:.2}); one state {:.2} times the other build on the others (least {:.2}).",
        geometric_mean(&of_rbg[0]),
        least(&of_rbg[0]),
        geometric_mean(&of_rbg[1]),
        least(&of_rbg[1]),
        geometric_mean(&of_other),
        least(&of_other)
    );
    out
}

/// What a set-up said: seconds of processor time and megabytes, or why there is no net.
fn set_up(own: &Path, sheet: &Path) -> anyhow::Result<(String, String, String)> {
    // The limits are those of a player with a clock.
    let mut command = Command::new(own);
    command.args(["gdl", "net"]).arg(sheet).args(["--setup", "60", "--tables", "640"]);
    let out = command.output().context("this program's own path")?;
    let said = String::from_utf8_lossy(&out.stderr);
    let figures = |line: &str| {
        let (_, figures) = line.rsplit_once(": ")?;
        let (seconds, peak) = figures.split_once(" s, ")?;
        Some((seconds.to_owned(), peak.strip_suffix(" MB at most")?.to_owned()))
    };
    let (seconds, peak) = said.lines().find_map(figures).unwrap_or_else(|| ("-".into(), "-".into()));
    let why = said.lines().find_map(|l| l.split_once(": no net: ")).map_or("", |found| found.1);
    Ok((seconds, peak, why.replace('|', "\\|")))
}

/// Step 4.
fn setup_table(own: &Path, folder: &Path, peers: &BTreeMap<String, Peer>) -> anyhow::Result<String> {
    let mut sheets: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "kif"))
        .collect();
    sheets.sort();
    let mut out = String::from(
        "\n## Set-up\n\nSeconds of processor time until the net is there, and the most memory of the process. \
         Sancho's seconds are recorded ones.\n\n| rulesheet | seconds | MB | Sancho's seconds | without a net |\n|---|---:|---:|---:|---|\n",
    );
    let (mut with_figure, mut shorter) = (0, 0);
    for sheet in &sheets {
        let name = sheet.file_stem().unwrap_or_default().to_string_lossy();
        let (seconds, peak, why) = set_up(own, sheet)?;
        let theirs = peers.get(&*name).and_then(|peer| peer.setup);
        if let Some(theirs) = theirs {
            with_figure += 1;
            shorter += usize::from(why.is_empty() && seconds.parse().is_ok_and(|ours: f64| ours < theirs));
        }
        let theirs = theirs.map_or_else(|| "-".to_owned(), |s| s.to_string());
        let _ = writeln!(out, "| {} | {seconds} | {peak} | {theirs} | {why} |", escaped_line(&name));
    }
    let _ = writeln!(out, "\nShorter than Sancho's on {shorter} of {with_figure} rulesheets with a figure.");
    Ok(out)
}
