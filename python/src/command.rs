//! Runs the command line of the program in the Python process.

use pyo3::prelude::*;
use std::ffi::OsString;
use tengen::extension::Extensions;

/// Carries out a command line, the program's name first; the exit code. Ctrl-C is the command's while it runs: for a
/// process of its own.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| tengen::cli::exit_code(arguments, &Extensions::default()))
}
