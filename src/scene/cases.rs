//! From scenes to cases: one case, one record. A scene with `for_each` makes many.

use super::load::{Loaded, Source, display};
use super::{Domain, ForEach, Game, Scene, load, paths};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_core::{Diagnostic, derive_seed};
use tengen_go::board::sgf::{self, SgfError, Tree};

/// One position to think about, one record to write.
#[derive(Clone, Debug)]
pub struct Case {
    /// `file#name`, with `/game@move` behind it for one of many.
    pub id: String,
    /// Where the scene comes from; none for a scene file that could not be read.
    pub source: Option<Arc<Source>>,
    /// What to do; none likewise.
    pub scene: Option<Arc<Scene>>,
    /// The case's own seed.
    pub seed: u64,
    /// The position.
    pub input: Input,
}

/// Where a case's position comes from.
#[derive(Clone, Debug)]
pub enum Input {
    /// The scene's own `game`.
    Game,
    /// A line of a game record, after so many moves.
    Record {
        /// The parsed record.
        record: Arc<GameRecord>,
        /// Moves played; `None` means all.
        after: Option<usize>,
        /// Which variation to take at each branching; the first where it ends.
        variation: Vec<usize>,
    },
    /// A rulesheet.
    Rules(PathBuf),
    /// Nothing to run: this is wrong with it.
    Fault(Diagnostic),
}

/// A game record that was read and parsed.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The file, from where the program stands.
    pub path: PathBuf,
    /// Its text, to place faults.
    pub text: Vec<u8>,
    /// The tree.
    pub tree: Tree,
}

impl GameRecord {
    /// Reads and parses a file.
    ///
    /// # Errors
    /// A diagnostic without a place if it can't be read, with its place in the SGF file if it can't be parsed.
    pub fn read(path: &Path) -> Result<Self, Diagnostic> {
        let text = fs::read(path).map_err(|e| {
            Diagnostic::error(format!("can't read {}: {}", display(path), paths::reason(&e)))
                .help("paths in a scene are relative to the scene's file")
        })?;
        match sgf::parse(&text) {
            Ok(tree) => Ok(Self { path: path.to_path_buf(), text, tree }),
            Err(error) => Err(fault(path, &text, &error)),
        }
    }

    /// An SGF error, placed in this file.
    #[must_use]
    pub fn fault(&self, error: &SgfError) -> Diagnostic {
        fault(&self.path, &self.text, error)
    }

    /// Moves of a line, passes too.
    #[must_use]
    pub fn moves(&self, line: &[sgf::NodeId]) -> usize {
        let is_move = |name: &str| name == "B" || name == "W";
        line.iter()
            .map(|&id| self.tree.nodes[id].properties.iter().filter(|p| is_move(&p.name)).count())
            .sum()
    }
}

fn fault(path: &Path, text: &[u8], error: &SgfError) -> Diagnostic {
    error.diagnostic(text).in_file(display(path))
}

/// All cases of the scene files, in order: files as given, scenes as written, games by path, moves upwards.
#[must_use]
pub fn of_files(files: &[PathBuf], run_seed: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut records = BTreeMap::new();
    for path in files {
        match load::file(path) {
            Ok(loaded) => of_loaded(&loaded, run_seed, &mut records, &mut cases),
            Err(fault) => cases.push(Case {
                id: display(path),
                source: None,
                scene: None,
                seed: 0,
                input: Input::Fault(fault),
            }),
        }
    }
    cases
}

/// Records that several scenes name are read once.
type Records = BTreeMap<PathBuf, Result<Arc<GameRecord>, Diagnostic>>;

fn of_loaded(loaded: &Loaded, run_seed: u64, records: &mut Records, cases: &mut Vec<Case>) {
    for scene in &loaded.scenes {
        let id = format!("{}#{}", loaded.source.name(), scene.name);
        let (source, scene) = (Arc::clone(&loaded.source), Arc::new(scene.clone()));
        let mut maker = Maker { source, scene, run_seed, cases };
        match (&maker.scene.clone().for_each, &maker.scene.clone().game) {
            (Some(many), _) => maker.many(&id, many, records),
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

fn read(records: &mut Records, path: &Path) -> Result<Arc<GameRecord>, Diagnostic> {
    records.entry(path.to_path_buf()).or_insert_with(|| GameRecord::read(path).map(Arc::new)).clone()
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
        let parts: Vec<u64> = id.bytes().map(u64::from).collect();
        let seed = match (self.scene.seed, &self.scene.for_each) {
            (Some(seed), None) => seed,
            (Some(seed), Some(_)) => derive_seed(seed, &parts),
            (None, _) => derive_seed(self.run_seed, &parts),
        };
        let (source, scene) = (Some(Arc::clone(&self.source)), Some(Arc::clone(&self.scene)));
        self.cases.push(Case { id, source, scene, seed, input });
    }

    /// A fault without a place of its own is the scene's, where it says `value`.
    fn place(&self, fault: Diagnostic, value: &str) -> Diagnostic {
        if fault.file.is_some() {
            return fault;
        }
        fault.in_file(self.source.name()).at(self.source.place(&self.scene.name, value))
    }

    fn many(&mut self, id: &str, many: &ForEach, records: &mut Records) {
        let (ForEach::Sgf { glob, .. } | ForEach::Kif { glob }) = many;
        let base = self.source.path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        let files = match paths::glob(&base, glob) {
            Ok(files) if files.is_empty() => Err("it names no file".to_owned()),
            Ok(files) => Ok(files),
            Err(error) => Err(paths::reason(&error)),
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
                ForEach::Sgf { every, .. } => match read(records, &path) {
                    Err(fault) => {
                        let fault = self.place(fault, glob);
                        self.push(id, Input::Fault(fault));
                    }
                    Ok(record) => {
                        for after in (0..=record.moves(&record.tree.line(&[]))).step_by((*every).max(1)) {
                            let (record, after, variation) = (Arc::clone(&record), Some(after), Vec::new());
                            let id = format!("{id}@{}", after.unwrap_or(0));
                            self.push(id, Input::Record { record, after, variation });
                        }
                    }
                },
            }
        }
    }
}

impl Case {
    /// The domain; Go's for a file that could not be read.
    #[must_use]
    pub fn domain(&self) -> Option<Domain> {
        self.scene.as_ref().map(|s| s.domain())
    }

    /// A fault of `value`, placed in the scene's file.
    #[must_use]
    pub fn fault(&self, value: &str, message: impl Into<String>) -> Diagnostic {
        match (&self.source, &self.scene) {
            (Some(source), Some(scene)) => source.fault(&scene.name, value, message),
            _ => Diagnostic::error(message),
        }
    }
}
