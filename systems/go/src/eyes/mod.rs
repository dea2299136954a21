//! Eyes: eye spaces, their values by local search, half and false eyes (GNU Go manual, "Eyes").

pub mod graph;
pub mod value;

pub use graph::{EyeGraph, EyeSolution, EyeSolver};
pub use value::{EyeValue, eyes_of_sum};
