//! Tests of the map of dragons.

use super::*;

#[test]
fn the_vital_points_are_those_of_the_rule_that_gave_the_status() {
    let point = |name: &str| Vertex::from_gtp(name, 9).expect("a vertex");
    let at = |name: &str| Play { line: Line::from(point(name)), ..Play::NONE };
    let owl = Owl { attack: at("A1"), ..Owl::default() };
    let race = Race { count: 1, attack: at("B2"), defense: at("C3"), asked: false };
    // A dragon that life-and-death reading gives up, and a race saves, has no defence but the race's.
    for (rule, owl, race, found) in [
        (Rule::Semeai, owl, race, (point("B2"), point("C3"))),
        (Rule::LifeAndDeath, owl, race, (point("A1"), Vertex::PASS)),
        (Rule::LifeAndDeath, Owl::default(), race, (point("B2"), point("C3"))),
        (Rule::LifeAndDeath, owl, Race::default(), (point("A1"), Vertex::PASS)),
    ] {
        let mut dragon = Dragon { origin: point("A1"), ..Dragon::default() };
        (dragon.status, dragon.rule, dragon.owl, dragon.semeai) = (Status::Critical, rule, owl, race);
        assert_eq!(dragon.vital_points(), Some(found));
        dragon.status = Status::Alive;
        assert_eq!(dragon.vital_points(), None);
    }
}
