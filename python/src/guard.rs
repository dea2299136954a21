//! A lock that stays safe after a fork: a forked process gets an error instead of waiting for a thread of its parent.

use pyo3::Borrowed;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// How often this process and its ancestors were forked, as far as Python did it.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Notes that this process was forked from another; `os.register_at_fork` calls it.
#[pyfunction]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// The message about an object that nobody in this process can release.
const HELD_BY_PARENT: &str = "a thread of the parent process was at work on this object when this process was forked; \
                              make the object anew here";

/// Arrays that a thread of the parent may have held when this process was forked: then they stay borrowed for ever.
pub(crate) struct Free<T>(pub(crate) T);

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for Free<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Self).map_err(|error: T::Error| {
            // The package gives arrays of the right types, so only a borrow can fail.
            if FORKS.load(Ordering::Relaxed) > 0 {
                PyRuntimeError::new_err(HELD_BY_PARENT)
            } else {
                error.into()
            }
        })
    }
}

/// A mutex. In a forked process it raises where a thread of the parent held it: that thread does not exist there, and
/// nobody would ever release the lock.
pub(crate) struct Guarded<T> {
    inner: Mutex<T>,
    /// The value of [`FORKS`] when it was locked last.
    locked_at: AtomicU32,
}

impl<T> Guarded<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner: Mutex::new(inner), locked_at: AtomicU32::new(0) }
    }

    /// Locks it; waits for threads of this process.
    #[inline]
    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, T>> {
        let now = FORKS.load(Ordering::Relaxed);
        let guard = match self.inner.try_lock() {
            Ok(guard) => guard,
            // Every change is whole before anything can panic.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if self.locked_at.load(Ordering::Relaxed) != now => {
                return Err(PyRuntimeError::new_err(HELD_BY_PARENT));
            }
            Err(TryLockError::WouldBlock) => self.inner.lock().unwrap_or_else(PoisonError::into_inner),
        };
        self.locked_at.store(now, Ordering::Relaxed);
        Ok(guard)
    }
}
