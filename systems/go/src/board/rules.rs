//! The rules of a board, and the reasons for refusing a move.

use super::Vertex;
use tengen_core::Diagnostic;

/// The repetitions that the rules allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum KoRule {
    /// A ko may not be taken back at once; longer cycles are allowed.
    #[default]
    Simple,
    /// No whole-board position (stones only) of the game may come up again.
    PositionalSuperko,
}

/// Whether a move may take away the mover's own stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum SuicideRule {
    /// Never.
    #[default]
    Forbidden,
    /// If the string that disappears has two stones or more.
    MultiStone,
    /// Always.
    Allowed,
}

/// The rules of one board. The default is Japanese play: simple ko, no suicide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Rules {
    /// The repetitions that are allowed.
    pub ko: KoRule,
    /// Whether suicide is allowed.
    pub suicide: SuicideRule,
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The vertex is no vertex of this board.
    #[error("the vertex lies outside the board")]
    OffBoard,
    /// There is a stone on the vertex.
    #[error("the vertex is occupied")]
    Occupied,
    /// The move takes back a ko at once.
    #[error("the ko can't be taken back at once")]
    Ko,
    /// The move would bring back an earlier position under positional superko.
    #[error("the move repeats an earlier position (positional superko)")]
    Superko,
    /// The move would leave its own string without a liberty.
    #[error("the move is suicide")]
    Suicide,
}

impl IllegalMove {
    /// The fault of a move at `v` on a board of this size, as a diagnostic.
    #[must_use]
    pub fn diagnostic(self, v: Vertex, size: usize) -> Diagnostic {
        let place = if self == Self::OffBoard { format!("{v:?}") } else { v.to_gtp(size) };
        Diagnostic::error(format!("illegal move at {place}: {self}")).help("ask `is_legal` before playing")
    }
}
