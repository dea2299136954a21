//! Reads and writes FEN, also with the castling rights of Shredder-FEN and X-FEN. A fault names its column.
//!
//! # Source
//! Edwards, *PGN Standard*, section 16.1 (FEN); Reinhard Scharnagl's X-FEN for castling rights of Chess960.
//!
//! # Steps
//! 1. Split the text into fields. The two counters may be missing, as in EPD.
//! 2. Count ranks and files.
//! 3. Rewrite castling rights to Shredder letters: `K` is the outermost rook on the king's side, and so on. Rights
//!    without king and rook in place are dropped, with a warning ([`Setup::warnings`]).
//! 4. Pass the rest to `cozy-chess`, which checks the kings, the checks and the pawns.
//! 5. Drop an en-passant square that no double push of a pawn can have left, as most programs do.

use super::pawns::en_passant_is_legal;
use cozy_chess::{Board, Color, File, Piece, Rank, Square};
use tengen_core::diagnostic::{Diagnostic, Position as Place};
use thiserror::Error;

/// A position as set up: the board, and the clock that the board cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// Pieces, side to move, castling rights, raw en-passant file. Its own clock is clamped to 100.
    pub board: Board,
    /// Plies since the last capture or pawn move, unclamped.
    pub clock: u16,
    /// The rights cannot be written with `KQkq` on the usual squares: a Chess960 position.
    pub chess960: bool,
    /// Castling rights that were written and have no king and rook to go with them: they are dropped.
    pub surplus: String,
}

impl Setup {
    /// The warnings of reading the position.
    #[must_use]
    pub fn warnings(&self) -> Vec<Diagnostic> {
        if self.surplus.is_empty() {
            return Vec::new();
        }
        let rights = &self.surplus;
        let message =
            format!("castling rights `{rights}` have no king and rook to go with them: they are dropped");
        let warning = Diagnostic::warning(message).of_kind(super::kinds::CASTLING_SURPLUS);
        vec![warning.help("write the rights that there are, or `-`")]
    }
}

/// A fault of a FEN. Columns are characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Fewer than four fields.
    #[error("the FEN has {0} fields, it needs placement, side, castling and en passant")]
    MissingField(usize),
    /// More than six fields.
    #[error("the FEN has more than six fields")]
    TooManyFields {
        /// The start of the seventh field.
        column: u32,
    },
    /// Not eight ranks, or a rank that is not eight squares.
    #[error("rank {rank} of the FEN does not have eight squares")]
    Rank {
        /// Rank number, 1 to 8 (0: wrong number of ranks).
        rank: u32,
        /// Where.
        column: u32,
    },
    /// A letter that does not name a piece.
    #[error("`{letter}` is no piece")]
    Piece {
        /// The letter.
        letter: char,
        /// Where.
        column: u32,
    },
    /// Kings missing, the side not to move in check, pawns on the last rank, too many pieces, impossible checks.
    #[error(
        "the position is impossible: each side needs one king, the side that moved may not be in check, no pawn stands on the first or last rank"
    )]
    Impossible,
    /// Not `w` or `b`.
    #[error("the side to move is `{0}`, not `w` or `b`")]
    Side(String),
    /// A letter that is no castling right.
    #[error("`{letter}` is no castling right")]
    Castling {
        /// The letter.
        letter: char,
        /// Where.
        column: u32,
    },
    /// The en-passant field is not a square of the right rank.
    #[error("the en-passant square `{0}` is not on the rank behind a double push")]
    EnPassant(String),
    /// A counter is not a number in range.
    #[error("`{0}` is no move counter")]
    Counter(String),
}

impl From<FenError> for Diagnostic {
    fn from(error: FenError) -> Self {
        let column = match &error {
            FenError::TooManyFields { column }
            | FenError::Rank { column, .. }
            | FenError::Piece { column, .. }
            | FenError::Castling { column, .. } => *column,
            _ => 1,
        };
        Diagnostic::error(error.to_string())
            .at(Place { line: 1, column })
            .help("a FEN looks like `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`")
    }
}

/// Reads a FEN of four to six fields.
///
/// # Errors
/// [`FenError`] with the fault and its place.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    // Step 1.
    let fields = fields(text);
    if fields.len() < 4 {
        return Err(FenError::MissingField(fields.len()));
    }
    if let Some((column, _)) = fields.get(6) {
        return Err(FenError::TooManyFields { column: *column });
    }
    let (placement, side, castling, en_passant) = (fields[0].1, fields[1].1, fields[2], fields[3].1);
    check_placement(fields[0])?;
    if !matches!(side, "w" | "b") {
        return Err(FenError::Side(side.to_owned()));
    }
    let counter = |index: usize, default: u16| match fields.get(index) {
        None => Ok(default),
        Some((_, text)) => text.parse::<u16>().map_err(|_| FenError::Counter((*text).to_owned())),
    };
    let (clock, number) = (counter(4, 0)?, counter(5, 1)?.max(1));
    let bare =
        Board::from_fen(&format!("{placement} {side} - - 0 1"), true).map_err(|_| FenError::Impossible)?;
    // The board crate lets kings stand side by side.
    if cozy_chess::get_king_moves(bare.king(Color::White)).has(bare.king(Color::Black)) {
        return Err(FenError::Impossible);
    }
    let (rights, chess960, surplus) = shredder_rights(&bare, castling)?;
    if en_passant != "-" {
        let rank = if side == "w" { Rank::Sixth } else { Rank::Third };
        let square = en_passant.parse::<Square>().ok().filter(|s| s.rank() == rank);
        square.ok_or_else(|| FenError::EnPassant(en_passant.to_owned()))?;
    }
    // Steps 4 and 5.
    let with = |ep: &str| {
        Board::from_fen(&format!("{placement} {side} {rights} {ep} {} {number}", clock.min(100)), true)
    };
    let board = with(en_passant).or_else(|_| with("-")).map_err(|_| FenError::Impossible)?;
    Ok(Setup { board, clock, chess960, surplus })
}

/// Writes a FEN; rights as `KQkq`, or Shredder letters for Chess960. The en-passant square appears only if the
/// capture is legal, so equal positions have equal texts.
#[must_use]
pub fn write(board: &Board, clock: u16, chess960: bool) -> String {
    let text = if chess960 { format!("{board:#}") } else { board.to_string() };
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    if !en_passant_is_legal(board) {
        "-".clone_into(&mut fields[3]);
    }
    fields[4] = clock.to_string();
    fields.join(" ")
}

/// Fields and the column each starts at.
fn fields(text: &str) -> Vec<(u32, &str)> {
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let column = text[..offset].chars().count() + 1;
        out.push((u32::try_from(column).unwrap_or(u32::MAX), word));
    }
    out
}

/// Step 2.
fn check_placement((start, placement): (u32, &str)) -> Result<(), FenError> {
    let mut column = start;
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Rank { rank: 0, column });
    }
    for (index, rank) in ranks.iter().enumerate() {
        let rank_column = column;
        let mut squares = 0;
        for letter in rank.chars() {
            match letter {
                '1'..='8' => squares += letter as u32 - '0' as u32,
                _ if "pnbrqkPNBRQK".contains(letter) => squares += 1,
                _ => return Err(FenError::Piece { letter, column }),
            }
            column += 1;
        }
        if squares != 8 {
            return Err(FenError::Rank { rank: 8 - u32::try_from(index).unwrap_or(0), column: rank_column });
        }
        column += 1;
    }
    Ok(())
}

/// Whether a king off the e-file has moved, as far as the rights `KQkq` tell. In Chess960 both kings begin on one
/// file, and a king with both rights has a rook on each side.
fn king_has_moved(bare: &Board, rights: &str, color: Color) -> bool {
    let king = bare.king(color);
    let own = |letter: char| letter.is_ascii_uppercase() == (color == Color::White);
    let rooks = bare.colored_pieces(color, Piece::Rook) & king.rank().bitboard();
    let other_has_rights = rights.chars().any(|letter| !own(letter));
    let lacks_a_rook =
        rights.chars().filter(|letter| own(*letter)).any(|letter| match letter.to_ascii_lowercase() {
            'k' => !rooks.iter().any(|rook| rook.file() > king.file()),
            'q' => !rooks.iter().any(|rook| rook.file() < king.file()),
            _ => false,
        });
    king.file() != File::E && (lacks_a_rook || (other_has_rights && bare.king(!color).file() != king.file()))
}

/// Step 3: the rights in Shredder letters, whether they need Chess960, and those that are dropped.
fn shredder_rights(bare: &Board, (start, text): (u32, &str)) -> Result<(String, bool, String), FenError> {
    if text == "-" {
        return Ok(("-".to_owned(), false, String::new()));
    }
    let (mut out, mut chess960, mut surplus) = (String::new(), false, String::new());
    for (column, letter) in (start..).zip(text.chars()) {
        if !matches!(letter.to_ascii_lowercase(), 'a'..='h' | 'k' | 'q') {
            return Err(FenError::Castling { letter, column });
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back = Rank::First.relative_to(color);
        let king = bare.king(color);
        let rooks = bare.colored_pieces(color, Piece::Rook) & back.bitboard();
        let file = match letter.to_ascii_lowercase() {
            'k' => rooks.iter().map(Square::file).filter(|f| *f > king.file()).max(),
            'q' => rooks.iter().map(Square::file).filter(|f| *f < king.file()).min(),
            file => {
                File::try_from(file).ok().filter(|f| rooks.has(Square::new(*f, back)) && *f != king.file())
            }
        };
        let moved = matches!(letter, 'K' | 'Q' | 'k' | 'q') && king_has_moved(bare, text, color);
        let Some(file) = file.filter(|_| king.rank() == back && !moved) else {
            surplus.push(letter);
            continue;
        };
        chess960 |= king.file() != File::E || !matches!(file, File::A | File::H);
        let name: char = file.into();
        let name = if color == Color::White { name.to_ascii_uppercase() } else { name };
        if !out.contains(name) {
            out.push(name);
        }
    }
    if out.is_empty() {
        out.push('-');
    }
    Ok((out, chess960, surplus))
}
