//! Dragons: strings that live or die together, and their status (GNU Go 3.8 manual, "Worms and Dragons").
//!
//! The systems of [`plugin`] build the [`DragonMap`]. [`amalgamate`] and [`links`] join strings. [`mod@build`] and
//! [`claims`] derive a status, from the reading of [`crate::owl`] and [`crate::semeai`].

pub mod amalgamate;
pub mod asked;
pub mod build;
pub mod caves;
pub mod claims;
pub mod decide;
pub mod escapes;
pub mod life;
pub mod links;
mod map;
pub mod measure;
pub mod odds;
mod partition;
pub mod plugin;
pub mod races;
pub mod tactics;
pub mod threats;
pub mod weakness;

pub use asked::{Asked, AskedLife, AskedRace};
pub use caves::{Cave, CaveMap, CavesPlugin};
pub use claims::{Claim, Verdict, verdict};
pub use map::{Dragon, DragonMap, EyeMap, Owl, Play, Race, Rule, Safety, Status};
pub use odds::Survival;
pub(crate) use odds::held;
pub use partition::Partition;
pub use plugin::{DragonSystems, DragonsPlugin};
pub use threats::{Threat, ThreatStatus, Threats};
