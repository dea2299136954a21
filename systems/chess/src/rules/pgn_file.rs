//! PGN in: the games of a file, one after another, each with its tags and the moves of its main line.
//!
//! # Source
//! PGN Standard, sections 7 to 8.2 (import format).
//!
//! # Steps
//! 1. Tag pairs `[Name "value"]` at the beginnings of lines open a game.
//! 2. Of the movetext, comments (`{...}`, `;` to the end of the line), numeric annotations (`$1`), variations (nested
//!    round brackets), escaped lines (`%`) and move numbers are passed over; each other word is a move in SAN.
//! 3. `1-0`, `0-1`, `1/2-1/2` or `*` ends the game, and so does the next tag.

use super::fen::{self, Setup};
use super::notation;
use cozy_chess::Move;
use std::collections::BTreeMap;

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnRecord {
    /// The line it begins on, from 1.
    pub line: usize,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
    /// Where it begins: the initial position, or that of the tag `FEN`.
    pub start: Setup,
    /// The moves of its main line that are legal, up to the first that is not.
    pub moves: Vec<Move>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, as the movetext ends.
    pub result: String,
    /// The line of the first word that is no legal move there, and why.
    pub fault: Option<(usize, String)>,
}

/// A game as text: words and tags, not yet played.
#[derive(Default)]
struct Raw {
    line: usize,
    tags: BTreeMap<String, String>,
    words: Vec<(usize, String)>,
    result: Option<String>,
}

/// The games of a text, in order. A game that can't be followed to its end says where and why; the others are whole.
#[must_use]
pub fn read(text: &str) -> Vec<PgnRecord> {
    let (mut games, mut raw, mut state) = (Vec::new(), Raw::default(), State::default());
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let trimmed = line.trim();
        if !state.inside() && trimmed.starts_with('%') {
            continue;
        }
        if !state.inside()
            && let Some((name, value)) = tag(trimmed)
        {
            if !raw.words.is_empty() || raw.result.is_some() {
                games.push(std::mem::take(&mut raw));
            }
            if raw.line == 0 {
                raw.line = number;
            }
            raw.tags.insert(name, value);
            continue;
        }
        state.words(line, |word| {
            if raw.result.is_some() {
                games.push(std::mem::take(&mut raw));
            }
            if raw.line == 0 {
                raw.line = number;
            }
            match word {
                "1-0" | "0-1" | "1/2-1/2" | "*" => raw.result = Some(word.to_owned()),
                _ => raw.words.push((number, word.to_owned())),
            }
        });
    }
    if raw.line > 0 {
        games.push(raw);
    }
    games.into_iter().map(play).collect()
}

/// The parts of a line that is a tag pair.
fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let named = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    named.then(|| (name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// What is open from line to line.
#[derive(Default)]
struct State {
    comment: bool,
    variations: usize,
}

impl State {
    const fn inside(&self) -> bool {
        self.comment || self.variations > 0
    }

    /// Hands the words of a line on that are moves or results.
    fn words(&mut self, line: &str, mut take: impl FnMut(&str)) {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if self.comment {
                let end = rest.find('}');
                self.comment = end.is_none();
                rest = end.map_or("", |at| &rest[at + 1..]);
                continue;
            }
            let one = &rest[c.len_utf8()..];
            match c {
                '{' => self.comment = true,
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                ';' => return,
                c if c.is_whitespace() || c == '.' => {}
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "{}();.".contains(c));
                    let (word, after) = rest.split_at(end.unwrap_or(rest.len()).max(c.len_utf8()));
                    let number = word.bytes().all(|b| b.is_ascii_digit());
                    let skipped = number || word.starts_with('$') || matches!(word, "!" | "?" | "e" | "p");
                    if self.variations == 0 && !skipped {
                        take(word);
                    }
                    rest = after;
                    continue;
                }
            }
            rest = one;
        }
    }
}

/// Plays the words of a game.
fn play(raw: Raw) -> PgnRecord {
    let (start, mut fault) = match raw.tags.get("FEN").map(|text| fen::parse(text)) {
        None => (Setup::default(), None),
        Some(Ok(setup)) => (setup, None),
        Some(Err(error)) => (Setup::default(), Some((raw.line, error.to_string()))),
    };
    let mut board = start.board.clone();
    let mut moves = Vec::new();
    if fault.is_none() {
        for (line, word) in &raw.words {
            match notation::parse_san(&board, word) {
                Ok(mv) => {
                    board.play_unchecked(mv);
                    moves.push(mv);
                }
                Err(error) => {
                    fault = Some((*line, error.to_string()));
                    break;
                }
            }
        }
    }
    let result = raw.result.unwrap_or_else(|| "*".to_owned());
    PgnRecord { line: raw.line, tags: raw.tags, start, moves, result, fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[White \"A \\\"x\\\"\"]\n[Black \"B\"]\n\n1. e4 {best by\ntest (1. d4)} e5 2.Nf3! (2. f4 exf4 (2... d5)) Nc6 $1 ; spanish\n3. Bb5 1/2-1/2\n\n\
        [White \"C\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 2. e6 1-0\n";

    #[test]
    fn comments_variations_and_numbers_are_passed_over_and_a_wrong_move_costs_only_the_rest_of_its_game() {
        let games = read(TWO);
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].moves.len(), games[0].result.as_str(), games[0].line), (5, "1/2-1/2", 1));
        assert_eq!(games[0].tags["White"], "A \"x\"");
        assert_eq!((games[0].fault.as_ref(), games[1].moves.len()), (None, 2));
        let (line, why) = games[1].fault.as_ref().expect("e6 is not legal");
        assert!(*line == 11 && why.contains("`e6`"), "{line} {why}");
    }

    #[test]
    fn games_without_tags_and_torn_texts_are_read_as_far_as_they_go() {
        assert_eq!(read("1. e4 e5 * 1. d4 d5 1-0").iter().map(|g| g.moves.len()).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(read("").len(), 0);
        for cut in 0..TWO.len() {
            let _ = read(&TWO[..cut]);
        }
    }
}
