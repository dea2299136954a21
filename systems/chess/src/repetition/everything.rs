//! The keeper of most programs: it stores every bound and uses it on every path.
//!
//! # Source
//! The usual transposition table. Campbell, *The graph-history interaction* (1985), describes its errors.
//!
//! # Departures
//! The keeper also follows the draws that a value rests on ([`Grounds`]). This changes no value.

use super::Grounds;
use super::grounded::Stores;
use super::keep::{Bounds, Known, Result};

/// Keeps everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Stores for Everything {
    #[inline]
    fn stored(gather: &Grounds, _trace: &Grounds, r: &Result) -> Known {
        Known::plain(Bounds::proved(r.best, r.alpha, r.beta), gather.recurs)
    }
}
