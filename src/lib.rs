//! The application of Tengen: scenes, batches, reports, protocols and the command line.
//!
//! **Invariant:** only this crate prints, reads files and clocks, and knows all domains. The libraries under
//! `systems/` do the analysis; a library never depends on this crate.
//!
//! # Rooms
//! Each imports only those above it; a test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`panics`] | the messages of panics |
//! | [`number_text`] | numbers and counts as text |
//! | [`files`] | files that a person names: read within bounds, written as a whole |
//! | [`limits`] | limits of time, memory and nodes for a case, and the watch over them |
//! | [`client`] | other programs as players and judges: the process, and the client side of GTP, UCI, GGP and KataGo's protocol |
//! | [`judges`] | judges of Go positions by name |
//! | [`extension`] | what users add: systems, record columns, layers |
//! | [`scene`] | files to cases: scenes, records of games, positions, rulesheets; written expectations |
//! | [`record`] | results of a case: records, their columns, findings, checked expectations |
//! | [`batch`] | cases to records: runs, self-play, folders, shards, resume |
//! | [`report`] | records to people: tables, pages, sentences, pictures |
//! | [`protocol`] | front ends: GTP, UCI, GGP, analysis |
//! | [`view`] | the server of pages, and the pages |
//! | [`cli`] | the command line, one file for each subcommand |
//! | [`fuzzing`] | the parsers of outside text, as fuzz targets |
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
