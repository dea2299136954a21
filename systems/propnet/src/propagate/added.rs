//! Propagators that callers add under a name, in addition to those of [`super::NAMES`].

use super::{NAMES, Propagator, Topology, playout};
use std::sync::{Arc, PoisonError, RwLock};

/// Makes a propagator of a topology, in the initial state.
pub type Make = fn(Arc<Topology>) -> Box<dyn Propagator + Send>;

/// In the order they were added; none is ever removed.
static ADDED: RwLock<Vec<(&'static str, Make)>> = RwLock::new(Vec::new());

/// A propagator, or a kind of playout, of that name already exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a propagator `{0}` already")]
pub struct Taken(pub String);

/// Adds a propagator for the rest of the process. Machines and playouts accept its name from now on.
///
/// # Errors
/// If the name is taken.
pub fn add(name: &'static str, make: Make) -> Result<(), Taken> {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let house = ["auto", "prover", "best"];
    let taken = |there: &[&str]| there.contains(&name);
    if taken(&house) || taken(&NAMES) || taken(&playout::NAMES) || added.iter().any(|(n, _)| *n == name) {
        return Err(Taken(name.to_owned()));
    }
    added.push((name, make));
    Ok(())
}

/// Names of all propagators of a single state: the built-in ones, then the added ones.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    NAMES.into_iter().chain(added.iter().map(|(name, _)| *name)).collect()
}

/// The propagator that was added under this name.
pub(super) fn by_name(name: &str, topology: &Arc<Topology>) -> Option<Box<dyn Propagator + Send>> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let make = added.iter().find(|(n, _)| *n == name).map(|(_, make)| *make);
    drop(added);
    make.map(|make| make(Arc::clone(topology)))
}
