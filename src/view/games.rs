//! Pages of the folder of a self-play run: the running games, each on its current board, the summary, and the finished
//! games. The pages grow while the run goes on. They show the files that the run writes: records, and the snapshots of
//! running games that [`live`] writes.

use super::chess::Record;
use super::html::{encode, folded, link, page as whole, table};
use super::request::{Reply, Request};
use super::rules::{self, Table};
use super::site::{Root, Site};
use crate::batch::run_folder::{MANIFEST, Manifest, content_hash};
use crate::batch::selfplay::folder::{Over, SCHEMA, file_name};
use crate::batch::selfplay::live;
use crate::files;
use crate::number_text::counted;
use crate::report::board::stones;
use crate::scene::GameRecord;
use crate::scene::position;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tengen_go::board::sgf::Until;
use tengen_render::{escape, svg};

/// Boards of games being played that are shown at once.
const BOARDS: usize = 12;
/// Games that are over, shown at once: the last ones.
const SHOWN: usize = 300;
/// Milliseconds between two looks at a run, and at one game.
const WAIT: u32 = 1000;
const WAIT_GAME: u32 = 500;

/// A self-play run that was opened.
pub struct Games {
    folder: PathBuf,
    sheet: OnceLock<Result<Table, String>>,
    /// Rows of games that are over: their records change no more.
    rows: Mutex<BTreeMap<u32, Row>>,
}

/// The row of a game in the list.
#[derive(Clone, Debug, Default)]
struct Row {
    players: Vec<String>,
    result: String,
    moves: usize,
    end: String,
}

/// A game as it stands.
struct Standing {
    row: Row,
    picture: String,
    /// The player's comment on the last move.
    said: String,
    is_over: bool,
}

impl Games {
    /// The run of a folder; `None` if it holds no self-play.
    #[must_use]
    pub fn open(folder: &Path) -> Option<Self> {
        let is_selfplay = manifest(folder)?.schema.split('/').next() == SCHEMA.split('/').next();
        let games = || Self { folder: folder.into(), sheet: OnceLock::new(), rows: Mutex::default() };
        is_selfplay.then(games)
    }

    /// A game's file, and whether the game is over.
    fn file(&self, number: u32) -> Result<(String, Vec<u8>, bool), String> {
        if let Some(over) = Over::of(&self.folder)
            && let Some(bytes) = over.record(number)
        {
            return Ok((over.extension().into(), bytes, true));
        }
        let playing = live::playing(&self.folder).into_iter().find(|(n, _)| *n == number);
        let path = playing.ok_or_else(|| {
            format!("game {number} is not played yet, or goes on for less than half a second, or has no whole record")
        })?;
        let extension = path.1.extension().and_then(|e| e.to_str()).unwrap_or_default().to_owned();
        let bytes =
            files::bytes(&path.1).map_err(|why| format!("game {number} has ended just now, or {why}"))?;
        Ok((extension, bytes, false))
    }

    /// The record of a game of Go by its name in an address.
    pub(super) fn go(&self, name: &str) -> Result<GameRecord, String> {
        let number = live::number(name).ok_or_else(|| format!("the run has no game `{name}`"))?;
        GameRecord::parse(Path::new(name), self.file(number)?.1).map_err(|fault| fault.to_string())
    }

    /// The names of the games that are over.
    pub(super) fn names(&self) -> Vec<String> {
        let over = Over::of(&self.folder).unwrap_or_default();
        over.numbers().map(|number| file_name(number, over.extension())).collect()
    }

    /// A game of chess by its number in an address.
    pub(super) fn chess(&self, number: &str) -> Result<Arc<Record>, String> {
        let number = number.parse().map_err(|_| format!("`{number}` is no number of a game"))?;
        let (_, bytes, _) = self.file(number)?;
        let record = Record::of_text(&String::from_utf8_lossy(&bytes));
        record.map(Arc::new).ok_or_else(|| format!("game {number} can't be read"))
    }

    /// The rulesheet that is played, as it was when the run began.
    pub(super) fn table(&self) -> Result<&Table, String> {
        self.sheet.get_or_init(|| rulesheet(&self.folder)).as_ref().map_err(Clone::clone)
    }

    /// On to a game by rulesheet, its moves spelled as addresses have them.
    pub(super) fn at_rules(&self, number: &str) -> Result<String, String> {
        let number = number.parse().map_err(|_| format!("`{number}` is no number of a game"))?;
        let line = self.table()?.spelled_line(&moves(&json(&self.file(number)?.1)?))?;
        Ok(format!("play?moves={line}"))
    }

    /// A game as it stands.
    fn standing(&self, site: &Site, number: u32) -> Result<Standing, String> {
        let (extension, bytes, is_over) = self.file(number)?;
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
                (rules::board_after(site, &self.table()?.spelled_line(&made)?)?, said)
            }
        };
        Ok(Standing { row, picture, said, is_over })
    }

    /// The row of a game that is over.
    fn row(&self, over: &Over, number: u32) -> Option<Row> {
        let known = self.rows.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned();
        known.or_else(|| {
            let row = row(over.extension(), &over.record(number)?)?;
            self.rows.lock().unwrap_or_else(PoisonError::into_inner).insert(number, row.clone());
            Some(row)
        })
    }

    fn extension(&self) -> String {
        let playing = || {
            let path = live::playing(&self.folder).into_iter().next()?.1;
            Some(path.extension()?.to_str()?.to_owned())
        };
        Over::of(&self.folder).map(|over| over.extension().to_owned()).or_else(playing).unwrap_or_default()
    }
}

fn manifest(folder: &Path) -> Option<Manifest> {
    serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()
}

/// The one rulesheet among a run's inputs, if it is still what it was.
fn rulesheet(folder: &Path) -> Result<Table, String> {
    let inputs = manifest(folder).map(|m| m.inputs).unwrap_or_default();
    let is_rules = |name: &str| Path::new(name).extension().is_some_and(|e| e == "kif" || e == "gdl");
    let mut sheets = inputs.into_iter().filter(|(name, _)| is_rules(name));
    let (Some((name, hash)), None) = (sheets.next(), sheets.next()) else {
        return Err("the run does not say which one rulesheet it plays".into());
    };
    let bytes = fs::read(&name).map_err(|e| {
        format!("can't read the rulesheet {name}: {e}; start the viewer where the run was started")
    })?;
    if content_hash(&bytes) != hash {
        return Err(format!("the rulesheet {name} has changed since the run began"));
    }
    Table::open_in_time(Path::new(&name)).map_err(|e| format!("{e:#}"))
}

fn json(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map_err(|_| "the record can't be read".into())
}

/// The joint moves of a match record.
fn moves(record: &Value) -> Vec<Vec<String>> {
    serde_json::from_value(record["moves"].clone()).unwrap_or_default()
}

/// The row of a game in the list, from its record.
fn row(extension: &str, bytes: &[u8]) -> Option<Row> {
    match extension {
        "sgf" => {
            let record = GameRecord::parse(Path::new("game"), bytes.to_vec()).ok()?;
            let root = record.tree.nodes.first()?;
            let said = |name: &str| root.get(name).unwrap_or("?").to_owned();
            let end = root.get("GC").and_then(|note| note.strip_prefix("end: ")).unwrap_or_default();
            Some(Row {
                players: vec![said("PB"), said("PW")],
                result: said("RE"),
                moves: record.moves(&record.tree.line(&[])),
                end: end.to_owned(),
            })
        }
        "pgn" => {
            let record = Record::of_text(&String::from_utf8_lossy(bytes))?;
            let said = |name: &str| record.tag(name).to_owned();
            let end = said("Termination");
            Some(Row {
                players: vec![said("White"), said("Black")],
                result: said("Result"),
                moves: record.last_board().map_or(0, |(_, plies)| plies),
                end: if end == "?" { "none yet".into() } else { end },
            })
        }
        _ => {
            let record = json(bytes).ok()?;
            let players: Vec<String> = serde_json::from_value(record["players"].clone()).ok()?;
            let goals: Vec<Vec<String>> = serde_json::from_value(record["goals"].clone()).ok()?;
            Some(Row {
                players,
                result: goals.iter().map(|g| g.join("/")).collect::<Vec<_>>().join(" : "),
                moves: record["moves"].as_array()?.len(),
                end: record["end"].as_str()?.to_owned(),
            })
        }
    }
}

/// The board after the last move, and what was said of that.
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
        let Ok(Standing { row, picture, .. }) = games.standing(site, number) else { continue };
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

/// The page of one game, as it stands.
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
    let Standing { row, picture, said, is_over } = games.standing(site, number)?;
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
