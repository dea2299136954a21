//! Influence: sources radiate, stones and connections hold it back, territory is where only one colour's arrives.
//!
//! # Source
//! GNU Go manual, chapter "Influence"; measured details in `../shared/guides/go-influence-facts.md`.
//!
//! [`field`] says what a map is computed from, [`permeability`] what stones do to it, [`spread`] propagates.

pub mod field;
pub mod permeability;
pub mod spread;

pub use field::{Field, PerColor};
pub use spread::Spreader;
