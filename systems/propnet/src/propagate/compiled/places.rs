//! Places in the lists that all joint moves share.

/// No place.
pub(super) const NONE: u32 = u32::MAX;

/// The first place, and the one behind the last.
pub(super) type Range = (u32, u32);

/// The same as a range of indices.
#[inline(always)]
pub(super) fn range((from, to): Range) -> std::ops::Range<usize> {
    from as usize..to as usize
}
