//! The Go part of a record: what the analysis found, in vertex order.

use super::Analysed;
use crate::scene::Column;
use serde_json::{Map, Value, json};

/// The result and its summary for the table.
pub(super) fn of(analysed: &Analysed, _columns: &[Column]) -> (Value, String) {
    let position = &analysed.input.position;
    let board = &position.board;
    let mut result = Map::new();
    let mut put = |name: &str, value: Value| {
        result.insert(name.into(), value);
    };
    debug_assert!(analysed.engine.position(analysed.slot).is_some());
    put("size", json!(board.size()));
    put("move", json!(analysed.input.moves));
    put("to_move", json!(position.to_move));
    if let Some(stopped) = &analysed.input.stopped {
        put("stopped", json!(stopped));
    }
    put("hash", json!(format!("{:016x}", board.hash())));
    let summary = format!("{} moves", analysed.input.moves);
    (Value::Object(result), summary)
}
