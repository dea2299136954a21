//! Compares the status of dragons in the schedule with the recordings of GNU Go 3.8.
#![allow(
    clippy::print_stderr,
    reason = "the share and the classes of disagreement are shown beside the assertion"
)]

mod support;

use std::collections::BTreeMap;
use support::{board, oracles};
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::DragonMap;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine};

/// Percent of the recorded dragons whose status must agree.
const FLOOR: f64 = 91.0;

#[test]
fn most_recorded_dragons_have_the_recorded_status() {
    let mut engine = GoEngine::new(1);
    let (mut same, mut total) = (0_u32, 0_u32);
    // By recorded status, ours, the rule that gave it, and whether the dragons are of one size.
    let mut classes: BTreeMap<String, u32> = BTreeMap::new();
    for oracle in oracles() {
        let to_move = match oracle.json["to_move"].as_str() {
            Some("white") => Color::White,
            _ => Color::Black,
        };
        engine.put(0, Position::new(board(&oracle), to_move));
        engine.analyse(AnalyseSystems::Dragons);
        let map = engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("the stage was asked for");
        for dragon in oracle.json["dragons"].as_array().expect("dragons") {
            let text = |key: &str| dragon[key].as_str().expect("a text");
            let v = Vertex::from_gtp(text("vertex"), oracle.size).expect("a vertex");
            let ours = map.at(v).expect("a dragon");
            total += 1;
            if ours.status.name() == text("status") {
                same += 1;
                continue;
            }
            let size = dragon["size"].as_u64().expect("a size") as usize;
            let stones = if ours.size() == size { "same stones" } else { "other stones" };
            let class =
                format!("{}, ours {} by {:?}, {stones}", text("status"), ours.status.name(), ours.rule);
            *classes.entry(class).or_default() += 1;
        }
    }
    if total > 0 {
        for (class, number) in &classes {
            eprintln!("{number:4} {class}");
        }
        let share = 100.0 * f64::from(same) / f64::from(total);
        eprintln!("{same} of {total} recorded dragons have the recorded status: {share:.1} %");
        assert!(share >= FLOOR, "{share:.1} %");
    }
}
