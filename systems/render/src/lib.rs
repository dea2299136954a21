//! Pictures of positions, as SVG and as text. A [`Sheet`] describes a Go board with its layers and their meaning.
//! [`svg`] draws a sheet for a browser or paper, and [`text`] draws it for a terminal. [`chess`] draws chess boards,
//! and [`grid`] draws boards of any fields. [`net`] draws gates and their wires, and [`graph`] draws a curve over the
//! moves of a game.
//!
//! **Invariant:** this crate knows no rules and computes no findings. The caller defines the layers and their content.
//! All drawing is in this crate.
//!
//! # Modules
//! Each module imports only modules above it. A test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | `escape` | texts escaped for SVG and HTML |
//! | `palette` | the meanings of colours ([`Ink`]) |
//! | `sheet` | a Go board with its layers ([`Sheet`]) |
//! | `sign` | squares, marks and letters of cells as SVG |
//! | `legend` | the meanings of the signs of a picture |
//! | [`svg`] | a sheet as SVG |
//! | [`text`] | a sheet for a terminal |
//! | [`chess`] | chess boards |
//! | [`grid`] | boards of any fields |
//! | [`net`] | gates and their wires |
//! | [`graph`] | a curve over the moves of a game |
//! | [`timeline`] | spans of time on lanes |
//!
//! # Colours
//! M. Okabe, K. Ito, "Color Universal Design" (2008): eight colours that people with any kind of colour vision can
//! distinguish. No meaning depends on colour alone: every colour comes with a sign, a letter, a number or a size.

pub mod chess;
mod escape;
pub mod graph;
pub mod grid;
mod legend;
pub mod net;
mod palette;
mod sheet;
mod sign;
pub mod svg;
pub mod text;
pub mod timeline;

#[cfg(test)]
mod tests;

pub use escape::escape;
pub use legend::sign_alone;
pub use palette::Ink;
pub use sheet::{Arrow, Cell, Key, Mark, Outline, Sheet, Side, column, name};

/// The style of all pages: named colours (light, dark, print), type, tables, boards.
pub const STYLE: &str = include_str!("style.css");
