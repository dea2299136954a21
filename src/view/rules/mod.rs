//! The viewer's pages of a game by rulesheet. A reader plays by clicks, and sees the state as text and as a board, and
//! the net.
//!
//! An address contains the moves, as places in the sorted lists of legal moves. So two readers never see each other's
//! game.
//!
//! # Modules
//! The table is in the order of imports: each module uses only modules above it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `look` | an address of these pages, and the state it names |
//! | `board` | the facts that form a board of fields, if there are any |
//! | `reasons` | the part of a page that explains why a move is legal or not |
//! | `play` | the state, the legal moves of each role, Tengen's player, the results of a search |
//! | `net` | the net with its values, the propagation of a move under each scheme, and the rules with their parts of the net |

mod board;
mod look;
mod net;
mod play;
mod reasons;
#[cfg(test)]
mod tests;

pub(super) use net::{page as net_page, rules_page};
pub(super) use play::{board_after, changes, page as play_page};
