//! Tests that records, expectations and layers of the whole command line use the findings of the added system.

use std::path::Path;
use std::process::{Command, Output};

fn census(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_census"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("it starts")
}

#[test]
fn records_expectations_and_layers_know_what_the_system_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("census");
    std::fs::create_dir_all(&folder).expect("a folder");
    let scene = r#"(version: 1, scenes: [
        (name: "right", game: Go(size: 9, moves: ["E5", "C3", "G7"]), task: Analyse(last: Worms),
            expect: [Column(name: "own/census/black", is: 2), Column(name: "own/census", is: {"white": 1, "black": 2})]),
        (name: "wrong", game: Go(size: 9, moves: ["E5"]), task: Analyse(last: Worms),
            expect: [Column(name: "own/census/black", is: 2)]),
    ])"#;
    std::fs::write(folder.join("a.ron"), scene).expect("a scene");
    let output = census(&folder, &["run", "a.ron", "--format", "json", "--no-progress"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let records: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        records[0]["result"]["own"]["census"],
        serde_json::json!({ "black": 2, "white": 1 }),
        "{text}"
    );
    assert_eq!(
        (records[0]["status"].as_str(), records[1]["status"].as_str()),
        (Some("ok"), Some("failed")),
        "{text}"
    );
    let output = census(&folder, &["show", "a.ron", "--scene", "right", "--own", "crowd"]);
    let drawn = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(drawn.contains("how many of its neighbours") && drawn.matches('1').count() > 8, "{drawn}");
    let output = census(&folder, &["show", "a.ron", "--own", "cloud"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("crowd"), "the layers there are");
}
