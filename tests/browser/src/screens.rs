//! Tests every page on screens of four widths, in light and dark. Pages do not scroll sideways, the first screen
//! shows the whole board, and axe-core finds nothing serious. The tests with axe-core are skipped where npm cannot
//! fetch it.

use crate::driver::*;
use fantoccini::Client;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Screens: a small telephone, a telephone, a laptop, a desk.
const SCREENS: [(u32, u32); 4] = [(320, 640), (390, 844), (1280, 720), (1920, 1080)];

/// The opened inputs, and their tested pages; `*` stands before pages with a board. `BATCH`, `GAMES`, `TRACE` and
/// `REPORT` are made for the test.
const PAGES: [(&str, &[&str]); 13] = [
    (
        "scenes/go/games/13x13-1.sgf",
        &[
            "*",
            "*game?node=60&layer=territory&at=H2",
            "*game?node=60&layer=influence",
            "*game?node=220&layer=moves",
            "*game?node=60&layer=moves&at=H2&why=1",
            "why?node=60&at=H2&whole=1",
            "*game?node=60&rest=BH2,WN8",
        ],
    ),
    (
        "scenes/go/games",
        &["", "new", "concept", "concept?name=territory", "*game?file=new-19-0-6.5&vs=b&try=BQ16,WD4"],
    ),
    ("scenes/go/seed/dragons.ron", &[""]),
    (
        "rnbqkb1r/pp3ppp/4pn2/2pp4/3P4/2N1PN2/PPP2PPP/R1BQKB1R w KQkq - 0 6",
        &["*", "schemes?depth=2", "tree?depth=2"],
    ),
    ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", &["*chess?try=d3c3,d5c5,c3d3,c5d5"]),
    (
        "resources/gdl/noughts.kif",
        &["*", "net", "net?pick=4.", "net?rule=all", "net?rule=4&zoom=200", "rules"],
    ),
    ("resources/gdl", &[""]),
    ("scenes/go/games/9x9-1.sgf", &["tune?node=20", "compare?node=20", "*game?node=20&layer=dragons&map=b2"]),
    ("--size=9", &["*", "*game?at=E5", "game?layer=nonsense"]),
    ("BATCH", &["", "records?sort=time&filter=go"]),
    ("GAMES", &["", "chess?game=1"]),
    ("TRACE", &["", "profile?sort=calls&find=go"]),
    ("REPORT", &["index.html", "001-9x9-2.html"]),
];

/// What a batch, self-play, a profile and a report leave, in a folder that the test removes.
struct Made(PathBuf);

impl Made {
    fn new(program: &Path, name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tengen-screens-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let made = Self(folder);
        let slow = "(version: 1, name: \"x\", game: Chess(), task: SelfPlay(players: [Search(nodes: 500), Search(nodes: 200)], \
                    max_moves: 12, random_moves: 4))";
        fs::write(made.path("self.ron"), slow).expect("a scene");
        output(
            program,
            &["run", "scenes/go/seed/dragons.ron", "--out", &made.path("BATCH"), "--no-progress"],
            "",
        );
        let games = made.path("GAMES");
        output(
            program,
            &["selfplay", &made.path("self.ron"), "--games", "2", "--no-progress", "--out", &games],
            "",
        );
        let trace = made.path("TRACE.json");
        output(program, &["profile", "scenes/go/seed/worms.ron", "--jobs", "1", "--trace", &trace], "");
        let report = made.path("REPORT");
        output(program, &["report", "scenes/go/games/9x9-2.sgf", "--every", "2", "--out", &report], "");
        made
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// What is opened under a name of the list; a report needs no program.
    fn open(&self, program: &Path, opened: &str) -> (Option<Running>, String) {
        let path = match opened {
            "REPORT" => return (None, format!("file://{}/", self.path(opened))),
            "TRACE" => self.path("TRACE.json"),
            "BATCH" | "GAMES" => self.path(opened),
            other => other.to_owned(),
        };
        let (viewer, address) = view(program, &[&path]);
        (Some(viewer), address)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // What is left in the folder of the system costs nothing.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits for what grows by itself on a page, except for the graph of a game, which is thought about for long.
async fn settled(client: &Client) {
    until(client, "return document.readyState === 'complete'").await;
    until(client, "return [...document.querySelectorAll('.growing')].every(g => g.childElementCount || !g.dataset.href || g.closest('details'))")
        .await;
}

/// Goes to every page on a screen and asks a question about it.
async fn each_page(program: &Path, client: &Client, name: &str, ask: &dyn AsyncAsk) {
    let made = Made::new(program, name);
    for (opened, pages) in PAGES {
        let (_viewer, address) = made.open(program, opened);
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
                    let side = number(
                        client,
                        "return document.querySelector('svg.board').getBoundingClientRect().width",
                    )
                    .await;
                    let room = f64::from(width.min(height));
                    assert!(
                        side > 0.55 * room,
                        "{name}: the board is {side} wide where there is room for {room}"
                    );
                }
            }
        })
    }
}

#[test]
fn no_page_scrolls_sideways_and_every_board_is_whole_in_the_first_screen() {
    with_browser(|program, client| async move {
        each_page(&program, &client, "widths", &Widths).await;
    });
}

/// The text of axe-core, fetched by npm once; `None` where there is no npm or no network.
fn axe() -> Option<String> {
    let folder = repository().join("target/browser/axe");
    let file = folder.join("package/axe.min.js");
    if !file.exists() {
        fs::create_dir_all(&folder).ok()?;
        let packed =
            Command::new("npm").args(["pack", "--silent", "axe-core@4.14.1"]).current_dir(&folder).output();
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
            for (scheme, width, height) in
                [("light", 1280, 720), ("dark", 1280, 720), ("light", 390, 844), ("dark", 390, 844)]
            {
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
        each_page(&program, &client, "axe", &Axe(axe)).await;
    });
}

#[test]
fn boards_layers_and_links_work_without_script() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games/9x9-1.sgf"]);
        devtools(&client, "Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        client.goto(&address).await.expect("the page opens");
        for (css, says) in
            [("#forth", "move 1,"), ("#end", "move 112,"), ("[data-layer='dragons']", "move 112,")]
        {
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
        let made = Made::new(&program, "sizes");
        for (opened, pages) in PAGES.into_iter().filter(|(opened, _)| *opened != "REPORT") {
            let (_viewer, address) = made.open(&program, opened);
            client.goto(&address).await.expect("the page opens");
            for page in pages {
                let script = "const done = arguments[arguments.length - 1]; \
                              fetch(arguments[0]).then(r => r.arrayBuffer()).then(b => done(b.byteLength))";
                let page = page.trim_start_matches('*');
                let size = client.execute_async(script, vec![json!(page)]).await.expect("a number");
                let is_diagram =
                    page.starts_with("net") || page.starts_with("tree") || page.starts_with("tune");
                assert!(
                    is_diagram || size.as_u64().is_some_and(|bytes| bytes < 100_000),
                    "{opened} {page}: {size}"
                );
            }
        }
    });
}

/// A record of `moves` stones that fill a board row by row, every third point left empty.
fn long(size: u8, moves: usize) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    let mut text = format!("(;GM[1]FF[4]SZ[{size}]");
    let points = (0..size)
        .flat_map(|row| (0..size).map(move |col| (row, col)))
        .filter(|(row, col)| (row + col) % 3 != 0);
    for (n, (row, col)) in points.enumerate().take(moves) {
        text += &format!(";{}[{}{}]", ["B", "W"][n % 2], letter(col), letter(row));
    }
    // The rest are passes that are no end: a stone stands between them.
    for n in (text.matches(';').count() - 1)..moves {
        text += &format!(";{}[]", ["B", "W"][n % 2]);
    }
    text + ")"
}

/// Records that stretch a page: none scrolls sideways, all have their board, and keys and clicks work.
#[test]
fn records_at_the_limits_have_their_pages() {
    with_browser(|program, client| async move {
        let folder = std::env::temp_dir().join(format!("tengen-limits-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let name = "Ma long ".repeat(625);
        let many: String = (0..500)
            .map(|n| {
                format!(
                    "(;B[{}{}])",
                    char::from(b'a' + (n % 19) as u8),
                    char::from(b'a' + (n / 19 % 19) as u8)
                )
            })
            .collect();
        let records = [
            ("none.sgf", "(;GM[1]FF[4]SZ[19]PB[A]PW[B])".to_owned()),
            ("tiny.sgf", "(;GM[1]FF[4]SZ[1];B[];W[])".to_owned()),
            ("wide.sgf", long(25, 60)),
            ("long.sgf", long(19, 1000)),
            ("tree.sgf", format!("(;GM[1]FF[4]SZ[19];B[pd]{})", many.replace("(;B", "(;W"))),
            (
                "names.sgf",
                format!("(;GM[1]FF[4]SZ[9]PB[{name}]PW[{}]EV[{name}]C[{name}];B[ee])", "x".repeat(5000)),
            ),
        ];
        for (name, text) in &records {
            fs::write(folder.join(name), text).expect("a file");
        }
        let (_viewer, address) = view(&program, &[folder.to_str().expect("UTF-8")]);
        for page in
            ["".to_owned()].into_iter().chain(records.iter().map(|(name, _)| format!("game?file={name}")))
        {
            client.goto(&format!("{address}{page}")).await.expect("the page opens");
            for (width, height) in SCREENS {
                screen(&client, width, height, "light").await;
                let wide = number(&client, "return document.documentElement.scrollWidth").await;
                assert!(wide <= f64::from(width), "{page}: {wide} pixels wide on a screen of {width}");
            }
            if page.is_empty() {
                continue;
            }
            if number(&client, "return document.querySelectorAll('a#forth').length").await > 0.0 {
                press(&client, "ArrowRight").await;
            }
            assert_eq!(
                number(&client, "return document.querySelectorAll('svg.board').length").await,
                1.0,
                "{page}"
            );
            if number(&client, "return document.querySelectorAll('a#end').length").await > 0.0 {
                press(&client, "End").await;
            }
            let bytes = number(&client, "return document.documentElement.outerHTML.length").await;
            assert!(bytes < 130_000.0, "{page}: {bytes} letters");
        }
        let errors = console_errors(&client).await;
        fs::remove_dir_all(&folder).expect("it was there");
        assert!(errors.is_empty(), "{errors:?}");
    });
}

/// Two windows of one program go their own ways.
#[test]
fn two_windows_show_each_its_own_place() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["scenes/go/games/9x9-1.sgf"]);
        client.goto(&address).await.expect("the page opens");
        let first = client.window().await.expect("a window");
        press(&client, "ArrowRight").await;
        let second = client.new_window(false).await.expect("a second window").handle;
        client.switch_to_window(second).await.expect("it is there");
        client.goto(&address).await.expect("the page opens");
        press(&client, "End").await;
        assert!(text(&client, "header b").await.contains("move 112,"));
        client.close_window().await.expect("it closes");
        client.switch_to_window(first).await.expect("it is there");
        assert!(text(&client, "header b").await.contains("move 1,"));
        press(&client, "ArrowRight").await;
        assert!(text(&client, "header b").await.contains("move 2,"));
    });
}
