//! The application of Tengen: scenes, batches, reports, protocols and the command line.
//!
//! **Invariant:** only this crate prints, reads files and clocks, and knows all domains (Go, chess and general game
//! playing). The libraries under `systems/` do the analysis. A library never depends on this crate.
//!
//! # Rooms
//! A room is a module of this crate. Each room imports only rooms above it. A test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`panics`] | the messages of panics |
//! | [`number_text`] | numbers and counts as text |
//! | [`files`] | files that a user names: they are read up to a limit, and written completely or not at all |
//! | [`limits`] | limits of time, memory and nodes for a case, and the watch over them |
//! | [`client`] | other programs as players and judges: the process, and the client side of GTP, UCI, GGP and KataGo's protocol |
//! | [`judges`] | judges of Go positions by name |
//! | [`extension`] | what users add: systems, record columns, layers |
//! | [`scene`] | turns files into cases: scenes, records of games, positions, rulesheets; the expectations of scenes |
//! | [`record`] | results of a case: records, their columns, findings, checked expectations |
//! | [`batch`] | turns cases into records: runs, self-play, folders, shards, resume |
//! | [`report`] | shows records to people: tables, pages, sentences, pictures |
//! | [`protocol`] | front ends: GTP, UCI, GGP, analysis |
//! | [`view`] | the server of pages, and the pages |
//! | [`cli`] | the command line, one file for each subcommand |
//! | [`fuzzing`] | the parsers of outside text, sessions of the protocols and analyses of Go, as fuzz targets |
//! | [`app`](mod@app) | the application that users extend |

pub mod app;
pub mod batch;
pub mod cli;
pub mod client;
pub mod extension;
pub mod files;
pub mod fuzzing;
pub mod judges;
pub mod limits;
pub mod number_text;
pub mod panics;
pub mod protocol;
pub mod record;
pub mod report;
pub mod scene;
#[cfg(feature = "viewer")]
pub mod view;

pub use app::app;

/// The Rust code of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
