//! A watched rulesheet: a rulesheet that the viewer reads again whenever the file is saved.
//!
//! # Steps
//! 1. The page asks for `changes` twice a second. The server reads the file and compares its bytes.
//! 2. Changed bytes are a new version of the rulesheet. If the rules are valid, the viewer uses them. Otherwise the
//!    last valid rules stay, and the page shows the faults.
//! 3. A page that finds another version number reloads. The address of a page contains its version number, so that the
//!    moves of the address are read under the right rules.

use super::html::{page as whole, warnings};
use super::request::Reply;
use super::table::{SETUP, Table};
use crate::number_text::counted;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tengen_render::escape;

/// Tables of earlier versions that are kept.
const KEPT: usize = 8;

/// A rulesheet and its versions.
pub struct Watched {
    path: PathBuf,
    versions: Mutex<Versions>,
    /// Held by who reads the file.
    reading: Mutex<()>,
}

#[derive(Default)]
struct Versions {
    /// The number of the version, from 1.
    number: usize,
    /// The content of the file, or the reason why it could not be read.
    seen: Option<Result<Vec<u8>, String>>,
    /// Tables with the number of their version, the newest last.
    tables: VecDeque<(usize, Arc<Table>)>,
    /// Why the file cannot be used as it is.
    fault: Option<String>,
}

impl Watched {
    /// The rulesheet of a path, valid or not.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        let watched = Self { path: path.into(), versions: Mutex::default(), reading: Mutex::default() };
        watched.look();
        watched
    }

    fn versions(&self) -> MutexGuard<'_, Versions> {
        // Every change is whole before anything can panic.
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Steps 1 and 2. Returns the number of the version; while another request reads, that of the last one.
    pub fn look(&self) -> usize {
        let Ok(_reading) = self.reading.try_lock() else { return self.number() };
        let seen = crate::files::bytes(&self.path);
        if self.versions().seen.as_ref() == Some(&seen) {
            return self.number();
        }
        let begun = Instant::now();
        let made = seen.clone().and_then(|bytes| {
            let name = crate::files::display(&self.path);
            let text =
                crate::scene::rulesheets::text(bytes).map_err(|fault| fault.in_file(name).to_string())?;
            let stop = &mut || begun.elapsed() > SETUP;
            Table::of_text(&self.path, text, stop).map_err(|error| format!("{error:#}"))
        });
        let mut versions = self.versions();
        versions.number += 1;
        versions.seen = Some(seen);
        let number = versions.number;
        match made {
            Ok(table) => {
                versions.tables.push_back((number, Arc::new(table)));
                if versions.tables.len() > KEPT {
                    versions.tables.pop_front();
                }
                versions.fault = None;
            }
            Err(fault) => versions.fault = Some(fault),
        }
        number
    }

    /// The number of the version.
    #[must_use]
    pub fn number(&self) -> usize {
        self.versions().number
    }

    /// The last good table.
    ///
    /// # Errors
    /// The faults, if there was none.
    pub fn table(&self) -> Result<Arc<Table>, String> {
        let versions = self.versions();
        let fault = || versions.fault.clone().unwrap_or_else(|| "the rulesheet was not read yet".into());
        versions.tables.back().map(|(_, table)| Arc::clone(table)).ok_or_else(fault)
    }

    /// The table that was in force at a version.
    pub(super) fn at(&self, number: usize) -> Option<Arc<Table>> {
        let versions = self.versions();
        let found = versions.tables.iter().rev().find(|(made, _)| *made <= number);
        found.map(|(_, table)| Arc::clone(table))
    }

    /// The page's notes on the file: its faults, or the warnings of its rules, and the fate of the moves. The page
    /// asks for itself under this address once there is another version.
    pub(super) fn panel(&self, query: &str, kept: Option<(usize, usize)>) -> String {
        let versions = self.versions();
        let mut out = format!(
            "<section id=\"watch\" data-version=\"{}\" data-to=\"play?{}\" aria-label=\"The rulesheet\">",
            versions.number,
            escape(query)
        );
        if let Some(fault) = &versions.fault {
            let last =
                if versions.tables.is_empty() { "" } else { " This page shows the last rules that can." };
            let _ = write!(
                out,
                "<p class=\"fault\">The file cannot be used as it is.{last}</p><pre class=\"fault\">{}</pre>",
                escape(fault)
            );
        } else if let Some((_, table)) = versions.tables.back() {
            out += &warnings(&table.warnings);
            if table.warnings.is_empty() {
                out += "<p class=\"hint\">The rulesheet has no errors. This page follows the file.</p>";
            }
        }
        if let Some((all, kept)) = kept.filter(|(all, kept)| kept < all) {
            let _ = write!(
                out,
                "<p class=\"fault\">{kept} of {} are kept; the next one is not legal any more.</p>",
                counted("move", all)
            );
        }
        out + "</section>"
    }
}

/// The page where there are no rules that can be used yet.
pub(super) fn page_of_faults(watched: &Watched) -> Reply {
    Reply::html(whole("The rules", &format!("<main>{}</main>", watched.panel("", None))))
}
