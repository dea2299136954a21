//! The front ends for text protocols: GTP, UCI, GGP and KataGo's analysis protocol. Each is a thin adapter over the
//! library of one domain.

pub mod analysis;
pub mod ggp;
pub mod gtp;
pub mod lines;
pub mod move_figures;
pub mod uci;
