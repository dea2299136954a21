//! A lock that a forked process can trust.

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
                return Err(PyRuntimeError::new_err(
                    "a thread of the parent process was at work on this object when this process was forked; \
                     make the object anew here",
                ));
            }
            Err(TryLockError::WouldBlock) => self.inner.lock().unwrap_or_else(PoisonError::into_inner),
        };
        self.locked_at.store(now, Ordering::Relaxed);
        Ok(guard)
    }
}
