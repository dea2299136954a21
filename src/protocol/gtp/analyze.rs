//! Commands for live analysis in graphical controllers: `lz-analyze`, `kata-analyze` and their `genmove` forms. The
//! module also has the commands that get and set the rules by KataGo's names.
//!
//! # Source
//! KataGo, "GTP Extensions"; the commands that Sabaki, q5Go and `LizzieYzy` send.
//!
//! # Steps
//! 1. The answer begins at once. If the search can ask the judge, a single search runs until the end of the analysis.
//!    Its first line comes after a fixed number of looks of the judge. Then a line of findings follows after each
//!    interval.
//! 2. Without such a judge, several searches run in turn. Each has twice the playouts of the previous one, and a line
//!    follows after each search.
//! 3. Any new line from the controller, even an empty one, ends the analysis.

use super::input::Lines;
use super::session::{MOST_LOOKS, Session};
use super::wire::{Answer, Arguments, Failure, Request, color};
use super::{Command, command};
use crate::protocol::move_figures::{MoveFigures, PositionFigures};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tengen_go::board::{Color, Vertex};
use tengen_go::moves;
use tengen_go::score::Scoring;

pub(super) const COMMANDS: &[Command] = &[
    command("lz-analyze", |s, w| once(s, w, Dialect::Leela)),
    command("kata-analyze", |s, w| once(s, w, Dialect::Kata)),
    command("lz-genmove_analyze", |s, w| genmove(s, w, Dialect::Leela)),
    command("kata-genmove_analyze", |s, w| genmove(s, w, Dialect::Kata)),
    command("stop", |_, _| Ok(String::new())),
    command("kata-get-rules", get_rules),
    command("kata-set-rules", set_rules),
];

/// The looks before the first line of a search that goes on: less than 0.2 s on 19x19. Own choice.
const FIRST_LOOKS: u32 = 40;

/// Playouts of the first search, and the most of one.
const FIRST: u32 = 50;
const MOST: u32 = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Leela,
    Kata,
}

/// The controller's request.
struct Wanted {
    color: Color,
    interval: Duration,
    most: usize,
    least: usize,
    ownership: bool,
    of_moves: bool,
    root: bool,
    /// Only these moves, if any were named.
    allowed: Option<Vec<Vertex>>,
}

impl Wanted {
    fn read(session: &Session, words: &Arguments<'_>) -> Result<Self, Failure> {
        let mut wanted = Self {
            color: session.to_move,
            interval: Duration::from_millis(500),
            most: 30,
            least: 0,
            ownership: false,
            of_moves: false,
            root: false,
            allowed: None,
        };
        let mut i = 0;
        if let Some(named) = words.word(0).and_then(color) {
            wanted.color = named;
            i = 1;
        }
        let time = |hundredths: u64| Duration::from_millis(hundredths.saturating_mul(10).min(3_600_000));
        while let Some(key) = words.word(i) {
            if let Ok(hundredths) = key.parse() {
                wanted.interval = time(hundredths);
                i += 1;
                continue;
            }
            let value = words.word(i + 1).ok_or_else(|| Failure::new(format!("{key} needs a value")))?;
            let number = || value.parse().map_err(|_| Failure::new(format!("{key} not an integer")));
            let flag = value.eq_ignore_ascii_case("true");
            i += 2;
            match key.to_ascii_lowercase().as_str() {
                "interval" => wanted.interval = time(number()?),
                "maxmoves" => wanted.most = number()? as usize,
                "minmoves" => wanted.least = number()? as usize,
                "ownership" => wanted.ownership = flag,
                "movesownership" => wanted.of_moves = flag,
                "rootinfo" => wanted.root = flag,
                "avoid" | "allow" => {
                    let points = words.word(i).ok_or_else(|| Failure::new("missing vertices"))?;
                    wanted.restrict(session, key, value, points)?;
                    i += 2;
                }
                "pvvisits" | "pvedgevisits" | "noresultvalue" | "ownershipstdev" | "movesownershipstdev" => {}
                _ => return Err(Failure::new(format!("unknown key {key}"))),
            }
        }
        Ok(wanted)
    }

    fn restrict(&mut self, session: &Session, key: &str, of: &str, points: &str) -> Result<(), Failure> {
        if color(of) != Some(self.color) {
            return Ok(());
        }
        let board = session.board();
        let named = points
            .split(',')
            .map(|p| Vertex::from_gtp(p, board.size()))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| Failure::new("invalid coordinate"))?;
        let mut allowed = self.allowed.take().unwrap_or_else(|| {
            board.vertices().filter(|&v| board.is_legal(self.color, v)).chain([Vertex::PASS]).collect()
        });
        let keep = key.eq_ignore_ascii_case("allow");
        allowed.retain(|v| named.contains(v) == keep);
        self.allowed = Some(allowed);
        Ok(())
    }
}

/// Whether a command streams its answer, and how it spells it.
fn dialect(name: &str) -> Option<Dialect> {
    match name {
        "lz-analyze" => Some(Dialect::Leela),
        "kata-analyze" => Some(Dialect::Kata),
        _ => None,
    }
}

/// Answers a streaming command. False if it is not one, or if it fails before the first output.
///
/// # Errors
/// If writing fails.
pub(super) fn stream(
    session: &mut Session,
    request: &Request<'_>,
    lines: &mut dyn Lines,
    output: &mut impl Write,
) -> io::Result<bool> {
    let Some(dialect) = dialect(request.name) else { return Ok(false) };
    let Ok(wanted) = Wanted::read(session, &Arguments::new(&request.arguments)) else { return Ok(false) };
    if session.is_trying() {
        return Ok(false);
    }
    let id = request.id.map_or(String::new(), |id| id.to_string());
    writeln!(output, "={id}")?;
    output.flush()?;
    if wanted.allowed.is_none() && session.is_searched_by_judge(wanted.color) {
        go_on(session, &wanted, dialect, lines, output)?;
    } else {
        again_and_again(session, &wanted, dialect, lines, output)?;
    }
    writeln!(output)?;
    output.flush()?;
    Ok(true)
}

/// Step 1. The tree is kept from line to line.
fn go_on(
    session: &mut Session,
    wanted: &Wanted,
    dialect: Dialect,
    lines: &mut dyn Lines,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut next = Instant::now() + wanted.interval;
    let (mut visits, mut is_first) = (0, true);
    loop {
        let playouts = if is_first { FIRST_LOOKS } else { MOST_LOOKS };
        let request = moves::Request { playouts, ..session.request() };
        let mut stop = || !is_first && (lines.is_waiting() || Instant::now() >= next);
        let review = session.review_until(wanted.color, &request, &mut stop);
        let figures = PositionFigures::of(&review, session.komi);
        // What was cut off is told only if nothing else has been.
        if is_first || !lines.is_waiting() {
            writeln!(output, "{}", line(session, &figures, wanted, dialect))?;
            output.flush()?;
        }
        // A search that has no more to find waits for its line.
        while figures.visits == visits && !lines.is_waiting() && Instant::now() < next {
            lines.wait(Duration::from_millis(20));
        }
        if lines.is_waiting() {
            return Ok(());
        }
        visits = figures.visits;
        if std::mem::take(&mut is_first) {
            continue;
        }
        next = (next + wanted.interval).max(Instant::now() + wanted.interval / 2);
    }
}

/// Step 2.
fn again_and_again(
    session: &mut Session,
    wanted: &Wanted,
    dialect: Dialect,
    lines: &mut dyn Lines,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut playouts = FIRST;
    let mut told = Instant::now();
    loop {
        let waiting = &mut || lines.is_waiting();
        let figures = weigh(session, wanted, playouts, waiting);
        let is_last = playouts >= MOST;
        // What was cut off is told only if nothing else has been.
        if playouts == FIRST || !lines.is_waiting() {
            writeln!(output, "{}", line(session, &figures, wanted, dialect))?;
            output.flush()?;
        }
        while !lines.is_waiting() && (is_last || told.elapsed() < wanted.interval) {
            lines.wait(Duration::from_millis(20));
        }
        if lines.is_waiting() {
            return Ok(());
        }
        told = Instant::now();
        playouts *= 2;
    }
}

fn weigh(
    session: &mut Session,
    wanted: &Wanted,
    playouts: u32,
    stop: &mut dyn FnMut() -> bool,
) -> PositionFigures {
    let request = moves::Request { playouts, allowed: wanted.allowed.as_deref(), ..session.request() };
    // The first search is always made in full: a controller that asks gets an answer.
    let mut never = || false;
    let stop: &mut dyn FnMut() -> bool = if playouts == FIRST { &mut never } else { stop };
    PositionFigures::of(&session.review_until(wanted.color, &request, stop), session.komi)
}

/// One analysis as an ordinary answer, for controllers that send a script.
fn once(session: &mut Session, words: &Arguments<'_>, dialect: Dialect) -> Answer {
    let wanted = Wanted::read(session, words)?;
    if session.is_trying() {
        return Err(Failure::new("analysis cannot be asked for when stackp > 0"));
    }
    let figures = weigh(session, &wanted, FIRST, &mut || false);
    Ok(line(session, &figures, &wanted, dialect))
}

fn genmove(session: &mut Session, words: &Arguments<'_>, dialect: Dialect) -> Answer {
    let wanted = Wanted::read(session, words)?;
    if session.is_trying() {
        return Err(Failure::new("genmove cannot be called when stackp > 0"));
    }
    let review = session.review(wanted.color);
    let (v, resigns) = (review.choice.vertex(), review.choice == moves::Choice::Resign);
    let figures = PositionFigures::of(session.last_review().expect("it was just made"), session.komi);
    let told = line(session, &figures, &wanted, dialect);
    if resigns && session.may_resign {
        return Ok(format!("\n{told}\nplay resign"));
    }
    session.play(wanted.color, v)?;
    Ok(format!("\n{told}\nplay {}", v.to_gtp(session.board().size())))
}

/// All `info` blocks on one line, then the requested data of the root.
fn line(session: &Session, figures: &PositionFigures, wanted: &Wanted, dialect: Dialect) -> String {
    let size = session.board().size();
    let mut out = String::new();
    let shown = figures.moves.iter().take(wanted.most.max(wanted.least).max(1));
    for (order, m) in shown.enumerate() {
        if order > 0 {
            out.push(' ');
        }
        block(&mut out, m, order, size, dialect);
        if dialect == Dialect::Kata && wanted.of_moves && !m.ownership.is_empty() {
            out.push_str(" movesOwnership");
            for owner in &m.ownership {
                let _ = write!(out, " {owner:.4}");
            }
        }
    }
    if dialect == Dialect::Kata && wanted.root {
        let _ = write!(
            out,
            " rootInfo visits {} winrate {:.6} scoreLead {:.3} scoreMean {:.3} utility {:.6}",
            figures.visits,
            figures.winrate,
            figures.lead,
            figures.lead,
            2.0f32.mul_add(figures.winrate, -1.0)
        );
    }
    if dialect == Dialect::Kata && wanted.ownership && !figures.ownership.is_empty() {
        out.push_str(" ownership");
        for owner in &figures.ownership {
            let _ = write!(out, " {owner:.4}");
        }
    }
    out
}

fn block(out: &mut String, m: &MoveFigures, order: usize, size: usize, dialect: Dialect) {
    let name = m.vertex.to_gtp(size);
    let line = m.line.iter().map(|v| v.to_gtp(size)).collect::<Vec<_>>().join(" ");
    let share = |x: f32| (x.clamp(0.0, 1.0) * 10000.0).round() as u32;
    let _ = match dialect {
        Dialect::Leela => write!(
            out,
            "info move {name} visits {} winrate {} prior {} lcb {} order {order} pv {line}",
            m.visits,
            share(m.winrate),
            share(m.prior),
            share(m.winrate)
        ),
        Dialect::Kata => write!(
            out,
            "info move {name} visits {visits} edgeVisits {visits} utility {utility:.6} winrate {rate:.6} scoreMean {lead:.3} \
             scoreStdev 0.0 scoreLead {lead:.3} scoreSelfplay {lead:.3} prior {:.6} lcb {rate:.6} utilityLcb \
             {utility:.6} weight {visits} order {order} pv {line}",
            m.prior,
            visits = m.visits,
            rate = m.winrate,
            lead = m.lead,
            utility = m.utility,
        ),
    };
}

/// The rules as an object of KataGo's.
fn get_rules(session: &mut Session, _: &Arguments<'_>) -> Answer {
    Ok(rules(session.scoring).to_string())
}

/// The rules object of a way to count.
#[must_use]
pub fn rules(scoring: Scoring) -> serde_json::Value {
    let (name, tax) = match scoring {
        Scoring::Territory => ("TERRITORY", "SEKI"),
        Scoring::Area => ("AREA", "NONE"),
    };
    json!({
        "ko": "SIMPLE", "scoring": name, "tax": tax, "suicide": false, "hasButton": false,
        "whiteHandicapBonus": "0", "friendlyPassOk": true,
    })
}

/// The way to count of a rules' name or object.
#[must_use]
pub fn scoring_of(text: &str) -> Option<Scoring> {
    if let Ok(object) = serde_json::from_str::<serde_json::Value>(text)
        && let Some(name) = object.get("scoring").and_then(serde_json::Value::as_str)
    {
        return match name.to_ascii_uppercase().as_str() {
            "AREA" => Some(Scoring::Area),
            "TERRITORY" => Some(Scoring::Territory),
            _ => None,
        };
    }
    let name = text.trim().trim_matches('"').to_ascii_lowercase().replace(['_', ' '], "-");
    match name.as_str() {
        "japanese" | "korean" => Some(Scoring::Territory),
        "chinese" | "chinese-ogs" | "chineseogs" | "chinese-kgs" | "chinesekgs" | "tromp-taylor"
        | "tromptaylor" | "stone-scoring" | "stonescoring" | "ancient-territory" | "ancient-area" | "aga"
        | "bga" | "french" | "aga-button" | "agabutton" | "new-zealand" | "newzealand" | "nz" | "goe"
        | "ing" => Some(Scoring::Area),
        _ => None,
    }
}

fn set_rules(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let text = words.from(0).join(" ");
    session.scoring = scoring_of(&text).ok_or_else(|| Failure::new("unknown rules"))?;
    session.forget();
    Ok(String::new())
}
