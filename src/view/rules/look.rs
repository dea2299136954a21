//! Reads the address of a page of a rulesheet, and sets up the state that it names.

use crate::number_text::counted;
use crate::view::controls::{self, Slider, Targets};
use crate::view::html::encode;
use crate::view::request::Request;
use crate::view::site::Site;
use crate::view::table::{Joint, Table, legal, line, spelled};
use std::sync::Arc;
use tengen_propnet::information;
use tengen_propnet::machine::{Description, MoveId, State, StateMachine};
use tengen_propnet::players::Kind;

/// The request of an address.
pub(super) struct Look {
    pub(super) table: Arc<Table>,
    /// The number of the version of a rulesheet that is watched.
    pub(super) version: String,
    /// Moves of the line of an earlier version, and how many of them are legal now.
    pub(super) kept: Option<(usize, usize)>,
    /// Its number among those of scenes.
    pub(super) sheet: String,
    pub(super) machine: Box<dyn StateMachine + Send>,
    /// The whole line, of which `at` moves are played.
    pub(super) line: Vec<Joint>,
    pub(super) at: usize,
    /// The moves chosen so far for the next step.
    pub(super) picks: Vec<Option<usize>>,
    /// The roles our player plays.
    pub(super) ours: Vec<usize>,
    pub(super) player: (&'static str, Kind),
    pub(super) visits: u64,
    /// Whether the address asks for the results of a search.
    pub(super) asks: bool,
    pub(super) field: String,
    pub(super) scheme: String,
    pub(super) step: usize,
    pub(super) part: Option<usize>,
    /// The rule whose parts are shown, or `all`.
    pub(super) rule: String,
    /// The size of the net's picture in percent.
    pub(super) zoom: usize,
    pub(super) state: State,
    /// The state; its facts are without percepts.
    pub(super) described: Description,
    /// GDL-II: what each role perceived of the move that led here.
    pub(super) percepts: Vec<Vec<String>>,
    pub(super) roles: Vec<String>,
    /// The move that led here, as text.
    pub(super) last: Option<String>,
    /// The legal moves of each role, sorted; empty in a terminal state.
    pub(super) legal: Vec<Vec<(String, MoveId)>>,
}

/// The line of an address in the rules of now.
struct Carried {
    line: Vec<Joint>,
    version: String,
    kept: Option<(usize, usize)>,
}

/// The line of an address. If it was written under earlier rules, its moves are kept as far as they are legal.
fn carried(site: &Site, table: &Arc<Table>, request: &Request) -> Result<Carried, String> {
    let line = line(request.get("moves"))?;
    let Some(watched) = site.watched() else {
        return Ok(Carried { line, version: String::new(), kept: None });
    };
    let version = watched.number().to_string();
    let before = match request.get("v") {
        "" => Some(Arc::clone(table)),
        v => v.parse().ok().and_then(|number| watched.at(number)),
    };
    if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, table)) {
        return Ok(Carried { line, version, kept: None });
    }
    let texts = before.map_or_else(|| Ok(Vec::new()), |before| before.texts(&line))?;
    let moved = table.legal_part(&texts)?;
    let kept = Some((line.len(), moved.len()));
    Ok(Carried { line: moved, version, kept })
}

/// The default visits of our player, and the most.
pub(super) const VISITS: u64 = 1000;
pub(super) const MAX_VISITS: u64 = 100_000;

impl Look {
    pub(super) fn read(site: &Site, request: &Request) -> Result<Self, String> {
        let sheet = request.get("sheet").to_owned();
        let table = site.table(&sheet)?;
        let Carried { line, version, kept } = carried(site, &table, request)?;
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
        let mut described = machine.describe(&state).map_err(|e| e.to_string())?;
        let mut percepts = vec![Vec::new(); roles.len()];
        described.facts.retain(|fact| {
            !information::is_percept(fact) || {
                information::percept_of(&roles, fact)
                    .into_iter()
                    .for_each(|(role, seen)| percepts[role].push(seen));
                false
            }
        });
        let mut legal_moves = Vec::new();
        for role in 0..roles.len() {
            let moves = if described.terminal { Vec::new() } else { legal(machine.as_mut(), role)? };
            legal_moves.push(moves);
        }
        let wanted = match request.get("player") {
            "" => "auto",
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
        // Other rules have other moves.
        let pick = if kept.is_some() { "" } else { request.get("pick") };
        let picks = picks(pick, &legal_moves)?;
        Ok(Self {
            table,
            version,
            kept,
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
            rule: request.get("rule").into(),
            zoom: number("zoom", 100)?.clamp(25, 400),
            line,
            state,
            described,
            percepts,
            roles,
            last,
            legal: legal_moves,
            machine,
        })
    }

    /// The query of an address with some of its fields changed. Fields of other pages and `ask` are left out.
    pub(super) fn query(&self, changes: &[(&str, &str)]) -> String {
        let fields = [
            ("sheet", self.sheet.clone()),
            ("moves", spelled(&self.line)),
            ("at", if self.at == self.line.len() { String::new() } else { self.at.to_string() }),
            ("pick", spelled_picks(&self.picks)),
            ("ours", self.ours.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")),
            ("player", if self.player.0 == "auto" { String::new() } else { self.player.0.into() }),
            ("v", self.version.clone()),
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
    pub(super) fn moved(&self, page: &str, at: usize) -> String {
        format!("{page}?{}", self.query(&[("at", &at.to_string()), ("pick", "")]))
    }

    /// The joint move chosen, once it is whole: roles with one legal move have no choice.
    pub(super) fn chosen(&self) -> Option<Joint> {
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

    pub(super) fn title(&self) -> String {
        let name = self.table.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let over = if self.described.terminal { ", the game is over" } else { "" };
        format!("{name}, {} of {}{over}", self.at, counted("move", self.line.len()))
    }

    /// The controls to move through the line.
    pub(super) fn navigation(&self, page: &str) -> String {
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

pub(super) fn spelled_picks(picks: &[Option<usize>]) -> String {
    if picks.iter().all(Option::is_none) {
        return String::new();
    }
    picks.iter().map(|p| p.map_or_else(String::new, |p| p.to_string())).collect::<Vec<_>>().join(".")
}

pub(super) fn picks(text: &str, legal: &[Vec<(String, MoveId)>]) -> Result<Vec<Option<usize>>, String> {
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
