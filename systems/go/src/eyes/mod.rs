//! Eyes: eye spaces, their values by local search, and half and false eyes (GNU Go 3.8 manual, chapter "Eyes and Half
//! Eyes").

pub mod domain;
pub mod graph;
pub mod space;
pub mod topology;
pub mod value;

pub use domain::Domains;
pub use graph::{EyeGraph, EyeSolution, EyeSolver};
pub use space::EyeSpace;
pub use topology::{HalfEye, HalfEyeKind, Tactics};
pub use value::{EyeValue, eyes_of_sum};
