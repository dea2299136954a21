//! Tests the editing of patterns by clicks. The test repeats an example of the GNU Go 3.8 manual, chapter "Influence",
//! section "Influence Tuning with view.pike". In endgame:920, the pattern `Nonterritory56` makes the push at C4 worth a
//! point. The numbers must equal those of `run --patterns`.

use crate::driver::*;
use fantoccini::Client;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SCENES: &str = "scenes/go/seed/influence.ron";

/// The pattern of the example, as the manual prints it.
const ADDED: &str = "\nPattern Nonterritory56\n\n...\nX.O\n?O.\n\n:8,t\n\neac\nXbO\n?Od\n\n;oplay_attack(a,b,c,d,d)\n\n>non_xterritory(e);\n";

/// The entry of a move in the record of endgame:920, with the patterns of a folder.
fn valued(program: &Path, patterns: &str, vertex: &str) -> Value {
    let arguments =
        ["run", SCENES, "--only", "*920*", "--format", "json", "--no-progress", "--patterns", patterns];
    let record: Value = serde_json::from_str(&output(program, &arguments, "")).expect("one record");
    let moves = record["result"]["moves"].as_array().expect("moves");
    moves.iter().find(|m| m["move"] == vertex).expect("it is a candidate").clone()
}

/// What the page says of a move that was clicked; it holds the record's value and term of territory.
async fn clicked(client: &Client, vertex: &str, entry: &Value) {
    click_vertex(client, vertex).await;
    let facts = text(client, "#facts [data-title^='Move at']").await;
    for number in [&entry["value"], &entry["terms"]["territory"]] {
        assert!(facts.contains(&number.to_string()), "{number} in {facts}");
    }
}

/// The territory at a vertex when Black moves first and dragons are known, as the page shows it.
async fn territory(client: &Client, vertex: &str) -> String {
    click_vertex(client, vertex).await;
    let facts = text(client, "#facts [data-title^='Influence']").await;
    let row = facts.lines().find(|l| l.starts_with("Black known")).expect("a row of this map");
    row.split_whitespace().last().expect("a number").to_owned()
}

#[test]
fn the_point_of_the_push_in_endgame_920_is_found_and_given_to_it_by_clicks() {
    with_browser(|program, client| async move {
        let patterns = std::env::temp_dir().join(format!("tengen-patterns-{}", std::process::id()));
        fs::create_dir_all(&patterns).expect("a folder");
        let own = repository().join("resources/go/patterns");
        for name in ["influence.db", "barriers.db", "conn.db"] {
            fs::copy(own.join(name), patterns.join(name)).expect("ours come along");
        }
        let folder = patterns.to_str().expect("UTF-8");
        let before = valued(&program, folder, "C4");
        let (_viewer, address) = view(&program, &[SCENES, "--patterns", folder]);
        // From the list of scenes to the first view of move values, and the move's reasons.
        client.goto(&address).await.expect("the page opens");
        click(&client, "a.case[href*='920']").await;
        assert!(text(&client, "header b").await.contains("white to move"));
        clicked(&client, "C4", &before).await;
        keep(&client, "tuning-moves").await;
        // "Delta territory for", then the territory with Black first, dragons known, and after the move.
        click(&client, "#facts a.delta").await;
        keep(&client, "tuning-delta").await;
        press(&client, "y").await;
        press(&client, "1").await;
        keep(&client, "tuning-territory").await;
        let was: f64 = territory(&client, "B5").await.parse().expect("a number");
        assert!(was > 0.0, "White is said to have some of B5 although Black moves first: {was}");
        // The pattern is added, and what it changes is shown.
        click(&client, "#tries .tune").await;
        let script = "const t = document.querySelector('#text'); t.value += arguments[0]";
        client.execute(script, vec![json!(ADDED)]).await.expect("the text is longer");
        click(&client, "#save").await;
        let changes = text(&client, "#changes").await;
        keep(&client, "tuning-after").await;
        assert!(changes.contains("Nonterritory56") && changes.contains("B5"), "{changes}");
        let after = valued(&program, folder, "C4");
        let points = |entry: &Value| entry["terms"]["territory"].as_f64().expect("a number");
        println!("territory of C4: {} before, {} with the pattern", points(&before), points(&after));
        assert!(points(&after) > points(&before), "the push is worth more: {before} {after}");
        // The page keeps the text, so it is tried over many positions next.
        click(&client, "#over").await;
        let over = text(&client, "#across").await;
        assert!(over.lines().count() > 10, "{over}");
        assert!(text(&client, "#touched").await.contains("It changes"));
        keep(&client, "tuning-over-many").await;
        click(&client, "#see").await;
        assert_eq!(territory(&client, "B5").await, "0.00", "Black first: White has nothing there");
        clicked(&client, "C4", &after).await;
        keep(&client, "tuning-seen").await;
        // A mistake is told with its line, and nothing is saved.
        click(&client, "#tries .tune").await;
        client.execute(script, vec![json!("\nPattern Broken\n\nX.Q.!\n")]).await.expect("the text is longer");
        click(&client, "#save").await;
        assert!(text(&client, "#faults").await.contains("barriers.db:"));
        let saved = fs::read_to_string(patterns.join("barriers.db")).expect("it was saved");
        assert!(saved.contains("Nonterritory56") && !saved.contains("Broken"));
        let errors = console_errors(&client).await;
        fs::remove_dir_all(&patterns).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}
