//! Adds repetition schemes of a caller. Such a scheme is a detector and a keeper under a name, beside those of
//! [`Scheme::ALL`].
//!
//! A search is compiled once for each scheme. So the crate that adds a scheme also compiles the playing search, the
//! exact search and the recorded exact search for it. After that, every place where a user chooses a scheme accepts the
//! name.

use crate::repetition::added::{self, AddError, Properties};
use crate::repetition::{Detect, Keep, Scheme};
use crate::{exact, search};

/// Adds a scheme for the rest of the process. Scenes choose it by `repetition: Own("NAME")`, all other places by its
/// name.
///
/// # Errors
/// If the name is taken or invalid.
pub fn add<D: Detect, K: Keep>(name: &'static str) -> Result<Scheme, AddError> {
    if Scheme::ALL.iter().any(|scheme| scheme.name().eq_ignore_ascii_case(name)) {
        return Err(AddError::Taken(name.to_owned()));
    }
    let properties = Properties { name, marks: D::IN_TABLE, proves: K::PROVES };
    let scheme = added::add(properties, |scheme| {
        search::think::compile::<D, K>(scheme);
        exact::search::compile::<D, K>(scheme);
        exact::explain::compile::<D, K>(scheme);
    });
    scheme.map(Scheme::Own)
}
