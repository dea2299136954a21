//! Tests of single questions: how their answers refine an analysis.

use super::*;
use crate::board::Line;
use crate::dragons::{Dragon, DragonMap};
use crate::owl::Basis;
use crate::tactics::Code;

const POINT: Vertex = Vertex::new(0, 0, 9);

fn reading(code: Code, certain: bool) -> LifeReading {
    let point = if code.works() { POINT } else { Vertex::PASS };
    LifeReading {
        code,
        line: Line::from(point),
        certain,
        guess: Vertex::PASS,
        nodes: 1,
        basis: Basis::Judgement,
    }
}

fn life(stones: &[Vertex], readings: [(Code, bool); 2], named: [bool; 2]) -> LifeAnswer {
    LifeAnswer {
        stones: stones.to_vec(),
        readings: readings.map(|(code, certain)| reading(code, certain)),
        named,
    }
}

/// The claim of life and death from two answers.
fn claim(status: Status, certain: bool) -> Claim {
    let play = |works| Play {
        code: if works { Code::Win } else { Code::Fail },
        line: Line::from(POINT),
        certain,
        proved: false,
    };
    let (attack, defense) = (play(status != Status::Alive), play(status == Status::Critical));
    Claim { attack, defense, ..Claim::of(Rule::LifeAndDeath, status) }
}

#[test]
fn an_answer_gives_way_to_the_one_of_the_question_for_it_and_to_no_other() {
    let (fail, win) = ((Code::Fail, true), (Code::Win, true));
    let attack = life(&[POINT], [win, fail], [true, false]);
    let defence = life(&[POINT], [fail, win], [false, true]);
    let mut either = [QueryAnswers::default(), QueryAnswers::default()];
    for (asked, order) in either.iter_mut().zip([[&attack, &defence], [&defence, &attack]]) {
        assert!(order.into_iter().all(|life| asked.add_life(life.clone())));
        assert!(!asked.add_life(attack.clone()) && !asked.add_life(defence.clone()), "asked twice");
        assert_eq!(
            [true, false].map(|side| asked.life(&[POINT], side).map(|found| found.code)),
            [Some(Code::Win); 2]
        );
        assert_eq!(asked.life(&[Vertex::new(1, 1, 9)], true), None, "another dragon");
    }
    assert_eq!(either[0], either[1]);
}

#[test]
fn a_race_is_known_from_either_side() {
    let result = |nodes| RaceResult {
        defense: Code::Win,
        attack: Code::Fail,
        line: Line::from(POINT),
        certain: true,
        nodes,
    };
    let stones = [vec![POINT], vec![Vertex::new(1, 1, 9)]];
    let mut asked = QueryAnswers::default();
    assert!(asked.add_race(RaceAnswer { stones: stones.clone(), results: [result(1), result(2)] }));
    let [a, b] = &stones;
    assert_eq!(asked.race(a, b).map(|found| found[0].nodes), Some(1));
    assert_eq!(asked.race(b, a).map(|found| found[0].nodes), Some(2));
    assert!(!asked.add_race(RaceAnswer { stones: [b.clone(), a.clone()], results: [result(3), result(4)] }));
}

#[test]
fn an_answer_that_is_certain_is_the_status_and_another_only_where_nothing_was() {
    use Status as S;
    let (fail, win, perhaps_not, perhaps) =
        ((Code::Fail, true), (Code::Win, true), (Code::Fail, false), (Code::Win, false));
    let tactics = Claim { basis: Rule::Tactics, ..claim(S::Dead, true) };
    let eyes = Claim::of(Rule::Eyes, S::Alive);
    for (before, readings, status, rule) in [
        (claim(S::Dead, true), [fail, win], S::Alive, Rule::LifeAndDeath),
        (claim(S::Alive, true), [win, fail], S::Dead, Rule::LifeAndDeath),
        (claim(S::Alive, true), [win, win], S::Critical, Rule::LifeAndDeath),
        (tactics.clone(), [win, win], S::Critical, Rule::LifeAndDeath),
        (eyes.clone(), [win, fail], S::Dead, Rule::LifeAndDeath),
        (Claim::of(Rule::Unconditional, S::Alive), [win, fail], S::Alive, Rule::Unconditional),
        // What isn't certain changes nothing that is.
        (tactics, [perhaps_not, win], S::Critical, Rule::LifeAndDeath),
        (eyes.clone(), [perhaps, perhaps_not], S::Alive, Rule::Eyes),
        (eyes, [fail, win], S::Alive, Rule::Eyes),
        (claim(S::Critical, true), [perhaps_not, perhaps_not], S::Critical, Rule::LifeAndDeath),
        (claim(S::Critical, true), [perhaps_not, fail], S::Dead, Rule::LifeAndDeath),
        (claim(S::Dead, false), [perhaps, perhaps], S::Critical, Rule::LifeAndDeath),
        (claim(S::Alive, false), [win, perhaps], S::Critical, Rule::LifeAndDeath),
        // Of two answers that exclude each other the certain one counts, or the attack.
        (claim(S::Alive, true), [perhaps_not, fail], S::Dead, Rule::LifeAndDeath),
        (claim(S::Dead, true), [fail, fail], S::Alive, Rule::LifeAndDeath),
    ] {
        let dragon = Dragon { stones: vec![POINT], ..Dragon::default() };
        let measured = DragonMap { dragons: vec![dragon], ..DragonMap::default() };
        let claims = [vec![before.clone()]];
        let known = Evidence { measured: &measured, escapes: &[], claims: &[&claims] };
        let mut asked = QueryAnswers::default();
        assert!(asked.claims(&known)[0].is_empty());
        asked.add_life(life(&[POINT], readings, [true, true]));
        let found = known.with(0, &asked.claims(&known)[0]);
        assert_eq!((found.status, found.rule), (status, rule), "{before:?} {readings:?}");
        assert_eq!(found.safety == Safety::Dead, status == S::Dead);
    }
}
