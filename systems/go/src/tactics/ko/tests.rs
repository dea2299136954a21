//! Tests of the komaster rule of tactical reading.

use super::*;
use crate::goban;

#[test]
fn the_komasters_opponent_may_take_more_than_the_ko_stone() {
    let at = Vertex::from_gtp("A5", 5).unwrap();
    let state = KoState::Master(Color::White, at);
    let (mut two, _) = goban!(". O X . .", "O X . . .", "X . . . .", ". . . . .", ". . . . .");
    assert_eq!(play(&mut two, Color::Black, at, state, true), Some((KoState::Free, false)));
    let (mut one, _) = goban!(". O X . .", "O X . . .", "O . . . .", ". . . . .", ". . . . .");
    assert_eq!(play(&mut one, Color::Black, at, state, true), None);
}
