//! Asks for large memory pages for tables that are read at random places.
//!
//! # Source
//! `madvise(2)`, `MADV_HUGEPAGE`.
//!
//! # Why
//! A look-up in a table of many mebibytes nearly always misses the processor's translation cache (TLB) for small pages.
//! With small pages, the search spends about a tenth of its time waiting at its prefetches. With pages of 2 MiB, a
//! whole table needs few pages.
//!
//! # Invariants
//! The call is only advice. On a system without large pages, or on another system than Linux, nothing happens. The
//! content of memory never changes.

/// Asks for large pages under the allocation of an empty vector with reserved capacity, before it is first written.
#[cfg(all(target_os = "linux", not(miri)))]
#[expect(unsafe_code, reason = "advice on pages has no safe function; the range is the vector's own")]
pub(super) fn prefer_large<T>(memory: &mut Vec<T>) {
    use rustix::{mm, param::page_size};
    let spare = memory.spare_capacity_mut();
    let (bytes, start) = (std::mem::size_of_val(spare), spare.as_mut_ptr().cast::<u8>());
    let skip = start.align_offset(page_size());
    let length = bytes.saturating_sub(skip) / page_size() * page_size();
    if length > 0 {
        // SAFETY: the range lies within the spare capacity that `memory` owns and that is borrowed here alone; this
        // advice changes which pages stand behind it, never their content. A refusal leaves all as it was.
        let _ = unsafe { mm::madvise(start.add(skip).cast(), length, mm::Advice::LinuxHugepage) };
    }
}

/// Does nothing on this system.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn prefer_large<T>(_memory: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::prefer_large;

    #[test]
    fn advice_on_pages_changes_no_content_at_any_size() {
        for size in [0, 1, 63, 64, 4095, 4096, 4097, 100_000, 3 << 20] {
            let mut memory: Vec<u64> = Vec::with_capacity(size);
            prefer_large(&mut memory);
            memory.resize(size, 7);
            assert!(memory.iter().all(|&word| word == 7), "{size} words");
            // Only the part that is not yet in use.
            memory.reserve(size);
            prefer_large(&mut memory);
            assert!(memory.iter().all(|&word| word == 7), "{size} words");
        }
    }
}
