//! Reads and writes the lines of GTP: requests, arguments, answers.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use tengen_core::escaped;
use tengen_go::board::{Board, Color, Vertex};

/// Why a command failed: the text after `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// A failure with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// The text after `=` or `?`.
pub type Answer = Result<String, Failure>;

/// Drops control characters, marks of UTF-8 and the comment, and turns tabs into blanks. In the line of a command
/// that names a file, `#` begins a comment only outside quotes. A blank or the end of the line must follow.
#[must_use]
pub fn clean(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches('\u{feff}');
    let names_a_file =
        FILE_COMMANDS.iter().any(|name| text.split_whitespace().take(2).any(|word| word == *name));
    let (mut quote, mut before, mut out) = (None, ' ', String::with_capacity(text.len()));
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match quote {
            Some(open) if open == c => quote = None,
            None if before == ' ' && matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        before = c;
        let mut is_part =
            || names_a_file && (quote.is_some() || letters.peek().is_some_and(|next| !next.is_whitespace()));
        match c {
            '#' if !is_part() => break,
            '\t' => out.push(' '),
            c if c.is_control() || c == '\u{feff}' => {}
            c => out.push(c),
        }
    }
    out
}

/// Commands whose argument is the name of a file.
const FILE_COMMANDS: [&str; 3] = ["loadsgf", "printsgf", "savesgf"];

/// A command as it came: an optional number, the name, the words after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// The controller's number for it.
    pub id: Option<u64>,
    /// The command's name.
    pub name: &'a str,
    /// The rest of the words.
    pub arguments: Vec<&'a str>,
}

impl<'a> Request<'a> {
    /// Reads a cleaned line; `None` if there is no command on it.
    #[must_use]
    pub fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        match first.parse() {
            Ok(id) => {
                Some(Self { id: Some(id), name: words.next().unwrap_or(""), arguments: words.collect() })
            }
            Err(_) => Some(Self { id: None, name: first, arguments: words.collect() }),
        }
    }
}

/// Writes an answer: `=` or `?`, the number, the text, an empty line. Empty lines inside the text are left out, for
/// they would end it.
///
/// # Errors
/// If writing fails.
pub fn write(output: &mut impl Write, id: Option<u64>, answer: &Answer) -> io::Result<()> {
    let (sign, text) = match answer {
        Ok(text) => ('=', Cow::Borrowed(text.as_str())),
        // Names come back in failures.
        Err(failure) => ('?', escaped(failure.text())),
    };
    let mut out = String::from(sign);
    if let Some(id) = id {
        out.push_str(&id.to_string());
    }
    out.push(' ');
    // A text that begins with a line end keeps it: boards are drawn below the sign.
    let (lead, rest) = text.strip_prefix('\n').map_or(("", &*text), |rest| ("\n", rest));
    out.push_str(lead);
    for (i, line) in rest.lines().filter(|l| !l.is_empty()).enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(line);
    }
    out.push_str("\n\n");
    output.write_all(out.as_bytes())
}

/// The words after a command's name, parsed as the command needs them. Failures are spelled as GNU Go spells them.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a>(&'a [&'a str]);

impl<'a> Arguments<'a> {
    /// These words.
    #[must_use]
    pub const fn new(words: &'a [&'a str]) -> Self {
        Self(words)
    }

    /// The number of words.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The `i`-th word, from 0.
    #[must_use]
    pub fn word(&self, i: usize) -> Option<&'a str> {
        self.0.get(i).copied()
    }

    /// The words from the `i`-th on.
    #[must_use]
    pub fn from(&self, i: usize) -> &'a [&'a str] {
        self.0.get(i..).unwrap_or(&[])
    }

    /// The name of a file: the words in double or single quotes, else all of them, with one blank between each two. With `has_place`, a last
    /// word behind it that is a number or a vertex is the second value, unless a file bears the whole name.
    #[must_use]
    pub fn path(&self, has_place: bool) -> Option<(String, Option<&'a str>)> {
        let whole = self.0.join(" ");
        let quote = whole.chars().next().filter(|c| matches!(c, '"' | '\''));
        if let Some(quote) = quote
            && let rest = &whole[1..]
            && let Some(end) = rest.find(quote)
            && rest[end + 1..].chars().next().is_none_or(char::is_whitespace)
        {
            let last = self
                .0
                .last()
                .copied()
                .filter(|word| has_place && !rest[end + 1..].trim().is_empty() && !word.ends_with(quote));
            return Some((rest[..end].to_owned(), last));
        }
        let (last, before) = self.0.split_last()?;
        let is_place = last.parse::<u32>().is_ok() || Vertex::from_gtp(last, 25).is_some();
        if has_place && is_place && !before.is_empty() && !std::path::Path::new(&whole).exists() {
            return Some((before.join(" "), Some(last)));
        }
        Some((whole, None))
    }

    /// The `i`-th word as a number; `None` if it isn't one.
    #[must_use]
    pub fn number<T: FromStr>(&self, i: usize) -> Option<T> {
        self.word(i)?.parse().ok()
    }

    /// The `i`-th word as seconds. `nan` and `inf` are not numbers, and larger numbers count as a billion.
    #[must_use]
    pub fn seconds(&self, i: usize) -> Option<f64> {
        self.number::<f64>(i).filter(|seconds| seconds.is_finite()).map(|seconds| seconds.clamp(-1e9, 1e9))
    }

    /// The `i`-th word as a colour.
    ///
    /// # Errors
    /// `invalid color`.
    pub fn color(&self, i: usize) -> Result<Color, Failure> {
        self.word(i).and_then(color).ok_or_else(|| Failure::new("invalid color"))
    }

    /// The `i`-th word as a vertex of the board; a pass is not a vertex.
    ///
    /// # Errors
    /// `invalid coordinate`.
    pub fn vertex(&self, i: usize, board: &Board) -> Result<Vertex, Failure> {
        self.word(i)
            .and_then(|text| Vertex::from_gtp(text, board.size()))
            .filter(|&v| v != Vertex::PASS)
            .ok_or_else(|| Failure::new("invalid coordinate"))
    }

    /// The `i`-th word as a vertex with a stone.
    ///
    /// # Errors
    /// `invalid coordinate` or `vertex must not be empty`.
    pub fn stone(&self, i: usize, board: &Board) -> Result<Vertex, Failure> {
        let v = self.vertex(i, board)?;
        if board.is_empty(v) { Err(Failure::new("vertex must not be empty")) } else { Ok(v) }
    }

    /// The `i`-th and the next word as a colour and a vertex or pass.
    ///
    /// # Errors
    /// `invalid color or coordinate`.
    pub fn play(&self, i: usize, board: &Board) -> Result<(Color, Vertex), Failure> {
        self.word(i)
            .and_then(color)
            .zip(self.word(i + 1).and_then(|text| Vertex::from_gtp(text, board.size())))
            .ok_or_else(|| Failure::new("invalid color or coordinate"))
    }
}

/// A colour as controllers spell it.
#[must_use]
pub fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Vertices as GTP spells them, with blanks between, sorted as GNU Go sorts (by row from the top, then by column).
#[must_use]
pub fn vertices(list: impl IntoIterator<Item = Vertex>, size: usize) -> String {
    let mut list: Vec<Vertex> = list.into_iter().collect();
    list.sort_unstable();
    line(&list, size)
}

/// The same in their own order.
#[must_use]
pub fn line(moves: &[Vertex], size: usize) -> String {
    moves.iter().map(|v| v.to_gtp(size)).collect::<Vec<_>>().join(" ")
}
