//! Influence: sources radiate, stones and connections hold it back, territory is where only one colour's arrives.
//!
//! # Source
//! GNU Go manual, chapter "Influence"; measured details in `../shared/guides/go-influence-facts.md`.
//!
//! How influence spreads over a field is [`crate::spread`], how territory is valued [`crate::territory`]. Here is what makes
//! a field of a position: [`passes`] puts stones, [`patterns`], propagation and territory together, [`plugin`] does so
//! before and after dragons are known, [`break_ins`] reads what influence can't see of territories, [`after_move`] and [`trials`] after moves.

pub mod after_move;
pub mod break_ins;
pub mod passes;
pub mod patterns;
pub mod plugin;
pub mod recorded;
#[cfg(test)]
mod tests;
pub mod trials;

pub use break_ins::{BreakIns, BreakInsPlugin};
pub use passes::{Kind, LIVELY, Pass, StoneStatus, lively, pattern_statuses};
pub use plugin::{
    FirstInfluence, FirstInfluencePlugin, SecondInfluence, SecondInfluencePlugin, StoneStatuses,
};
