//! Tests of the keys of stored captures inside connection reading.

use super::*;
use std::collections::HashSet;

/// Every filling of the top row above a lone stone, with every ko there can be.
#[test]
fn no_two_surroundings_have_one_key() {
    let size = 4;
    let stone = Vertex::new(1, 1, size);
    let (mut keys, mut count) = (HashSet::new(), 0);
    for filling in 0..3_usize.pow(4) {
        let mut board = Board::new(size);
        board.place(Color::Black, stone).unwrap();
        for col in 0..size {
            let cell = filling / 3_usize.pow(col as u32) % 3;
            if cell > 0 {
                board.place(Color::BOTH[cell - 1], Vertex::new(0, col, size)).unwrap();
            }
        }
        for v in board.vertices().filter(|&v| board.is_empty(v)).collect::<Vec<_>>() {
            let mut with_ko = board.clone();
            with_ko.set_ko(v, Color::Black);
            keys.insert(surrounding(&with_ko, stone, KoState::Free));
            count += 1;
        }
        keys.insert(surrounding(&board, stone, KoState::Free));
        count += 1;
    }
    assert_eq!(keys.len(), count);
}
