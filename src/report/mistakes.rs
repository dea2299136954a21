//! Computes the points that each move loses. Reports and the viewer use only this module to count mistakes.
//!
//! # Definition
//! The lead of a position is the lead that the judge estimates, with the actual side to move
//! ([`Findings::white_lead`]). A move's *loss* is the fall of its player's lead between the positions before and after
//! the move. If the lead rises, the loss is 0.
//!
//! A move has a loss only if the judge judged both positions, and if they are one move apart. The first move of a game
//! has no loss, because nobody played the empty board or the handicap before it. A move out of turn has no loss,
//! because the lead before it assumes that the other side moves.

use crate::record::findings::Findings;
use tengen_go::board::Color;

/// Points below which no loss is called a mistake.
pub const LEAST: f32 = 2.0;

/// A position of a game that was judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The moves played to get there.
    pub moves: usize,
    /// White's lead, in points.
    pub lead: f32,
    /// The player of the last move.
    pub mover: Option<Color>,
    /// Whose turn it is.
    pub to_move: Color,
}

impl Judged {
    /// A position that was analysed; `None` without a lead.
    #[must_use]
    pub fn of(findings: &Findings) -> Option<Self> {
        let mover = findings.position.board.last_move().map(|(color, _)| color);
        let to_move = findings.position.to_move;
        Some(Self { moves: findings.moves_played, lead: findings.white_lead()?, mover, to_move })
    }
}

/// The loss of the move between two positions, in points of 0 and more; `None` if it has none.
#[must_use]
pub fn loss(before: &Judged, after: &Judged) -> Option<f32> {
    let mover = after.mover?;
    let is_alone = after.moves == before.moves + 1;
    (is_alone && before.moves > 0 && before.to_move == mover)
        .then(|| fall(mover, before.lead, after.lead).max(0.0))
}

/// By how much the lead of a side falls, by White's lead before and after.
#[must_use]
pub fn fall(side: Color, before: f32, after: f32) -> f32 {
    if side == Color::White { before - after } else { after - before }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_the_fall_of_the_mover_s_lead_over_one_move_that_is_not_the_first() {
        use Color::{Black, White};
        let table = [
            ("a fall", (10, 3.0, White), (11, -2.0, White), Some(5.0)),
            ("a rise", (10, 3.0, White), (11, 4.5, White), Some(0.0)),
            ("a fall of Black's lead", (10, 3.0, Black), (11, 4.5, Black), Some(1.5)),
            ("the first move", (0, 3.0, Black), (1, 9.0, Black), None),
            ("White after a handicap", (0, -30.0, White), (1, -40.0, White), None),
            ("two moves", (10, 3.0, Black), (12, 9.0, White), None),
            ("no move, such as a comment", (10, 3.0, Black), (10, 9.0, White), None),
            ("out of turn", (10, 3.0, White), (11, 9.0, Black), None),
        ];
        for (name, (moves, lead, to_move), (then, after, mover), wanted) in table {
            let before = Judged { moves, lead, mover: Some(to_move.other()), to_move };
            let after = Judged { moves: then, lead: after, mover: Some(mover), to_move: mover.other() };
            assert_eq!(loss(&before, &after), wanted, "{name}");
        }
    }
}
