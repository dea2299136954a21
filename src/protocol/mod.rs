//! Protocol front ends: each a thin adapter of a text protocol over one domain's library.

pub mod analysis;
pub mod ggp;
pub mod gtp;
pub mod lines;
pub mod move_figures;
pub mod uci;
