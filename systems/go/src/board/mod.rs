//! The Go board: colours, vertices, rules, strings and liberties, undo.

pub mod vertex;

pub use vertex::{Color, Vertex};
