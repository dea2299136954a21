//! Tests `tengen analyse` with `KaTrain`'s own classes. The points that `KaTrain` says a move loses must equal the
//! difference of Tengen's leads.

use crate::common::{python_with, repository};
use serde_json::Value;

#[test]
fn katrain_tells_points_lost_as_the_leads_of_the_program_differ() {
    let Some(python) = python_with("katrain") else { return };
    let script = repository().join("tests/drivers/katrain_game.py");
    let told = std::process::Command::new(python)
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_tengen"))
        .output()
        .expect("Python starts");
    let faults = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{faults}");
    let text = String::from_utf8(told.stdout).expect("text");
    let moves: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(moves.len(), 8, "{faults}");
    let number = |told: &Value, name: &str| told[name].as_f64().expect("a number");
    for (at, told) in moves.iter().enumerate() {
        let sign = if at % 2 == 0 { 1.0 } else { -1.0 };
        let lost = sign * (number(told, "lead_before") - number(told, "lead"));
        assert!((number(told, "points_lost") - lost).abs() < 1e-6, "{told}");
        assert_eq!(told["owners"], 81);
        assert!(told["line"].as_array().is_some_and(|line| line[0] == told["best"]), "{told}");
    }
    let worst = moves.iter().max_by(|a, b| number(a, "points_lost").total_cmp(&number(b, "points_lost")));
    assert_eq!(worst.map(|told| &told["move"]), Some(&Value::from("A1")));
}
