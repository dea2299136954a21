//! The guarded folder of a run. Every command with `--out` writes through this module.
//!
//! # Guarantees
//! - The module refuses a folder that holds a run, unless the caller asks to resume or to replace the run.
//! - Only one process writes at a time: see [`FolderLock`].
//! - `run.json` identifies the run by its settings and a hash of every input's content. A different run cannot be
//!   resumed in the folder, and the message names the difference.
//! - A file is written under a temporary name, synchronised to the disk and renamed. So it is complete or absent.
//!
//! Nothing in the folder changes before all checks have passed.

use crate::files::{self, FolderLock, write_file};
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The file that says what run a folder holds.
pub const MANIFEST: &str = "run.json";
/// Differences named when a run does not go on; more are counted.
const NAMED: usize = 5;

/// The treatment of a folder that already holds a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// Leave it alone and say so.
    #[default]
    Refuse,
    /// The same for a command that can't resume, such as `merge`: the advice leaves `--resume` out.
    RefuseMerge,
    /// Go on with it (`--resume`), if it is the same run.
    Resume,
    /// Replace it by a new run (`--force`).
    Replace,
}

/// The identity of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind of run and the version of its files, as `tengen.run/2`.
    pub schema: String,
    /// The program's version.
    pub version: String,
    /// The requested settings that change results, an object.
    pub settings: Value,
    /// A hash of all further settings of the run.
    pub fingerprint: String,
    /// SHA-256 of the content of every file the run reads, by its name; `missing` for an unreadable file.
    pub inputs: BTreeMap<String, String>,
}

impl Manifest {
    /// A manifest of this program.
    #[must_use]
    pub fn new(schema: &str, settings: Value, fingerprint: &[u8], inputs: BTreeMap<String, String>) -> Self {
        Self::of_hash(schema, settings, content_hash(fingerprint), inputs)
    }

    /// The same with the hash of the fingerprint.
    pub(super) fn of_hash(
        schema: &str,
        settings: Value,
        fingerprint: String,
        inputs: BTreeMap<String, String>,
    ) -> Self {
        let version = env!("CARGO_PKG_VERSION").into();
        Self { schema: schema.into(), version, settings, fingerprint, inputs }
    }

    /// The differences of two runs, one phrase each; empty if they are the same.
    fn differences(&self, old: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut differ = |what: &str, old: &str, new: &str| {
            if old != new {
                found.push(format!("{what} was {old}, is {new}"));
            }
        };
        differ("the kind of run", &old.schema, &self.schema);
        differ("the version of tengen", &old.version, &self.version);
        let text = |value: &Value| if value.is_null() { "not set".to_owned() } else { value.to_string() };
        for (name, value) in self.settings.as_object().into_iter().flatten() {
            differ(name, &text(&old.settings[name]), &text(value));
        }
        for (name, value) in old.settings.as_object().into_iter().flatten() {
            if self.settings.get(name).is_none() {
                differ(name, &text(value), "not set");
            }
        }
        for (name, hash) in &self.inputs {
            match old.inputs.get(name) {
                Some(before) if before == hash => {}
                Some(_) => found.push(format!("{name} has changed")),
                None => found.push(format!("{name} is new")),
            }
        }
        let gone = old.inputs.keys().filter(|name| !self.inputs.contains_key(*name));
        found.extend(gone.map(|name| format!("{name} is not among the inputs any more")));
        if found.is_empty() && (self.fingerprint != old.fingerprint || self.settings != old.settings) {
            found.push("the scenes or their order have changed".into());
        }
        found
    }
}

/// SHA-256 in hexadecimal digits, as `sha256sum` prints it.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Hashes of the content of files, by their names with forward slashes.
#[must_use]
pub fn input_hashes<'a>(files: impl IntoIterator<Item = &'a Path>) -> BTreeMap<String, String> {
    let hash = |path: &Path| file_hash(path).unwrap_or_else(|_| "missing".into());
    files.into_iter().map(|path| (files::display(path), hash(path))).collect()
}

/// The hash of a regular file's content, read piece by piece.
fn file_hash(path: &Path) -> io::Result<String> {
    if !path.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex(&hasher.finalize())),
            length => hasher.update(&piece[..length]),
        }
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The folder of a run, locked for this process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    _lock: FolderLock,
}

/// A folder that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The folder.
    pub folder: RunFolder,
    /// Whether an earlier run of the same manifest goes on in it.
    pub resumed: bool,
}

impl RunFolder {
    /// Opens a folder for a run, or refuses it and leaves all in it as it is. `own` says which file names a run of
    /// this kind writes. [`Existing::Replace`] removes such files. Without a `run.json` they belong to somebody else,
    /// and the folder is refused.
    ///
    /// # Errors
    /// If the folder holds a run and `existing` says to refuse it, or a different run and it says to resume. If another
    /// process works in the folder, or it cannot be written. Each message says what to do.
    pub fn open(
        path: &Path,
        existing: Existing,
        manifest: &Manifest,
        own: &dyn Fn(&str) -> bool,
    ) -> anyhow::Result<Opened> {
        let shown = path.display();
        fs::create_dir_all(path).with_context(|| format!("can't make the folder {shown}"))?;
        let folder = Self { path: path.into(), _lock: FolderLock::take(path)? };
        let old = match fs::read_to_string(path.join(MANIFEST)) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("can't read {MANIFEST} in {shown}")),
        };
        let theirs: Vec<String> = folder.names()?.into_iter().filter(|name| own(name)).collect();
        match (old, existing) {
            (Some(_), Existing::Refuse) => bail!(
                "{shown} holds a run already: --resume goes on with it, --force begins anew in its place, or name \
                 another folder"
            ),
            (Some(_), Existing::RefuseMerge) => {
                bail!("{shown} holds a run already: --force begins anew in its place, or name another folder")
            }
            (Some(old), Existing::Resume) => {
                same_run(path, &old, manifest)?;
                return Ok(Opened { folder, resumed: true });
            }
            (None, _) if !theirs.is_empty() => bail!(
                "{shown} holds {} but no {MANIFEST} that says of what run: name another folder",
                theirs[0]
            ),
            _ => {}
        }
        // The manifest is renamed over last: a kill here leaves the old run with fewer files.
        for name in theirs {
            fs::remove_file(path.join(&name)).with_context(|| format!("can't remove {name}"))?;
        }
        let text = serde_json::to_string_pretty(manifest).context("a manifest")?;
        folder.write_whole(MANIFEST, format!("{text}\n").as_bytes())?;
        Ok(Opened { folder, resumed: false })
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the files in it, sorted.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn names(&self) -> anyhow::Result<Vec<String>> {
        let context = || format!("can't read the folder {}", self.path.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path).with_context(context)? {
            names.push(entry.with_context(context)?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// Writes a file beside, hands it to the disk and renames it: it is there whole, or not at all.
    ///
    /// # Errors
    /// If the file cannot be written; the previous file under its name stays.
    pub fn write_whole(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.write_by(name, |file| file.write_all(bytes))
    }

    /// As [`RunFolder::write_whole`], piece by piece.
    ///
    /// # Errors
    /// If the file cannot be written; the previous file under its name stays.
    pub fn write_by(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        write_file(&self.path.join(name), write)?;
        self.sync()
    }

    /// Hands the names in the folder to the disk, as far as the system has a call for it.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync(&self) -> anyhow::Result<()> {
        if cfg!(unix) {
            let synced = File::open(&self.path).and_then(|folder| folder.sync_all());
            synced.with_context(|| format!("can't write the folder {}", self.path.display()))?;
        }
        Ok(())
    }

    /// The message of a write that failed.
    #[must_use]
    pub fn cannot_write(&self, name: &str) -> String {
        format!("can't write {}", self.path.join(name).display())
    }
}

/// Whether the folder holds this run; if not, the difference.
fn same_run(path: &Path, old: &str, manifest: &Manifest) -> anyhow::Result<()> {
    let advice = "give the same inputs and settings, name another folder, or begin anew by --force";
    let Ok(old) = serde_json::from_str::<Manifest>(old) else {
        bail!("{} holds a run of another kind or version: {advice}", path.display());
    };
    let differences = manifest.differences(&old);
    if differences.is_empty() {
        return Ok(());
    }
    let more = differences.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let named = differences[..differences.len().min(NAMED)].join("; ");
    bail!("{} holds another run ({named}{more}): {advice}", path.display())
}
