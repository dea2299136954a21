//! Turns scenes into cases: one case, one record. A scene with `for_each` makes many.

use super::case::{Case, Input, Records, read, seed_of};
use super::chess_files::{Make, of_lines, of_pgn};
use super::load::{Loaded, Source};
use super::plain_files::{self, Kind, PlainFiles};
use super::{Column, ForEach, Game, Scene, Task, load, paths};
use crate::files::{self, display};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_core::Diagnostic;

/// All cases of these files, in order: files as given, scenes as written, games by path, moves upwards. A file that is
/// no scene is a game record, positions or a rulesheet, by the ending of its name.
#[must_use]
pub fn of_files(files: &[PathBuf], run_seed: u64, bare: &PlainFiles) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut records = BTreeMap::new();
    for path in files {
        if let Some(kind) = Kind::of(path) {
            plain_files::cases_of(path, kind, bare, run_seed, &mut cases);
            continue;
        }
        match load::file(path) {
            Ok(loaded) => of_loaded(&loaded, run_seed, &mut records, &mut cases),
            Err(faults) => cases.extend(Case::of_faults(&display(path), faults)),
        }
    }
    cases
}

/// The cases of a scene file's text; `path` is what it is called, and where its paths begin.
#[must_use]
pub fn of_text(path: &Path, text: String, run_seed: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    match load::parse(path, text) {
        Ok(loaded) => of_loaded(&loaded, run_seed, &mut BTreeMap::new(), &mut cases),
        Err(faults) => cases.extend(Case::of_faults(&display(path), faults)),
    }
    cases
}

fn of_loaded(loaded: &Loaded, run_seed: u64, records: &mut Records, cases: &mut Vec<Case>) {
    for scene in &loaded.scenes {
        let id = format!("{}#{}", loaded.source.name(), scene.name);
        let (source, scene) = (Arc::clone(&loaded.source), Arc::new(scene.clone()));
        let mut maker = Maker { source, scene, run_seed, cases };
        match (&maker.scene.clone().for_each, &maker.scene.clone().game) {
            (Some(many), _) => maker.many(&id, many),
            (None, Some(Game::Go { sgf: Some(path), move_number, variation, .. })) => {
                let full = maker.source.resolve(path);
                let input = match read(records, &full) {
                    Ok(record) => Input::Record { record, after: *move_number, variation: variation.clone() },
                    Err(fault) => Input::Fault(maker.place(fault, path)),
                };
                maker.push(id, input);
            }
            (None, Some(Game::Gdl { rules, .. })) => {
                let path = maker.source.resolve(rules);
                maker.push(id, Input::Rules(path));
            }
            _ => maker.push(id, Input::Game),
        }
    }
}

/// Makes the cases of one scene.
struct Maker<'a> {
    source: Arc<Source>,
    scene: Arc<Scene>,
    run_seed: u64,
    cases: &'a mut Vec<Case>,
}

impl Maker<'_> {
    fn push(&mut self, id: String, input: Input) {
        let case = self.case(id, Arc::clone(&self.scene), input);
        self.cases.push(case);
    }

    fn case(&self, id: String, scene: Arc<Scene>, input: Input) -> Case {
        let seed = match (self.scene.seed, &self.scene.for_each) {
            (Some(seed), None) => seed,
            (Some(seed), Some(_)) => seed_of(seed, &id),
            (None, _) => seed_of(self.run_seed, &id),
        };
        Case { id, source: Some(Arc::clone(&self.source)), scene: Some(scene), seed, input, origin: None }
    }

    /// A fault without a place of its own is the scene's, where it says `value`.
    fn place(&self, fault: Diagnostic, value: &str) -> Diagnostic {
        if fault.file.is_some() {
            return fault;
        }
        fault.in_file(self.source.name()).at(self.source.place(&self.scene.name, value))
    }

    fn many(&mut self, id: &str, many: &ForEach) {
        let glob = many.glob();
        let base = self.source.path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        let files = match paths::glob(&base, &paths::with_slashes(&base, glob)) {
            Ok(files) if files.is_empty() => Err("it names no file".to_owned()),
            Ok(files) => Ok(files),
            Err(error) => Err(files::reason(&error)),
        };
        let files = match files {
            Ok(files) => files,
            Err(reason) => {
                let fault = Diagnostic::error(format!("can't use the glob {glob}: {reason}"))
                    .help("globs are relative to the scene's file or absolute; `**` stands for any folders");
                let fault = self.place(fault, glob);
                return self.push(id.into(), Input::Fault(fault));
            }
        };
        for path in files {
            let name = display(path.strip_prefix(&base).unwrap_or(&path));
            let id = format!("{id}/{name}");
            match many {
                ForEach::Kif { .. } => self.push(id, Input::Rules(path)),
                ForEach::Epd { .. } => {
                    let mut cases = Vec::new();
                    of_lines(&path, &id, &self.scene, &|id, s, input| self.case(id, s, input), &mut cases);
                    self.cases.extend(cases);
                }
                ForEach::Pgn { every, .. } => {
                    let plies = |moves| (0..=moves).step_by((*every).max(1)).collect();
                    let mut cases = Vec::new();
                    let make: Make<'_> = &|id, s, input| self.case(id, s, input);
                    of_pgn(&path, &id, &self.scene, &plies, make, &mut cases);
                    self.cases.extend(cases);
                }
                ForEach::Sgf { every, .. } => {
                    let plies = |moves| (0..=moves).step_by((*every).max(1)).collect();
                    let mut cases = Vec::new();
                    let make: Make<'_> = &|id, s, input| self.case(id, s, input);
                    plain_files::of_sgf(&path, &id, &self.scene, &plies, make, &mut cases);
                    self.cases.extend(cases);
                }
            }
        }
    }
}

/// Has analyses of Go give all columns, as tables want them. Cases that share a scene still do.
pub fn ask_for_columns(cases: &mut [Case]) {
    let mut asked: Vec<(Arc<Scene>, Arc<Scene>)> = Vec::new();
    for case in cases {
        let Some(scene) = &mut case.scene else { continue };
        if !asked.last().is_some_and(|(before, _)| Arc::ptr_eq(before, scene)) {
            let mut with = Scene::clone(scene);
            if let Task::Analyse { columns, .. } = &mut with.task {
                let wanted = [Column::Points, Column::Eyes, Column::Moves];
                columns.extend(wanted.into_iter().filter(|w| !columns.contains(w)).collect::<Vec<_>>());
            }
            asked.push((Arc::clone(scene), Arc::new(with)));
        }
        if let Some((_, with)) = asked.last() {
            *scene = Arc::clone(with);
        }
    }
}
