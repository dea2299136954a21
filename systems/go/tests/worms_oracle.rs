//! Compares worms with the recorded worm data of GNU Go 3.8.
#![allow(clippy::print_stdout, reason = "a test that compares shows the figures")]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use support::{board, oracles};
use tengen_go::board::{Board, Vertex};
use tengen_go::worms;

fn number(json: &Value, field: &str) -> f64 {
    json[field].as_f64().unwrap_or_else(|| panic!("{field} is a number"))
}

/// Whether two enemy strings touch the string that share no liberty: the manual's definition of a cutting stone.
fn is_cutting(board: &Board, string: Vertex) -> bool {
    let enemies = board.adjacent_strings(string);
    let apart = |a: Vertex, b: Vertex| !board.liberty_vertices(a).any(|v| board.is_liberty(v, b));
    enemies.iter().enumerate().any(|(i, &a)| enemies[..i].iter().any(|&b| apart(a, b)))
}

#[test]
fn every_recorded_worm_has_the_recorded_fields() {
    let mut wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut strings, mut as_defined) = (0, 0);
    for oracle in oracles() {
        let board = board(&oracle);
        let mut map = worms::build(&board);
        let recorded = oracle.json["worms"].as_array().expect("worms");
        let attacked: Vec<Vertex> = recorded
            .iter()
            .filter(|w| w["lunch"] != "PASS")
            .filter_map(|w| Vertex::from_gtp(w["lunch"].as_str()?, oracle.size))
            .map(|v| board.origin(v))
            .collect();
        map.settle_lunch(&board, |v| attacked.contains(&v));
        assert_eq!(map.strings().count(), recorded.len(), "{}", oracle.name);
        for (ours, theirs) in map.strings().zip(recorded) {
            strings += 1;
            let name = theirs["vertex"].as_str().expect("a vertex");
            as_defined += usize::from(is_cutting(&board, ours.origin) == (number(theirs, "cutstone") == 2.0));
            let lunch_known = (theirs["lunch"] == "PASS") == ours.lunch.is_none();
            let fields = [
                ("origin", ours.origin.to_gtp(oracle.size) == name),
                (
                    "color",
                    ours.color.stone().expect("a string").to_string()
                        == theirs["color"].as_str().unwrap_or(""),
                ),
                ("size", f64::from(ours.size) == number(theirs, "size")),
                (
                    "effective_size",
                    (f64::from(ours.recorded_effective_size()) - number(theirs, "effective_size")).abs()
                        < 0.006,
                ),
                ("liberties", f64::from(ours.liberties[0]) == number(theirs, "liberties")),
                ("liberties2", f64::from(ours.liberties[1]) == number(theirs, "liberties2")),
                ("liberties3", f64::from(ours.liberties[2]) == number(theirs, "liberties3")),
                ("liberties4", f64::from(ours.liberties[3]) == number(theirs, "liberties4")),
                ("cutstone", f64::from(ours.cutstone) == number(theirs, "cutstone")),
                ("genus", f64::from(ours.genus) == number(theirs, "genus")),
                (
                    "inessential",
                    !lunch_known || f64::from(u8::from(ours.inessential)) == number(theirs, "inessential"),
                ),
            ];
            for (field, right) in fields {
                if !right {
                    wrong.entry(field).or_default().push(format!("{} {name}", oracle.name));
                }
            }
        }
    }
    println!("{strings} strings; cutstone by the manual's definition agrees on {as_defined}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
