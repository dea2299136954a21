//! The `tengen` command: see [`tengen::cli`].

use std::process::ExitCode;
use tengen_core::profiler::allocations::Counting;

/// Counts for `tengen profile`.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    tengen::cli::main()
}
