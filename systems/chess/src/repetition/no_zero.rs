//! The keeper that stores everything except values of 0. So every draw is searched again.
//!
//! # Source
//! A well-known remedy among chess programmers; its author is unknown.
//!
//! # Departures
//! None. The remedy cures neither half of the problem, because a value that depends on a draw is often not 0 itself.

use super::everything::Everything;
use super::grounded::Stores;
use super::keep::{Known, Result};
use super::{DRAW, Grounds};

/// Keeps all but values of 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoZero;

impl Stores for NoZero {
    #[inline]
    fn stored(gather: &Grounds, trace: &Grounds, r: &Result) -> Known {
        if r.best == DRAW { Known::NONE } else { Everything::stored(gather, trace, r) }
    }
}
