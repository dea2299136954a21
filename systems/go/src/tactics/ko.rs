//! The ko rule of tactical reading: which side may take which ko. It prevents cycles and assumes no free ko threats.
//!
//! # Source
//! GNU Go 3.8 manual, "Ko Handling" (komaster scheme 5).
//!
//! # Notation
//! A *conditional* capture takes a ko back where the rules forbid it. The mover is assumed to have made a ko threat
//! that was answered. The *komaster* is the player who has made a conditional capture. `at` (`kom_pos` in the manual)
//! is the vertex where the ko stone was taken. A capture is *nested* if the taken stone is diagonally next to `at`.
//!
//! # Departures
//! The manual forbids the komaster's opponent any play at `at`. Here only the ko capture there is forbidden. A stone
//! there that takes more than the ko stone, or nothing, ends the fight.

use crate::board::{Board, Color, IllegalMove, Vertex};

/// The state of kos in a line of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum KoState {
    /// No ko has been fought.
    #[default]
    Free,
    /// This colour has taken a ko conditionally.
    Master(Color, Vertex),
    /// The opponent of this komaster took another ko: nobody may take one now.
    Gray(Color, Vertex),
    /// A ko was taken right after a ko.
    Weak(Vertex),
}

impl KoState {
    /// A key for the cache.
    pub(crate) fn key(self) -> u64 {
        let (kind, v) = match self {
            Self::Free => (0, Vertex::PASS),
            Self::Master(color, v) => (1 + color.index() as u64, v),
            Self::Gray(color, v) => (3 + color.index() as u64, v),
            Self::Weak(v) => (5, v),
        };
        kind << 10 | u64::from(v.0)
    }
}

/// Plays `v` in this state of kos if the scheme allows it: the state after it, and whether it was a conditional capture. On `None` the
/// board is unchanged. `conditional_allowed` is false deep in the reading.
pub(crate) fn play(
    board: &mut Board,
    color: Color,
    v: Vertex,
    state: KoState,
    conditional_allowed: bool,
) -> Option<(KoState, bool)> {
    let ko_before = board.ko_point();
    let conditional = match board.play(color, v) {
        Ok(()) => false,
        Err(IllegalMove::Ko) if conditional_allowed => {
            board.play_ignoring_ko(color, v).ok()?;
            true
        }
        Err(_) => return None,
    };
    let next = match board.ko_point() {
        Some(taken) => {
            after_capture(state, color, v, Capture { taken, ko_before, conditional, size: board.size() })
        }
        None => Some(after_quiet(state, board, v)),
    };
    if next.is_none() {
        board.undo();
    }
    next.map(|state| (state, conditional))
}

/// A ko capture.
struct Capture {
    /// The vertex where the stone was taken.
    taken: Vertex,
    /// The ko point before it.
    ko_before: Option<Vertex>,
    /// Whether the rules forbade it.
    conditional: bool,
    size: usize,
}

/// The state after a ko capture of the stone at `taken`; `None` if the scheme forbids it.
fn after_capture(state: KoState, color: Color, v: Vertex, capture: Capture) -> Option<KoState> {
    let Capture { taken, ko_before, conditional, size } = capture;
    let master = KoState::Master(color, taken);
    match state {
        KoState::Free if conditional => Some(master),
        KoState::Free => Some(ko_before.map_or(KoState::Free, KoState::Weak)),
        KoState::Master(by, at) if by == color => nested(taken, at, size).then_some(master),
        KoState::Master(_, at) if v == at => None,
        KoState::Master(by, at) => Some(KoState::Gray(by, at)),
        KoState::Gray(..) => None,
        KoState::Weak(_) if conditional => Some(master),
        KoState::Weak(at) => nested(taken, at, size).then(|| KoState::Weak(ko_before.unwrap_or(at))),
    }
}

/// The state after a move that takes no ko. The opponent of the komaster may play at `at` if he captures more than
/// the ko stone, or nothing. That is not a ko fight.
fn after_quiet(state: KoState, board: &Board, v: Vertex) -> KoState {
    match state {
        KoState::Free | KoState::Weak(_) => KoState::Free,
        KoState::Master(by, at) | KoState::Gray(by, at) => {
            // The ko is over when it is filled, or can't be taken any more.
            let over = v == at || !board.is_empty(at) || board.is_suicide(by.other(), at);
            if over { KoState::Free } else { state }
        }
    }
}

/// Diagonal neighbours: one line apart both ways.
fn nested(a: Vertex, b: Vertex, size: usize) -> bool {
    a.row(size).abs_diff(b.row(size)) == 1 && a.col(size).abs_diff(b.col(size)) == 1
}

#[cfg(test)]
mod tests;
