//! Influence: how strongly the stones of each colour act on each vertex, and the territory that follows. Stones are
//! sources. Other stones and connections hold influence back. Territory lies where the influence of only one colour
//! arrives.
//!
//! # Source
//! GNU Go 3.8 manual, chapter "Influence"; details are measured against GNU Go 3.8's answers.
//!
//! [`crate::spread`] spreads influence over a field, and [`crate::territory`] values territory. This module builds the
//! field of a position. [`passes`] combines stones, [`patterns`], propagation and territory. [`plugin`] runs the passes
//! before and after dragons are known. [`break_ins`] reads the invasions of territories that influence does not see.
//! [`after_move`] and [`after_moves`] compute influence after moves.

pub mod after_move;
pub mod after_moves;
pub mod break_ins;
pub mod passes;
pub mod patterns;
pub mod plugin;
pub mod recorded;
#[cfg(test)]
mod tests;

pub use break_ins::{BreakIns, BreakInsPlugin};
pub use passes::{Kind, LIVELY, Pass, StoneStatus, lively, pattern_statuses};
pub use plugin::{
    FirstInfluence, FirstInfluencePlugin, SecondInfluence, SecondInfluencePlugin, StoneStatuses,
};
