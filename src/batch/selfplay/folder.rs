//! The folder of a self-play run: a game record a game, `games.jsonl` in the order of the games, `summary.json`.
//!
//! The game records are all there is to know: a record is written under another name and renamed, so that it is there
//! whole or not at all, and the line of a game in `games.jsonl` is read off its record. A killed run goes on with the
//! games that have none.

use super::{Entry, Finished, Plan, read};
use crate::batch::record::signature;
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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
                    folder.entries.extend(read(plan, number, &text).map(|e| (number, e)));
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
        let text = game.record.as_bytes();
        write_whole(&self.record_path(game.number), text)?;
        let entry = read(self.plan, game.number, text).context("a game record can't be read back")?;
        self.entries.insert(game.number, entry);
        Ok(())
    }

    /// Writes `games.jsonl`, in the order of the games, and `summary.json`.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn finish(&self, summary: &Value) -> anyhow::Result<()> {
        let lines: String = self
            .entries
            .iter()
            .map(|(&n, e)| format!("{}\n", e.line(self.plan, n, &self.file_name(n))))
            .collect();
        write_whole(&self.path.join("games.jsonl"), lines.as_bytes())?;
        write_whole(&self.path.join("summary.json"), format!("{summary:#}\n").as_bytes())
    }

    fn record_path(&self, number: u32) -> PathBuf {
        self.path.join(self.file_name(number))
    }

    fn file_name(&self, number: u32) -> String {
        format!("game-{number:05}.{}", self.plan.extension())
    }

    /// The numbers of the game records in the folder.
    fn numbers(&self) -> anyhow::Result<Vec<u32>> {
        let mut numbers = Vec::new();
        for file in fs::read_dir(&self.path).with_context(|| format!("can't read {}", self.path.display()))? {
            let name = file?.file_name().to_string_lossy().into_owned();
            let digits = name.strip_prefix("game-").and_then(|n| n.split('.').next());
            let number = digits.and_then(|d| d.parse().ok()).filter(|&n| n > 0 && self.file_name(n) == name);
            numbers.extend(number);
        }
        Ok(numbers)
    }
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
    let starts: Vec<String> = plan.starts.iter().map(super::Start::fingerprint).collect();
    let players: Vec<String> = plan.players.iter().map(crate::scene::Player::name).collect();
    let mut manifest = json!({
        "schema": "tengen.selfplay/2",
        "version": env!("CARGO_PKG_VERSION"),
        "seed": plan.seed,
        "players": players,
        "starts": plan.starts.len(),
        "fingerprint": format!("{:08x}", signature(starts.join("\n").as_bytes())),
    });
    if let Some(effort) = plan.effort {
        manifest["effort"] = json!(effort.name());
    }
    manifest
}
