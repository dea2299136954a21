//! Defines a case: one position to analyse, with its scene and its random seed.

use super::load::Source;
use super::{Domain, Scene};
use crate::files::{self, display};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_core::{Diagnostic, Position, derive_seed};
use tengen_go::board::sgf::{self, SgfError, SgfWarning, Tree};

/// Nodes of a game record at most.
const MAX_NODES: usize = 1_000_000;

/// One position to think about, one record to write.
#[derive(Clone, Debug)]
pub struct Case {
    /// `file#name`, with `/game@move` behind it for one of many.
    pub id: String,
    /// The scene's origin; none for an unreadable scene file.
    pub source: Option<Arc<Source>>,
    /// The task; none likewise.
    pub scene: Option<Arc<Scene>>,
    /// The case's own seed.
    pub seed: u64,
    /// The position.
    pub input: Input,
    /// The file, the place and the data of a chess position. For a Go record see [`Case::about`].
    pub origin: Option<Arc<Origin>>,
}

/// The data of one game or position of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The file, with forward slashes.
    pub file: String,
    /// The line it begins on, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Which game of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Moves (chess: plies) played; 0 is the start.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// Moves of the whole game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<usize>,
    /// The move the game goes on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// The data of the game: `black`, `white`, `result`, `date`, `event` and so on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub info: BTreeMap<String, String>,
    /// The warnings of reading it; the record has them as its own.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
}

/// The properties of SGF and the tags of PGN that describe a game, by the names of records.
pub(super) const INFO: [(&str, &str, &str); 12] = [
    ("PB", "Black", "black"),
    ("PW", "White", "white"),
    ("BR", "BlackElo", "black_rank"),
    ("WR", "WhiteElo", "white_rank"),
    ("RE", "Result", "result"),
    ("DT", "Date", "date"),
    ("EV", "Event", "event"),
    ("RO", "Round", "round"),
    ("PC", "Site", "place"),
    ("RU", "Variant", "rules"),
    ("HA", "", "handicap"),
    ("", "ECO", "opening"),
];

/// The origin of a case's position.
#[derive(Clone, Debug)]
pub enum Input {
    /// The scene's own `game`.
    Game,
    /// A line of a game record, after a number of moves.
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
    pub text: Arc<[u8]>,
    /// The tree.
    pub tree: Tree,
    /// Which game of its file it is, from 1, where that holds several.
    pub number: Option<usize>,
}

impl GameRecord {
    /// Reads and parses a file.
    ///
    /// # Errors
    /// A diagnostic without a place if it can't be read, with its place in the SGF file if it can't be parsed.
    pub fn read(path: &Path) -> Result<Self, Diagnostic> {
        Self::parse(path, text_of(path)?)
    }

    /// Reads and parses all games of a file, the fault that ends them last.
    #[must_use]
    pub fn read_all(path: &Path) -> Vec<Result<Self, Diagnostic>> {
        let text: Arc<[u8]> = match text_of(path).and_then(|text| bounded(path, text)) {
            Ok(text) => text.into(),
            Err(fault) => return vec![Err(fault)],
        };
        let (trees, error) = sgf::games(&text);
        let several = trees.len() + usize::from(error.is_some()) > 1;
        let record = |(n, tree)| {
            let number = several.then_some(n + 1);
            Ok(Self { path: path.to_path_buf(), text: Arc::clone(&text), tree, number })
        };
        let records = trees.into_iter().enumerate().map(record);
        records.chain(error.map(|error| Err(fault(path, &text, &error)))).collect()
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// As [`GameRecord::read`].
    pub fn parse(path: &Path, text: Vec<u8>) -> Result<Self, Diagnostic> {
        let text = bounded(path, text)?;
        match sgf::parse(&text) {
            Ok(tree) => Ok(Self { path: path.to_path_buf(), text: text.into(), tree, number: None }),
            Err(error) => Err(fault(path, &text, &error)),
        }
    }

    /// The warnings of reading the record, without those of its positions.
    #[must_use]
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.tree.warnings.iter().map(|warning| self.warning(warning)).collect()
    }

    /// A warning of the record, placed in its file.
    pub(super) fn warning(&self, warning: &SgfWarning) -> Diagnostic {
        warning.diagnostic(&self.text).in_file(display(&self.path))
    }

    /// An SGF error, placed in this file.
    #[must_use]
    pub fn fault(&self, error: &SgfError) -> Diagnostic {
        fault(&self.path, &self.text, error)
    }

    /// The record's data of the game.
    fn info(&self) -> BTreeMap<String, String> {
        let root = self.tree.nodes.first();
        let said = |name: &str| root.and_then(|node| node.get(name)).filter(|text| !text.trim().is_empty());
        let pair =
            |&(sgf, _, name): &(&str, &str, &str)| Some((name.to_owned(), said(sgf)?.trim().to_owned()));
        INFO.iter().filter_map(pair).collect()
    }

    /// The vertex of a line's move number `n`, from 0, as GTP spells it.
    fn played(&self, line: &[sgf::NodeId], n: usize) -> Option<String> {
        let size = self.tree.nodes.first()?.get("SZ").map_or(Some(19), |text| text.trim().parse().ok())?;
        let properties = line.iter().flat_map(|&id| &self.tree.nodes[id].properties);
        let text = properties.filter(|p| p.name == "B" || p.name == "W").nth(n)?.values.first()?;
        Some(sgf::vertex_from_sgf(text, size)?.to_gtp(size))
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

/// The bytes of a game record.
fn text_of(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    files::bytes(path).map_err(|reason| {
        Diagnostic::error(format!("can't read {}: {reason}", display(path)))
            .help("paths in a scene are relative to the scene's file")
    })
}

/// A text that has not too many nodes: every node takes memory of its own, many times that of its text.
fn bounded(path: &Path, text: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
    if text.iter().filter(|&&b| b == b';').count() <= MAX_NODES {
        return Ok(text);
    }
    Err(Diagnostic::error(format!("a game record has at most {MAX_NODES} nodes"))
        .in_file(display(path))
        .at(Position { line: 1, column: 1 })
        .help("split the collection into files of one game each"))
}

fn fault(path: &Path, text: &[u8], error: &SgfError) -> Diagnostic {
    error.diagnostic(text).in_file(display(path))
}

impl Case {
    /// A case of a file or path that can't be used.
    #[must_use]
    pub const fn faulty(id: String, fault: Diagnostic) -> Self {
        Self { id, source: None, scene: None, seed: 0, input: Input::Fault(fault), origin: None }
    }

    /// The cases of a scene file that can't be used: one a fault, with its place in the id where there are several.
    pub(super) fn of_faults(name: &str, faults: Vec<Diagnostic>) -> impl Iterator<Item = Self> {
        let several = faults.len() > 1;
        faults.into_iter().map(move |fault| {
            let place = fault.at.filter(|_| several).map(|at| format!(":{}:{}", at.line, at.column));
            Self::faulty(format!("{name}{}", place.unwrap_or_default()), fault)
        })
    }

    /// Which game or position of which file it is, and what that says of it; `None` for a position that the scene
    /// itself describes.
    #[must_use]
    pub fn about(&self) -> Option<Origin> {
        match &self.input {
            Input::Record { record, after, variation } => {
                let line = record.tree.line(variation);
                let moves = record.moves(&line);
                let after = after.unwrap_or(moves);
                Some(Origin {
                    file: display(&record.path),
                    number: record.number,
                    after: Some(after),
                    moves: Some(moves),
                    played: record.played(&line, after),
                    info: record.info(),
                    ..Origin::default()
                })
            }
            Input::Rules(path) => Some(Origin { file: display(path), ..Origin::default() }),
            Input::Game | Input::Fault(_) => self.origin.as_deref().cloned(),
        }
    }
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

/// The seed of a case that has none of its own.
pub(super) fn seed_of(seed: u64, id: &str) -> u64 {
    let parts: Vec<u64> = id.bytes().map(u64::from).collect();
    derive_seed(seed, &parts)
}

/// Records that several scenes name are read once.
pub(super) type Records = BTreeMap<PathBuf, Result<Arc<GameRecord>, Diagnostic>>;

/// The record of a file, read now if it was not before.
pub(super) fn read(records: &mut Records, path: &Path) -> Result<Arc<GameRecord>, Diagnostic> {
    records.entry(path.to_path_buf()).or_insert_with(|| GameRecord::read(path).map(Arc::new)).clone()
}
