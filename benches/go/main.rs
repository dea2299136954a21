//! Benches of the Go systems, one module per system.

mod influence;

criterion::criterion_main!(influence::benches);
