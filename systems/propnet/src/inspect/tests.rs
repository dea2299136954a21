//! Tests of the data that the viewer shows of a net.

use super::*;
use crate::game::{Game, LoadLimits};

const NOUGHTS: &str = include_str!("../../../../resources/gdl/noughts.kif");

fn noughts() -> Game {
    Game::load(NOUGHTS, LoadLimits::default(), &mut || false).expect("a good rulesheet")
}

#[test]
fn the_values_of_outputs_are_what_the_machine_answers() {
    let game = noughts();
    let topology = game.topology.as_ref().expect("it has a net");
    let shown = Inspection::new(topology);
    let mut machine = game.machine("auto").unwrap();
    let mut state = machine.initial();
    for turn in 0..6 {
        machine.enter(&state).unwrap();
        let facts = state.facts_in(topology.numbering).unwrap();
        let values = shown.values(&topology.evaluate(facts, &[]));
        let described = machine.describe(&state).unwrap();
        let holds = |label: &str| values[shown.named(label).expect("a part of this name")];
        assert_eq!(holds("terminal"), described.terminal);
        for fact in &topology.net.names.bases {
            assert_eq!(holds(&format!("(true {fact})")), described.facts.contains(fact), "{fact}");
        }
        for (role, name) in topology.net.names.roles.iter().enumerate() {
            for input in topology.net.inputs_of(role) {
                let text = &topology.net.names.moves[input];
                let is_legal = described.legal[role].contains(text);
                assert_eq!(holds(&format!("(legal {name} {text})")), is_legal, "{turn} {name} {text}");
            }
        }
        let joint: Vec<u32> = (0..2).map(|role| machine.legal(role).unwrap()[0]).collect();
        let successor = machine.successor(&joint).unwrap();
        let values = shown.values(&topology.evaluate(facts, &joint));
        let next = successor.facts_in(topology.numbering).unwrap();
        for (base, fact) in topology.net.names.bases.iter().enumerate() {
            let label = format!("(next {fact})");
            assert_eq!(values[shown.named(&label).unwrap()], next.contains(base), "{turn} {label}");
        }
        state = successor;
    }
}

#[test]
fn a_part_stands_above_all_it_reads_and_around_it_is_what_it_rests_on() {
    let game = noughts();
    let shown = Inspection::new(game.topology.as_ref().expect("it has a net"));
    for part in &shown.parts {
        assert!(part.reads.iter().all(|&(read, _)| shown.parts[read].level < part.level), "{part:?}");
    }
    let terminal = shown.named("terminal").unwrap();
    let around = shown.around(terminal, usize::MAX);
    assert!(around.contains(&shown.named("(true (square 1 1 empty))").unwrap()));
    assert!(!around.contains(&shown.named("(does noughts (put 1 1))").unwrap()));
    assert_eq!(shown.around(terminal, 3).len(), 3);
}

#[test]
fn rules_lead_to_the_parts_they_speak_of() {
    let game = noughts();
    let shown = Inspection::new(game.topology.as_ref().expect("it has a net"));
    let (sheet, errors) = crate::gdl::read(NOUGHTS);
    assert!(errors.is_empty());
    let rules = rules(&sheet, &shown);
    let of = |start: &str| {
        let is_it = |r: &&Rule| NOUGHTS[r.span.clone()].starts_with(start);
        rules.iter().find(is_it).unwrap_or_else(|| panic!("{start}"))
    };
    let labels = |list: &[usize]| list.iter().map(|&p| shown.parts[p].label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(&of("(<= (legal ?p (put").derives).len(), 18);
    assert_eq!(labels(&of("(<= (legal ?p wait").derives), ["(legal noughts wait)", "(legal crosses wait)"]);
    assert_eq!(labels(&of("(<= terminal any").derives), ["terminal"]);
    assert_eq!(labels(&of("(<= (goal ?p 50)").derives), ["(goal noughts 50)", "(goal crosses 50)"]);
    // (true (square ?c 1 ?p)) and two like it, for empty squares too: the head says nothing of ?p.
    assert_eq!(of("(<= (three ?p) (role ?p) (line3 ?c)").reads.len(), 27);
    let any_three = of("(<= any_three");
    assert!(any_three.derives.is_empty() && any_three.reads.is_empty());
    let users: Vec<&str> = any_three.used_by.iter().map(|&r| &NOUGHTS[rules[r].span.clone()]).collect();
    assert_eq!(users, ["(<= terminal any_three)", "(<= (goal ?p 50) (role ?p) (not any_three))"]);
}
