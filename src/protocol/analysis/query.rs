//! Parses queries. A query is one JSON object, which is read field by field. A query with an invalid field is refused,
//! and the error names the field. An unknown field gives a warning.

use crate::protocol::gtp::analyze::scoring_of;
use serde_json::{Map, Value, json};
use std::time::Duration;
use tengen_go::board::{Board, Color, MAX_SIZE, Vertex};
use tengen_go::score::Scoring;

/// The most visits that one search makes; more are asked for by controllers that stop it themselves.
pub(super) const MOST_VISITS: u32 = 1 << 17;
/// Visits where the query names none.
const VISITS: u32 = 1000;
/// The most moves of a query.
const MOST_MOVES: usize = 20_000;

/// A query that can be carried out.
#[derive(Clone, Debug)]
pub struct Query {
    /// The controller's name for it.
    pub id: String,
    /// The board at turn 0.
    pub start: Board,
    /// The side to move at turn 0.
    pub first: Color,
    /// Moves from there, all of them legal.
    pub moves: Vec<(Color, Vertex)>,
    /// White's points.
    pub komi: f32,
    /// The counting rules of the game.
    pub scoring: Scoring,
    /// Turns to analyse, each once, with their priorities.
    pub turns: Vec<(usize, i64)>,
    /// Playouts.
    pub visits: u32,
    /// Only these points, from the first ply on, for the side to move.
    pub allowed: Vec<(Color, Vec<Vertex>, bool)>,
    /// The side from whose view numbers are given: Black, White, or the side to move.
    pub side: Option<Color>,
    /// Whether ownership is wanted.
    pub ownership: bool,
    /// Whether the ownership after each move is wanted.
    pub moves_ownership: bool,
    /// The times until the first report during the search and between the others, if reports are wanted.
    pub reports: Option<[Duration; 2]>,
    /// The longest time of a turn's search.
    pub max_time: Option<Duration>,
    /// Whether the policy is wanted.
    pub policy: bool,
    /// Whether our own fields are wanted.
    pub findings: bool,
}

/// The fault of a line, in the form of the answer.
#[derive(Clone, Debug)]
pub struct Fault {
    /// In words.
    pub text: String,
    /// The field.
    pub field: &'static str,
}

type Found<T> = Result<T, Fault>;

fn fault<T>(field: &'static str, text: impl Into<String>) -> Found<T> {
    Err(Fault { text: text.into(), field })
}

/// Fields that are read, and those that mean nothing to this engine but are no mistake.
const KNOWN: &[&str] = &[
    "id",
    "moves",
    "rules",
    "boardXSize",
    "boardYSize",
    "initialStones",
    "initialPlayer",
    "komi",
    "whiteHandicapBonus",
    "analyzeTurns",
    "maxVisits",
    "includeOwnership",
    "includePolicy",
    "includeTengen",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "priority",
    "priorities",
    "analysisPVLen",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePVVisits",
    "includeNoResultValue",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
];

/// The parts of a query that Tengen treats otherwise than written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Warning {
    pub(super) field: String,
    pub(super) text: String,
}

/// Reads a query that has an id, and returns the parts that Tengen treats otherwise.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn read(id: &str, fields: &Map<String, Value>) -> Found<(Query, Vec<Warning>)> {
    let size = size(fields)?;
    let scoring = rules(fields)?;
    let mut start = Board::new(size);
    let stones = moves(fields, "initialStones", size, true)?;
    for &(color, v) in &stones {
        if v == Vertex::PASS || start.place(color, v).is_err() {
            return fault("initialStones", format!("a stone can't be placed at {}", v.to_gtp(size)));
        }
    }
    // As in every set-up: stones without a liberty are taken off, with a warning.
    let taken = start.take_off_breathless();
    let moves = moves(fields, "moves", size, false)?;
    let player = match fields.get("initialPlayer") {
        None => None,
        Some(value) => {
            Some(color(value).map_or_else(|| fault("initialPlayer", "must be \"B\" or \"W\""), Ok)?)
        }
    };
    let handicap = !stones.is_empty() && stones.iter().all(|s| s.0 == Color::Black);
    let usual = if handicap { Color::White } else { Color::Black };
    let first = player.or_else(|| moves.first().map(|m| m.0)).unwrap_or(usual);
    let mut board = start.clone();
    for (n, &(color, v)) in moves.iter().enumerate() {
        if board.play(color, v).is_err() {
            return fault("moves", format!("Illegal move {n}: {}", v.to_gtp(size)));
        }
    }
    let komi = komi(fields, scoring)?;
    let turns = turns(fields, moves.len())?;
    let visits = match fields.get("maxVisits") {
        None => VISITS,
        Some(value) => match value.as_u64().filter(|&n| n >= 1) {
            Some(n) => u32::try_from(n).unwrap_or(u32::MAX).min(MOST_VISITS),
            None => return fault("maxVisits", "must be an integer from 1 to 2^50"),
        },
    };
    let mut unused: Vec<String> = fields.keys().filter(|k| !KNOWN.contains(&k.as_str())).cloned().collect();
    let (side, max_time) = settings(fields, &mut unused)?;
    let mut warnings: Vec<Warning> = unused
        .into_iter()
        .map(|field| Warning { field, text: "Unexpected or unused field".into() })
        .collect();
    if !taken.is_empty() {
        let at: Vec<String> = taken.iter().map(|v| v.to_gtp(size)).collect();
        let text = format!("Stones without a liberty are taken off: {}", at.join(" "));
        warnings.push(Warning { field: "initialStones".into(), text });
    }
    let query = Query {
        id: id.to_owned(),
        allowed: restrictions(fields, size)?,
        ownership: flag(fields, "includeOwnership")?,
        moves_ownership: flag(fields, "includeMovesOwnership")?,
        reports: reports(fields)?,
        max_time,
        policy: flag(fields, "includePolicy")?,
        findings: flag(fields, "includeTengen")?,
        start,
        first,
        moves,
        komi,
        scoring,
        turns,
        visits,
        side,
    };
    Ok((query, warnings))
}

fn size(fields: &Map<String, Value>) -> Found<usize> {
    let of = |field: &'static str| match fields.get(field).and_then(Value::as_u64) {
        Some(n) if (2..=MAX_SIZE as u64).contains(&n) => Ok(n as usize),
        Some(_) => fault(field, format!("must be from 2 to {MAX_SIZE}")),
        None => fault(field, "must be an integer"),
    };
    let (x, y) = (of("boardXSize")?, of("boardYSize")?);
    if x == y { Ok(x) } else { fault("boardYSize", "only square boards are known") }
}

fn rules(fields: &Map<String, Value>) -> Found<Scoring> {
    let text = match fields.get("rules") {
        None => return fault("rules", "must be given"),
        Some(Value::String(name)) => name.clone(),
        Some(object) => object.to_string(),
    };
    scoring_of(&text).map_or_else(|| fault("rules", format!("unknown rules {text}")), Ok)
}

fn color(value: &Value) -> Option<Color> {
    match value.as_str()?.to_ascii_uppercase().as_str() {
        "B" | "BLACK" => Some(Color::Black),
        "W" | "WHITE" => Some(Color::White),
        _ => None,
    }
}

/// `Q4`, `pass`, `(3,15)`: column and row from the top left.
fn vertex(text: &str, size: usize) -> Option<Vertex> {
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let (x, y) = inner.split_once(',')?;
        let at = |t: &str| t.trim().parse::<usize>().ok().filter(|&i| i < size);
        return Some(Vertex::new(at(y)?, at(x)?, size));
    }
    Vertex::from_gtp(text, size)
}

fn moves(
    fields: &Map<String, Value>,
    field: &'static str,
    size: usize,
    may_lack: bool,
) -> Found<Vec<(Color, Vertex)>> {
    let list = match fields.get(field) {
        None if may_lack => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        _ => return fault(field, "must be a list of pairs of player and point"),
    };
    if list.len() > MOST_MOVES {
        return fault(field, format!("has more than {MOST_MOVES} entries"));
    }
    let one = |pair: &Value| {
        let [player, point] = pair.as_array()?.as_slice() else { return None };
        Some((color(player)?, vertex(point.as_str()?, size)?))
    };
    list.iter()
        .map(|m| one(m).map_or_else(|| fault(field, format!("{m} is no player and point")), Ok))
        .collect()
}

fn komi(fields: &Map<String, Value>, scoring: Scoring) -> Found<f32> {
    match fields.get("komi") {
        None => Ok(if scoring == Scoring::Area { 7.5 } else { 6.5 }),
        Some(value) => match value.as_f64() {
            Some(komi) if komi.abs() <= 400.0 && (komi * 2.0).fract() == 0.0 => Ok(komi as f32),
            _ => fault("komi", "must be an integer or half-integer from -400 to 400"),
        },
    }
}

fn turns(fields: &Map<String, Value>, last: usize) -> Found<Vec<(usize, i64)>> {
    let turn = |value: &Value| match value.as_u64() {
        Some(turn) if turn <= last as u64 => Ok(turn as usize),
        _ => fault("analyzeTurns", format!("each must be an integer from 0 to {last}")),
    };
    let turns = match fields.get("analyzeTurns") {
        None => vec![last],
        Some(Value::Array(list)) => list.iter().map(turn).collect::<Found<_>>()?,
        Some(_) => return fault("analyzeTurns", "must be a list of integers"),
    };
    let priorities = match (fields.get("priority"), fields.get("priorities")) {
        (Some(_), Some(_)) => return fault("priorities", "not together with priority"),
        (Some(value), None) => match value.as_i64() {
            Some(priority) => vec![priority; turns.len()],
            None => return fault("priority", "must be an integer"),
        },
        (None, Some(value)) => match value.as_array() {
            Some(list) if list.len() == turns.len() && list.iter().all(Value::is_i64) => {
                list.iter().filter_map(Value::as_i64).collect()
            }
            _ => return fault("priorities", "must be a list of integers as long as analyzeTurns"),
        },
        (None, None) => vec![0; turns.len()],
    };
    let mut all: Vec<(usize, i64)> = turns.into_iter().zip(priorities).collect();
    all.sort_by_key(|t| t.0);
    all.dedup_by_key(|t| t.0);
    Ok(all)
}

fn flag(fields: &Map<String, Value>, field: &'static str) -> Found<bool> {
    match fields.get(field) {
        None => Ok(false),
        Some(Value::Bool(on)) => Ok(*on),
        Some(_) => fault(field, "must be true or false"),
    }
}

/// A field of seconds.
fn seconds(fields: &Map<String, Value>, field: &'static str) -> Found<Option<Duration>> {
    let Some(value) = fields.get(field) else { return Ok(None) };
    let seconds = value.as_f64().filter(|s| (0.001..=1e6).contains(s));
    seconds.map_or_else(
        || fault(field, "must be a number of seconds from 0.001 to 1000000"),
        |seconds| Ok(Some(Duration::from_secs_f64(seconds))),
    )
}

fn reports(fields: &Map<String, Value>) -> Found<Option<[Duration; 2]>> {
    let every = seconds(fields, "reportDuringSearchEvery")?;
    let first = seconds(fields, "firstReportDuringSearchAfter")?;
    Ok(every.map(|every| [first.unwrap_or(every), every]))
}

/// `overrideSettings`: whose side numbers are from, and the longest time.
fn settings(
    fields: &Map<String, Value>,
    warnings: &mut Vec<String>,
) -> Found<(Option<Color>, Option<Duration>)> {
    let Some(value) = fields.get("overrideSettings") else { return Ok((Some(Color::Black), None)) };
    let Some(object) = value.as_object() else { return fault("overrideSettings", "must be an object") };
    let harmless = ["reportAnalysisWinratesAs", "maxTime", "wideRootNoise"];
    warnings.extend(object.keys().filter(|k| !harmless.contains(&k.as_str())).cloned());
    let longest = object.get("maxTime").map(|value| value.as_f64().unwrap_or(-1.0));
    if longest.is_some_and(|seconds| !(0.0..=1e20).contains(&seconds)) {
        return fault("overrideSettings", "maxTime must be a number of seconds");
    }
    // A time beyond a day is none.
    let longest = longest.filter(|&seconds| seconds < 86400.0).map(Duration::from_secs_f64);
    match object.get("reportAnalysisWinratesAs").map(|v| v.as_str().unwrap_or_default()) {
        None | Some("BLACK") => Ok((Some(Color::Black), longest)),
        Some("WHITE") => Ok((Some(Color::White), longest)),
        Some("SIDETOMOVE") => Ok((None, longest)),
        Some(_) => fault("overrideSettings", "reportAnalysisWinratesAs must be BLACK, WHITE or SIDETOMOVE"),
    }
}

/// Points forbidden (`false`) or alone allowed (`true`) for a side.
fn restrictions(fields: &Map<String, Value>, size: usize) -> Found<Vec<(Color, Vec<Vertex>, bool)>> {
    if fields.contains_key("avoidMoves") && fields.contains_key("allowMoves") {
        return fault("allowMoves", "not together with avoidMoves");
    }
    let mut all = Vec::new();
    for (field, keeps) in [("avoidMoves", false), ("allowMoves", true)] {
        let Some(value) = fields.get(field) else { continue };
        let one = |entry: &Value| {
            let points = entry.get("moves")?.as_array()?;
            let points: Option<Vec<Vertex>> = points.iter().map(|p| vertex(p.as_str()?, size)).collect();
            entry.get("untilDepth")?.as_u64().filter(|&d| d >= 1)?;
            Some((color(entry.get("player")?)?, points?, keeps))
        };
        let entries = value.as_array().and_then(|list| list.iter().map(one).collect::<Option<Vec<_>>>());
        match entries {
            Some(entries) => all.extend(entries),
            None => return fault(field, "must be a list of {player, moves, untilDepth}"),
        }
    }
    Ok(all)
}

/// The answer to a query that was dropped, or to a line without an id.
#[must_use]
pub(super) fn error(fault: &Fault, id: Option<&str>) -> Value {
    match id {
        Some(id) => json!({ "error": fault.text, "field": fault.field, "id": id }),
        None => json!({ "error": fault.text }),
    }
}
