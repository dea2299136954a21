//! `tengen view`: shows games, scenes, runs and profiles in a browser.

use super::Outcome;
use super::common::{EffortArgs, JudgeArgs, PatternArgs, SceneArgs, print};
use crate::scene::cases::of_files;
use crate::scene::plain_files::PlainFiles;
use crate::view::analysis_cache::AnalysisCache;
use crate::view::opened_games::OpenedGames;
use crate::view::profile;
use crate::view::scenes::Scenes;
use crate::view::selfplay::Games;
use crate::view::server;
use crate::view::site::{Root, Site, listing};
use crate::view::table::Table;
use crate::view::watched::Watched;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `tengen view`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A game record (`.sgf`, `.pgn`), a folder of `.sgf` or `.kif`, positions (`.epd`, `.fen`, a FEN in quotes), a
    /// rulesheet (`.kif`), a scene (`.ron`). Or the `--out` folder of a batch or of self-play, or a trace of
    /// `tengen profile` (`.json`). Without it, an empty board
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Lines of the empty board
    #[arg(long, default_value_t = 19, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=25))]
    size: u8,
    /// The port of the loopback address; 0 takes a free one
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    port: u16,
    /// Read the rulesheet again whenever it is saved; the moves stay as far as they are legal
    #[arg(long, requires = "path")]
    watch: bool,
    /// Print the address and open nothing
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// Carries out `tengen view`: prints the address and serves until it is ended.
///
/// # Errors
/// If there is nothing to show at the path, or the port is taken.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let root = match &args.path {
        None => Root::Empty(usize::from(args.size)),
        Some(path) => {
            let root = root(path, args.watch)?;
            let watches = matches!(root, Root::Watched(_));
            anyhow::ensure!(watches || !args.watch, "--watch is for a rulesheet (.kif)");
            root
        }
    };
    let cache = AnalysisCache::new(args.patterns.load()?, args.effort.in_force().unwrap_or_default())
        .judged_by(args.judge.in_force().unwrap_or_default());
    let site = Site::new(root, cache, args.patterns.patterns.clone());
    server::serve(site, args.port, |address| {
        print(&format!("{address}\n"))?;
        if !args.no_open {
            open(address);
        }
        Ok(())
    })?;
    Ok(Outcome::Success)
}

/// The kind of input at a path.
fn root(path: &Path, watch: bool) -> anyhow::Result<Root> {
    let shown = path.display();
    let kind = match std::fs::metadata(path) {
        Ok(kind) => kind,
        Err(e) => match path.to_str().and_then(OpenedGames::of_text) {
            Some(position) => return Ok(Root::Chess(position)),
            None => anyhow::bail!("can't open {shown}: {e}"),
        },
    };
    if kind.is_dir() {
        if path.join("records.jsonl").is_file() {
            return Ok(Root::Out(path.into()));
        }
        if let Some(games) = Games::open(path) {
            return Ok(Root::Games(games));
        }
        let sheets = rulesheets(path);
        if listing(path).is_empty() && !sheets.is_empty() {
            return Ok(Root::Scenes(Scenes::new(of_files(&sheets, 1, &PlainFiles::default()))));
        }
        anyhow::ensure!(
            !listing(path).is_empty(),
            "{shown} holds no game record (.sgf), no rulesheet (.kif) and no run (records.jsonl, run.json)"
        );
        return Ok(Root::Folder(path.into()));
    }
    match crate::files::ending(path).as_deref() {
        Some("sgf") => Ok(Root::Record(path.into())),
        Some("pgn" | "epd" | "fen") => Ok(Root::Chess(OpenedGames::open(path)?)),
        Some("kif" | "gdl") if watch => Ok(Root::Watched(Watched::open(path))),
        Some("kif" | "gdl") => Ok(Root::Rules(Arc::new(Table::open_in_time(path)?))),
        Some("json") => Ok(Root::Trace(profile::open(path)?)),
        Some("ron") => Ok(Root::Scenes(Scenes::new(SceneArgs::of(path.into()).cases(1)))),
        _ => anyhow::bail!(
            "{shown} is no game record (.sgf, .pgn), no position (.epd, .fen), no rulesheet (.kif), no scene (.ron), no trace of a profile (.json) and no folder"
        ),
    }
}

/// The rulesheets of a folder.
fn rulesheets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_sheet = |path: &PathBuf| path.extension().is_some_and(|e| e == "kif" || e == "gdl");
    let mut sheets: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_sheet).collect();
    sheets.sort();
    sheets
}

/// Asks the desktop to open an address. Without a desktop the printed address remains.
fn open(address: &str) {
    let address = address.to_owned();
    // The launchers of some desktops take their time, and the server does not wait for them.
    std::thread::spawn(move || ::open::that_detached(address));
}
