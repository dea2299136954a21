//! Budgets: the limits of a search or a reading. This module reads no clock. A caller that has a clock passes a
//! [`Stop`].

use std::fmt;
use std::sync::Arc;

/// Tells long work whether to stop. Libraries ask it regularly. The application answers, for example because of a
/// deadline, Ctrl-C or a `stop` command. The default never stops.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Never stops: the other limits alone decide the results.
    pub const NEVER: Self = Self(None);

    /// Stops once `when` returns true. Ask it often; it must be cheap.
    pub fn when(when: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(when)))
    }

    /// Whether to stop now.
    #[inline]
    #[must_use]
    pub fn now(&self) -> bool {
        self.0.as_ref().is_some_and(|when| when())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop(when)" } else { "Stop(never)" })
    }
}

/// The limits of a search. `None` is no limit. The first limit that is reached ends the search, and the result names
/// it.
///
/// With limits of nodes, depth or visits, the result depends only on the seed. With `stop` it also depends on the time.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The number of positions to visit (for a playout: states).
    pub nodes: Option<u64>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of visits of the root, or of playouts.
    pub visits: Option<u64>,
    /// Whether to stop early. The search asks this regularly.
    pub stop: Stop,
}

/// The limit of a [`Budget`] that ended the work, if one did. Results must always report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The nodes were spent.
    Nodes,
    /// The depth was reached.
    Depth,
    /// The visits were made.
    Visits,
    /// [`Stop`] ended the work.
    Stopped,
}
