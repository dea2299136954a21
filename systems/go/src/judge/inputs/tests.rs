//! Tests of the input planes of the judge's net.

use super::*;
use crate::judge::tests::{after_random_moves, turned, turned_vertex};
use proptest::prelude::*;

/// The planes of a position as text, for messages.
fn told(inputs: &Inputs, plane: usize) -> Vec<String> {
    inputs.vertices(plane).map(|v| v.to_gtp(inputs.size())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn turning_the_board_turns_every_plane(seed in any::<u64>(), size in 7usize..14, moves in 0usize..160, g in 0u8..8) {
        let board = after_random_moves(size, moves, seed);
        let turned_board = turned(&board, g);
        for side in Color::BOTH {
            let inputs = Inputs::new(&board, side, [Vertex::PASS; 5]);
            let image = Inputs::new(&turned_board, side, [Vertex::PASS; 5]);
            for plane in 0..PLANES {
                let mut wanted: Vec<Vertex> = inputs.vertices(plane).map(|v| turned_vertex(v, g, size)).collect();
                wanted.sort_unstable();
                let found: Vec<Vertex> = image.vertices(plane).collect();
                prop_assert_eq!(wanted, found, "plane {} {:?}", plane, told(&inputs, plane));
            }
        }
    }
}

#[test]
fn a_ladder_is_seen_with_its_first_move_and_broken_by_a_stone_in_its_way() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X X . . . . .
        . X O . . . . . .
        . . X . . . . . .";
    let (mut board, _) = Board::from_diagram(text).expect("a diagram");
    let at = |v: &str| Vertex::from_gtp(v, 9).expect("a vertex");
    let inputs = Inputs::new(&board, Color::Black, [Vertex::PASS; 5]);
    assert_eq!(told(&inputs, Plane::Lost as usize + 1), ["C2"], "in atari, and running does not help");
    board.remove(at("D3"));
    let inputs = Inputs::new(&board, Color::Black, [Vertex::PASS; 5]);
    assert_eq!(told(&inputs, Plane::Lost as usize + 1), Vec::<String>::new(), "it runs");
    assert_eq!(told(&inputs, Plane::Escape as usize), Vec::<String>::new(), "it is not Black's string");
}

#[test]
fn invincible_stones_and_their_eyes_are_safe() {
    let text = "
        . X . X O . . . .
        X X X X O . . . .
        O O O O O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    let (board, _) = Board::from_diagram(text).expect("a diagram");
    let inputs = Inputs::new(&board, Color::White, [Vertex::PASS; 5]);
    let foes = inputs.vertices(Plane::Safe as usize + 1).count();
    assert_eq!((inputs.vertices(Plane::Safe as usize).count(), foes), (0, 8));
}
