//! Tests of shell completions and man pages.

use crate::common::{scratch, stdout, tengen, write};
use clap::CommandFactory as _;

/// All commands as their man pages are called: `tengen`, `tengen-run`, `tengen-chess-suite`.
fn commands() -> Vec<String> {
    fn below(command: &clap::Command, name: String, found: &mut Vec<String>) {
        for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
            below(inner, format!("{name}-{}", inner.get_name()), found);
        }
        found.push(name);
    }
    let mut found = Vec::new();
    below(&tengen::cli::Cli::command(), "tengen".into(), &mut found);
    found
}

#[test]
fn the_completions_of_every_shell_name_every_command() {
    let folder = scratch("completions");
    let commands = commands();
    assert!(commands.len() > 35, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = tengen(&folder, &["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        let script = stdout(&output);
        let words: std::collections::BTreeSet<&str> =
            script.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
        for word in commands.iter().flat_map(|command| command.split('-')) {
            assert!(words.contains(word), "{shell} does not complete {word}");
        }
        for option in ["--resume", "--engine", "--propagator"] {
            let bare = option.trim_start_matches('-');
            assert!(words.contains(option) || words.contains(bare), "{shell} does not complete {option}");
        }
        assert!(!script.contains("how other players are started"), "{shell} names what is hidden");
    }
    let output = tengen(&folder, &["completions", "tcsh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("bash, elvish, fish, powershell, zsh"));
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_and_options_by_the_completions() {
    let folder = scratch("completions_bash");
    let script = stdout(&tengen(&folder, &["completions", "bash"]));
    write(&folder, "tengen.bash", &script);
    for (words, wanted) in [
        ("tengen sel", "selfplay"),
        ("tengen chess su", "suite"),
        ("tengen example se", "selfplay"),
        ("tengen run --res", "--resume"),
        ("tengen keep", ""),
    ] {
        let last = words.split(' ').count() - 1;
        let current = words.rsplit(' ').next().unwrap();
        let before = words.rsplit(' ').nth(1).unwrap();
        let line = format!(
            "source ./tengen.bash; COMP_WORDS=({words}); COMP_CWORD={last}; _tengen tengen {current} {before}; echo \"${{COMPREPLY[*]}}\""
        );
        let output =
            std::process::Command::new("bash").args(["-c", &line]).current_dir(&folder).output().unwrap();
        assert_eq!(stdout(&output).trim(), wanted, "{words}: {output:?}");
    }
}

#[test]
fn every_command_has_a_man_page_with_its_name_and_options() {
    let folder = scratch("man_pages");
    let output = tengen(&folder, &["man", "--out", "share/man1"]);
    let mut wanted: Vec<String> = commands().into_iter().map(|name| format!("{name}.1")).collect();
    wanted.sort();
    assert_eq!(stdout(&output), format!("{} pages in share/man1\n", wanted.len()));
    let entries = std::fs::read_dir(folder.join("share/man1")).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, wanted);
    for name in names {
        let text = std::fs::read_to_string(folder.join("share/man1").join(&name)).expect("text");
        let title =
            format!(".TH {} 1  \"tengen {}\" Tengen", &name[..name.len() - 2], env!("CARGO_PKG_VERSION"));
        for part in [&title, ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", "\\fB\\-\\-help\\fR"] {
            assert!(text.lines().any(|line| line.contains(part)), "{name} without {part}");
        }
    }
    let first = std::fs::read_to_string(folder.join("share/man1/tengen.1")).expect("text");
    assert!(first.contains("Exit codes: 0 all went well"), "{first}");
    assert_eq!(stdout(&tengen(&folder, &["man"])), first);
}

#[test]
fn man_pages_go_into_a_folder_that_exists_and_write_over_nothing_unasked() {
    let folder = scratch("man_folder");
    write(&folder, "man1/other.1", "of another program");
    write(&folder, "file", "a file");
    assert_eq!(tengen(&folder, &["man", "--out", "man1"]).status.code(), Some(0));
    write(&folder, "man1/tengen-run.1", "mine");
    let mut refused =
        vec![("man1", "is there already: --force writes it anew"), ("file", "can't make file: ")];
    if cfg!(target_os = "linux") {
        refused.push(("/proc/none", "can't make /proc/none: "));
    }
    for (out, told) in refused {
        let output = tengen(&folder, &["man", "--out", out]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{out}: {text}");
        assert!(text.contains(told) && text.lines().count() == 1, "{out}: {text}");
    }
    let page = || std::fs::read_to_string(folder.join("man1/tengen-run.1")).expect("text");
    assert_eq!(page(), "mine");
    assert_eq!(tengen(&folder, &["man", "--out", "man1", "--force"]).status.code(), Some(0));
    assert!(page().contains(".SH NAME"));
    assert_eq!(tengen(&folder, &["man", "--force"]).status.code(), Some(2));
}
