//! Capturing races ("semeai") between two dragons of different colours.
//!
//! # Source
//! M. Müller, "Race to capture: analyzing semeai in Go" (1999), for the count; GNU Go 3.8 manual, "Dragons"
//! (`owl_analyze_semeai`), for the questions; A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications" (2002), for the search.
//!
//! # Notation
//! Of the two dragons, *mine* moves first and *theirs* answers. The *victim* of a question is the dragon that may be
//! captured; the other dragon is the *killer*. Surviving includes seki.
//!
//! # Steps
//! 1. `race` holds the two dragons, the part of the board around them, and the life or death of strings outside.
//! 2. `view` finds liberties, eyes and ways out in a position, and the possible error of the count. [`count`] says
//!    which side is ahead.
//! 3. Where the count does not decide, `moves` and `search` run a proof-number search over few moves.
//! 4. Kos: the question is asked three times. One side, the other side, or neither side may retake any ko at once. The
//!    three answers give the result code.
//! 5. `analyse` asks whether mine kills, and if not, whether it survives. Otherwise mine is lost. A dragon that
//!    survives without a move passes.
//!
//! # Cost
//! At most three questions with three searches each. The number of positions of each search is limited.

pub mod count;
mod moves;
mod race;
mod search;
#[cfg(test)]
mod tests;
mod view;

use crate::board::{Board, Color, Line, Vertex};
use crate::proof::kos::{Grade, grade};
use crate::tactics::Code;
use race::{Question, Race};
pub use search::RaceReader;

/// The result of a race when mine moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceResult {
    /// The code of mine's survival.
    pub defense: Code,
    /// The code of the capture of theirs by mine.
    pub attack: Code,
    /// Mine's move and what follows; empty if none is needed or none helps.
    pub line: Line,
    /// Whether reading came to its end.
    pub certain: bool,
    /// Positions looked at.
    pub nodes: u64,
}

impl RaceReader {
    /// Plays the race between `mine` and `theirs` out, each the stones of one dragon, mine moving first. `known` marks
    /// the stones of living and of dead dragons, padded. `node_limit` bounds each search.
    pub fn analyse(
        &mut self,
        board: &Board,
        mine: &[Vertex],
        theirs: &[Vertex],
        known: (&[bool], &[bool]),
        node_limit: u32,
    ) -> RaceResult {
        let color = |stones: &[Vertex]| stones.first().and_then(|&v| board.color_at(v));
        let Some(own) = color(mine).filter(|own| color(theirs) == Some(own.other())) else {
            let (code, line) = (Code::Fail, Line::NONE);
            return RaceResult { defense: code, attack: code, line, certain: true, nodes: 0 };
        };
        let foe = own.other();
        let goals = if own == Color::Black { [mine, theirs] } else { [theirs, mine] };
        let race = Race::new(board, goals, known);
        let mut board = board.without_history();
        // How well `mover`, playing first, brings it about that `victim` is captured, or survives if it is his own.
        let mut ask = |victim, mover| {
            grade(mover, false, |favoured| {
                let asked = Question { mine: own, victim, mover, favoured, limit: node_limit };
                self.search(&mut board, &race, asked)
            })
        };
        let kill = ask(foe, own);
        if kill.code == Code::Win {
            let Grade { line, certain, nodes, .. } = kill;
            return RaceResult { defense: Code::Win, attack: Code::Win, line, certain, nodes };
        }
        let live = ask(own, own);
        let mut found = RaceResult {
            defense: live.code.max(kill.code),
            attack: kill.code,
            line: if live.code >= kill.code && live.code.works() { live.line } else { kill.line },
            certain: kill.certain && live.certain,
            nodes: kill.nodes + live.nodes,
        };
        if found.defense == Code::Win && found.attack == Code::Fail {
            let threat = ask(own, foe);
            found.nodes += threat.nodes;
            if threat.code == Code::Fail {
                found.line = Line::NONE;
            }
        }
        found
    }
}
