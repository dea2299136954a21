//! Tests the architecture that ARCHITECTURE.md describes: no module imports a module below it, and every named path
//! exists.

mod common;

use common::{files_below, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

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

#[test]
fn libraries_read_no_clock_and_no_file_and_files_stay_short() {
    for path in &files_below(&repository().join("systems"), "rs") {
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

/// Folders of crates whose modules stand in a table, both in `lib.rs` and in ARCHITECTURE.md.
const WITH_TABLES: &[&str] = &[
    "src",
    "systems/core/src",
    "systems/tables/src",
    "systems/search/src",
    "systems/render/src",
    "systems/go/src",
    "systems/chess/src",
    "systems/propnet/src",
];

/// The modules in the order of a table: the first name of each row, as `read` finds it there.
fn modules_of_table(text: &str, read: impl Fn(&str) -> Option<&str>) -> Vec<String> {
    text.lines().filter_map(read).map(|name| name.trim_end_matches(".rs").to_owned()).collect()
}

#[test]
fn modules_import_only_what_stands_above_them() {
    let architecture = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for crate_folder in WITH_TABLES {
        let folder = repository().join(crate_folder);
        let root = fs::read_to_string(folder.join("lib.rs")).expect("lib.rs");
        let order = modules_of_table(&root, |line| {
            let name = line.strip_prefix("//! | [`").or_else(|| line.strip_prefix("//! | `"))?;
            name.split('`').next()
        });
        let row = format!("| `{crate_folder}/");
        let drawn = modules_of_table(&architecture, |line| line.strip_prefix(&row)?.split('`').next());
        assert_eq!(order, drawn, "{crate_folder}/lib.rs and ARCHITECTURE.md have the same order");
        let imports = Imports::of_crate(&folder);
        assert_eq!(
            imports.top(),
            order.iter().collect(),
            "every module of {crate_folder} stands in the order"
        );
        let place = |module: &String| order.iter().position(|m| m == module);
        let upward: Vec<String> = imports
            .edges
            .keys()
            .filter(|(from, to)| place(from).is_some() && place(to) >= place(from))
            .map(|(from, to)| imports.told(from, to))
            .collect();
        assert!(upward.is_empty(), "{crate_folder} imports what stands below:\n{}", upward.join("\n"));
    }
}

#[test]
fn modules_of_one_parent_import_each_other_without_circles() {
    for crate_folder in WITH_TABLES {
        let imports = Imports::of_crate(&repository().join(crate_folder));
        let circles = imports.circles();
        let told: Vec<&str> = circles.values().map(String::as_str).collect();
        assert!(told.is_empty(), "{crate_folder} has modules in circles:\n{}", told.join("\n"));
    }
}

#[test]
fn imports_are_found_in_every_form_and_tests_are_left_out() {
    let code = code_of(
        "use crate::{a::{B, c::*}, d};\n// crate::no::X\n#[cfg(test)]\nmod tests { use crate::no::Y; }\n\
         fn f() -> crate::e::F { super::super::g::h(\"crate::no::Z\", '\"') }\n#[cfg(test)]\nuse crate::no::W;\n",
    );
    let found: Vec<String> = paths_of(&code).into_iter().map(|path| path.join("::")).collect();
    let wanted =
        ["crate::a::B", "crate::a::c::*", "crate::d", "crate::e::F", "super::super::g::h"].map(String::from);
    assert_eq!(found, wanted);
    let used: Vec<String> = uses_of("pub use a::{B, c::self}; pub(crate) use crate::d::E as F;")
        .into_iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(used, ["a::B", "a::c::self", "crate::d::E"]);
}

/// The imports between the modules of a crate that have files, without those of tests.
#[derive(Default)]
struct Imports {
    /// By the path of a module: the name of its file, and the code.
    files: BTreeMap<Vec<String>, (String, String)>,
    /// By module and name: what the name stands for, where the module has it by `use`.
    named: BTreeMap<(Vec<String>, String), Vec<String>>,
    /// By importing and imported module, which have the same parent: the items, each with the file that names it. A
    /// module also imports what the modules below it import. Imports between a module and one below it are left out.
    edges: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Imports {
    /// Reads the files of a crate as its `mod` lines name them.
    fn of_crate(folder: &Path) -> Self {
        let mut imports = Self::default();
        imports.read(folder, &[]);
        imports.named = imports.names();
        imports.edges = imports.between_modules();
        imports
    }

    /// Reads the file of a module, and those of the modules in it.
    fn read(&mut self, folder: &Path, module: &[String]) {
        let base = module.iter().fold(folder.to_path_buf(), |path, name| path.join(name));
        let places = [base.with_extension("rs"), base.join("mod.rs"), base.join("lib.rs")];
        let Some(file) = places.into_iter().find(|file| file.exists()) else { return };
        let code = code_of(&fs::read_to_string(&file).expect("a module"));
        for child in children_of(&code) {
            self.read(folder, &[module, &[child]].concat());
        }
        let name = file.strip_prefix(folder).expect("below it").display().to_string();
        self.files.insert(module.to_vec(), (name, code));
    }

    /// What each module names by `use`.
    fn names(&self) -> BTreeMap<(Vec<String>, String), Vec<String>> {
        let mut named = BTreeMap::new();
        for (module, (_, code)) in &self.files {
            for path in uses_of(code).iter().filter_map(|path| self.absolute(module, path)) {
                if let Some(name) = path.last() {
                    named.insert((module.clone(), name.clone()), path);
                }
            }
        }
        named
    }

    /// The imports between modules of one parent.
    fn between_modules(&self) -> BTreeMap<(String, String), BTreeSet<String>> {
        let mut edges: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for (module, (file, code)) in &self.files {
            for path in paths_of(code).iter().filter_map(|path| self.absolute(module, path)) {
                let home = self.home(&path, 8);
                let shared = module.iter().zip(&home).take_while(|(a, b)| a == b).count();
                if shared < module.len().min(home.len()) {
                    let edge = (module[..=shared].join("::"), home[..=shared].join("::"));
                    edges.entry(edge).or_default().insert(format!("{} in {file}", path.join("::")));
                }
            }
        }
        edges
    }

    /// A path in a module, from the root of the crate; `None` if it leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let (from, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "super" => (&module[..module.len().checked_sub(supers)?], &path[supers..]),
            "self" => (module, &path[1..]),
            child if self.files.contains_key(&[module, &[child.to_owned()]].concat()) => (module, path),
            _ => return None,
        };
        Some([from, rest.strip_suffix(&["self".to_owned()]).unwrap_or(rest)].concat())
    }

    /// The module that a path leads to, through at most `most` names that others have by `use`.
    fn home(&self, path: &[String], most: usize) -> Vec<String> {
        let known = (0..=path.len()).rev().find(|&length| self.files.contains_key(&path[..length]));
        let (module, item) = path.split_at(known.unwrap_or(0));
        let name = item.first().filter(|_| most > 0);
        match name.and_then(|name| self.named.get(&(module.to_vec(), name.clone()))) {
            Some(source) => self.home(&[source, &item[1..]].concat(), most - 1),
            None => module.to_vec(),
        }
    }

    /// The modules below the root of the crate.
    fn top(&self) -> BTreeSet<&String> {
        self.files.keys().filter(|path| path.len() == 1).map(|path| &path[0]).collect()
    }

    /// The imports that belong to circles, by importing module.
    fn circles(&self) -> BTreeMap<&str, String> {
        let back = |(from, to): &&(String, String)| self.way(to, from).is_some();
        self.edges.keys().filter(back).map(|(from, to)| (from.as_str(), self.told(from, to))).collect()
    }

    /// An import in words, with what leads back from there and so makes a circle.
    fn told(&self, from: &str, to: &str) -> String {
        let mut text = self.leg(from, to);
        let Some(back) = self.way(to, from) else { return text };
        for pair in back.windows(2) {
            text += "\n  back by ";
            text += &self.leg(&pair[0], &pair[1]);
        }
        text
    }

    fn leg(&self, from: &str, to: &str) -> String {
        let items = &self.edges[&(from.to_owned(), to.to_owned())];
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        format!("{from} -> {to}: {}", items.join(", "))
    }

    /// The shortest chain of imports from one module to another.
    fn way(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let mut ways = vec![vec![from.to_owned()]];
        let mut seen = BTreeSet::from([from.to_owned()]);
        let mut next = 0;
        while let Some(way) = ways.get(next).cloned() {
            let last = way.last().expect("a way has a start");
            if last == to {
                return Some(way);
            }
            for (_, onward) in self.edges.keys().filter(|(start, _)| start == last) {
                if seen.insert(onward.clone()) {
                    ways.push(way.iter().chain([onward]).cloned().collect());
                }
            }
            next += 1;
        }
        None
    }
}

/// The text of a file without comments, strings and what stands under `#[cfg(test)]`.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r\"") || rest.starts_with("r#") {
            let hashes = rest[1..].bytes().take_while(|b| *b == b'#').count();
            let end = format!("\"{}", "#".repeat(hashes));
            let begin = 2 + hashes;
            rest.get(begin..).and_then(|body| body.find(&end)).map_or(begin, |at| begin + at + end.len())
        } else if first == '"' {
            let escaped = |at: usize| rest[..at].bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1;
            let end = rest.match_indices('"').map(|(at, _)| at).find(|&at| at > 0 && !escaped(at));
            end.map_or(rest.len(), |at| at + 1)
        } else if first == '\'' {
            length_of_character(rest)
        } else {
            0
        };
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            rest = &rest[skipped..];
        }
    }
    while let Some(at) = code.find("#[cfg(test)]") {
        code.replace_range(at..at + length_of_item(&code[at..]), "");
    }
    code
}

/// How long the character literal is that a text begins with; 0 if it is a lifetime.
fn length_of_character(text: &str) -> usize {
    let end = text.char_indices().skip(2).find(|&(_, c)| c == '\'').map_or(0, |(end, _)| end);
    let inner = text.get(1..end).unwrap_or("");
    if inner.chars().count() == 1 || inner.starts_with('\\') { end + 1 } else { 0 }
}

/// How long an item is: to its semicolon or closing brace.
fn length_of_item(text: &str) -> usize {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The names of the modules that a file has in files of their own.
fn children_of(code: &str) -> Vec<String> {
    let names = code.lines().filter_map(|line| {
        let line = line.trim();
        let declared = line.strip_suffix(';')?;
        let (visible, name) = declared.split_once("mod ").or(Some(("", "")))?;
        let only_visible = visible.trim().is_empty() || visible.starts_with("pub");
        (only_visible && !name.is_empty() && !name.contains(' ')).then(|| name.to_owned())
    });
    names.collect()
}

/// Words, `::`, and every other character but white space.
fn tokens_of(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = if rest.starts_with("::") { 2 } else { word.max(first.len_utf8()) };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// All paths of `use`, those with braces one by one.
fn uses_of(code: &str) -> Vec<Vec<String>> {
    let tokens = tokens_of(code);
    let mut paths = Vec::new();
    for at in (0..tokens.len()).filter(|&at| tokens[at] == "use") {
        follow(&mut &tokens[at + 1..], &[], &mut paths);
    }
    paths
}

/// All paths from `crate` or `super`, those of a `use` with braces one by one.
fn paths_of(code: &str) -> Vec<Vec<String>> {
    let tokens = tokens_of(code);
    let mut paths = Vec::new();
    for at in 0..tokens.len() {
        let goes_on = tokens.get(at + 1) == Some(&"::");
        let begins = at == 0 || tokens[at - 1] != "::";
        if matches!(tokens[at], "crate" | "super") && goes_on && begins {
            follow(&mut &tokens[at..], &[], &mut paths);
        }
    }
    paths
}

/// Follows a path to its ends.
fn follow(tokens: &mut &[&str], before: &[String], paths: &mut Vec<Vec<String>>) {
    let Some((&first, rest)) = tokens.split_first() else { return };
    *tokens = rest;
    if first == "{" {
        while tokens.first().is_some_and(|token| *token != "}") {
            follow(tokens, before, paths);
            while tokens.first().is_some_and(|token| !matches!(*token, "," | "}")) {
                *tokens = &tokens[1..]; // `as` and the other name
            }
            *tokens = tokens.strip_prefix(&[","]).unwrap_or(tokens);
        }
        *tokens = tokens.strip_prefix(&["}"]).unwrap_or(tokens);
        return;
    }
    let path = [before, &[first.to_owned()]].concat();
    match tokens {
        ["::", "<", ..] => paths.push(path),
        ["::", rest @ ..] => {
            *tokens = rest;
            follow(tokens, &path, paths);
        }
        _ => paths.push(path),
    }
}
