//! Tests of the pages of a batch: counts, filters, the order with failures first, and growth while the batch runs.

use crate::driver::*;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Scenes of which two fail.
const MIXED: &str = r#"(version: 1, scenes: [
    (name: "good one", game: Go(diagram: "
        . . . . .
        . . . . .
        . . X . .
        . . . . .
        . . . . ."), task: Analyse(last: Worms), expect: [Liberties(of: "C3", order: 1, are: ["B3", "C2", "C4", "D3"])]),
    (name: "first failure", game: Go(diagram: "
        . . . . .
        . . . . .
        . . X . .
        . . . . .
        . . . . ."), task: Analyse(last: Worms), expect: [Liberties(of: "C3", order: 1, are: ["B3", "C2", "C4"])]),
    (name: "another good one", game: Go(diagram: "
        . . .
        . O .
        . . ."), task: Analyse(last: Worms), expect: [Liberties(of: "B2", order: 1, are: ["A2", "B1", "B3", "C2"])]),
    (name: "second failure", game: Go(diagram: "
        . . .
        . O .
        . . ."), task: Analyse(last: Worms), expect: [Liberties(of: "B2", order: 1, are: ["A1"])]),
])
"#;

/// A folder of a batch over a scene of the repository.
fn batch(program: &std::path::Path, name: &str, scenes: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
    let out = folder.to_str().expect("UTF-8");
    output(program, &["run", scenes, "--no-progress", "--out", out], "");
    folder
}

fn lines(folder: &std::path::Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("records.jsonl")).expect("records");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn records_are_counted_and_filtered_and_failures_stand_first() {
    with_browser(|program, client| async move {
        let scenes = std::env::temp_dir().join(format!("tengen-mixed-{}.ron", std::process::id()));
        fs::write(&scenes, MIXED).expect("a file");
        let folder = batch(&program, "mixed", scenes.to_str().expect("UTF-8"));
        let records: Vec<Value> =
            lines(&folder).iter().map(|l| serde_json::from_str(l).expect("a record")).collect();
        let of = |status: &str| records.iter().filter(|r| r["status"] == status).count();
        let (_viewer, address) = view(&program, &[folder.to_str().expect("UTF-8")]);
        client.goto(&address).await.expect("the page opens");
        let counts = text_now(&client, "#counts").await;
        let expected = format!("{} of 4 records: {} ok, {} failed", records.len(), of("ok"), of("failed"));
        assert!(counts.starts_with(&expected), "{counts}, not {expected}");
        assert_eq!((of("ok"), of("failed")), (2, 2));
        let rows = texts(&client, "#growing > table > tbody > tr > td:first-child").await;
        assert_eq!(rows, ["failed", "failed", "ok", "ok"]);
        keep(&client, "records").await;
        let filter = "const f = document.querySelector('form'); f.filter.value = arguments[0]; f.submit()";
        leads_on(&client, filter, json!("second")).await;
        let rows = texts(&client, "#growing > table > tbody > tr").await;
        assert!(rows.len() == 1 && rows[0].contains("second failure"), "{rows:?}");
        leads_on(&client, filter, json!("")).await;
        click(&client, "nav a[href*='status=ok']").await;
        let rows = texts(&client, "#growing > table > tbody > tr").await;
        assert!(rows.len() == 2 && rows.iter().all(|r| r.contains("good one")), "{rows:?}");
        let errors = console_errors(&client).await;
        fs::remove_dir_all(&folder).expect("it was there");
        fs::remove_file(&scenes).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn a_running_batch_is_seen_to_grow_without_a_click() {
    with_browser(|program, client| async move {
        let folder = batch(&program, "growing", "scenes/go/seed/dragons.ron");
        let all = lines(&folder);
        // A batch that has written half of its records, and half of a line.
        let file = folder.join("records.jsonl");
        let half = all.len() / 2;
        fs::write(&file, all[..half].join("\n") + "\n{\"id\":").expect("a file");
        let (_viewer, address) = view(&program, &[folder.to_str().expect("UTF-8")]);
        client.goto(&address).await.expect("the page opens");
        let counts = text_now(&client, "#counts").await;
        assert!(counts.starts_with(&format!("{half} of {} records", all.len())), "{counts}");
        assert!(counts.contains("1 line could not be read"), "{counts}");
        // A part that a reader opened stays open while the table grows.
        let open = "document.querySelector('#growing details').open = true";
        client.execute(open, Vec::new()).await.expect("it opens");
        // In one step: a batch never takes back what it has written.
        let grown = folder.join("grown.jsonl");
        fs::write(&grown, all.join("\n") + "\n").expect("a file");
        fs::rename(&grown, &file).expect("renamed");
        let expected = format!("{0} of {0} records: {0} ok", all.len());
        let mut shown = String::new();
        for _ in 0..100 {
            shown = text_now(&client, "#counts").await;
            if shown.starts_with(&expected) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(shown.starts_with(&expected), "{shown}");
        let is_open = "return document.querySelector('#growing details').open";
        assert_eq!(client.execute(is_open, Vec::new()).await.expect("a value"), json!(true));
        keep(&client, "records-grown").await;
        let errors = console_errors(&client).await;
        fs::remove_dir_all(&folder).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}
