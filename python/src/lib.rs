//! The native half of the Python package `tengen`. It only converts between Python and the Rust crates, and computes
//! nothing itself.
//!
//! Work that takes longer than a conversion releases the GIL. Long work regularly checks for a signal from Python,
//! such as Ctrl-C.

mod board;
mod chess;
mod command;
mod environment;
mod forest;
mod games;
mod gdl;
mod guard;
mod pictures;
mod run;
mod state;
mod tables;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tengen::batch::runner::STACK;

/// The embedded rulesheets: names and texts.
const EXAMPLES: [(&str, &str); 5] = [
    ("corridor", include_str!("../../resources/gdl/corridor.kif")),
    ("heaps", include_str!("../../resources/gdl/heaps.kif")),
    ("noughts", include_str!("../../resources/gdl/noughts.kif")),
    ("relay", include_str!("../../resources/gdl/relay.kif")),
    ("standoff", include_str!("../../resources/gdl/standoff.kif")),
];

/// The native module; users import `tengen.gdl`.
#[pymodule]
mod _tengen {
    #[pymodule_export]
    use super::board::{Board, board_of};
    #[pymodule_export]
    use super::chess::search_chess;
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::environment::Environment;
    #[pymodule_export]
    use super::forest::Forest;
    #[pymodule_export]
    use super::games::GoGames;
    #[pymodule_export]
    use super::gdl::{Game, RulesheetError, check};
    #[pymodule_export]
    use super::guard::forked;
    #[pymodule_export]
    use super::pictures::{draw_chess, draw_go, draw_grid};
    #[pymodule_export]
    use super::run::{Records, read_records, records_of_lines, run_cases};
    #[pymodule_export]
    use super::state::{State, batch};
    #[pymodule_export]
    use super::tables::{Table, table_of};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("EXAMPLES", super::EXAMPLES.to_vec())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// How often Python is asked for a signal during work on another thread.
const ASK: Duration = Duration::from_millis(50);

/// Does long work on a thread of its own and waits for it. Ctrl-C sets the flag that `work` gets, and is raised at once.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> PyResult<T> {
    let halted = Arc::new(AtomicBool::new(false));
    let (asked, (sender, receiver)) = (halted.clone(), channel());
    let spawned = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody waits any more where Python was interrupted.
        let _ = sender.send(work(&asked));
    });
    let thread = spawned.map_err(|error| PyRuntimeError::new_err(format!("no thread for it: {error}")))?;
    py.detach(move || {
        let found = loop {
            match receiver.recv_timeout(ASK) {
                Ok(found) => break found,
                Err(RecvTimeoutError::Timeout) => {
                    let signals = Python::attach(|py| py.check_signals());
                    signals.inspect_err(|_| halted.store(true, Ordering::Relaxed))?;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the work ended in an internal error"));
                }
            }
        };
        let _ = thread.join();
        Ok(found)
    })
}

/// Whether Python has an exception to raise, such as that of Ctrl-C; it is kept and raised later.
pub(crate) struct Interrupt {
    asked: u32,
    error: Option<PyErr>,
}

impl Interrupt {
    pub(crate) fn new() -> Self {
        Self { asked: 0, error: None }
    }

    /// Asks Python at every 64th call; true from the first exception on.
    pub(crate) fn stop(&mut self) -> bool {
        self.asked += 1;
        if self.asked.is_multiple_of(64) { self.pending() } else { self.error.is_some() }
    }

    /// Asks Python at once.
    pub(crate) fn pending(&mut self) -> bool {
        if self.error.is_none() {
            self.error = Python::attach(|py| py.check_signals()).err();
        }
        self.error.is_some()
    }

    /// The exception, if there was one.
    pub(crate) fn raise(self) -> PyResult<()> {
        self.error.map_or(Ok(()), Err)
    }
}
