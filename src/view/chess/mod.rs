//! The viewer's pages of chess. A reader steps through games of a PGN file or through positions, and tries moves. The
//! pages show the lines of a search by depth, and the key stack. They also show the exact value under every repetition
//! scheme side by side, and the tree of an exact search.
//!
//! # Modules
//! The table is in the order of imports: each module uses only modules above it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `look` | an address of these pages, and its position |
//! | `board` | the page of a position |
//! | `search` | the lines of a search by depth |
//! | `schemes` | all schemes side by side, and the tree of one |

mod board;
mod look;
mod schemes;
mod search;

pub(super) use board::page;
pub(super) use schemes::{page as schemes_page, tree_page};
pub(super) use search::lines;
