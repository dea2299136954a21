//! Tests of the pages of games by rulesheet. They play by clicks against Tengen's player, compare the state with
//! `gdl explore`, and step through the net.

use crate::driver::*;
use fantoccini::Client;
use serde_json::{Value, json};

const GAME: &str = "resources/gdl/noughts.kif";

/// The state that `gdl explore` tells after these joint moves.
fn explored(program: &std::path::Path, moves: &[Vec<String>]) -> Value {
    let lines: String = moves.iter().map(|joint| format!("{}\n", json!({ "move": joint }))).collect();
    let told = output(program, &["gdl", "explore", GAME], &lines);
    serde_json::from_str(told.lines().last().expect("a line for each state")).expect("JSON")
}

/// Holds what the page shows against the state as the program tells it.
async fn holds_against(client: &Client, state: &Value) {
    let facts: Vec<String> = text(client, "#state").await.lines().map(str::to_owned).collect();
    assert_eq!(json!(facts), state["true"]);
    for (role, legal) in ["noughts", "crosses"].iter().zip(state["legal"].as_array().expect("a list")) {
        let shown = texts(client, &format!(".role[data-role='{role}'] nav a.move")).await;
        assert_eq!(&json!(shown), legal, "{role}");
    }
    let goals = texts(client, "#goals td:nth-child(2)").await;
    let known: Vec<String> =
        state["goals"].as_array().expect("a list").iter().map(ToString::to_string).collect();
    assert_eq!(goals, known);
}

#[test]
fn a_game_is_played_by_click_against_our_player_and_its_states_are_those_of_explore() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &[GAME]);
        client.goto(&address).await.expect("the page opens");
        let mut moves: Vec<Vec<String>> = Vec::new();
        holds_against(&client, &explored(&program, &moves)).await;
        keep(&client, "rules-start").await;
        let script = "const w = document.querySelector('#who'); w.ours.value = '1'; w.visits.value = '100'; \
                      w.querySelector('button').click(); void arguments[0]";
        leads_on(&client, script, json!(null)).await;
        // The centre of the board, by its picture.
        let centre = "[...document.querySelectorAll('svg.board a.v')].filter(a => \
                      a.querySelector('title').textContent.startsWith(arguments[0]))[0].dispatchEvent(new MouseEvent('click', \
                      {bubbles: true, cancelable: true}))";
        leads_on(&client, centre, json!("square 2 2:")).await;
        moves.push(vec!["(put 2 2)".into(), "wait".into()]);
        let answer = text(&client, "#last").await;
        let place = answer.split("crosses ").nth(1).expect("our player answered").trim().to_owned();
        moves.push(vec!["wait".into(), place]);
        holds_against(&client, &explored(&program, &moves)).await;
        keep(&client, "rules-answered").await;
        press(&client, "ArrowLeft").await;
        holds_against(&client, &explored(&program, &moves[..1])).await;
        press(&client, "ArrowRight").await;
        click(&client, "#tools .ask").await;
        let heading = texts(&client, "h3").await;
        assert!(heading.iter().any(|h| h.contains("UCT after 100 visits")), "{heading:?}");
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

#[test]
fn a_move_runs_through_the_net_step_by_step_under_each_scheme_and_rules_lead_to_parts() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &[GAME]);
        client.goto(&format!("{address}net")).await.expect("the page opens");
        let state = explored(&program, &[]);
        // The legal propositions that are lit are the legal moves.
        let lit = "return [...document.querySelectorAll('svg.net .v[data-true=\"1\"] title')].map(t => t.textContent)\
                   .filter(t => t.startsWith('(legal '))";
        let lit = client.execute(lit, Vec::new()).await.expect("a list");
        let legal: usize =
            state["legal"].as_array().expect("lists").iter().map(|l| l.as_array().map_or(0, Vec::len)).sum();
        assert_eq!(lit.as_array().map(Vec::len), Some(legal), "{lit}");
        keep(&client, "net").await;
        click(&client, ".choose a.move").await;
        let schemes = texts(&client, "#schemes tr[data-scheme] td:first-child").await;
        assert_eq!(
            schemes,
            ["naive", "ordered", "backward", "internal", "undeferred", "differential", "compiled"]
        );
        for scheme in schemes {
            click(&client, &format!("#schemes tr[data-scheme='{scheme}'] a")).await;
            click(&client, "#steps .step-first").await;
            assert!(text(&client, "#step").await.starts_with("Step 0 of"));
            click(&client, "#steps .step-on").await;
            click(&client, "#steps .step-on").await;
            assert!(text(&client, "#step").await.starts_with("Step 2 of"), "{scheme}");
        }
        keep(&client, "net-running").await;
        click(&client, "#flips a.part").await;
        let part = text(&client, "#part").await;
        assert!(part.contains("reads:") && part.contains("read by:"), "{part}");
        click(&client, "nav a.rules").await;
        assert!(text(&client, "#rules").await.contains("derives"));
        keep(&client, "rules").await;
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}
