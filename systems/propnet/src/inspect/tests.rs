//! Tests of the data that the viewer shows of a net.

use super::facts::Facts;
use super::structure::{Alike, Structure};
use super::*;
use crate::game::{Game, LoadLimits};
use crate::net::Bases;
use serde_json::Value;
use tengen_core::SplitMix64;

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

/// A reader of exported JSON that knows nothing of nets: only what the head of `export.rs` says of the format.
struct Reader(Value);

impl Reader {
    /// The labels of parts of a kind that hold, where these bases and inputs do.
    fn true_labels(&self, kind: &str, facts: &[String]) -> Vec<String> {
        let parts = self.0["parts"].as_array().unwrap();
        let mut values: Vec<bool> = Vec::new();
        for part in parts {
            let mut reads = part["reads"]
                .as_array()
                .unwrap()
                .iter()
                .map(|read| values[read[0].as_u64().unwrap() as usize] != read[1].as_bool().unwrap());
            let value = match part["kind"].as_str().unwrap() {
                "constant" => false,
                "base" | "input" => facts.iter().any(|fact| *fact == part["label"]),
                "or" => reads.any(|value| value),
                _ => reads.all(|value| value),
            };
            values.push(value);
        }
        let of_kind = parts.iter().zip(values).filter(|(part, value)| *value && part["kind"] == kind);
        let mut labels: Vec<String> =
            of_kind.map(|(part, _)| part["label"].as_str().unwrap().to_owned()).collect();
        labels.sort_unstable();
        labels
    }
}

fn exported(text: &str) -> (Game, Inspection, Vec<export::NamedRule>) {
    let game = Game::load(text, LoadLimits::default(), &mut || false).unwrap();
    let inspection = Inspection::new(game.topology.as_ref().unwrap());
    let sheet = crate::review::rules(text).sheet;
    let rules = export::named(rules(&sheet, &inspection), text);
    (game, inspection, rules)
}

fn json_of(text: &str) -> Reader {
    let (game, inspection, rules) = exported(text);
    let topology = game.topology.as_ref().unwrap();
    let facts = Facts::new(topology, &inspection);
    let text = export::json(&topology.net, &inspection, &rules, &facts).to_string();
    Reader(serde_json::from_str(&text).unwrap())
}

fn with_word(word: &str, terms: &Value) -> Vec<String> {
    let terms = terms.as_array().unwrap().iter();
    terms.map(|term| format!("({word} {})", term.as_str().unwrap())).collect()
}

/// Replays the recorded playouts of a game by the exported net alone.
fn replays(name: &str) -> bool {
    let shared = std::env::var_os("TENGEN_SHARED").map_or_else(
        || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        std::path::PathBuf::from,
    );
    let Ok(trace) = std::fs::read_to_string(shared.join(format!("golden/gdl/traces/{name}.json"))) else {
        return false;
    };
    let reader = json_of(&std::fs::read_to_string(shared.join(format!("suites/gdl/{name}.kif"))).unwrap());
    let trace: Value = serde_json::from_str(&trace).unwrap();
    assert_eq!(trace["roles"], reader.0["roles"]);
    for playout in trace["playouts"].as_array().unwrap() {
        let mut facts = with_word("true", &reader.0["initial"]);
        for state in playout["states"].as_array().unwrap() {
            facts.sort_unstable();
            assert_eq!(facts, with_word("true", &state["true"]), "{name}");
            let is_terminal = !reader.true_labels("terminal", &facts).is_empty();
            assert_eq!(state["terminal"], is_terminal, "{name}");
            let roles = trace["roles"].as_array().unwrap();
            let mut legal: Vec<String> = Vec::new();
            for (role, moves) in roles.iter().zip(state["legal"].as_array().into_iter().flatten()) {
                legal.extend(with_word(&format!("legal {}", role.as_str().unwrap()), moves));
            }
            legal.sort_unstable();
            if !is_terminal {
                assert_eq!(reader.true_labels("legal", &facts), legal, "{name}");
            }
            let Some(joint) = state["move"].as_array() else { continue };
            let does = roles.iter().zip(joint);
            facts
                .extend(does.map(|(r, m)| format!("(does {} {})", r.as_str().unwrap(), m.as_str().unwrap())));
            let next = reader.true_labels("next", &facts);
            facts = next.iter().map(|label| label.replacen("(next ", "(true ", 1)).collect();
        }
    }
    true
}

#[test]
fn a_reader_of_the_exported_json_replays_recorded_games() {
    let replayed: Vec<bool> = ["ticTacToe", "connectFour", "tron_10x10"].map(replays).to_vec();
    // Without the recorded games the built-in one remains.
    let reader = json_of(NOUGHTS);
    let facts = with_word("true", &reader.0["initial"]);
    assert_eq!(reader.true_labels("legal", &facts).len(), 10, "nine cells, and the other side waits");
    assert!(replayed.iter().all(|&one| one) || !replayed.iter().any(|&one| one), "{replayed:?}");
}

#[test]
fn a_legal_move_is_exported_with_whose_turn_it_is_and_explained_by_its_rules() {
    let (_, inspection, rules) = exported(NOUGHTS);
    let legal = inspection.named("(legal noughts (put 1 1))").unwrap();
    // One of the two turns is the inverse of the other.
    let reads =
        |fact: &str| inspection.parts[legal].reads.iter().any(|r| inspection.parts[r.0].label == fact);
    assert!(reads("(true (turn noughts))") || reads("(true (turn crosses))"));
    let graph = export::dot(&inspection, &rules);
    let into = |part: usize| graph.lines().filter(|l| l.contains(&format!("-> n{part}"))).count();
    assert_eq!(into(legal), inspection.parts[legal].reads.len());
    assert!(into(legal) > 0);
    let said = export::explain(&inspection, &rules, legal);
    let line = rules.iter().find(|r| r.rule.derives.contains(&legal)).unwrap();
    assert!(said.contains(&format!("line {}: {}", line.line, line.text)), "{said}");
    assert!(said.contains("(true (square 1 1 empty))"), "{said}");
}

/// Whatever the other bases and the inputs are: a latch keeps its value, and what stays true is true afterwards.
#[test]
fn the_facts_of_a_net_hold_after_any_move_from_any_state() {
    for text in [NOUGHTS, include_str!("../../../../resources/gdl/heaps.kif")] {
        let game = Game::load(text, LoadLimits::default(), &mut || false).unwrap();
        let topology = game.topology.as_ref().unwrap();
        let net = &topology.net;
        let shown = Inspection::new(topology);
        let facts = Facts::new(topology, &shown);
        assert!(facts.complete && !facts.latches.is_empty(), "{facts:?}");
        let mut rng = SplitMix64::new(6);
        for _ in 0..2_000 {
            let mut state = Bases::with_capacity(net.bases());
            (0..net.bases()).for_each(|base| state.set(base, rng.below(2) == 0));
            let inputs: Vec<u32> = (0..net.inputs() as u32).filter(|_| rng.below(6) == 0).collect();
            let before = shown.values(&topology.evaluate(&state, &inputs));
            let mut next = Bases::with_capacity(net.bases());
            let part_of = |base: usize| shown.named(&format!("(next {})", net.names.bases[base])).unwrap();
            (0..net.bases()).for_each(|base| next.set(base, before[part_of(base)]));
            let after = shown.values(&topology.evaluate(&next, &[]));
            for latch in &facts.latches {
                assert!(before[latch.base] != latch.value || after[latch.base] == latch.value, "{latch:?}");
            }
            for &part in &facts.stay_true {
                assert!(!before[part] || after[part], "{}", shown.parts[part].label);
            }
        }
    }
}

fn structure_of(text: &str) -> (Game, Structure) {
    let game = Game::load(text, LoadLimits::default(), &mut || false).unwrap();
    let structure = Structure::new(game.topology.as_ref().unwrap());
    assert!(structure.complete);
    (game, structure)
}

/// Four lamps, each with a switch of its own, and a counter of moves.
const LAMPS: &str = "
    (role keeper)
    (lamp 1) (lamp 2) (lamp 3) (lamp 4)
    (init (off 1)) (init (off 2)) (init (off 3)) (init (off 4)) (init (step 1))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (<= (legal keeper (toggle ?l)) (lamp ?l))
    (<= (next (on ?l)) (does keeper (toggle ?l)) (true (off ?l)))
    (<= (next (off ?l)) (does keeper (toggle ?l)) (true (on ?l)))
    (<= (next (on ?l)) (true (on ?l)) (not (does keeper (toggle ?l))))
    (<= (next (off ?l)) (true (off ?l)) (not (does keeper (toggle ?l))))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (step 6)))
    (<= (goal keeper 100) (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)))
    (<= (goal keeper 0) (not (true (on 1))))";

#[test]
fn the_structure_of_a_board_game_is_found() {
    let (game, found) = structure_of(NOUGHTS);
    let names = &game.topology.as_ref().unwrap().net.names;
    let sentences: Vec<String> = found.alike(names).iter().map(Alike::sentence).collect();
    assert_eq!(
        sentences,
        [
            "Exactly one fact of each of 9 groups of 3 square facts holds, such as (square 1 1 crosses), (square 1 1 empty), (square 1 1 noughts).",
            "Exactly one of 2 turn facts holds: (turn crosses), (turn noughts).",
        ]
    );
    let turns: Vec<&str> = found.turns.iter().map(|&base| names.bases[base as usize].as_str()).collect();
    assert_eq!((turns, found.sum), (vec!["(turn noughts)", "(turn crosses)"], Some(100)));
    assert!(found.sub_games.is_empty());
}

#[test]
fn sub_games_are_sets_of_facts_that_no_move_joins() {
    let (game, found) = structure_of(LAMPS);
    let names = &game.topology.as_ref().unwrap().net.names;
    let facts = |bases: &Vec<u32>| bases.iter().map(|&b| names.bases[b as usize].clone()).collect::<Vec<_>>();
    let sub_games: Vec<Vec<String>> = found.sub_games.iter().map(facts).collect();
    let wanted: Vec<Vec<String>> = (1..=4).map(|n| vec![format!("(off {n})"), format!("(on {n})")]).collect();
    assert_eq!(sub_games, wanted);
    assert!(found.turns.is_empty() && found.sum.is_none(), "one role");
}

/// What is proved holds in every state of random games.
#[test]
fn the_structure_of_a_game_holds_in_every_state_of_random_games() {
    let heaps = include_str!("../../../../resources/gdl/heaps.kif");
    for text in [NOUGHTS, heaps, LAMPS] {
        let (game, found) = structure_of(text);
        let topology = game.topology.as_ref().unwrap();
        let names = &topology.net.names;
        let mut walk = crate::propagate::by_name("differential", topology).unwrap();
        let mut rng = SplitMix64::new(8);
        for _ in 0..3_000 {
            for group in &found.groups {
                let count = group.bases.iter().filter(|&&b| walk.state().contains(b as usize)).count();
                assert!(count == 1 || count == 0 && !group.exact, "{group:?}");
            }
            let legal: Vec<Vec<u32>> = (0..names.roles.len()).map(|role| walk.legal(role).to_vec()).collect();
            for (role, &base) in found.turns.iter().enumerate() {
                assert!(walk.state().contains(base as usize) || legal[role].len() <= 1);
            }
            if walk.terminal() || legal.iter().any(Vec::is_empty) {
                if let (Some(sum), true) = (found.sum, walk.terminal()) {
                    let values = topology.evaluate(walk.state(), &[]);
                    let goal = |role: usize| -> Option<i64> {
                        let lits = &topology.net.goals[role];
                        let at = lits.iter().position(|l| values[l.node()] ^ l.inverted())?;
                        names.goal_values[role][at].parse().ok()
                    };
                    assert!(goal(0).zip(goal(1)).is_none_or(|(a, b)| a + b == sum));
                }
                walk.restart(&names.initial);
                continue;
            }
            let joint: Vec<u32> =
                legal.iter().map(|moves| moves[rng.below(moves.len() as u32) as usize]).collect();
            walk.advance(&joint);
        }
    }
}

/// A move of one sub-game changes no fact of another, whatever the state is.
#[test]
fn no_move_of_a_sub_game_changes_a_fact_of_another() {
    let (game, found) = structure_of(LAMPS);
    let topology = game.topology.as_ref().unwrap();
    let net = &topology.net;
    let mut rng = SplitMix64::new(9);
    let after = |state: &Bases, input: u32, base: u32| {
        let values = topology.evaluate(state, &[input]);
        let lit = net.transitions[base as usize];
        values[lit.node()] ^ lit.inverted()
    };
    for _ in 0..500 {
        let mut state = Bases::with_capacity(net.bases());
        (0..net.bases()).for_each(|base| state.set(base, rng.below(2) == 0));
        for (n, own) in found.sub_games.iter().enumerate() {
            let mut other = state.clone();
            let foreign = found.sub_games.iter().enumerate().filter(|o| o.0 != n).flat_map(|o| o.1);
            foreign.for_each(|&base| other.set(base as usize, rng.below(2) == 0));
            let input = rng.below(net.inputs() as u32);
            for &base in own {
                assert_eq!(
                    after(&state, input, base),
                    after(&other, input, base),
                    "{}",
                    net.names.bases[base as usize]
                );
            }
        }
    }
}
