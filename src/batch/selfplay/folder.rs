//! The folder of a self-play run: a game record a game, `games.jsonl` in the order of the games, `summary.json`.
//!
//! The game records are all there is to know: a record is written under another name and renamed, so that it is there
//! whole or not at all, and the line of a game in `games.jsonl` is read off its record. A killed run goes on with the
//! games that have none.

use super::{End, Finished, Plan};
use crate::batch::record::{rounded, signature};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tengen_go::board::sgf;

/// What `games.jsonl` and the summary know of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Moves and passes, those of its start not counted.
    pub moves: usize,
    /// White's points less Black's, komi included.
    pub white_lead: f32,
    /// Why it is over.
    pub end: End,
    /// A hash of the game record's bytes.
    pub signature: u32,
}

/// The folder of a run.
#[derive(Debug)]
pub struct Folder<'a> {
    path: PathBuf,
    plan: &'a Plan,
    entries: BTreeMap<u32, Entry>,
}

impl<'a> Folder<'a> {
    /// Opens the folder for a run. With `resume` the games that are there count as played; without, they go.
    ///
    /// # Errors
    /// If the folder can't be written, or holds another run.
    pub fn open(path: &Path, plan: &'a Plan, resume: bool) -> anyhow::Result<Self> {
        fs::create_dir_all(path).with_context(|| format!("can't make the folder {}", path.display()))?;
        let manifest = format!("{}\n", manifest(plan));
        let manifest_path = path.join("run.json");
        let old = fs::read_to_string(&manifest_path).ok();
        let mut folder = Self { path: path.into(), plan, entries: BTreeMap::new() };
        let there = folder.numbers()?;
        match old {
            Some(old) if resume && old != manifest => {
                bail!(
                    "{} holds a run of another scene or seed: give the same, or leave --resume out",
                    path.display()
                );
            }
            Some(_) if resume => {
                for number in there {
                    let text = fs::read(folder.record_path(number))?;
                    folder.entries.extend(entry(plan, number, &text).map(|e| (number, e)));
                }
                return Ok(folder);
            }
            Some(_) => there.into_iter().try_for_each(|n| fs::remove_file(folder.record_path(n)))?,
            None if !there.is_empty() => {
                bail!("{} holds game records of no run: name another folder", path.display())
            }
            None => {}
        }
        write_whole(&manifest_path, manifest.as_bytes())?;
        Ok(folder)
    }

    /// The games that are played.
    #[must_use]
    pub const fn entries(&self) -> &BTreeMap<u32, Entry> {
        &self.entries
    }

    /// Leaves games above this number out of account; their records stay.
    pub fn keep_first(&mut self, games: u32) {
        self.entries.retain(|&number, _| number <= games);
    }

    /// Keeps a game's record.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn add(&mut self, game: &Finished) -> anyhow::Result<()> {
        let text = record(self.plan, game);
        write_whole(&self.record_path(game.number), text.as_bytes())?;
        let entry =
            entry(self.plan, game.number, text.as_bytes()).context("a game record can't be read back")?;
        self.entries.insert(game.number, entry);
        Ok(())
    }

    /// Writes `games.jsonl`, in the order of the games, and `summary.json`.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn finish(&self, summary: &Value) -> anyhow::Result<()> {
        let lines: String =
            self.entries.iter().map(|(&n, entry)| format!("{}\n", line(self.plan, n, entry))).collect();
        write_whole(&self.path.join("games.jsonl"), lines.as_bytes())?;
        write_whole(&self.path.join("summary.json"), format!("{summary:#}\n").as_bytes())
    }

    fn record_path(&self, number: u32) -> PathBuf {
        self.path.join(file_name(number))
    }

    /// The numbers of the game records in the folder.
    fn numbers(&self) -> anyhow::Result<Vec<u32>> {
        let mut numbers = Vec::new();
        for file in fs::read_dir(&self.path).with_context(|| format!("can't read {}", self.path.display()))? {
            let name = file?.file_name().to_string_lossy().into_owned();
            let digits = name.strip_prefix("game-").and_then(|n| n.strip_suffix(".sgf"));
            let number = digits.and_then(|d| d.parse().ok()).filter(|&n| n > 0 && file_name(n) == name);
            numbers.extend(number);
        }
        Ok(numbers)
    }
}

fn file_name(number: u32) -> String {
    format!("game-{number:05}.sgf")
}

/// Writes a file under another name first: it is there whole, or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .with_context(|| format!("can't write {}", path.display()))
}

/// What makes two runs the same run; how many games is no part of it.
fn manifest(plan: &Plan) -> Value {
    let starts: Vec<String> = plan
        .starts
        .iter()
        .map(|s| {
            let history: Vec<_> = s.position.board.moves().collect();
            let position = (s.position.board.situation_hash(s.position.to_move), s.position.board.size());
            let rules = (s.position.board.rules(), s.position.komi, s.max_moves, s.random_moves, s.seed);
            format!("{} {position:?} {rules:?} {history:?}", s.id)
        })
        .collect();
    json!({
        "schema": "tengen.selfplay/1",
        "version": env!("CARGO_PKG_VERSION"),
        "seed": plan.seed,
        "starts": plan.starts.len(),
        "fingerprint": format!("{:08x}", signature(starts.join("\n").as_bytes())),
    })
}

fn game_name(plan: &Plan, number: u32) -> String {
    format!("{} {number}", plan.start(number).id)
}

/// The game record of a game.
fn record(plan: &Plan, game: &Finished) -> String {
    let start = plan.start(game.number);
    let root = [
        ("KM", start.position.komi.to_string()),
        ("PB", "Tengen".to_owned()),
        ("PW", "Tengen".to_owned()),
        ("RU", "Chinese".to_owned()),
        ("RE", result(game.white_lead)),
        ("GN", game_name(plan, game.number)),
    ];
    let comments = start.played + game.board.moves().skip(start.played).count();
    let end = match game.end {
        End::Passes => "two passes",
        End::Limit => "move limit",
    };
    let last = |i: usize| (i + 1 == comments).then(|| format!("end: {end}; scored by area"));
    sgf::write(&sgf::record(&game.board, &root, last))
}

/// The result as SGF writes it.
fn result(white_lead: f32) -> String {
    match white_lead {
        lead if lead > 0.0 => format!("W+{lead}"),
        lead if lead < 0.0 => format!("B+{}", -lead),
        _ => "0".into(),
    }
}

/// What a game record says; `None` if it is no whole record of this game.
fn entry(plan: &Plan, number: u32, text: &[u8]) -> Option<Entry> {
    let start = plan.start(number);
    // A record that is cut off between two nodes can still be parsed.
    if !text.trim_ascii_end().ends_with(b")") {
        return None;
    }
    let tree = sgf::parse(text).ok()?;
    let root = tree.nodes.first()?;
    let result = root.get("RE").filter(|_| root.get("GN") == Some(game_name(plan, number).as_str()))?;
    let white_lead = match result.split_once('+') {
        Some(("W", lead)) => lead.parse().ok()?,
        Some(("B", lead)) => -lead.parse::<f32>().ok()?,
        _ => 0.0,
    };
    let line = tree.line(&[]);
    let moves: Vec<&str> =
        line.iter().filter_map(|&id| tree.nodes[id].get("B").or_else(|| tree.nodes[id].get("W"))).collect();
    let moves = moves.get(start.played..)?;
    let end = if moves.ends_with(&["", ""]) { End::Passes } else { End::Limit };
    Some(Entry { moves: moves.len(), white_lead, end, signature: signature(text) })
}

fn line(plan: &Plan, number: u32, entry: &Entry) -> Value {
    json!({
        "schema": "tengen.game/1",
        "game": number,
        "scene": plan.start(number).id,
        "file": file_name(number),
        "seed": plan.seed(number),
        "moves": entry.moves,
        "end": match entry.end { End::Passes => "passes", End::Limit => "limit" },
        "result": result(entry.white_lead),
        "white_lead": rounded(entry.white_lead),
        "signature": format!("{:08x}", entry.signature),
    })
}
