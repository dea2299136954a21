//! The pages about a self-play run: the running games, each on its current board, the summary, and the finished games.
//! They show the files that the run writes, and grow while the run goes on.

use super::html::{encode, folded, link, page as whole, table};
use super::opened_games::Record;
use super::request::{Reply, Request};
use super::rules;
use super::selfplay::{Games, Row, json, moves, row};
use super::site::{Root, Site};
use crate::batch::selfplay::file_name::file_name;
use crate::batch::selfplay::folder::Over;
use crate::batch::selfplay::live;
use crate::number_text::counted;
use crate::report::board::stones;
use crate::scene::GameRecord;
use crate::scene::position;
use std::fmt::Write as _;
use std::path::Path;
use tengen_go::board::sgf::Until;
use tengen_render::{escape, svg};

/// Boards of games being played that are shown at once.
const BOARDS: usize = 12;
/// Games that are over, shown at once: the last ones.
const SHOWN: usize = 300;
/// Milliseconds between two looks at a run, and at one game.
const WAIT: u32 = 1000;
const WAIT_GAME: u32 = 500;

/// A game as it stands.
struct Standing {
    row: Row,
    picture: String,
    /// The player's comment on the last move.
    said: String,
    is_over: bool,
}

/// A game as it stands.
fn standing_of(games: &Games, site: &Site, number: u32) -> Result<Standing, String> {
    let (extension, bytes, is_over) = games.file(number)?;
    let row = row(&extension, &bytes).ok_or_else(|| format!("game {number} can't be read"))?;
    let (picture, said) = match extension.as_str() {
        "sgf" => of_go(number, bytes)?,
        "pgn" => {
            let record = Record::of_text(&String::from_utf8_lossy(&bytes));
            let board = record.and_then(|r| r.last_board()).ok_or("the position can't be drawn")?;
            (board.0, String::new())
        }
        _ => {
            let made = moves(&json(&bytes)?);
            let said = made.last().map_or_else(String::new, |joint| joint.join(", "));
            (rules::board_after(site, &games.table()?.spelled_line(&made)?)?, said)
        }
    };
    Ok(Standing { row, picture, said, is_over })
}

/// The board after the last move, and the player's remark on it.
fn of_go(number: u32, bytes: Vec<u8>) -> Result<(String, String), String> {
    let record = GameRecord::parse(Path::new("game"), bytes).map_err(|fault| fault.to_string())?;
    let line = record.tree.line(&[]);
    let input = position::of_line(&record, &line, Until::End).map_err(|fault| fault.to_string())?;
    let said = line.last().and_then(|&id| record.tree.nodes[id].get("C")).unwrap_or_default();
    Ok((svg::board(&stones(&input.position.board, &format!("Game {number}"))), said.to_owned()))
}

/// The page where a game can be stepped through and studied.
fn study(extension: &str, number: u32) -> String {
    match extension {
        "sgf" => format!("game?file={}", encode(&file_name(number, extension))),
        "pgn" => format!("chess?game={number}"),
        _ => format!("play?case={number}"),
    }
}

/// The page of the run.
pub(super) fn page(site: &Site) -> Reply {
    let Root::Games(games) = &site.root else { return Reply::fault("no self-play was opened") };
    let body = format!(
        "<div id=\"growing\" class=\"growing\" data-href=\"games\" data-wait=\"{WAIT}\">{}</div>",
        body(site, games)
    );
    Reply::html(whole(&format!("Self-play in {}", games.folder.display()), &body))
}

/// The part of the page that grows.
pub(super) fn rows(site: &Site) -> Reply {
    let Root::Games(games) = &site.root else { return Reply::text(400, "no self-play was opened") };
    Reply::html(body(site, games))
}

fn body(site: &Site, games: &Games) -> String {
    let over = Over::of(&games.folder).unwrap_or_default();
    let playing: Vec<u32> = live::playing(&games.folder)
        .into_iter()
        .map(|(number, _)| number)
        .filter(|&n| over.numbers().all(|known| known != n))
        .collect();
    let count = over.numbers().count();
    let is_done = playing.is_empty() && games.folder.join("summary.json").is_file();
    let mut out = format!(
        "<p id=\"counts\"{}>{} over, {} being played</p><div id=\"boards\" class=\"wall\">",
        if is_done { " data-done=\"1\"" } else { "" },
        counted("game", count),
        playing.len(),
    );
    for &number in playing.iter().take(BOARDS) {
        // A game may end between two looks.
        let Ok(Standing { row, picture, .. }) = standing_of(games, site, number) else { continue };
        let _ = write!(
            out,
            "<figure class=\"small\"><a href=\"watch?game={number}\" aria-label=\"watch game {number}\">{picture}</a>\
             <figcaption>{}: {}, {}</figcaption></figure>",
            link(&format!("watch?game={number}"), &format!("game {number}"), "watch"),
            escape(&row.players.join(" – ")),
            counted("move", row.moves),
        );
    }
    out += "</div>";
    if playing.len() > BOARDS {
        let _ = write!(out, "<p>{} more are being played.</p>", playing.len() - BOARDS);
    }
    out += "<h3>Games that are over, the last first</h3><table id=\"over\"><tr><th>game</th><th>players</th><th>result</th>\
            <th>moves</th><th>end</th></tr>";
    for number in over.numbers().rev().take(SHOWN) {
        let row = games.row(&over, number).unwrap_or_else(|| Row {
            end: "its record was torn or altered: --resume plays it again".into(),
            ..Row::default()
        });
        let _ = write!(
            out,
            "<tr data-id=\"{number}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            link(&study(over.extension(), number), &number.to_string(), "study"),
            escape(&row.players.join(" – ")),
            escape(&row.result),
            row.moves,
            escape(&row.end),
        );
    }
    out += "</table>";
    if count > SHOWN {
        let _ = write!(out, "<p>and {} before them.</p>", count - SHOWN);
    }
    if let Some(summary) = live::standing(&games.folder) {
        let _ = write!(out, "{}", folded("Summary of the run, all fields", &table(&summary)));
    }
    out
}

/// The page of one game in its present state.
pub(super) fn watch(site: &Site, request: &Request) -> Reply {
    let number = request.get("game");
    let body = match one(site, number) {
        Ok(body) => body,
        Err(fault) => return Reply::fault(&fault),
    };
    let href = format!("standing?game={}", encode(number));
    let body = format!(
        "<div id=\"growing\" class=\"growing\" data-href=\"{}\" data-wait=\"{WAIT_GAME}\">{body}</div>",
        escape(&href)
    );
    Reply::html(whole(&format!("Game {number}"), &body))
}

/// The part of the page that grows.
pub(super) fn standing(site: &Site, request: &Request) -> Reply {
    match one(site, request.get("game")) {
        Ok(body) => Reply::html(body),
        Err(fault) => Reply::html(format!("<p class=\"fault\" data-done=\"1\">{}</p>", escape(&fault))),
    }
}

fn one(site: &Site, number: &str) -> Result<String, String> {
    let Root::Games(games) = &site.root else { return Err("no self-play was opened".into()) };
    let number = number.parse().map_err(|_| format!("`{number}` is no number of a game"))?;
    let Standing { row, picture, said, is_over } = standing_of(games, site, number)?;
    let done = if is_over { " data-done=\"1\"" } else { "" };
    let ended = if is_over { format!("It is over: {} ({}).", row.result, row.end) } else { String::new() };
    Ok(format!(
        "<main{done}><div class=\"boards\"><figure>{picture}<figcaption>framed or ringed: the last move</figcaption></figure></div>\
         <div class=\"panel\"><p id=\"players\">{}</p><p id=\"moves\">{} played. {}</p><nav>{}{}</nav><pre id=\"said\">{}</pre></div>\
         </main>",
        escape(&row.players.join(" – ")),
        counted("move", row.moves),
        escape(&ended),
        link(&study(&games.extension(), number), "Step through it and study it", "study"),
        link("./", "All games of the run", "games"),
        escape(&said),
    ))
}
