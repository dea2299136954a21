//! Candidate moves: their reasons, their values, and the choice among them.
//!
//! # Source
//! GNU Go manual, "Move generation": generators give *reasons* and never values; a separate step gives values.
//!
//! # Steps
//! 1. `generators` name moves and why ([`reason::Reason`]).
//! 2. `valuation` gives each candidate its value in points.
//! 3. The search ([`crate::playout`]) weighs the candidates on the whole board; what it finds is one more reason.
//! 4. The choice: the best value, or a pass when nothing is left to gain.
//!
//! # Departures
//! Step 3 is not in the manual. Its weight is explicit ([`SEARCH_POINTS`]); with no playouts the pipeline alone decides.

mod facts;
mod generators;
mod opening;
mod plugin;
mod reason;
mod safety;
mod shape;
mod valuation;

#[cfg(test)]
mod tests;

pub use facts::Facts;
pub use plugin::{MoveList, MovesPlugin, evaluate};
pub use reason::{Candidate, Reason};
pub use valuation::Tools;

use crate::board::{Board, Color, Vertex};
use crate::playout::{self, Findings, Limits, PlayoutBoard, Policy, Prior, Root};
use crate::score::Scoring;

/// What a review is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// White's points for moving second.
    pub komi: f32,
    /// How the game is counted.
    pub scoring: Scoring,
    /// The seed of the search.
    pub seed: u64,
    /// Playouts of the search; 0: the pipeline alone.
    pub playouts: u32,
    /// Only these moves (a pass too, if it is among them); `None`: all.
    pub allowed: Option<&'a [Vertex]>,
    /// Don't pass while dead enemy stones stand.
    pub cleanup: bool,
}

/// Playouts that a playing level asks for on a board of this size. Level 10 is the default.
#[must_use]
pub const fn playouts_of_level(level: i32, size: usize) -> u32 {
    let base = match size {
        ..=9 => 3600,
        10..=13 => 2600,
        _ => 2400,
    };
    match level {
        ..=0 => 0,
        1..=9 => base * level as u32 / 10,
        10..=100 => base * (level as u32 - 9),
        _ => base * 100,
    }
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Play here.
    Play(Vertex),
    /// Nothing is left to gain.
    Pass,
    /// The game is lost.
    Resign,
}

impl Choice {
    /// The move; a resignation is a pass for whoever doesn't know better.
    #[must_use]
    pub const fn vertex(self) -> Vertex {
        match self {
            Self::Play(v) => v,
            Self::Pass | Self::Resign => Vertex::PASS,
        }
    }
}

/// All that was thought about the moves of one colour in a position.
#[derive(Clone, Debug)]
pub struct Review {
    /// Size of the board.
    pub size: usize,
    /// Whose moves.
    pub color: Color,
    /// Candidates in vertex order.
    pub candidates: Vec<Candidate>,
    /// What the search found.
    pub findings: Findings,
    /// What to do.
    pub choice: Choice,
}

impl Review {
    /// Candidates of positive value, best first; ties in vertex order.
    pub fn ranked(&self) -> impl Iterator<Item = &Candidate> {
        let mut ranked: Vec<&Candidate> = self.candidates.iter().filter(|c| c.value > 0.0).collect();
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
        ranked.into_iter()
    }

    /// The candidate at a vertex.
    #[must_use]
    pub fn at(&self, v: Vertex) -> Option<&Candidate> {
        self.candidates.iter().find(|c| c.vertex == v)
    }

    /// The reasons of a move, one sentence each.
    #[must_use]
    pub fn reasons(&self, v: Vertex) -> Vec<String> {
        let name = v.to_gtp(self.size);
        self.at(v)
            .map(|c| c.reasons.iter().map(|r| format!("Move at {name} {}", r.text(self.size))).collect())
            .unwrap_or_default()
    }

    /// The choice with its reasons, as a comment of a game record.
    #[must_use]
    pub fn comment(&self) -> String {
        let mut lines = match self.choice {
            Choice::Play(v) => {
                let mut lines = vec![self.at(v).map_or(String::new(), |c| format!("value {:.2}", c.value))];
                lines.extend(self.reasons(v));
                lines
            }
            Choice::Pass => vec!["nothing is left to gain".into()],
            Choice::Resign => vec!["the game is lost".into()],
        };
        let rest: Vec<String> = self
            .ranked()
            .skip(1)
            .take(4)
            .map(|c| format!("{} {:.2}", c.vertex.to_gtp(self.size), c.value))
            .collect();
        if !rest.is_empty() {
            lines.push(format!("also {}", rest.join(", ")));
        }
        lines.join("\n")
    }
}

/// The points that the search adds to a move it gave all its visits. Large against the pipeline's differences: on the
/// open regression suites the decision gets worse the more the pipeline's territorial values weigh in it.
pub const SEARCH_POINTS: f32 = 120.0;
/// What the pipeline's value weighs in the decision after a search.
const PIPELINE_WEIGHT: f32 = 0.25;
/// The visits that a fully urgent move counts in the search from the start, and the points at which it is one.
const PRIOR_VISITS: f32 = 50.0;
const FULL_STAKE: f32 = 20.0;
/// The share of a playout's value that is won or lost; the rest is by how much.
const WIN_SHARE: f32 = 0.55;
/// A win rate of the search below which the game counts as lost.
const LOST: f32 = 0.02;

/// Decides among the moves of `color`, steps 3 and 4: `found` are the pipeline's candidates ([`MoveList`]). `stop` ends
/// the search early.
#[must_use]
pub fn decide(
    board: &Board,
    color: Color,
    found: &[Candidate],
    request: &Request<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Review {
    let allowed = |v: Vertex| request.allowed.is_none_or(|list| list.contains(&v));
    let mut candidates: Vec<Candidate> = found.iter().filter(|c| allowed(c.vertex)).cloned().collect();
    // 3.
    let findings = weigh(board, color, request, &candidates, &allowed, stop);
    add_findings(&mut candidates, &findings);
    // 4.
    let choice = choose(board, color, request, &mut candidates, &findings);
    Review { size: board.size(), color, candidates, findings, choice }
}

/// 3. Searches, with the candidates' values as priors.
fn weigh(
    board: &Board,
    color: Color,
    request: &Request<'_>,
    candidates: &[Candidate],
    allowed: &dyn Fn(Vertex) -> bool,
    stop: &mut dyn FnMut() -> bool,
) -> Findings {
    if request.playouts == 0 || board.size() > playout::board::MAX_SIZE {
        return Findings::default();
    }
    let priors: Vec<Prior> = candidates.iter().filter_map(prior).collect();
    let mut past = board.moves().rev();
    let mut back = |of: Color| past.next().filter(|m| m.0 == of).map_or(Vertex::PASS, |m| m.1);
    let (last, before) = (back(color.other()), back(color));
    let limits = Limits {
        playouts: request.playouts,
        policy: Policy::default(),
        seed: request.seed,
        win_share: WIN_SHARE,
        warm_up: 0,
    };
    let fast = PlayoutBoard::from(board);
    let root = Root { board: &fast, color, last, before, komi: request.komi };
    playout::search_moves(root, allowed, &priors, &limits, stop)
}

/// What the pipeline tells the search of a candidate: urgent moves and opening moves count as visits that went well,
/// the more the more is at stake. Territory is what the playouts see for themselves.
fn prior(candidate: &Candidate) -> Option<Prior> {
    let stake = candidate.urgent.max(candidate.minimum);
    let visits = PRIOR_VISITS * (stake / FULL_STAKE).min(1.0);
    (visits > 0.5).then_some(Prior { vertex: candidate.vertex, value: 0.9, visits })
}

/// 3. Adds what the search found as a reason, and its points.
fn add_findings(candidates: &mut Vec<Candidate>, findings: &Findings) {
    let all: u32 = findings.moves.iter().map(|m| m.visits).sum();
    if all == 0 {
        return;
    }
    // What the search never visited is no choice.
    candidates.retain(|c| findings.moves.iter().any(|m| m.vertex == c.vertex));
    for found in findings.moves.iter().filter(|m| m.visits > 0 && m.vertex != Vertex::PASS) {
        let at = match candidates.iter().position(|c| c.vertex == found.vertex) {
            Some(at) => at,
            None => {
                candidates.push(Candidate::new(found.vertex));
                candidates.len() - 1
            }
        };
        let share = found.visits as f32 / all.max(1) as f32;
        let candidate = &mut candidates[at];
        candidate.search = SEARCH_POINTS * share;
        candidate.value = PIPELINE_WEIGHT * candidate.value + candidate.search;
        candidate.reasons.push(Reason::Search { visits: found.visits, of: all, value: found.value });
    }
    candidates.sort_by_key(|c| c.vertex);
}

/// 4.
fn choose(
    board: &Board,
    color: Color,
    request: &Request<'_>,
    candidates: &mut [Candidate],
    findings: &Findings,
) -> Choice {
    if request.allowed.is_none() {
        for candidate in candidates.iter_mut() {
            if is_settled(board, color, candidate.vertex, findings, request) {
                candidate.value = 0.0;
            }
        }
    }
    // Dead stones are taken off where they would count as living ones, or on request.
    let least = if request.cleanup || request.scoring == Scoring::Area { 0.0 } else { valuation::CLEAN_UP };
    let best = candidates
        .iter()
        .filter(|c| board.is_legal(color, c.vertex) && c.value > least)
        .max_by(|a, b| a.value.total_cmp(&b.value).then(b.vertex.cmp(&a.vertex)));
    let Some(best) = best else { return Choice::Pass };
    if findings.playouts > 200 && findings.win_rate < LOST && board.moves().count() > board.size() * 4 {
        return Choice::Resign;
    }
    Choice::Play(best.vertex)
}

/// Whether nothing is to be gained at `v`: it and all around it end as one colour's in nearly every playout.
fn is_settled(board: &Board, color: Color, v: Vertex, findings: &Findings, request: &Request<'_>) -> bool {
    if findings.playouts < 100 {
        return false;
    }
    let size = board.size();
    let here = findings.owner[v.index(size)];
    let sign = here.signum();
    let mine = (color == Color::White) == (here > 0.0);
    let sure = |v: Vertex| findings.owner[v.index(size)] * sign > 0.85;
    if !sure(v) || !board.neighbors4(v).all(sure) {
        return false;
    }
    // Dead stones inside are taken off only when asked to.
    !(request.cleanup && mine && board.neighbors8(v).any(|n| board.color_at(n) == Some(color.other())))
}
