//! The types that define a table and its columns.

/// The version of the tables, in the metadata of every file as `tengen.schema`. It changes when a column changes its
/// meaning or its type, or is removed. New columns and tables do not change it.
pub const VERSION: &str = "tengen.tables/1";

/// The type of a column.
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
    /// The name on the page about the tables.
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

/// The source of a cell. Pointers are JSON pointers (RFC 6901).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The number of the record in the run, from 0. It joins all tables.
    Position,
    /// The number of the game in the table `games`.
    Game,
    /// The row's number within the record (or, one level down, within its list), from 0.
    Number,
    /// The number of the row's parent within the record.
    Parent,
    /// The first of these fields that the row's own object has.
    Own(&'static [&'static str]),
    /// The first of these fields that the record has.
    Record(&'static [&'static str]),
    /// A list of texts of the row's own object, with blanks between.
    Words(&'static str),
    /// A value of the row's own object as JSON.
    Json(&'static str),
    /// A value of the record as JSON.
    RecordJson(&'static str),
    /// The number of expectations that do not hold.
    Failed,
    /// The number of an entry in a list of the record. The entry's list of names contains the row's own name. The three
    /// pointers are: the list, the names, the name.
    Within(&'static str, &'static str, &'static str),
    /// The row's entry in the first of these lists that the record has.
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

/// The rows that a record gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// One row.
    Record,
    /// One row, if the record's task is one of these and it has a result.
    Tasks(&'static [&'static str]),
    /// One row for each object of this list.
    Each(&'static str),
    /// One row for each object of the second list in each object of the first.
    Nested(&'static str, &'static str),
    /// One row for each vertex of the board.
    Vertices,
    /// One row, if the record is the first of its game.
    Games,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Its source.
    pub from: From,
    /// Its meaning.
    pub doc: &'static str,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The meaning of a row.
    pub doc: &'static str,
    /// The rows that a record gives.
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
