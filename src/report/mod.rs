//! What a person reads: the table of a run, a profile, a board in colours.

pub mod board;
pub mod events;
pub mod findings;
pub mod game;
pub mod page;
pub mod profile;
pub mod selfplay;
pub mod sentences;
pub mod table;

use std::fs;
use std::path::Path;

/// The most game records of a folder that are listed.
const LISTED: usize = 5000;

/// The game records below a folder, by their paths in it. Links are not followed.
#[must_use]
pub fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf")) {
                found.extend(path.strip_prefix(folder).ok().and_then(Path::to_str).map(str::to_owned));
            }
        }
        if found.len() > LISTED {
            break;
        }
    }
    found.sort_unstable();
    found.truncate(LISTED);
    found
}
