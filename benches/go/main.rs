//! Benches of Go: one module for each part, and the whole pipeline.
//!
//! The id of a bench is `crate/module/function/input`. A bench checks its answer once, before the measurement.

mod analyse;
mod board;
mod influence;
mod judge;
mod kernels;
mod owl;
mod systems;
mod tactics;
mod worms;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    go,
    board::bench,
    worms::benches,
    tactics::bench,
    owl::benches,
    kernels::benches,
    systems::benches,
    judge::benches,
    analyse::benches
);
criterion_main!(go, influence::benches);
