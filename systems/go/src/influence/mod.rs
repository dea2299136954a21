//! Influence: sources radiate, stones and connections hold it back, territory is where only one colour's arrives.
//!
//! # Source
//! GNU Go manual, chapter "Influence"; measured details in `../shared/guides/go-influence-facts.md`.
//!
//! [`field`] says what a map is computed from, [`permeability`] what stones do to it, [`effects`] what patterns do,
//! [`spread`] propagates, [`passes`] puts it all together, [`map`] is what comes out. Territory is valued in
//! [`crate::territory`].

pub mod after_move;
pub mod effects;
pub mod field;
pub mod map;
pub mod passes;
pub mod patterns;
pub mod permeability;
pub mod plugin;
pub mod recorded;
pub mod spread;
#[cfg(test)]
mod tests;
pub mod trials;

pub use effects::Effect;
pub use field::{Field, PerColor};
pub use map::{Cause, InfluenceMap};
pub use passes::{Kind, LIVELY, Pass, StoneStatus, lively};
pub use plugin::{
    FirstInfluence, FirstInfluencePlugin, SecondInfluence, SecondInfluencePlugin, StoneStatuses,
};
pub use spread::Spreader;
