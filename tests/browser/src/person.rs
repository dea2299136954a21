//! Tests of the actions of a person: fast key presses, a game that is played and counted, a dropped file, a saved file.
//! One test finds the biggest mistake of a folder in five clicks.

use crate::driver::*;
use fantoccini::{Client, Locator};
use serde_json::json;

/// Drops a file on the page.
async fn drop_file(client: &Client, name: &str, text: &str) {
    let script = "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'NAME')); \
                  document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))"
        .replace("NAME", name);
    leads_on(client, &script, json!(text)).await;
}

#[test]
fn ninety_keys_pressed_without_a_pause_are_ninety_moves() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games/13x13-1.sgf"]);
        client.goto(&address).await.expect("the page opens");
        assert!(text(&client, "header b").await.contains("move 0,"), "it begins at the start");
        // Real keys, as a keyboard that repeats sends them.
        client
            .find(Locator::Css("body"))
            .await
            .expect("a page")
            .send_keys(&"\u{e014}".repeat(90))
            .await
            .expect("keys");
        until(&client, "return document.querySelector('header b').textContent.includes('move 90,')").await;
        assert_eq!(number(&client, "return Number(document.querySelector('#slider').value)").await, 90.0);
        let address = client.current_url().await.expect("an address");
        assert!(address.as_str().contains("node=90"), "{address}");
        client
            .find(Locator::Css("body"))
            .await
            .expect("a page")
            .send_keys(&"\u{e012}".repeat(30))
            .await
            .expect("keys");
        until(&client, "return document.querySelector('header b').textContent.includes('move 60,')").await;
        client.back().await.expect("back");
        until(&client, "return !document.querySelector('header b').textContent.includes('move 60,')").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

/// One click on the board of a game against the engine.
async fn plays(client: &Client, vertex: &str) {
    let script = "document.querySelector(`svg.board .v[data-v='${arguments[0]}']`)\
                  .dispatchEvent(new MouseEvent('click', {bubbles: true}))";
    leads_on(client, script, json!(vertex)).await;
}

#[test]
fn a_game_is_played_by_one_click_a_move_taken_back_and_counted() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["--size", "9"]);
        client.goto(&address).await.expect("the page opens");
        click(&client, "header a[href='new']").await;
        let set = "const f = document.querySelector('form'); f.size.value = '7'; f.level.value = '1'; \
                   f.querySelector('button').click(); void arguments[0]";
        leads_on(&client, set, json!(null)).await;
        plays(&client, "D4").await;
        assert!(text(&client, "header b").await.contains("move 2,"), "one click, and the answer");
        assert!(text(&client, "#match").await.contains("Tengen played"));
        click(&client, "#match .hint-move").await;
        assert_eq!(
            number(&client, "return document.querySelectorAll('[data-layer=moves].on').length").await,
            1.0
        );
        click(&client, "#match .undo").await;
        assert!(text(&client, "header b").await.contains("move 0,"));
        plays(&client, "D4").await;
        // The person plays what the hint says until the engine passes; then both have passed.
        for _ in 0..80 {
            if text(&client, "#match").await.contains("The game is over") {
                break;
            }
            let best = "const li = document.querySelector('ol.best a'); return li ? li.textContent : ''";
            if !text_now(&client, "#match").await.contains("passes") {
                click(&client, "#match .hint-move").await;
                let name = client.execute(best, Vec::new()).await.expect("a text");
                if let Some(name) = name.as_str().filter(|name| !name.is_empty()) {
                    plays(&client, name).await;
                    continue;
                }
            }
            click(&client, "#pass").await;
        }
        let count = text(&client, "#count").await;
        assert!(count.contains("wins by") || count.contains("A draw"), "{count}");
        keep(&client, "counted").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn a_file_is_dropped_in_a_variation_tried_and_saved_out() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["--size", "9"]);
        client.goto(&address).await.expect("the page opens");
        let record = "(;GM[1]FF[4]SZ[9]PB[Ann]PW[Ben]RE[B+2.5]DT[2026-01-02];B[ee]C[a <b>fine</b> move]LB[cc:A];W[cc];B[gc])";
        drop_file(&client, "mine.sgf", record).await;
        assert!(text(&client, "header b").await.contains("mine.sgf, move 0,"));
        let players = text(&client, ".players").await;
        assert!(players.contains("Ann") && players.contains("Ben"), "{players}");
        assert!(text(&client, "#meta").await.contains("Black wins by 2.5 points"));
        press(&client, "ArrowRight").await;
        assert_eq!(text(&client, ".comment").await, "a <b>fine</b> move");
        click_vertex(&client, "G7").await;
        click(&client, "#facts .try").await;
        let script = "const done = arguments[arguments.length - 1]; const a = document.querySelector('#save-sgf'); \
                      fetch(a.href).then(r => r.text()).then(t => done(t + a.download))";
        let saved = client.execute_async(script, Vec::new()).await.expect("a record");
        let saved = saved.as_str().expect("a text");
        assert!(saved.contains("PB[Ann]") && saved.ends_with("mine-tried.sgf"), "{saved}");
        assert!(
            saved.contains("(;W[cc]") && saved.contains("(;W[gc]"),
            "the variation beside the game: {saved}"
        );
        // What was saved opens again, and what is no record says so.
        drop_file(&client, "again.sgf", saved.trim_end_matches("mine-tried.sgf")).await;
        press(&client, "ArrowRight").await;
        assert!(number(&client, "return document.querySelectorAll('.tree a').length").await >= 4.0);
        drop_file(&client, "bad.sgf", "(;GM[1]SZ[9];B[aa").await;
        assert!(text(&client, ".fault").await.contains("bad.sgf"));
    });
}

#[test]
fn a_new_user_finds_the_biggest_mistake_of_a_folder_and_saves_a_variation_in_five_clicks() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games"]);
        client.goto(&address).await.expect("the page opens");
        // 1: look for mistakes. 2: the game with the biggest one.
        client.execute("document.querySelector('#hunt summary').click()", Vec::new()).await.expect("a click");
        until(&client, "return !!document.querySelector('#hunt [data-done]')").await;
        click(&client, "#hunt a.mistake").await;
        let title = text(&client, "header b").await;
        assert!(title.contains(".sgf, move "), "{title}");
        // 3: why it was one: the place before it, with the causes.
        click(&client, "#played a.why").await;
        until(&client, "return !!document.querySelector('#why .causes')").await;
        let told = text(&client, "#why .causes").await;
        assert!(told.contains("loses") && told.contains("points against"), "{told}");
        // 4: the better move is tried. 5: it is saved.
        click(&client, "#tries .best").await;
        let script = "const done = arguments[arguments.length - 1]; const a = document.querySelector('#save-sgf'); \
                      fetch(a.href).then(r => r.text()).then(t => done(t))";
        let saved = client.execute_async(script, Vec::new()).await.expect("a record");
        assert!(saved.as_str().is_some_and(|text| text.starts_with("(;") && text.contains("(;")), "{saved}");
        let href = client.find(Locator::Css("#save-sgf")).await.expect("a way to save").attr("href").await;
        assert!(
            href.expect("an attribute").is_some_and(|href| href.contains("try=")),
            "the variation is in it"
        );
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn why_tells_the_causes_of_a_move_and_shows_a_line_on_the_board() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games/13x13-1.sgf"]);
        client.goto(&format!("{address}game?node=79")).await.expect("the page opens");
        // The move of the record: the place before it, what it lost, and why.
        click(&client, "#played a.why").await;
        until(&client, "return !!document.querySelector('#why .causes')").await;
        let told = text(&client, "#why .causes").await;
        assert!(told.contains("N10 loses") && told.contains("points against"), "{told}");
        click(&client, "#why a.line").await;
        assert!(number(&client, "return document.querySelectorAll('#steps a').length").await >= 2.0);
        let numbers = "return [...document.querySelectorAll('svg.board text')].some(t => t.textContent === '1' && !t.closest('g[font-size]')?.dataset.edge)";
        until(&client, numbers).await;
        press(&client, ".").await;
        assert!(text(&client, "header b").await.contains("with moves tried"));
        // A click on the board offers the same.
        click_vertex(&client, "A1").await;
        client.execute("document.querySelector('#why summary').click()", Vec::new()).await.expect("a click");
        until(&client, "return !!document.querySelector('#why .causes')").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn a_report_folds_on_a_telephone_and_is_whole_on_a_desk() {
    with_browser(|program, client| async move {
        let folder = std::env::temp_dir().join(format!("tengen-folds-{}", std::process::id()));
        let out = folder.to_str().expect("UTF-8");
        output(&program, &["report", "scenes/go/games/9x9-2.sgf", "--every", "1", "--out", out], "");
        let open = "return document.querySelectorAll('details.part[open]').length";
        let all = "return document.querySelectorAll('details.part').length";
        screen(&client, 1280, 800, "light").await;
        client.goto(&format!("file://{out}/001-9x9-2.html")).await.expect("the page opens");
        let count = number(&client, all).await;
        assert!(count > 1.0 && number(&client, open).await == count, "all is open on a desk");
        screen(&client, 390, 844, "light").await;
        client.refresh().await.expect("the page is read anew");
        assert_eq!(number(&client, open).await, 0.0);
        let letters =
            "const t = document.querySelector('.graph .words'); return t.getBoundingClientRect().height";
        assert!(number(&client, letters).await >= 10.0, "the words of the graph");
        // The way from the graph to a moment opens it.
        client
            .execute(
                "document.querySelector('.graph a').dispatchEvent(new MouseEvent('click', {bubbles: true}))",
                Vec::new(),
            )
            .await
            .expect("a click");
        until(&client, &format!("{} === 1", open)).await;
        let board =
            "return document.querySelector('figure.end svg').getBoundingClientRect().bottom + window.scrollY";
        assert!(number(&client, board).await < 844.0, "the last position is in the first screen");
        std::fs::remove_dir_all(&folder).expect("it was there");
    });
}
