//! Tests of cutting points.

use super::*;

#[test]
fn saving_a_cutting_stone_makes_a_cutting_point() {
    let (mut b, _) = Board::from_diagram(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . O . . . . . .
        . . . . X . . . .
        . . . X O . . . .
        . . . O X . . . .
        . . . O . . . . .
        . . . . . . . . .
        . . . . . . . . .",
    )
    .expect("a diagram");
    let mut map = crate::worms::build(&b);
    let mut reader = Reader::default();
    let tactics = crate::tactics::map::read(&mut reader, &mut b);
    let mut links = ConnectionReader::new(LinkLimits::default());
    count(&b, &tactics, &mut links, &mut reader, &mut map);
    assert_eq!(map.get(Vertex::new(4, 4, 9)).map(|w| w.cutstone2), Some(1));
    assert_eq!(map.get(Vertex::new(2, 2, 9)).map(|w| w.cutstone2), Some(0));
}
