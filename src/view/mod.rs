//! `tengen view`: a local web server whose pages show the findings of the World.
//!
//! - `server`: the socket, the token, limits; passes requests on and answers them.
//! - `site`: the opened thing (a record, a folder, a scene, an `--out` folder, nothing) and the page for each request.
//! - `analysis_cache`: the World, and kept findings.
//! - `game`: pages of a Go game. `facts`: the facts about a vertex, a move, a dragon. `lines`: lines played out on the
//!   board.
//! - `compare`: two settings of the engine side by side.
//! - `chess`: pages of a chess position, of its schemes and of its searches.
//! - `scenes`: the positions of a scene file, each on the page of its own game.
//! - `rules`: pages of a game by rulesheet, and of its net.
//! - `records`: pages of a batch's `--out` folder. `games`: those of a self-play run, running games among them.
//! - `profile`: a trace of `tengen profile`, as bars and a timeline.
//! - `tuning`: a pattern edited in the page, and its effect; `across`: its effect over many positions.
//!
//! The server makes the pages; a browser gets HTML, SVG, one style sheet and one short script (`assets`).

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
