//! The program `tengen`. It runs the command line of [`tengen::cli`].

use std::process::ExitCode;
use tengen_core::profiler::allocations::Counting;

/// Counts for `tengen profile`.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    tengen::cli::main()
}
