//! The input that the viewer opened. A page names a file only by its place in the listing of the folder, so no other
//! file can be requested. Game records that a reader dropped on a page stay in memory.

use super::analysis_cache::AnalysisCache;
use super::opened_games::OpenedGames;
use super::scenes::Scenes;
use super::selfplay::Games;
use super::table::Table;
use super::watched::Watched;
use crate::scene::GameRecord;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tengen_core::profiler::trace::Trace;

/// The most game records of a folder that are listed.
pub(super) const LISTED: usize = 5000;

/// The game records below a folder, by their paths in it. Links are not followed.
#[must_use]
pub fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && crate::files::ending(&path).as_deref() == Some("sgf") {
                found.extend(path.strip_prefix(folder).ok().and_then(Path::to_str).map(str::to_owned));
            }
        }
        if found.len() > LISTED {
            break;
        }
    }
    found.sort_unstable();
    found.truncate(LISTED);
    found
}

/// The opened thing.
pub enum Root {
    /// Nothing: an empty board of this size.
    Empty(usize),
    /// One game record.
    Record(PathBuf),
    /// A folder of game records.
    Folder(PathBuf),
    /// The cases of scenes.
    Scenes(Scenes),
    /// The `--out` folder of a batch.
    Out(PathBuf),
    /// A self-play run.
    Games(Games),
    /// A trace of a profile.
    Trace(Trace),
    /// Games or positions of chess.
    Chess(OpenedGames),
    /// A rulesheet.
    Rules(Arc<Table>),
    /// A rulesheet that is read again whenever it is saved.
    Watched(Watched),
}

/// All that pages read.
pub struct Site {
    /// The opened thing.
    pub root: Root,
    /// The engine for positions.
    pub analysis_cache: AnalysisCache,
    /// The folder for edited patterns.
    pub patterns: Option<PathBuf>,
    /// Records that a person dropped on a page, by number; the oldest give way.
    dropped: Mutex<VecDeque<(usize, GameRecord)>>,
    /// The biggest mistake of each record whose moves were all looked at.
    mistakes: Mutex<BTreeMap<String, Option<Mistake>>>,
}

/// A move that lost points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The node of the move.
    pub node: usize,
    /// Its number.
    pub number: usize,
    /// Whether Black played it.
    pub is_black: bool,
    /// Points lost.
    pub points: f32,
}

/// Dropped records that are kept.
const DROPPED: usize = 16;
/// The names of dropped records begin so.
const DROP: &str = "drop-";

impl Site {
    /// The opened thing, analysed by this cache; edited patterns go to the folder.
    #[must_use]
    pub fn new(root: Root, analysis_cache: AnalysisCache, patterns: Option<PathBuf>) -> Self {
        let (dropped, mistakes) = (Mutex::new(VecDeque::new()), Mutex::new(BTreeMap::new()));
        Self { root, analysis_cache, patterns, dropped, mistakes }
    }

    /// Keeps a record that a person dropped on a page; its name in addresses.
    pub(super) fn keep(&self, record: GameRecord) -> String {
        let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        let number = dropped.back().map_or(1, |(last, _)| last + 1);
        dropped.push_back((number, record));
        if dropped.len() > DROPPED {
            dropped.pop_front();
        }
        format!("{DROP}{number}")
    }

    /// A dropped record by its name in addresses.
    fn dropped(&self, name: &str) -> Option<Result<GameRecord, String>> {
        let number: usize = name.strip_prefix(DROP)?.parse().ok()?;
        let dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        let found = dropped.iter().find(|(n, _)| *n == number).map(|(_, record)| record.clone());
        Some(found.ok_or_else(|| "that file is not kept any more: drop it again".into()))
    }

    /// Notes the biggest mistake of a record.
    pub(super) fn note_mistake(&self, file: &str, mistake: Option<Mistake>) {
        self.mistakes.lock().unwrap_or_else(PoisonError::into_inner).insert(file.into(), mistake);
    }

    /// The biggest mistake of a record, if all its moves were looked at.
    pub(super) fn mistake(&self, file: &str) -> Option<Option<Mistake>> {
        self.mistakes.lock().unwrap_or_else(PoisonError::into_inner).get(file).copied()
    }

    /// The games and positions of chess that were opened.
    pub(super) const fn opened_games(&self) -> Option<&OpenedGames> {
        match &self.root {
            Root::Chess(games) => Some(games),
            Root::Scenes(scenes) => Some(&scenes.opened_games),
            _ => None,
        }
    }

    /// The rulesheet that is watched.
    pub(super) const fn watched(&self) -> Option<&Watched> {
        if let Root::Watched(watched) = &self.root { Some(watched) } else { None }
    }

    /// The rulesheet that was opened, or that of this number among those of the scenes.
    ///
    /// # Errors
    /// If there is none, or its faults.
    pub(super) fn table(&self, number: &str) -> Result<Arc<Table>, String> {
        match &self.root {
            Root::Rules(table) => Ok(Arc::clone(table)),
            Root::Watched(watched) => watched.table(),
            Root::Scenes(scenes) => scenes.table(number),
            Root::Games(games) => games.table(),
            _ => Err("no rulesheet was opened".into()),
        }
    }

    /// The record of that name, if the opened folder lists it.
    ///
    /// # Errors
    /// A message for the person.
    pub fn record(&self, name: &str) -> Result<Option<GameRecord>, String> {
        if let Some(dropped) = self.dropped(name) {
            return dropped.map(Some);
        }
        let path = match &self.root {
            Root::Record(path) => path.clone(),
            Root::Folder(folder) => {
                let listed = listing(folder).into_iter().find(|n| n == name);
                folder.join(listed.ok_or_else(|| format!("the folder has no game record `{name}`"))?)
            }
            Root::Games(games) => return games.go(name).map(Some),
            _ => return Ok(None),
        };
        GameRecord::read(&path).map(Some).map_err(|fault| fault.to_string())
    }
}
