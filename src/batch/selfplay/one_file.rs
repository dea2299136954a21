//! Stores all game records of a run in one file, for runs with too many games for separate files.
//!
//! A record is appended and synchronised to the disk. It counts as stored when `checksums.txt` holds its checksum and
//! its place. During the run, the records have the order in which the games ended. [`OneFile::settle`] puts them into
//! the order of the games.

use anyhow::Context as _;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::PathBuf;

/// The place of a record, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) from: u64,
    pub(super) length: u64,
}

/// The file.
#[derive(Debug)]
pub(super) struct OneFile {
    path: PathBuf,
    file: File,
    places: BTreeMap<u32, Place>,
}

impl OneFile {
    /// The file's name for records of this kind.
    pub(super) fn name(extension: &str) -> String {
        format!("all-games.{extension}")
    }

    /// Opens the file, or makes it.
    pub(super) fn open(path: PathBuf) -> anyhow::Result<Self> {
        let file = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let file = file.with_context(|| format!("can't write {}", path.display()))?;
        Ok(Self { path, file, places: BTreeMap::new() })
    }

    /// The file, to read records from.
    pub(super) const fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Takes a record that lies there for that of the game.
    pub(super) fn know(&mut self, number: u32, place: Place) {
        self.places.insert(number, place);
    }

    /// Forgets the records of games above this number.
    pub(super) fn keep_first(&mut self, games: u32) {
        self.places.retain(|&number, _| number <= games);
    }

    /// Adds a record behind the others; when it returns the record is on the disk.
    pub(super) fn add(&mut self, number: u32, record: &[u8]) -> anyhow::Result<Place> {
        let mut add = || -> io::Result<Place> {
            let from = self.file.seek(SeekFrom::End(0))?;
            self.file.write_all(record)?;
            // Games of PGN are parted by an empty line, those of the others may be.
            self.file.write_all(b"\n")?;
            self.file.sync_data()?;
            Ok(Place { from, length: record.len() as u64 })
        };
        let place = add().with_context(|| format!("can't write {}", self.path.display()))?;
        self.places.insert(number, place);
        Ok(place)
    }

    /// Writes the records into `to` in the order of the games; where each lies there.
    fn copy(&mut self, to: &mut impl Write) -> io::Result<BTreeMap<u32, Place>> {
        for place in self.places.values() {
            self.file.seek(SeekFrom::Start(place.from))?;
            io::copy(&mut (&mut self.file).take(place.length), to)?;
            to.write_all(b"\n")?;
        }
        Ok(in_order(&self.places.iter().map(|(&number, place)| (number, place.length)).collect()))
    }

    /// Puts the records into the order of the games, and drops all else that lies in the file. `list` writes down where
    /// each lies. A kill in between leaves a list of the same games and a file in the order of the games, so that
    /// [`in_order`] finds them.
    pub(super) fn settle(
        &mut self,
        list: impl Fn(&BTreeMap<u32, Place>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        list(&self.places)?;
        let mut settled = BTreeMap::new();
        let path = self.path.clone();
        crate::files::write_file(&path, |to| {
            settled = self.copy(to)?;
            Ok(())
        })?;
        list(&settled)?;
        *self = Self { places: settled, ..Self::open(path)? };
        Ok(())
    }
}

/// The bytes at a place of such a file; `None` if it ends before.
pub(super) fn read(file: &mut File, place: Place) -> io::Result<Option<Vec<u8>>> {
    let end = place.from.checked_add(place.length);
    if end.is_none_or(|end| file.metadata().is_ok_and(|file| file.len() < end)) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(place.from))?;
    file.take(place.length).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == place.length).then_some(bytes))
}

/// The places of records with these lengths in a file in the order of the games.
pub(super) fn in_order(lengths: &BTreeMap<u32, u64>) -> BTreeMap<u32, Place> {
    let mut from = 0;
    let placed = lengths.iter().map(|(&number, &length)| {
        let place = Place { from, length };
        // A list that somebody altered may name any number.
        from = from.saturating_add(length).saturating_add(1);
        (number, place)
    });
    placed.collect()
}
