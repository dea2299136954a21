//! Tests of the area that a reading depends on.

use super::*;
use crate::goban;

#[test]
fn a_hop_takes_in_neighbours_and_the_whole_of_the_strings_there() {
    let (board, _) = goban!(
        ". . O . . . X",
        ". X O X . . X",
        ". . O X . . X",
        ". . O X . . X",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
    );
    let v = |text: &str| Vertex::from_gtp(text, 7).unwrap();
    let mut area = of_string(&board, v("B6"));
    for (text, inside) in
        [("B6", true), ("C6", true), ("A6", true), ("C4", false), ("D6", false), ("A7", false)]
    {
        assert_eq!(area.holds(v(text)), inside, "{text}");
    }
    hop(&mut area, &board);
    for (text, inside) in
        [("C4", true), ("A7", true), ("D4", true), ("E6", false), ("C3", false), ("G7", false)]
    {
        assert_eq!(area.holds(v(text)), inside, "{text}");
    }
}
