//! `tengen view`: a local web server whose pages show what the World found.
//!
//! - `server`: the socket, the token, limits; hands requests on and answers them.
//! - `site`: what was opened (a record, a folder, a scene, an `--out` folder, nothing) and which page answers what.
//! - `analysis_cache`: the World, and findings kept.
//! - `game`: pages of a Go game. `facts`: what is known of a vertex, a move, a dragon. `lines`: lines played out on the board.
//! - `compare`: two settings of the engine side by side.
//! - `chess`: pages of a position of chess, of its schemes and of its searches.
//! - `scenes`: the positions of a scene file, each on the page of its own game.
//! - `rules`: pages of a game by rulesheet, and of its net.
//! - `records`: pages of a batch's `--out` folder. `games`: those of a self-play run, games that go on among them.
//! - `profile`: a trace of `tengen profile`, as bars and a timeline.
//! - `tuning`: a pattern edited in the page, and what it changes; `across`: over many positions.
//!
//! Pages are made here; a browser gets HTML, SVG, one sheet of style and one short script (`assets`).

mod across;
pub mod analysis_cache;
mod assets;
pub mod chess;
mod compare;
mod facts;
mod game;
pub mod games;
mod html;
mod lines;
pub mod profile;
mod records;
pub mod rules;
pub mod scenes;
pub mod server;
pub mod site;
mod tuning;

#[cfg(test)]
mod tests;
