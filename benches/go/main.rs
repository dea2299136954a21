//! Benches of Go: one module per system, and the whole pipeline.
//!
//! Ids are `crate/module/function/input`. A bench checks its answer once, before it is measured.

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
