//! Playouts from the upright image of a position. So their result does not depend on the orientation of the board or on
//! which side is Black.

use crate::board::upright::Upright;
use crate::board::{Board, Color, Vertex};
use crate::playout::{Limits, PlayoutBoard, Root, search_moves};

/// The owner of each vertex by playouts with this side to move: 1 the mover's, -1 the other's. `past`: the moves of the
/// other side and of the mover before, or passes.
pub(super) fn owner_by_playouts(board: &Board, mover: Color, past: [Vertex; 2], limits: &Limits) -> Vec<f32> {
    let upright = Upright::of(board, mover, past);
    let fast = PlayoutBoard::from(&upright.image);
    let [last, before] = upright.past;
    let root = Root { board: &fast, color: Color::Black, last, before, komi: 0.0, owner: None };
    let found = search_moves(root, &|_| true, &[], limits, &mut || false);
    upright.mean(&found.owner).into_iter().map(|owner| -owner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::upright::{TURNINGS, turned, turned_board};
    use crate::judge::tests::after_random_moves;
    use crate::playout::{LADDERS, Policy};

    #[test]
    fn turning_the_board_or_swapping_its_sides_turns_the_owners() {
        let limits = Limits {
            playouts: 40,
            policy: Policy::default(),
            win_share: 0.0,
            warm_up: 4,
            ladders: LADDERS,
            seed: 1,
        };
        let past = [Vertex::PASS; 2];
        let boards = [after_random_moves(9, 30, 4), after_random_moves(7, 0, 1), after_random_moves(8, 1, 2)];
        for board in &boards {
            let size = board.size();
            let owner = owner_by_playouts(board, Color::Black, past, &limits);
            assert!(owner.iter().any(|o| o.abs() > 0.05));
            for turning in 0..TURNINGS {
                for (mover, is_swapped) in [(Color::Black, false), (Color::White, true)] {
                    let image = turned_board(board, turning, is_swapped);
                    let turned_owner = owner_by_playouts(&image, mover, past, &limits);
                    for v in board.vertices() {
                        let there = turned(v, turning, size).index(size);
                        assert_eq!(
                            owner[v.index(size)].to_bits(),
                            turned_owner[there].to_bits(),
                            "{turning}"
                        );
                    }
                }
            }
        }
    }
}
