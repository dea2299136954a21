//! Makes the pictures of the documentation: one file for each page at 1280 and 390 pixels, light and dark.
//! `cargo test --manifest-path tests/browser/Cargo.toml pictures -- --ignored` writes them to `docs/pictures`.

use crate::driver::*;
use fantoccini::Client;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The four screens of a picture: width, height, colours.
const SCREENS: [(u32, u32, &str); 4] =
    [(1280, 800, "light"), (390, 800, "light"), (390, 800, "dark"), (1280, 800, "dark")];
/// The part of a pixel that a picture keeps of a pixel.
const SCALE: f64 = 0.5;

/// The picture of a page as the browser gives it, in base 64.
async fn shot(client: &Client) -> String {
    let params = json!({ "format": "png", "captureBeyondViewport": false });
    devtools(client, "Page.captureScreenshot", params).await["data"].as_str().unwrap_or_default().to_owned()
}

/// Draws pictures side by side and hands the file back, in base 64.
async fn side_by_side(client: &Client, shots: &[String]) -> String {
    client.goto("about:blank").await.expect("an empty page");
    let script = "const done = arguments[arguments.length - 1], scale = arguments[1]; \
        Promise.all(arguments[0].map(data => new Promise(ok => { const i = new Image(); i.onload = () => ok(i); i.src = 'data:image/png;base64,' + data; }))) \
        .then(all => { const gap = 6, c = document.createElement('canvas'); \
        c.width = all.reduce((w, i) => w + i.width * scale + gap, -gap); c.height = Math.max(...all.map(i => i.height * scale)); \
        const p = c.getContext('2d'); p.imageSmoothingQuality = 'high'; p.fillStyle = '#808080'; p.fillRect(0, 0, c.width, c.height); let x = 0; \
        for (const i of all) { p.drawImage(i, x, 0, i.width * scale, i.height * scale); x += i.width * scale + gap; } \
        done(c.toDataURL('image/webp', .34).split(',')[1]); })";
    let data = client.execute_async(script, vec![json!(shots), json!(SCALE)]).await.expect("a picture");
    data.as_str().unwrap_or_default().to_owned()
}

/// Undoes base 64.
fn bytes_of(text: &str) -> Vec<u8> {
    let value = |c: u8| {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".iter().position(|&x| x == c)
    };
    let (mut out, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().filter_map(value) {
        bits = bits << 6 | digit as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held & 0xff) as u8);
        }
    }
    out
}

async fn picture(client: &Client, address: &str, name: &str) {
    let mut shots = Vec::new();
    for (width, height, scheme) in SCREENS {
        screen(client, width, height, scheme).await;
        client.goto(address).await.expect("the page opens");
        until(client, "return document.readyState === 'complete'").await;
        // What grows is done, or has been growing for a while.
        for _ in 0..100 {
            let waiting = "return [...document.querySelectorAll('.growing')].some(g => g.dataset.href && !g.closest('details') && !g.querySelector('[data-done]'))";
            if client.execute(waiting, Vec::new()).await.expect("an answer") == json!(false) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        shots.push(shot(client).await);
    }
    let file = repository().join("docs/pictures").join(format!("{name}.webp"));
    let bytes = bytes_of(&side_by_side(client, &shots).await);
    assert!(bytes.len() > 1000 && bytes.len() < 100_000, "{name}: {} bytes", bytes.len());
    fs::write(file, bytes).expect("a file");
}

fn trace(program: &Path, file: &str) {
    output(program, &["profile", "scenes/go/games/9x9-1.sgf", "--jobs", "1", "--trace", file], "");
}

#[test]
#[ignore = "writes the pictures of the documents"]
fn pictures_of_every_page() {
    with_browser(|program, client| async move {
        // A folder whose name may stand in the pictures.
        let folder = repository().join("target/pictures");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let path = |name: &str| format!("target/pictures/{name}");
        let (batch, report, profile) = (path("batch"), path("report"), path("trace.json"));
        output(&program, &["run", "scenes/gdl/games.ron", "--out", &batch, "--no-progress"], "");
        output(
            &program,
            &["report", "scenes/go/games/9x9-2.sgf", "scenes/go/games/9x9-3.sgf", "--out", &report],
            "",
        );
        trace(&program, &profile);
        let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8";
        let game = "scenes/go/games/13x13-1.sgf";
        let slow = "(version: 1, name: \"x\", game: Chess(), task: SelfPlay(players: [Search(nodes: 2000), Search(nodes: 1000)], \
                    max_moves: 60, random_moves: 4))";
        fs::write(folder.join("self.ron"), slow).expect("a scene");
        let games = path("games");
        output(
            &program,
            &["selfplay", &path("self.ron"), "--games", "6", "--no-progress", "--out", &games],
            "",
        );
        let again = "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1";
        let (nine, noughts) = ("scenes/go/games/9x9-1.sgf", "resources/gdl/noughts.kif");
        for (opened, page, name) in [
            (game, "game?node=60&layer=moves&at=H2", "go-candidates"),
            (game, "game?node=60&layer=territory", "go-territory"),
            (game, "game?node=60&layer=dragons", "go-groups"),
            (game, "game?node=60&layer=influence", "go-influence"),
            (game, "game?node=78&layer=moves&at=N10&why=1", "go-why"),
            (game, "game?node=60&rest=BM8,WH2,BJ1,WH1", "go-line"),
            ("--size=9", "game?file=new-9-0-6.5&vs=b&try=BE5,WC3,BG7,WG3", "go-play"),
            (nine, "tune?node=20", "go-patterns"),
            (nine, "compare?node=20", "go-compare"),
            ("scenes/go/games", "", "folder"),
            ("scenes/go/seed/dragons.ron", "", "scenes"),
            (fen, "", "chess"),
            (again, "chess?try=d3c3,d5c5,c3d3,c5d5", "chess-repetition"),
            (fen, "schemes?depth=2", "chess-schemes"),
            (fen, "tree?depth=2", "chess-tree"),
            (noughts, "play?moves=4.0", "rules"),
            (noughts, "net?pick=4.", "net"),
            (noughts, "net?rule=all", "net-folded"),
            (noughts, "rules", "rulesheet"),
            (&batch, "", "batch"),
            (&games, "", "selfplay"),
            (&profile, "", "profile"),
            ("--size=9", "new", "new-game"),
            ("--size=9", "concept", "help"),
            ("--size=9", "concept?name=territory", "concept"),
        ] {
            let (_viewer, address) = view(&program, &[opened]);
            picture(&client, &format!("{address}{page}"), name).await;
        }
        let shown = repository().canonicalize().expect("it is there").join("target/pictures/report");
        picture(&client, &format!("file://{}/001-9x9-2.html", shown.display()), "report").await;
        picture(&client, &format!("file://{}/index.html", shown.display()), "report-summary").await;
        fs::remove_dir_all(&folder).expect("it was there");
    });
}
