//! Boards as text: `X` is a black stone, `O` a white stone, `.` or `+` an empty vertex, and a letter a-z a named empty
//! vertex.

use super::{Board, Color, MAX_SIZE, MIN_SIZE, Vertex};
use std::collections::BTreeMap;
use std::fmt;
use tengen_core::{Diagnostic, Position};

/// The vertices that letters of a diagram name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(BTreeMap<char, Vertex>);

impl Marks {
    /// The vertex of a letter, if the diagram has it.
    #[must_use]
    pub fn get(&self, letter: char) -> Option<Vertex> {
        self.0.get(&letter).copied()
    }

    /// All letters in order, with their vertices.
    pub fn iter(&self) -> impl Iterator<Item = (char, Vertex)> + '_ {
        self.0.iter().map(|(&letter, &v)| (letter, v))
    }
}

impl std::ops::Index<char> for Marks {
    type Output = Vertex;

    /// # Panics
    /// If the diagram has no such letter.
    fn index(&self, letter: char) -> &Vertex {
        &self.0[&letter]
    }
}

/// A fault of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// A character that means nothing.
    #[error("`{character}` means nothing in a diagram")]
    Character {
        /// The character.
        character: char,
        /// Its place.
        at: Position,
    },
    /// A letter names two vertices.
    #[error("the letter `{letter}` stands twice")]
    Twice {
        /// The letter.
        letter: char,
        /// Its second place.
        at: Position,
    },
    /// A row is not as long as the board is high.
    #[error("this row has {found} vertices, the diagram has {rows} rows")]
    Width {
        /// Vertices in the row.
        found: usize,
        /// Rows of the diagram.
        rows: usize,
        /// The row's end.
        at: Position,
    },
    /// Too few or too many rows.
    #[error("a board has 1 to 25 rows, this diagram has {0}")]
    Rows(usize),
}

impl From<DiagramError> for Diagnostic {
    fn from(error: DiagramError) -> Self {
        let base = Self::error(error.to_string());
        match error {
            DiagramError::Character { at, .. } => base
                .at(at)
                .help("use X for black, O for white, . or + for empty, a-z to name an empty vertex"),
            DiagramError::Twice { at, .. } => base.at(at).help("give each named vertex a letter of its own"),
            DiagramError::Width { at, .. } => base.at(at).help("draw a square board, blanks don't count"),
            DiagramError::Rows(_) => base.help("draw a square board, one line of text for each row"),
        }
    }
}

impl Board {
    /// Reads a diagram. Blanks between the characters and empty lines are skipped. The stones are placed without
    /// captures.
    ///
    /// # Errors
    /// When the text is no square diagram of 1 to 25 rows.
    pub fn from_diagram(text: &str) -> Result<(Self, Marks), DiagramError> {
        let rows: Vec<(usize, &str)> =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
        let size = rows.len();
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(DiagramError::Rows(size));
        }
        let mut board = Self::new(size);
        let mut marks = Marks::default();
        for (row, &(line_index, line)) in rows.iter().enumerate() {
            let place = |column: usize| Position { line: line_index as u32 + 1, column: column as u32 + 1 };
            let cells: Vec<(usize, char)> =
                line.chars().enumerate().filter(|(_, c)| !c.is_whitespace()).collect();
            if cells.len() != size {
                let at = place(line.trim_end().chars().count());
                return Err(DiagramError::Width { found: cells.len(), rows: size, at });
            }
            for (col, &(column, character)) in cells.iter().enumerate() {
                let v = Vertex::new(row, col, size);
                let at = place(column);
                match character {
                    '.' | '+' => {}
                    'X' => board.place(Color::Black, v).expect("each vertex is set once"),
                    'O' => board.place(Color::White, v).expect("each vertex is set once"),
                    letter @ 'a'..='z' => {
                        if marks.0.insert(letter, v).is_some() {
                            return Err(DiagramError::Twice { letter, at });
                        }
                    }
                    character => return Err(DiagramError::Character { character, at }),
                }
            }
        }
        board.history.clear();
        Ok((board, marks))
    }
}

impl fmt::Display for Board {
    /// The board as a diagram: one line per row, a blank between columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.size {
            for col in 0..self.size {
                let c = match self.color_at(Vertex::new(row, col, self.size)) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None => '.',
                };
                write!(f, "{}{c}", if col == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The position of a diagram, one string per row: `goban!("X O .", ". . a", ". . .")` is a pair of [`Board`] and
/// [`Marks`]. For tests and examples: a faulty diagram panics.
///
/// ```
/// let (board, marks) = tengen_go::goban!(
///     ". X .",
///     "X O a",
///     ". X .",
/// );
/// assert_eq!(board.liberty_vertices(marks['a']).count(), 0);
/// assert!(board.is_legal(tengen_go::board::Color::Black, marks['a']));
/// ```
#[macro_export]
macro_rules! goban {
    ($($row:expr),+ $(,)?) => {
        $crate::board::Board::from_diagram(concat!($($row, "\n"),+)).expect("a well-formed diagram")
    };
}
