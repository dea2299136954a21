//! Chooses the move from the pipeline's values and the search's opinion, and names which of the two decided.
//!
//! # Steps
//! 1. The search ([`crate::playout`]) visits the candidates, beginning with the urgent ones.
//! 2. Each candidate has a *merit*: its share of the visits times [`SEARCH_POINTS`], plus a part of its value.
//!    Without a search the merit is the value.
//! 3. Moves at vertices that the playouts call settled, and moves without gain, are left out. The engine plays the move
//!    with the best merit, passes or resigns.
//! 4. Both decided if each alone would choose this move. If only one of them would choose it, that one decided.
//!    Otherwise the sum of both decided.

use super::reason::{Candidate, Opinion};
use super::{Request, valuation};
use crate::board::{Board, Color, Vertex};
use crate::judge::search::{Question, search};
use crate::names::named;
use crate::playout::{self, Findings, LADDERS, Limits, PlayoutBoard, Policy, Prior, Root};
use crate::score::Scoring;

/// A move, a pass or a resignation.
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
    /// The move; a resignation counts as a pass for callers without resignation.
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
    /// The results of the search.
    pub findings: Findings,
    /// The chosen action.
    pub choice: Choice,
    /// The part that decided, and the reasons.
    pub decision: Decision,
}

named! {
    /// The part of the engine that decided.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Decider {
        /// There was no search, or its favourite is another move.
        Pipeline = "pipeline",
        /// The pipeline's favourite is another move.
        Search = "search",
        /// Both have the same favourite.
        Both = "both",
        /// Neither's favourite, but the best of both together.
        Sum = "sum",
        /// Nothing is worth a move.
        Nobody = "nobody",
    }
}

/// The decision and its candidates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The part that decided.
    pub by: Decider,
    /// The move that is worth most, and its points.
    pub most_valued: Option<(Vertex, f32)>,
    /// The move the search visited most.
    pub most_visited: Option<(Vertex, Opinion)>,
}

impl Decision {
    /// In one sentence.
    #[must_use]
    pub fn text(&self, size: usize) -> String {
        let valued = self.most_valued.map_or("it sees no move".to_owned(), |(v, points)| {
            format!("its best is {} with {points:.2} points", v.to_gtp(size))
        });
        let visited = self.most_visited.map_or("it made no playouts".to_owned(), |(v, o)| {
            format!(
                "its best is {} with {} of {} visits, {:.1} % won, {:+.1} points",
                v.to_gtp(size),
                o.visits,
                o.of,
                100.0 * o.win_rate,
                o.lead
            )
        });
        let both = format!("of the pipeline {valued}, of the search {visited}");
        match self.by {
            Decider::Pipeline => format!("the pipeline decided: {both}"),
            Decider::Search => format!("the search decided: {both}"),
            Decider::Both => format!("pipeline and search agree: {both}"),
            Decider::Sum => format!("the sum of both decided: {both}"),
            Decider::Nobody => format!("nothing is left to gain: {both}"),
        }
    }
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
                let value = |c: &Candidate| format!("value {:.2} ({})", c.value, c.terms_text());
                let head = [self.at(v).map_or(String::new(), value), self.decision.text(self.size)];
                head.into_iter().chain(self.reasons(v)).collect()
            }
            Choice::Pass => vec!["nothing is left to gain".into()],
            Choice::Resign => vec!["the game is lost".into()],
        };
        let rest: Vec<String> = self
            .ranked()
            .skip(1)
            .take(MOST_NAMED)
            .map(|c| format!("{} {:.2}", c.vertex.to_gtp(self.size), c.value))
            .collect();
        if !rest.is_empty() {
            lines.push(format!("also {}", rest.join(", ")));
        }
        lines.join("\n")
    }
}

/// The merit of a move that the search gave all its visits. It is large against the pipeline's differences, so the
/// search decides wherever it is sure.
///
/// Origin: measured, commit 94854b8: with less weight of the search the choice was worse on a sample of the suites.
pub const SEARCH_POINTS: f32 = 120.0;
/// The weight of the value in the merit after a search.
///
/// Origin: measured, commit 94854b8: with less weight of the search the choice was worse on a sample of the suites.
const PIPELINE_WEIGHT: f32 = 0.25;
/// The visits that a fully urgent move counts in the search from the start.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `priors`.
const PRIOR_VISITS: f32 = 50.0;
/// The points at which a move is fully urgent.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `priors`.
const FULL_STAKE: f32 = 20.0;
/// The value of the visits that an urgent move counts from the start.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `priors`.
const PRIOR_VALUE: f32 = 0.9;
/// The share of a playout's value that is won or lost; the rest is by how much.
///
/// Origin: own choice, unmeasured.
const WIN_SHARE: f32 = 0.55;
/// Points that a move must gain over a pass to be played where the judge's search would pass. Half a point is the
/// least under area rules; the other half is for the judge's error.
///
/// Origin: own choice, unmeasured.
const LEAST_GAIN: f32 = 1.0;
/// A win rate of the search below which the game counts as lost.
///
/// Origin: own choice, unmeasured.
const LOST: f32 = 0.02;
/// The fewest playouts after which a game may be given up.
///
/// Origin: own choice, unmeasured.
const LEAST_TO_RESIGN: u32 = 201;
/// The moves for each line of the board before which no game is given up.
///
/// Origin: own choice, unmeasured.
const MOVES_TO_RESIGN: usize = 4;
/// The fewest playouts that tell whose a vertex is in the end.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `settled`.
const LEAST_TO_SETTLE: u32 = 100;
/// The mean owner of a vertex, from -1 to 1, beyond which it counts as settled.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `settled`.
const SETTLED: f32 = 0.85;
/// The most other candidates that a comment names.
///
/// Origin: definition, a limit of the text that no choice depends on.
const MOST_NAMED: usize = 4;

/// Decides among the moves of `color`, `found` being the pipeline's candidates ([`MoveList`](super::MoveList)). `stop` ends
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
    let findings = weigh(board, color, request, &candidates, &allowed, stop);
    add_findings(&mut candidates, &findings);
    let (choice, decision) = choose(board, color, request, &candidates, &findings);
    Review { size: board.size(), color, candidates, findings, choice, decision }
}

/// Step 1, with urgent moves as priors.
fn weigh(
    board: &Board,
    color: Color,
    request: &Request<'_>,
    candidates: &[Candidate],
    allowed: &dyn Fn(Vertex) -> bool,
    stop: &mut dyn FnMut() -> bool,
) -> Findings {
    if request.playouts == 0 {
        return Findings::default();
    }
    if let Some(found) = by_judge(board, color, request, stop) {
        return found;
    }
    if board.size() > playout::board::MAX_SIZE {
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
        ladders: LADDERS,
    };
    let fast = PlayoutBoard::from(board);
    let root = Root { board: &fast, color, last, before, komi: request.komi, owner: None };
    playout::search_on_threads(root, allowed, &priors, &limits, request.threads, stop)
}

/// The search by the judge, if it is one that searches ask and judges the position.
fn by_judge(
    board: &Board,
    color: Color,
    request: &Request<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Findings> {
    let judge = request.judge.as_ref()?;
    let looks = judge.0.looks(request.playouts);
    if looks == 0 {
        return None;
    }
    let Request { komi, allowed, threads, .. } = *request;
    let (before, kept) = ([Vertex::PASS; 5], request.kept.as_ref());
    let question = Question { board, color, komi, looks, allowed, before, threads, kept };
    search(judge, &question, stop)
}

/// The prior of a candidate for the search. Urgent moves and opening moves count as successful visits, more visits
/// for larger stakes. Playouts see territory by themselves.
fn prior(candidate: &Candidate) -> Option<Prior> {
    let stake = candidate.urgent.max(candidate.minimum);
    let visits = PRIOR_VISITS * (stake / FULL_STAKE).min(1.0);
    (visits > 0.5).then_some(Prior { vertex: candidate.vertex, value: PRIOR_VALUE, visits })
}

/// Adds the results of the search to the candidates, and the search's own candidates.
fn add_findings(candidates: &mut Vec<Candidate>, findings: &Findings) {
    let all: u32 = findings.moves.iter().map(|m| m.visits).sum();
    if all == 0 {
        return;
    }
    for found in findings.moves.iter().filter(|m| m.visits > 0 && m.vertex != Vertex::PASS) {
        let at = candidates.iter().position(|c| c.vertex == found.vertex).unwrap_or_else(|| {
            candidates.push(Candidate::new(found.vertex));
            candidates.len() - 1
        });
        candidates[at].search = Some(Opinion {
            visits: found.visits,
            of: all,
            value: found.value,
            win_rate: found.win_rate,
            lead: found.lead,
        });
    }
    candidates.sort_by_key(|c| c.vertex);
}

/// Steps 2 to 4.
fn choose(
    board: &Board,
    color: Color,
    request: &Request<'_>,
    candidates: &[Candidate],
    findings: &Findings,
) -> (Choice, Decision) {
    let searched = candidates.iter().any(|c| c.search.is_some());
    let is_judged = searched && request.judge.as_ref().is_some_and(|judge| judge.0.is_searched());
    let merit = |c: &Candidate| match &c.search {
        Some(opinion) if is_judged => SEARCH_POINTS * opinion.share(),
        Some(opinion) => PIPELINE_WEIGHT * c.value + SEARCH_POINTS * opinion.share(),
        // What the search never visited is no choice.
        None if searched => 0.0,
        None => c.value,
    };
    // Dead stones are taken off where they would count as living ones, or on request.
    let least = if request.cleanup || request.scoring == Scoring::Area { 0.0 } else { valuation::CLEAN_UP };
    let settled = |v: Vertex| {
        let is_asked = request.allowed.is_none() && !is_judged;
        is_asked && is_settled(board, color, v, findings, request)
    };
    let playable: Vec<&Candidate> = candidates
        .iter()
        .filter(|c| board.is_legal(color, c.vertex) && merit(c) > least && !settled(c.vertex))
        .collect();
    let best_by = |worth: &dyn Fn(&Candidate) -> f32| {
        let best = playable.iter().max_by(|a, b| worth(a).total_cmp(&worth(b)).then(b.vertex.cmp(&a.vertex)));
        best.map(|c| c.vertex)
    };
    let visits = |c: &Candidate| c.search.map_or(0.0, |o| o.visits as f32);
    let most_valued = best_by(&|c| c.value);
    let most_visited = best_by(&visits).filter(|_| searched);
    let best = best_by(&merit);
    let at = |v: Option<Vertex>| candidates.iter().find(|c| Some(c.vertex) == v);
    let by = match best {
        None => Decider::Nobody,
        best if best == most_valued && best == most_visited => Decider::Both,
        best if best == most_valued => Decider::Pipeline,
        best if best == most_visited => Decider::Search,
        _ => Decider::Sum,
    };
    let decision = Decision {
        by,
        most_valued: at(most_valued).map(|c| (c.vertex, c.value)),
        most_visited: at(most_visited).and_then(|c| Some((c.vertex, c.search?))),
    };
    let enough = if is_judged { 1 } else { LEAST_TO_RESIGN };
    let lost = request.may_resign
        && findings.playouts >= enough
        && findings.win_rate < LOST
        && board.moves().count() > board.size() * MOVES_TO_RESIGN;
    let choice = match best {
        None => Choice::Pass,
        Some(_) if is_judged && passing_is_best(findings, request) => Choice::Pass,
        Some(_) if lost => Choice::Resign,
        Some(best) => Choice::Play(best),
    };
    (choice, decision)
}

/// Whether the judge's search passes most, and no move it visited gains [`LEAST_GAIN`] over that.
fn passing_is_best(findings: &Findings, request: &Request<'_>) -> bool {
    let Some(most) = findings.moves.first().filter(|m| m.vertex == Vertex::PASS && !request.cleanup) else {
        return false;
    };
    findings
        .moves
        .iter()
        .all(|m| m.vertex == Vertex::PASS || m.visits == 0 || m.lead < most.lead + LEAST_GAIN)
}

/// Whether nothing is to be gained at `v`: it and all around it end as one colour's in nearly every playout.
fn is_settled(board: &Board, color: Color, v: Vertex, findings: &Findings, request: &Request<'_>) -> bool {
    if findings.playouts < LEAST_TO_SETTLE {
        return false;
    }
    let size = board.size();
    let here = findings.owner[v.index(size)];
    let sign = here.signum();
    let mine = (color == Color::White) == (here > 0.0);
    let sure = |v: Vertex| findings.owner[v.index(size)] * sign > SETTLED;
    if !sure(v) || !board.neighbors4(v).all(sure) {
        return false;
    }
    // Dead stones inside are taken off only when asked to.
    !(request.cleanup && mine && board.neighbors8(v).any(|n| board.color_at(n) == Some(color.other())))
}
