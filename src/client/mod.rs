//! External programs as players: the process, and our side of GTP, UCI and GGP.

pub mod child_guard;
pub mod ggp;
pub mod gtp;
pub mod process;
pub mod spelling;
pub mod uci;
