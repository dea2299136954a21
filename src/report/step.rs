//! The steps of a game in a report, one for each analysed move, and the progress of the report.

use super::mistakes::Judged;
use tengen_go::board::sgf::NodeId;
use tengen_go::board::{Color, Vertex};

/// The effect of a move, compared with the previous analysed position.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its node in the record.
    pub node: NodeId,
    /// Its number, from 1.
    pub number: usize,
    /// The mover.
    pub color: Color,
    /// Where; a pass too.
    pub at: Vertex,
    /// White's lead before and after it.
    pub lead: [f32; 2],
    /// Whether the position before it was looked at too.
    pub is_alone: bool,
    /// The points that it lost, if it has a loss: see [`mistakes`](super::mistakes).
    pub loss: Option<f32>,
    /// Sentences about it.
    pub sentences: Vec<String>,
    /// A stone of each group whose status became dead, with the sentence that says so.
    pub(super) deaths: Vec<(Vertex, String)>,
}

impl Step {
    /// The position after it.
    #[must_use]
    pub fn judged(&self) -> Judged {
        let to_move = self.color.other();
        Judged { moves: self.number, lead: self.lead[1], mover: Some(self.color), to_move }
    }
}

/// The progress that [`look`](super::game::look) reports while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportProgress {
    /// This number of positions comes on top of [`positions`](super::game::positions): those of the key moments.
    More(usize),
    /// A position has been looked at.
    Done,
}
