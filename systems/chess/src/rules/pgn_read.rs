//! PGN in: games one after the other, moves of the main line.
//!
//! # Source
//! PGN Standard, section 7 (tokens), 8.1 (tags), 8.2 (movetext).
//!
//! # Steps
//! 1. Cut the text into games: a tag that follows movetext begins one, outside comments.
//! 2. Read its tags; a `FEN` tag sets the start.
//! 3. Read its movetext: comments (`{}` and `;`), variations, annotation glyphs, move numbers and `%` lines are passed
//!    over, every other word is a move in SAN, until the result.
//!
//! # Cost
//! One pass over the text; a move costs a look at the pieces that may reach its square.

use super::fen::{self, FenError, Setup};
use super::notation::{self, MoveError};
use cozy_chess::{
    Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};
use thiserror::Error;

/// The text of one game, and the line it begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameText<'a> {
    /// Tags and movetext.
    pub text: &'a str,
    /// From 1.
    pub line: usize,
}

/// A game as read.
#[derive(Clone, Debug)]
pub struct PgnRecord {
    /// Start position.
    pub start: Setup,
    /// Legal moves from there.
    pub moves: Vec<Move>,
    /// The `Result` tag, else the result at the end of the movetext, else `*`.
    pub result: String,
    /// What is said for a name: `White - Black`, if there are such tags.
    pub players: Option<(String, String)>,
}

/// A game that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnError {
    /// The `FEN` tag.
    #[error("the FEN tag: {0}")]
    Fen(#[from] FenError),
    /// A move.
    #[error("line {line}: move {number}: {error}")]
    Move {
        /// Of the file.
        line: usize,
        /// Plies from the start, from 1.
        number: usize,
        /// What is wrong.
        error: MoveError,
    },
    /// A comment or a variation that never ends.
    #[error("line {line}: the {what} that begins here has no end")]
    Open {
        /// Of the file.
        line: usize,
        /// `comment` or `variation`.
        what: &'static str,
    },
}

/// Step 1.
#[must_use]
pub fn games(text: &str) -> Vec<GameText<'_>> {
    let (mut out, mut start, mut start_line) = (Vec::new(), None, 1);
    let (mut in_comment, mut movetext, mut offset) = (false, false, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim();
        let tag = !in_comment && bare.starts_with('[');
        if tag && movetext {
            if let Some(from) = start.replace(offset) {
                out.push(GameText { text: &text[from..offset], line: start_line });
            }
            (start_line, movetext) = (index + 1, false);
        } else if !bare.is_empty() && start.is_none() {
            (start, start_line) = (Some(offset), index + 1);
        }
        if !tag && !bare.is_empty() {
            movetext = true;
            in_comment = comment_open_after(line, in_comment);
        }
        offset += line.len();
    }
    if let Some(from) = start {
        out.push(GameText { text: &text[from..], line: start_line });
    }
    out
}

fn comment_open_after(line: &str, mut open: bool) -> bool {
    for byte in line.bytes() {
        match byte {
            b'{' => open = true,
            b'}' => open = false,
            b';' if !open => break,
            _ => {}
        }
    }
    open
}

/// Steps 2 and 3.
///
/// # Errors
/// At the first fault, with its line of the file.
pub fn read(game: GameText<'_>) -> Result<PgnRecord, PgnError> {
    let (mut start, mut result, mut players) = (Setup::default(), None, (None, None));
    let (mut body, mut line) = (game.text, game.line);
    while let Some(tag_line) = body.split_inclusive('\n').next() {
        let bare = tag_line.trim();
        if !bare.is_empty() && !bare.starts_with('[') {
            break;
        }
        match tag(bare) {
            Some(("FEN", value)) => start = fen::parse(&value)?,
            Some(("Result", value)) => result = Some(value),
            Some(("White", value)) => players.0 = Some(value),
            Some(("Black", value)) => players.1 = Some(value),
            _ => {}
        }
        body = &body[tag_line.len()..];
        line += 1;
    }
    let mut reader = Reader { board: start.board.clone(), moves: Vec::new(), end: None };
    reader.movetext(body, line)?;
    let result = result.or(reader.end).unwrap_or_else(|| "*".to_owned());
    Ok(PgnRecord { start, moves: reader.moves, result, players: players.0.zip(players.1) })
}

/// Name and value of a tag line.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let value = rest.trim().strip_prefix('"')?.strip_suffix(']')?.trim_end().strip_suffix('"')?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

struct Reader {
    board: Board,
    moves: Vec<Move>,
    end: Option<String>,
}

impl Reader {
    fn movetext(&mut self, body: &str, mut line: usize) -> Result<(), PgnError> {
        let (bytes, mut at, mut depth) = (body.as_bytes(), 0, Vec::new());
        while at < bytes.len() && self.end.is_none() {
            let first_of_line = at == 0 || bytes[at - 1] == b'\n';
            match bytes[at] {
                b'\n' => {
                    line += 1;
                    at += 1;
                }
                b'{' => {
                    let length = body[at..].find('}').ok_or(PgnError::Open { line, what: "comment" })?;
                    line += body[at..at + length].bytes().filter(|b| *b == b'\n').count();
                    at += length + 1;
                }
                b';' => at += body[at..].find('\n').unwrap_or(body.len() - at),
                b'%' if first_of_line => at += body[at..].find('\n').unwrap_or(body.len() - at),
                b'(' => {
                    depth.push(line);
                    at += 1;
                }
                b')' => {
                    depth.pop();
                    at += 1;
                }
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => {
                    let ends = |b: &u8| b.is_ascii_whitespace() || b"{}();".contains(b);
                    let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at).max(1);
                    let length = (length..=bytes.len() - at).find(|&l| body.is_char_boundary(at + l));
                    let word = &body[at..at + length.unwrap_or(bytes.len() - at)];
                    if depth.is_empty() {
                        self.word(word, line)?;
                    }
                    at += word.len();
                }
            }
        }
        depth.first().map_or(Ok(()), |&line| Err(PgnError::Open { line, what: "variation" }))
    }

    fn word(&mut self, word: &str, line: usize) -> Result<(), PgnError> {
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.end = Some(word.to_owned());
            return Ok(());
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
        if bare.is_empty() || bare.starts_with('$') || bare.bytes().all(|b| b"!?+-=".contains(&b)) {
            return Ok(());
        }
        let number = self.moves.len() + 1;
        let mv = find_san(&self.board, bare).map_or_else(
            || notation::parse_san(&self.board, bare).map_err(|error| PgnError::Move { line, number, error }),
            Ok,
        )?;
        self.board.play_unchecked(mv);
        self.moves.push(mv);
        Ok(())
    }
}

/// The one legal move a SAN text of the usual form names; `None` sends the caller to the thorough reader.
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
            let near = cozy_chess::get_pawn_attacks(to, !side);
            let step = |n: i8| to.try_offset(0, n).map_or(cozy_chess::BitBoard::EMPTY, Square::bitboard);
            near | step(back) | step(2 * back)
        }
    };
    // A king that "reaches" its own rook would castle.
    let own = if board.colors(side).has(to) { cozy_chess::BitBoard::EMPTY } else { own };
    (from & own).into_iter()
}
