//! Makes cases from chess files: files with one position on each line, and game records. The files are read as streams,
//! so memory holds only a piece of a file.

use super::case::{Case, INFO, Input, Origin, seed_of};
use super::load::Source;
use super::{Expect, Game, Scene, Task};
use crate::files::{self, display};
use crate::number_text::counted;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_chess::rules::epd::{self, Epd};
use tengen_chess::rules::fen::{self, Setup};
use tengen_chess::rules::pgn_read::{self, Cutter, OwnedGame};
use tengen_chess::rules::{Move, kinds, notation};
use tengen_core::{Diagnostic, Position};

/// The least number of cases made at a time, except at the end.
const AT_A_TIME: usize = 1024;
/// Bytes of one game at most.
const LONGEST_GAME: usize = 16 << 20;

/// The games of a PGN file of any length, a piece at a time.
pub(crate) struct GameTexts {
    pieces: files::Pieces,
    cutter: Cutter,
    /// A game is longer than [`LONGEST_GAME`].
    is_too_long: bool,
    is_over: bool,
}

impl GameTexts {
    /// Opens a file, packed or not.
    ///
    /// # Errors
    /// Why it can't be read.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let pieces = files::Pieces::open(path)?;
        Ok(Self { pieces, cutter: Cutter::default(), is_too_long: false, is_over: false })
    }

    /// The next games, which may be none; `None` at the end of the file.
    ///
    /// # Errors
    /// Why the file can't be read further. The end of a game that is too long is not looked for.
    pub(crate) fn next_games(&mut self) -> Result<Option<Vec<OwnedGame>>, String> {
        if std::mem::take(&mut self.is_too_long) {
            self.is_over = true;
            return Err(format!("it has a game of more than {} MiB", LONGEST_GAME >> 20));
        }
        if self.is_over {
            return Ok(None);
        }
        let piece = self.pieces.next_piece()?;
        self.is_over = piece.is_none();
        self.cutter.push(piece.as_deref().unwrap_or_default());
        let mut games = self.cutter.take(self.is_over);
        let long = games.iter().position(|game| game.text.len() > LONGEST_GAME);
        self.is_too_long = long.is_some() || self.cutter.waiting() > LONGEST_GAME;
        games.truncate(long.unwrap_or(games.len()));
        Ok(Some(games))
    }
}

/// How the cases of a scene are made.
#[derive(Clone, Debug)]
pub(super) struct Making {
    pub(super) source: Arc<Source>,
    pub(super) scene: Arc<Scene>,
    pub(super) run_seed: u64,
}

impl Making {
    /// A case of an id, a scene and an input.
    pub(super) fn case(&self, id: String, scene: Arc<Scene>, input: Input) -> Case {
        let seed = match (self.scene.seed, &self.scene.for_each) {
            (Some(seed), None) => seed,
            (Some(seed), Some(_)) => seed_of(seed, &id),
            (None, _) => seed_of(self.run_seed, &id),
        };
        Case { id, source: Some(Arc::clone(&self.source)), scene: Some(scene), seed, input, origin: None }
    }

    /// A case whose input can't be used.
    fn faulty(&self, id: String, fault: Diagnostic) -> Case {
        self.case(id, Arc::clone(&self.scene), Input::Fault(fault))
    }
}

/// The numbers of moves after which a game gives a case.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plies {
    /// Before the first move and after every N moves.
    Every(usize),
    /// After a number of moves.
    After(usize),
    /// After the last.
    Last,
}

impl Plies {
    pub(super) fn of(self, moves: usize) -> Vec<usize> {
        match self {
            Self::Every(every) => (0..=moves).step_by(every.max(1)).collect(),
            Self::After(after) => vec![after],
            Self::Last => vec![moves],
        }
    }
}

/// The file of a scene that is read.
pub(super) struct ChessFile {
    making: Making,
    id: String,
    name: String,
    path: PathBuf,
    /// The text of a file of lines.
    text: Option<files::Pieces>,
    content: Content,
    /// No case came of it yet.
    is_bare: bool,
    is_over: bool,
}

/// The content of the file.
enum Content {
    /// One position on each line, and the number of lines read.
    Lines(u32),
    /// Games: the number read, the waiting ones, and the positions that become cases.
    Games { plies: Plies, texts: Option<Box<GameTexts>>, read: usize, waiting: VecDeque<OwnedGame> },
}

/// The scene of one position of chess out of many.
fn chess_scene(scene: &Scene, fen: String, moves: Vec<String>, expect: Vec<Expect>) -> Arc<Scene> {
    let game = Some(Game::Chess { fen: Some(fen), moves });
    let expect = scene.expect.iter().cloned().chain(expect).collect();
    Arc::new(Scene { game, for_each: None, expect, ..scene.clone() })
}

impl ChessFile {
    /// A file of FEN or EPD: a case a line that is not empty and no comment (`#`).
    pub(super) fn of_lines(path: PathBuf, id: String, making: Making) -> Self {
        Self::new(path, id, making, Content::Lines(0))
    }

    /// A file of PGN: of each game the positions after these plies.
    pub(super) fn of_games(path: PathBuf, id: String, making: Making, plies: Plies) -> Self {
        let waiting = VecDeque::new();
        Self::new(path, id, making, Content::Games { plies, texts: None, read: 0, waiting })
    }

    fn new(path: PathBuf, id: String, making: Making, content: Content) -> Self {
        let name = display(&path);
        Self { making, id, name, path, text: None, content, is_bare: true, is_over: false }
    }

    /// The next cases; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Vec<Case>> {
        let mut cases = Vec::new();
        while cases.len() < AT_A_TIME && !self.is_done() {
            if let Err(reason) = self.step(&mut cases) {
                self.is_over = true;
                cases.push(self.making.faulty(self.id.clone(), unreadable(&self.name, &reason)));
            }
        }
        self.is_bare &= cases.is_empty();
        if std::mem::take(&mut self.is_bare) && self.is_done() {
            let what = if matches!(self.content, Content::Lines(_)) { "position" } else { "game" };
            let fault = unreadable(&self.name, &format!("it holds no {what}"));
            return Some(vec![self.making.faulty(self.id.clone(), fault)]);
        }
        (!cases.is_empty()).then_some(cases)
    }

    fn is_done(&self) -> bool {
        let waits = matches!(&self.content, Content::Games { waiting, .. } if !waiting.is_empty());
        self.is_over && !waits
    }

    /// Makes the cases of the next game or the next piece of lines.
    fn step(&mut self, cases: &mut Vec<Case>) -> Result<(), String> {
        if let Content::Games { plies, read, waiting, .. } = &mut self.content
            && let Some(game) = waiting.pop_front()
        {
            *read += 1;
            let (number, plies) = (*read, *plies);
            self.game(number, plies, &game, cases);
            return Ok(());
        }
        match &mut self.content {
            Content::Lines(read) => {
                let text = match &mut self.text {
                    Some(text) => text,
                    None => self.text.insert(files::Pieces::open(&self.path)?),
                };
                let piece = text.next_piece()?;
                self.is_over = piece.is_none();
                for line in piece.iter().flat_map(|piece| piece.lines()) {
                    *read += 1;
                    cases.extend(self.making.line(&self.id, &self.name, *read, line));
                }
            }
            Content::Games { texts, waiting, .. } => {
                let texts = match texts {
                    Some(texts) => texts,
                    None => texts.insert(Box::new(GameTexts::open(&self.path)?)),
                };
                let games = texts.next_games()?;
                self.is_over = games.is_none();
                waiting.extend(games.into_iter().flatten());
            }
        }
        Ok(())
    }

    /// Makes the cases of a game.
    fn game(&self, number: usize, plies: Plies, text: &OwnedGame, cases: &mut Vec<Case>) {
        let id = format!("{}:{number}", self.id);
        let name = &self.name;
        let game = pgn_read::read(text.as_text());
        if let Some(fault) = game.fault {
            let fault = fault_of(&fault).in_file(name.clone());
            return cases.push(self.making.faulty(id, fault));
        }
        let said = |&(_, tag, name): &(&str, &str, &str)| {
            let value = game.tag(tag).filter(|text| !text.is_empty() && *text != "?")?;
            Some((name.to_owned(), value.to_owned()))
        };
        let info: BTreeMap<String, String> = INFO.iter().filter_map(said).collect();
        let warnings = game_warnings(&game, name);
        let last = game.plies();
        // Each position has the moves since the last null move: no history goes back behind one.
        let parts: Vec<Part> = game.stretches.iter().map(Part::of).collect();
        for after in plies.of(last) {
            if after > last {
                let fault = Diagnostic::error(format!("the game has {}, not {after}", counted("ply", last)));
                let at = Position { line: u32::try_from(game.line).unwrap_or(u32::MAX), column: 1 };
                let fault = fault.in_file(name.clone()).at(at).help("give a smaller --move");
                cases.push(self.making.faulty(format!("{id}@{after}"), fault));
                continue;
            }
            let (part, played) = Part::after(&parts, after);
            let scene =
                chess_scene(&self.making.scene, part.fen.clone(), part.words[..played].to_vec(), Vec::new());
            let next = part.words.get(played).cloned();
            let mut case = self.making.case(format!("{id}@{after}"), scene, Input::Game);
            case.origin = Some(Arc::new(Origin {
                file: name.clone(),
                line: Some(game.line),
                number: Some(number),
                after: Some(after),
                moves: Some(last),
                played: next.or_else(|| (after < last).then(|| "--".to_owned())),
                info: info.clone(),
                warnings: warnings.clone(),
            }));
            cases.push(case);
        }
    }
}

impl Making {
    /// The case of a line; `None` for an empty line or a comment.
    fn line(&self, id: &str, name: &str, number: u32, line: &str) -> Option<Case> {
        let scene = &self.scene;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let id = format!("{id}:{number}");
        let at = Position { line: number, column: 1 };
        let Epd { setup, mut operations } = match epd::parse(line) {
            Ok(epd) => epd,
            Err(error) => {
                let fault = Diagnostic::from(error).in_file(name);
                let at = Position { line: number, ..fault.at.unwrap_or(at) };
                return Some(self.faulty(id, fault.at(at)));
            }
        };
        let searched = matches!(scene.task, Task::Search { exact: false, .. });
        let mut expect = Vec::new();
        for (code, kind) in [("bm", Expect::BestMove as fn(Vec<String>) -> Expect), ("am", Expect::AvoidMove)]
        {
            let moves = operations.remove(code).filter(|_| searched);
            expect.extend(moves.map(|text| kind(text.split_whitespace().map(str::to_owned).collect())));
        }
        let fen = fen::write(&setup.board, setup.clock, setup.chess960);
        let mut case = self.case(id, chess_scene(scene, fen, Vec::new(), expect), Input::Game);
        let info = operations.into_iter().collect();
        let warnings = setup.warnings().into_iter().map(|warning| warning.in_file(name).at(at)).collect();
        let (file, line) = (name.to_owned(), Some(number as usize));
        case.origin = Some(Arc::new(Origin { file, line, info, warnings, ..Origin::default() }));
        Some(case)
    }
}

/// A fault of a game of PGN, with its place.
pub(crate) fn fault_of(fault: &pgn_read::PgnError) -> Diagnostic {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let at = Position { line: number(fault.line), column: number(fault.column) };
    Diagnostic::error(fault.why.to_string()).at(at).help(fault.why.help())
}

/// A stretch of a game as scenes write it.
struct Part {
    fen: String,
    words: Vec<String>,
}

impl Part {
    fn of(stretch: &pgn_read::Stretch) -> Self {
        let Setup { board, clock, chess960, .. } = &stretch.start;
        let fen = fen::write(board, *clock, *chess960);
        let mut board = board.clone();
        let word = |&mv: &Move| {
            let word = notation::uci(&board, mv, *chess960);
            board.play_unchecked(mv);
            word
        };
        Self { fen, words: stretch.moves.iter().map(word).collect() }
    }

    /// The part that contains the position after a number of plies, and the number of its moves up to there.
    fn after(parts: &[Self], plies: usize) -> (&Self, usize) {
        let mut left = plies;
        for part in parts {
            if left <= part.words.len() {
                return (part, left);
            }
            left -= part.words.len() + 1;
        }
        let last = &parts[parts.len() - 1];
        (last, last.words.len())
    }
}

/// The warnings of reading a game.
pub(crate) fn game_warnings(game: &pgn_read::PgnRecord, name: &str) -> Vec<Diagnostic> {
    let null = game.null_moves().next().map(|ply| {
        let more = game.null_moves().count() - 1;
        let more = if more > 0 { format!(", and {more} more are") } else { String::new() };
        Diagnostic::warning(format!("ply {ply} of the game is a null move{more}: it passes the turn"))
            .of_kind(kinds::NULL_MOVE)
            .help("a null move is no move of chess: write the moves of the whole game")
    });
    let at = Position { line: u32::try_from(game.line).unwrap_or(u32::MAX), column: 1 };
    let placed = |warning: Diagnostic| warning.in_file(name).at(at);
    game.stretches[0].start.warnings().into_iter().chain(null).map(placed).collect()
}

/// The fault of a file that can't be read.
fn unreadable(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(format!("can't use {name}: {reason}"))
        .in_file(name)
        .at(Position { line: 1, column: 1 })
        .help("a file of positions has one a line, a file of games is PGN")
}
