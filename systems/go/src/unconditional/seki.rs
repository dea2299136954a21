//! Finds stones that steps 1 to 5 of [`super`] call dead, but that can live in seki around stones of the owner.
//!
//! # Source
//! GNU Go 3.8 manual, "unconditional_status", names this fault and leaves its correction to "a later revision". This
//! correction is Tengen's own.
//!
//! # Notation
//! As in [`super`], the *attacker* tries to live in the *owner's* area. The owner's *lodgers* are his strings in the
//! area that could be taken.
//!
//! # Steps
//! For each connected area of territory with lodgers in it:
//! 1. The attacker plays on every vertex of the area that is no liberty of a lodger.
//! 2. He also plays on some liberties of the lodgers. All choices are tried, the smallest first.
//! 3. The owner moves, and both take turns on the area; either may pass. If he cannot take a stone of the attacker's
//!    that stands since step 2, the area is not territory. The attacker lives in seki, or by taking the lodgers.
//!
//! # Departures
//! An area whose lodgers have more than [`MOST_LIBERTIES`] liberties counts as a seki, because nothing is certain
//! there. So does an area that is not solved within [`MOST_NODES`] positions.
//!
//! # Cost
//! Nothing if there are no lodgers. Otherwise at most a few thousand positions of a few vertices.

use super::Life;
use crate::board::{Board, Color, Vertex};
use std::collections::HashMap;

/// The most liberties of lodgers in a searched area.
const MOST_LIBERTIES: usize = 8;
/// The most positions for one area.
const MOST_NODES: usize = 30_000;
/// The most moves of a line; longer ones only go in circles.
const MOST_MOVES: usize = 80;

/// Takes areas where the attacker could have a seki out of the territory. `board` is the position itself.
pub(super) fn exclude(board: &Board, owner: Color, life: &mut Life) {
    let mut seen = vec![false; board.padded_len()];
    for v in board.vertices() {
        if seen[v.at()] || !life.territory[v.at()] {
            continue;
        }
        let mut area = board.region(v, &mut seen, |n| life.territory[n.at()]);
        area.sort_unstable();
        let is_lodger = |&u: &Vertex| board.color_at(u) == Some(owner) && !life.invincible[u.at()];
        let lodgers: Vec<Vertex> = area.iter().copied().filter(is_lodger).collect();
        if !lodgers.is_empty() && has_seki(board, owner, &area, &lodgers) {
            area.iter().for_each(|u| life.territory[u.at()] = false);
        }
    }
}

fn has_seki(board: &Board, owner: Color, area: &[Vertex], lodgers: &[Vertex]) -> bool {
    let mut board = board.without_history().under(crate::board::Rules::default());
    let attacker = owner.other();
    // 1.
    for &v in area {
        if board.is_empty(v) && !lodgers.iter().any(|&s| board.is_liberty(v, s)) {
            // Suicide is refused: the vertex stays an eye.
            let _ = board.play(attacker, v);
        }
    }
    let liberties: Vec<Vertex> =
        area.iter().copied().filter(|&v| lodgers.iter().any(|&s| board.is_liberty(v, s))).collect();
    if liberties.len() > MOST_LIBERTIES {
        return true;
    }
    // 2.
    let mut choices: Vec<u32> = (0..1 << liberties.len()).collect();
    choices.sort_by_key(|c| c.count_ones());
    let mut fight = Fight { owner, area: area.to_vec(), known: HashMap::new(), nodes: 0 };
    choices.into_iter().any(|choice| {
        let before = board.history_len();
        let fill = liberties.iter().enumerate().filter(|(i, _)| choice >> i & 1 != 0);
        let holds = fill.fold(true, |ok, (_, &l)| ok && board.play(attacker, l).is_ok())
            && lodgers.iter().all(|&s| board.color_at(s) == Some(owner))
            && !fight.takes(&mut board);
        board.undo_to(before);
        holds
    })
}

/// 3. The play on the area.
struct Fight {
    owner: Color,
    area: Vec<Vertex>,
    /// By situation and stones at stake: whether the owner takes something.
    known: HashMap<u64, bool>,
    nodes: usize,
}

impl Fight {
    /// Whether the owner, moving first, takes one of the attacker's stones that are in the area now.
    fn takes(&mut self, board: &mut Board) -> bool {
        let attacker = self.owner.other();
        let stake: Vec<Vertex> =
            self.area.iter().copied().filter(|&v| board.color_at(v) == Some(attacker)).collect();
        !stake.is_empty() && {
            self.known.clear();
            self.moves(board, self.owner, &stake, 0)
        }
    }

    /// Whether he does with `mover` to move, after `moves` moves.
    fn moves(&mut self, board: &mut Board, mover: Color, stake: &[Vertex], moves: usize) -> bool {
        let (key, owners) = (board.situation_hash(mover), mover == self.owner);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.nodes += 1;
        if owners && (moves > MOST_MOVES || self.nodes > MOST_NODES) {
            return false;
        }
        if owners {
            // On the way here: coming back is no progress.
            self.known.insert(key, false);
        }
        let pass = Some(Vertex::PASS).filter(|_| !owners);
        let mut options = pass.into_iter().chain(self.area.clone());
        // The owner needs one move that takes; each of the attacker's must leave him one.
        let decides = options.any(|v| {
            let takes = board.tried(mover, v, |board| {
                let lost = owners && stake.iter().any(|&s| board.color_at(s) != Some(mover.other()));
                lost || self.moves(board, mover.other(), stake, moves + 1)
            });
            takes == Some(owners)
        });
        self.known.insert(key, decides == owners);
        decides == owners
    }
}
