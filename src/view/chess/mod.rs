//! Pages of chess: games of a PGN file or positions, stepped through and tried out. They show the lines of a search by
//! depth, the exact value under every scheme side by side, the tree of an exact search, and the key stack.
//!
//! - `board`: the page of a position.
//! - `search`: lines by depth.
//! - `schemes`: all schemes side by side, and the tree of one.
//!
//! An address carries the game, the number of its plies played, and the moves tried after them.

mod board;
mod schemes;
mod search;

pub(super) use board::page;
pub(super) use schemes::{page as schemes_page, tree_page};
pub(super) use search::lines;

use super::html::{self, encode, link};
use super::request::{Reply, Request};
use super::site::{Root, Site};
use crate::batch::chess::game as position;
use crate::scene::Case;
use anyhow::Context as _;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use tengen_chess::history::{Game, Policy};
use tengen_chess::repetition::Scheme;
use tengen_chess::rules::fen::Setup;
use tengen_chess::rules::pgn_read::{self, PgnRecord};
use tengen_chess::rules::{epd, notation};
use tengen_chess::search::report::mate_in;

/// The most games or positions of a file that are kept.
const MOST: usize = 5000;
/// The most moves tried after a position.
const TRIED: usize = 400;

/// A game of the file, or a position as a game without moves.
pub(super) struct Record {
    title: String,
    game: PgnRecord,
    /// Why there is no position at all.
    refused: Option<String>,
}

impl Record {
    fn of_position(title: String, start: Setup) -> Self {
        let (tags, moves, result) = (Vec::new(), Vec::new(), String::new());
        let game = PgnRecord { line: 1, tags, start, moves, passed: 0, result, fault: None };
        Self { title, game, refused: None }
    }

    /// The place where its text becomes invalid, and the reason.
    fn fault(&self) -> Option<String> {
        self.game.fault.as_ref().map(ToString::to_string)
    }
}

/// The games that were opened.
pub struct Shelf {
    name: String,
    records: Vec<Arc<Record>>,
    /// Games of the file that are not kept.
    left_out: usize,
}

impl Shelf {
    /// The games of a PGN file, or the positions of a file of FENs or EPDs.
    ///
    /// # Errors
    /// If the file cannot be read or holds none.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let bytes = crate::files::bytes(path).map_err(anyhow::Error::msg).context(name.clone())?;
        let text = crate::files::text_of_any(&bytes);
        let is_pgn = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pgn"));
        let mut records = if is_pgn { of_pgn(&text) } else { of_positions(&text, &name)? };
        anyhow::ensure!(!records.is_empty(), "{name} holds no game and no position");
        let left_out = records.len().saturating_sub(MOST);
        records.truncate(MOST);
        let records = records.into_iter().map(Arc::new).collect();
        Ok(Self { name, records, left_out })
    }

    /// A position given as FEN or EPD; `None` if the text is none.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let start = epd::parse(text).ok()?.setup;
        let title = text.to_owned();
        let record = Record::of_position(title, start);
        Some(Self { name: "a position".into(), records: vec![Arc::new(record)], left_out: 0 })
    }
}

impl Shelf {
    fn record(&self, number: usize) -> Result<Arc<Record>, String> {
        self.records.get(number).cloned().ok_or_else(|| format!("there is no game {}", number + 1))
    }

    /// The positions of scenes; of one that can't be set up, what is wrong.
    pub(super) fn of_cases<'a>(cases: impl Iterator<Item = &'a Case>) -> Self {
        let record = |case: &Case| match position(case) {
            Ok(game) => {
                let mut record = Record::of_position(case.id.clone(), game.start().clone());
                record.game.moves = game.moves().to_vec();
                record
            }
            Err(fault) => {
                let refused = Some(fault.to_string());
                Record { refused, ..Record::of_position(case.id.clone(), Setup::default()) }
            }
        };
        Self { name: "Scenes".into(), records: cases.map(record).map(Arc::new).collect(), left_out: 0 }
    }
}

fn of_pgn(text: &str) -> Vec<Record> {
    let record = |(number, game): (usize, PgnRecord)| {
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        let title = format!("{}: {} – {}, {}", number + 1, tag("White"), tag("Black"), tag("Date"));
        Record { title, game, refused: None }
    };
    pgn_read::games(text).into_iter().map(pgn_read::read).enumerate().map(record).collect()
}

fn of_positions(text: &str, name: &str) -> anyhow::Result<Vec<Record>> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    lines
        .map(|(n, line)| {
            let start = epd::parse(line).with_context(|| format!("{name}:{}", n + 1))?.setup;
            let title = format!("line {}: {line}", n + 1);
            Ok(Record::of_position(title, start))
        })
        .collect()
}

impl Record {
    /// The first game of a PGN text.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        of_pgn(text).into_iter().next()
    }

    /// The board after its last move, and how many plies are played.
    pub(super) fn last_board(&self) -> Option<(String, usize)> {
        let mut game = Game::new(self.game.start.clone());
        self.game.moves.iter().for_each(|&mv| game.play(mv));
        let picture = tengen_render::chess::draw(&board::standing_board(&self.title, &game)?);
        Some((picture, game.moves().len()))
    }

    /// A tag of its PGN.
    pub(super) fn tag(&self, name: &str) -> &str {
        self.game.tag(name).unwrap_or("?")
    }
}

/// The list of games, where there are several.
pub(super) fn index(shelf: &Shelf) -> Reply {
    let mut body = format!("<p>{} games or positions</p><ul>", shelf.records.len());
    if shelf.left_out > 0 {
        let _ = write!(body, "<p>{} more are left out; open a smaller file for them.</p>", shelf.left_out);
    }
    for (n, record) in shelf.records.iter().enumerate() {
        let to = format!("chess?game={n}");
        let fault = if record.game.fault.is_some() { " (breaks off)" } else { "" };
        let _ = write!(body, "<li>{}</li>", link(&to, &format!("{}{fault}", record.title), "record"));
    }
    Reply::html(html::page(&shelf.name, &(body + "</ul>")))
}

/// The request of an address, and the game up to its position.
struct Look {
    /// Whether a page lists others beside it.
    is_one_of_many: bool,
    number: usize,
    record: Arc<Record>,
    at: usize,
    tries: Vec<String>,
    game: Game,
    scheme: Scheme,
    policy: Policy,
    depth: u32,
    nodes: u64,
    from: String,
}

/// The nodes of a search, as in a scene without limits, and the most.
const NODES: u64 = 100_000;
const MAX_NODES: u64 = 5_000_000;

impl Look {
    fn read(site: &Site, request: &Request) -> Result<Self, String> {
        let number = |name: &str, none: usize| match request.get(name) {
            "" => Ok(none),
            text => text.parse::<usize>().map_err(|_| format!("`{text}` is no number for {name}")),
        };
        let game_number = number("game", 0)?;
        let (record, is_one_of_many) = match (&site.root, site.shelf()) {
            (Root::Games(games), _) => (games.chess(request.get("game"))?, true),
            (_, Some(shelf)) => (shelf.record(game_number)?, shelf.records.len() > 1),
            _ => return Err("no game of chess was opened".into()),
        };
        if let Some(fault) = &record.refused {
            return Err(fault.clone());
        }
        // A file of games begins at the start; of a scene or a run the last position is what is looked at.
        let usual = if matches!(site.root, Root::Chess(_)) { 0 } else { record.game.moves.len() };
        let at = number("at", usual)?.min(record.game.moves.len());
        let mut game = Game::new(record.game.start.clone());
        record.game.moves[..at].iter().for_each(|&mv| game.play(mv));
        let tries: Vec<String> =
            request.get("try").split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect();
        if tries.len() > TRIED {
            return Err(format!("at most {TRIED} moves can be tried"));
        }
        for text in &tries {
            let mv = notation::parse_uci(game.board(), text).map_err(|e| e.to_string())?;
            game.play(mv);
        }
        let named = |name: &str| Some(request.get(name)).filter(|t| !t.is_empty());
        let scheme = named("scheme").map_or(Ok(Scheme::default()), str::parse::<Scheme>)?;
        let policy = named("policy").map_or(Ok(Policy::default()), str::parse::<Policy>)?;
        let depth = u32::try_from(number("depth", 4)?).unwrap_or(4).max(1);
        let nodes = number("nodes", 100_000)? as u64;
        let nodes = nodes.clamp(100, MAX_NODES);
        let from = request.get("from").to_owned();
        Ok(Self {
            is_one_of_many,
            number: game_number,
            record,
            at,
            tries,
            game,
            scheme,
            policy,
            depth,
            nodes,
            from,
        })
    }

    /// The query of an address with some of its fields changed.
    fn query(&self, changes: &[(&str, &str)]) -> String {
        let unless = |is_usual: bool, text: String| if is_usual { String::new() } else { text };
        let fields = [
            ("game", self.number.to_string()),
            ("at", self.at.to_string()),
            ("try", self.tries.join(",")),
            ("scheme", unless(self.scheme == Scheme::default(), self.scheme.name().into())),
            ("policy", unless(self.policy == Policy::default(), self.policy.name().into())),
            ("depth", unless(self.depth == 4, self.depth.to_string())),
            ("nodes", unless(self.nodes == NODES, self.nodes.to_string())),
        ];
        let is_own = |name: &str| fields.iter().any(|f| f.0 == name);
        let more: Vec<(&str, String)> =
            changes.iter().filter(|c| !is_own(c.0)).map(|&(name, value)| (name, value.to_owned())).collect();
        let value = |(name, value): &(&str, String)| {
            let changed = changes.iter().find(|c| c.0 == *name).map(|c| c.1);
            (name.to_string(), changed.map_or(value.clone(), str::to_owned))
        };
        fields
            .iter()
            .chain(&more)
            .map(value)
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}={}", encode(&value)))
            .collect::<Vec<_>>()
            .join("&")
    }

    /// The game's positions as boards with clocks, the start first, and the move that led to each in SAN.
    fn steps(&self) -> Vec<Step> {
        let mut game = Game::new(self.game.start().clone());
        let mut steps = vec![Step { san: String::new(), fen: game.fen() }];
        for &mv in self.game.moves() {
            let san = notation::san(game.board(), mv);
            game.play(mv);
            steps.push(Step { san, fen: game.fen() });
        }
        steps
    }

    /// The address of the position after this many plies of the played and tried moves.
    fn after(&self, plies: usize) -> String {
        let at = plies.min(self.at);
        let tries = self.tries[..plies.saturating_sub(self.at).min(self.tries.len())].join(",");
        format!("chess?{}", self.query(&[("at", &at.to_string()), ("try", &tries)]))
    }

    fn title(&self) -> String {
        let tried =
            if self.tries.is_empty() { String::new() } else { format!(" and {} tried", self.tries.len()) };
        let side = notation::side_name(self.game.board().side_to_move());
        format!("{}, after {} plies{tried}, {side} to move", self.record.title, self.at)
    }
}

/// A position of the game.
struct Step {
    san: String,
    fen: String,
}

/// A score as people read it: pawns, or moves to mate.
fn score_text(score: i32) -> String {
    match mate_in(score) {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}
