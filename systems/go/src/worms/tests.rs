//! Tests of worms: the figures of the manual.

use super::*;

fn board(diagram: &str) -> (Board, crate::board::Marks) {
    Board::from_diagram(diagram).expect("a diagram")
}

/// The manual's figure in the middle of a board; its left and upper neighbourhood is empty.
const LIBERTIES: &str = "
    . . . . . . . . .
    . . . X X . . . .
    . . X O . . . . .
    . . X O . . . . .
    . . . . . . . . .
    . . . X . X . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .";

#[test]
fn liberties_of_order_n_are_those_of_the_figure() {
    let (b, _) = board(LIBERTIES);
    let map = build(&b);
    let worm = map.get(Vertex::new(2, 3, 9)).expect("a worm");
    assert_eq!(worm.liberties, [3, 3, 2, 4]);
}

#[test]
fn a_flanked_liberty_leads_nowhere() {
    let (b, _) = board(
        "
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . . . O X . .
        . . X . X . .
        . . X X X . .
        . . . . . . .",
    );
    let map = build(&b);
    let worm = map.get(Vertex::new(3, 3, 7)).expect("a worm");
    assert_eq!(worm.liberties[0], 3);
    assert_eq!(worm.liberties[1], 1, "only upwards");
}

#[test]
fn cutting_and_potential_cutting_stones_are_told_apart() {
    let cutting = build(&board("X O .\nO X .\n. . .").0);
    assert_eq!(cutting.get(Vertex::new(0, 0, 3)).expect("a worm").cutstone, 2);
    let potential = build(&board(". . .\n. X O\n. O .").0);
    assert_eq!(potential.get(Vertex::new(1, 1, 3)).expect("a worm").cutstone, 1);
    assert_eq!(potential.get(Vertex::new(1, 2, 3)).expect("a worm").cutstone, 0);
}

#[test]
fn ko_is_marked_at_the_stone_in_atari_and_at_the_cavity() {
    let (b, marks) = board(". . . . .\n. X O . .\nX a X O .\n. X O . .\n. . . . .");
    let map = build(&b);
    let ko: Vec<Vertex> = b.vertices().filter(|&v| map.get(v).is_some_and(|w| w.ko)).collect();
    assert_eq!(ko, [marks['a'], Vertex::new(2, 2, 5)]);
}

#[test]
fn genus_counts_what_a_string_encloses() {
    let ring = build(&board("X X X .\nX . X .\nX X X X\nX . . X").0);
    assert_eq!(ring.get(Vertex::new(0, 0, 4)).expect("a worm").genus, 2);
}

const INESSENTIAL: &str = "
    . . . . . . . . .
    . . O O O O O . .
    . O O X X X O O .
    . O X a O b X O .
    . O O X X X O O .
    . . O O O O O . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .";

const LIVE_TOGETHER: &str = "
    . . . . . . . . .
    . . . O O O O . .
    . . O X X O O . .
    . O X X . X O . .
    . O X . X X O . .
    . O O X X O . . .
    . . O O O . . . .
    . . . . . . . . .
    . . . . . . . . .";

#[test]
fn a_nakade_stone_is_inessential_and_two_halves_of_a_live_group_are_not() {
    let (b, marks) = board(INESSENTIAL);
    let map = build(&b);
    let inessential: Vec<Vertex> = map.strings().filter(|w| w.inessential).map(|w| w.origin).collect();
    assert_eq!(inessential, [Vertex::new(3, 4, 9)]);
    assert_eq!(map.get(marks['a']).expect("a worm").color, WormColor::GrayBorder);
    assert!(build(&board(LIVE_TOGETHER).0).strings().all(|w| !w.inessential));
}

#[test]
fn a_lunch_is_no_inessential_strings_neighbour() {
    let (b, _) = board(INESSENTIAL);
    let mut map = build(&b);
    let neighbour = Vertex::new(2, 3, 9);
    map.settle_lunch(&b, |s| s == neighbour);
    let stone = map.get(Vertex::new(3, 4, 9)).expect("a worm");
    assert_eq!((stone.lunch, stone.inessential), (Some(neighbour), false));
}

#[test]
fn effective_size_of_the_captured_group_is_nine_and_a_third() {
    let (b, _) = board(
        "
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        X X X X X X X O
        X . O O O O X O
        X . O . . O . O",
    );
    let map = build(&b);
    let worm = map.get(Vertex::new(6, 2, 8)).expect("a worm");
    assert!((worm.effective_size - 9.333).abs() < 0.001, "{}", worm.effective_size);
    assert!((worm.recorded_effective_size() - 7.667).abs() < 0.001);
}

#[test]
fn cavities_know_their_border() {
    let map = build(&board(". X . O\nX X . O\n. . . O\n. . . O").0);
    let colors: Vec<WormColor> = map.cavities().map(|w| w.color).collect();
    assert_eq!(colors, [WormColor::BlackBorder, WormColor::GrayBorder]);
    assert_eq!(map.cavities().map(|w| w.size).collect::<Vec<_>>(), [1, 8]);
}
