//! External programs as players and judges: the process, and the client side of GTP, UCI, GGP and KataGo's analysis
//! protocol.

pub mod child_guard;
pub mod ggp;
pub mod gtp;
pub mod katago;
#[cfg(test)]
mod misdeeds;
pub mod process;
pub mod spelling;
pub mod uci;
