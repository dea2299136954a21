//! SECURITY.md promises nothing that no test holds.

mod common;

use common::{repository, scratch, tengen, write};
use std::fs;
use std::path::Path;

/// All Rust text below a folder, build folders left out.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                sources(&path, all);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&fs::read_to_string(&path).expect("text"));
        }
    }
}

#[test]
fn every_promise_names_tests_that_exist() {
    let text = fs::read_to_string(repository().join("SECURITY.md")).expect("it is there");
    let mut all = String::new();
    for folder in ["src", "systems", "tests"] {
        sources(&repository().join(folder), &mut all);
    }
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| promise") && !line.contains("---"))
        .collect();
    assert!(rows.len() >= 12, "the table of promises is there");
    for row in rows {
        let tests = row.trim_end_matches('|').rsplit('|').next().expect("a column");
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "a promise without a test: {row}");
        for name in names.iter().filter(|name| !name.contains('=')) {
            assert!(all.contains(&format!("fn {name}(")), "no test is called {name}");
        }
    }
    let manifest = fs::read_to_string(repository().join("Cargo.toml")).expect("it is there");
    assert!(manifest.contains("unsafe_code = \"deny\""));
}

#[test]
fn a_run_writes_in_its_folder_and_nowhere_else() {
    let folder = scratch("security_folder");
    write(
        &folder,
        "a.ron",
        r#"(version: 1, name: "escape", game: Chess(),
            task: SelfPlay(games: 1, players: [Search(nodes: 20)], max_moves: 4))"#,
    );
    let names = |folder: &Path| {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let around = names(folder.parent().expect("a parent"));
    let play = ["selfplay", "a.ron", "--games", "1", "--no-progress", "--out", "played"];
    assert_eq!(tengen(&folder, &play).status.code(), Some(0));
    assert_eq!(tengen(&folder, &["run", "a.ron", "--no-progress", "--out", "ran"]).status.code(), Some(0));
    assert_eq!(names(&folder), ["a.ron", "played", "ran"]);
    let beside: Vec<String> =
        names(folder.parent().expect("a parent")).into_iter().filter(|name| !around.contains(name)).collect();
    assert!(!beside.iter().any(|name| name.contains("escape")), "{beside:?}");
}
