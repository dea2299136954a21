//! Tests of `tengen example`, which writes embedded examples for a new user without a clone of the repository.

use crate::common::{scratch, stdout, tengen, write};
use std::path::Path;
use std::process::Command;

const ABOUT: [&str; 4] = ["go", "chess", "gdl", "selfplay"];

/// The command that an example names, without the program.
fn next_of(printed: &str) -> String {
    let line = printed.lines().last().expect("it prints something");
    line.strip_prefix("next: tengen ").expect("the next command").to_owned()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn each_example_runs_with_the_command_it_names() {
    let folder = scratch("example_next");
    for about in ABOUT {
        let output = tengen(&folder, &["example", about]);
        assert_eq!(output.status.code(), Some(0), "{about}: {output:?}");
        let printed = stdout(&output);
        let listed: Vec<&str> = printed.lines().take_while(|line| !line.is_empty()).collect();
        for line in &listed {
            let file = line.split_once("  ").expect("a path and what it is").0;
            assert!(folder.join(file).is_file(), "{about}: {line}");
        }
        assert_eq!(listed.len(), names(&folder.join(format!("{about}-example"))).len(), "{about}");
        let next = next_of(&printed);
        let run = tengen(&folder, &next.split(' ').collect::<Vec<_>>());
        assert_eq!(run.status.code(), Some(0), "{about}: {next}: {}", stdout(&run));
    }
}

#[test]
fn whoever_names_no_example_or_a_wrong_one_reads_which_there_are() {
    for arguments in [&["example"][..], &["example", "shogi"]] {
        let output = tengen(&scratch("example_none"), arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(ABOUT.iter().all(|about| text.contains(about)), "{arguments:?}: {text}");
    }
}

#[test]
fn each_example_is_valid_and_stands_alone() {
    let folder = scratch("example_alone");
    for about in ABOUT {
        tengen(&folder, &["example", about, "--out", "below/it"]);
        let moved = folder.join(about);
        std::fs::rename(folder.join("below/it"), &moved).expect("it moves");
        let output = tengen(&moved, &["check", "."]);
        assert_eq!(output.status.code(), Some(0), "{about}: {}", stdout(&output));
        for name in names(&moved) {
            let text = std::fs::read_to_string(moved.join(&name)).expect("text");
            assert!(!text.contains("../"), "{about}/{name} names a file outside");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_next_command_of_an_example_can_be_pasted_whatever_the_folder_is_called() {
    let folder = scratch("example_names");
    for name in ["with a blank", "it's", "-dash", "a;b$(c)`d`", "囲碁", "back\\slash"] {
        let output = tengen(&folder, &["example", "gdl", &format!("--out={name}")]);
        let next = next_of(&stdout(&output));
        let own = env!("CARGO_BIN_EXE_tengen");
        let line = format!("'{own}' {}", next.replacen("run", "check", 1));
        let pasted = Command::new("sh").args(["-c", &line]).current_dir(&folder).output().expect("a shell");
        assert_eq!(pasted.status.code(), Some(0), "{name}: {next}: {pasted:?}");
    }
}

#[test]
fn an_example_writes_over_nothing_and_tells_in_a_line_why_it_can_not_write() {
    let folder = scratch("example_refused");
    write(&folder, "full/mine.txt", "mine");
    write(&folder, "file", "a file");
    std::fs::create_dir(folder.join("empty")).expect("a folder");
    let mut refused = vec![
        ("full", "full is there already"),
        ("file", "file is there already"),
        ("file/below", "can't make file/below: "),
    ];
    if cfg!(target_os = "linux") {
        refused.push(("/proc/none", "can't make /proc/none: "));
    }
    for (out, told) in refused {
        let output = tengen(&folder, &["example", "go", "--out", out]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{out}: {text}");
        assert!(text.contains(told) && text.lines().count() == 1, "{out}: {text}");
        assert!(output.stdout.is_empty(), "{out}");
    }
    assert_eq!(names(&folder.join("full")), ["mine.txt"]);
    assert_eq!(tengen(&folder, &["example", "go", "--out", "empty"]).status.code(), Some(0));
    let again = tengen(&folder, &["example", "go", "--out", "empty"]);
    assert_eq!(again.status.code(), Some(2), "{again:?}");
}

/// A limit of the shell stands for a full disk: the second file is larger than it allows.
#[cfg(target_os = "linux")]
#[test]
fn an_example_that_can_not_be_written_whole_leaves_nothing_behind() {
    let folder = scratch("example_full");
    // `trap '' XFSZ`: a write beyond the limit is an error, not a signal.
    let line = format!("trap '' XFSZ; ulimit -f 2; '{}' example go --out half", env!("CARGO_BIN_EXE_tengen"));
    let output = Command::new("bash").args(["-c", &line]).current_dir(&folder).output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("tengen: can't write half/worms.ron: ") && text.lines().count() == 1, "{text}");
    assert!(!folder.join("half").exists());
}
