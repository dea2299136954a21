//! Tests of scenes: globs, cases of many positions, and scenes that cannot be read.

use super::paths::{glob, matches};
use super::{Input, PlainFiles, cases};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of this test's own under the build folder, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-scene-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn names(base: &Path, pattern: &str) -> Vec<String> {
    let found = glob(base, pattern).expect("readable folders");
    found.iter().map(|p| crate::files::display(p.strip_prefix(base).unwrap_or(p))).collect()
}

#[test]
fn classes_in_globs_take_one_character_of_their_ranges() {
    for (pattern, takes, leaves) in [
        ("[a-c].sgf", "b.sgf", "d.sgf"),
        ("[!a-c].sgf", "d.sgf", "b.sgf"),
        ("[^a-c].sgf", "d.sgf", "b.sgf"),
        ("game[0-57]", "game7", "game6"),
        ("x[]y]z", "x]z", "xz"),
        ("[a-]", "-", "b"),
        ("a[b", "a[b", "ab"),
        ("*[ab]*", "xxbxx", "xxcxx"),
    ] {
        assert!(matches(pattern, takes), "{pattern} takes {takes}");
        assert!(!matches(pattern, leaves), "{pattern} leaves {leaves}");
    }
}

#[test]
fn globs_are_relative_to_their_base_absolute_or_a_name_as_it_stands() {
    let files = [("b.sgf", ""), ("a.sgf", ""), ("x/c.sgf", ""), ("x/.h.sgf", ""), ("[odd]/d.sgf", "")];
    let base = folder("globs", &files);
    assert_eq!(names(&base, "*.sgf"), ["a.sgf", "b.sgf"]);
    assert_eq!(names(&base, "[b-z].sgf"), ["b.sgf"]);
    assert_eq!(names(&base, "**/*.sgf"), ["[odd]/d.sgf", "a.sgf", "b.sgf", "x/c.sgf"]);
    assert_eq!(names(&base, "[odd]/*.sgf"), ["[odd]/d.sgf"]);
    assert_eq!(names(&base, "no/*.sgf"), Vec::<String>::new());
    let absolute = base.join("x").join("*.sgf");
    assert_eq!(names(&base, &absolute.to_string_lossy()), ["x/c.sgf"]);
    fs::remove_dir_all(&base).expect("removed");
}

#[test]
fn one_scene_over_many_games_makes_a_case_of_every_nth_position_with_a_seed_of_its_own() {
    let scene = "(version: 1, name: \"all\", for_each: Sgf(glob: \"*.sgf\", every: 2), task: Analyse())";
    let files = [
        ("all.ron", scene),
        ("a.sgf", "(;SZ[9];B[aa];W[bb];B[cc];W[dd];B[ee])"),
        ("torn.sgf", "(;SZ[9];B[aa"),
    ];
    let base = folder("cases", &files);
    let cases = cases::of_files(&[base.join("all.ron")], 7, &PlainFiles::default());
    let ids: Vec<&str> = cases.iter().filter_map(|c| c.id.split('#').nth(1)).collect();
    assert_eq!(ids, ["all/a.sgf@0", "all/a.sgf@2", "all/a.sgf@4", "all/torn.sgf"]);
    assert!(matches!(cases[3].input, Input::Fault(_)), "the torn record is one case");
    assert!(cases[..3].windows(2).all(|pair| pair[0].seed != pair[1].seed));
    let again = cases::of_files(&[base.join("all.ron")], 7, &PlainFiles::default());
    assert!(cases.iter().zip(&again).all(|(a, b)| a.seed == b.seed && a.id == b.id));
    fs::remove_dir_all(&base).expect("removed");
}

#[test]
fn a_scene_that_could_not_be_read_is_one_case_with_the_fault() {
    let base = folder("unread", &[("a.ron", "(version: 1, name: \"a\"")]);
    let cases = cases::of_files(&[base.join("a.ron"), base.join("none.ron")], 1, &PlainFiles::default());
    assert_eq!(cases.len(), 2);
    for case in &cases {
        let Input::Fault(fault) = &case.input else { panic!("a fault") };
        assert!(fault.file.is_some() && fault.at.is_some() && fault.help.is_some(), "{fault}");
    }
    fs::remove_dir_all(&base).expect("removed");
}
