//! Tests of races between dragons.

use super::*;
use crate::board::Line;
use crate::tactics::Code;

#[test]
fn a_race_says_what_follows_from_either_side_moving_first() {
    let point = Vertex::new(0, 0, 9);
    let won = RaceResult {
        defense: Code::Win,
        attack: Code::Win,
        line: Line::from(point),
        certain: true,
        nodes: 1,
    };
    let seki = RaceResult { attack: Code::Fail, ..won };
    let lost = RaceResult { defense: Code::Fail, attack: Code::Fail, ..won };
    for (own, other, status, in_seki) in [
        (won, won, Status::Critical, false),
        (won, seki, Status::Alive, false),
        (seki, seki, Status::Alive, true),
        (lost, won, Status::Unknown, false),
        (RaceResult { certain: false, ..won }, won, Status::Unknown, false),
        (RaceResult { line: Line::NONE, ..won }, won, Status::Unknown, false),
    ] {
        let found = claim(&own, &other, false);
        assert_eq!((found.status, found.seki), (status, in_seki), "{own:?} {other:?}");
    }
    let asked = claim(&lost, &won, true);
    assert_eq!((asked.status, asked.asked), (Status::Dead, true), "one that was asked about is lost");
}
