//! The folder of a self-play run: the game records, `games.jsonl` and `summary.json`. Each game has a record file, or
//! one file has all records. `games.jsonl` has a line for each game, in the order of the games.
//!
//! The other files are computed from the game records alone. A record is complete or absent. `checksums.txt` has the
//! SHA-256 of every finished record. For records in one file, it also has the place of each record. On resume, a game
//! whose record differs from its checksum is played again. [`crate::batch::run_folder`] guards the folder, as for
//! `tengen run`.

use super::file_name::{file_name, number_of};
use super::one_file::{self, OneFile, Place, in_order};
use super::{Entry, Finished, Plan, read};
use crate::batch::run_folder::{Existing, Manifest, Opened, RunFolder, content_hash, input_hashes};
use crate::batch::store::input_files;
use crate::number_text::counted;
use crate::scene::Case;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The file with one line for each game.
const GAMES: &str = "games.jsonl";
/// The extensions of game records, by game.
const EXTENSIONS: [&str; 3] = ["sgf", "pgn", "json"];
/// The checksums of the records.
const CHECKSUMS: &str = "checksums.txt";

/// The version of the files of a self-play run.
pub const SCHEMA: &str = "tengen.selfplay/3";

/// The folder of a run.
#[derive(Debug)]
pub struct Folder<'a> {
    folder: RunFolder,
    /// Closed while the list is rewritten, because Windows replaces no open file.
    checksums: Option<File>,
    /// The file of all records, if the run keeps them in one.
    one: Option<OneFile>,
    plan: &'a Plan,
    entries: BTreeMap<u32, Entry>,
    /// Records that a resume found torn or altered.
    dropped: usize,
}

impl<'a> Folder<'a> {
    /// Opens the folder for a run with this manifest. When a run goes on, the games that are there and whole count as
    /// played.
    ///
    /// # Errors
    /// If the folder cannot be written, or is refused: see [`RunFolder::open`].
    pub fn open(
        path: &Path,
        plan: &'a Plan,
        manifest: &Manifest,
        existing: Existing,
    ) -> anyhow::Result<Self> {
        let own = |name: &str| {
            let all = OneFile::name(plan.extension());
            number_of(name, plan.extension()).is_some()
                || [GAMES, "summary.json", CHECKSUMS, all.as_str()].contains(&name)
        };
        let Opened { folder, resumed } = RunFolder::open(path, existing, manifest, &own)?;
        let known = if resumed { checksums(path) } else { HashMap::new() };
        let one = plan.one_file.then(|| OneFile::open(path.join(OneFile::name(plan.extension()))));
        let context = || format!("can't write {}", path.join(CHECKSUMS).display());
        let mut file =
            OpenOptions::new().create(true).append(true).open(path.join(CHECKSUMS)).with_context(context)?;
        if resumed {
            // The last line may be torn.
            writeln!(file).with_context(context)?;
        }
        let one = one.transpose()?;
        let mut opened =
            Self { folder, checksums: Some(file), one, plan, entries: BTreeMap::new(), dropped: 0 };
        if resumed {
            match opened.one.take() {
                Some(one) => opened.take_up_one(one, &known)?,
                None => opened.take_up(&known)?,
            }
        }
        Ok(opened)
    }

    /// Reads the present records and the list of written games.
    fn take_up(&mut self, known: &HashMap<String, Listed>) -> anyhow::Result<()> {
        for name in self.folder.names()? {
            let Some(number) = number_of(&name, self.plan.extension()) else { continue };
            let record =
                fs::read(self.folder.path().join(&name)).with_context(|| format!("can't read {name}"))?;
            let whole = known.get(&name).is_some_and(|listed| listed.hash == content_hash(&record));
            match read(self.plan, number, &record).filter(|_| whole) {
                Some(entry) => drop(self.entries.insert(number, entry)),
                None => self.dropped += 1,
            }
        }
        Ok(())
    }

    /// The same for records in one file; incomplete records are dropped from it.
    fn take_up_one(&mut self, mut one: OneFile, known: &HashMap<String, Listed>) -> anyhow::Result<()> {
        for Found { number, record, place } in whole_records(one.file(), known, self.plan.extension())? {
            let Some(record) = record else {
                self.dropped += 1;
                continue;
            };
            match read(self.plan, number, &record) {
                Some(entry) => {
                    one.know(number, place);
                    self.entries.insert(number, entry);
                }
                None => self.dropped += 1,
            }
        }
        self.settle(&mut one, known)?;
        self.one = Some(one);
        Ok(())
    }

    /// Puts the records of the one file into the order of the games, and the checksums with them.
    fn settle(&mut self, one: &mut OneFile, known: &HashMap<String, Listed>) -> anyhow::Result<()> {
        self.checksums = None;
        one.settle(|places| {
            let lines = places.iter().filter_map(|(&number, &place)| {
                let name = self.file_name(number);
                let hash = &known.get(&name)?.hash;
                Some(listed_line(hash, &name, Some(place)))
            });
            self.folder.write_whole(CHECKSUMS, lines.collect::<String>().as_bytes())
        })
    }

    /// Adds a line to the checksums. It opens a rewritten list again, and continues at its end.
    fn list(&mut self, line: &str) -> anyhow::Result<()> {
        let path = self.folder.path().join(CHECKSUMS);
        let mut added = || {
            let file = match &mut self.checksums {
                Some(file) => file,
                closed => closed.insert(OpenOptions::new().append(true).open(&path)?),
            };
            file.write_all(line.as_bytes())
        };
        added().with_context(|| self.folder.cannot_write(CHECKSUMS))
    }

    /// Puts the checksums of records in files of their own into the order of the games.
    fn settle_checksums(&mut self) -> anyhow::Result<()> {
        let known = checksums(self.folder.path());
        let mut records: Vec<(u32, String)> = self
            .folder
            .names()?
            .into_iter()
            .filter_map(|name| Some((number_of(&name, self.plan.extension())?, name)))
            .collect();
        records.sort_unstable();
        let line = |(_, name): &(u32, String)| Some(listed_line(&known.get(name)?.hash, name, None));
        let lines: String = records.iter().filter_map(line).collect();
        self.checksums = None;
        self.folder.write_whole(CHECKSUMS, lines.as_bytes())
    }

    /// The number of records that a resume found incomplete or altered: their games are played again.
    #[must_use]
    pub const fn dropped(&self) -> usize {
        self.dropped
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

    /// Takes the records above this number away: those of games that were begun before a test was decided.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn remove_after(&mut self, games: u32) -> anyhow::Result<()> {
        self.keep_first(games);
        if let Some(one) = &mut self.one {
            one.keep_first(games);
        }
        for name in self.folder.names()? {
            if number_of(&name, self.plan.extension()).is_some_and(|number| number > games) {
                fs::remove_file(self.folder.path().join(&name))
                    .with_context(|| format!("can't remove {name}"))?;
            }
        }
        Ok(())
    }

    /// Keeps a game's record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &Finished) -> anyhow::Result<()> {
        let (name, text) = (self.file_name(game.number), game.record.as_bytes());
        let entry = read(self.plan, game.number, text).context("a game record can't be read back")?;
        let place = match &mut self.one {
            Some(one) => Some(one.add(game.number, text)?),
            None => self.folder.write_whole(&name, text).map(|()| None)?,
        };
        let line = listed_line(&content_hash(text), &name, place);
        self.list(&line)?;
        self.entries.insert(game.number, entry);
        Ok(())
    }

    /// Puts the checksums into the order of the games, and writes `games.jsonl` in that order, and `summary.json`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(&mut self, summary: &Value) -> anyhow::Result<()> {
        if let Some(mut one) = self.one.take() {
            let known = checksums(self.folder.path());
            self.settle(&mut one, &known)?;
            self.one = Some(one);
        } else {
            self.settle_checksums()?;
        }
        let lines: String = self
            .entries
            .iter()
            .map(|(&n, e)| format!("{}\n", e.line(self.plan, n, &self.file_of(n))))
            .collect();
        self.folder.write_whole(GAMES, lines.as_bytes())?;
        self.folder.write_whole("summary.json", format!("{summary:#}\n").as_bytes())
    }

    /// The file a game's record is in.
    fn file_of(&self, number: u32) -> String {
        if self.one.is_some() { OneFile::name(self.plan.extension()) } else { self.file_name(number) }
    }

    /// The name of a game's own file; in one file it still names the record in the list of checksums.
    fn file_name(&self, number: u32) -> String {
        file_name(number, self.plan.extension())
    }
}

/// The entry of a record in the list of checksums.
#[derive(Clone, Debug)]
struct Listed {
    hash: String,
    /// Its place in the one file.
    place: Option<Place>,
}

/// A line of the list.
fn listed_line(hash: &str, name: &str, place: Option<Place>) -> String {
    match place {
        Some(Place { from, length }) => format!("{hash}  {name}  {from} {length}\n"),
        None => format!("{hash}  {name}\n"),
    }
}

/// The checksums on disk, by file; an incomplete line does not count.
fn checksums(path: &Path) -> HashMap<String, Listed> {
    let text = fs::read_to_string(path.join(CHECKSUMS)).unwrap_or_default();
    let listed = |line: &str| {
        let mut words = line.split("  ");
        let (hash, name) = (words.next()?.to_owned(), words.next()?.to_owned());
        let place = words.next().and_then(|place| place.split_once(' '));
        let place = place.and_then(|(from, length)| {
            Some(Place { from: from.parse().ok()?, length: length.parse().ok()? })
        });
        Some((name, Listed { hash, place }))
    };
    text.lines().filter_map(listed).collect()
}

/// A record of the one file.
struct Found {
    number: u32,
    /// Its bytes, if it is whole.
    record: Option<Vec<u8>>,
    place: Place,
}

/// The records of the one file by their games, `None` where none is whole: where the list says, or in the order of the
/// games.
fn whole_records(
    file: &mut File,
    known: &HashMap<String, Listed>,
    extension: &str,
) -> anyhow::Result<Vec<Found>> {
    let listed: BTreeMap<u32, (&str, Place)> = known
        .iter()
        .filter_map(|(name, listed)| {
            Some((number_of(name, extension)?, (listed.hash.as_str(), listed.place?)))
        })
        .collect();
    let ordered = in_order(&listed.iter().map(|(&number, (_, place))| (number, place.length)).collect());
    let mut records = Vec::with_capacity(listed.len());
    for (number, (hash, place)) in listed {
        let mut found = Found { number, record: None, place };
        for place in [place, ordered[&number]] {
            let bytes = one_file::read(file, place).context("can't read the file of all games")?;
            let bytes = bytes.filter(|bytes| content_hash(bytes) == hash);
            if bytes.is_some() {
                found = Found { number, record: bytes, place };
                break;
            }
        }
        records.push(found);
    }
    Ok(records)
}

/// The games of a run that are over, and its records, for those who look on while it writes.
#[derive(Clone, Debug, Default)]
pub struct Over {
    path: PathBuf,
    /// `sgf`, `pgn` or `json`.
    extension: &'static str,
    listed: BTreeMap<u32, Listed>,
}

impl Over {
    /// The games that a run has finished so far; `None` if there is none.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let known = checksums(path);
        let extension =
            EXTENSIONS.into_iter().find(|e| known.keys().any(|name| number_of(name, e).is_some()))?;
        let listed =
            known.into_iter().filter_map(|(name, listed)| Some((number_of(&name, extension)?, listed)));
        Some(Self { path: path.into(), extension, listed: listed.collect() })
    }

    /// Their numbers, in order.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.listed.keys().copied()
    }

    /// The extension of the records.
    #[must_use]
    pub const fn extension(&self) -> &'static str {
        self.extension
    }

    /// A game's record; `None` if there is no complete one.
    #[must_use]
    pub fn record(&self, number: u32) -> Option<Vec<u8>> {
        let Listed { hash, place } = self.listed.get(&number)?;
        let bytes = match place {
            None => fs::read(self.path.join(file_name(number, self.extension))).ok()?,
            Some(place) => {
                let mut all = File::open(self.path.join(OneFile::name(self.extension))).ok()?;
                one_file::read(&mut all, *place).ok()??
            }
        };
        (content_hash(&bytes) == *hash).then_some(bytes)
    }
}

/// The games of a shard that was played to its end.
///
/// # Errors
/// If the run is not finished, or a record was altered.
pub fn finished(path: &Path, extension: &str) -> anyhow::Result<Vec<Finished>> {
    let (shown, known) = (path.display(), checksums(path));
    let lines = fs::read_to_string(path.join(GAMES)).with_context(|| {
        format!("can't read {GAMES} in {shown}: the shard is not finished, so play it again with --resume")
    })?;
    let all = path.join(OneFile::name(extension));
    let mut games = Vec::new();
    if all.is_file() {
        let mut file = File::open(&all).with_context(|| format!("can't read {}", all.display()))?;
        for Found { number, record, .. } in whole_records(&mut file, &known, extension)? {
            let record = record.and_then(|bytes| String::from_utf8(bytes).ok());
            let record = record.with_context(|| {
                format!("game {number} in {shown} was torn or altered: play the shard again with --resume")
            })?;
            games.push(Finished { number, record });
        }
    }
    for entry in fs::read_dir(path).with_context(|| format!("can't read the folder {shown}"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let Some(number) = number_of(&name, extension) else { continue };
        let record =
            fs::read_to_string(path.join(&name)).with_context(|| format!("can't read {name} in {shown}"))?;
        let whole = known.get(&name).is_some_and(|listed| listed.hash == content_hash(record.as_bytes()));
        anyhow::ensure!(whole, "{name} in {shown} was torn or altered: play the shard again with --resume");
        games.push(Finished { number, record });
    }
    anyhow::ensure!(
        games.len() == lines.lines().count(),
        "{shown} has {}, but {GAMES} has {}: the shard is not finished, so play it again with --resume",
        counted("game", games.len()),
        lines.lines().count()
    );
    Ok(games)
}

/// The identity of a run of this plan with these cases; the number of games is no part of it.
pub fn manifest(plan: &Plan, cases: &[Case]) -> Manifest {
    let starts: Vec<String> = plan.starts.iter().map(super::Start::fingerprint).collect();
    let players: Vec<String> = plan.players.iter().map(|p| format!("{p:?}")).collect();
    let mut settings = json!({
        "seed": plan.seed,
        "players": players,
        "starts": plan.starts.len(),
        "adjudication": plan.adjudication.map(|a| a.words()),
        "effort": plan.effort.map(|effort| effort.name()),
        "judge": plan.judge.as_ref().map(|judge| judge.0.name()),
        "sprt": plan.sprt.map(|s| format!("{s:?}")),
        "date": plan.date,
    });
    if plan.one_file {
        settings["one_file"] = true.into();
    }
    let mut files: Vec<PathBuf> = input_files(cases);
    files.sort();
    files.dedup();
    let inputs = input_hashes(files.iter().map(PathBuf::as_path));
    Manifest::new(SCHEMA, settings, starts.join("\n").as_bytes(), inputs)
}
