//! Dragons: strings that live or die together, and their status (GNU Go 3.8 manual, "Worms and Dragons").
//!
//! The systems of [`plugin`] build the [`DragonMap`] in the steps that [`mod@build`] lists. [`amalgamate`] and
//! [`links`] join strings. [`claims`] derives a status from the reading of [`crate::owl`] and [`crate::semeai`].

pub mod amalgamate;
pub mod build;
pub mod caves;
pub mod claims;
pub mod death_odds;
pub mod decide;
pub mod escapes;
pub mod life;
pub mod links;
mod map;
pub mod measure;
mod partition;
pub mod plugin;
pub mod queries;
pub mod races;
pub mod tactics;
pub mod threats;
pub mod weakness;

pub use caves::{Cave, CaveMap, CavesPlugin};
pub use claims::{Claim, Verdict, verdict};
pub use death_odds::Survival;
pub(crate) use death_odds::in_standoff;
pub use map::{Dragon, DragonMap, EyeMap, Owl, Play, Race, Rule, Safety, Status};
pub use partition::Partition;
pub use plugin::{DragonSystems, DragonsPlugin};
pub use queries::{LifeAnswer, QueryAnswers, RaceAnswer};
pub use threats::{Threat, ThreatStatus, Threats};
