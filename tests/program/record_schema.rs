//! Tests that `docs/record.schema.json` and `docs/records.md` describe every field of every kind of record correctly.

use crate::common::{game, repository, scratch, stdout, tengen, write};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// The faults of a value by a schema. It supports only the keywords of JSON Schema that Tengen's schema uses.
fn faults(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
        return faults(root, &root["$defs"][name], value, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let of_each = choices.iter().map(|choice| faults(root, choice, value, at));
        return of_each.min_by_key(Vec::len).unwrap_or_default();
    }
    if schema.get("const").is_some_and(|wanted| wanted != value)
        || schema["enum"].as_array().is_some_and(|all| !all.contains(value))
    {
        return vec![format!("{at}: {value} is none of the values")];
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema has the type {other}"),
    };
    let typed = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    };
    if !typed {
        return vec![format!("{at}: {value} is no {}", schema["type"])];
    }
    let mut found = Vec::new();
    if let (Some(fields), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            found.extend((!fields.contains_key(name)).then(|| format!("{at}: `{name}` is missing")));
        }
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            match known.get(name) {
                Some(schema) => found.extend(faults(root, schema, field, &at)),
                None if schema["additionalProperties"] == false => {
                    found.push(format!("{at} is not described"))
                }
                None => {}
            }
        }
    } else if let (Some(fields), true) = (value.as_object(), schema["additionalProperties"].is_object()) {
        let of =
            |(name, field)| faults(root, &schema["additionalProperties"], field, &format!("{at}.{name}"));
        found.extend(fields.iter().flat_map(of));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(root, &schema["items"], item, &format!("{at}[{index}]")));
    }
    found
}

fn schema() -> Value {
    let text = fs::read_to_string(repository().join("docs/record.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

const KIF: &str = "(role you) (init (left 2)) (<= (legal you take) (true (left ?n)))
    (<= (next (left ?m)) (true (left ?n)) (does you take) (succ ?m ?n)) (succ 0 1) (succ 1 2)
    (<= terminal (true (left 0))) (goal you 100)";

/// A scene of every kind of task, some of them wrong.
const SCENES: &str = r#"(version: 1, scenes: [
    (name: "columns", game: Go(sgf: "a.sgf", move: 30), task: Analyse(columns: [Influence, FirstInfluence, Territory, Points, Eyes, Moves]),
        expect: [Worm(at: "E5", size: 40), Column(name: "move", is: 30)]),
    (name: "worms", game: Go(size: 5), task: Analyse(last: Worms, columns: [Points, Eyes])),
    (name: "after", game: Go(size: 5), task: Analyse(after: "C3", columns: [Effects, Surround, Threats])),
    (name: "taken", game: Go(size: 2, diagram: "XX\nX."), task: Analyse(after: "A1")),
    (name: "field", game: Go(size: 5), task: Influence(sources: [(at: "C3")])),
    (name: "random", game: Go(size: 5), task: Playouts(count: 5)),
    (name: "games", game: Go(size: 5), task: SelfPlay(games: 1, max_moves: 4)),
    (name: "perft", game: Chess(), task: Perft(depth: 2)),
    (name: "search", game: Chess(), task: Search(nodes: 500)),
    (name: "exact", game: Chess(), task: Search(depth: 2, exact: true)),
    (name: "kif", game: Gdl(rules: "a.kif"), task: Playouts(count: 5)),
    (name: "kif perft", game: Gdl(rules: "a.kif"), task: Perft(depth: 1)),
    (name: "kif search", game: Gdl(rules: "a.kif"), task: Search(visits: 5)),
    (name: "gone", game: Gdl(rules: "none.kif"), task: Perft(depth: 1)),
    (name: "long", game: Chess(), task: Perft(depth: 9)),
])"#;

#[test]
fn every_record_is_what_the_schema_says_and_nothing_else() {
    let folder = scratch("record_schema");
    write(&folder, "a.sgf", &game(40));
    write(&folder, "a.kif", KIF);
    write(&folder, "a.pgn", "[White \"A\"]\n\n1. e4 e5 *\n");
    write(&folder, "a.ron", SCENES);
    write(&folder, "bad.ron", "(version: 1");
    let arguments = [
        "run",
        "a.ron",
        "bad.ron",
        "a.pgn",
        "a.sgf",
        "--no-progress",
        "--format",
        "json",
        "--case-nodes",
        "50000",
    ];
    let output = tengen(&folder, &arguments);
    let schema = schema();
    let (mut wrong, mut statuses, mut count) = (Vec::new(), BTreeSet::new(), 0);
    for line in stdout(&output).lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        statuses.insert(record["status"].as_str().unwrap_or_default().to_owned());
        wrong.extend(faults(&schema, &schema, &record, record["id"].as_str().unwrap_or("?")));
        count += 1;
    }
    assert_eq!(count, 18, "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(statuses.iter().map(String::as_str).collect::<Vec<_>>(), ["error", "failed", "limit", "ok"]);
    assert!(
        wrong.is_empty(),
        "describe it in docs/record.schema.json and docs/records.md:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_schema_refuses_what_is_no_record() {
    let schema = schema();
    for (value, told) in
        [("{}", "missing"), ("[]", "is no"), ("{\"status\": \"fine\"}", "none of the values")]
    {
        let value: Value = serde_json::from_str(value).expect("JSON");
        let found = faults(&schema, &schema, &value, "it");
        assert!(found.iter().any(|fault| fault.contains(told)), "{value}: {found:?}");
    }
}

#[test]
fn the_page_names_every_field_of_the_schema() {
    let page = fs::read_to_string(repository().join("docs/records.md")).expect("the page");
    let schema = schema();
    let parts = schema["$defs"].as_object().into_iter().flatten().map(|(_, part)| part).chain([&schema]);
    for name in
        parts.flat_map(|part| part["properties"].as_object().into_iter().flatten().map(|(name, _)| name))
    {
        assert!(page.contains(&format!("| `{name}` |")), "docs/records.md does not tell of `{name}`");
    }
}
