//! Tests of the table that turns claims about a dragon into its status.

use super::*;
use crate::board::Vertex;
use crate::tactics::Code;

const POINT: Vertex = Vertex::new(0, 0, 9);

fn play(code: Code, certain: bool) -> Play {
    Play { code, line: Line::from(if code.works() { POINT } else { Vertex::PASS }), certain, proved: false }
}

/// A claim of life-and-death reading, certain or not.
fn life(status: Status, certain: bool) -> Claim {
    let works = |yes: bool| play(if yes { Code::Win } else { Code::Fail }, certain);
    Claim {
        attack: works(status != Status::Alive),
        defense: works(status == Status::Critical),
        ..Claim::of(Rule::LifeAndDeath, status)
    }
}

fn race(status: Status, seki: bool) -> Claim {
    Claim {
        seki,
        attack: play(Code::Win, true),
        defense: play(Code::Win, true),
        ..Claim::of(Rule::Semeai, status)
    }
}

fn tactics(status: Status) -> Claim {
    let saved = if status == Status::Critical { Code::Win } else { Code::Fail };
    Claim { attack: play(Code::Win, true), defense: play(saved, true), ..Claim::of(Rule::Tactics, status) }
}

#[test]
fn the_first_line_of_the_table_that_applies_gives_the_status() {
    use Rule as R;
    use Status as S;
    let sure = Claim::of(R::Unconditional, S::Alive);
    let eyes = Claim::of(R::Eyes, S::Alive);
    let odds = |status| Claim::of(R::Odds, status);
    let asked = |status| Claim { asked: true, ..race(status, false) };
    for (claims, status, rule, safety) in [
        (vec![], S::Unknown, R::None, Safety::Unknown),
        (vec![sure.clone(), tactics(S::Critical)], S::Alive, R::Unconditional, Safety::Invincible),
        (vec![tactics(S::Dead)], S::Dead, R::Tactics, Safety::TacticallyDead),
        (vec![eyes], S::Alive, R::Eyes, Safety::StronglyAlive),
        (vec![life(S::Dead, true)], S::Dead, R::LifeAndDeath, Safety::Dead),
        (vec![life(S::Alive, false)], S::Alive, R::LifeAndDeath, Safety::Alive),
        // A single string that can be taken is critical at least.
        (vec![tactics(S::Critical)], S::Unknown, R::None, Safety::Unknown),
        (vec![tactics(S::Critical), life(S::Alive, true)], S::Critical, R::Tactics, Safety::Critical),
        (vec![tactics(S::Critical), life(S::Dead, true)], S::Dead, R::LifeAndDeath, Safety::Dead),
        // A race revives no dragon that was found dead to the end.
        (vec![life(S::Dead, true), race(S::Critical, false)], S::Dead, R::LifeAndDeath, Safety::Dead),
        (vec![life(S::Dead, true), race(S::Alive, false)], S::Dead, R::LifeAndDeath, Safety::Dead),
        (vec![life(S::Dead, false), race(S::Critical, false)], S::Critical, R::Semeai, Safety::Critical),
        (vec![life(S::Dead, false), race(S::Alive, false)], S::Alive, R::Semeai, Safety::Alive),
        (vec![life(S::Dead, false), race(S::Alive, true)], S::Alive, R::Semeai, Safety::AliveInSeki),
        (
            vec![life(S::Critical, true), race(S::Alive, false)],
            S::Critical,
            R::LifeAndDeath,
            Safety::Critical,
        ),
        (vec![life(S::Critical, false), race(S::Alive, false)], S::Alive, R::Semeai, Safety::Alive),
        // Of two races the one that is won counts, whichever is read first.
        (
            vec![life(S::Dead, false), race(S::Alive, false), race(S::Critical, false)],
            S::Alive,
            R::Semeai,
            Safety::Alive,
        ),
        // The odds stand against tactics and life and death, not against what lies before them in the table.
        (vec![life(S::Alive, false), odds(S::Dead)], S::Dead, R::Odds, Safety::Dead),
        (vec![life(S::Critical, true), odds(S::Alive)], S::Alive, R::Odds, Safety::Alive),
        (vec![tactics(S::Dead), odds(S::Alive)], S::Alive, R::Odds, Safety::Alive),
        (vec![life(S::Alive, false), odds(S::Critical)], S::Critical, R::Odds, Safety::Critical),
        (vec![sure.clone(), odds(S::Dead)], S::Alive, R::Unconditional, Safety::Invincible),
        // A race that was asked about revises what isn't certain, for the worse too.
        (vec![life(S::Alive, false), asked(S::Critical)], S::Critical, R::Semeai, Safety::Critical),
        (vec![life(S::Alive, false), asked(S::Dead)], S::Dead, R::Semeai, Safety::Dead),
        (vec![life(S::Alive, true), asked(S::Dead)], S::Alive, R::LifeAndDeath, Safety::Alive),
        (
            vec![life(S::Dead, false), asked(S::Dead), race(S::Critical, false)],
            S::Critical,
            R::Semeai,
            Safety::Critical,
        ),
        // A race that was not read to its end says nothing.
        (vec![life(S::Dead, false), race(S::Unknown, false)], S::Dead, R::LifeAndDeath, Safety::Dead),
    ] {
        let found = verdict(&claims.iter().collect::<Vec<_>>());
        assert_eq!((found.status, found.rule, found.safety), (status, rule, safety), "{claims:?}");
    }
}

#[test]
fn a_claim_of_more_effort_takes_the_place_of_the_one_before_it() {
    let (before, after) = (life(Status::Dead, false), life(Status::Critical, true));
    let found = verdict(&[&before, &after]);
    assert_eq!((found.status, found.owl.defense.line.start()), (Status::Critical, POINT));
}

#[test]
fn a_race_that_depends_on_who_moves_first_gives_its_points_unless_the_dragon_is_dead_to_the_end() {
    let race = race(Status::Critical, false);
    for (certain, points) in [(true, (Vertex::PASS, Vertex::PASS)), (false, (POINT, POINT))] {
        let found = verdict(&[&life(Status::Dead, certain), &race]).race;
        assert_eq!((found.count, (found.attack.line.start(), found.defense.line.start())), (1, points));
    }
}
