//! Dragons: strings that live or die together, and whether they do (GNU Go manual, "Worms and Dragons").
//!
//! The systems of [`plugin`] make the [`DragonMap`]; how strings are joined stands in [`amalgamate`] and [`links`], how a status comes
//! about in [`mod@build`] and [`claims`], and the reading behind it in [`crate::owl`] and [`crate::semeai`].

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
pub mod plugin;
pub mod races;
pub mod tactics;
pub mod weakness;

pub use amalgamate::Partition;
pub use asked::{Asked, AskedLife, AskedRace};
pub use caves::{Cave, CaveMap, CavesPlugin};
pub use claims::{Claim, Play, Verdict, verdict};
pub use map::{Dragon, DragonMap, EyeMap, Owl, Race, Rule, Safety, Status};
pub use odds::Survival;
pub(crate) use odds::held;
pub use plugin::{DragonSystems, DragonsPlugin};
