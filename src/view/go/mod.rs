//! The viewer's pages of a Go game. The board comes first, the findings stand beside it in sentences, and numbers
//! below.
//!
//! # Modules
//! The table is in the order of imports: each module uses only modules above it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `look` | an address of these pages, and its position |
//! | `picture` | the board of a layer for people, with the marks of the record |
//! | `layers` | the menu of layers, and a sentence about each |
//! | `lines` | lines played out on the board |
//! | `why` | the causes of a move, each with its line on the board |
//! | `facts` | the facts about a vertex |
//! | `heading` | players, captures, the data of the game in the record, comments |
//! | `navigation` | the controls below the board, the tree of variations |
//! | `summary` | the position in sentences |
//! | `graphs` | the lead and the losses over the moves |
//! | `versus` | a game against Tengen: the form, the answer to a move, the count |
//! | `files` | opens a record that is dropped on the page; saves the tried moves as a record |
//! | `page` | the page itself |
//! | `edit_effects`, `tuning` | a pattern edited in the page, and its effect here and over many positions |
//! | `compare` | two settings of the engine side by side |

mod compare;
mod edit_effects;
mod facts;
mod files;
mod graphs;
mod heading;
mod layers;
mod lines;
mod look;
mod navigation;
mod page;
mod picture;
mod summary;
mod tuning;
mod versus;
mod why;

pub(super) use compare::page as compare;
pub(super) use files::{drop_page, save};
pub(super) use graphs::{biggest_mistake, lead_graph};
pub(super) use lines::page as line;
pub(super) use page::{facts, page};
pub(super) use tuning::page as tune;
pub(super) use versus::{answer, new_page};
pub(super) use why::page as why;
