//! Tests of the analysis protocol with a scripted client. Its messages follow the protocol's documentation and
//! `KaTrain`.

use super::{Analyst, serve};
use serde_json::{Value, json};

fn talk(lines: &[Value]) -> Vec<Value> {
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    say(&text)
}

fn say(text: &str) -> Vec<Value> {
    let mut out = Vec::new();
    serve(text.as_bytes(), &mut out, Analyst::default()).expect("a vector takes everything");
    String::from_utf8(out).expect("text").lines().map(|l| serde_json::from_str(l).expect("JSON")).collect()
}

fn query(more: &Value) -> Value {
    let mut query = json!({
        "id": "q", "rules": "japanese", "boardXSize": 9, "boardYSize": 9, "maxVisits": 60, "komi": 6.5,
        "moves": [["B", "E5"], ["w", "(2,2)"]], "priority": 0,
        "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "wideRootNoise": 0.04 },
    });
    for (name, value) in more.as_object().expect("an object") {
        query[name] = value.clone();
    }
    query
}

#[test]
fn each_turn_asked_for_gets_one_final_answer_with_all_that_clients_read() {
    let more = json!({ "analyzeTurns": [0, 2, 2], "includeOwnership": true, "includePolicy": true, "includeTengen": true });
    let answers = talk(&[query(&more)]);
    assert_eq!(answers.len(), 2);
    for answer in &answers {
        assert_eq!(answer["isDuringSearch"], false);
        let turn = answer["turnNumber"].as_u64().expect("a number");
        assert!(turn == 0 || turn == 2);
        assert_eq!(answer["rootInfo"]["currentPlayer"], "B");
        assert_eq!(answer["ownership"].as_array().map(Vec::len), Some(81));
        let policy = answer["policy"].as_array().expect("a list");
        assert_eq!(policy.len(), 82);
        let sum: f64 = policy.iter().filter_map(Value::as_f64).filter(|p| *p > 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        let best = &answer["moveInfos"][0];
        assert_eq!(best["order"], 0);
        assert_eq!(best["pv"][0], best["move"]);
        let rate = best["winrate"].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&rate));
        for name in ["visits", "scoreLead", "prior", "lcb", "utility"] {
            assert!(best[name].is_number(), "{name}");
        }
        assert!(answer["tengen"]["worms"].is_array());
    }
}

#[test]
fn sides_turn_win_rates_and_leads_around() {
    let side = |name: &str| {
        let more = json!({ "overrideSettings": { "reportAnalysisWinratesAs": name } });
        talk(&[query(&more)])[0]["rootInfo"].clone()
    };
    let (black, white) = (side("BLACK"), side("WHITE"));
    let sum = black["winrate"].as_f64().expect("a number") + white["winrate"].as_f64().expect("a number");
    assert!((sum - 1.0).abs() < 1e-5);
    assert_eq!(black["scoreLead"].as_f64().map(|x| -x), white["scoreLead"].as_f64());
    assert_eq!(side("SIDETOMOVE"), black);
}

#[test]
fn what_is_wrong_is_told_with_its_field_and_the_next_line_is_answered() {
    for (more, field) in [
        (json!({ "moves": [["B", "E5"], ["W", "E5"]] }), "moves"),
        (json!({ "moves": "E5" }), "moves"),
        (json!({ "rules": "chess" }), "rules"),
        (json!({ "boardXSize": 99 }), "boardXSize"),
        (json!({ "boardYSize": 13 }), "boardYSize"),
        (json!({ "komi": 0.3 }), "komi"),
        (json!({ "maxVisits": 0 }), "maxVisits"),
        (json!({ "analyzeTurns": [3] }), "analyzeTurns"),
        (json!({ "analyzeTurns": [0], "priorities": [1] }), "priorities"),
        (json!({ "includeOwnership": 1 }), "includeOwnership"),
        (json!({ "avoidMoves": [{ "player": "B" }] }), "avoidMoves"),
        (json!({ "initialStones": [["B", "pass"]] }), "initialStones"),
    ] {
        let answers = talk(&[query(&more)]);
        assert_eq!(answers.len(), 1, "{more}");
        assert_eq!(answers[0]["field"], field, "{more}");
        assert_eq!(answers[0]["id"], "q");
    }
    let answers = say("{torn\n[1]\n{\"id\":7}\n{\"id\":\"v\",\"action\":\"query_version\"}\n");
    assert_eq!(answers.len(), 4);
    assert!(answers[..3].iter().all(|a| a["error"].is_string() && a.get("id").is_none()));
    assert_eq!(answers[3]["version"], env!("CARGO_PKG_VERSION"));
    let told = talk(&[query(&json!({ "moves": [["B", "E5"], ["W", "E5"]] }))]);
    assert!(told[0]["error"].as_str().is_some_and(|e| e.starts_with("Illegal move 1: ")));
}

#[test]
fn an_unknown_field_is_a_warning_and_an_avoided_move_is_not_named() {
    let first = talk(&[query(&json!({}))]);
    let best = first[0]["moveInfos"][0]["move"].as_str().expect("a move").to_owned();
    let more =
        json!({ "colour": "red", "avoidMoves": [{ "player": "B", "moves": [best], "untilDepth": 1 }] });
    let answers = talk(&[query(&more)]);
    assert_eq!(answers[0]["warning"], "Unexpected or unused field");
    assert_eq!(answers[0]["field"], "colour");
    let moves = answers[1]["moveInfos"].as_array().expect("a list");
    assert!(!moves.is_empty() && moves.iter().all(|m| m["move"] != best.as_str()));
}

#[test]
fn what_is_terminated_still_gets_its_last_answer() {
    let long = query(&json!({ "id": "long", "analyzeTurns": [0, 1, 2], "maxVisits": 1000000 }));
    let answers = talk(&[long, json!({ "id": "t", "action": "terminate", "terminateId": "long" })]);
    let finals = answers.iter().filter(|a| a["id"] == "long" && a["isDuringSearch"] == false).count();
    assert_eq!(finals, 3);
    assert!(answers.iter().any(|a| a["id"] == "t" && a["action"] == "terminate"));
}

#[test]
fn reports_come_while_one_search_goes_on_and_a_time_ends_it() {
    let often = json!({ "maxVisits": 500, "reportDuringSearchEvery": 0.02, "includeMovesOwnership": true });
    let answers = talk(&[query(&often)]);
    let (last, reports) = answers.split_last().expect("an answer");
    assert_eq!(
        (last["isDuringSearch"].as_bool(), last["rootInfo"]["visits"].as_u64()),
        (Some(false), Some(500))
    );
    assert!(!reports.is_empty());
    assert!(reports.iter().all(|report| report["isDuringSearch"] == true && report["id"] == last["id"]));
    let visits: Vec<u64> = answers.iter().filter_map(|a| a["rootInfo"]["visits"].as_u64()).collect();
    assert!(visits.windows(2).all(|pair| pair[0] < pair[1]), "{visits:?}");
    let best = &last["moveInfos"][0];
    assert_eq!(best["ownership"].as_array().map(Vec::len), Some(81));
    assert!(best["pv"].as_array().is_some_and(|line| line.len() > 1 && line[0] == best["move"]));
    let short = json!({ "maxVisits": 100_000, "overrideSettings": { "maxTime": 0.1 } });
    let ended = talk(&[query(&short)]);
    assert!(ended[0]["rootInfo"]["visits"].as_u64().is_some_and(|visits| visits < 100_000));
    for wrong in [
        json!({ "reportDuringSearchEvery": 0 }),
        json!({ "reportDuringSearchEvery": "x" }),
        json!({ "firstReportDuringSearchAfter": -1 }),
        json!({ "overrideSettings": { "maxTime": "x" } }),
    ] {
        assert!(talk(&[query(&wrong)])[0]["error"].is_string(), "{wrong}");
    }
}
