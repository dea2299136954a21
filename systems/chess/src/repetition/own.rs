//! Schemes that callers add: a detector and a keeper under a name, beside those of [`Scheme::ALL`].
//!
//! A search is compiled once for each scheme. So the crate that adds a scheme compiles the playing search, the exact
//! search and the tree of one search for it. From then on every choice of a scheme accepts its name.

use super::{Detect, Keep, Scheme, SchemeVisitor};
use crate::exact::explain::{Explain, Explained};
use crate::exact::search::{Report, Solve};
use crate::search::think::MakeWorker;
use crate::search::worker::AnyWorker;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::sync::{PoisonError, RwLock};

/// The number of an added scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnScheme(u8);

/// The compiled functions of a scheme, and its properties.
#[derive(Clone, Copy)]
pub(super) struct Compiled {
    name: &'static str,
    pub(super) marks: bool,
    pub(super) proves: bool,
    worker: fn(MakeWorker<'_>) -> Box<dyn AnyWorker>,
    solve: fn(Solve<'_>) -> Report,
    explain: fn(Explain<'_>) -> Explained,
}

/// In the order they were added; none is ever removed.
static ADDED: RwLock<Vec<Compiled>> = RwLock::new(Vec::new());

/// Why a scheme cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddError {
    /// The name is taken.
    #[error("there is a repetition scheme `{0}` already")]
    Taken(String),
    /// The name cannot be written as a value.
    #[error("`{0}` is no name for a scheme: use letters, digits and hyphens")]
    Name(String),
    /// There are 256 schemes already.
    #[error("there is no room for another repetition scheme")]
    Full,
}

/// Adds a scheme for the rest of the process. Scenes choose it by `repetition: Own("NAME")`, all other places by its
/// name.
///
/// # Errors
/// If the name is taken or invalid.
pub fn add<D: Detect, K: Keep>(name: &'static str) -> Result<Scheme, AddError> {
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Err(AddError::Name(name.to_owned()));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let alike = |other: &str| other.eq_ignore_ascii_case(name);
    if Scheme::ALL.iter().any(|s| alike(s.name())) || added.iter().any(|s| alike(s.name)) {
        return Err(AddError::Taken(name.to_owned()));
    }
    let number = u8::try_from(added.len()).map_err(|_| AddError::Full)?;
    added.push(Compiled {
        name,
        marks: D::IN_TABLE,
        proves: K::PROVES,
        worker: |make| make.visit::<D, K>(),
        solve: |solve| solve.visit::<D, K>(),
        explain: |explain| explain.visit::<D, K>(),
    });
    Ok(Scheme::Own(OwnScheme(number)))
}

/// The added schemes.
pub(super) fn added() -> Vec<Scheme> {
    let count = ADDED.read().unwrap_or_else(PoisonError::into_inner).len();
    (0..=u8::MAX).take(count).map(|number| Scheme::Own(OwnScheme(number))).collect()
}

impl OwnScheme {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.compiled().name
    }

    pub(super) fn compiled(self) -> Compiled {
        ADDED.read().unwrap_or_else(PoisonError::into_inner)[usize::from(self.0)]
    }

    pub(crate) fn worker(self, make: MakeWorker<'_>) -> Box<dyn AnyWorker> {
        (self.compiled().worker)(make)
    }

    pub(crate) fn solve(self, solve: Solve<'_>) -> Report {
        (self.compiled().solve)(solve)
    }

    pub(crate) fn explain(self, explain: Explain<'_>) -> Explained {
        (self.compiled().explain)(explain)
    }
}

impl Serialize for OwnScheme {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for OwnScheme {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let names = || added().iter().map(|s| s.name()).collect::<Vec<_>>().join(", ");
        let found = added().into_iter().find_map(|scheme| match scheme {
            Scheme::Own(own) if own.name().eq_ignore_ascii_case(&name) => Some(own),
            _ => None,
        });
        found.ok_or_else(|| match names().as_str() {
            "" => de::Error::custom(format!("no scheme `{name}` was added to this program, nor any other")),
            names => {
                de::Error::custom(format!("no scheme `{name}` was added to this program; there are {names}"))
            }
        })
    }
}
