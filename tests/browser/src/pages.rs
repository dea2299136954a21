//! Tests of the Go pages. They click through all pages, and compare the numbers with `run --format json`.

use crate::driver::*;
use fantoccini::Locator;
use std::fs;
use std::time::Instant;

const GAME: &str = "scenes/go/games/13x13-1.sgf";

#[test]
fn a_game_is_stepped_through_its_layers_switched_and_its_numbers_are_those_of_run() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &[GAME]);
        let begun = Instant::now();
        client.goto(&address).await.expect("the page opens");
        text(&client, "#layers .on").await;
        println!("first picture after {} ms", begun.elapsed().as_millis());
        slide(&client, 42).await;
        press(&client, "ArrowLeft").await;
        press(&client, "ArrowLeft").await;
        press(&client, "d").await;
        assert_eq!(text(&client, "#layers .on").await.split(' ').next(), Some("Groups"));
        keep(&client, "dragons").await;
        press(&client, "m").await;
        let title = text(&client, "header b").await;
        assert!(title.contains("move 40,"), "{title}");
        let record = record(&program, GAME, 40);
        let best = &record["result"]["moves"][0];
        let name = best["move"].as_str().expect("a best move");
        let lines = text(&client, "#lines").await;
        let first: Vec<&str> = lines.lines().next().unwrap_or("").split_whitespace().collect();
        assert_eq!(first[1], name);
        let shown: f64 = first[2].parse().expect("a number");
        assert!((shown - best["value"].as_f64().expect("a number")).abs() < 0.006, "{lines}");
        click_vertex(&client, name).await;
        let facts = text(&client, "#facts [data-title^='Move at']").await;
        for number in [&best["value"], &best["terms"]["territory"], &best["terms"]["strategic"]] {
            assert!(facts.contains(&number.to_string()), "{number} in {facts}");
        }
        for reason in best["reasons"].as_array().expect("reasons") {
            assert!(facts.contains(reason["text"].as_str().expect("text")), "{reason} in {facts}");
        }
        let ms = client
            .find(Locator::Css("#facts"))
            .await
            .expect("a panel")
            .attr("data-ms")
            .await
            .expect("it is there");
        println!("a click was answered after {} ms", ms.expect("the script measures"));
        keep(&client, "move").await;
        let lead = record["result"]["territory"]["white_lead"].to_string();
        client.refresh().await.expect("the page is read anew");
        let summary = text(&client, ".panel").await;
        assert!(summary.contains(&lead), "{lead} in {summary}");
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn moves_are_tried_and_taken_back_and_a_click_asks_why_not_here() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["--size", "9"]);
        client.goto(&address).await.expect("the page opens");
        click_vertex(&client, "A1").await;
        let facts = text(&client, "#facts [data-title^='Move at']").await;
        assert!(facts.contains("Why not here?") || facts.contains("value"), "{facts}");
        click(&client, "#tries .best").await;
        let title = text(&client, "header b").await;
        assert!(title.contains("move 1, with moves tried, white"), "{title}");
        keep(&client, "tried").await;
        click(&client, "#tries .undo").await;
        assert!(text(&client, "header b").await.contains("move 0"));
    });
}

#[test]
fn a_folder_lists_its_games_and_a_scene_its_positions() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games"]);
        client.goto(&address).await.expect("the page opens");
        assert_eq!(texts(&client, "a.record").await.len(), 4);
        keep(&client, "folder").await;
        click(&client, "a.record").await;
        text(&client, "#layers .on").await;
        click(&client, "header a").await;
        assert_eq!(texts(&client, "a.record").await.len(), 4);
        drop(_viewer);
        let (_viewer, address) = view(&program, &["scenes/go/seed/dragons.ron"]);
        client.goto(&address).await.expect("the page opens");
        click(&client, "a.case").await;
        press(&client, "d").await;
        assert_eq!(text(&client, "#layers .on").await.split(' ').next(), Some("Groups"));
        keep(&client, "scene").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn a_report_opens_from_its_file() {
    with_browser(|program, client| async move {
        let folder = std::env::temp_dir().join(format!("tengen-report-{}", std::process::id()));
        let out = folder.to_str().expect("UTF-8");
        output(&program, &["report", "scenes/go/games/9x9-2.sgf", "--every", "4", "--out", out], "");
        client.goto(&format!("file://{out}/index.html")).await.expect("the page opens");
        assert!(text(&client, "table").await.contains("9x9-2"));
        keep(&client, "report-index").await;
        click(&client, "table a").await;
        assert!(text(&client, "body").await.contains("Key moments"));
        keep(&client, "report").await;
        let errors = console_errors(&client).await;
        fs::remove_dir_all(&folder).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}

/// The first picture of a position that was not looked at before, and a click on it. The figures stand in
/// docs/performance.md; the bounds here are wide, because a machine may be busy.
#[test]
fn the_first_picture_and_a_click_on_nineteen_lines_are_quick() {
    with_browser(|program, client| async move {
        let shared = repository().join("../shared/suites/go/games/kgs/yagr-gab9.sgf");
        let game = if shared.exists() { shared } else { repository().join(GAME) };
        let (_viewer, address) = view(&program, &[game.to_str().expect("UTF-8")]);
        let (mut pictures, mut clicks) = (Vec::new(), Vec::new());
        for node in [20, 60, 100, 140, 180] {
            let begun = Instant::now();
            client.goto(&format!("{address}game?node={node}")).await.expect("the page opens");
            client.find(Locator::Css("svg.board")).await.expect("a board");
            pictures.push(begun.elapsed().as_millis());
            click_vertex(&client, "E5").await;
            let panel = client.find(Locator::Css("#facts")).await.expect("a panel");
            let ms = panel.attr("data-ms").await.expect("it is there").expect("the script measures");
            clicks.push(ms.parse::<u128>().expect("a number"));
        }
        pictures.sort_unstable();
        clicks.sort_unstable();
        println!(
            "first picture {} ms, at most {}; click {} ms, at most {}",
            pictures[2], pictures[4], clicks[2], clicks[4]
        );
        assert!(pictures[2] < 3000 && clicks[2] < 500, "{pictures:?} {clicks:?}");
    });
}
