//! The subject of a race, fixed for one search: the two dragons, the part of the board that matters to them, and the
//! question.

use crate::board::{Board, Color, Vertex};
use crate::local_view::{Arena, Escape, Ground, Marks, Surroundings};

/// Strings outside the race with more liberties than this are taken for safe when nothing is known of them.
const SAFE_LIBERTIES: usize = 4;

/// The two dragons and their surroundings. Pairs are indexed by colour.
#[derive(Clone, Debug)]
pub(super) struct Race {
    /// The stones of the dragons.
    pub(super) goal: [Vec<Vertex>; 2],
    /// Per padded cell: a stone of one of the two.
    pub(super) in_goal: Vec<bool>,
    /// The part of the board.
    pub(super) ground: Ground,
    /// Per padded cell: stones outside the race that live.
    pub(super) safe: Marks,
    /// Per padded cell: stones outside the race that are dead.
    pub(super) dead: Vec<bool>,
    /// For each padded cell: the value of reaching it to an escaping dragon of the colour.
    pub(super) escape: [Escape; 2],
}

/// A question: is `victim` lost when `mover` moves first? If `victim` is theirs, mine has to live as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// The race.
    pub(super) mine: Color,
    pub(super) victim: Color,
    pub(super) mover: Color,
    /// The side that may retake any ko at once.
    pub(super) favoured: Option<Color>,
    /// Positions that may be looked at.
    pub(super) limit: u32,
}

impl Race {
    /// The race between `black` and `white`; `known` marks the stones of living and of dead dragons.
    pub(super) fn new(board: &Board, goal: [&[Vertex]; 2], known: (&[bool], &[bool])) -> Self {
        let in_goal = board.marks(goal.into_iter().flatten().copied());
        let but_goal = |marks: &[bool]| -> Vec<bool> {
            marks.iter().zip(&in_goal).map(|(mark, goal)| *mark && !goal).collect()
        };
        let (alive, dead) = (but_goal(known.0), but_goal(known.1));
        let around = Surroundings { alive: Some(&alive), dead: Some(&dead), contested: Some(&in_goal) };
        let arenas = [Color::Black, Color::White].map(|c| Arena::new(board, c, goal[c.index()], &around));
        let inside: Vec<bool> =
            arenas[0].ground.inside.iter().zip(&arenas[1].ground.inside).map(|(a, b)| *a || *b).collect();
        let is_rim = |v: Vertex| {
            (arenas[0].ground.rim[v.at()] || arenas[1].ground.rim[v.at()])
                && board.neighbors4(v).any(|n| board.is_empty(n) && !inside[n.at()])
        };
        let rim = board.marks(board.vertices().filter(|&v| is_rim(v)));
        let cells = board.vertices().filter(|v| inside[v.at()]).collect();
        let escape = arenas.map(|arena| arena.escape);
        let goal = goal.map(<[Vertex]>::to_vec);
        Self {
            goal,
            in_goal,
            ground: Ground { cells, inside, rim },
            safe: Marks::new(board, alive),
            dead,
            escape,
        }
    }

    /// Whether a stone at `v` holds its ground: of one of the two dragons, alive, or with room.
    pub(super) fn is_anchor(&self, board: &Board, v: Vertex) -> bool {
        self.in_goal[v.at()]
            || self.safe[v.at()]
            || !self.ground.inside[v.at()]
            || (!self.dead[v.at()] && board.liberties(v) > SAFE_LIBERTIES)
    }

    /// The goal stones of a colour that are still on the board.
    pub(super) fn standing<'a>(
        &'a self,
        board: &'a Board,
        color: Color,
    ) -> impl Iterator<Item = Vertex> + 'a {
        self.goal[color.index()].iter().copied().filter(move |&v| board.color_at(v) == Some(color))
    }
}
