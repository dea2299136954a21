//! Writes a game as PGN: the seven standard tags come first, and lines have at most 80 columns.
//!
//! # Source
//! PGN Standard, sections 8 (export format) and 9.7 (set-up positions).

use super::fen::{self, Setup};
use super::notation;
use cozy_chess::{Color, Move};
use std::fmt::Write as _;

/// A game to write.
#[derive(Clone, Debug)]
pub struct PgnGame<'a> {
    /// Start position.
    pub start: &'a Setup,
    /// Moves from there, each legal.
    pub moves: &'a [Move],
    /// Tag name and value, in the order to write; `Result` is added as the seventh, `SetUp` and `FEN` at the end.
    pub tags: &'a [(String, String)],
    /// A comment behind each move; may be shorter than the moves.
    pub comments: &'a [Option<String>],
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'a str,
}

/// The game as PGN text, ending in an empty line.
#[must_use]
pub fn write(game: &PgnGame<'_>) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]").expect("writing to a string");
    };
    let (roster, more) = game.tags.split_at(game.tags.len().min(6));
    roster.iter().for_each(|(name, value)| tag(name, value));
    tag("Result", game.result);
    more.iter().for_each(|(name, value)| tag(name, value));
    if game.start != &Setup::default() {
        if game.start.chess960 {
            tag("Variant", "Chess960");
        }
        tag("SetUp", "1");
        tag("FEN", &fen::write(&game.start.board, game.start.clock, game.start.chess960));
    }
    out.push('\n');
    out.push_str(&wrap(&movetext(game)));
    out.push_str("\n\n");
    out
}

fn movetext(game: &PgnGame<'_>) -> Vec<String> {
    let mut board = game.start.board.clone();
    let mut words = Vec::new();
    for (index, &mv) in game.moves.iter().enumerate() {
        let number = board.fullmove_number();
        if board.side_to_move() == Color::White {
            words.push(format!("{number}."));
        } else if index == 0 || matches!(game.comments.get(index - 1), Some(Some(_))) {
            words.push(format!("{number}..."));
        }
        words.push(notation::san(&board, mv));
        if let Some(Some(comment)) = game.comments.get(index) {
            let bare = comment.replace(['{', '}'], "");
            words.extend(format!("{{{bare}}}").split_whitespace().map(str::to_owned));
        }
        board.play_unchecked(mv);
    }
    words.push(game.result.to_owned());
    words
}

fn wrap(words: &[String]) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 && column + 1 + word.len() > 79 {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out
}
