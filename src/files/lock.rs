//! Locks on the files and folders that a command writes, so that two processes never write the same file or folder.
//!
//! | what is written | its lock | how long the lock is held |
//! | --- | --- | --- |
//! | a folder | the file `run.lock` in it | while the command works in the folder |
//! | a single file | the file `NAME.part` beside it, renamed to `NAME` when complete | while the file is written |
//!
//! The operating system releases a lock when its process ends.

use anyhow::anyhow;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file of a folder whose lock says that a process works there.
const LOCK: &str = "run.lock";
/// Tries to lock a file that others keep taking away.
const TRIES: usize = 100;

/// The lock of a folder, held until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
    /// The lock's file, if it goes with the lock.
    passing: Option<PathBuf>,
}

impl FolderLock {
    /// Takes the lock of a folder; its file stays.
    ///
    /// # Errors
    /// If another process holds it, or the folder can't be written.
    pub fn take(folder: &Path) -> anyhow::Result<Self> {
        let shown = folder.display();
        let refused = |error: io::Error| match error.kind() {
            io::ErrorKind::ResourceBusy => {
                anyhow!("another process works in {shown}: let it end, or name another folder")
            }
            _ => anyhow::Error::new(error).context(format!("can't write in the folder {shown}")),
        };
        Ok(Self { _file: locked(&folder.join(LOCK)).map_err(refused)?, passing: None })
    }

    /// Takes the lock of a folder of files for people; its file is removed at the end.
    ///
    /// # Errors
    /// As [`FolderLock::take`].
    pub fn take_for_now(folder: &Path) -> anyhow::Result<Self> {
        let mut lock = Self::take(folder)?;
        lock.passing = Some(folder.join(LOCK));
        Ok(lock)
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if let Some(path) = &self.passing {
            // It is still locked here, and `locked` notices that it is gone.
            let _ = fs::remove_file(path);
        }
    }
}

/// A part file, empty and locked as long as it is open.
///
/// # Errors
/// If another process writes it, or it can't be written.
pub(super) fn part(path: &Path) -> io::Result<File> {
    let file = locked(path).map_err(|error| match error.kind() {
        io::ErrorKind::ResourceBusy => io::Error::other("another process writes it"),
        _ => error,
    })?;
    file.set_len(0)?;
    Ok(file)
}

/// Opens and locks a file, which is made where there is none.
fn locked(path: &Path) -> io::Result<File> {
    for _ in 0..TRIES {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) if is_still(&file, path) => return Ok(file),
            // It was renamed or removed between the two calls.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Whether a path names the file that was opened.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |about: fs::Metadata| (about.dev(), about.ino());
    let (opened, named) = (file.metadata().map(place), fs::metadata(path).map(place));
    opened.is_ok_and(|opened| named.is_ok_and(|named| opened == named))
}

/// The same where files have no numbers.
#[cfg(not(unix))]
fn is_still(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_had_once_and_one_for_now_leaves_no_file() {
        let folder = std::env::temp_dir().join(format!("tengen_lock_{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let lock = FolderLock::take_for_now(&folder).expect("nobody holds it");
        let refused = FolderLock::take(&folder).expect_err("it is held");
        assert!(refused.to_string().starts_with("another process works in"), "{refused}");
        drop(lock);
        assert!(!folder.join(LOCK).exists());
        drop(FolderLock::take(&folder).expect("nobody holds it"));
        assert!(folder.join(LOCK).exists());
        let held = part(&folder.join("a.part")).expect("nobody writes it");
        assert!(part(&folder.join("a.part")).is_err());
        fs::rename(folder.join("a.part"), folder.join("a")).expect("renamed");
        assert!(part(&folder.join("a.part")).is_ok(), "the lock went with the file");
        drop(held);
        fs::remove_dir_all(&folder).expect("removed");
    }
}
