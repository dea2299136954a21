//! The analysis of Go positions after GNU Go 3.8 manual, as data and systems. Each module is one chapter.
//!
//! # Modules
//! Each imports only those above it; a test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`names`] | enumerations whose values have names |
//! | [`effort`] | how far everything reads |
//! | [`board`] | stones, strings, liberties; SGF and diagrams |
//! | [`memory`] | answers of readings, kept while the same stands where they looked |
//! | [`schedule`] | the schedule [`Analyse`] and its sets |
//! | [`world`] | slots of boards and their points |
//! | [`unconditional`] | life and territory that need no answer |
//! | [`playout`] | playouts, likely moves, the search for play |
//! | [`judge`] | expected owner, likely moves, lead and win rate: by a net, by playouts, by an engine |
//! | [`escape`] | distances, escape routes |
//! | [`surround`] | the convex hull of those who surround a dragon |
//! | [`tactics`] | attack and defence of strings, by reading |
//! | [`worms`] | strings and cavities, measured without reading |
//! | [`eyes`] | eye spaces and their values |
//! | [`proof`] | proof numbers, and the depth-first search that proves |
//! | [`connection`] | connecting, disconnecting, breaking in, by reading |
//! | [`spread`] | a field of sources and permeabilities, and how influence spreads over it |
//! | [`territory`] | the territory value of each vertex of an influence map; regions; the estimate of the score |
//! | [`patterns`] | pattern databases, and the answers to their constraints |
//! | [`influence`] | the maps of a position: before and after dragons are known, and after moves |
//! | [`local_view`] | the facts about a fight that need no reading |
//! | [`owl`] | life and death by reading |
//! | [`semeai`] | races |
//! | [`dragons`] | strings that live and die together, and the verdict over them |
//! | [`score`] | the score, and the status of each vertex at the end, by an ownership |
//! | [`moves`] | candidate moves, their reasons and values, and the choice |
//! | [`publish`] | columns and entities for queries |
//! | [`plugins`] | all plugins in their order |
//! | [`engine`] | a World with the schedule, behind a few calls |
//! | [`finished`] | the final status of a board: who lives and who has won |
//! | [`reasons`] | why a move is better than another: what changes, unit by unit, and its cause |

pub mod board;
pub mod connection;
pub mod dragons;
pub mod effort;
pub mod engine;
pub mod escape;
pub mod eyes;
pub mod finished;
pub mod influence;
pub mod judge;
pub mod local_view;
pub mod memory;
pub mod moves;
pub mod names;
pub mod owl;
pub mod patterns;
pub mod playout;
pub mod plugins;
pub mod proof;
pub mod publish;
pub mod reasons;
pub mod schedule;
pub mod score;
pub mod semeai;
pub mod spread;
pub mod surround;
pub mod tactics;
pub mod territory;
pub mod unconditional;
pub mod world;
pub mod worms;

pub use effort::{Effort, Level};
pub use engine::{Finding, GoEngine};
pub use memory::ReadingMemory;
pub use plugins::GoPlugins;
pub use schedule::{Analyse, AnalyseSystems};
