//! A place in the search tree of a tactical reading.

use super::ko::KoState;

/// A place in the tree: how deep, and the state of kos.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) depth: u16,
    pub(crate) ko: KoState,
    /// The number of far moves that the attacker has left.
    pub(crate) far: u8,
}

impl Node {
    /// A question about ladders: no far moves.
    ///
    /// Origin: definition, the start of a reading.
    pub(crate) const LADDER: Self = Self { depth: 0, ko: KoState::Free, far: 0 };
}
