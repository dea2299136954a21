//! Tests of the fast board of playouts.

use super::*;
use crate::board::Board;
use proptest::prelude::*;

fn same(fast: &PlayoutBoard, board: &Board) -> Result<(), TestCaseError> {
    for v in board.vertices() {
        prop_assert_eq!(fast.stone(v), board.color_at(v));
        if board.color_at(v).is_some() {
            prop_assert_eq!(usize::from(fast.liberty_count(v.at())), board.liberties(v));
            prop_assert_eq!(usize::from(fast.string_size(v.at())), board.string_size(v));
            let liberties: Vec<usize> = fast.liberties(v.at()).iter().map(Vertex::at).collect();
            prop_assert_eq!(liberties, board.liberty_vertices(v).map(Vertex::at).collect::<Vec<_>>());
        } else {
            for color in Color::BOTH {
                prop_assert_eq!(fast.is_legal(v.at(), code(color)), board.is_legal(color, v));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_fast_board_agrees_with_the_board_after_every_move(
        size in 2usize..=9,
        picks in prop::collection::vec(0usize..1000, 1..160),
    ) {
        let mut board = Board::new(size);
        let mut fast = PlayoutBoard::new(size);
        let mut color = Color::Black;
        for pick in picks {
            let legal: Vec<_> = board.vertices().filter(|&v| board.is_legal(color, v)).collect();
            if legal.is_empty() {
                board.play(color, Vertex::PASS).expect("a pass is legal");
                fast.pass();
            } else {
                let v = legal[pick % legal.len()];
                let (liberties, stones) = fast.after_play(v.at(), code(color));
                board.play(color, v).expect("it is legal");
                let taken = fast.play(v.at(), code(color));
                if taken == 0 {
                    prop_assert_eq!(usize::from(liberties), board.liberties(v));
                }
                prop_assert_eq!(usize::from(stones), board.string_size(v));
            }
            color = color.other();
            // The board knows whose ko it is, the kernel that the next to move may not take it.
            if board.ko_point().is_none() {
                same(&fast, &board)?;
            }
        }
    }
}
