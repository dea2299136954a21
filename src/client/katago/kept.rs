//! The file of earlier answers of a judge. With it, a second run need not ask the program again.
//!
//! # The file
//! Each line is one JSON object: `key` (the query without its id) and the numbers of the view. Lines are appended. An
//! incomplete last line, which a kill can leave, is skipped and written again.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tengen_go::judge::View;

/// The answers of one command.
pub(super) struct Kept {
    inner: Mutex<Inner>,
}

struct Inner {
    /// By the text of the query.
    views: HashMap<String, View>,
    file: Option<File>,
}

impl Kept {
    /// Reads a file, or creates it if it is missing. Its first line names the command, and another command is
    /// refused.
    pub(super) fn open(path: Option<&Path>, command: &str) -> io::Result<Self> {
        let mut views = HashMap::new();
        let Some(path) = path else { return Ok(Self { inner: Mutex::new(Inner { views, file: None }) }) };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        file.lock()?;
        let mut is_ended = true;
        for (number, line) in BufReader::new(&file).split(b'\n').enumerate() {
            let line = line?;
            let value: Option<Value> = serde_json::from_slice(&line).ok();
            is_ended = value.is_some();
            if number == 0 {
                let other =
                    value.as_ref().map(|value| value["judge"].as_str().unwrap_or_default().to_owned());
                match other {
                    Some(name) if name == command => {}
                    Some(name) => {
                        let message = format!("these are answers of `{name}`");
                        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                    }
                    None => {
                        let message = "the file holds no answers of a judge";
                        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                    }
                }
                continue;
            }
            if let Some((key, view)) = value.as_ref().and_then(entry) {
                views.insert(key, view);
            }
        }
        if file.metadata()?.len() == 0 {
            writeln!(file, "{}", json!({ "judge": command }))?;
        } else if !is_ended {
            writeln!(file)?;
        }
        file.unlock()?;
        Ok(Self { inner: Mutex::new(Inner { views, file: Some(file) }) })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The view of a query, if it is known.
    pub(super) fn get(&self, key: &str) -> Option<View> {
        self.inner().views.get(key).cloned()
    }

    /// Keeps a view.
    pub(super) fn put(&self, key: &str, view: &View) -> io::Result<()> {
        let mut inner = self.inner();
        if let Some(file) = &mut inner.file {
            let View { owner, likelihood, pass, lead, win_rate } = view;
            let line = json!({
                "key": key, "lead": lead, "win_rate": win_rate, "pass": pass, "owner": owner, "likelihood": likelihood,
            });
            // One write, so that lines of several processes do not mix.
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        inner.views.insert(key.to_owned(), view.clone());
        Ok(())
    }
}

fn entry(value: &Value) -> Option<(String, View)> {
    let number = |name: &str| value[name].as_f64().map(|x| x as f32);
    let list = |name: &str| -> Option<Vec<f32>> {
        value[name].as_array()?.iter().map(|x| x.as_f64().map(|x| x as f32)).collect()
    };
    let view = View {
        owner: list("owner")?,
        likelihood: list("likelihood")?,
        pass: number("pass")?,
        lead: number("lead")?,
        win_rate: number("win_rate")?,
    };
    (view.owner.len() == view.likelihood.len()).then_some((value["key"].as_str()?.to_owned(), view))
}
