//! A record of a propagator's work, node by node, for display.

/// A node that a propagator worked on, and its value afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The node, as [`crate::net`] numbers them.
    pub node: usize,
    /// Its value afterwards.
    pub value: bool,
}

/// The most visits that are kept; a large net makes many more in one step.
pub const MAX_VISITS: usize = 100_000;

/// The visits since watching began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    /// In the order they were made, [`MAX_VISITS`] at most.
    pub first: Vec<Visit>,
    /// The number of all visits.
    pub count: usize,
}

/// A log that records only while it is watched.
#[derive(Clone, Debug, Default)]
pub struct Log(Option<Visits>);

impl Log {
    /// Begins a new record.
    pub(super) fn watch(&mut self) {
        self.0 = Some(Visits::default());
    }

    /// Whether it records.
    pub(super) const fn is_watched(&self) -> bool {
        self.0.is_some()
    }

    /// Records a visit, if it is watched.
    #[inline]
    pub(super) fn note(&mut self, node: usize, value: bool) {
        if let Some(visits) = &mut self.0 {
            visits.count += 1;
            if visits.first.len() < MAX_VISITS {
                visits.first.push(Visit { node, value });
            }
        }
    }

    /// Ends the record and returns it.
    pub(super) fn visits(&mut self) -> Visits {
        self.0.take().unwrap_or_default()
    }
}
