//! Tests that the whole command line has the added column and layer.

use std::fs;
use std::process::Command;

/// The program's exit code, output and messages.
fn census(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_census")).args(arguments).output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_column_is_in_records_and_expected_by_scenes_and_the_layer_is_drawn() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let (game, scene) = (format!("{folder}/a.sgf"), format!("{folder}/a.ron"));
    fs::write(&game, "(;GM[1]SZ[5];B[bb];W[cc];B[cb])").expect("written");
    let text = |black: u32| {
        format!(
            "(version: 1, name: \"a\", game: Go(sgf: \"a.sgf\"), task: Analyse(last: Worms),
                expect: [Column(name: \"own/census/black\", is: {black})])"
        )
    };
    let (code, records, _) = census(&["run", &game, "--no-progress", "--format", "json"]);
    assert_eq!(code, Some(0));
    assert!(records.contains("\"own\":{\"census\":{\"black\":2,\"white\":1}}"), "{records}");
    for (black, wanted) in [(2, 0), (3, 1)] {
        fs::write(&scene, text(black)).expect("written");
        let (code, table, messages) = census(&["run", &scene, "--no-progress"]);
        assert_eq!(code, Some(wanted), "{table}{messages}");
    }
    let (code, drawn, _) = census(&["show", &game, "--own", "crowd"]);
    assert_eq!(code, Some(0));
    assert!(drawn.contains("crowd: how many of its neighbours are occupied"), "{drawn}");
    let (code, _, why) = census(&["show", &game, "--own", "crows"]);
    assert_eq!(code, Some(2));
    assert!(why.contains("crowd"), "{why}");
}
