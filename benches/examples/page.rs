//! Writes `docs/performance.md` from criterion's last measurements: `benches/page` measures and calls this program.
//!
//! Each row of the first table is a ratio that the project claims. Its two benches were measured in one run on one
//! machine. The other tables list all benches. A claim without measured benches is marked as missing.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a page to stdout is what it is for")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// What is claimed: the words, the bench, and what it is compared with.
const CLAIMS: &[(&str, &str, &str)] = &[
    (
        "search: jobs of 10 us on the schedule `Expand`, against a plain loop",
        "search/expand/window-of-48/job-of-10us",
        "search/expand/plain/job-of-10us",
    ),
    (
        "search: the games of a scene of chess on two threads, against one",
        "search/batch/games/chess/2-threads",
        "search/batch/games/chess/1-threads",
    ),
    (
        "search: a mixed batch on two threads, against one",
        "search/batch/mixed/2-threads",
        "search/batch/mixed/1-threads",
    ),
    (
        "propnet: random games as jobs, against the plain loop",
        "propnet/random_games/play/jobs/noughts",
        "propnet/random_games/play/plain/noughts",
    ),
    (
        "propnet: perft as jobs, against the plain loop",
        "propnet/perft/count/jobs/noughts-4",
        "propnet/perft/count/plain/noughts-4",
    ),
    (
        "propnet: alpha-beta of the root's moves as jobs on one thread, against the plain search",
        "propnet/players/alphabeta/jobs/heaps",
        "propnet/players/alphabeta/plain/heaps",
    ),
    (
        "go: playouts of the search of moves as jobs on one thread, against the plain loop (another search)",
        "go/playout/search/jobs/9x9-midgame",
        "go/playout/search/plain/9x9-midgame",
    ),
    (
        "chess: exact scheme of repetition, against the plain key stack, one tree, kiwipete to depth 5",
        "chess/search/scheme/exact/kiwipete-5",
        "chess/search/scheme/walk/kiwipete-5",
    ),
    (
        "chess: the same, pawns to depth 9",
        "chess/search/scheme/exact/pawns-9",
        "chess/search/scheme/walk/pawns-9",
    ),
    (
        "chess: evaluation kept up along moves, against from scratch",
        "chess/evaluation/evaluate/kept-up/kiwipete-moves",
        "chess/evaluation/evaluate/from-scratch/kiwipete-moves",
    ),
    (
        "chess: exact mode, against its reference without a table",
        "chess/exact/solve/exact/pawns-5",
        "chess/exact/solve/reference/pawns-5",
    ),
    (
        "propnet: differential propagation, against recalculation, noughts",
        "propnet/propagate/playouts/differential/noughts",
        "propnet/propagate/playouts/naive/noughts",
    ),
    (
        "propnet: 512 lanes, against differential propagation, noughts",
        "propnet/propagate/playouts/lanes512/noughts",
        "propnet/propagate/playouts/differential/noughts",
    ),
    (
        "propnet: all questions of a state, the net against the prover, noughts",
        "propnet/machine/describe/net/noughts",
        "propnet/machine/describe/prover/noughts",
    ),
    (
        "go: life and death judged, against solved, six in the corner",
        "go/owl/attack/six-in-the-corner/judged",
        "go/owl/attack/six-in-the-corner/solved",
    ),
    ("go: influence, kernel against queue", "go/influence/spread/*/kernel", "go/influence/spread/*/queue"),
];

/// The table that `benches/instructions` wrote, if valgrind was there.
const INSTRUCTIONS: &str = "target/instructions.md";

/// One bench as criterion left it.
struct Measured {
    /// Nanoseconds an iteration: the median, and its 95 % interval.
    median: [f64; 3],
    /// Things an iteration is about.
    elements: Option<f64>,
}

/// Reads every bench below a folder, by its id.
fn read(folder: &Path, found: &mut BTreeMap<String, Measured>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir()) {
        let path = entry.path();
        if entry.file_name() == "new" {
            found.extend(one(&path));
        } else {
            read(&path, found);
        }
    }
}

fn one(folder: &Path) -> Option<(String, Measured)> {
    let json = |name: &str| -> Option<Value> {
        serde_json::from_str(&fs::read_to_string(folder.join(name)).ok()?).ok()
    };
    let (bench, estimates) = (json("benchmark.json")?, json("estimates.json")?);
    let median = &estimates["median"];
    let bound = |name: &str| median["confidence_interval"][name].as_f64();
    let median = [median["point_estimate"].as_f64()?, bound("lower_bound")?, bound("upper_bound")?];
    let elements = bench["throughput"]["Elements"].as_f64();
    Some((bench["full_id"].as_str()?.to_owned(), Measured { median, elements }))
}

/// A time in the unit that suits it.
fn time(nanoseconds: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    let unit = units.into_iter().find(|&(scale, _)| nanoseconds >= scale);
    let (scale, name) = unit.unwrap_or((1.0, "ns"));
    format!("{:.3} {name}", nanoseconds / scale)
}

/// The benches an id with one `*` names, in order, by what the star stands for.
fn named<'a>(found: &'a BTreeMap<String, Measured>, id: &str) -> Vec<(&'a str, &'a Measured)> {
    let Some((head, tail)) = id.split_once('*') else {
        return found.get_key_value(id).map(|(_, measured)| ("", measured)).into_iter().collect();
    };
    let middle = |key: &'a str| key.strip_prefix(head)?.strip_suffix(tail);
    found.iter().filter_map(|(key, measured)| Some((middle(key)?, measured))).collect()
}

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/criterion".into());
    let mut found = BTreeMap::new();
    read(Path::new(&folder), &mut found);
    if found.is_empty() {
        eprintln!("{folder} holds no bench: run `cargo bench` first, or `benches/page`");
        return ExitCode::from(2);
    }
    println!("# What things cost\n");
    println!(
        "`benches/page` wrote this page; every figure is of one run on one machine, so only ratios mean something"
    );
    println!(
        "elsewhere. Beside it: [propnet-performance.md](propnet-performance.md) and [viewer.md](viewer.md).\n"
    );
    println!(
        "## What the project claims\n\n| claim | time | compared with | ratio |\n| --- | ---: | ---: | ---: |"
    );
    for (words, id, other) in CLAIMS {
        let others = named(&found, other);
        let pairs: Vec<_> = named(&found, id)
            .into_iter()
            .filter_map(|(name, a)| Some((name, a, others.iter().find(|(other, _)| *other == name)?.1)))
            .collect();
        if pairs.is_empty() {
            println!("| {words} | not measured | | |");
        }
        for (name, a, b) in pairs {
            let (a, b) = (a.median[0], b.median[0]);
            let name = if name.is_empty() { String::new() } else { format!(", {name}") };
            println!("| {words}{name} | {} | {} | {:.4} |", time(a), time(b), a / b);
        }
    }
    println!("\n{}", include_str!("../viewer-figures.md").trim_end());
    let mut domain = "";
    for (id, measured) in &found {
        let (of, _) = id.split_once('/').unwrap_or((id, ""));
        if of != domain {
            domain = of;
            println!(
                "\n## {domain}\n\n| bench | median | 95 % interval | an element |\n| --- | ---: | ---: | ---: |"
            );
        }
        let [median, low, high] = measured.median;
        let each = measured.elements.map_or_else(String::new, |n| time(median / n));
        println!("| {id} | {} | {} to {} | {each} |", time(median), time(low), time(high));
    }
    if let Some(table) = fs::read_to_string(INSTRUCTIONS).ok().filter(|table| !table.is_empty()) {
        println!(
            "\n## Instructions\n\nCounted by `benches/instructions`: the same on a busy machine.\n\n{}",
            table.trim_end()
        );
    }
    ExitCode::SUCCESS
}
