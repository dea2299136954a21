//! From scenes to cases: one case, one record. A scene with `for_each` makes many.

use super::load::{Loaded, Source};
use super::plain_files::{self, Kind, PlainFiles};
use super::{Column, Domain, Expect, ForEach, Game, Scene, Task, load, paths};
use crate::files::{self, display};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_chess::rules::epd::{self, Epd};
use tengen_chess::rules::{fen, notation, pgn_read};
use tengen_core::{Diagnostic, Position, derive_seed};
use tengen_go::board::sgf::{self, SgfError, Tree};

/// Nodes of a game record at most.
const MAX_NODES: usize = 1_000_000;

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
    /// Where in which file it stands, and what that says of it, for a position of chess; of a game record of Go, see
    /// [`Case::about`].
    pub origin: Option<Arc<Origin>>,
}

/// What a file of games or positions says of one of them.
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
    /// What is said of the game: `black`, `white`, `result`, `date`, `event` and so on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub info: BTreeMap<String, String>,
}

/// What games are said to be: the properties of SGF and the tags of PGN by the names of records.
const INFO: [(&str, &str, &str); 12] = [
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
        let text = files::bytes(path).map_err(|reason| {
            Diagnostic::error(format!("can't read {}: {reason}", display(path)))
                .help("paths in a scene are relative to the scene's file")
        })?;
        Self::parse(path, text)
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// As [`GameRecord::read`].
    pub fn parse(path: &Path, text: Vec<u8>) -> Result<Self, Diagnostic> {
        // Every node takes memory of its own, many times that of its text.
        if text.iter().filter(|&&b| b == b';').count() > MAX_NODES {
            return Err(Diagnostic::error(format!("a game record has at most {MAX_NODES} nodes"))
                .in_file(display(path))
                .at(Position { line: 1, column: 1 })
                .help("split the collection into files of one game each"));
        }
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

    /// What the record says of the game.
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

fn fault(path: &Path, text: &[u8], error: &SgfError) -> Diagnostic {
    error.diagnostic(text).in_file(display(path))
}

/// All cases of these files, in order: files as given, scenes as written, games by path, moves upwards. A file that is
/// no scene is a game record, positions or a rulesheet, by the ending of its name.
#[must_use]
pub fn of_files(files: &[PathBuf], run_seed: u64, bare: &PlainFiles) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut records = BTreeMap::new();
    for path in files {
        if let Some(kind) = Kind::of(path) {
            plain_files::cases_of(path, kind, bare, run_seed, &mut records, &mut cases);
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

/// Records that several scenes name are read once.
pub(super) type Records = BTreeMap<PathBuf, Result<Arc<GameRecord>, Diagnostic>>;

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

pub(super) fn read(records: &mut Records, path: &Path) -> Result<Arc<GameRecord>, Diagnostic> {
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

    fn many(&mut self, id: &str, many: &ForEach, records: &mut Records) {
        let glob = many.glob();
        let base = self.source.path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        let files = match paths::glob(&base, glob) {
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

/// The seed of a case that has none of its own.
pub(super) fn seed_of(seed: u64, id: &str) -> u64 {
    let parts: Vec<u64> = id.bytes().map(u64::from).collect();
    derive_seed(seed, &parts)
}

/// How a case of an id, a scene and an input is made.
pub(super) type Make<'a> = &'a dyn Fn(String, Arc<Scene>, Input) -> Case;

/// The scene of one position of chess out of many.
fn chess_scene(scene: &Scene, fen: String, moves: Vec<String>, expect: Option<Expect>) -> Arc<Scene> {
    let game = Some(Game::Chess { fen: Some(fen), moves });
    let expect = scene.expect.iter().cloned().chain(expect).collect();
    Arc::new(Scene { game, for_each: None, expect, ..scene.clone() })
}

/// The cases of a file of FEN or EPD, one a line that is not empty and no comment (`#`).
pub(super) fn of_lines(path: &Path, id: &str, scene: &Arc<Scene>, make: Make<'_>, cases: &mut Vec<Case>) {
    let name = display(path);
    let text = match files::text(path) {
        Ok(text) => text,
        Err(reason) => return cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, &reason))),
    };
    let before = cases.len();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let id = format!("{id}:{number}");
        let Epd { setup, mut operations } = match epd::parse(line) {
            Ok(epd) => epd,
            Err(error) => {
                let at = Position { line: u32::try_from(number).unwrap_or(u32::MAX), column: 1 };
                let fault = Diagnostic::from(error).in_file(name.clone()).at(at);
                cases.push(make(id, Arc::clone(scene), Input::Fault(fault)));
                continue;
            }
        };
        let searched = matches!(scene.task, Task::Search { exact: false, .. });
        let best = operations.remove("bm").filter(|_| searched);
        let expect =
            best.map(|moves| Expect::BestMove(moves.split_whitespace().map(str::to_owned).collect()));
        let fen = fen::write(&setup.board, setup.clock, setup.chess960);
        let mut case = make(id, chess_scene(scene, fen, Vec::new(), expect), Input::Game);
        let info = operations.into_iter().collect();
        case.origin =
            Some(Arc::new(Origin { file: name.clone(), line: Some(number), info, ..Origin::default() }));
        cases.push(case);
    }
    if cases.len() == before {
        cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, "it holds no position")));
    }
}

/// The cases of a file of PGN: of each game the positions after the plies that `plies` names of its number of moves.
pub(super) fn of_pgn(
    path: &Path,
    id: &str,
    scene: &Arc<Scene>,
    plies: &dyn Fn(usize) -> Vec<usize>,
    make: Make<'_>,
    cases: &mut Vec<Case>,
) {
    let name = display(path);
    let bytes = files::bytes(path);
    // Old records are in Latin-1: names suffer, moves don't.
    let text = bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes));
    let games = match &text {
        Ok(text) => pgn_read::games(text),
        Err(reason) => return cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, reason))),
    };
    if games.is_empty() {
        cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, "it holds no game")));
    }
    for (index, game) in games.into_iter().map(pgn_read::read).enumerate() {
        let id = format!("{id}:{}", index + 1);
        if let Some(fault) = game.fault {
            let at = Position { line: u32::try_from(fault.line).unwrap_or(u32::MAX), column: 1 };
            let fault = Diagnostic::error(fault.why.to_string())
                .in_file(name.clone())
                .at(at)
                .help("moves of PGN are in SAN");
            cases.push(make(id, Arc::clone(scene), Input::Fault(fault)));
            continue;
        }
        let mut board = game.start.board.clone();
        let words: Vec<String> = game
            .moves
            .iter()
            .map(|&mv| {
                let word = notation::uci(&board, mv, game.start.chess960);
                board.play_unchecked(mv);
                word
            })
            .collect();
        let fen = fen::write(&game.start.board, game.start.clock, game.start.chess960);
        let said = |&(_, tag, name): &(&str, &str, &str)| {
            let value = game.tag(tag).filter(|text| !text.is_empty() && *text != "?")?;
            Some((name.to_owned(), value.to_owned()))
        };
        let info: BTreeMap<String, String> = INFO.iter().filter_map(said).collect();
        for after in plies(words.len()) {
            if after > words.len() {
                let fault = Diagnostic::error(format!("the game has {} plies, not {after}", words.len()));
                let at = Position { line: u32::try_from(game.line).unwrap_or(u32::MAX), column: 1 };
                let input = Input::Fault(fault.in_file(name.clone()).at(at).help("give a smaller --move"));
                cases.push(make(format!("{id}@{after}"), Arc::clone(scene), input));
                continue;
            }
            let scene = chess_scene(scene, fen.clone(), words[..after].to_vec(), None);
            let mut case = make(format!("{id}@{after}"), scene, Input::Game);
            case.origin = Some(Arc::new(Origin {
                file: name.clone(),
                line: Some(game.line),
                number: Some(index + 1),
                after: Some(after),
                moves: Some(words.len()),
                played: words.get(after).cloned(),
                info: info.clone(),
            }));
            cases.push(case);
        }
    }
}

/// The input of a case whose file can't be read.
fn unreadable(name: &str, reason: &str) -> Input {
    Input::Fault(
        Diagnostic::error(format!("can't use {name}: {reason}"))
            .in_file(name)
            .at(Position { line: 1, column: 1 })
            .help("a file of positions has one a line, a file of games is PGN"),
    )
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

impl Case {
    /// A case of a file or path that can't be used.
    #[must_use]
    pub const fn faulty(id: String, fault: Diagnostic) -> Self {
        Self { id, source: None, scene: None, seed: 0, input: Input::Fault(fault), origin: None }
    }

    /// The cases of a scene file that can't be used: one a fault, with its place in the id where there are several.
    fn of_faults(name: &str, faults: Vec<Diagnostic>) -> impl Iterator<Item = Self> {
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
