//! What a propagator works on, noted node by node for people who want to see it.

/// A node that was worked on, and its value after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The node, as [`crate::net`] numbers them.
    pub node: usize,
    /// Its value after that.
    pub value: bool,
}

/// Visits that are kept; a net of a big game makes many more in one step.
pub const MAX_VISITS: usize = 100_000;

/// The visits since watching began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    /// In the order they were made, [`MAX_VISITS`] at most.
    pub first: Vec<Visit>,
    /// All of them.
    pub count: usize,
}

/// A log that is only kept once somebody watches.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Option<Visits>);

impl Log {
    /// Begins, anew if it had begun.
    pub(super) fn watch(&mut self) {
        self.0 = Some(Visits::default());
    }

    /// Whether somebody watches.
    pub(super) const fn is_watched(&self) -> bool {
        self.0.is_some()
    }

    /// Notes a visit, if somebody watches.
    #[inline]
    pub(super) fn note(&mut self, node: usize, value: bool) {
        if let Some(visits) = &mut self.0 {
            visits.count += 1;
            if visits.first.len() < MAX_VISITS {
                visits.first.push(Visit { node, value });
            }
        }
    }

    /// Ends; what was noted.
    pub(super) fn visits(&mut self) -> Visits {
        self.0.take().unwrap_or_default()
    }
}
