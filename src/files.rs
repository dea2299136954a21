//! Files that a user names. Tengen reads them up to a size limit, and writes them completely or not at all. Errors are
//! in plain words.
//!
//! A device, a pipe or a file that is too large gives an error, and never blocks the program. Packed files are unpacked
//! while they are read.

mod lines;
mod lock;
mod packed;
mod pieces;

pub use lines::{MAX_LINE, record_lines};
pub use lock::FolderLock;
pub use packed::{ending, stem};
pub use pieces::Pieces;

use anyhow::Context as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
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

/// A file of any length, packed or not, unpacked as it is read.
///
/// # Errors
/// As [`bytes`].
pub fn opened(path: &Path) -> Result<Box<dyn io::Read + Send>, String> {
    let reason = |e: std::io::Error| reason(&e);
    let about = path.metadata().map_err(reason)?;
    if about.is_dir() {
        return Err("it is a folder".into());
    }
    if !about.is_file() {
        return Err("it is no file but a device or a pipe".into());
    }
    let file = File::open(path).map_err(reason)?;
    packed::unpacked(BufReader::with_capacity(1 << 16, file))
}

/// The bytes of a file with at most this many, once unpacked.
///
/// # Errors
/// As [`bytes`].
pub fn bytes_up_to(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    opened(path)?.take(most + 1).read_to_end(&mut bytes).map_err(|e| broken(&e))?;
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
    let bytes = bytes(path)?;
    if let Some(text) = utf16(&bytes) {
        return Ok(plain(text));
    }
    String::from_utf8(bytes).map(plain).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
        format!("it is not text in UTF-8 (line {line})")
    })
}

/// The text of bytes that may be in any encoding a person's chess files are in: UTF-8, UTF-16 with a byte order mark,
/// or Latin-1, decided for each line.
#[must_use]
pub fn text_of_any(bytes: &[u8]) -> String {
    if let Some(text) = utf16(bytes) {
        return plain(text);
    }
    let line = |line: &[u8]| match std::str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => line.iter().copied().map(char::from).collect(),
    };
    plain(bytes.split_inclusive(|&b| matches!(b, b'\n' | b'\r')).map(line).collect())
}

/// The whole text of a file of any length, as [`Pieces`] reads it.
///
/// # Errors
/// Why it can't be read.
pub fn whole_text(path: &Path) -> Result<String, String> {
    let mut pieces = Pieces::open(path)?;
    let mut text = String::new();
    while let Some(piece) = pieces.next_piece()? {
        text.push_str(&piece);
    }
    Ok(text)
}

/// A text in UTF-16 that begins with its mark.
#[must_use]
pub fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// A text without the mark at its beginning and the 0x1A at its end; lines that end by CR alone end by LF.
#[must_use]
pub fn plain(text: String) -> String {
    let bare = text.trim_start_matches('\u{feff}').trim_end_matches('\u{1a}');
    if bare.contains('\r')
        && bare.bytes().zip(bare.bytes().skip(1).chain([0])).any(|pair| pair.0 == b'\r' && pair.1 != b'\n')
    {
        return bare.replace("\r\n", "\n").replace('\r', "\n");
    }
    if bare.len() == text.len() { text } else { bare.to_owned() }
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
        _ if is_held(error) => "another program holds it open".into(),
        io::ErrorKind::FileTooLarge => format!("it names more than {MAX_FILES} files"),
        kind => format!("it can't be read ({kind})"),
    }
}

/// Whether Windows says that another program holds a file or a part of it: sharing violation, lock violation.
fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(32 | 33))
}

/// Why a file that was opened can't be read to its end.
fn broken(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::InvalidInput
        | io::ErrorKind::InvalidData
        | io::ErrorKind::Other => format!("it can't be unpacked ({error})"),
        _ => reason(error),
    }
}

/// Writes a temporary file, synchronises it to the disk and renames it. The path holds either the complete new file
/// or the old one. A device or a pipe is written as it is.
///
/// # Errors
/// If it cannot be written, or another process is writing it; the message names it.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("can't write {}", path.display());
    if is_device(path) {
        let mut file = BufWriter::new(OpenOptions::new().write(true).open(path).with_context(context)?);
        return write(&mut file).and_then(|()| file.flush()).with_context(context);
    }
    let part = part_of(path);
    let file = lock::part(&part).with_context(context)?;
    let all = || {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()?;
        file.get_ref().sync_data()?;
        fs::rename(&part, path)
    };
    all().inspect_err(|_| drop(fs::remove_file(&part))).with_context(context)
}

/// Checks that [`write_file`] can write a file, to be told before long work. Nothing is left there.
///
/// # Errors
/// As [`write_file`].
pub fn check_writable(path: &Path) -> anyhow::Result<()> {
    if is_device(path) {
        return Ok(());
    }
    let part = part_of(path);
    let tried = lock::part(&part).and_then(|_locked| fs::remove_file(&part));
    tried.with_context(|| format!("can't write {}", path.display()))
}

/// The temporary name of a file.
fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

/// Whether a path names a device or a pipe.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_ends_of_lines_are_nothing() {
        for text in ["\u{feff}a\nb\n", "a\rb\r", "\u{feff}a\rb\n\u{1a}", "a\r\nb\r"] {
            assert_eq!(plain(text.into()).lines().collect::<Vec<_>>(), ["a", "b"], "{text:?}");
        }
        assert_eq!(plain("a\r\nb".into()), "a\r\nb");
        assert_eq!(text_of_any(b"\xff\xfea\0\xe9\0"), "a\u{e9}");
        assert_eq!(text_of_any(b"Jos\xe9\nJos\xc3\xa9"), "Jos\u{e9}\nJos\u{e9}");
    }
}
