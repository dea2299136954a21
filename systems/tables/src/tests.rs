//! Tests of tables: columns, rows, and Parquet files.

use crate::{Column, From, Kind, TABLES, Tables, VERSION, markdown};
use serde_json::{Value, json};

fn go() -> Value {
    json!({
        "schema": "tengen.record/1", "id": "a.sgf@3", "domain": "go", "task": "analyse",
        "game": { "file": "a.sgf", "move": 3, "moves": 9, "info": { "black": "A, \"x\"", "komi": 7 } },
        "status": "ok", "expect": [{ "expect": "x", "ok": false }, { "expect": "y", "ok": true }], "signature": 7,
        "result": {
            "size": 2, "move": 3, "komi": 6.5, "stones": ".XO.",
            "worms": [
                { "origin": "B2", "color": "Black", "size": 1, "liberties": [1, 2, 3, 4], "ko": false },
                { "origin": "A1", "color": "White", "size": 1, "liberties": [1, 0, 0, 0], "ko": true,
                  "attack": { "code": 1, "move": "A2" }, "line": ["A2", "B1"] },
            ],
            "dragons": [
                { "origin": "B2", "strings": ["B2"], "eyes": [0, 1], "vital_points": null },
                { "origin": "A1", "strings": ["A1"], "eyes": [1, 2], "vital_points": ["A2", "B1"] },
            ],
            "influence": { "black": [0.5, 1, 2, 3], "white": [0, 0, 0, 0.25] },
            "points": { "worm": [null, 0, 1, null] },
            "moves": [
                { "move": "A2", "value": 3.5, "reasons": [{ "kind": "a", "text": "one" }, { "kind": "b", "text": "two" }] },
                { "move": "B1", "value": 1, "reasons": [{ "kind": "c", "text": "three" }] },
            ],
        },
    })
}

fn column(tables: &Tables, table: &str, name: &str) -> Column {
    tables.get(table).and_then(|frame| frame.column(name)).unwrap_or_else(|| panic!("{table}.{name}")).clone()
}

fn texts(cells: &[Option<&str>]) -> Column {
    Column::Text(cells.iter().map(|cell| cell.map(str::to_owned)).collect())
}

#[test]
fn cells_are_the_records_values_and_rows_join_by_numbers() {
    let mut tables = Tables::default();
    tables.add(&json!({ "id": "bad.ron", "domain": null, "task": null, "status": "error", "expect": [],
        "result": { "error": { "message": "no", "at": { "line": 4, "column": 2 } } }, "signature": 1 }));
    tables.add(&go());
    tables.add(&go());
    let of = |table, name| column(&tables, table, name);
    assert_eq!(of("positions", "position"), Column::Int(vec![Some(0), Some(1), Some(2)]));
    assert_eq!(of("positions", "error_line"), Column::Int(vec![Some(4), None, None]));
    assert_eq!(of("positions", "failed"), Column::Int(vec![Some(0), Some(1), Some(1)]));
    assert_eq!(of("positions", "komi"), Column::Float(vec![None, Some(6.5), Some(6.5)]));
    assert_eq!(of("positions", "game"), Column::Int(vec![None, Some(0), Some(0)]));
    assert_eq!(of("games", "black"), texts(&[Some("A, \"x\"")]));
    assert_eq!(of("games", "info"), texts(&[Some(r#"{"black":"A, \"x\"","komi":7}"#)]));
    assert_eq!(of("worms", "position"), Column::Int(vec![Some(1), Some(1), Some(2), Some(2)]));
    assert_eq!(of("worms", "dragon"), Column::Int(vec![Some(0), Some(1), Some(0), Some(1)]));
    assert_eq!(of("worms", "ko"), Column::Bool(vec![Some(false), Some(true), Some(false), Some(true)]));
    assert_eq!(of("worms", "line"), texts(&[None, Some("A2 B1"), None, Some("A2 B1")]));
    assert_eq!(of("dragons", "attack_move"), texts(&[None, Some("A2"), None, Some("A2")]));
    assert_eq!(
        of("reasons", "rank"),
        Column::Int(vec![Some(0), Some(0), Some(1), Some(0), Some(0), Some(1)])
    );
    assert_eq!(tables.records(), 3);
    assert_eq!(tables.get("points").map(crate::Frame::rows), Some(8));
}

#[test]
fn vertices_have_names_stones_and_the_entries_of_their_columns() {
    let mut tables = Tables::default();
    tables.add(&go());
    let of = |name| column(&tables, "points", name);
    assert_eq!(of("vertex"), texts(&[Some("A2"), Some("B2"), Some("A1"), Some("B1")]));
    assert_eq!(of("stone"), texts(&[None, Some("Black"), Some("White"), None]));
    assert_eq!(of("worm"), Column::Int(vec![None, Some(0), Some(1), None]));
    assert_eq!(of("black_influence"), Column::Float(vec![Some(0.5), Some(1.0), Some(2.0), Some(3.0)]));
    assert_eq!(of("territory"), Column::Float(vec![None; 4]));
}

#[test]
fn rows_are_taken_out_and_records_are_numbered_on() {
    let mut tables = Tables::default();
    tables.add(&go());
    let first = tables.take();
    tables.add(&go());
    assert_eq!(first[0].rows(), 1, "the game");
    assert_eq!(tables.get("games").map(crate::Frame::rows), Some(0));
    assert_eq!(column(&tables, "positions", "position"), Column::Int(vec![Some(1)]));
    assert_eq!(column(&tables, "positions", "game"), Column::Int(vec![Some(0)]));
}

#[test]
fn what_is_no_record_costs_nothing_but_nulls() {
    let mut tables = Tables::default();
    for odd in [
        json!(null),
        json!([1]),
        json!({ "result": { "stones": "XX", "size": 0, "worms": 3, "moves": [1, { "reasons": {} }] } }),
        json!({ "game": 3, "task": "search", "result": { "score": "many", "lines": [{ "pv": [1, "e2e4"] }] } }),
    ] {
        tables.add(&odd);
    }
    assert_eq!(tables.records(), 4);
    assert_eq!(column(&tables, "points", "vertex"), texts(&[None, None]));
    assert_eq!(column(&tables, "searches", "score"), Column::Int(vec![None]));
    assert_eq!(column(&tables, "lines", "pv"), texts(&[Some("e2e4")]));
}

#[test]
fn names_are_unique_and_the_page_is_printed_from_the_schema() {
    for table in &TABLES {
        let mut names: Vec<&str> = table.fields.iter().map(|field| field.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table.fields.len(), "{}", table.name);
        for field in table.fields.iter().filter(|field| matches!(field.from, From::Words(_) | From::Json(_)))
        {
            assert_eq!(field.kind, Kind::Text, "{}.{}", table.name, field.name);
        }
    }
    let page = include_str!("../../../docs/tables.md");
    let (_, printed) = page.split_once("<!-- printed from the schema -->\n\n").expect("the mark");
    assert!(printed.trim_end() == markdown().trim_end(), "docs/tables.md should hold this:\n{}", markdown());
    assert!(page.contains(VERSION));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_files_are_read_back_with_their_version() {
    use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
    use ::parquet::record::RowAccessor as _;

    let mut tables = Tables::default();
    tables.add(&go());
    let frame = tables.get("worms").expect("a table");
    let mut writer =
        crate::parquet::Writer::new(Vec::new(), frame.table, &[("by", "a test")]).expect("begun");
    writer.write(frame).expect("written");
    writer.write(frame).expect("written");
    let bytes = writer.finish().expect("ended");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a file");
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.num_rows(), 4);
    let version =
        metadata.key_value_metadata().expect("metadata").iter().find(|kv| kv.key == "tengen.schema");
    assert_eq!(version.and_then(|kv| kv.value.as_deref()), Some(VERSION));
    let rows: Vec<_> = reader.get_row_iter(None).expect("rows").map(|row| row.expect("a row")).collect();
    assert_eq!(rows[1].get_string(3).expect("origin"), "A1");
    assert!(rows[1].get_bool(13).expect("ko"));
}
