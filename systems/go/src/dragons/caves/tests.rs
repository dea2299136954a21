//! The two figures of the manual's section "Amalgamation of cavities".

use super::*;
use crate::goban;
use crate::worms;

fn caves(board: &Board) -> CaveMap {
    amalgamate(board, &worms::build(board), &DragonMap::default())
}

#[test]
fn cavities_beside_an_inessential_string_are_one_cave() {
    let (board, marks) = goban!(
        ". O O O O O .",
        "O O X X X O O",
        "O X a O b X O",
        "O O X X X O O",
        ". O O O O O .",
        ". . . . . . .",
        ". . . . . . .",
    );
    let map = caves(&board);
    let cave = map.at(marks['a']).expect("a cave");
    assert_eq!(map.at(marks['b']), Some(cave));
    assert_eq!((cave.size, cave.color), (2, WormColor::BlackBorder));
}

#[test]
fn cavities_between_two_strings_that_live_together_stay_two_caves() {
    let (board, marks) = goban!(
        ". . . O O O O . .",
        ". . O X X O O . .",
        ". O X X a X O . .",
        ". O X b X X O . .",
        ". O O X X O . . .",
        ". . O O O . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    );
    let map = caves(&board);
    assert_ne!(map.at(marks['a']), map.at(marks['b']));
    assert_eq!(
        map.caves.iter().map(|c| usize::from(c.size)).sum::<usize>(),
        board.vertices().filter(|&v| board.is_empty(v)).count()
    );
}
