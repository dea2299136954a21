//! The resource that holds the judge in force.

use super::{Embedded, Judge};
use bevy_ecs::prelude::*;
use std::fmt;
use std::sync::Arc;

/// The judge that is asked. Its default is [`Embedded`].
#[derive(Resource, Clone)]
pub struct JudgeInForce(pub Arc<dyn Judge>);

impl Default for JudgeInForce {
    fn default() -> Self {
        Self(Arc::new(Embedded::own()))
    }
}

impl fmt::Debug for JudgeInForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JudgeInForce({})", self.0.name())
    }
}

/// Two judges are the same if they have the same name.
impl PartialEq for JudgeInForce {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}
