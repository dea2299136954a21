//! The `tengen` command: see [`tengen::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    tengen::cli::main()
}
