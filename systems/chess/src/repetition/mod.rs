//! The repetition schemes. A scheme decides what a search concludes from a repeated position, and what the
//! transposition table may store.
//!
//! # Source
//! - The detectors: Bruce Moreland, *Repetition Detection* (2001).
//! - [`shadow`]: H. G. Muller's posting on shadow scores (contingency minimax, Winboard Forum, about 2006).
//! - The two halves of the problem: Campbell, *The graph-history interaction* (1985).
//!
//! *Draw-first*: a stored draw is used on a path on which it is no draw. *Draw-last*: a sound value is used on a path
//! on which its subtree contains a draw.
//!
//! A scheme is a detector and a keeper. The detector notices a recurrence ([`detect`]). The keeper decides what is
//! stored, and when a stored bound may be used ([`keep`]). Any pair of detector and keeper works. [`Scheme`] names the
//! offered pairs. [`Path`] names the grounds of a root score, under every scheme. [`crate::added_scheme`] adds a pair
//! under a name.
//!
//! | scheme | detector | keeper | exact |
//! | --- | --- | --- | --- |
//! | `walk` | [`key_stack`] | [`everything`] | no |
//! | `chains` | [`move_chains`] | everything | no |
//! | `open-literal`, `open` | [`open_flag`], as described and confirmed | everything | no |
//! | `side` | [`side_table`] | everything | no |
//! | `no-zero` | key stack | [`no_zero`]: all values except 0 | no |
//! | `cautious` | key stack | [`cautious`]: nothing that rests on a draw above | no |
//! | `shadow-literal` | key stack | [`shadow_literal`]: the posting as printed | no |
//! | `shadow`, `shadow-early` | key stack | [`shadow`]: the posting corrected, without and with its early update | no |
//! | `twin` | key stack | [`twin`]: bounds with the path they were found on | **yes** |
//! | `exact` | key stack | [`exact`]: bounds with a filter of the positions they rest on | **yes** |

pub mod added;
pub mod cautious;
pub mod detect;
pub mod everything;
pub mod exact;
pub mod followed;
pub mod grounded;
pub mod keep;
pub mod key_stack;
pub mod move_chains;
pub mod no_zero;
pub mod open_flag;
pub mod path;
pub mod scheme;
pub mod shadow;
pub mod shadow_literal;
pub mod side_table;
pub mod twin;
pub mod upcoming;

pub use detect::{Detect, Misjudged, OpenMarks};
pub use keep::{Bounds, Keep, Known};
pub use path::{Grounds, Path};
pub use scheme::Scheme;
pub(crate) use scheme::SchemeVisitor;

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
