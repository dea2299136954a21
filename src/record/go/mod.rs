//! The record of a Go position: the findings of the analysis as JSON.

mod columns;
mod dragons;
pub mod moves;
mod reasons;
mod result;
mod territory;

use crate::extension::RecordColumns;
use crate::scene::Column;
use crate::scene::position::GoInput;
use serde_json::Value;
use tengen_go::GoEngine;

/// The case, and the slot that holds its results.
pub struct Analysed<'a> {
    pub(super) input: &'a GoInput,
    pub(super) engine: &'a GoEngine,
    slot: usize,
}

impl<'a> Analysed<'a> {
    /// The results of the last analysis of a slot, which holds this position.
    #[must_use]
    pub const fn new(engine: &'a GoEngine, slot: usize, input: &'a GoInput) -> Self {
        Self { input, engine, slot }
    }

    /// The result in the form of a record, with the columns a scene requests, and its summary for the table.
    #[must_use]
    pub fn result(&self, columns: &[Column]) -> (Value, String) {
        result::of(self, columns)
    }

    /// Record columns that users added, if there are any.
    pub fn added_columns(&self) -> Option<Value> {
        let world = self.engine.world();
        let columns = world.get_resource::<RecordColumns>()?.of(world, self.engine.entity(self.slot)?);
        (!columns.is_empty()).then(|| Value::Object(columns.into_iter().collect()))
    }
}

/// The result of an analysed slot in the form of a record, with all candidates instead of the best alone.
#[must_use]
pub fn record_of(engine: &GoEngine, slot: usize, input: &GoInput) -> Value {
    let analysed = Analysed::new(engine, slot, input);
    let (mut result, _) = result::of(&analysed, &[]);
    if let (Some(result), Some(all)) = (result.as_object_mut(), moves::all(&analysed)) {
        result.insert("moves".into(), all);
    }
    result
}
