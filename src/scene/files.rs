//! Reads files that a person named, within bounds: a device, a pipe or a file too large is a reason, not a hang.

use super::paths;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Bytes of a file at most: scenes, rulesheets, game records.
pub const MAX_BYTES: u64 = 16 << 20;

/// The bytes of a file.
///
/// # Errors
/// Why it can't be read, in words that don't depend on the system.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    bytes_up_to(path, MAX_BYTES)
}

/// The bytes of a file that may have so many.
///
/// # Errors
/// As [`bytes`].
pub fn bytes_up_to(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let reason = |e: std::io::Error| paths::reason(&e);
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
/// Why it can't be read; for what is no UTF-8, the line and column where it ends to be.
pub fn text(path: &Path) -> Result<String, String> {
    String::from_utf8(bytes(path)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
        format!("it is not text in UTF-8 (line {line})")
    })
}
