//! Analyses Go positions by the methods of the GNU Go 3.8 manual, with components and systems of `bevy_ecs`. Most
//! modules correspond to a chapter or a section of that manual.
//!
//! # Modules
//! Each module imports only modules above it. `tests/architecture.rs` reads this table and checks the imports.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`names`] | enumerations whose values have names |
//! | [`effort`] | the limits of all reading, in named levels |
//! | [`board`] | stones, strings, liberties; SGF and diagrams |
//! | [`memory`] | answers of readings, kept while the stones that they looked at stay the same |
//! | [`schedule`] | the schedule [`Analyse`] and its sets |
//! | [`world`] | slots of boards and their points |
//! | [`unconditional`] | life and territory that hold even if their owner never answers |
//! | [`playout`] | playouts, likely moves, the search that picks a move for play |
//! | [`judge`] | expected owners, likely moves, lead and win rate, by a net, by playouts or by another judge |
//! | [`escape`] | distances, escape routes |
//! | [`surround`] | the convex hull of the stones that surround a dragon |
//! | [`tactics`] | attack and defence of strings, by reading |
//! | [`worms`] | strings and cavities, measured without reading |
//! | [`eyes`] | eye spaces and their values |
//! | [`proof`] | proof numbers, and the depth-first proof-number search |
//! | [`connection`] | connecting and disconnecting strings, and breaking into areas, by reading |
//! | [`spread`] | a field of sources and permeabilities, and how influence spreads over it |
//! | [`territory`] | the territory value of each vertex of an influence map; regions; the estimate of the score |
//! | [`patterns`] | pattern databases, and the answers to their constraints |
//! | [`influence`] | the maps of a position: before and after dragons are known, and after moves |
//! | [`local_view`] | the facts about a fight that need no reading |
//! | [`owl`] | life and death by reading |
//! | [`semeai`] | capturing races between dragons |
//! | [`dragons`] | strings that live or die together, and their status |
//! | [`score`] | the score, and the final status of each vertex, by ownership |
//! | [`moves`] | candidate moves, their reasons and values, and the choice |
//! | [`publish`] | columns and entities for queries |
//! | [`plugins`] | all plugins in their order |
//! | [`engine`] | a World with the schedule, and a few functions to use it |
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
