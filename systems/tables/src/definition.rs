//! What a table and a column are made of.

/// The version of the tables, in the metadata of every file as `tengen.schema`. It changes when a column changes its
/// meaning or its type or goes away; new columns and tables leave it.
pub const VERSION: &str = "tengen.tables/1";

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A 64-bit integer.
    Int,
    /// A 64-bit float.
    Float,
    /// True or false.
    Bool,
    /// UTF-8.
    Text,
}

impl Kind {
    /// As the page on the tables calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "integer",
            Self::Float => "float",
            Self::Bool => "boolean",
            Self::Text => "text",
        }
    }
}

/// Where a cell comes from. Pointers are JSON pointers (RFC 6901).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The number of the record in the run, from 0: joins all tables.
    Position,
    /// The number of the game in the table `games`.
    Game,
    /// The row's number within the record (or, one level down, within its list), from 0.
    Number,
    /// The number of the row's parent within the record.
    Parent,
    /// The first of these that is there, of the row's own object.
    Own(&'static [&'static str]),
    /// The first of these that is there, of the record.
    Record(&'static [&'static str]),
    /// A list of texts of the row's own object, with blanks between.
    Words(&'static str),
    /// A value of the row's own object as JSON.
    Json(&'static str),
    /// A value of the record as JSON.
    RecordJson(&'static str),
    /// How many expectations do not hold.
    Failed,
    /// The number of the one in a list of the record whose list of names holds the row's own name: list, names, name.
    Within(&'static str, &'static str, &'static str),
    /// The row's entry in the first of these lists of the record that is there.
    Entry(&'static [&'static str]),
    /// A vertex as GTP spells it.
    VertexName,
    /// The row of a vertex, 0 at the top.
    VertexRow,
    /// The column of a vertex, 0 at the left.
    VertexColumn,
    /// The stone on a vertex: `Black`, `White` or null.
    VertexStone,
}

/// Which rows a record gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// One.
    Record,
    /// One, if its task is one of these and it has a result.
    Tasks(&'static [&'static str]),
    /// One an object of this list.
    Each(&'static str),
    /// One an object of the second list in each object of the first.
    Nested(&'static str, &'static str),
    /// One a vertex of the board.
    Vertices,
    /// One, if it is the first record of its game.
    Games,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Where it comes from.
    pub from: From,
    /// What it means.
    pub doc: &'static str,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What a row is.
    pub doc: &'static str,
    /// Which rows a record gives.
    pub rows: Rows,
    /// Its columns.
    pub fields: &'static [Field],
}

/// A column in one line.
pub(crate) const fn field(name: &'static str, kind: Kind, from: From, doc: &'static str) -> Field {
    Field { name, kind, from, doc }
}

/// The column that joins all tables.
pub(crate) const POSITION: Field = field(
    "position",
    Kind::Int,
    From::Position,
    "the record's number in the run, from 0: `positions.position`",
);
