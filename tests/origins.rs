//! Tests that constants of judgement name their origin, as `docs/constants.md` describes.

mod common;

use common::{files_below, repository};
use std::fs;

/// The kinds of origins, as the page has its columns.
const KINDS: [&str; 7] = ["manual", "source", "fit", "measured", "ablation", UNMEASURED, "definition"];

/// The whole origin of a constant that nobody has measured.
const UNMEASURED: &str = "own choice, unmeasured.";

/// By folder, the constants that nobody has measured, and the numbers in them. These counts may only fall. A change that
/// measures a constant, or takes one away, writes the new counts here and on the page.
const KNOWN_UNMEASURED: [(&str, usize, usize); 7] = [
    ("systems/go/src/moves", 5, 5),
    ("systems/go/src/local_view", 2, 2),
    ("systems/go/src/tactics", 5, 5),
    ("systems/go/src/owl", 4, 4),
    ("systems/chess/src/search", 9, 9),
    ("systems/chess/src/evaluation", 7, 8),
    ("systems/propnet/src/players", 35, 48),
];

/// A constant, or a table of them.
#[derive(Debug, PartialEq)]
struct Constant {
    /// Its line in the file, from 1.
    line: usize,
    name: String,
    /// Its type and its value, as they are written.
    written: (String, String),
    /// The text after `Origin: ` in its comment, or in that of the module around it.
    origin: Option<String>,
}

impl Constant {
    /// Whether it is text, which needs no origin.
    fn is_text(&self) -> bool {
        self.written.0.contains("&str") || self.written.0.contains("&'static str")
    }

    /// The number of numbers in its value.
    fn numbers(&self) -> usize {
        let (mut count, mut before, mut quoted) = (0, ' ', false);
        for c in self.written.1.chars() {
            quoted ^= c == '"';
            let begins =
                c.is_ascii_digit() && !(before.is_ascii_alphanumeric() || before == '_' || before == '.');
            count += usize::from(begins && !quoted);
            before = c;
        }
        count
    }
}

/// The constants of a file, without those of its tests.
fn constants_of(text: &str) -> Vec<Constant> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines: Vec<&str> = code.lines().collect();
    let (mut found, mut comment) = (Vec::new(), String::new());
    let mut around: Option<(usize, String)> = None;
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if trimmed == "}" && around.as_ref().is_some_and(|(outer, _)| *outer == indent) {
            around = None;
        }
        if let Some(words) = trimmed.strip_prefix("///") {
            comment.push_str(words.trim());
            comment.push(' ');
            continue;
        }
        if trimmed.starts_with("#[") {
            continue;
        }
        let item = without_visibility(trimmed);
        let own = origin_in(&comment);
        comment.clear();
        if let Some((name, rest)) = name_of(item) {
            let body = until_the_end(rest, &lines[at + 1..]);
            let (kind, value) = body.split_once(" =").unwrap_or((body.as_str(), ""));
            found.push(Constant {
                line: at + 1,
                name: name.to_owned(),
                written: (kind.to_owned(), value.to_owned()),
                origin: own.or_else(|| around.as_ref().map(|(_, origin)| origin.clone())),
            });
        } else if item.starts_with("mod ") && item.ends_with('{') {
            around = own.map(|own| (indent, own)).or(around);
        }
    }
    found
}

/// An item without `pub`, and without what it is limited to.
fn without_visibility(item: &str) -> &str {
    let Some(rest) = item.strip_prefix("pub") else { return item };
    let limited = rest.strip_prefix('(').and_then(|inside| inside.split_once(')'));
    limited.map_or(rest, |(_, after)| after).trim_start()
}

/// The name of a constant or a static, and the text from its type on.
fn name_of(item: &str) -> Option<(&str, &str)> {
    let rest = item.strip_prefix("const ").or_else(|| item.strip_prefix("static "))?;
    let (name, rest) = rest.split_once(": ")?;
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    (name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(fits)).then_some((name, rest))
}

/// An item from its type on, to the semicolon outside of all brackets.
fn until_the_end(first: &str, following: &[&str]) -> String {
    let mut body = first.to_owned();
    for line in following {
        let opened = body.matches(['(', '[', '{']).count();
        let closed = body.matches([')', ']', '}']).count();
        if opened <= closed && body.trim_end().ends_with(';') {
            break;
        }
        body.push('\n');
        body.push_str(line.trim());
    }
    body
}

/// The text after `Origin: ` in a comment.
fn origin_in(comment: &str) -> Option<String> {
    comment.split_once("Origin: ").map(|(_, origin)| origin.trim().to_owned())
}

/// What is wrong with the form of an origin.
fn fault_of(origin: &str) -> Option<String> {
    let Some(kind) = kind_of(origin) else { return Some(format!("`{origin}` begins with no known kind")) };
    if !origin.ends_with('.') {
        return Some(format!("`{origin}` does not end with a full stop"));
    }
    if kind == UNMEASURED {
        return (origin != UNMEASURED).then(|| format!("`{origin}` is more than `{UNMEASURED}`"));
    }
    let Some(rest) = origin.strip_prefix(kind).and_then(|rest| rest.strip_prefix(", ")) else {
        return Some(format!("`{origin}` says nothing after its kind"));
    };
    match kind {
        "manual" if !rest.starts_with('"') => Some(format!("`{origin}` names no section of the manual")),
        "fit" | "measured" | "ablation" => place_of(origin).err(),
        _ => None,
    }
}

/// The kind that an origin begins with.
fn kind_of(origin: &str) -> Option<&'static str> {
    KINDS.into_iter().find(|kind| origin.starts_with(kind))
}

/// The page, the commit or the head of a module that holds the measurement. A page and its section are looked up.
fn place_of(origin: &str) -> Result<(), String> {
    let mut parts = origin.split('`');
    let (_, page, after) = (parts.next(), parts.next(), parts.next());
    let Some(page) = page else {
        let named = origin.contains("the module's head") || names_a_commit(origin);
        return if named { Ok(()) } else { Err(format!("`{origin}` names no page and no commit")) };
    };
    // Code in the words of an origin is no page.
    if !page.contains('/') {
        let named = names_a_commit(origin);
        return if named { Ok(()) } else { Err(format!("`{origin}` names no page and no commit")) };
    }
    let text = fs::read_to_string(repository().join(page)).map_err(|_| format!("there is no page {page}"))?;
    let section = after.and_then(|after| after.strip_prefix(", \"")?.split_once('"'));
    match section {
        Some((section, _)) if !has_heading(&text, section) => {
            Err(format!("{page} has no section `{section}`"))
        }
        _ => Ok(()),
    }
}

/// Whether a commit is named: seven hexadecimal digits after the word.
fn names_a_commit(origin: &str) -> bool {
    origin.split("commit ").skip(1).any(hash_begins) || origin.split("commits ").skip(1).any(hash_begins)
}

fn hash_begins(text: &str) -> bool {
    text.len() >= 7 && text.chars().take(7).all(|c| c.is_ascii_hexdigit())
}

fn has_heading(page: &str, section: &str) -> bool {
    page.lines().any(|line| line.starts_with('#') && line.trim_start_matches('#').trim() == section)
}

/// The constants of the Rust files below a folder, without the files of tests, with the names of their files.
fn constants_below(folder: &str) -> Vec<(String, Constant)> {
    let mut all = Vec::new();
    for path in files_below(&repository().join(folder), "rs") {
        let name = path.strip_prefix(repository()).expect("below it").display().to_string();
        if name.contains("tests") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        all.extend(constants_of(&text).into_iter().map(|constant| (name.clone(), constant)));
    }
    all
}

/// The number of constants of each kind below a folder, and of the numbers in those that nobody has measured.
fn counts_of(folder: &str) -> ([usize; KINDS.len()], usize) {
    let (mut counts, mut numbers) = ([0; KINDS.len()], 0);
    for (_, constant) in constants_below(folder) {
        let Some(origin) = &constant.origin else { continue };
        let kind = KINDS.iter().position(|kind| origin.starts_with(kind));
        if let Some(kind) = kind {
            counts[kind] += 1;
        }
        if origin == UNMEASURED {
            numbers += constant.numbers();
        }
    }
    (counts, numbers)
}

#[test]
fn every_constant_of_judgement_says_where_it_comes_from() {
    let mut faults = Vec::new();
    for (folder, ..) in KNOWN_UNMEASURED {
        for (file, constant) in constants_below(folder) {
            let fault = match &constant.origin {
                None if constant.is_text() => None,
                None => Some("has no line `Origin: ...`".to_owned()),
                Some(origin) => fault_of(origin),
            };
            faults.extend(fault.map(|fault| format!("{file}:{}: {} {fault}", constant.line, constant.name)));
        }
    }
    assert!(faults.is_empty(), "docs/constants.md has the grammar of origins:\n{}", faults.join("\n"));
}

#[test]
fn constants_that_nobody_has_measured_become_fewer() {
    let unmeasured = KINDS.iter().position(|kind| *kind == UNMEASURED).expect("one of the kinds");
    for (folder, constants, numbers) in KNOWN_UNMEASURED {
        let (counts, found) = counts_of(folder);
        assert_eq!(
            (counts[unmeasured], found),
            (constants, numbers),
            "{folder}: constants without a measurement, and numbers in them. Fewer: lower KNOWN_UNMEASURED and \
             docs/constants.md. More: measure the new one."
        );
    }
}

#[test]
fn the_page_of_constants_has_these_counts() {
    let page = fs::read_to_string(repository().join("docs/constants.md")).expect("docs/constants.md");
    let (mut all, mut all_numbers) = ([0; KINDS.len()], 0);
    let row = |name: &str, counts: [usize; KINDS.len()], numbers: usize| {
        let [manual, source, fit, measured, ablation, own, definition] = counts;
        format!(
            "| {name} | {manual} | {source} | {fit} | {measured} | {ablation} | {own} ({numbers}) | {definition} |"
        )
    };
    let mut rows = Vec::new();
    for (folder, ..) in KNOWN_UNMEASURED {
        let (counts, numbers) = counts_of(folder);
        rows.push(row(&format!("`{folder}`"), counts, numbers));
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        all_numbers += numbers;
    }
    rows.push(row("all", all, all_numbers));
    let missing: Vec<&String> = rows.iter().filter(|row| !page.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/constants.md lacks these rows:\n{missing:#?}");
}

#[test]
fn constants_are_found_in_every_form_and_those_of_tests_are_left_out() {
    let found = constants_of(
        "/// A limit.\n///\n/// Origin: own choice, unmeasured.\npub(super) const LIMIT: usize = 1 << 4;\n\
         const fn f() -> u8 { 3 }\nstruct S;\nimpl S {\n    const NONE: Self = Self { a: [1, 2.5], b: \"3\" };\n}\n\
         /// Places.\n///\n/// Origin: definition, a layout.\npub mod place {\n    /// The first.\n    \
         pub const FIRST: usize = 0;\n}\npub static TABLE: [(u8, f32); 2] = [\n    (1, 0.5),\n    (2, 0.25),\n];\n\
         #[cfg(test)]\nmod tests {\n    const NOT: u8 = 1;\n}\n",
    );
    let told: Vec<(usize, &str, usize, Option<&str>)> =
        found.iter().map(|c| (c.line, c.name.as_str(), c.numbers(), c.origin.as_deref())).collect();
    let wanted = [
        (4, "LIMIT", 2, Some("own choice, unmeasured.")),
        (8, "NONE", 2, None),
        (15, "FIRST", 1, Some("definition, a layout.")),
        (17, "TABLE", 4, None),
    ];
    assert_eq!(told, wanted);
}

#[test]
fn origins_outside_of_the_grammar_are_faults() {
    let good = [
        "own choice, unmeasured.",
        "manual, \"Escape\": values between 0 and 4.",
        "source, a book.",
        "definition, a size.",
        "measured, commit b914525, together with others.",
        "ablation, the module's head, \"Cost\".",
        "fit, some games, `docs/constants.md`.",
    ];
    for origin in good {
        assert_eq!(fault_of(origin), None, "{origin}");
    }
    let bad = [
        "a good guess.",
        "own choice.",
        "own choice, unmeasured, but good.",
        "manual, somewhere.",
        "definition, a size",
        "definition.",
        "measured, yesterday.",
        "measured, commit zzz.",
        "fit, some games, `docs/no-such-page.md`.",
        "fit, some games, `docs/constants.md`, \"No such section\".",
    ];
    for origin in bad {
        assert!(fault_of(origin).is_some(), "{origin}");
    }
}

#[test]
fn the_ablations_name_the_constants_that_have_their_origin_there() {
    let pages = [
        ("chess", "`experiments/2026-11-30-chess-ablations.md`"),
        ("go", "`experiments/2026-11-30-go-ablations.md`"),
    ];
    for (domain, page) in pages {
        let path = format!("benches/ablation/{domain}.tsv");
        let table = fs::read_to_string(repository().join(path)).expect("the groups");
        let fields = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> =
            table.lines().filter(|line| !line.starts_with('#')).map(fields).collect();
        let sources = format!("systems/{domain}/src");
        let mut named_by = 0;
        for (file, constant) in constants_below(&sources) {
            let Some(origin) = constant.origin.filter(|origin| origin.contains(page)) else { continue };
            let group = origin.split('`').nth(3).unwrap_or_default();
            let file = file.trim_start_matches(&format!("{sources}/"));
            let named = |row: &Vec<String>| row.len() == 4 && row[..3] == [group, file, &constant.name];
            assert!(rows.iter().any(named), "{file}: {} is not in the group `{group}`", constant.name);
            named_by += 1;
        }
        assert!(named_by > 0, "no constant of {domain} names {page}");
    }
}
