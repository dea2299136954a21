//! The key moments of a game: the moves that lost most, each with the position before and after, what was better and why.

use super::board::{Layer, sheets, stones};
use super::game::Step;
use super::{reasons, sentences};
use crate::record::findings::{Findings, Map};
use crate::scene::GameRecord;
use crate::scene::position;
use std::fmt::Write as _;
use tengen_core::Diagnostic;
use tengen_go::board::Vertex;
use tengen_go::board::sgf::{NodeId, Until};
use tengen_go::moves::Reason;
use tengen_go::reasons::{Explanation, Kind, Reasoner};
use tengen_go::{AnalyseSystems, GoEngine};
use tengen_render::{Cell, Ink, Mark, Sheet, escape, svg};

/// Key moments of a game at most.
const MOST: usize = 10;
/// Points below which nothing is called a loss.
pub(super) const LEAST: f32 = 2.0;
/// Changes between the played and the better move, or reasons of the better one, that are told.
const REASONS: usize = 4;

/// A key moment.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the move.
    pub number: usize,
    /// Points lost by it.
    pub lost: f32,
    /// What the better move would have done, in a word or two.
    pub kind: &'static str,
    heading: String,
    sentences: Vec<String>,
    better: Vec<String>,
    /// The boards before and after.
    pictures: [String; 2],
}

/// The steps that lost most, in the order of the game.
fn chosen(steps: &[Step]) -> Vec<&Step> {
    let mut worst: Vec<&Step> = steps.iter().filter(|s| s.lost() >= LEAST).collect();
    worst.sort_by(|a, b| b.lost().total_cmp(&a.lost()).then(a.number.cmp(&b.number)));
    worst.truncate(MOST);
    worst.sort_by_key(|step| step.number);
    worst
}

/// The key moments of a game.
///
/// # Errors
/// The fault of the record.
pub(super) fn of(
    engine: &mut GoEngine,
    record: &GameRecord,
    steps: &[Step],
) -> Result<Vec<Moment>, Diagnostic> {
    let line = record.tree.line(&[]);
    let mut reasoner = Reasoner::default();
    chosen(steps).into_iter().map(|step| moment(engine, &mut reasoner, record, &line, step)).collect()
}

fn moment(
    engine: &mut GoEngine,
    reasoner: &mut Reasoner,
    record: &GameRecord,
    line: &[NodeId],
    step: &Step,
) -> Result<Moment, Diagnostic> {
    let place = line.iter().position(|&id| id == step.node).unwrap_or(0);
    let at = |engine: &mut GoEngine, nodes: &[NodeId]| {
        let input = position::of_line(record, nodes, Until::End)?;
        Findings::analyse_judged(engine, &input, AnalyseSystems::MoveEvaluation)
    };
    let before = at(engine, &line[..place])?;
    let size = before.size();
    let is_turn = before.position.to_move == step.color;
    let explained = if is_turn { reasoner.explain(engine, 0, &[step.at], None, 0).ok() } else { None };
    let explained = explained.and_then(|reasons| reasons.why_not.into_iter().next());
    let (best, kind, told) = match &explained {
        Some(explained) => {
            let changes = reasons::sentences(explained, size).into_iter().skip(1).take(REASONS);
            let told = std::iter::once(reasons::gain_of_other(explained, size)).chain(changes).collect();
            (Some(explained.against), missed(explained), told)
        }
        None => {
            let best = better(&before, step);
            let (kind, told) = best.map_or(("", Vec::new()), |v| why(&before, v));
            (best, kind, told)
        }
    };
    let after = at(engine, &line[..=place])?;
    let since = if step.is_alone { "" } else { " (and the moves before it)" };
    Ok(Moment {
        number: step.number,
        lost: step.lost(),
        kind,
        heading: format!(
            "Move {}, {} {}{since}: {:.1} points lost",
            step.number,
            sentences::player(step.color),
            sentences::spot(step.at, size),
            step.lost()
        ),
        sentences: step.sentences.clone(),
        better: told,
        pictures: [svg::draw(&picture_before(&before, step.at, best)), svg::draw(&picture_after(&after))],
    })
}

/// The move valued most where another was played.
fn better(before: &Findings, step: &Step) -> Option<Vertex> {
    let best = before.ranked().first().map(|c| c.vertex)?;
    (best != step.at && before.position.to_move == step.color).then_some(best)
}

/// What the better move does, and its worth and reasons as sentences.
fn why(before: &Findings, v: Vertex) -> (&'static str, Vec<String>) {
    let (board, color) = (&before.position.board, before.position.to_move);
    let ranked = before.ranked();
    let Some(candidate) = ranked.iter().find(|c| c.vertex == v) else { return ("", Vec::new()) };
    let mut told = vec![sentences::worth(candidate, color, board.size())];
    told.extend(candidate.reasons.iter().take(REASONS).map(|r| sentences::reason(board, color, v, r)));
    let is_faint = |reason: &&Reason| matches!(reason, Reason::Likely(..) | Reason::Shape(..));
    let first = candidate.reasons.iter().find(|r| !is_faint(r)).or_else(|| candidate.reasons.first());
    (first.map_or("", kind), told)
}

/// What the played move missed, for counting: the cause of the unit that loses most.
fn missed(explained: &Explanation) -> &'static str {
    let losing = explained.changes.iter().find(|change| change.points < 0.0 && change.kind.is_some());
    let Some(change) = losing else { return "shape and endgame" };
    let is_own = change.color == Some(explained.color);
    match change.kind {
        Some(Kind::Captured | Kind::Saved | Kind::Ladder | Kind::Ko) if is_own => "saving stones",
        Some(Kind::Captured | Kind::Saved | Kind::Ladder | Kind::Ko) => "capturing stones",
        Some(Kind::Dies | Kind::Lives | Kind::Seki | Kind::MakesEye | Kind::LosesEye | Kind::Escapes)
            if is_own =>
        {
            "life of an own group"
        }
        Some(Kind::Dies | Kind::Lives | Kind::Seki | Kind::MakesEye | Kind::LosesEye | Kind::Escapes) => {
            "attacking a group"
        }
        Some(Kind::Connected | Kind::CutOff) => "connection",
        Some(Kind::BrokenInto | Kind::Enclosed) if is_own => "territory",
        Some(Kind::BrokenInto | Kind::Enclosed) => "invasion and reduction",
        None => "",
    }
}

/// The kind of a reason, for counting.
const fn kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::Attack(..) | Reason::ThreatenAttack(..) | Reason::CleanUp(..) => "capturing stones",
        Reason::Defend(..) | Reason::ThreatenDefend(..) => "saving stones",
        Reason::OwlAttack(..) | Reason::StrategicAttack(..) => "attacking a group",
        Reason::OwlDefend(..) | Reason::Eye(..) | Reason::Escape(..) => "life of an own group",
        Reason::Semeai(..) => "a capturing race",
        Reason::Connect(..) | Reason::Cut(..) => "connection",
        Reason::ExpandTerritory | Reason::ExpandMoyo | Reason::BlockOff(..) => "territory",
        Reason::BreakIn(..) | Reason::Invasion => "invasion and reduction",
        Reason::Opening(..) => "opening",
        _ => "shape and endgame",
    }
}

/// The position before: a cross where the move was played, a ring where the better move was.
fn picture_before(before: &Findings, played: Vertex, better: Option<Vertex>) -> Sheet {
    let size = before.size();
    let mut sheet = stones(&before.position.board, "Before");
    let mut put = |v: Vertex, mark: Mark, ink: Ink| {
        if v != Vertex::PASS {
            sheet.cells[v.index(size)] = Cell { mark: Some(mark), ink, ..Cell::default() };
        }
    };
    put(played, Mark::Cross, Ink::Danger);
    better.into_iter().for_each(|v| put(v, Mark::Circle, Ink::Good));
    let key = |mark: Mark, ink: Ink, meaning: &str| {
        let mut key = tengen_render::Key::new(ink, 0.0, "", meaning);
        key.sign.mark = Some(mark);
        key
    };
    sheet.legend = vec![key(Mark::Cross, Ink::Danger, "played")];
    if better.is_some() {
        sheet.legend.push(key(Mark::Circle, Ink::Good, "better"));
    }
    sheet
}

/// The position after, its groups by their fate.
fn picture_after(after: &Findings) -> Sheet {
    let map = Map::Second(after.position.to_move);
    let sheet = sheets(after, Layer::Dragons, map).into_iter().next();
    let mut sheet = sheet.unwrap_or_else(|| stones(&after.position.board, "After"));
    sheet.title = "After".into();
    // Letters would name measures that a report leaves out.
    for cell in &mut sheet.cells {
        cell.text.clear();
    }
    for key in &mut sheet.legend {
        key.sign.text.clear();
    }
    sheet
}

impl Moment {
    /// The moment as a piece of a page.
    #[must_use]
    pub fn html(&self) -> String {
        let list = |all: &[String]| all.iter().map(|s| format!("<p>{}</p>", escape(s))).collect::<String>();
        let mut out =
            format!("<section class=\"moment\" id=\"m{}\"><h3>{}</h3>", self.number, escape(&self.heading));
        out += &list(&self.sentences);
        if !self.better.is_empty() {
            let _ = write!(out, "<p class=\"better\">Better:</p>{}", list(&self.better));
        }
        for (picture, name) in self.pictures.iter().zip(["Before", "After: groups by their fate"]) {
            let _ = write!(out, "<figure>{picture}<figcaption>{name}</figcaption></figure>");
        }
        out + "</section>"
    }
}
