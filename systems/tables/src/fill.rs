//! Turns records (JSON) into rows of the tables.

use crate::definition::{Field, From, Kind, Rows, Table};
use crate::schema::TABLES;
use serde_json::Value;
use std::collections::HashMap;

/// The cells of a column; `None` is a null.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Of [`Kind::Int`].
    Int(Vec<Option<i64>>),
    /// Of [`Kind::Float`].
    Float(Vec<Option<f64>>),
    /// Of [`Kind::Bool`].
    Bool(Vec<Option<bool>>),
    /// Of [`Kind::Text`].
    Text(Vec<Option<String>>),
}

impl Column {
    const fn new(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Int(Vec::new()),
            Kind::Float => Self::Float(Vec::new()),
            Kind::Bool => Self::Bool(Vec::new()),
            Kind::Text => Self::Text(Vec::new()),
        }
    }

    /// The number of cells.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Int(cells) => cells.len(),
            Self::Float(cells) => cells.len(),
            Self::Bool(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
        }
    }

    /// Whether there is no cell.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a cell; a value of another type becomes a null.
    fn push(&mut self, cell: Cell<'_>) {
        match self {
            Self::Int(cells) => cells.push(match cell {
                Cell::Number(n) => Some(n),
                Cell::Value(value) => value.as_i64(),
                _ => None,
            }),
            Self::Float(cells) => {
                cells.push(if let Cell::Value(value) = cell { value.as_f64() } else { None })
            }
            Self::Bool(cells) => {
                cells.push(if let Cell::Value(value) = cell { value.as_bool() } else { None })
            }
            Self::Text(cells) => cells.push(match cell {
                Cell::Text(text) => Some(text),
                Cell::Value(Value::Null) | Cell::Nothing => None,
                Cell::Value(Value::String(text)) => Some(text.clone()),
                Cell::Value(value) => Some(value.to_string()),
                Cell::Number(n) => Some(n.to_string()),
            }),
        }
    }
}

/// A cell before it enters a column.
enum Cell<'a> {
    Nothing,
    Number(i64),
    Text(String),
    Value(&'a Value),
}

impl<'a> std::convert::From<Option<&'a Value>> for Cell<'a> {
    fn from(value: Option<&'a Value>) -> Self {
        value.map_or(Self::Nothing, Self::Value)
    }
}

impl std::convert::From<Option<usize>> for Cell<'_> {
    fn from(number: Option<usize>) -> Self {
        number.map_or(Self::Nothing, |n| Self::Number(n as i64))
    }
}

/// Rows of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The table.
    pub table: &'static Table,
    /// Its columns, one for each field of the table.
    pub columns: Vec<Column>,
    rows: usize,
}

impl Frame {
    fn new(table: &'static Table) -> Self {
        Self { table, columns: table.fields.iter().map(|field| Column::new(field.kind)).collect(), rows: 0 }
    }

    /// A table by its name, with these columns; `None` if there is no such table, or if the columns are not its own.
    #[must_use]
    pub fn of_columns(name: &str, columns: Vec<Column>) -> Option<Self> {
        let table = crate::TABLES.iter().find(|table| table.name == name)?;
        let rows = columns.first().map_or(0, Column::len);
        let fits = |(column, field): (&Column, &crate::Field)| {
            column.len() == rows
                && std::mem::discriminant(column) == std::mem::discriminant(&Column::new(field.kind))
        };
        let fits = columns.len() == table.fields.len() && columns.iter().zip(table.fields).all(fits);
        fits.then_some(Self { table, columns, rows })
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.table.fields.iter().position(|field| field.name == name).map(|index| &self.columns[index])
    }

    fn push(&mut self, row: &Row<'_>) {
        for (field, column) in self.table.fields.iter().zip(&mut self.columns) {
            column.push(row.cell(field));
        }
        self.rows += 1;
    }
}

/// All tables of a run, filled record by record.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    frames: Vec<Frame>,
    records: usize,
    games: HashMap<String, usize>,
}

impl Default for Tables {
    fn default() -> Self {
        Self { frames: TABLES.iter().map(Frame::new).collect(), records: 0, games: HashMap::new() }
    }
}

impl Tables {
    /// Adds the rows of a record.
    pub fn add(&mut self, record: &Value) {
        let count = self.games.len();
        let game = record.get("game").map(|game| {
            let key = format!("{}\n{}\n{}", game["file"], game["line"], game["number"]);
            *self.games.entry(key).or_insert(count)
        });
        let is_new = self.games.len() > count;
        let row = Row { record, position: self.records, game, own: record, number: 0, parent: 0 };
        for frame in &mut self.frames {
            rows(frame.table.rows, &row, is_new, &mut |row| frame.push(row));
        }
        self.records += 1;
    }

    /// The number of records added.
    #[must_use]
    pub const fn records(&self) -> usize {
        self.records
    }

    /// The current number of rows of the largest table.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.frames.iter().map(Frame::rows).max().unwrap_or(0)
    }

    /// The rows of a table.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.table.name == name)
    }

    /// All tables, in the order of [`TABLES`].
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Takes all rows out; the numbering of later records continues.
    pub fn take(&mut self) -> Vec<Frame> {
        std::mem::replace(&mut self.frames, TABLES.iter().map(Frame::new).collect())
    }
}

/// The place of a row.
#[derive(Clone, Copy)]
struct Row<'a> {
    record: &'a Value,
    position: usize,
    game: Option<usize>,
    own: &'a Value,
    number: usize,
    parent: usize,
}

/// Passes the rows that a record gives to a table.
fn rows<'a>(which: Rows, record: &Row<'a>, new_game: bool, take: &mut dyn FnMut(&Row<'a>)) {
    match which {
        Rows::Record => take(record),
        Rows::Games if new_game => take(record),
        Rows::Tasks(names) => {
            let named = record.record["task"].as_str().is_some_and(|task| names.contains(&task));
            if named && record.record.pointer("/result/error").is_none() {
                take(record);
            }
        }
        Rows::Games => {}
        Rows::Each(list) => {
            for (number, own) in objects(record.record, list).iter().enumerate() {
                take(&Row { own, number, ..*record });
            }
        }
        Rows::Nested(list, within) => {
            for (parent, outer) in objects(record.record, list).iter().enumerate() {
                for (number, own) in objects(outer, within).iter().enumerate() {
                    take(&Row { own, number, parent, ..*record });
                }
            }
        }
        Rows::Vertices => {
            let stones = record.record.pointer("/result/stones").and_then(Value::as_str).map_or(0, str::len);
            (0..stones).for_each(|number| take(&Row { number, ..*record }));
        }
    }
}

/// A list of objects; empty if there is no list.
fn objects<'a>(value: &'a Value, list: &str) -> &'a [Value] {
    value.pointer(list).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The first of these fields that is present.
fn first<'a>(value: &'a Value, pointers: &[&str]) -> Option<&'a Value> {
    pointers.iter().find_map(|pointer| value.pointer(pointer))
}

fn json(value: Option<&Value>) -> Cell<'_> {
    value.filter(|value| !value.is_null()).map_or(Cell::Nothing, |value| Cell::Text(value.to_string()))
}

impl<'a> Row<'a> {
    fn cell(&self, field: &Field) -> Cell<'a> {
        match field.from {
            From::Position => Some(self.position).into(),
            From::Game => self.game.into(),
            From::Number => Some(self.number).into(),
            From::Parent => Some(self.parent).into(),
            From::Own(pointers) => first(self.own, pointers).into(),
            From::Record(pointers) => first(self.record, pointers).into(),
            From::Words(pointer) => match self.own.pointer(pointer).and_then(Value::as_array) {
                Some(words) => {
                    Cell::Text(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
                }
                None => Cell::Nothing,
            },
            From::Json(pointer) => json(self.own.pointer(pointer)),
            From::RecordJson(pointer) => json(self.record.pointer(pointer)),
            From::Failed => {
                let failed = objects(self.record, "/expect").iter().filter(|e| e["ok"] == false);
                Some(failed.count()).into()
            }
            From::Within(list, names, own) => {
                let own = self.own.pointer(own);
                let holds = |value: &Value| objects(value, names).iter().any(|name| Some(name) == own);
                objects(self.record, list).iter().position(holds).into()
            }
            From::Entry(pointers) => {
                first(self.record, pointers).and_then(|list| list.get(self.number)).into()
            }
            From::VertexName => self.vertex().map_or(Cell::Nothing, |(size, row, column)| {
                Cell::Text(format!("{}{}", letter(column), size - row))
            }),
            From::VertexRow => self.vertex().map(|(_, row, _)| row).into(),
            From::VertexColumn => self.vertex().map(|(_, _, column)| column).into(),
            From::VertexStone => {
                let stones = self.record.pointer("/result/stones").and_then(Value::as_str);
                match stones.and_then(|stones| stones.as_bytes().get(self.number)) {
                    Some(b'X') => Cell::Text("Black".into()),
                    Some(b'O') => Cell::Text("White".into()),
                    _ => Cell::Nothing,
                }
            }
        }
    }

    /// The board's size, and row and column of the row's vertex.
    fn vertex(&self) -> Option<(usize, usize, usize)> {
        let size = self.record.pointer("/result/size")?.as_u64().filter(|&size| size > 0)? as usize;
        let (row, column) = (self.number / size, self.number % size);
        (row < size).then_some((size, row, column))
    }
}

/// GTP's letter of a column: there is no I.
fn letter(column: usize) -> char {
    char::from(b'A' + (column + usize::from(column >= 8)).min(25) as u8)
}
