//! Splits PGN text into games: step 1 of `pgn_read`.

use super::loose::is_result;
use super::pgn_tokens::{Token, Tokens, column, tag};

/// The text of one game, and the line it begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameText<'a> {
    /// Tags and movetext.
    pub text: &'a str,
    /// From 1.
    pub line: usize,
    /// From 1; above 1 for a game that begins behind another on one line.
    pub column: usize,
}

impl<'a> GameText<'a> {
    /// Its tokens.
    pub(super) const fn tokens(self) -> Tokens<'a> {
        Tokens { begins_line: self.column == 1, ..Tokens::new(self.text, self.line) }
    }
}

/// Step 1: cuts the text into games.
#[must_use]
pub fn games(text: &str) -> Vec<GameText<'_>> {
    games_of(text.strip_prefix('\u{feff}').unwrap_or(text), true)
}

/// The games of a text that begins a line, or goes on in one.
fn games_of(text: &str, begins_line: bool) -> Vec<GameText<'_>> {
    let mut tokens = Tokens { begins_line, ..Tokens::new(text, 1) };
    let (mut out, mut start, mut movetext, mut depth) = (Vec::new(), None, false, 0_usize);
    // The last offset whose column is known, and the column: many games may stand on one line.
    let mut known = (0, 1);
    let mut close = |start: &mut Option<(usize, usize)>, end: usize| {
        if let Some((from, line)) = start.take() {
            known = (from, column(&text[known.0..from], from - known.0, known.1));
            out.push(GameText { text: &text[from..end], line, column: known.1 });
        }
    };
    while let Some((token, offset, line)) = tokens.next() {
        match token {
            // A variation that was never closed ends with its game.
            Token::TagLine(tag_line) if movetext && (depth == 0 || tag(tag_line).is_some()) => {
                close(&mut start, offset);
                (movetext, depth) = (false, 0);
            }
            Token::TagLine(_) => {}
            Token::Open => (movetext, depth) = (true, depth + 1),
            Token::Close => (movetext, depth) = (true, depth.saturating_sub(1)),
            Token::Word(_) => movetext = true,
        }
        start.get_or_insert((offset, line));
        if let Token::Word(word) = token
            && depth == 0
            && is_result(word)
        {
            close(&mut start, tokens.at);
            movetext = false;
        }
    }
    close(&mut start, text.len());
    out
}

/// The text of one game that is kept, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedGame {
    /// Tags and movetext.
    pub text: String,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
}

impl OwnedGame {
    /// The game, to be read.
    #[must_use]
    pub fn as_text(&self) -> GameText<'_> {
        GameText { text: &self.text, line: self.line, column: self.column }
    }
}

/// Step 1 for a text that comes in pieces: memory for a piece and a game, however many there are.
///
/// ```
/// let mut cutter = tengen_chess::rules::pgn_read::Cutter::default();
/// cutter.push("1. e4 e5 1-0\n1. d4 ");
/// assert_eq!(cutter.take(false).len(), 1);
/// cutter.push("d5 *\n");
/// assert_eq!(cutter.take(true).len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Cutter {
    /// The rest that is not cut yet.
    text: String,
    /// The line at which the rest begins.
    line: usize,
    column: usize,
    /// Bytes of the rest that hold no whole game.
    waiting: usize,
    looked_at: usize,
}

impl Default for Cutter {
    fn default() -> Self {
        Self { text: String::new(), line: 1, column: 1, waiting: 0, looked_at: 0 }
    }
}

impl Cutter {
    /// Takes the next piece of the text. Pieces end at ends of lines.
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    /// Bytes that wait for the end of their game since the last look for it.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.waiting
    }

    /// Bytes looked at so far, those of a game again that was not whole: at most three times the text.
    #[must_use]
    pub const fn looked_at(&self) -> usize {
        self.looked_at
    }

    /// The games that are whole; with `is_over` all that are left. The last game of a text may go on in the next piece. A
    /// text without a whole game is looked at again only once it is twice as long, so that a long game costs no more
    /// than many short ones.
    pub fn take(&mut self, is_over: bool) -> Vec<OwnedGame> {
        if !is_over && self.text.len() < 2 * self.waiting {
            return Vec::new();
        }
        self.looked_at += self.text.len();
        let text = std::mem::take(&mut self.text);
        let mut games = games_of(&text, self.column == 1);
        let place = |game: &GameText<'_>| {
            let column = if game.line == 1 { self.column + game.column - 1 } else { game.column };
            (self.line + game.line - 1, column)
        };
        let last = if is_over { None } else { games.pop() };
        let owned = |game: &GameText<'_>| {
            let (line, column) = place(game);
            OwnedGame { text: game.text.to_owned(), line, column }
        };
        let whole = games.iter().map(owned).collect();
        match last {
            Some(game) => {
                // The last game's text goes to the end of the piece.
                let (line, column) = place(&game);
                let begins = game.text.as_ptr() as usize - text.as_ptr() as usize;
                (self.line, self.column) = (line, column);
                self.text = text[begins..].to_owned();
            }
            None if is_over => {}
            None => self.text = text,
        }
        self.waiting = self.text.len();
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::super::pgn_read::tests::{TWO, all};
    use super::*;

    #[test]
    fn games_end_at_their_result_and_at_the_next_tag() {
        let moves = |text: &str| all(text).iter().map(|g| (g.line, g.plies())).collect::<Vec<_>>();
        let cases: [(&str, &[(usize, usize)]); 7] = [
            ("1. e4 e5 * 1. d4 d5 1-0", &[(1, 2), (1, 2)]),
            ("1. e4 e5 1-0 {resigned} ; in the end\n\n1. d4 *", &[(1, 2), (3, 1)]),
            ("1. e4 (1. d4 *) e5\n[Event \"x\"]\n1. c4", &[(1, 2), (2, 1)]),
            ("\u{feff}[Event \"x\"]\n1. e4", &[(1, 1)]),
            ("; who\n% escaped 1. e4\n[Event \"{\"]\n\n1. e4 e.p. ! *\n", &[(3, 1)]),
            ("[Event \"x\"]\n[torn\n1. e4 *", &[(1, 1)]),
            ("", &[]),
        ];
        for (text, wanted) in cases {
            assert_eq!(moves(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn games_that_come_in_pieces_are_those_of_the_whole_text() {
        let more = "1. e4 e5 1-0 1. d4 (1. c4 *) d5 1/2 [Event \"x\"]\n1. f4 1/2-1/2\n\u{feff}[Event \"y\"]\n\n1. e4 {a\nb} *\n\n; the end\n";
        let text = format!("{TWO}{more}");
        let whole: Vec<OwnedGame> = games(&text)
            .into_iter()
            .map(|g| OwnedGame { text: g.text.trim_end().to_owned(), line: g.line, column: g.column })
            .collect();
        assert!(whole.len() > 5);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for length in 1..lines.len() {
            let mut cutter = Cutter::default();
            let mut cut = Vec::new();
            for piece in lines.chunks(length) {
                cutter.push(&piece.concat());
                cut.extend(cutter.take(false));
            }
            cut.extend(cutter.take(true));
            cut.iter_mut().for_each(|game| game.text.truncate(game.text.trim_end().len()));
            assert_eq!(cut, whole, "{length}");
        }
    }

    #[test]
    fn a_game_of_twice_the_length_is_looked_at_twice_as_much_and_no_more() {
        let piece = format!("{}\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(64));
        let looked = |pieces: usize| {
            let mut cutter = Cutter::default();
            for _ in 0..pieces {
                cutter.push(&piece);
                assert!(cutter.take(false).is_empty());
            }
            assert!(cutter.waiting() <= pieces * piece.len());
            assert_eq!(cutter.take(true).len(), 1);
            cutter.looked_at()
        };
        let (once, twice) = (looked(64), looked(128));
        assert!(once <= 3 * 64 * piece.len(), "{once}");
        assert!(twice <= 2 * once + 2 * piece.len(), "{once}, then {twice}");
    }

    #[test]
    fn games_on_one_line_have_their_columns_however_many_there_are() {
        let text = "1. e4 * ".repeat(200_000);
        let games = games(&text);
        assert_eq!(games.len(), 200_000);
        assert!(games.iter().zip(0..).all(|(game, n)| (game.line, game.column) == (1, 8 * n + 1)));
    }
}
