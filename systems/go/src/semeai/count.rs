//! The arithmetic of a race: which side is faster, and when the race ends in seki.
//!
//! # Source
//! M. Müller, "Race to capture: analyzing semeai in Go", Game Programming Workshop in Japan '99.
//!
//! # Notation
//! *Exclusive* liberties of a side are those that only the other side has to fill. They are the outside liberties, with
//! the approach moves that they need, and the liberties of the side's eye. *Shared* liberties are liberties of both
//! sides. The *killer* wants to capture the *victim*.
//!
//! # Steps
//! 1. The killer has to fill all shared liberties but one, because filling the last but one would put himself into
//!    atari. He has to fill all if the victim has an eye, because the victim's last liberty is then not a shared one.
//! 2. The killer, moving first, is fast enough if his exclusive liberties exceed the victim's by that number.
//! 3. With the larger eye the killer need not fill shared liberties at all: the victim has to. This race has no seki,
//!    so the victim is lost if he does not kill.

/// One side of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runner {
    /// Moves the other side needs in liberties that are not shared.
    pub exclusive: u32,
    /// The class of its largest eye: 0 none, 1 up to three vertices, else its number of vertices.
    pub eye: u32,
}

/// The moves that the other side needs to fill a dead eye of `size` vertices and to capture. The eye already holds
/// `inside` of its stones; the owner captures them when he has to.
#[must_use]
pub fn eye_liberties(size: u32, inside: u32) -> u32 {
    let all = match size {
        0..=2 => size,
        _ => (size * size - 3 * size) / 2 + 3,
    };
    all.saturating_sub(inside).max(1)
}

/// The class of an eye by its size.
#[must_use]
pub const fn eye_class(size: u32) -> u32 {
    match size {
        0 => 0,
        1..=3 => 1,
        _ => size,
    }
}

/// The number of moves that the killer has to spare; below zero he fails.
#[must_use]
pub fn margin(killer: Runner, victim: Runner, shared: u32, killer_first: bool) -> i32 {
    let lead = killer.exclusive as i32 - victim.exclusive as i32 - i32::from(!killer_first);
    let shared = shared as i32;
    if killer.eye > victim.eye {
        lead + shared
    } else if victim.eye > 0 || shared == 0 {
        lead - shared
    } else {
        lead - (shared - 1)
    }
}
