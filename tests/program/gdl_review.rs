//! Tests that `tengen gdl check` and `tengen run` agree about every rulesheet: valid rulesheets, samples and mutations.

use crate::common::{repository, scratch, stdout, tengen};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tengen_core::SplitMix64;

fn shared() -> PathBuf {
    std::env::var_os("TENGEN_SHARED").map_or_else(|| repository().join("../shared"), Into::into)
}

/// The rulesheets of a folder, by name.
fn sheets(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "kif")).collect();
    found.sort();
    found
}

/// What `gdl check` says of each file, on all cores: the code of its first error, or nothing.
fn checked(folder: &Path, names: &[String]) -> BTreeMap<String, Option<String>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Mutations of one sheet lie side by side and cost alike, so every core gets some of each.
    let shares: Vec<Vec<String>> =
        (0..cores).map(|core| names.iter().skip(core).step_by(cores).cloned().collect()).collect();
    let checking =
        |share: &Vec<String>| if share.is_empty() { BTreeMap::new() } else { checked_by_one(folder, share) };
    std::thread::scope(|scope| {
        let threads: Vec<_> = shares.iter().map(|share| scope.spawn(|| checking(share))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a check")).collect()
    })
}

/// The same in one process.
fn checked_by_one(folder: &Path, names: &[String]) -> BTreeMap<String, Option<String>> {
    let mut arguments = vec!["gdl", "check"];
    arguments.extend(names.iter().map(String::as_str));
    let text = stdout(&tengen(folder, &arguments));
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let Some((name, rest)) = line.split_once(".kif:") else { continue };
        let name = format!("{name}.kif");
        if rest.contains(" error: ") {
            let code = rest.rsplit_once('[').map_or(rest, |(_, code)| code.trim_end_matches(']'));
            found.entry(name).or_insert_with(|| Some(code.to_owned()));
        } else if rest.contains("no errors") {
            found.insert(name, None);
        }
    }
    found
}

/// Rulesheets without a net: each mutation of them costs as much as a hundred others.
const WITHOUT_NET: [&str; 3] = ["chess", "merrills", "slaughter"];

/// What `run` with 20 random games says of each file, or with one where there is no net.
fn run(folder: &Path, names: &[String]) -> BTreeMap<String, Option<String>> {
    let scene = |name: &String| {
        let playouts = if WITHOUT_NET.iter().any(|stem| name.starts_with(stem)) { 1 } else { 20 };
        let task = format!("Playouts(count: {playouts})");
        format!("(name: {name:?}, game: Gdl(rules: {name:?}), task: {task}),\n")
    };
    let scenes: String = names.iter().map(scene).collect();
    fs::write(folder.join("all.ron"), format!("(version: 1, scenes: [\n{scenes}])")).unwrap();
    let text = stdout(&tengen(folder, &["run", "all.ron", "--format", "json", "--no-progress"]));
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    records
        .map(|record| {
            let id = record["id"].as_str().expect("an id");
            let name = id.rsplit_once('#').map_or(id, |(_, name)| name).to_owned();
            let error = &record["result"]["error"];
            let code = (record["status"] == "error")
                .then(|| error["kind"].as_str().map_or_else(|| error.to_string(), str::to_owned));
            (name, code)
        })
        .collect()
}

/// The words and parentheses of a text; comments are left out.
fn tokens(text: &str) -> Vec<String> {
    let bare: String =
        text.lines().map(|line| format!("{} ", line.split(';').next().unwrap_or(""))).collect();
    let spaced = bare.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// One token deleted, doubled, swapped with another or renamed.
fn mutated(text: &str, random: &mut SplitMix64) -> String {
    let mut tokens = tokens(text);
    let count = u32::try_from(tokens.len()).expect("a short text");
    let (at, other) = (random.below(count) as usize, random.below(count) as usize);
    match random.below(4) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        2 => tokens.swap(at, other),
        _ => {
            let words: Vec<usize> = (0..tokens.len()).filter(|&n| !"()".contains(&tokens[n])).collect();
            let at = words[random.below(u32::try_from(words.len()).expect("fewer than tokens")) as usize];
            tokens[at] =
                if random.below(2) == 0 { tokens[other].clone() } else { format!("{}x", tokens[at]) };
        }
    }
    tokens.join(" ")
}

/// Each rulesheet and mutations of it, checked and run. Returns how many of how many were refused.
fn agree(name: &str, sheets: &[PathBuf], mutations: usize) -> (usize, usize) {
    let folder = scratch(name);
    let mut random = SplitMix64::new(69);
    let mut names = Vec::new();
    for path in sheets {
        let text = fs::read_to_string(path).unwrap();
        let stem = path.file_stem().unwrap().to_string_lossy();
        let mutations = if WITHOUT_NET.contains(&&*stem) { mutations.min(2) } else { mutations };
        for n in 0..=mutations {
            let name = format!("{stem}_{n}.kif");
            let text = if n == 0 { text.clone() } else { mutated(&text, &mut random) };
            fs::write(folder.join(&name), text).unwrap();
            names.push(name);
        }
    }
    let (checked, run) = (checked(&folder, &names), run(&folder, &names));
    assert_eq!(checked.len(), names.len());
    let differ: Vec<String> = names
        .iter()
        .filter(|name| checked.get(*name) != run.get(*name))
        .map(|name| format!("{name}: check {:?}, run {:?}", checked.get(name), run.get(name)))
        .collect();
    assert!(differ.is_empty(), "{} differences:\n{}", differ.len(), differ.join("\n"));
    (checked.values().flatten().count(), names.len())
}

#[test]
fn check_and_run_agree_on_the_samples() {
    let sheets: Vec<PathBuf> = sheets(&repository().join("scenes/gdl/faults"))
        .into_iter()
        .filter(|path| !path.ends_with("gdl-encoding.kif"))
        .collect();
    assert!(agree("review_samples", &sheets, 0).0 >= 18);
}

#[test]
fn check_and_run_agree_on_small_open_rulesheets_and_two_hundred_mutations() {
    let mut sheets = sheets(&shared().join("suites/gdl"));
    if sheets.is_empty() {
        say("skipped: the open rulesheets are not here");
        return;
    }
    sheets.sort_by_key(|path| path.metadata().map_or(0, |m| m.len()));
    sheets.truncate(20);
    let (refused, _) = agree("review_small", &sheets, 10);
    assert!(refused > 40, "{refused} of 200 mutations are refused");
}

#[test]
#[ignore = "takes some minutes"]
fn check_and_run_agree_on_all_open_rulesheets_and_two_thousand_mutations() {
    let sheets = sheets(&shared().join("suites/gdl"));
    if sheets.is_empty() {
        say("skipped: the open rulesheets are not here");
        return;
    }
    let (refused, of) = agree("review_all", &sheets, 16);
    say(&format!("{refused} of {of} rulesheets and mutations are refused"));
    assert!(of >= 2000 && refused > 1000, "{refused} of {of}");
}

#[test]
fn the_cases_of_public_reports_get_the_right_answer() {
    let folder = shared().join("cases");
    // The file, and what `gdl check` must say in some line.
    let cases = [
        ("gdl_role_by_rule.kif", "26 rules, no errors"),
        ("gdl_role_by_rule_mixed.kif", "26 rules, no errors"),
        (
            "gdl_no_legal.kif",
            "1:9: warning: `b` has no legal move in a state that is not terminal: (ctl a) (n 0)",
        ),
        ("gdl_two_goals.kif", "17:15: warning: `b` has the goals 0 and 50 in a terminal state"),
        ("gdl_wrong_words.kif", "9:40: error: `legal` must not depend on a move (`does`)"),
        ("gdl_check_vs_run.kif", "14:1: error: the `or`s of this rule multiply"),
        ("gdl_function_arity.kif", "13:23: warning: the function `step` has 2 arguments here and 1 before"),
    ];
    for (name, wanted) in cases {
        if !folder.join(name).exists() {
            say(&format!("skipped: {name} is not here"));
            continue;
        }
        let found = stdout(&tengen(&folder, &["gdl", "check", name]));
        assert!(found.contains(wanted), "{name}: {found}");
    }
    if folder.join("gdl_role_by_rule_mixed.kif").exists() {
        for (name, roles, goals) in
            [("gdl_role_by_rule.kif", 2, 2), ("gdl_role_by_rule_mixed.kif", 2, 2), ("gdl_no_legal.kif", 2, 0)]
        {
            let found = tengen(&folder, &["run", name, "--format", "json", "--no-progress"]);
            let record: Value = serde_json::from_slice(&found.stdout).expect("a record");
            let count = |field: &str| record["result"][field].as_array().map(Vec::len);
            assert_eq!((count("roles"), count("goals")), (Some(roles), Some(goals)), "{name}");
        }
    }
}

#[test]
fn an_encoding_a_length_and_a_mark_get_one_answer_everywhere() {
    let folder = scratch("review_bytes");
    let good = "(role a)\n(init b)\n(<= (legal a c) (true b))\n(<= terminal (not (true b)))\n(goal a 100)\n";
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(good.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(folder.join("utf16.kif"), utf16).unwrap();
    fs::write(folder.join("mark.kif"), format!("\u{feff}{good}")).unwrap();
    fs::write(folder.join("latin1.kif"), [good.as_bytes(), b"(caf\xe9)\n"].concat()).unwrap();
    fs::write(folder.join("long.kif"), "(p 1)\n".repeat(9 << 20 >> 2)).unwrap();
    let names = ["utf16.kif", "mark.kif", "latin1.kif", "long.kif"].map(str::to_owned);
    let (checked, run) = (checked(&folder, &names), run(&folder, &names));
    assert_eq!(checked, run);
    let codes: Vec<Option<&str>> = names.iter().map(|n| checked[n].as_deref()).collect();
    assert_eq!(codes, [None, None, Some("gdl-encoding"), Some("gdl-too-long")]);
    let text = stdout(&tengen(&folder, &["gdl", "check", "latin1.kif"]));
    assert!(text.starts_with("latin1.kif:6:5: error: "), "{text}");
}

#[test]
fn fmt_writes_one_style_and_check_only_says_so() {
    let folder = scratch("review_fmt");
    let ugly = "; one\n(role   a)(role b) ; two\n(<= terminal\n  (true (n 1)))\n";
    fs::write(folder.join("a.kif"), ugly).unwrap();
    let checked = tengen(&folder, &["gdl", "fmt", "--check", "a.kif"]);
    assert_eq!(
        (checked.status.code(), stdout(&checked)),
        (Some(1), "a.kif: not in the style of `tengen gdl fmt`\n".into())
    );
    assert_eq!(fs::read_to_string(folder.join("a.kif")).unwrap(), ugly);
    assert!(tengen(&folder, &["gdl", "fmt", "a.kif"]).status.success());
    let wanted = "; one\n(role a)\n(role b) ; two\n(<= terminal (true (n 1)))\n";
    assert_eq!(fs::read_to_string(folder.join("a.kif")).unwrap(), wanted);
    assert!(tengen(&folder, &["gdl", "fmt", "--check", "a.kif"]).status.success());
    fs::write(folder.join("half.kif"), "(role a").unwrap();
    assert!(!tengen(&folder, &["gdl", "fmt", "half.kif"]).status.success());
    assert_eq!(fs::read_to_string(folder.join("half.kif")).unwrap(), "(role a");
}

/// A line to stderr.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
