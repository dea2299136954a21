//! Replays the recorded playouts of the open rulesheets; needs `../shared`.

use serde_json::Value;
use std::path::PathBuf;
use tengen_propnet::machine::{ProverMachine, StateMachine};
use tengen_propnet::program::Program;

fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TENGEN_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")), PathBuf::from);
    if path.is_dir() { Some(path) } else { None }
}

#[test]
fn the_prover_replays() {
    let Some(shared) = shared() else {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: no ../shared\n");
        return;
    };
    for game in ["ticTacToe", "buttons", "hanoi", "blocksWorld", "3pttc", "haystack"] {
        let text = std::fs::read_to_string(shared.join(format!("suites/gdl/{game}.kif"))).unwrap();
        let trace = std::fs::read_to_string(shared.join(format!("golden/gdl/traces/{game}.json"))).unwrap();
        let trace: Value = serde_json::from_str(&trace).unwrap();
        let mut m = ProverMachine::new(Program::read(&text).unwrap()).unwrap();
        for playout in trace["playouts"].as_array().unwrap() {
            let mut state = m.initial();
            for s in playout["states"].as_array().unwrap() {
                m.enter(&state).unwrap();
                let d = m.describe(&state).unwrap();
                assert_eq!(s["terminal"], d.terminal, "{game}");
                if s["true"].is_array() {
                    assert_eq!(s["true"], serde_json::json!(d.facts), "{game}");
                }
                if let Some(moves) = s["move"].as_array() {
                    let texts: Vec<String> = moves.iter().map(|v| v.as_str().unwrap().to_owned()).collect();
                    let joint = m.joint_move(&texts).unwrap();
                    state = m.successor(&joint).unwrap();
                }
            }
        }
    }
}
