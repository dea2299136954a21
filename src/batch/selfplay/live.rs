//! Snapshots of running games in the folder `playing` of a run, for viewers such as `tengen view DIR`.
//!
//! A game that takes longer than half a second has a file in this folder, in the form of its record. The file is
//! rewritten at most twice a second, and removed at the end of the game. `standing.json` is the summary of the finished
//! games. The run reads nothing back from this folder. If a file cannot be written, the game goes on without it. A
//! killed run leaves its last snapshots. The resumed run removes them.

use super::file_name::number_of;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The folder in that of the run.
const PLAYING: &str = "playing";
/// The summary so far.
const STANDING: &str = "standing.json";
/// The time between two snapshots of a game, and before the first.
const EVERY: Duration = Duration::from_millis(500);
/// The divisor of the run's time that gives the most time for the summary.
const SHARE: u32 = 100;

/// The folder of the games being played; it goes with this value.
#[derive(Debug)]
pub struct Live {
    folder: PathBuf,
    /// When the next summary is due.
    due: Mutex<Instant>,
    /// Whether the run has begun, and with it the right to take files away.
    is_ours: AtomicBool,
}

impl Live {
    /// For a run in this folder; nothing is touched before it begins.
    #[must_use]
    pub fn of(out: &Path) -> Self {
        let due = Mutex::new(Instant::now() + EVERY);
        Self { folder: out.join(PLAYING), due, is_ours: AtomicBool::new(false) }
    }

    /// Removes the snapshots of a killed run. The run's folder is locked by now: no other run writes here.
    pub fn begin(&self) {
        self.is_ours.store(true, Ordering::Relaxed);
        self.clear();
    }

    /// Shows the summary of the games that are over, if it is time.
    pub fn standing(&self, summary: impl FnOnce() -> Value) {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        if begun >= *due {
            self.write(STANDING, &summary().to_string());
            *due = Instant::now() + EVERY.max(begun.elapsed() * SHARE);
        }
    }

    /// Writes the file completely or not at all; a failure is ignored.
    fn write(&self, name: &str, text: &str) -> bool {
        let part = self.folder.join(format!("{name}.part"));
        fs::create_dir_all(&self.folder).is_ok()
            && fs::write(&part, text).is_ok()
            && fs::rename(&part, self.folder.join(name)).is_ok()
    }

    /// Takes our files away, and the folder if nothing else is in it.
    fn clear(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let name = name.strip_suffix(".part").unwrap_or(&name);
            if name == STANDING || number(name).is_some() {
                let _ = fs::remove_file(entry.path());
            }
        }
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.is_ours.load(Ordering::Relaxed) {
            self.clear();
        }
    }
}

/// A game that may be watched.
#[derive(Debug)]
pub(super) struct Watched<'a> {
    live: &'a Live,
    name: String,
    due: Instant,
    is_written: bool,
}

impl<'a> Watched<'a> {
    /// The game whose file has this name.
    pub(super) fn new(live: &'a Live, name: String) -> Self {
        Self { live, name, due: Instant::now() + EVERY, is_written: false }
    }

    /// Shows how the game stands, if it is time.
    pub(super) fn show(&mut self, record: impl FnOnce() -> String) {
        if Instant::now() >= self.due {
            self.is_written |= self.live.write(&self.name, &record());
            self.due = Instant::now() + EVERY;
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if self.is_written {
            let _ = fs::remove_file(self.live.folder.join(&self.name));
        }
    }
}

/// The number of a game's file, by its name.
#[must_use]
pub fn number(name: &str) -> Option<u32> {
    number_of(name, name.rsplit_once('.')?.1)
}

/// The games being played in the run of this folder: their numbers and files, in order. Links are not followed.
#[must_use]
pub fn playing(out: &Path) -> Vec<(u32, PathBuf)> {
    let entries = fs::read_dir(out.join(PLAYING)).into_iter().flatten().flatten();
    let mut games: Vec<_> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| Some((number(entry.file_name().to_str()?)?, entry.path())))
        .collect();
    games.sort_unstable();
    games
}

/// The summary of a run: the last one, or that of the games that are over so far.
#[must_use]
pub fn standing(out: &Path) -> Option<Value> {
    let read = |path: PathBuf| serde_json::from_slice(&fs::read(path).ok()?).ok();
    read(out.join(PLAYING).join(STANDING)).or_else(|| read(out.join("summary.json")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str) -> PathBuf {
        let out = std::env::temp_dir().join(format!("tengen-live-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&out);
        fs::create_dir_all(&out).expect("a folder");
        out
    }

    fn watched(live: &Live) -> Watched<'_> {
        Watched { live, name: "game-00007.sgf".into(), due: Instant::now(), is_written: false }
    }

    #[test]
    fn a_game_is_shown_while_it_is_played_and_gone_when_it_is_over() {
        let out = run("shown");
        let live = Live::of(&out);
        live.begin();
        let mut game = watched(&live);
        game.show(|| "(;B[aa])".into());
        // Not yet due again.
        game.show(|| panic!("nobody asked for this picture"));
        let shown = playing(&out);
        assert_eq!(shown.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [7]);
        assert_eq!(fs::read_to_string(&shown[0].1).expect("it is there"), "(;B[aa])");
        drop(game);
        assert!(playing(&out).is_empty());
        drop(live);
        assert!(!out.join(PLAYING).exists());
        fs::remove_dir(&out).expect("nothing else is left");
    }

    #[test]
    fn what_a_killed_run_left_goes_when_the_next_begins_and_nothing_else_does() {
        let out = run("killed");
        fs::create_dir(out.join(PLAYING)).expect("a folder");
        for name in ["game-00003.pgn", "game-00004.pgn.part", "standing.json", "notes.txt"] {
            fs::write(out.join(PLAYING).join(name), "x").expect("a file");
        }
        // A run that was refused never began.
        drop(Live::of(&out));
        assert_eq!(playing(&out).len(), 1);
        let live = Live::of(&out);
        live.begin();
        let left: Vec<_> = fs::read_dir(out.join(PLAYING)).expect("a folder").flatten().collect();
        assert_eq!(left.iter().map(|e| e.file_name()).collect::<Vec<_>>(), ["notes.txt"]);
        fs::remove_dir_all(&out).expect("it is there");
    }

    #[test]
    fn a_folder_that_takes_no_files_costs_nothing_but_the_picture() {
        let out = run("refused");
        fs::write(out.join(PLAYING), "a file in the way").expect("a file");
        let live = Live::of(&out);
        live.begin();
        watched(&live).show(|| "(;B[aa])".into());
        live.standing(|| Value::Null);
        assert!(playing(&out).is_empty() && standing(&out).is_none());
        drop(live);
        assert!(out.join(PLAYING).is_file());
        fs::remove_dir_all(&out).expect("it is there");
    }
}
