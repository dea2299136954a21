//! Pages of a game by rulesheet: played by click, shown as text and as a board, and its net.
//!
//! - `play`: the state, the legal moves of each role, our player, the results of a search.
//! - `board`: the facts that form a board of fields, if there are any.
//! - `net`: the net with its values, and the propagation of a move under each scheme; the rules and the parts they
//!   concern.
//!
//! An address carries the moves as places in the sorted lists of legal moves, so that two people never see each other's
//! game.

mod board;
mod net;
mod play;

pub(super) use net::{page as net_page, rules_page};
pub(super) use play::{board_after, page as play_page};

use super::controls::{self, Slider, Targets};
use super::html::encode;
use super::request::Request;
use super::site::Site;
use anyhow::Context as _;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::inspect::{self, Inspection};
use tengen_propnet::machine::{Description, MoveId, State, StateMachine};
use tengen_propnet::players::Kind;
use tengen_propnet::program::Program;

/// The time limit for turning a rulesheet into a net; after it the prover serves the game.
const SETUP: Duration = Duration::from_secs(30);
/// The most joint moves an address may carry.
const MAX_MOVES: usize = 2000;
/// States of lines that are kept.
const KEPT: usize = 64;

/// A game that was opened.
pub struct Table {
    path: PathBuf,
    text: String,
    game: Arc<Game>,
    /// The net's parts and the rules, if it has a net.
    net: Option<(Inspection, Vec<inspect::Rule>)>,
    kept: Mutex<VecDeque<(Vec<Joint>, State)>>,
}

/// A joint move: for each role the place in its sorted list of legal moves.
type Joint = Vec<usize>;

impl Table {
    /// Reads a rulesheet. `stop` is asked now and then whether to give up on the net.
    ///
    /// # Errors
    /// If it cannot be read, and all its faults.
    pub fn open(path: &Path, stop: &mut dyn FnMut() -> bool) -> anyhow::Result<Self> {
        let shown = path.display().to_string();
        let bytes = crate::files::bytes(path).map_err(anyhow::Error::msg).context(shown.clone())?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let program = Program::read(&text).map_err(|error| {
            let faults = error.diagnostics(&text);
            let lines: Vec<String> =
                faults.into_iter().map(|d| d.in_file(shown.clone()).to_string()).collect();
            anyhow::anyhow!("{}", lines.join("\n"))
        })?;
        let (sheet, _) = tengen_propnet::gdl::read(&text);
        let game = Game::from_program(program, LoadLimits::default(), stop);
        let net = game.topology.as_ref().ok().map(|topology| {
            let inspection = Inspection::new(topology);
            let rules = inspect::rules(&sheet, &inspection);
            (inspection, rules)
        });
        Ok(Self { path: path.into(), text, game: Arc::new(game), net, kept: Mutex::default() })
    }

    /// The same, within the time that opening may take.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_in_time(path: &Path) -> anyhow::Result<Self> {
        let begun = Instant::now();
        Self::open(path, &mut || begun.elapsed() > SETUP)
    }

    /// Joint moves from the beginning, written as rulesheets have them, as an address spells them.
    pub(super) fn spelled_line(&self, moves: &[Vec<String>]) -> Result<String, String> {
        let mut machine = self.game.machine("auto").map_err(|e| e.to_string())?;
        let mut state = machine.initial();
        let mut line = Vec::new();
        for joint in moves {
            machine.enter(&state).map_err(|e| e.to_string())?;
            let ids = machine.joint_move(joint).map_err(|e| e.to_string())?;
            let place = |(role, id): (usize, &MoveId)| {
                let moves = legal(machine.as_mut(), role)?;
                moves.iter().position(|m| m.1 == *id).ok_or_else(|| "a move is not legal".to_owned())
            };
            line.push(ids.iter().enumerate().map(place).collect::<Result<Joint, String>>()?);
            state = machine.successor(&ids).map_err(|e| e.to_string())?;
        }
        Ok(spelled(&line))
    }

    /// The state after a line, from what is kept as far as it goes.
    fn walk(&self, machine: &mut dyn StateMachine, line: &[Joint]) -> Result<State, String> {
        let known = {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let nearest = kept.iter().filter(|(at, _)| line.starts_with(at)).max_by_key(|(at, _)| at.len());
            nearest.cloned()
        };
        let (from, mut state) = known.unwrap_or_else(|| (Vec::new(), machine.initial()));
        for (number, joint) in line.iter().enumerate().skip(from.len()) {
            machine.enter(&state).map_err(|e| e.to_string())?;
            let ids = ids(machine, joint).map_err(|why| format!("move {}: {why}", number + 1))?;
            state = machine.successor(&ids).map_err(|e| e.to_string())?;
        }
        machine.enter(&state).map_err(|e| e.to_string())?;
        if from.len() < line.len() {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push_back((line.to_vec(), state.clone()));
            if kept.len() > KEPT {
                kept.pop_front();
            }
        }
        Ok(state)
    }
}

impl Table {
    /// A joint move after a line, as people write it.
    fn text_of(
        &self,
        machine: &mut dyn StateMachine,
        line: &[Joint],
        joint: &Joint,
    ) -> Result<String, String> {
        self.walk(machine, line)?;
        let ids = ids(machine, joint).map_err(|why| format!("move {}: {why}", line.len() + 1))?;
        let moves = ids.iter().enumerate();
        let text = |(role, &id): (usize, &MoveId)| {
            format!("{} {}", machine.roles()[role], machine.move_text(role, id))
        };
        Ok(moves.map(text).collect::<Vec<_>>().join(", "))
    }
}

/// The legal moves of a role in the state entered, by their text.
fn legal(machine: &mut dyn StateMachine, role: usize) -> Result<Vec<(String, MoveId)>, String> {
    let ids = machine.legal(role).map_err(|e| e.to_string())?;
    let mut moves: Vec<(String, MoveId)> =
        ids.into_iter().map(|id| (machine.move_text(role, id), id)).collect();
    moves.sort_unstable();
    Ok(moves)
}

/// The moves at these places in the state entered.
fn ids(machine: &mut dyn StateMachine, joint: &Joint) -> Result<Vec<MoveId>, String> {
    if machine.terminal().map_err(|e| e.to_string())? {
        return Err("the game was over before it".into());
    }
    if joint.len() != machine.roles().len() {
        return Err(format!("it needs a move for each of {} roles", machine.roles().len()));
    }
    let mut ids = Vec::with_capacity(joint.len());
    for (role, &place) in joint.iter().enumerate() {
        let moves = legal(machine, role)?;
        let name = &machine.roles()[role];
        ids.push(moves.get(place).ok_or_else(|| format!("{name} has no legal move number {place}"))?.1);
    }
    Ok(ids)
}

/// The request of an address.
struct Look<'a> {
    table: &'a Table,
    /// Its number among those of scenes.
    sheet: String,
    machine: Box<dyn StateMachine + Send>,
    /// The whole line, of which `at` moves are played.
    line: Vec<Joint>,
    at: usize,
    /// The moves chosen so far for the next step.
    picks: Vec<Option<usize>>,
    /// The roles our player plays.
    ours: Vec<usize>,
    player: (&'static str, Kind),
    visits: u64,
    /// Whether the address asks what a search thinks.
    asks: bool,
    field: String,
    scheme: String,
    step: usize,
    part: Option<usize>,
    state: State,
    described: Description,
    roles: Vec<String>,
    /// The move that led here, as text.
    last: Option<String>,
    /// The legal moves of each role, sorted; empty in a terminal state.
    legal: Vec<Vec<(String, MoveId)>>,
}

/// The default visits of our player, and the most.
const VISITS: u64 = 1000;
const MAX_VISITS: u64 = 100_000;

impl<'a> Look<'a> {
    fn read(site: &'a Site, request: &Request) -> Result<Self, String> {
        let sheet = request.get("sheet").to_owned();
        let table = site.table(&sheet)?;
        let line = line(request.get("moves"))?;
        let number = |name: &str, none: usize| match request.get(name) {
            "" => Ok(none),
            text => text.parse().map_err(|_| format!("`{text}` is no number for {name}")),
        };
        let at = number("at", line.len())?.min(line.len());
        let mut machine = table.game.machine("auto").map_err(|e| e.to_string())?;
        let roles = machine.roles().to_vec();
        let last = match at.checked_sub(1) {
            Some(before) => Some(table.text_of(machine.as_mut(), &line[..before], &line[before])?),
            None => None,
        };
        let state = table.walk(machine.as_mut(), &line[..at])?;
        let described = machine.describe(&state).map_err(|e| e.to_string())?;
        let mut legal_moves = Vec::new();
        for role in 0..roles.len() {
            let moves = if described.terminal { Vec::new() } else { legal(machine.as_mut(), role)? };
            legal_moves.push(moves);
        }
        let wanted = match request.get("player") {
            "" => "uct",
            name => name,
        };
        let player = Kind::NAMES.into_iter().find(|(name, _)| *name == wanted);
        let player = player.ok_or_else(|| format!("there is no player `{wanted}`"))?;
        let ours = request.get("ours").split('.').filter(|t| !t.is_empty());
        let ours: Vec<usize> = ours.filter_map(|t| t.parse().ok()).filter(|&r| r < roles.len()).collect();
        let part = match request.get("part") {
            "" => None,
            text => Some(text.parse().map_err(|_| format!("`{text}` is no part of the net"))?),
        };
        let picks = picks(request.get("pick"), &legal_moves)?;
        Ok(Self {
            table,
            sheet,
            at,
            picks,
            ours,
            player,
            visits: u64::try_from(number("visits", VISITS as usize)?).unwrap_or(VISITS).clamp(1, MAX_VISITS),
            asks: request.get("ask") == "1",
            field: request.get("field").into(),
            scheme: request.get("scheme").into(),
            step: number("step", usize::MAX)?,
            part,
            line,
            state,
            described,
            roles,
            last,
            legal: legal_moves,
            machine,
        })
    }

    /// The query of an address with some of its fields changed. Fields of other pages and `ask` are left out.
    fn query(&self, changes: &[(&str, &str)]) -> String {
        let fields = [
            ("sheet", self.sheet.clone()),
            ("moves", spelled(&self.line)),
            ("at", if self.at == self.line.len() { String::new() } else { self.at.to_string() }),
            ("pick", spelled_picks(&self.picks)),
            ("ours", self.ours.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")),
            ("player", if self.player.0 == "uct" { String::new() } else { self.player.0.into() }),
            ("visits", if self.visits == VISITS { String::new() } else { self.visits.to_string() }),
        ];
        let value = |(name, value): (&str, String)| {
            let changed = changes.iter().find(|c| c.0 == name).map(|c| c.1);
            (name.to_owned(), changed.map_or(value, str::to_owned))
        };
        let own: Vec<(String, String)> = fields.into_iter().map(value).collect();
        let known: Vec<String> = own.iter().map(|f| f.0.clone()).collect();
        let more = changes.iter().filter(|c| !known.iter().any(|name| name == c.0));
        own.iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .chain(more.copied())
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}={}", encode(value)))
            .collect::<Vec<_>>()
            .join("&")
    }

    /// The address of a page with this many moves of the line played.
    fn moved(&self, page: &str, at: usize) -> String {
        format!("{page}?{}", self.query(&[("at", &at.to_string()), ("pick", "")]))
    }

    /// The joint move chosen, once it is whole: roles with one legal move have no choice.
    fn chosen(&self) -> Option<Joint> {
        if self.described.terminal || self.picks.iter().all(Option::is_none) {
            return None;
        }
        let of = |(pick, legal): (&Option<usize>, &Vec<_>)| match (pick, legal.len()) {
            (Some(pick), _) => Some(*pick),
            (None, 1) => Some(0),
            _ => None,
        };
        self.picks.iter().zip(&self.legal).map(of).collect()
    }

    fn title(&self) -> String {
        let name = self.table.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let over = if self.described.terminal { ", the game is over" } else { "" };
        format!("{name}, {} of {} moves{over}", self.at, self.line.len())
    }

    /// The way through the line.
    fn way(&self, page: &str) -> String {
        let last = self.line.len();
        let to = |at: usize| self.moved(page, at);
        let targets = Targets {
            first: (self.at > 0).then(|| to(0)),
            back: self.at.checked_sub(1).map(to),
            forth: (self.at < last).then(|| to(self.at + 1)),
            last: (self.at < last).then(|| to(last)),
        };
        let less = spelled(&self.line[..self.at.saturating_sub(1)]);
        let undo = format!("{page}?{}", self.query(&[("moves", &less), ("at", ""), ("pick", "")]));
        let undo = (self.at > 0).then_some(undo);
        let nodes: Vec<usize> = (0..=last).collect();
        let base = format!("{page}?{}&at=", self.query(&[("at", ""), ("pick", "")]));
        controls::bar(targets, (undo, "take-back", controls::UNDO, "Undo"))
            + &controls::slider(&Slider {
                at: self.at,
                nodes: &nodes,
                base,
                is_tried: false,
                after: String::new(),
            })
    }
}

/// A line as an address spells it: joint moves by commas, roles by dots.
fn spelled(line: &[Joint]) -> String {
    let one = |joint: &Joint| joint.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
    line.iter().map(one).collect::<Vec<_>>().join(",")
}

fn line(text: &str) -> Result<Vec<Joint>, String> {
    let words: Vec<&str> = text.split(',').filter(|w| !w.is_empty()).collect();
    if words.len() > MAX_MOVES {
        return Err(format!("an address carries at most {MAX_MOVES} moves"));
    }
    words
        .into_iter()
        .map(|word| {
            let places: Result<Joint, _> = word.split('.').map(str::parse).collect();
            places.map_err(|_| format!("`{word}` is no joint move"))
        })
        .collect()
}

fn spelled_picks(picks: &[Option<usize>]) -> String {
    if picks.iter().all(Option::is_none) {
        return String::new();
    }
    picks.iter().map(|p| p.map_or_else(String::new, |p| p.to_string())).collect::<Vec<_>>().join(".")
}

fn picks(text: &str, legal: &[Vec<(String, MoveId)>]) -> Result<Vec<Option<usize>>, String> {
    let mut words = text.split('.');
    legal
        .iter()
        .map(|moves| match words.next() {
            None | Some("") => Ok(None),
            Some(word) => match word.parse() {
                Ok(place) if place < moves.len() => Ok(Some(place)),
                _ => Err(format!("`{word}` is no legal move to choose")),
            },
        })
        .collect()
}
