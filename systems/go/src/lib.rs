//! Go after GNU Go's manual, as data and systems. One module per chapter.

pub mod board;
pub mod connection;
pub mod dragons;
pub mod eyes;
pub mod influence;
pub mod moves;
pub mod patterns;
pub mod tactics;
pub mod worms;
