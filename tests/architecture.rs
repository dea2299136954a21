//! The house as ARCHITECTURE.md draws it: dependencies point downwards, and every path it names is there.

use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Crate folder and the workspace crates it may depend on.
const MAY_DEPEND: &[(&str, &[&str])] = &[
    ("systems/core", &[]),
    ("systems/render", &[]),
    ("systems/search", &["tengen-core"]),
    ("systems/go", &["tengen-core", "tengen-search"]),
    ("systems/chess", &["tengen-core", "tengen-search"]),
    ("systems/propnet", &["tengen-core", "tengen-search"]),
    ("systems/tables", &[]),
];

#[test]
fn dependencies_run_from_core_to_search_to_the_domains_to_the_application() {
    for (folder, allowed) in MAY_DEPEND {
        let manifest = fs::read_to_string(repository().join(folder).join("Cargo.toml")).expect("a manifest");
        for line in manifest.lines().map(str::trim) {
            let key = line.split([' ', '.', '=']).next().unwrap_or("");
            let is_ours = key == "tengen" || key.starts_with("tengen-");
            assert!(!is_ours || allowed.contains(&key), "{folder} depends on {key}");
        }
    }
}

#[test]
fn every_path_that_the_architecture_names_exists() {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut named = 0;
    for (index, piece) in text.split('`').enumerate() {
        let is_path =
            ["src", "systems", "resources", "scenes", "benches", "tests", "docs", "examples", "fuzz", ".ci"]
                .iter()
                .any(|top| piece == *top || piece.starts_with(&format!("{top}/")));
        if index % 2 == 1 && is_path {
            named += 1;
            assert!(repository().join(piece).exists(), "ARCHITECTURE.md names `{piece}`");
        }
    }
    assert!(named >= 10, "it names its directories");
}

/// All Rust files below a folder.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn libraries_read_no_clock_and_no_file_and_files_stay_short() {
    let mut files = Vec::new();
    rust_files(&repository().join("systems"), &mut files);
    for path in &files {
        let name = path.strip_prefix(repository()).expect("below it").display().to_string();
        let text = fs::read_to_string(path).expect("a file");
        let is_test =
            name.contains("tests") || name.ends_with("/test_data.rs") || name.contains("/examples/");
        if !is_test {
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&text);
            if !name.starts_with("systems/core/src/profiler") {
                for clock in ["Instant::now", "SystemTime::now"] {
                    assert!(!code.contains(clock), "{name} reads the clock");
                }
            }
            for file in ["std::fs", "File::open"] {
                assert!(!code.contains(file), "{name} reads files");
            }
        }
        let lines = text.lines().count();
        assert!(lines <= 600, "{name} has {lines} lines, 600 are the most");
    }
}
