//! Pages of a game by rulesheet: play by clicks, the state as text and as a board, and the net.
//!
//! An address carries the moves as places in the sorted lists of legal moves, so that two people never see each other's
//! game.
//!
//! # Modules
//! In the order of imports: each uses those above it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `look` | an address of these pages, and the state it names |
//! | `board` | the facts that form a board of fields, if there are any |
//! | `reasons` | why a move is legal or is not, as part of a page |
//! | `play` | the state, the legal moves of each role, our player, the results of a search |
//! | `net` | the net with its values, and the propagation of a move under each scheme; the rules and their parts |

mod board;
mod look;
mod net;
mod play;
mod reasons;
#[cfg(test)]
mod tests;

pub(super) use net::{page as net_page, rules_page};
pub(super) use play::{board_after, changes, page as play_page};
