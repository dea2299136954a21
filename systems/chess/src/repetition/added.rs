//! The names and properties of the repetition schemes that callers add, and the functions that are compiled for each.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// The number of an added scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddedScheme(u8);

/// The name and the properties of an added scheme.
#[derive(Clone, Copy)]
pub(crate) struct Properties {
    pub(crate) name: &'static str,
    /// Whether it marks elements of the transposition table.
    pub(crate) marks: bool,
    /// Whether its root value in exact mode is the history-aware minimax value.
    pub(crate) proves: bool,
}

/// In the order they were added; none is ever removed.
static ADDED: RwLock<Vec<Properties>> = RwLock::new(Vec::new());

/// Functions that were compiled for the added schemes.
pub(crate) struct Compiled<F>(RwLock<BTreeMap<AddedScheme, F>>);

impl<F: Copy> Compiled<F> {
    /// For no scheme yet.
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(BTreeMap::new()))
    }

    /// Adds the function of a scheme.
    pub(crate) fn add(&self, scheme: AddedScheme, function: F) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(scheme, function);
    }

    /// The function of a scheme.
    pub(crate) fn of(&self, scheme: AddedScheme) -> F {
        self.0.read().unwrap_or_else(PoisonError::into_inner)[&scheme]
    }
}

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

/// Adds a scheme for the rest of the process. `compile` runs before anybody can choose the scheme.
///
/// # Errors
/// If the name is invalid, or another added scheme has it.
pub(crate) fn add(scheme: Properties, compile: impl FnOnce(AddedScheme)) -> Result<AddedScheme, AddError> {
    let name = scheme.name;
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Err(AddError::Name(name.to_owned()));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    if added.iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
        return Err(AddError::Taken(name.to_owned()));
    }
    let number = u8::try_from(added.len()).map(AddedScheme).map_err(|_| AddError::Full)?;
    compile(number);
    added.push(scheme);
    Ok(number)
}

/// The added schemes.
pub(super) fn schemes() -> Vec<AddedScheme> {
    let count = ADDED.read().unwrap_or_else(PoisonError::into_inner).len();
    (0..=u8::MAX).take(count).map(AddedScheme).collect()
}

impl AddedScheme {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    pub(super) fn properties(self) -> Properties {
        ADDED.read().unwrap_or_else(PoisonError::into_inner)[usize::from(self.0)]
    }
}

impl Serialize for AddedScheme {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for AddedScheme {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let names = || schemes().iter().map(|s| s.name()).collect::<Vec<_>>().join(", ");
        let found = schemes().into_iter().find(|own| own.name().eq_ignore_ascii_case(&name));
        found.ok_or_else(|| match names().as_str() {
            "" => de::Error::custom(format!("no scheme `{name}` was added to this program, nor any other")),
            names => {
                de::Error::custom(format!("no scheme `{name}` was added to this program; there are {names}"))
            }
        })
    }
}
