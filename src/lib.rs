//! The application of Tengen: scenes, batches, reports, protocols and the command line.
//!
//! **Invariant:** only this crate prints, reads files and clocks, and knows all domains. The thinking is in the
//! libraries under `systems/`; a library never depends on this crate.
//!
//! # Rooms
//! Each imports only those above it; a test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`panics`] | what panics say |
//! | [`number_text`] | numbers and counts as text |
//! | [`files`] | files that a person names: read within bounds, written as a whole |
//! | [`limits`] | what a case may cost, and the watch over it |
//! | [`client`] | programs of others as players and judges: the process, and our side of GTP, UCI, GGP and KataGo's protocol |
//! | [`judges`] | judges of Go positions by name |
//! | [`extension`] | what users add: systems, record columns, layers |
//! | [`scene`] | files to cases: scenes, records of games, positions, rulesheets; expectations as they are written |
//! | [`record`] | what a case leaves: records, their columns, findings, expectations checked |
//! | [`batch`] | cases to records: runs, self-play, folders, shards, resume |
//! | [`report`] | records to people: tables, pages, sentences, pictures |
//! | [`protocol`] | front ends: GTP, UCI, GGP, analysis |
//! | [`view`] | the server of pages, and the pages |
//! | [`cli`] | the command line, a file a subcommand |
//! | [`fuzzing`] | the parsers of text from outside, as targets |
//! | [`app`](mod@app) | the application as users build on it |

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
