//! The opened games and positions of chess.

use crate::batch::chess::game as position;
use crate::files;
use crate::scene::{Case, GameTexts, pgn_warnings, warnings};
use anyhow::Context as _;
use std::path::Path;
use std::sync::Arc;
use tengen_chess::history::Game;
use tengen_chess::rules::fen::Setup;
use tengen_chess::rules::pgn_read::{self, PgnRecord};
use tengen_chess::rules::{epd, notation};
use tengen_core::{Diagnostic, Position};
use tengen_render::Ink;
use tengen_render::chess::{Board, square};

/// The most games or positions of a file that are kept.
const MOST: usize = 5000;
/// A game of the file, or a position as a game without moves.
pub(super) struct Record {
    pub(super) title: String,
    pub(super) game: PgnRecord,
    /// Why there is no position at all.
    pub(super) refused: Option<String>,
    /// The warnings of reading it.
    pub(super) warnings: Vec<Diagnostic>,
}

impl Record {
    pub(super) fn of_position(title: String, start: Setup) -> Self {
        let warnings = start.warnings();
        Self { title, game: PgnRecord::of_moves(start, Vec::new()), refused: None, warnings }
    }

    /// The place where its text becomes invalid, and the reason.
    pub(super) fn fault(&self) -> Option<String> {
        self.game.fault.as_ref().map(ToString::to_string)
    }
}

/// The games that were opened.
pub struct OpenedGames {
    pub(super) name: String,
    pub(super) records: Vec<Arc<Record>>,
    /// Games of the file that are not kept.
    pub(super) left_out: usize,
}

impl OpenedGames {
    /// The games of a PGN file, or the positions of a file of FENs or EPDs.
    ///
    /// # Errors
    /// If the file cannot be read or holds none.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let is_pgn = files::ending(path).as_deref() == Some("pgn");
        let mut filling = Filling { is_pgn, name: &name, records: Vec::new(), left_out: 0, lines: 0 };
        filling.fill(path).map_err(anyhow::Error::msg).context(name.clone())?;
        let Filling { records, left_out, .. } = filling;
        anyhow::ensure!(!records.is_empty(), "{name} holds no game and no position");
        let records = records.into_iter().map(Arc::new).collect();
        Ok(Self { name, records, left_out })
    }

    /// A position given as FEN or EPD; `None` for any other text.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let start = epd::parse(text).ok()?.setup;
        let title = text.to_owned();
        let record = Record::of_position(title, start);
        Some(Self { name: "a position".into(), records: vec![Arc::new(record)], left_out: 0 })
    }
}

impl OpenedGames {
    pub(super) fn record(&self, number: usize) -> Result<Arc<Record>, String> {
        self.records.get(number).cloned().ok_or_else(|| format!("there is no game {}", number + 1))
    }

    /// The positions of scenes, or the fault of one that cannot be set up.
    pub(super) fn of_cases<'a>(cases: impl Iterator<Item = &'a Case>) -> Self {
        let record = |case: &Case| match position(case) {
            Ok(game) => {
                let record = PgnRecord::of_moves(game.start().clone(), game.moves().to_vec());
                let warnings = warnings::of(case);
                Record { game: record, warnings, ..Record::of_position(case.id.clone(), Setup::default()) }
            }
            Err(fault) => {
                let refused = Some(fault.to_string());
                Record { refused, ..Record::of_position(case.id.clone(), Setup::default()) }
            }
        };
        Self { name: "Scenes".into(), records: cases.map(record).map(Arc::new).collect(), left_out: 0 }
    }
}

/// The first games or positions of a file, as they are read.
struct Filling<'a> {
    is_pgn: bool,
    name: &'a str,
    records: Vec<Record>,
    left_out: usize,
    lines: usize,
}

impl Filling<'_> {
    fn fill(&mut self, path: &Path) -> Result<(), String> {
        if !self.is_pgn {
            let mut pieces = files::Pieces::open(path)?;
            while let Some(piece) = pieces.next_piece()? {
                piece.lines().try_for_each(|line| self.position(line))?;
            }
            return Ok(());
        }
        let mut texts = GameTexts::open(path)?;
        while let Some(games) = texts.next_games()? {
            for game in games {
                match self.records.len() {
                    MOST => self.left_out += 1,
                    number => {
                        let game = pgn_read::read(game.as_text());
                        self.records.push(Record::of_game(number, game, self.name));
                    }
                }
            }
        }
        Ok(())
    }

    fn position(&mut self, line: &str) -> Result<(), String> {
        self.lines += 1;
        let number = self.lines;
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if self.records.len() == MOST {
            self.left_out += 1;
            return Ok(());
        }
        let start = epd::parse(line).map_err(|error| format!("{}:{number}: {error}", self.name))?.setup;
        let mut record = Record::of_position(format!("line {number}: {line}"), start);
        let at = Position { line: u32::try_from(number).unwrap_or(u32::MAX), column: 1 };
        let placed = |warning: Diagnostic| warning.in_file(self.name).at(at);
        record.warnings = record.warnings.into_iter().map(placed).collect();
        self.records.push(record);
        Ok(())
    }
}

impl Record {
    fn of_game(number: usize, game: PgnRecord, file: &str) -> Self {
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        let title = format!("{}: {} – {}, {}", number + 1, tag("White"), tag("Black"), tag("Date"));
        let warnings = pgn_warnings(&game, file);
        Self { title, game, refused: None, warnings }
    }

    /// The first game of a PGN text.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let first = pgn_read::games(text).into_iter().next()?;
        Some(Self::of_game(0, pgn_read::read(first), "game"))
    }

    /// The board after its last move, and the number of plies played.
    pub(super) fn last_board(&self) -> Option<(String, usize)> {
        let plies = self.game.plies();
        let picture = tengen_render::chess::draw(&standing_board(&self.title, &self.position(plies))?);
        Some((picture, plies))
    }

    /// The game after a number of plies, from the last null move on.
    pub(super) fn position(&self, plies: usize) -> Game {
        let (stretch, played) = self.game.after(plies);
        let mut game = Game::new(stretch.start.clone());
        stretch.moves[..played].iter().for_each(|&mv| game.play(mv));
        game
    }

    /// A tag of its PGN.
    pub(super) fn tag(&self, name: &str) -> &str {
        self.game.tag(name).unwrap_or("?")
    }
}

/// The board with the last move framed.
pub(super) fn standing_board(title: &str, game: &Game) -> Option<Board> {
    let mut board = Board::of_fen(title, &game.fen())?;
    if let Some(&mv) = game.moves().last() {
        let mut before = game.clone();
        before.undo();
        let text = notation::uci(before.board(), mv, game.chess960());
        let squares = [text.get(..2), text.get(2..4)].into_iter().flatten().filter_map(square);
        board.marked.extend(squares.map(|s| (s, Ink::Note)));
    }
    Some(board)
}
