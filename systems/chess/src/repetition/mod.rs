//! What may be concluded from a recurrence, and what the transposition table may keep: every scheme behind one trait.
//!
//! # Source
//! Bruce Moreland, *Repetition Detection* (2001), for the detectors; H. G. Muller's posting on shadow scores
//! (contingency minimax) for [`shadow`]; Campbell, *The graph-history interaction* (1985) for the two halves of the
//! trouble: *draw-first* (a draw is stored and used on a path where it is none) and *draw-last* (a sound value is
//! used on a path where its subtree now holds a draw).
//!
//! A scheme is a detector (how a recurrence is noticed: [`detect`]) and a keeper (what is stored, and when a stored
//! bound may be used: [`keep`], [`shadow`], [`exact`]). Any pair works; [`Scheme`] names the pairs on offer.
//!
//! | scheme | detector | keeper | exact |
//! | --- | --- | --- | --- |
//! | `walk` | key stack | everything | no |
//! | `open` | Thompson's open flag | everything | no |
//! | `side` | small counter table | everything | no |
//! | `no-zero` | key stack | all but values of 0 | no |
//! | `cautious` | key stack | nothing that rests on a draw above | no |
//! | `shadow-literal` | key stack | the posting as printed | no |
//! | `shadow` | key stack | the posting, mended | no |
//! | `exact` | key stack | bounds with a filter of the positions they rest on | **yes** |

pub mod detect;
pub mod exact;
pub mod filter;
pub mod keep;
pub mod scheme;
pub mod shadow;
pub mod upcoming;

pub use detect::{Detect, OpenFlag, SideTable, Walk};
pub use exact::Exact;
pub use filter::Filter;
pub use keep::{Bounds, Cautious, Everything, Keep, Known, NoZero};
pub use scheme::{Scheme, SchemeVisitor};
pub use shadow::{Shadow, ShadowLiteral};

/// Above every score; as a bound it means "none".
pub const INFINITE: i32 = 32_000;
/// Mate at the root; mate at ply `p` is `MATE - p`.
pub const MATE: i32 = 30_000;
/// Scores beyond this are mates.
pub const MATE_BOUND: i32 = MATE - 1_000;
/// The value of a draw.
pub const DRAW: i32 = 0;

#[cfg(test)]
mod tests;
