//! Reads PGN: one game after the other, with the moves of the main line.
//!
//! # Source
//! PGN Standard, sections 7 (tokens), 8.1 (tags), 8.2 (movetext), import format.
//!
//! # Steps
//! 1. Cut the text into games. A result ends a game, and so does a tag that follows movetext, outside comments.
//! 2. Read the tags of a game. A `FEN` tag sets the starting position.
//! 3. Read the movetext until the result. Comments (`{}` and `;`), variations, annotation glyphs, move numbers and `%`
//!    lines are skipped. Every other word is a move in SAN.
//!
//! # Departures
//! A line ends with LF, CR LF or CR. The reader also accepts non-standard spellings that programs write: attached
//! glyphs (`e4$1`), figurines, `Ng1-f3`, `e8(Q)`, `e8/Q`, `exd6e.p.`, `1/2`, moves in the spelling of UCI (`loose.rs`).
//! A null move (`--`, `Z0`, `<>`, `0000`) passes the turn. It ends a [`Stretch`] of the game and begins another,
//! because a game history cannot contain a null move.
//!
//! # Cost
//! Two passes over the text. For each move, the reader examines the pieces that may reach the square.

use super::fen::{self, FenError, Setup};
use super::loose;
use super::notation::{self, MoveError};
pub use super::pgn_cut::{Cutter, GameText, OwnedGame, games};
use super::pgn_tokens::{Token, column, tag};
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use thiserror::Error;

/// A game as read.
#[derive(Clone, Debug)]
pub struct PgnRecord {
    /// The line it begins at, from 1.
    pub line: usize,
    /// Its tags, in order.
    pub tags: Vec<(String, String)>,
    /// Its moves, up to the first that is not legal: one stretch at least, and one more for each null move.
    pub stretches: Vec<Stretch>,
    /// The `Result` tag, else the result at the end of the movetext, else `*`.
    pub result: String,
    /// The result at the end of the movetext in the standard's spelling: its *game termination marker*.
    pub termination_marker: Option<&'static str>,
    /// Why the game cannot be followed to its end.
    pub fault: Option<PgnError>,
}

/// A part of a game without null moves. Between two stretches lies a null move, which is a ply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Its first position: the one after a null move. The first stretch begins at the initial position or that of the
    /// tag `FEN`.
    pub start: Setup,
    /// Legal moves from there.
    pub moves: Vec<Move>,
}

impl PgnRecord {
    /// A record of one stretch without tags.
    #[must_use]
    pub fn of_moves(start: Setup, moves: Vec<Move>) -> Self {
        let stretches = vec![Stretch { start, moves }];
        let (tags, result) = (Vec::new(), String::new());
        Self { line: 1, tags, stretches, result, termination_marker: None, fault: None }
    }

    /// Its plies, null moves too.
    #[must_use]
    pub fn plies(&self) -> usize {
        let moves: usize = self.stretches.iter().map(|stretch| stretch.moves.len()).sum();
        moves + self.stretches.len().saturating_sub(1)
    }

    /// The plies of its null moves, from 1.
    pub fn null_moves(&self) -> impl Iterator<Item = usize> + '_ {
        let stretches = &self.stretches[..self.stretches.len().saturating_sub(1)];
        stretches.iter().scan(0, |plies, stretch| {
            *plies += stretch.moves.len() + 1;
            Some(*plies)
        })
    }

    /// The stretch that contains the position after a number of plies, and the number of its moves up to there. After
    /// the last ply for more than there are.
    #[must_use]
    pub fn after(&self, plies: usize) -> (&Stretch, usize) {
        let mut begins = 0;
        let mut found = (&self.stretches[0], 0);
        for stretch in &self.stretches {
            if begins > plies {
                break;
            }
            found = (stretch, (plies - begins).min(stretch.moves.len()));
            begins += stretch.moves.len() + 1;
        }
        found
    }

    /// The value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The termination marker, if the tag `Result` gives another result. A `*` contradicts nothing.
    #[must_use]
    pub fn contradicting_marker(&self) -> Option<&'static str> {
        let (tag, marker) = (loose::result(self.tag("Result")?)?, self.termination_marker?);
        (tag != marker && tag != "*" && marker != "*").then_some(marker)
    }
}

/// A fault of a game, with its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {why}")]
pub struct PgnError {
    /// The line of the file, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// The fault.
    pub why: PgnFault,
}

/// A fault of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnFault {
    /// The `FEN` tag.
    #[error("the FEN tag: {0}")]
    Fen(#[from] FenError),
    /// A move.
    #[error("move {number}: {error}")]
    Move {
        /// Plies from the start, from 1.
        number: usize,
        /// The fault.
        error: MoveError,
    },
    /// A variant that is not played.
    #[error("the variant `{0}` is not played here: chess and Chess960 are")]
    Variant(String),
    /// A null move in check.
    #[error("move {number}: the null move `{text}` can't be played in check")]
    Null {
        /// Plies from the start, from 1.
        number: usize,
        /// As it is written.
        text: String,
    },
    /// A comment or a variation that never ends.
    #[error("the {0} that begins here has no end")]
    Open(&'static str),
}

impl PgnFault {
    /// The line of help.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Fen(_) => "a FEN looks like `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`",
            Self::Move { .. } => "moves are in SAN, such as `Nf3`, and legal where they stand",
            Self::Variant(_) => "take the game out, or the tag if it is a game of chess",
            Self::Null { .. } => "a side in check can't pass: write the move that was played",
            Self::Open("variation") => "a `)` is missing",
            Self::Open(_) => "a `}` is missing",
        }
    }
}

/// Steps 2 and 3. A game with a fault keeps the moves before the fault.
#[must_use]
pub fn read(game: GameText<'_>) -> PgnRecord {
    let mut reader = Reader {
        record: PgnRecord {
            line: game.line,
            tags: Vec::new(),
            stretches: vec![Stretch::default()],
            result: String::new(),
            termination_marker: None,
            fault: None,
        },
        board: Board::default(),
    };
    let fault = reader.read(game);
    let mut record = reader.record;
    record.fault = fault.err();
    let result = record.tag("Result").or(record.termination_marker).unwrap_or("*").to_owned();
    record.result = loose::result(&result).map_or(result, str::to_owned);
    record
}

struct Reader {
    record: PgnRecord,
    board: Board,
}

impl Reader {
    fn read(&mut self, game: GameText<'_>) -> Result<(), PgnError> {
        let (mut tokens, mut open, mut movetext) = (game.tokens(), Vec::new(), false);
        let place = |offset: usize, line: usize, why: PgnFault| PgnError {
            line,
            column: column(game.text, offset, game.column),
            why,
        };
        while let Some((token, offset, line)) = tokens.next() {
            match token {
                Token::TagLine(text) if !movetext => {
                    let Some((name, value)) = tag(text) else { continue };
                    if name == "FEN" {
                        let start = fen::parse(&value).map_err(|error| place(offset, line, error.into()))?;
                        self.board = start.board.clone();
                        self.stretch().start = start;
                    }
                    if name == "Variant" && !loose::is_chess(&value) {
                        return Err(place(offset, line, PgnFault::Variant(value)));
                    }
                    self.record.tags.push((name.to_owned(), value));
                    continue;
                }
                Token::TagLine(_) => {}
                Token::Open => open.push((offset, line)),
                Token::Close => drop(open.pop()),
                Token::Word(word) if open.is_empty() => {
                    self.word(word).map_err(|why| place(offset, line, why))?;
                }
                Token::Word(_) => {}
            }
            movetext = true;
        }
        let opened = |at: (usize, usize), what| place(at.0, at.1, PgnFault::Open(what));
        let comment = tokens.open_comment.map(|at| opened(at, "comment"));
        let variation = open.first().map(|&at| opened(at, "variation"));
        comment.or(variation).map_or(Ok(()), Err)
    }

    fn word(&mut self, word: &str) -> Result<(), PgnFault> {
        if let Some(result) = loose::result(word) {
            self.record.termination_marker = Some(result);
            return Ok(());
        }
        if loose::is_null(word) {
            return self.pass(word);
        }
        // A number with its points may stand before the move without a space.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = if digits.len() < word.len() && digits.starts_with('.') {
            digits.trim_start_matches('.')
        } else if digits.is_empty() {
            ""
        } else {
            word.trim_start_matches('.')
        };
        if loose::is_null(bare) {
            return self.pass(bare);
        }
        if bare.is_empty()
            || bare.starts_with('$')
            || bare == "e.p."
            || bare.bytes().all(|b| b"!?+-=".contains(&b))
        {
            return Ok(());
        }
        let bare = &*loose::san(bare);
        let mv = find_san(&self.board, bare).map_or_else(|| self.thoroughly(bare), Ok)?;
        self.board.play_unchecked(mv);
        self.stretch().moves.push(mv);
        Ok(())
    }

    /// A move in SAN of any form, or in the spelling of UCI.
    fn thoroughly(&self, text: &str) -> Result<Move, PgnFault> {
        notation::parse_san(&self.board, text).or_else(|error| {
            let plain = text.trim_end_matches(['!', '?', '+', '#']);
            let number = self.record.plies() + 1;
            notation::parse_uci(&self.board, plain).map_err(|_| PgnFault::Move { number, error })
        })
    }

    /// The stretch that is read.
    fn stretch(&mut self) -> &mut Stretch {
        let last = self.record.stretches.len() - 1;
        &mut self.record.stretches[last]
    }

    /// A null move: another stretch begins behind it.
    fn pass(&mut self, text: &str) -> Result<(), PgnFault> {
        let Some(board) = self.board.null_move() else {
            return Err(PgnFault::Null { number: self.record.plies() + 1, text: text.to_owned() });
        };
        let (clock, chess960) = (u16::from(board.halfmove_clock()), self.stretch().start.chess960);
        let start = Setup { board: board.clone(), clock, chess960, ..Setup::default() };
        self.record.stretches.push(Stretch { start, moves: Vec::new() });
        self.board = board;
        Ok(())
    }
}

/// The one legal move that a SAN text of the usual form names; `None` sends the caller to the thorough reader.
#[must_use]
pub fn find_san(board: &Board, text: &str) -> Option<Move> {
    let bare = text.trim_end_matches(['!', '?', '+', '#']).as_bytes();
    let (piece, rest) = match bare.first()? {
        b'N' => (Piece::Knight, &bare[1..]),
        b'B' => (Piece::Bishop, &bare[1..]),
        b'R' => (Piece::Rook, &bare[1..]),
        b'Q' => (Piece::Queen, &bare[1..]),
        b'K' => (Piece::King, &bare[1..]),
        b'a'..=b'h' => (Piece::Pawn, bare),
        _ => return None,
    };
    let (rest, promotion) = match rest {
        [head @ .., b'=', letter] => (head, Some(promoted(*letter)?)),
        _ => (rest, None),
    };
    let [hint @ .., file, rank] = rest else { return None };
    let to = Square::new(
        File::try_index(usize::from(file.checked_sub(b'a')?))?,
        Rank::try_index(usize::from(rank.checked_sub(b'1')?))?,
    );
    let fits = |from: &Square| {
        hint.iter().all(|letter| match letter {
            b'a'..=b'h' => from.file() as u8 == letter - b'a',
            b'1'..=b'8' => from.rank() as u8 == letter - b'1',
            b'x' => true,
            _ => false,
        })
    };
    let moves = reaching(board, piece, to).filter(fits).map(|from| Move { from, to, promotion });
    let mut legal = moves.filter(|&mv| board.is_legal(mv));
    let mv = legal.next()?;
    legal.next().is_none().then_some(mv)
}

fn promoted(letter: u8) -> Option<Piece> {
    Some(match letter {
        b'Q' => Piece::Queen,
        b'R' => Piece::Rook,
        b'B' => Piece::Bishop,
        b'N' => Piece::Knight,
        _ => return None,
    })
}

/// Own pieces of a kind that may reach a square. Castling is not among them.
fn reaching(board: &Board, piece: Piece, to: Square) -> impl Iterator<Item = Square> {
    let (side, occupied) = (board.side_to_move(), board.occupied());
    let own = board.colored_pieces(side, piece);
    let from = match piece {
        Piece::Knight => get_knight_moves(to),
        Piece::Bishop => get_bishop_moves(to, occupied),
        Piece::Rook => get_rook_moves(to, occupied),
        Piece::Queen => get_bishop_moves(to, occupied) | get_rook_moves(to, occupied),
        Piece::King => get_king_moves(to),
        Piece::Pawn => {
            let back = if side == Color::White { -1 } else { 1 };
            let near = get_pawn_attacks(to, !side);
            let step = |n: i8| to.try_offset(0, n).map_or(BitBoard::EMPTY, Square::bitboard);
            near | step(back) | step(2 * back)
        }
    };
    // A king that "reaches" its own rook would castle.
    let own = if board.colors(side).has(to) { BitBoard::EMPTY } else { own };
    (from & own).into_iter()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::rules) fn all(text: &str) -> Vec<PgnRecord> {
        games(text).into_iter().map(read).collect()
    }

    /// Two games with comments, variations, numbers and signs.
    pub(in crate::rules) const TWO: &str = "[White \"A \\\"x\\\"\"]\n[Black \"B\"]\n\n1. e4 {best by\ntest (1. d4)} e5 2.Nf3! (2. f4 exf4 (2... d5)) Nc6 $1 ; spanish\n3. Bb5 1/2-1/2\n\n\
        [White \"C\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 2. e6 1-0\n";

    #[test]
    fn comments_variations_and_numbers_are_passed_over_and_a_wrong_move_costs_only_the_rest_of_its_game() {
        let games = all(TWO);
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].plies(), games[0].result.as_str(), games[0].line), (5, "1/2-1/2", 1));
        assert_eq!(games[0].tag("White"), Some("A \"x\""));
        assert_eq!((games[0].fault.as_ref(), games[1].plies()), (None, 2));
        let fault = games[1].fault.as_ref().expect("e6 is not legal");
        assert_eq!((fault.line, fault.column), (11, 14), "{fault}");
        assert!(fault.to_string().contains("`e6`"), "{fault}");
    }

    #[test]
    fn what_has_no_end_is_a_fault_at_the_line_where_it_begins() {
        let fault = |text: &str| all(text).first().and_then(|g| g.fault.clone()).map(|f| (f.line, f.why));
        assert_eq!(fault("1. e4\n{open\n1-0"), Some((2, PgnFault::Open("comment"))));
        assert_eq!(fault("1. e4\n\n(1. d4\n[Event \"x\"]\n1. e4 *"), Some((3, PgnFault::Open("variation"))));
        assert!(matches!(fault("[Event \"x\"]\n[FEN \"8/8\"]\n1. e4 *"), Some((2, PgnFault::Fen(_)))));
    }

    #[test]
    fn faults_have_the_column_of_their_word() {
        let table = [
            ("1. e4 e5 2. Ke3 *", (1, 13)),
            ("1. e4 * 1. d4 d5 2. xx *", (1, 21)),
            ("[White \"\u{674e}\"]\n\n1. e4 {\u{674e}\u{674e}} e9 *", (3, 12)),
            ("1. e4\r1... e5 2. zz *", (2, 12)),
            ("1. e4\n  (1. d4", (2, 3)),
        ];
        for (text, place) in table {
            let fault = all(text).into_iter().find_map(|game| game.fault).expect("a fault");
            assert_eq!((fault.line, fault.column), place, "{text:?} {fault}");
            assert!(!fault.why.help().is_empty());
        }
    }

    #[test]
    fn a_tag_and_a_marker_contradict_each_other_where_both_give_a_result() {
        let table = [
            ("[Result \"1-0\"]\n\n1. e4 0-1", Some("0-1")),
            ("[Result \"0-1\"]\n\n1. e4 1/2", Some("1/2-1/2")),
            ("[Result \"1/2\"]\n\n1. e4 1/2-1/2", None),
            ("[Result \"1-0\"]\n\n1. e4 1-0", None),
            ("[Result \"1-0\"]\n\n1. e4 *", None),
            ("[Result \"*\"]\n\n1. e4 1-0", None),
            ("[Result \"1-0\"]\n\n1. e4", None),
            ("1. e4 1-0", None),
        ];
        for (text, marker) in table {
            let game = &all(text)[0];
            assert_eq!(game.contradicting_marker(), marker, "{text:?}");
            assert_eq!(crate::history::referee::judge_record(game).agrees, marker.is_none(), "{text:?}");
        }
    }

    #[test]
    fn torn_texts_are_read_as_far_as_they_go() {
        for cut in 0..TWO.len() {
            let _ = all(&TWO[..cut]);
        }
    }
}
