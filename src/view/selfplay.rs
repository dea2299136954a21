//! An opened folder of a self-play run: the records of finished games, and the snapshots of running games that [`live`]
//! writes.

use super::opened_games::Record;
use super::table::Table;
use crate::batch::run_folder::{MANIFEST, Manifest, content_hash};
use crate::batch::selfplay::file_name::file_name;
use crate::batch::selfplay::folder::{Over, SCHEMA};
use crate::batch::selfplay::live;
use crate::files;
use crate::scene::GameRecord;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A self-play run that was opened.
pub struct Games {
    pub(super) folder: PathBuf,
    pub(super) sheet: OnceLock<Result<Arc<Table>, String>>,
    /// Rows of games that are over: their records change no more.
    pub(super) rows: Mutex<BTreeMap<u32, Row>>,
}

/// The row of a game in the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) players: Vec<String>,
    pub(super) result: String,
    pub(super) moves: usize,
    pub(super) end: String,
}

impl Games {
    /// The run of a folder; `None` if it holds no self-play.
    #[must_use]
    pub fn open(folder: &Path) -> Option<Self> {
        let is_selfplay = manifest(folder)?.schema.split('/').next() == SCHEMA.split('/').next();
        let games = || Self { folder: folder.into(), sheet: OnceLock::new(), rows: Mutex::default() };
        is_selfplay.then(games)
    }

    /// A game's file, and whether the game is over.
    pub(super) fn file(&self, number: u32) -> Result<(String, Vec<u8>, bool), String> {
        if let Some(over) = Over::of(&self.folder)
            && let Some(bytes) = over.record(number)
        {
            return Ok((over.extension().into(), bytes, true));
        }
        let playing = live::playing(&self.folder).into_iter().find(|(n, _)| *n == number);
        let path = playing.ok_or_else(|| {
            format!("game {number} is not played yet, or goes on for less than half a second, or has no whole record")
        })?;
        let extension = path.1.extension().and_then(|e| e.to_str()).unwrap_or_default().to_owned();
        let bytes =
            files::bytes(&path.1).map_err(|why| format!("game {number} has ended just now, or {why}"))?;
        Ok((extension, bytes, false))
    }

    /// The record of a game of Go by its name in an address.
    pub(super) fn go(&self, name: &str) -> Result<GameRecord, String> {
        let number = live::number(name).ok_or_else(|| format!("the run has no game `{name}`"))?;
        GameRecord::parse(Path::new(name), self.file(number)?.1).map_err(|fault| fault.to_string())
    }

    /// The names of the games that are over.
    pub(super) fn names(&self) -> Vec<String> {
        let over = Over::of(&self.folder).unwrap_or_default();
        over.numbers().map(|number| file_name(number, over.extension())).collect()
    }

    /// A game of chess by its number in an address.
    pub(super) fn chess(&self, number: &str) -> Result<Arc<Record>, String> {
        let number = number.parse().map_err(|_| format!("`{number}` is no number of a game"))?;
        let (_, bytes, _) = self.file(number)?;
        let record = Record::of_text(&String::from_utf8_lossy(&bytes));
        record.map(Arc::new).ok_or_else(|| format!("game {number} can't be read"))
    }

    /// The played rulesheet, in its state at the beginning of the run.
    pub(super) fn table(&self) -> Result<Arc<Table>, String> {
        self.sheet.get_or_init(|| rulesheet(&self.folder).map(Arc::new)).clone()
    }

    /// On to a game by rulesheet, its moves spelled as addresses have them.
    pub(super) fn at_rules(&self, number: &str) -> Result<String, String> {
        let number = number.parse().map_err(|_| format!("`{number}` is no number of a game"))?;
        let line = self.table()?.spelled_line(&moves(&json(&self.file(number)?.1)?))?;
        Ok(format!("play?moves={line}"))
    }

    /// The row of a game that is over.
    pub(super) fn row(&self, over: &Over, number: u32) -> Option<Row> {
        let known = self.rows.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned();
        known.or_else(|| {
            let row = row(over.extension(), &over.record(number)?)?;
            self.rows.lock().unwrap_or_else(PoisonError::into_inner).insert(number, row.clone());
            Some(row)
        })
    }

    pub(super) fn extension(&self) -> String {
        let playing = || {
            let path = live::playing(&self.folder).into_iter().next()?.1;
            Some(path.extension()?.to_str()?.to_owned())
        };
        Over::of(&self.folder).map(|over| over.extension().to_owned()).or_else(playing).unwrap_or_default()
    }
}

pub(super) fn manifest(folder: &Path) -> Option<Manifest> {
    serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()
}

/// The only rulesheet among a run's inputs, if it is unchanged.
pub(super) fn rulesheet(folder: &Path) -> Result<Table, String> {
    let inputs = manifest(folder).map(|m| m.inputs).unwrap_or_default();
    let is_rules = |name: &str| Path::new(name).extension().is_some_and(|e| e == "kif" || e == "gdl");
    let mut sheets = inputs.into_iter().filter(|(name, _)| is_rules(name));
    let (Some((name, hash)), None) = (sheets.next(), sheets.next()) else {
        return Err("the run does not say which one rulesheet it plays".into());
    };
    let bytes = fs::read(&name).map_err(|e| {
        format!("can't read the rulesheet {name}: {e}; start the viewer where the run was started")
    })?;
    if content_hash(&bytes) != hash {
        return Err(format!("the rulesheet {name} has changed since the run began"));
    }
    Table::open_in_time(Path::new(&name)).map_err(|e| format!("{e:#}"))
}

pub(super) fn json(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map_err(|_| "the record can't be read".into())
}

/// The joint moves of a match record.
pub(super) fn moves(record: &Value) -> Vec<Vec<String>> {
    serde_json::from_value(record["moves"].clone()).unwrap_or_default()
}

/// The row of a game in the list, from its record.
pub(super) fn row(extension: &str, bytes: &[u8]) -> Option<Row> {
    match extension {
        "sgf" => {
            let record = GameRecord::parse(Path::new("game"), bytes.to_vec()).ok()?;
            let root = record.tree.nodes.first()?;
            let said = |name: &str| root.get(name).unwrap_or("?").to_owned();
            let end = root.get("GC").and_then(|note| note.strip_prefix("end: ")).unwrap_or_default();
            Some(Row {
                players: vec![said("PB"), said("PW")],
                result: said("RE"),
                moves: record.moves(&record.tree.line(&[])),
                end: end.to_owned(),
            })
        }
        "pgn" => {
            let record = Record::of_text(&String::from_utf8_lossy(bytes))?;
            let said = |name: &str| record.tag(name).to_owned();
            let end = said("Termination");
            Some(Row {
                players: vec![said("White"), said("Black")],
                result: said("Result"),
                moves: record.last_board().map_or(0, |(_, plies)| plies),
                end: if end == "?" { "none yet".into() } else { end },
            })
        }
        _ => {
            let record = json(bytes).ok()?;
            let players: Vec<String> = serde_json::from_value(record["players"].clone()).ok()?;
            let goals: Vec<Vec<String>> = serde_json::from_value(record["goals"].clone()).ok()?;
            Some(Row {
                players,
                result: goals.iter().map(|g| g.join("/")).collect::<Vec<_>>().join(" : "),
                moves: record["moves"].as_array()?.len(),
                end: record["end"].as_str()?.to_owned(),
            })
        }
    }
}
