//! Turns scenes into cases. Each case gives one record. A scene with `for_each` gives many cases.

use super::case::{Case, Input, Records, read};
use super::chess_files::{ChessFile, Making, Plies};
use super::kind::Kind;
use super::load::Loaded;
use super::pending_input::PendingInput;
use super::plain_files::{self, PlainFiles};
use super::{Column, ForEach, Game, Scene, Task, load, paths};
use crate::files::{self, display};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_core::Diagnostic;

/// All cases of these files, in order: files as given, scenes as written, games by path, moves upwards. A file that is
/// no scene is a game record, positions or a rulesheet, by the ending of its name.
#[must_use]
pub fn of_files(files: &[PathBuf], run_seed: u64, plain: &PlainFiles) -> Vec<Case> {
    Pieces::new(files.to_vec(), run_seed, plain.clone()).flatten().collect()
}

/// The cases of a scene file's text. `path` is the file's name; paths in the file are relative to it.
#[must_use]
pub fn of_text(path: &Path, text: String, run_seed: u64) -> Vec<Case> {
    let mut pieces = Pieces::new(Vec::new(), run_seed, PlainFiles::default());
    pieces.loaded(path, load::parse(path, text));
    pieces.flatten().collect()
}

/// The cases of [`of_files`], a batch at a time. Only a part of a file with many chess games or positions is in
/// memory.
pub struct Pieces {
    /// The remaining inputs, in order.
    pending: VecDeque<PendingInput>,
    run_seed: u64,
    plain: PlainFiles,
    records: Records,
}

impl Pieces {
    /// The cases of these files.
    #[must_use]
    pub fn new(files: Vec<PathBuf>, run_seed: u64, plain: PlainFiles) -> Self {
        let pending = files.into_iter().map(PendingInput::File).collect();
        Self { pending, run_seed, plain, records: BTreeMap::new() }
    }

    /// Puts the input of a file before all other.
    fn file(&mut self, path: &Path) {
        let Some(kind) = Kind::of(path) else { return self.loaded(path, load::file(path)) };
        self.pending.push_front(plain_files::pending_input(path, kind, &self.plain, self.run_seed));
    }

    /// Puts the inputs of a scene file before all other.
    fn loaded(&mut self, path: &Path, loaded: Result<Loaded, Vec<Diagnostic>>) {
        let inputs = match loaded {
            Ok(loaded) => self.of_scenes(&loaded),
            Err(faults) => vec![PendingInput::Cases(Case::of_faults(&display(path), faults).collect())],
        };
        inputs.into_iter().rev().for_each(|input| self.pending.push_front(input));
    }

    fn of_scenes(&mut self, loaded: &Loaded) -> Vec<PendingInput> {
        let mut maker = Maker { pending: Vec::new() };
        for scene in &loaded.scenes {
            let id = format!("{}#{}", loaded.source.name(), scene.name);
            let (source, scene) = (Arc::clone(&loaded.source), Arc::new(scene.clone()));
            let making = Making { source, scene, run_seed: self.run_seed };
            match (&making.scene.for_each, &making.scene.game) {
                (Some(many), _) => maker.many(&id, many, &making),
                (None, Some(Game::Go { sgf: Some(path), move_number, variation, .. })) => {
                    let full = making.source.resolve(path);
                    let input = match read(&mut self.records, &full) {
                        Ok(record) => {
                            Input::Record { record, after: *move_number, variation: variation.clone() }
                        }
                        Err(fault) => Input::Fault(place(&making, fault, path)),
                    };
                    maker.push(&making, id, input);
                }
                (None, Some(Game::Gdl { rules, .. })) => {
                    let path = making.source.resolve(rules);
                    maker.push(&making, id, Input::Rules(path));
                }
                _ => maker.push(&making, id, Input::Game),
            }
        }
        maker.pending
    }
}

impl Iterator for Pieces {
    type Item = Vec<Case>;

    fn next(&mut self) -> Option<Vec<Case>> {
        loop {
            match self.pending.pop_front()? {
                PendingInput::File(path) => self.file(&path),
                PendingInput::Cases(cases) => return Some(cases),
                PendingInput::Chess(mut file) => {
                    if let Some(cases) = file.next() {
                        self.pending.push_front(PendingInput::Chess(file));
                        return Some(cases);
                    }
                }
            }
        }
    }
}

/// A fault without a place of its own is the scene's, where it says `value`.
fn place(making: &Making, fault: Diagnostic, value: &str) -> Diagnostic {
    if fault.file.is_some() {
        return fault;
    }
    fault.in_file(making.source.name()).at(making.source.place(&making.scene.name, value))
}

/// Collects the pending inputs of scenes.
struct Maker {
    pending: Vec<PendingInput>,
}

impl Maker {
    fn push(&mut self, making: &Making, id: String, input: Input) {
        let case = making.case(id, Arc::clone(&making.scene), input);
        self.extend(vec![case]);
    }

    fn extend(&mut self, cases: Vec<Case>) {
        match self.pending.last_mut() {
            Some(PendingInput::Cases(known)) => known.extend(cases),
            _ => self.pending.push(PendingInput::Cases(cases)),
        }
    }

    fn many(&mut self, id: &str, many: &ForEach, making: &Making) {
        let glob = many.glob();
        let base = making.source.path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
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
                let fault = place(making, fault, glob);
                return self.push(making, id.into(), Input::Fault(fault));
            }
        };
        for path in files {
            let name = display(path.strip_prefix(&base).unwrap_or(&path));
            let id = format!("{id}/{name}");
            match many {
                ForEach::Kif { .. } => self.push(making, id, Input::Rules(path)),
                ForEach::Epd { .. } => {
                    self.pending.push(PendingInput::Chess(Box::new(ChessFile::of_lines(
                        path,
                        id,
                        making.clone(),
                    ))));
                }
                ForEach::Pgn { every, .. } => {
                    let file = ChessFile::of_games(path, id, making.clone(), Plies::Every(*every));
                    self.pending.push(PendingInput::Chess(Box::new(file)));
                }
                ForEach::Sgf { every, .. } => {
                    self.extend(plain_files::of_sgf(&path, &id, making, Plies::Every(*every)));
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
                let wanted = [
                    Column::Points,
                    Column::Eyes,
                    Column::Effects,
                    Column::Surround,
                    Column::Judge,
                    Column::Moves,
                ];
                columns.extend(wanted.into_iter().filter(|w| !columns.contains(w)).collect::<Vec<_>>());
            }
            asked.push((Arc::clone(scene), Arc::new(with)));
        }
        if let Some((_, with)) = asked.last() {
            *scene = Arc::clone(with);
        }
    }
}
