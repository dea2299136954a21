//! A detector without keys. A position recurs when every piece that moved is back on its square.
//!
//! # Source
//! Bruce Moreland, *Repetition Detection* (2001), describes this detector of Tom Kerrigan's TSCP. Kerrigan credits it
//! to John Stanback. The code follows descriptions in prose. Walk back over the reversible moves. Join, piece by piece,
//! the square that a move reached with the square that an earlier move left. When every chain has closed, the position
//! recurs.
//!
//! # Steps
//! 1. Walk back over the run, one move at a time. The move belongs to the chain whose current end is the square on
//!    which the move arrived. If there is no such chain, the move begins a chain.
//! 2. The new end of the chain is the square that the move left. If this is the square on which the chain began, the
//!    chain closes and is dropped.
//! 3. If no chain is open after an even number of moves, the position stood at this point. The policy counts it as
//!    usual.
//!
//! # Departures
//! If two pieces of the same kind exchange squares, the position is the same but the chains stay open. The detector
//! misses this recurrence. The search also queries the key stack, to count the misses. The opposite error cannot
//! happen, because castling rights and en passant cannot differ inside a run.
//!
//! # Cost
//! At every node, the detector visits all moves of the run, and searches among the open chains for each. This is slower
//! than keys.

use super::detect::{Detect, Misjudged, OpenMarks};
use crate::history::{Line, Policy};
use std::sync::Arc;

/// The chains of one walk; few pieces move in a run.
#[derive(Clone, Debug, Default)]
pub struct MoveChains {
    /// The beginning of each chain (in the later position) and its end (in the earlier one).
    chains: Vec<[u8; 2]>,
    misjudged: Misjudged,
}

impl MoveChains {
    /// Steps 1 and 2.
    fn join(&mut self, [left, reached]: [u8; 2]) {
        let found = self.chains.iter().position(|chain| chain[1] == reached);
        match found {
            Some(index) if self.chains[index][0] == left => {
                self.chains.swap_remove(index);
            }
            Some(index) => self.chains[index][1] = left,
            None => self.chains.push([reached, left]),
        }
    }

    /// Step 3.
    fn walk(&mut self, line: &Line) -> Option<i16> {
        self.chains.clear();
        let line_first = i16::from(line.policy() != Policy::R);
        let (mut in_game, mut on_line) = (0, 0);
        for back in 0..line.run() {
            self.join(line.moved_back(back)?);
            if back % 2 == 0 || !self.chains.is_empty() {
                continue;
            }
            let ply = line.ply().saturating_sub(i16::try_from(back + 1).unwrap_or(i16::MAX));
            if ply >= line_first {
                on_line += 1
            } else {
                in_game += 1
            }
            if line.policy().draws(in_game, on_line) {
                return Some(ply);
            }
        }
        None
    }
}

impl Detect for MoveChains {
    fn new(_marks: &Arc<dyn OpenMarks>, _owner: usize) -> Self {
        Self::default()
    }

    fn begin(&mut self, _line: &Line) {}

    #[inline]
    fn draw(&mut self, line: &Line) -> Option<i16> {
        let said = self.walk(line);
        self.misjudged.note(said, line.repetition());
        said
    }

    #[inline]
    fn enter(&mut self, _line: &Line) {}

    #[inline]
    fn leave(&mut self, _line: &Line) {}

    fn misjudged(&self) -> Misjudged {
        self.misjudged
    }
}
