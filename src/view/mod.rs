//! `tengen view`: a local web server whose pages show the findings of the World.
//!
//! # Modules
//! The table is in the order of imports: each module uses only modules above it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `html`, `controls`, `assets` | pieces of pages; the row of controls; the style and the script |
//! | `request` | requests and replies |
//! | `analysis_cache` | the World, and a cache of findings |
//! | `opened_games`, `table` | opened games of chess; an opened rulesheet |
//! | `watched` | a rulesheet that is read again whenever it is saved |
//! | `scenes`, `selfplay` | the positions of a scene file; the folder of a self-play run |
//! | `site` | the opened input: a record, a folder, a scene, an `--out` folder, or nothing |
//! | `concepts` | the pages of `docs/concepts`, which explain terms |
//! | `go` | pages of a Go game |
//! | `folder` | a folder of game records as a table |
//! | `chess`, `rules` | pages of a chess position, its schemes and searches; pages of a game by rulesheet, and its net |
//! | `records`, `games` | a batch's `--out` folder; a self-play run, running games among them |
//! | `profile` | a trace of `tengen profile`, as bars and a timeline |
//! | `routes` | the page for each request |
//! | `server` | the socket, the token, limits; passes requests on and answers them |
//!
//! The server makes the pages. A browser gets HTML, SVG, one style sheet and one short script.

pub mod analysis_cache;
mod assets;
pub mod chess;
mod concepts;
mod controls;
mod folder;
mod games;
mod go;
mod html;
pub mod opened_games;
pub mod profile;
mod records;
pub mod request;
mod routes;
pub mod rules;
pub mod scenes;
pub mod selfplay;
pub mod server;
pub mod site;
pub mod table;
pub mod watched;

#[cfg(test)]
mod tests;
