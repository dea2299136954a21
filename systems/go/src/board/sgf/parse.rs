//! Parses text to a tree without recursion: a deep file cannot exhaust the stack, and memory is bounded for every file.

use super::{Node, Property, SgfError, Tree, place};

/// The most nodes of one record; the longest games have a thousandth of it.
pub(super) const MAX_NODES: usize = 1 << 20;

/// The most values of all properties of one record.
pub(super) const MAX_VALUES: usize = 4 << 20;

/// The most different properties of one node.
const MAX_PROPERTIES: usize = 1000;

/// Reads the first game tree of a record. Bytes that are no UTF-8 are taken as Latin-1.
///
/// Brackets that are missing at the very end are counted in [`Tree::unclosed`] and otherwise forgiven.
///
/// # Errors
/// When there is no tree, or it is cut off inside a node, or a character stands where none can.
pub fn parse(text: &[u8]) -> Result<Tree, SgfError> {
    Parser { text, at: 0, values: 0 }.tree()
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    values: usize,
}

impl Parser<'_> {
    fn tree(&mut self) -> Result<Tree, SgfError> {
        self.at = self.start().ok_or(SgfError::NoTree)?;
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

    /// The place of the first `(` that a `;` follows.
    fn start(&self) -> Option<usize> {
        (0..self.text.len()).find(|&i| {
            self.text[i] == b'('
                && self.text[i + 1..].iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|&b| b == b';')
        })
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
        let mut bytes = Vec::new();
        loop {
            let Some(c) = self.peek() else { return Err(self.truncated("a value (a `]` is missing)")) };
            self.at += 1;
            match c {
                b']' => break,
                b'\\' => {
                    // An escaped line break is none; any other escaped character is itself.
                    match self.peek() {
                        Some(b'\r') if self.text.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                        Some(b'\n' | b'\r') => self.at += 1,
                        Some(c) => {
                            bytes.push(c);
                            self.at += 1;
                        }
                        None => {}
                    }
                }
                c => bytes.push(c),
            }
        }
        Ok(String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().iter().map(|&b| b as char).collect()))
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
