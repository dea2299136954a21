//! The command `tengen-record`, which prints every field of the position's record about a vertex.
//!
//! # Steps
//! 1. Make the position's record with all its columns. For the list `dragons`, also read threats.
//! 2. Find the entry of the list that contains the vertex: its string, cavity, dragon, cave or eye space. The entry of
//!    a half eye, an effect, a move or a break-in names its own vertex. The list `points` gives the columns at the
//!    vertex.
//! 3. Print one line for each field: its name, then its value. Blanks separate the values of a list.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};
use crate::record::go::Analysed;
use crate::scene::Column;
use crate::scene::position::GoInput;
use serde_json::Value;
use std::fmt::Write as _;
use tengen_go::board::{Marks, Vertex};
use tengen_go::dragons::CaveMap;
use tengen_go::worms::WormMap;
use tengen_go::{AnalyseSystems, GoEngine};

pub(super) const COMMANDS: &[Command] = &[command("tengen-record", record)];

/// The lists that it knows.
const LISTS: [&str; 10] =
    ["points", "worms", "cavities", "dragons", "caves", "eyes", "half_eyes", "effects", "moves", "break_ins"];

/// The columns of the record that it has. Threats are read for the list of dragons alone.
const COLUMNS: [Column; 6] =
    [Column::Points, Column::Eyes, Column::Effects, Column::Surround, Column::Moves, Column::Threats];

/// `tengen-record LIST VERTEX`.
fn record(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let unknown = || Failure::new(format!("the lists are {}", LISTS.join(", ")));
    let list =
        words.word(0).and_then(|word| LISTS.into_iter().find(|list| *list == word)).ok_or_else(unknown)?;
    let at = words.vertex(1, session.board())?;
    let (color, moves) = (session.to_move, session.board().moves().count());
    if list == "dragons" {
        session.read_threats(color);
    }
    let engine = session.analyse(color, AnalyseSystems::MoveEvaluation);
    let position = engine.position(0).cloned().unwrap_or_default();
    let size = position.board.size();
    let input = GoInput { position, marks: Marks::default(), moves, stopped: None, warnings: Vec::new() };
    let (result, _) = Analysed::new(engine, 0, &input).result(&COLUMNS);
    let mut text = String::new();
    match list {
        "points" => {
            let columns = result["points"].as_object().into_iter().flatten();
            columns.for_each(|(name, column)| line(&mut text, name, &column[at.index(size)]));
        }
        _ => {
            for entry in entries(engine, &result, list, at, size) {
                let fields = entry.as_object().into_iter().flatten();
                fields.for_each(|(name, value)| line(&mut text, name, value));
            }
        }
    }
    if text.is_empty() {
        return Err(Failure::new(format!("{} is in no entry of {list}", at.to_gtp(size))));
    }
    Ok(text.trim_end().to_owned())
}

/// Step 2.
fn entries<'a>(engine: &GoEngine, result: &'a Value, list: &str, at: Vertex, size: usize) -> Vec<&'a Value> {
    let named = |key: &str, v: Vertex| {
        let name = v.to_gtp(size);
        let entries = result[list].as_array().into_iter().flatten();
        entries.filter(|entry| entry[key] == name.as_str()).collect::<Vec<_>>()
    };
    let numbered = |column: &str| {
        let number = result["points"][column][at.index(size)].as_u64();
        number.and_then(|number| result[list].get(number as usize))
    };
    match list {
        "worms" => numbered("worm").into_iter().collect(),
        "dragons" => numbered("dragon").into_iter().collect(),
        "eyes" => ["black_eye", "white_eye"].into_iter().filter_map(numbered).collect(),
        "cavities" => {
            let map = engine.result::<WormMap>(0, AnalyseSystems::Worms);
            map.and_then(|map| map.get(at)).map(|worm| named("origin", worm.origin)).unwrap_or_default()
        }
        "caves" => {
            let map = engine.result::<CaveMap>(0, AnalyseSystems::Dragons);
            map.and_then(|map| map.at(at)).map(|cave| named("origin", cave.origin)).unwrap_or_default()
        }
        "half_eyes" | "effects" => named("vertex", at),
        "moves" => named("move", at),
        _ => named("break_in", at),
    }
}

/// Step 3.
fn line(text: &mut String, name: &str, value: &Value) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name} {}", field_text(value));
}

/// The value of a field as text.
fn field_text(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Bool(truth) => u8::from(*truth).to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".into(),
        Value::Array(values) => values.iter().map(field_text).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
