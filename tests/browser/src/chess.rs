//! Tests of the chess pages. They compare the lines of a game with `run --format json`. They compare the exact tree and
//! the schemes with `chess explain --format json`.

use crate::driver::*;
use serde_json::Value;
use std::fs;

/// A king that goes to and fro: the last position stood before.
const PGN: &str = "[Event \"to and fro\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
                   [FEN \"8/8/8/3k4/8/3K4/3P4/6r1 w - - 0 1\"]\n\n1. Kc3 Rg3+ 2. Kc2 Rg2 3. Kd3 Rg3+ 4. Kc2 Rg2 *\n";

#[test]
fn a_game_is_stepped_through_and_its_numbers_are_those_of_run_and_explain() {
    with_browser(|program, client| async move {
        let file = std::env::temp_dir().join(format!("tengen-chess-{}.pgn", std::process::id()));
        fs::write(&file, PGN).expect("a file");
        let path = file.to_str().expect("UTF-8");
        let (_viewer, address) = view(&program, &[path]);
        client.goto(&address).await.expect("the page opens");
        assert!(text(&client, "header b").await.contains("after 0 plies"), "it begins at the start");
        press(&client, "End").await;
        text(&client, "#iterations").await;
        keep(&client, "chess").await;
        press(&client, "ArrowLeft").await;
        press(&client, "ArrowLeft").await;
        assert!(text(&client, "header b").await.contains("after 6 plies"));
        let run = output(&program, &["run", "--format", "json", "--no-progress", "--move", "6", path], "");
        let record: Value = serde_json::from_str(&run).expect("one record");
        let result = &record["result"];
        text(&client, "#report").await;
        let report = texts(&client, "#report td").await;
        assert_eq!(report[0], result["best"].as_str().expect("a move"));
        assert_eq!(report[1], result["score"].to_string());
        assert_eq!(report[2], result["nodes"].to_string());
        press(&client, "End").await;
        let fen = texts(&client, "#standing td").await.remove(0);
        click(&client, "#tools .tree").await;
        let mut arguments = vec!["chess", "explain", "--format", "json", "--depth", "4", "--plies", "3"];
        arguments.extend(["8/8/8/3k4/8/3K4/3P4/6r1 w - - 0 1"]);
        let line = ["d3c3", "g1g3", "c3c2", "g3g2", "c2d3", "g2g3", "d3c2", "g3g2"];
        arguments.extend(line);
        let told: Value = serde_json::from_str(&output(&program, &arguments, "")).expect("JSON");
        let shown = text(&client, "#told").await;
        assert!(shown.contains(&format!("{} nodes", told["report"]["nodes"])), "{shown} {fen}");
        let values = client
            .execute(
                "return [...document.querySelectorAll('#tree > details > details > summary b, #tree > details > .leaf b')]\
                 .map(b => Number(b.title))",
                Vec::new(),
            )
            .await
            .expect("a list");
        let known: Vec<Value> =
            told["tree"]["moves"].as_array().expect("moves").iter().map(|m| m["value"].clone()).collect();
        assert_eq!(values, Value::Array(known));
        keep(&client, "chess-tree").await;
        click(&client, "nav a.schemes").await;
        let rows = texts(&client, "#schemes tr[data-scheme] td:first-child").await;
        assert_eq!(rows.len(), 12, "{rows:?}");
        for scheme in ["walk", "exact", "shadow"] {
            let mut with = arguments.clone();
            with.extend(["--scheme", scheme]);
            let told: Value = serde_json::from_str(&output(&program, &with, "")).expect("JSON");
            let row = format!("#schemes tr[data-scheme='{scheme}'] td");
            let cells = texts(&client, &row).await;
            assert_eq!(cells[4], told["report"]["nodes"].to_string(), "{scheme} {cells:?}");
        }
        keep(&client, "chess-schemes").await;
        let errors = console_errors(&client).await;
        fs::remove_file(&file).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn moves_are_tried_by_two_clicks_and_the_engine_answers() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]);
        client.goto(&address).await.expect("the page opens");
        text(&client, "#iterations").await;
        assert!(text(&client, "#iterations").await.contains("mate in 1"));
        let square = "document.querySelector(`svg.board .v[data-v='${arguments[0]}']`)\
                      .dispatchEvent(new MouseEvent('click', {bubbles: true}))";
        leads_on(&client, square, "d1".into()).await;
        leads_on(&client, square, "d7".into()).await;
        assert!(text(&client, "header b").await.contains("1 tried, Black to move"));
        click(&client, "#tools .best").await;
        assert!(text(&client, "header b").await.contains("2 tried, White to move"));
        keep(&client, "chess-tried").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}
