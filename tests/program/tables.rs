//! Tests that the tables of `tengen export` agree with the records, and that export overwrites nothing.

use crate::common::{cells, game, scratch, tengen, write};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const SCENES: &str = r#"(version: 1, scenes: [
    (name: "go", for_each: Sgf(glob: "*.sgf", every: 15), task: Analyse(columns: [Points, Eyes, Moves])),
    (name: "chess, with a comma", game: Chess(), task: Search(nodes: 300)),
    (name: "gone", game: Gdl(rules: "none.kif"), task: Perft(depth: 1)),
])"#;

fn run(name: &str) -> PathBuf {
    let folder = scratch(name);
    write(&folder, "a.sgf", &game(31));
    write(&folder, "a.ron", SCENES);
    let output = tengen(&folder, &["run", "a.ron", "--out", "run", "--no-progress", "--effort", "quick"]);
    assert_eq!(output.status.code(), Some(1), "one scene is gone");
    folder
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The rows of a table, cells by the header's names; quotes are undone.
fn rows(folder: &Path, table: &str) -> Vec<Vec<(String, String)>> {
    let text = fs::read_to_string(folder.join(format!("run/tables/{table}.csv"))).expect("a table");
    let mut lines = text.lines().map(cells);
    let header = lines.next().expect("a header");
    lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(column, _)| column == name).unwrap_or_else(|| panic!("no column {name}")).1
}

#[test]
fn csv_tables_say_what_the_records_say() {
    let folder = run("tables_csv");
    let output = tengen(&folder, &["export", "run", "--format", "csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let text = fs::read_to_string(folder.join("run/records.jsonl")).expect("records");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let positions = rows(&folder, "positions");
    assert_eq!(positions.len(), records.len());
    for (row, record) in positions.iter().zip(&records) {
        assert_eq!(cell(row, "id"), record["id"], "{row:?}");
        assert_eq!(cell(row, "status"), record["status"]);
        assert_eq!(cell(row, "signature"), record["signature"].to_string());
    }
    let wanted = |list: &str| -> usize {
        records.iter().map(|r| r["result"][list].as_array().map_or(0, Vec::len)).sum()
    };
    for table in ["worms", "dragons", "eyes", "moves"] {
        assert_eq!(rows(&folder, table).len(), wanted(table), "{table}");
    }
    let points = rows(&folder, "points");
    let of_go: Vec<&Value> = records.iter().filter(|r| r["domain"] == "go").collect();
    assert_eq!(points.len(), 81 * of_go.len());
    for (row, index) in points.iter().zip(0..) {
        let found = &of_go[index / 81]["result"]["points"]["white_influence"][index % 81];
        assert_eq!(cell(row, "white_influence").parse::<f64>().ok(), found.as_f64(), "{row:?}");
    }
    let searches = rows(&folder, "searches");
    assert_eq!(searches.len(), 1, "the search; a record of an error is none");
    assert!(cell(&searches[0], "nodes").parse::<u64>().expect("a number") >= 300);
}

#[test]
fn tables_are_not_written_over_and_what_is_no_record_is_named() {
    let folder = run("tables_bad");
    let export = |more: &[&str]| tengen(&folder, &[&["export", "run", "--format", "csv"], more].concat());
    assert_eq!(export(&[]).status.code(), Some(0));
    let again = export(&[]);
    assert_eq!(again.status.code(), Some(2));
    assert!(told(&again).contains("--force"), "{}", told(&again));
    let before = fs::read(folder.join("run/tables/worms.csv")).expect("a table");
    let records = folder.join("run/records.jsonl");
    let text = fs::read_to_string(&records).expect("records");
    fs::write(&records, &text[..text.len() - 9]).expect("written");
    let torn = export(&["--force"]);
    assert_eq!(torn.status.code(), Some(2));
    assert!(told(&torn).contains("records.jsonl:5: this is no record"), "{}", told(&torn));
    assert!(fs::read(folder.join("run/tables/worms.csv")).expect("still there") == before);
    let left: Vec<_> = fs::read_dir(folder.join("run/tables")).expect("a folder").collect();
    assert_eq!(left.len(), 16, "no part of a file is left");
    let gone = tengen(&folder, &["export", "nowhere", "--format", "csv"]);
    assert!(told(&gone).contains("can't read nowhere"), "{}", told(&gone));
}

#[test]
fn texts_are_safe_for_spreadsheets_unless_raw_cells_are_asked_for() {
    let folder = scratch("tables_cells");
    let game = "(;GM[1]SZ[5]PB[=HYPERLINK(1)]PW[-2, \"a\"\u{1b}[2J];B[cc])";
    write(&folder, "a.sgf", game);
    let run = ["run", "a.sgf", "--task", "Analyse(last: Worms)", "--out", "run", "--no-progress"];
    assert_eq!(tengen(&folder, &run).status.code(), Some(0));
    for (option, black, white) in [
        (None, "'=HYPERLINK(1)", "'-2, \"a\"\\u{1b}[2J"),
        (Some("--raw-cells"), "=HYPERLINK(1)", "-2, \"a\"\u{1b}[2J"),
    ] {
        let export = ["export", "run", "--format", "csv", "--force"];
        let arguments: Vec<&str> = export.into_iter().chain(option).collect();
        let output = tengen(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        let text = fs::read_to_string(folder.join("run/tables/games.csv")).expect("a table");
        assert!(text.contains(black), "{option:?}: {text}");
        assert!(text.contains(&format!("\"{}\"", white.replace('"', "\"\""))), "{option:?}: {text}");
        assert_eq!(text.contains("'="), option.is_none(), "{text}");
    }
    let parquet = tengen(&folder, &["export", "run", "--format", "parquet", "--raw-cells", "--force"]);
    assert_eq!(parquet.status.code(), Some(2));
    assert!(told(&parquet).contains("--raw-cells is for --format csv"), "{}", told(&parquet));
}

#[test]
fn parquet_needs_its_feature_and_a_folder() {
    let folder = run("tables_parquet");
    let parquet = tengen(&folder, &["export", "run", "--format", "parquet"]);
    let file = folder.join("run/tables/dragons.parquet");
    if cfg!(feature = "parquet") {
        assert_eq!(parquet.status.code(), Some(0), "{}", told(&parquet));
        assert!(fs::read(&file).expect("a file").starts_with(b"PAR1"));
        let nowhere = tengen(&folder, &["run", "a.ron", "--format", "parquet"]);
        assert!(told(&nowhere).contains("--out DIR"), "{}", told(&nowhere));
    } else {
        assert_eq!(parquet.status.code(), Some(2));
        assert!(told(&parquet).contains("--features parquet"), "{}", told(&parquet));
        assert!(!file.exists());
    }
}

#[test]
fn without_a_format_an_export_writes_the_best_that_its_build_can() {
    let folder = run("tables_default");
    let plain = tengen(&folder, &["export", "run"]);
    assert_eq!(plain.status.code(), Some(0), "{}", told(&plain));
    let files = ["csv", "parquet"].map(|kind| folder.join(format!("run/tables/dragons.{kind}")).exists());
    assert_eq!(files, [!cfg!(feature = "parquet"), cfg!(feature = "parquet")]);
}
