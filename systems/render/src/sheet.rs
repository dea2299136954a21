//! A Go board with its layers, and the names of its vertices.

use crate::palette::Ink;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Black.
    Black,
    /// White.
    White,
}

/// The text and the marks on one vertex, above its stone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// A letter or a number; empty for none. A terminal shows it instead of the stone.
    pub text: String,
    /// The meaning of the colour.
    pub ink: Ink,
    /// The coloured share of the vertex, 0 to 1; with 0 only the text has the colour.
    pub fill: f32,
    /// A small sign.
    pub mark: Option<Mark>,
}

/// A small sign on a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A ring.
    Circle,
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A cross.
    Cross,
}

/// A line from vertex to vertex, such as the direction of a gain or the order of a line of play.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Index in vertex order.
    pub from: usize,
    /// Index in vertex order.
    pub to: usize,
    /// Its meaning.
    pub ink: Ink,
}

/// A closed line through vertices, such as one around a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Corners by index in vertex order.
    pub corners: Vec<usize>,
    /// Its meaning.
    pub ink: Ink,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The sign on the board, as in [`Cell`].
    pub sign: Cell,
    /// Its meaning.
    pub meaning: String,
}

impl Key {
    /// An entry.
    #[must_use]
    pub fn new(ink: Ink, fill: f32, text: &str, meaning: &str) -> Self {
        let sign = Cell { text: text.into(), ink, fill, mark: None };
        Self { sign, meaning: meaning.into() }
    }
}

/// A square Go board with its layers. Lists over vertices are in *vertex order*: row by row from the top left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Lines each way.
    pub size: usize,
    /// The title of the picture, in a few words.
    pub title: String,
    /// The stones.
    pub stones: Vec<Option<Side>>,
    /// The cells above the stones.
    pub cells: Vec<Cell>,
    /// The last move's vertex.
    pub last: Option<usize>,
    /// Lines between vertices.
    pub arrows: Vec<Arrow>,
    /// Lines around vertices.
    pub outlines: Vec<Outline>,
    /// The legend of the signs; never empty where there are signs.
    pub legend: Vec<Key>,
    /// The measures of the lettered units, one line each.
    pub lines: Vec<String>,
    /// The width of a cell in a terminal.
    pub width: usize,
}

impl Sheet {
    /// A board with stones only. `stone` is called with the index in vertex order.
    #[must_use]
    pub fn new(size: usize, title: &str, stone: impl Fn(usize) -> Option<Side>) -> Self {
        Self {
            size,
            title: title.into(),
            stones: (0..size * size).map(stone).collect(),
            cells: vec![Cell::default(); size * size],
            width: 2,
            ..Self::default()
        }
    }
}

/// The name of a column: letters without I, as in GTP.
#[must_use]
pub fn column(col: usize) -> char {
    b"ABCDEFGHJKLMNOPQRSTUVWXYZ".get(col).map_or('?', |&c| char::from(c))
}

/// The name of a vertex by its index in vertex order, as in GTP.
#[must_use]
pub fn name(index: usize, size: usize) -> String {
    format!("{}{}", column(index % size), size - index / size)
}
