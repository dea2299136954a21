//! Parses SGF text into a tree. The parser does not recurse, so a deeply nested file cannot exhaust the stack. Its
//! memory is bounded.
//!
//! Each value is decoded separately (`encoding.rs`), so offsets are byte offsets of the file.

use super::encoding::{self, Encoding, Shift, UTF8};
use super::{Node, Property, SgfError, SgfWarning, Tree, kinds, place};

/// The most nodes of one record; the longest games have a thousandth of it.
pub(super) const MAX_NODES: usize = 1 << 20;

/// The most values of all properties of one record.
pub(super) const MAX_VALUES: usize = 4 << 20;

/// The most different properties of one node.
const MAX_PROPERTIES: usize = 1000;

/// Reads the first game tree of a record; that there are more is a warning of it.
///
/// Brackets that are missing at the very end are counted in [`Tree::unclosed`] and otherwise forgiven.
///
/// # Errors
/// When there is no tree, or it is cut off inside a node, or a character stands where none can.
pub fn parse(text: &[u8]) -> Result<Tree, SgfError> {
    let mut file = File::new(text)?;
    let mut tree = file.next().ok_or(SgfError::NoTree)??;
    if let Some(offset) = file.start() {
        let message = "the file holds more games than this, and only the first is read";
        tree.warnings.push(SgfWarning::new(kinds::MORE_GAMES, message, offset));
    }
    Ok(tree)
}

/// Reads all game trees of a record, and the fault that ends them: what follows it is not read.
///
/// ```
/// let (games, fault) = tengen_go::board::sgf::games(b"(;SZ[9];B[aa]) (;SZ[13])");
/// assert!(games.len() == 2 && fault.is_none());
/// ```
#[must_use]
pub fn games(text: &[u8]) -> (Vec<Tree>, Option<SgfError>) {
    let mut file = match File::new(text) {
        Ok(file) => file,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let mut trees = Vec::new();
    while let Some(tree) = file.next() {
        match tree {
            Ok(tree) => trees.push(tree),
            Err(error) => return (trees, Some(error)),
        }
    }
    let fault = trees.is_empty().then_some(SgfError::NoTree);
    (trees, fault)
}

/// A text of games, read one after the other.
struct File<'a> {
    text: std::borrow::Cow<'a, [u8]>,
    /// Whether a byte order mark decided the encoding.
    marked: bool,
    at: usize,
    values: usize,
}

impl<'a> File<'a> {
    fn new(text: &'a [u8]) -> Result<Self, SgfError> {
        let (text, marked) = encoding::unmarked(text);
        if !marked && encoding::looks_like_utf16(&text) {
            return Err(SgfError::Utf16);
        }
        Ok(Self { text, marked, at: 0, values: 0 })
    }

    /// The place of the next `(` that a `;` follows.
    fn start(&self) -> Option<usize> {
        let is_blank = |b: &&u8| !b.is_ascii_whitespace();
        (self.at..self.text.len()).find(|&i| {
            self.text[i] == b'(' && self.text[i + 1..].iter().find(is_blank).is_some_and(|&b| b == b';')
        })
    }

    /// The next game; `None` where there is no more.
    fn next(&mut self) -> Option<Result<Tree, SgfError>> {
        let start = self.start()?;
        let (encodings, warning) = self.encodings(start);
        let mut best: Option<(usize, Parser<'_>, Tree)> = None;
        let mut fault = None;
        for &encoding in &encodings {
            let mut parser = Parser {
                text: &self.text,
                at: start,
                values: self.values,
                encoding,
                swallowed: 0,
                warnings: Vec::new(),
            };
            match parser.tree() {
                Ok(tree) => {
                    let penalty = parser.swallowed;
                    if best.as_ref().is_none_or(|(least, ..)| penalty < *least) {
                        best = Some((penalty, parser, tree));
                    }
                    if penalty == 0 {
                        break;
                    }
                }
                Err(error) => drop(fault.get_or_insert(error)),
            }
        }
        let Some((_, parser, mut tree)) = best else { return fault.map(Err) };
        tree.warnings = parser.warnings;
        let warning = warning
            .or_else(|| guessed(&self.text[start..parser.at], start, parser.encoding, encodings.len()));
        tree.warnings.splice(0..0, warning);
        (self.at, self.values) = (parser.at, parser.values);
        Some(Ok(tree))
    }

    /// The encodings that the game at this place may have, likeliest first.
    fn encodings(&self, start: usize) -> (Vec<Encoding>, Option<SgfWarning>) {
        let text = &self.text[start..];
        if self.marked {
            return (vec![UTF8], None);
        }
        let Some(label) = encoding::named(text) else { return (encoding::guesses(text), None) };
        let warn = |kind, message: String| Some(SgfWarning::new(kind, message, start));
        match Encoding::of_label(label) {
            Some(named) if encoding::contradicts(text, named) => {
                let guesses = encoding::guesses(text);
                let message = format!("`CA` says {}, but the texts are not in it", named.name());
                (guesses, warn(kinds::CHARSET_WRONG, message))
            }
            Some(named) => (vec![named], None),
            None if text.is_ascii() => (vec![UTF8], None),
            None => {
                let message = format!("`CA[{label}]` names no charset that is known: it is guessed");
                (encoding::guesses(text), warn(kinds::CHARSET_UNKNOWN, message))
            }
        }
    }
}

/// The warning of a charset that nobody named.
fn guessed(game: &[u8], start: usize, encoding: Encoding, tried: usize) -> Option<SgfWarning> {
    (tried > 1 && (!game.is_ascii() || encoding.shifts())).then(|| {
        let message = format!("no `CA` names the charset: it is read as {}", encoding.name());
        SgfWarning::new(kinds::CHARSET_GUESSED, message, start)
    })
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    values: usize,
    encoding: Encoding,
    /// Values that hold what looks like nodes.
    swallowed: usize,
    warnings: Vec<SgfWarning>,
}

impl Parser<'_> {
    fn tree(&mut self) -> Result<Tree, SgfError> {
        let mut tree = Tree::default();
        // For each open bracket the node after which its variation began.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut last: Option<usize> = None;
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'(') => {
                    if open.len() >= MAX_NODES {
                        return Err(SgfError::TooLarge { what: "open variations", most: MAX_NODES });
                    }
                    open.push(last);
                    self.at += 1;
                }
                Some(b')') => {
                    last = open.pop().expect("the loop ends with the last bracket");
                    self.at += 1;
                    if open.is_empty() {
                        return Ok(tree);
                    }
                }
                Some(b';') => {
                    self.at += 1;
                    if tree.nodes.len() >= MAX_NODES {
                        return Err(SgfError::TooLarge { what: "nodes", most: MAX_NODES });
                    }
                    let node = Node { properties: self.properties()?, parent: last, children: Vec::new() };
                    let id = tree.nodes.len();
                    tree.nodes.push(node);
                    if let Some(parent) = last {
                        tree.nodes[parent].children.push(id);
                    }
                    last = Some(id);
                }
                Some(_) => return Err(self.unexpected("`;`, `(` or `)`")),
                None if tree.nodes.is_empty() => return Err(self.truncated("a game tree")),
                None => {
                    tree.unclosed = open.len();
                    return Ok(tree);
                }
            }
        }
    }

    fn properties(&mut self) -> Result<Vec<Property>, SgfError> {
        let mut properties: Vec<Property> = Vec::new();
        loop {
            self.skip_blanks();
            let offset = self.at;
            let mut name = String::new();
            while let Some(c) = self.peek().filter(u8::is_ascii_alphanumeric) {
                if !c.is_ascii_lowercase() {
                    name.push(c as char);
                }
                self.at += 1;
            }
            if self.at == offset {
                return Ok(properties);
            }
            // Small letters in a name are old style and dropped; a name of nothing else is none.
            if name.is_empty() {
                self.at = offset;
                return Err(self.unexpected("a property name with a capital"));
            }
            let values = self.values()?;
            match properties.iter().position(|p| p.name == name) {
                Some(known) => properties[known].values.extend(values),
                None if properties.len() >= MAX_PROPERTIES => {
                    return Err(SgfError::TooLarge { what: "properties of one node", most: MAX_PROPERTIES });
                }
                None => properties.push(Property { name, values, offset }),
            }
        }
    }

    fn values(&mut self) -> Result<Vec<String>, SgfError> {
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'[') => {
                    self.values += 1;
                    if self.values > MAX_VALUES {
                        return Err(SgfError::TooLarge { what: "property values", most: MAX_VALUES });
                    }
                    values.push(self.value()?);
                }
                None if values.is_empty() => return Err(self.truncated("a property")),
                Some(_) if values.is_empty() => return Err(self.unexpected("`[`")),
                _ => return Ok(values),
            }
        }
    }

    fn value(&mut self) -> Result<String, SgfError> {
        self.at += 1;
        let start = self.at;
        let (mut bytes, mut cut, mut shift) = (Vec::new(), false, Shift::default());
        loop {
            if self.encoding.shifts() {
                let rest = &self.text[self.at..];
                let changed = Shift::of(rest);
                shift = changed.unwrap_or(shift);
                if let Some(length) = changed.map(|_| 3).or_else(|| shift.letter(rest)) {
                    bytes.extend_from_slice(&rest[..length]);
                    self.at += length;
                    continue;
                }
            }
            let Some(c) = self.peek() else { return Err(self.truncated("a value (a `]` is missing)")) };
            match c {
                b']' => {
                    self.at += 1;
                    break;
                }
                b'\\' => {
                    self.at += 1;
                    self.escaped(&mut bytes);
                }
                b';' if encoding::follows_structure(&self.text[self.at..]) => {
                    self.swallowed += 1;
                    self.letter(&mut bytes);
                }
                _ => cut |= self.letter(&mut bytes),
            }
        }
        let (text, bad) = self.encoding.text(bytes);
        if cut || bad {
            let message =
                format!("a letter is cut off, or is none of {}: it is replaced", self.encoding.name());
            self.warnings.push(SgfWarning::new(kinds::LETTER_CUT, message, start));
        }
        Ok(text)
    }

    /// Takes the letter at this place; whether only half of one stands here, before the end of the value.
    fn letter(&mut self, bytes: &mut Vec<u8>) -> bool {
        let rest = &self.text[self.at..];
        let length = self.encoding.letter(rest);
        let cut = length == 2 && rest[1] == b']' && encoding::follows_structure(&rest[2..]);
        let length = if cut { 1 } else { length };
        bytes.extend_from_slice(&rest[..length.min(rest.len())]);
        self.at += length;
        cut
    }

    /// The character after a backslash. An escaped line break is removed; any other escaped character stays.
    fn escaped(&mut self, bytes: &mut Vec<u8>) {
        match self.peek() {
            Some(b'\r') if self.text.get(self.at + 1) == Some(&b'\n') => self.at += 2,
            Some(b'\n' | b'\r') => self.at += 1,
            Some(_) => drop(self.letter(bytes)),
            None => {}
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        // Some old files are padded with NUL or end with ^Z.
        while self.peek().is_some_and(|b| b.is_ascii_whitespace() || b == 0 || b == 0x1a || b == 0x0b) {
            self.at += 1;
        }
    }

    fn truncated(&self, inside: &'static str) -> SgfError {
        SgfError::Truncated { inside, offset: self.at, at: place(self.text, self.at) }
    }

    fn unexpected(&self, expected: &'static str) -> SgfError {
        let found = self.peek().map_or(' ', char::from);
        SgfError::Unexpected { found, expected, offset: self.at, at: place(self.text, self.at) }
    }
}
