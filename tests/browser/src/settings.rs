//! Tests of three kinds of pages: two settings side by side, lines played out on the board, and scenes on the pages of
//! their games.

use crate::driver::*;
use fantoccini::Locator;
use serde_json::{Value, json};
use std::time::Duration;

/// The record of a position of a game, read with an effort.
fn read_with(program: &std::path::Path, effort: &str, moves: &str) -> Value {
    let game = "scenes/go/games/9x9-2.sgf";
    let arguments = ["run", game, "--move", moves, "--effort", effort, "--format", "json", "--no-progress"];
    serde_json::from_str(&output(program, &arguments, "")).expect("one record")
}

#[test]
fn two_efforts_are_compared_and_each_column_is_what_run_says_with_it() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games/9x9-2.sgf"]);
        client.goto(&address).await.expect("the page opens");
        slide(&client, 30).await;
        click(&client, "#tries .compare").await;
        let set = "const f = document.querySelector('#settings'); f.one_effort.value = 'quick'; \
                   f.other_effort.value = 'deep'; f.querySelector('button').click(); void arguments[0]";
        leads_on(&client, set, json!(null)).await;
        let boards = texts(&client, "figcaption").await;
        assert!(boards[0].contains("effort quick") && boards[1].contains("effort deep"), "{boards:?}");
        for (column, effort) in [(2, "quick"), (3, "deep")] {
            let record = read_with(&program, effort, "30");
            let best = &record["result"]["moves"][0];
            let cells = texts(&client, &format!("#verdicts tr:nth-child(3) td:nth-child({column})")).await;
            let words: Vec<&str> = cells[0].split_whitespace().collect();
            assert_eq!(json!(words[0]), best["move"], "{effort}");
            let shown: f64 = words[1].parse().expect("a number");
            assert!((shown - best["value"].as_f64().expect("a number")).abs() < 0.006, "{effort}: {cells:?}");
        }
        keep(&client, "compare").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn a_critical_dragon_s_kill_is_played_out_move_by_move() {
    with_browser(|program, client| async move {
        let game = "scenes/go/games/9x9-1.sgf";
        let Some((moves, dragon)) = critical(&program, game) else { panic!("no critical dragon in {game}") };
        let (origin, kill) = (dragon["origin"].clone(), dragon["vital_points"][0].clone());
        let (_viewer, address) = view(&program, &[game]);
        client.goto(&address).await.expect("the page opens");
        slide(&client, moves).await;
        click_vertex(&client, origin.as_str().expect("a vertex")).await;
        text(&client, "#facts .kill").await;
        let claims = text(&client, "#facts [data-title='Claims']").await;
        assert!(claims.contains(kill.as_str().expect("a vertex")), "{kill} in {claims}");
        keep(&client, "claims").await;
        click(&client, "#facts .kill").await;
        let steps = texts(&client, "#steps a").await;
        assert!(steps[1].contains(kill.as_str().expect("a vertex")), "{steps:?}");
        press(&client, ".").await;
        assert!(text(&client, "header b").await.contains("with moves tried"));
        keep(&client, "kill").await;
        press(&client, ",").await;
        assert!(!text(&client, "header b").await.contains("with moves tried"));
        assert_eq!(texts(&client, "#steps a").await.len(), steps.len());
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

/// The first position of a game with a critical dragon whose killing move is known, and the dragon.
fn critical(program: &std::path::Path, game: &str) -> Option<(usize, Value)> {
    let all = output(program, &["run", game, "--every", "1", "--format", "json", "--no-progress"], "");
    all.lines().find_map(|line| {
        let record: Value = serde_json::from_str(line).ok()?;
        let moves = record["id"].as_str()?.rsplit_once('@')?.1.parse().ok()?;
        let dragons = record["result"]["dragons"].as_array()?;
        let dragon = dragons.iter().find(|d| d["vital_points"].is_array() && d["rule"] == "LifeAndDeath")?;
        Some((moves, dragon.clone()))
    })
}

#[test]
fn scenes_of_chess_and_of_rulesheets_open_their_own_pages() {
    with_browser(|program, client| async move {
        let (viewer, address) = view(&program, &["scenes/chess/games.ron"]);
        client.goto(&address).await.expect("the page opens");
        click(&client, "a.case[href*='chess?game=2']").await;
        assert!(text(&client, "header b").await.contains("Legal's mate"));
        let lines = text(&client, "#iterations").await;
        assert!(lines.contains("mate in 1") && lines.contains("Nd5"), "{lines}");
        keep(&client, "scene-chess").await;
        drop(viewer);
        let (_viewer, address) = view(&program, &["scenes/gdl/games.ron"]);
        client.goto(&address).await.expect("the page opens");
        let second = "[...document.querySelectorAll('a.case')].find(a => a.textContent.includes(arguments[0])).click()";
        leads_on(&client, second, json!("the winning reply")).await;
        assert!(text(&client, "header b").await.contains("noughts.kif, 4 of 4 moves"));
        press(&client, "ArrowLeft").await;
        assert!(text(&client, "header b").await.contains("noughts.kif, 3 of 4 moves"));
        keep(&client, "scene-rules").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn the_graph_of_losses_fills_up_and_a_click_on_it_leads_to_the_move() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games/9x9-1.sgf"]);
        client.goto(&address).await.expect("the page opens");
        // Every position of the game is thought about: that takes as long as the machine needs.
        let done = Locator::Css("#growing [data-done]");
        client.wait().at_most(Duration::from_secs(300)).for_element(done).await.expect("the graphs are done");
        let bars = "return document.querySelectorAll('#losses svg.graph rect title').length";
        let bars = client.execute(bars, Vec::new()).await.expect("a number");
        assert!(bars.as_u64().expect("a number") > 5, "{bars}");
        keep(&client, "graphs").await;
        let middle = "const g = document.querySelector('#losses svg.graph'); const r = g.getBoundingClientRect(); \
                      const x = r.left + r.width * (Number(g.dataset.left) + Number(g.dataset.right)) / 2 / 600; \
                      g.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: r.top + 5})); void arguments[0]";
        leads_on(&client, middle, json!(null)).await;
        let half = "const s = document.querySelector('#slider'); return Math.abs(s.value - s.max / 2) <= 1";
        assert_eq!(client.execute(half, Vec::new()).await.expect("a value"), json!(true));
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}
