//! Files that a person names: read within bounds, written as a whole, with errors in words.
//!
//! A device, a pipe or a file that is too large gives an error, and never blocks.

use anyhow::Context as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The most bytes of a file: scenes, rulesheets, game records.
pub const MAX_BYTES: u64 = 16 << 20;

/// Files a glob may name.
pub const MAX_FILES: usize = 1_000_000;

/// The bytes of a file.
///
/// # Errors
/// Why it cannot be read, in words that do not depend on the system.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    bytes_up_to(path, MAX_BYTES)
}

/// The bytes of a file with at most this many.
///
/// # Errors
/// As [`bytes`].
pub fn bytes_up_to(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let reason = |e: std::io::Error| reason(&e);
    let about = path.metadata().map_err(reason)?;
    if about.is_dir() {
        return Err("it is a folder".into());
    }
    if !about.is_file() {
        return Err("it is no file but a device or a pipe".into());
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(reason)?;
    if bytes.len() as u64 > most {
        return Err(format!("it has more than {} MiB", most >> 20));
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// Why it cannot be read. For a text that is not UTF-8, the line and column where UTF-8 ends.
pub fn text(path: &Path) -> Result<String, String> {
    String::from_utf8(bytes(path)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
        format!("it is not text in UTF-8 (line {line})")
    })
}

/// A path with forward slashes.
#[must_use]
pub fn display(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// An I/O error in words that do not depend on the system's language or numbers.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "it may not be read".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::InvalidData => "it is not text in UTF-8".into(),
        io::ErrorKind::FileTooLarge => format!("it names more than {MAX_FILES} files"),
        kind => format!("it can't be read ({kind})"),
    }
}

/// Writes a file beside, hands it to the disk and renames it: it is there whole, or what was there before still is.
///
/// # Errors
/// If it cannot be written; the message names it.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let all = || {
        let mut file = BufWriter::new(File::create(&part)?);
        write(&mut file)?;
        file.flush()?;
        file.get_ref().sync_data()?;
        fs::rename(&part, path)
    };
    all()
        .inspect_err(|_| drop(fs::remove_file(&part)))
        .with_context(|| format!("can't write {}", path.display()))
}
