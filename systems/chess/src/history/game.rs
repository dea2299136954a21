//! A game of chess: the starting position, the moves, and the status of the game under the rules.
//!
//! # Source
//! FIDE Laws 5.2, 9.2 (threefold, claim), 9.3 (fifty moves, claim), 9.6 (fivefold, seventy-five moves). A move that
//! gives mate and completes the count of moves wins: FIDE 9.6.2.

use super::identity::identity;
use super::line::Line;
use super::policy::Policy;
use crate::rules::fen::{self, FenError, Setup};
use crate::rules::notation::{self, MoveError};
use cozy_chess::{Board, Color, Move, Piece};
use tengen_core::diagnostic::Diagnostic;
use thiserror::Error;

/// A game as played on the board.
#[derive(Clone, Debug)]
pub struct Game {
    start: Setup,
    moves: Vec<Move>,
    /// Every position with its clock, the start first.
    positions: Vec<(Board, u16)>,
}

/// The status of a game. Only [`Game::result_with_claims`] reports claims as draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It goes on.
    Ongoing,
    /// The side to move is mated; the other has won.
    Win(Color),
    /// No legal move, no check.
    Stalemate,
    /// Third occurrence (a claim).
    Threefold,
    /// Fifth occurrence.
    Fivefold,
    /// Fifty moves by each side without capture or pawn move (a claim).
    FiftyMoves,
    /// Seventy-five moves by each side.
    SeventyFiveMoves,
    /// Neither side can mate by any sequence of moves (the simple cases).
    InsufficientMaterial,
}

impl GameResult {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub fn score(self) -> &'static str {
        match self {
            Self::Ongoing => "*",
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            _ => "1/2-1/2",
        }
    }
}

/// A game that can't be set up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The start position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move, with its number from 1.
    #[error("move {number}: {error}")]
    Move {
        /// From 1.
        number: usize,
        /// The fault.
        error: MoveError,
    },
}

impl From<GameError> for Diagnostic {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Fen(error) => error.into(),
            GameError::Move { .. } => Diagnostic::error(error.to_string())
                .help("moves are in UCI form, for example e2e4, e7e8q or e1g1"),
        }
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Setup::default())
    }
}

impl Game {
    /// A game before its first move, from `start`.
    #[must_use]
    pub fn new(start: Setup) -> Self {
        let positions = vec![(start.board.clone(), start.clock)];
        Self { start, moves: Vec::new(), positions }
    }

    /// A game from a FEN (or the word `startpos`) and UCI moves.
    ///
    /// # Errors
    /// On a bad FEN, or at the first move that is not legal.
    pub fn from_text<'a>(fen: &str, moves: impl IntoIterator<Item = &'a str>) -> Result<Self, GameError> {
        let setup = if fen == "startpos" { Setup::default() } else { fen::parse(fen)? };
        let mut game = Self::new(setup);
        for (index, text) in moves.into_iter().enumerate() {
            let mv = notation::parse_uci(game.board(), text)
                .map_err(|error| GameError::Move { number: index + 1, error })?;
            game.play(mv);
        }
        Ok(game)
    }

    /// A game that starts at the same position, clock included: the empty history.
    #[must_use]
    pub fn without_history(&self) -> Self {
        let (board, clock, chess960) = (self.board().clone(), self.clock(), self.chess960());
        Self::new(Setup { board, clock, chess960, ..Setup::default() })
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let (mut board, clock) = self.positions.last().expect("a game has its start position").clone();
        board.play_unchecked(mv);
        let clock = if board.halfmove_clock() == 0 { 0 } else { clock.saturating_add(1) };
        self.positions.push((board, clock));
        self.moves.push(mv);
    }

    /// Takes the last move back; nothing happens at the start.
    pub fn undo(&mut self) {
        if self.moves.pop().is_some() {
            self.positions.pop();
        }
    }

    /// The start position.
    #[must_use]
    pub fn start(&self) -> &Setup {
        &self.start
    }

    /// The moves played.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The current position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.positions.last().expect("a game has its start position").0
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn clock(&self) -> u16 {
        self.positions.last().expect("a game has its start position").1
    }

    /// Whether castling is written in the Chess960 way.
    #[must_use]
    pub fn chess960(&self) -> bool {
        self.start.chess960
    }

    /// Sets how castling is written.
    pub fn set_chess960(&mut self, on: bool) {
        self.start.chess960 = on;
    }

    /// The current position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        fen::write(self.board(), self.clock(), self.start.chess960)
    }

    /// The number of occurrences of the current position, itself included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        self.occurrences_of(self.board())
    }

    /// The number of occurrences of a position in the game.
    #[must_use]
    pub fn occurrences_of(&self, board: &Board) -> usize {
        let key = identity(board);
        self.positions.iter().filter(|(b, _)| identity(b) == key).count()
    }

    /// Moves that follow the current position, in UCI form. They must be legal one after the other.
    #[must_use]
    pub fn line_texts(&self, moves: &[Move]) -> Vec<String> {
        let mut board = self.board().clone();
        let mut texts = Vec::with_capacity(moves.len());
        for &mv in moves {
            texts.push(notation::uci(&board, mv, self.start.chess960));
            board.play_unchecked(mv);
        }
        texts
    }

    /// The key stack at the root of a search.
    #[must_use]
    pub fn line(&self, policy: Policy) -> Line {
        Line::new(&self.positions, policy)
    }

    /// The status without a claim: mate, stalemate, fivefold, 75 moves, dead material.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.judge(5, 150)
    }

    /// The status with every possible claim made: threefold and fifty moves end the game.
    #[must_use]
    pub fn result_with_claims(&self) -> GameResult {
        self.judge(3, 100)
    }

    fn judge(&self, occurrences: usize, clock: u16) -> GameResult {
        let board = self.board();
        let any_move = board.generate_moves(|_| true);
        if !any_move {
            return if board.checkers().is_empty() {
                GameResult::Stalemate
            } else {
                GameResult::Win(!board.side_to_move())
            };
        }
        if insufficient_material(board) {
            GameResult::InsufficientMaterial
        } else if self.occurrences() >= occurrences {
            if occurrences == 3 { GameResult::Threefold } else { GameResult::Fivefold }
        } else if self.clock() >= clock {
            if clock == 100 { GameResult::FiftyMoves } else { GameResult::SeventyFiveMoves }
        } else {
            GameResult::Ongoing
        }
    }
}

/// Kings alone, one minor piece more, or only bishops that all stand on squares of one colour.
#[must_use]
pub fn insufficient_material(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    if (knights | bishops).len() <= 1 {
        return true;
    }
    let dark = cozy_chess::BitBoard::DARK_SQUARES;
    knights.is_empty() && ((bishops & dark).is_empty() || (bishops - dark).is_empty())
}
