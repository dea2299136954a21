//! The oracle of the suite: the rules of chess as a program that proves a win, a loss or a draw, with the game's
//! history.
//!
//! # Source
//! FIDE Laws 5.1, 5.2, 9.2, 9.3. A third occurrence or a hundredth half-move without capture or pawn move is a draw,
//! because the side that wants one can claim it. Mate on that half-move wins. The simple cases of insufficient material
//! are draws.
//!
//! # Steps
//! 1. The oracle stores the positions of the game as text, the latest last. A text has the placement, the side to move,
//!    the castling rights, and the en-passant square if a capture is legal.
//! 2. `wins` tells whether some move mates, or leaves the opponent a position in which all moves lose. `loses` tells
//!    whether the side is mated, or every move lets the opponent win. Both search to a number of plies.
//! 3. `draws_by_checks` tells whether the side to move can give check after check until the game is a draw, against all
//!    answers.
//!
//! # Departures
//! The oracle has no table, no keys and no walk back over reversible moves. It shares only the board with
//! [`crate::history::Line`].
//!
//! # Cost
//! The oracle visits the tree of all moves. It suits only cases of a few pieces and plies.

use crate::rules::notation::legal_moves;
use cozy_chess::{Board, Color, File, Move, Piece, Square};

/// The status of a position by the rules alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    Mated,
    Draw,
    GoesOn,
}

/// A game and its continuation.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Step 1.
    seen: Vec<String>,
    board: Board,
    clock: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The most positions.
    budget: u64,
}

impl Oracle {
    /// The oracle at the end of a game.
    #[must_use]
    pub fn new(start: &Board, clock: u32, moves: &[Move], budget: u64) -> Self {
        let mut oracle = Self { seen: vec![text_of(start)], board: start.clone(), clock, nodes: 0, budget };
        for &mv in moves {
            oracle.play(mv);
        }
        oracle
    }

    /// Plays a legal move; returns the data that [`Oracle::undo`] needs.
    fn play(&mut self, mv: Move) -> (Board, u32) {
        let before = (self.board.clone(), self.clock);
        let zeroes = self.board.piece_on(mv.from) == Some(Piece::Pawn)
            || self.board.colors(!self.board.side_to_move()).has(mv.to);
        self.board.play_unchecked(mv);
        self.clock = if zeroes { 0 } else { self.clock + 1 };
        self.seen.push(text_of(&self.board));
        before
    }

    fn undo(&mut self, (board, clock): (Board, u32)) {
        (self.board, self.clock) = (board, clock);
        self.seen.pop();
    }

    /// The number of occurrences of the position.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        self.seen.last().map_or(0, |here| self.seen.iter().filter(|text| *text == here).count())
    }

    /// The number of occurrences of its placement and side to move.
    #[must_use]
    pub fn placements(&self) -> usize {
        let bare = |text: &String| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
        self.seen.last().map_or(0, |here| self.seen.iter().filter(|text| bare(text) == bare(here)).count())
    }

    /// Plies since a capture or pawn move.
    #[must_use]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Legal moves after which the position has occurred three times or more.
    #[must_use]
    pub fn to_third(&mut self) -> Vec<Move> {
        let mut out = legal_moves(&self.board);
        out.retain(|&mv| {
            let before = self.play(mv);
            let third = self.occurrences() >= 3;
            self.undo(before);
            third
        });
        out
    }

    fn judge(&self) -> Judged {
        let stuck = legal_moves(&self.board).is_empty();
        if stuck && !self.board.checkers().is_empty() {
            Judged::Mated
        } else if stuck || self.occurrences() >= 3 || self.clock >= 100 || dead(&self.board) {
            Judged::Draw
        } else {
            Judged::GoesOn
        }
    }

    /// Whether a move draws at once; a mate does not.
    #[must_use]
    pub fn draws_at_once(&mut self, mv: Move) -> bool {
        let before = self.play(mv);
        let draw = self.judge() == Judged::Draw;
        self.undo(before);
        draw
    }

    /// The number of plies in which a move mates by force, if at most `plies` (1: it mates).
    #[must_use]
    pub fn wins_by(&mut self, mv: Move, plies: u32) -> Option<u32> {
        (0..plies).step_by(2).map(|n| n + 1).find(|&n| {
            let before = self.play(mv);
            let mates = self.is_lost(n - 1);
            self.undo(before);
            mates
        })
    }

    /// The number of plies after which the side to move is mated by force in every line after this move, if at most
    /// `plies`.
    #[must_use]
    pub fn loses_by(&mut self, mv: Move, plies: u32) -> Option<u32> {
        (2..=plies).step_by(2).find(|&n| {
            let before = self.play(mv);
            let lost = self.judge() == Judged::GoesOn && self.is_won(n - 1);
            self.undo(before);
            lost
        })
    }

    /// The number of plies in which checks that begin with this move force a draw, if at most `plies` (1: it draws).
    #[must_use]
    pub fn draws_by_checks(&mut self, mv: Move, plies: u32) -> Option<u32> {
        (1..=plies).step_by(2).find(|&n| {
            let before = self.play(mv);
            let held = self.is_held(n - 1);
            self.undo(before);
            held
        })
    }

    /// Whether the moves so far were within the budget; otherwise no answer counts.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.nodes <= self.budget
    }

    /// Step 2: the side to move mates within this many plies.
    fn is_won(&mut self, plies: u32) -> bool {
        plies > 0
            && legal_moves(&self.board).into_iter().any(|mv| {
                let before = self.play(mv);
                let mates = self.is_lost(plies - 1);
                self.undo(before);
                mates
            })
    }

    /// Step 3: the game is drawn, or the side to move is in check and checks will draw within this many plies.
    fn is_held(&mut self, plies: u32) -> bool {
        self.nodes += 1;
        if self.nodes > self.budget {
            return false;
        }
        match self.judge() {
            Judged::Mated | Judged::Draw => true,
            Judged::GoesOn if plies < 2 || self.board.checkers().is_empty() => false,
            Judged::GoesOn => legal_moves(&self.board).into_iter().all(|answer| {
                let before = self.play(answer);
                let held = match self.judge() {
                    Judged::Mated => false,
                    Judged::Draw => true,
                    Judged::GoesOn => legal_moves(&self.board).into_iter().any(|mv| {
                        let before = self.play(mv);
                        let held = self.is_held(plies - 2);
                        self.undo(before);
                        held
                    }),
                };
                self.undo(before);
                held
            }),
        }
    }

    /// Step 2: the side to move is mated, or will be within this many plies in every line.
    fn is_lost(&mut self, plies: u32) -> bool {
        self.nodes += 1;
        if self.nodes > self.budget {
            return false;
        }
        match self.judge() {
            Judged::Mated => true,
            Judged::Draw => false,
            Judged::GoesOn if plies < 2 => false,
            Judged::GoesOn => legal_moves(&self.board).into_iter().all(|mv| {
                let before = self.play(mv);
                let lost = self.judge() == Judged::GoesOn && self.is_won(plies - 1);
                self.undo(before);
                lost
            }),
        }
    }
}

/// Step 1: the identity of a position, as text.
fn text_of(board: &Board) -> String {
    let mut out = String::with_capacity(90);
    for square in Square::ALL {
        out.push(board.piece_on(square).map_or('.', |piece| {
            let letter: char = piece.into();
            let white = board.color_on(square) == Some(Color::White);
            if white { letter.to_ascii_uppercase() } else { letter }
        }));
    }
    out.push(' ');
    out.push(if board.side_to_move() == Color::White { 'w' } else { 'b' });
    out.push(' ');
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long] {
            out.push(file.map_or('-', char::from));
        }
    }
    let capture = |file: File| {
        legal_moves(board).into_iter().any(|mv| {
            board.piece_on(mv.from) == Some(Piece::Pawn)
                && mv.to.file() == file
                && mv.from.file() != file
                && board.piece_on(mv.to).is_none()
        })
    };
    out.push(board.en_passant().filter(|&file| capture(file)).map_or('-', char::from));
    out
}

/// Kings alone, or with one minor piece.
fn dead(board: &Board) -> bool {
    let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    let kings = board.pieces(Piece::King);
    board.occupied() == (minor | kings) && minor.len() <= 1
}
