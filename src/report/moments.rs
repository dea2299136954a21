//! The key moments of a game: the moves that lost the most points. Each comes with the positions before and after it,
//! the better move, and the reasons.
//!
//! # Steps
//! 1. Candidates are the moves with the largest losses (`mistakes`), and the moves that decided groups of at least
//!    `DECIDED` stones.
//! 2. Each candidate is compared with the best move (`Reasoner`). It stays if it lost at least `LEAST` points, and if
//!    the best move is better by at least as much.
//! 3. If several candidates within a few moves have the same best move, only the worst stays. The report shows the
//!    `MOST` worst candidates.

use super::board::stones;
use super::fates::Lost;
use super::mistakes::{self, Judged, LEAST};
use super::step::{ReportProgress, Step};
use super::{reasons, sentences};
use crate::record::findings::Findings;
use crate::scene::GameRecord;
use crate::scene::position;
use std::fmt::Write as _;
use tengen_core::Diagnostic;
use tengen_go::board::sgf::{NodeId, Until};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::reasons::{Explanation, Kind, Reasoner};
use tengen_go::{AnalyseSystems, GoEngine};
use tengen_render::{Cell, Ink, Mark, Sheet, escape, svg};

/// Key moments of a game at most.
const MOST: usize = 10;
/// The most moves that are compared with the best one, in addition to those that decided groups.
const CANDIDATES: usize = 20;
/// Stones of a group from which on the move that decided it is a candidate.
const DECIDED: usize = 5;
/// Moves within which two moments with one best move are one.
const NEAR: usize = 60;
/// The number of causes shown for a moment.
const CAUSES: usize = 2;

/// A key moment.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the move.
    pub number: usize,
    /// The points that it lost: see [`mistakes`].
    pub loss: f32,
    /// The effect of the better move, in a word or two.
    pub kind: &'static str,
    heading: String,
    /// Played, better, and the causes.
    told: Vec<String>,
    better: Vertex,
    color: Color,
    /// The boards before and after.
    pictures: [Sheet; 2],
}

/// Step 1, in the order of the game.
fn candidates<'a>(steps: &'a [Step], lost: &[Lost]) -> Vec<&'a Step> {
    let loss = |s: &Step| s.loss.unwrap_or(0.0);
    let mut worst: Vec<&Step> = steps.iter().filter(|s| loss(s) >= LEAST && s.at != Vertex::PASS).collect();
    worst.sort_by(|a, b| loss(b).total_cmp(&loss(a)).then(a.number.cmp(&b.number)));
    worst.truncate(CANDIDATES);
    for group in lost.iter().filter(|group| group.stones.len() >= DECIDED) {
        // The owner's last move before the group was lost.
        let before = |s: &&Step| s.number <= group.number && s.color == group.color && s.at != Vertex::PASS;
        let own = steps.iter().filter(before).max_by_key(|s| s.number);
        // A move whose loss is not known stays: the position before it is looked at in step 2.
        let own = own.filter(|own| own.loss.is_none_or(|loss| loss >= LEAST));
        worst.extend(own.filter(|own| worst.iter().all(|s| s.number != own.number)));
    }
    worst.sort_by_key(|step| step.number);
    worst
}

/// The key moments of a game, in its order. `told` hears of each candidate.
///
/// # Errors
/// The fault of the record.
pub(super) fn of(
    engine: &mut GoEngine,
    record: &GameRecord,
    steps: &[Step],
    lost: &[Lost],
    on_progress: &mut dyn FnMut(ReportProgress),
) -> Result<Vec<Moment>, Diagnostic> {
    let line = record.tree.line(&[]);
    let mut reasoner = Reasoner::default();
    let mut found: Vec<Moment> = Vec::new();
    let candidates = candidates(steps, lost);
    on_progress(ReportProgress::More(candidates.len()));
    for step in candidates {
        found.extend(moment(engine, &mut reasoner, record, &line, step)?);
        on_progress(ReportProgress::Done);
    }
    found.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.number.cmp(&b.number)));
    let mut kept: Vec<Moment> = Vec::new();
    for moment in found {
        let same =
            |other: &Moment| other.better == moment.better && other.number.abs_diff(moment.number) <= NEAR;
        if kept.len() < MOST && !kept.iter().any(same) {
            kept.push(moment);
        }
    }
    kept.sort_by_key(|moment| moment.number);
    Ok(kept)
}

/// Step 2; `None` if the move lost too little, no better one is known, or there is no judge to say.
fn moment(
    engine: &mut GoEngine,
    reasoner: &mut Reasoner,
    record: &GameRecord,
    line: &[NodeId],
    step: &Step,
) -> Result<Option<Moment>, Diagnostic> {
    let place = line.iter().position(|&id| id == step.node).unwrap_or(0);
    let at = |engine: &mut GoEngine, nodes: &[NodeId]| {
        let input = position::of_line(record, nodes, Until::End)?;
        Findings::analyse_judged(engine, &input, AnalyseSystems::MoveEvaluation)
    };
    let before = at(engine, &line[..place])?;
    if before.position.to_move != step.color {
        return Ok(None);
    }
    let loss = step.loss.or_else(|| mistakes::loss(&Judged::of(&before)?, &step.judged()));
    let Some(loss) = loss.filter(|&loss| loss >= LEAST) else { return Ok(None) };
    let explained = reasoner.explain(engine, 0, &[step.at], None, 0).ok();
    let Some(explained) = explained.and_then(|reasons| reasons.why_not.into_iter().next()) else {
        return Ok(None);
    };
    let better = explained.against;
    if -explained.value < LEAST || better == Vertex::PASS {
        return Ok(None);
    }
    let board = &before.position.board;
    let (size, who) = (board.size(), sentences::player(step.color));
    let played = sentences::spot(step.at, size);
    let causes = explained
        .changes
        .iter()
        .filter_map(|change| Some((reasons::what_better_does(change, &explained, board)?, change)));
    let causes: Vec<_> = causes.take(CAUSES).collect();
    let mut told = vec![format!("Better: {}.", better.to_gtp(size))];
    told.extend(causes.iter().map(|(sentence, _)| sentence.clone()));
    let mut after = board.without_history();
    // The game went on so: the move is legal.
    let _ = after.play_ignoring_ko(step.color, step.at);
    let named: Vec<Vertex> = causes.iter().flat_map(|(_, change)| change.stones.iter().copied()).collect();
    let pictures = [picture_before(board, step, better), picture_after(&after, step, &named)];
    Ok(Some(Moment {
        number: step.number,
        loss,
        kind: missed(&explained),
        heading: format!("Move {}: {who} {played} loses {loss:.1} points", step.number),
        told,
        better,
        color: step.color,
        pictures,
    }))
}

/// The chance that the played move missed, for counting: the cause of the unit that loses most.
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
        Some(Kind::Connected | Kind::CutOff | Kind::CutThreatened) => "connection",
        Some(Kind::BrokenInto | Kind::Enclosed | Kind::Gains | Kind::Loses) if is_own => "territory",
        Some(Kind::BrokenInto | Kind::Enclosed | Kind::Gains | Kind::Loses) => "invasion and reduction",
        None => "",
    }
}

/// The position before: a cross where the move was played, a ring where the better move was.
fn picture_before(board: &Board, step: &Step, better: Vertex) -> Sheet {
    let size = board.size();
    let mut sheet =
        stones(board, &format!("Before move {}, {} to play", step.number, sentences::player(step.color)));
    for (v, mark, ink) in [(step.at, Mark::Cross, Ink::Danger), (better, Mark::Circle, Ink::Good)] {
        sheet.cells[v.index(size)] = Cell { mark: Some(mark), ink, ..Cell::default() };
    }
    sheet
}

/// The position after, with squares on the stones that the sentences name.
fn picture_after(board: &Board, step: &Step, named: &[Vertex]) -> Sheet {
    let size = board.size();
    let mut sheet = stones(board, &format!("After move {}", step.number));
    for v in named.iter().filter(|v| board.color_at(**v).is_some()) {
        sheet.cells[v.index(size)] = Cell { mark: Some(Mark::Square), ink: Ink::Danger, ..Cell::default() };
    }
    sheet.last = Some(step.at.index(size));
    sheet
}

/// The meaning of the marks on the boards.
pub(super) const LEGEND: &str = "On the boards: a cross is the move that was played, a ring the better one; squares are the \
     stones that the sentences name.";

impl Moment {
    /// Whose move it was.
    #[must_use]
    pub const fn color(&self) -> Color {
        self.color
    }

    /// The moment as a piece of a page that holds the shared ground of its boards.
    #[must_use]
    pub fn html(&self) -> String {
        let told: String = self.told.iter().map(|s| format!("<p>{}</p>", escape(s))).collect();
        let mut out = format!(
            "<details class=\"moment part\" id=\"m{}\" open><summary><h3>{}</h3></summary><div class=\"shown\"><div>{told}</div>",
            self.number,
            escape(&self.heading)
        );
        for (picture, side) in self.pictures.iter().zip(["b", "a"]) {
            let _ = write!(
                out,
                "<figure>{}<figcaption>{}</figcaption></figure>",
                svg::light(picture, &format!("m{}{side}", self.number)),
                escape(&picture.title)
            );
        }
        out + "</div></details>"
    }
}
