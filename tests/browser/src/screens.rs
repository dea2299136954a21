//! Every page on screens of four widths, in light and dark: no sideways scrolling, the whole board in the first screen, and
//! nothing serious found by axe-core. The tests of axe-core are passed over where npm can't fetch it.

use crate::driver::*;
use fantoccini::Client;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Screens: a small telephone, a telephone, a laptop, a desk.
const SCREENS: [(u32, u32); 4] = [(320, 640), (390, 844), (1280, 720), (1920, 1080)];

/// What is opened, and the pages of it that are looked at; `*` stands before pages with a board.
const PAGES: [(&str, &[&str]); 7] = [
    (
        "scenes/go/games/13x13-1.sgf",
        &["*", "*game?node=60&layer=territory&at=H2", "*game?node=60&layer=influence", "*game?node=220&layer=moves"],
    ),
    ("scenes/go/games", &["", "new", "concept", "concept?name=territory", "*game?file=new-19-0-6.5&vs=b&try=BQ16,WD4"]),
    ("scenes/go/seed/dragons.ron", &[""]),
    ("rnbqkb1r/pp3ppp/4pn2/2pp4/3P4/2N1PN2/PPP2PPP/R1BQKB1R w KQkq - 0 6", &["*", "schemes?depth=2", "tree?depth=2"]),
    ("resources/gdl/noughts.kif", &["*", "net", "net?pick=4.", "rules"]),
    ("scenes/go/games/9x9-1.sgf", &["tune?node=20", "compare?node=20", "*game?node=20&layer=dragons&map=b2"]),
    ("--size=9", &["*", "*game?at=E5", "game?layer=nonsense"]),
];

/// Waits for what grows by itself on a page, except for the graph of a game, which is thought about for long.
async fn settled(client: &Client) {
    until(client, "return document.readyState === 'complete'").await;
    until(client, "return [...document.querySelectorAll('.growing')].every(g => g.childElementCount || !g.dataset.href || g.closest('details'))")
        .await;
}

/// Goes to every page on a screen and asks a question about it.
async fn each_page(program: &Path, client: &Client, ask: &dyn AsyncAsk) {
    for (opened, pages) in PAGES {
        let (_viewer, address) = view(program, &[opened]);
        for page in pages {
            let (has_board, page) = page.strip_prefix('*').map_or((false, *page), |page| (true, page));
            client.goto(&format!("{address}{page}")).await.expect("the page opens");
            settled(client).await;
            ask.ask(client, &format!("{opened} {page}"), has_board).await;
        }
    }
}

/// A question about a page.
trait AsyncAsk {
    fn ask<'a>(
        &'a self,
        client: &'a Client,
        name: &'a str,
        has_board: bool,
    ) -> std::pin::Pin<Box<dyn Future<Output = ()> + 'a>>;
}

struct Widths;

impl AsyncAsk for Widths {
    fn ask<'a>(
        &'a self,
        client: &'a Client,
        name: &'a str,
        has_board: bool,
    ) -> std::pin::Pin<Box<dyn Future<Output = ()> + 'a>> {
        Box::pin(async move {
            for (width, height) in SCREENS {
                screen(client, width, height, "light").await;
                let wide = number(client, "return document.documentElement.scrollWidth").await;
                assert!(wide <= f64::from(width), "{name}: {wide} pixels wide on a screen of {width}");
                if has_board {
                    let bottom = "return document.querySelector('svg.board').getBoundingClientRect().bottom";
                    let bottom = number(client, bottom).await;
                    assert!(bottom <= f64::from(height), "{name}: the board ends at {bottom} of {height}");
                    let side = number(client, "return document.querySelector('svg.board').getBoundingClientRect().width").await;
                    let room = f64::from(width.min(height));
                    assert!(side > 0.55 * room, "{name}: the board is {side} wide where there is room for {room}");
                }
            }
        })
    }
}

#[test]
fn no_page_scrolls_sideways_and_every_board_is_whole_in_the_first_screen() {
    with_browser(|program, client| async move {
        each_page(&program, &client, &Widths).await;
    });
}

/// The text of axe-core, fetched by npm once; `None` where there is no npm or no network.
fn axe() -> Option<String> {
    let folder = repository().join("target/browser/axe");
    let file = folder.join("package/axe.min.js");
    if !file.exists() {
        fs::create_dir_all(&folder).ok()?;
        let packed = Command::new("npm").args(["pack", "--silent", "axe-core@4.14.1"]).current_dir(&folder).output();
        if !packed.is_ok_and(|output| output.status.success()) {
            return None;
        }
        let unpacked = Command::new("tar").args(["xzf", "axe-core-4.14.1.tgz"]).current_dir(&folder).status();
        unpacked.ok().filter(std::process::ExitStatus::success)?;
    }
    fs::read_to_string(file).ok()
}

struct Axe(String);

impl AsyncAsk for Axe {
    fn ask<'a>(
        &'a self,
        client: &'a Client,
        name: &'a str,
        _: bool,
    ) -> std::pin::Pin<Box<dyn Future<Output = ()> + 'a>> {
        Box::pin(async move {
            for (scheme, width, height) in [("light", 1280, 720), ("dark", 1280, 720), ("light", 390, 844)] {
                screen(client, width, height, scheme).await;
                client.execute(&format!("{}; return 1", self.0), Vec::new()).await.expect("axe-core runs");
                let script = "const done = arguments[arguments.length - 1]; \
                              axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations \
                              .filter(v => v.impact === 'serious' || v.impact === 'critical') \
                              .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + n.failureSummary).join(' | '))))";
                let found = client.execute_async(script, Vec::new()).await.expect("an answer");
                assert_eq!(found, json!([]), "{name}, {scheme}, {width}");
            }
        })
    }
}

#[test]
fn axe_finds_nothing_serious_in_light_or_dark() {
    let Some(axe) = axe() else {
        println!("skipped: npm can't fetch axe-core");
        return;
    };
    with_browser(|program, client| async move {
        each_page(&program, &client, &Axe(axe)).await;
    });
}

#[test]
fn boards_layers_and_links_work_without_script() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games/9x9-1.sgf"]);
        devtools(&client, "Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        client.goto(&address).await.expect("the page opens");
        for (css, says) in [("#forth", "move 1,"), ("#end", "move 112,"), ("[data-layer='dragons']", "move 112,")] {
            let link = client.find(fantoccini::Locator::Css(css)).await.expect(css);
            link.click().await.expect("a click");
            let title = client.title().await.expect("a title");
            assert!(title.contains(says), "{css}: {title}");
        }
        let board = client.find(fantoccini::Locator::Css("svg.board")).await;
        assert!(board.is_ok(), "the board is there");
        devtools(&client, "Emulation.setScriptExecutionDisabled", json!({ "value": false })).await;
    });
}

/// No page is larger than 100 kB.
#[test]
fn pages_are_smaller_than_100_kb() {
    with_browser(|program, client| async move {
        for (opened, pages) in PAGES {
            let (_viewer, address) = view(&program, &[opened]);
            client.goto(&address).await.expect("the page opens");
            for page in pages {
                let script = "const done = arguments[arguments.length - 1]; \
                              fetch(arguments[0]).then(r => r.arrayBuffer()).then(b => done(b.byteLength))";
                let page = page.trim_start_matches('*');
                let size = client.execute_async(script, vec![json!(page)]).await.expect("a number");
                let is_diagram = page.starts_with("net") || page.starts_with("tree") || page.starts_with("tune");
                assert!(is_diagram || size.as_u64().is_some_and(|bytes| bytes < 100_000), "{opened} {page}: {size}");
            }
        }
    });
}
