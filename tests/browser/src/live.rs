//! Tests of the pages of running games, and of the page that shows a profile as bars and a timeline.

use crate::driver::*;
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Two games of some ten seconds on a quiet machine: long enough to be looked at.
const SLOW: &str = "(version: 1, name: \"slow\", game: Chess(),
    task: SelfPlay(players: [Search(nodes: 300000), Search(nodes: 200000)], max_moves: 60, random_moves: 4))";

#[test]
fn games_are_seen_on_their_boards_while_they_are_played_and_lead_to_their_records() {
    with_browser(|program, client| async move {
        let folder = std::env::temp_dir().join(format!("tengen-live-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("slow.ron"), SLOW).expect("a scene");
        let mut run = Command::new(&program)
            .current_dir(&folder)
            .args(["selfplay", "slow.ron", "--games", "2", "--no-progress", "--out", "out"])
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        while !folder.join("out/run.json").exists() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let out = folder.join("out");
        let (_viewer, address) = view(&program, &[out.to_str().expect("UTF-8")]);
        client.goto(&address).await.expect("the page opens");
        // The page grows by itself until a board is on it.
        let mut boards = Value::Null;
        for _ in 0..600 {
            let count = "return document.querySelectorAll('#boards svg').length";
            boards = client.execute(count, Vec::new()).await.expect("a number");
            if boards != json!(0) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_ne!(boards, json!(0), "no board came");
        keep(&client, "games-played").await;
        click(&client, "#boards a.watch").await;
        let first = text_now(&client, "#moves").await;
        let mut later = first.clone();
        for _ in 0..1200 {
            later = text_now(&client, "#moves").await;
            if later != first {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_ne!(later, first, "the game goes on without a click");
        keep(&client, "game-played").await;
        assert!(run.wait().expect("it ends").success());
        client.goto(&address).await.expect("the page opens");
        assert!(text_now(&client, "#counts").await.starts_with("2 games over, 0 being played"));
        let rows = texts(&client, "#over tr[data-id]").await;
        let games = fs::read_to_string(out.join("games.jsonl")).expect("games");
        let games: Vec<Value> = games.lines().map(|l| serde_json::from_str(l).expect("a line")).collect();
        assert_eq!(rows.len(), games.len());
        for (row, game) in rows.iter().rev().zip(&games) {
            let (result, moves) = (game["result"].as_str().expect("a result"), game["moves"].to_string());
            assert!(row.contains(result) && row.split(' ').any(|w| w == moves), "{row} {game}");
        }
        keep(&client, "games-over").await;
        click(&client, "#over tr[data-id='1'] a.study").await;
        let plies = games[0]["moves"].to_string();
        assert!(text(&client, "header b").await.contains(&format!("after {plies} plies")));
        let errors = console_errors(&client).await;
        fs::remove_dir_all(&folder).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn a_profile_is_bars_and_a_timeline_with_the_numbers_of_the_command() {
    with_browser(|program, client| async move {
        let file = std::env::temp_dir().join(format!("tengen-profile-{}.json", std::process::id()));
        let path = file.to_str().expect("UTF-8");
        let arguments =
            ["profile", "scenes/go/seed/worms.ron", "--jobs", "1", "--format", "json", "--trace", path];
        let told: Value = serde_json::from_str(&output(&program, &arguments, "")).expect("a profile");
        let (_viewer, address) = view(&program, &[path]);
        client.goto(&address).await.expect("the page opens");
        let rows = texts(&client, "#rows tr td:nth-child(2)").await;
        let known = told["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), known.len().min(60));
        for (shown, row) in rows.iter().zip(known) {
            assert_eq!(shown, row["name"].as_str().expect("a name"));
        }
        let calls = texts(&client, "#rows tr td:nth-child(5)").await;
        assert_eq!(calls[0], known[0]["calls"].to_string());
        keep(&client, "profile").await;
        let all = text(&client, "#counts").await;
        let widest = "const bars = [...document.querySelectorAll('svg.timeline a')]; \
                      const width = (a) => a.querySelector('rect').width.baseVal.value; \
                      const bar = bars.filter(a => width(a) < 400).sort((a, b) => width(b) - width(a))[0]; \
                      location.href = bar.href.baseVal";
        leads_on(&client, widest, json!(null)).await;
        let part = text(&client, "#counts").await;
        assert_ne!(part, all);
        keep(&client, "profile-part").await;
        press(&client, "ArrowUp").await;
        assert_ne!(text(&client, "#counts").await, part);
        press(&client, "Home").await;
        assert_eq!(text(&client, "#counts").await, all);
        let errors = console_errors(&client).await;
        fs::remove_file(&file).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}
