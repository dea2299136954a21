//! Shared inputs of the benches (positions, rulesheets). The benches themselves are `benches/<domain>/main.rs`.
