//! Valuation: what the reasons of a candidate are worth, in points.
//!
//! # Source
//! GNU Go manual, "Valuation of suggested moves"; seed `influence.texi`, "Influence and Territory".
//!
//! # Steps
//! 1. Is the move safe: can the stone be captured at once? Then it is worth what it captures or saves, not what its
//!    influence would be.
//! 2. Territorial value: territory after the move less territory before, both with the opponent to move; strings and
//!    dragons the move saves or kills change their status for it.
//! 3. Strategic value: what connections, cuts, attacks and defences do to the safety of the dragons concerned, as a
//!    share of their effective size.
//! 4. Follow-ups: threats are worth a part of what they threaten; those of the opponent that the move removes too.
//! 5. Shape, and the least values of opening moves, neutral points and clean-up.
//! 6. Where reading step 1 was cut off the best move is read once more, further, and valued again if it is not safe; then
//!    the next best.
//!
//! # Departures
//! The follow-up value comes from threats alone, not from a second influence map.
//!
//! # Cost
//! One influence map per safe candidate.

use super::facts::Facts;
use super::reason::{Candidate, Reason};
use super::{safety, shape};
use crate::board::{Board, Vertex};
use crate::effort::{Effort, Limits, MoveLimits};
use crate::influence::{LIVELY, Spreader, StoneStatus};
use crate::tactics::{Code, Reader};

/// So many moves are read once more at most.
const MOST_VERIFIED: usize = 8;
/// The share of a dragon's effective size that a full change of its safety is worth besides its territory.
const STRATEGIC_SHARE: f32 = 0.7;
/// The share of a threat's size that makes it worth a move's attention.
const FOLLOWUP_SHARE: f32 = 0.12;
/// Threats above this many points are not counted fully: the opponent answers.
const FOLLOWUP_MOST: f32 = 12.0;

/// What taking off dead stones is worth: less than any point.
pub(super) const CLEAN_UP: f32 = 0.05;

/// What a safe place is worth to a colour that has nothing yet.
const FOOTHOLD: f32 = 0.5;

/// What valuation works with, kept from board to board.
pub struct Tools {
    spreader: Spreader,
    reader: Reader,
    limits: MoveLimits,
}

impl Default for Tools {
    fn default() -> Self {
        let effort = Effort::default();
        Self { spreader: Spreader::default(), reader: Reader::new(effort.strings), limits: effort.moves }
    }
}

impl Tools {
    /// Reads so far from now on.
    pub(super) fn read_under(&mut self, effort: &Effort) {
        self.limits = effort.moves;
        self.reader.read_under(Limits { nodes: effort.moves.best_nodes, ..effort.strings });
    }

    /// Questions that the node limit cut off since they were made.
    pub(super) const fn cut_off(&self) -> u64 {
        self.reader.cut_off()
    }
}

/// Gives every candidate its value.
pub(super) fn value(facts: &Facts<'_>, tools: &mut Tools, candidates: &mut [Candidate]) {
    tools.spreader.expect_alike();
    let before = facts.territory(facts.board, facts.status, &mut tools.spreader);
    let mut board = facts.board.without_history();
    let mut doubtful = vec![false; candidates.len()];
    for (candidate, doubtful) in candidates.iter_mut().zip(&mut doubtful) {
        (candidate.safe, *doubtful) = is_safe(facts, tools, &mut board, candidate.vertex, tools.limits.nodes);
        worth(facts, tools, &mut board, &before, candidate);
    }
    // 6.
    for _ in 0..MOST_VERIFIED {
        let best =
            (0..candidates.len()).rev().max_by(|&a, &b| candidates[a].value.total_cmp(&candidates[b].value));
        let Some(best) = best.filter(|&best| std::mem::take(&mut doubtful[best])) else { break };
        let candidate = &mut candidates[best];
        if !is_safe(facts, tools, &mut board, candidate.vertex, tools.limits.best_nodes).0 {
            let reasons = std::mem::take(&mut candidate.reasons);
            *candidate = Candidate { reasons, ..Candidate::new(candidate.vertex) };
            worth(facts, tools, &mut board, &before, candidate);
        }
    }
}

/// Step 1: whether the stone of a move can't be captured, and whether the node limit left that open.
fn is_safe(facts: &Facts<'_>, tools: &mut Tools, board: &mut Board, v: Vertex, nodes: u64) -> (bool, bool) {
    if board.play(facts.color, v).is_err() {
        return (false, false);
    }
    let found = match board.liberties(v) {
        0 | 1 => (false, false),
        2 | 3 => {
            let attack = tools.reader.within(nodes, |reader| reader.attack(board, v));
            (attack.code == Code::Fail, attack.code == Code::Fail && attack.limit_hit)
        }
        _ => (true, false),
    };
    board.undo();
    found
}

/// Steps 2 to 5 for one candidate.
fn worth(facts: &Facts<'_>, tools: &mut Tools, board: &mut Board, before: &[f32], candidate: &mut Candidate) {
    territorial(facts, tools, board, before, candidate);
    candidate.urgent = urgent(facts, candidate);
    strategic(facts, candidate);
    followups(facts, candidate);
    shape::judge(facts, candidate);
    for reason in &candidate.reasons {
        let least = match *reason {
            Reason::Opening(_, least) if candidate.safe => least,
            // Worth a move when nothing else is.
            Reason::FillLiberty if candidate.safe => safety::of_neutral_point(facts.board, candidate.vertex),
            Reason::CleanUp(_) => CLEAN_UP,
            // Without anything that lives even a bad place is better than none.
            Reason::Invasion | Reason::ExpandTerritory | Reason::ExpandMoyo
                if candidate.safe && !facts.has_living_dragon() =>
            {
                FOOTHOLD * facts.footing(candidate.vertex)
            }
            _ => continue,
        };
        candidate.minimum = candidate.minimum.max(least);
    }
    total(candidate);
}

/// Step 2.
fn territorial(
    facts: &Facts<'_>,
    tools: &mut Tools,
    board: &mut Board,
    before: &[f32],
    candidate: &mut Candidate,
) {
    let v = candidate.vertex;
    let captured = board.captured(facts.color);
    if board.play(facts.color, v).is_err() {
        return;
    }
    let mut status = facts.status.to_vec();
    let change = changes(facts, candidate, &mut status);
    if candidate.safe {
        status[v.at()] = StoneStatus { safe: true, strength: LIVELY.strength * own_strength(facts, v) };
    }
    if candidate.safe || change {
        let after = facts.territory(board, &status, &mut tools.spreader);
        let sum: f32 = facts.board.vertices().map(|u| after[u.at()] - before[u.at()]).sum();
        let sum = if facts.color == crate::board::Color::White { sum } else { -sum };
        candidate.territorial = sum + (board.captured(facts.color) - captured) as f32;
    }
    board.undo();
}

/// How strong a new stone is as a source: as its friends next to it, or by its footing if it has none.
fn own_strength(facts: &Facts<'_>, v: Vertex) -> f32 {
    let board = facts.board;
    let mut friends = board.neighbors8(v).filter(|&n| board.color_at(n) == Some(facts.color)).peekable();
    if friends.peek().is_none() {
        return facts.footing(v);
    }
    let weakest = friends.map(|n| facts.weakness(n)).fold(0.0, f32::max);
    (1.0 - 0.5 * weakest) * facts.footing(v).max(0.5)
}

/// Sets the status of what the move kills and saves; whether there is any such thing.
fn changes(facts: &Facts<'_>, candidate: &Candidate, status: &mut [StoneStatus]) -> bool {
    let mut any = false;
    let mut set = |stones: &mut dyn Iterator<Item = Vertex>, to: StoneStatus| {
        any = true;
        for s in stones {
            status[s.at()] = to;
        }
    };
    let dead = StoneStatus::default();
    for reason in &candidate.reasons {
        match *reason {
            Reason::Attack(v, 1) => set(&mut facts.board.stones(v), dead),
            Reason::Defend(v, 1) if facts.dragon(v).is_none_or(|d| d.weakness < 0.9) => {
                set(&mut facts.board.stones(v), LIVELY);
            }
            Reason::OwlAttack(v, 1) | Reason::Semeai(v)
                if facts.board.color_at(v) == Some(facts.color.other()) =>
            {
                if let Some(dragon) = facts.dragon(v) {
                    set(&mut dragon.stones.iter().copied(), dead);
                }
            }
            Reason::OwlDefend(v, 1) | Reason::Semeai(v) => {
                if let Some(dragon) = facts.dragon(v) {
                    set(&mut dragon.stones.iter().copied(), LIVELY);
                }
            }
            _ => {}
        }
    }
    any
}

/// The most that is at stake in one of the candidate's tactical and life-and-death reasons.
fn urgent(facts: &Facts<'_>, candidate: &Candidate) -> f32 {
    let stake = |reason: &Reason| match *reason {
        Reason::Attack(v, code) | Reason::Defend(v, code) => 2.0 * facts.effective_size(v) * certainty(code),
        Reason::OwlAttack(v, code) | Reason::OwlDefend(v, code) => {
            2.0 * facts.dragon(v).map_or(0.0, |d| d.effective_size) * certainty(code)
        }
        Reason::Semeai(v) => 2.0 * facts.dragon(v).map_or(0.0, |d| d.effective_size),
        _ => 0.0,
    };
    candidate.reasons.iter().map(stake).fold(0.0, f32::max)
}

/// 3.
fn strategic(facts: &Facts<'_>, candidate: &mut Candidate) {
    let mut sum = 0.0;
    let (mut best_link, mut best_safety): (f32, f32) = (0.0, 0.0);
    for reason in &candidate.reasons {
        match *reason {
            Reason::Attack(v, code) | Reason::Defend(v, code) if code > 1 => {
                sum += 2.0 * facts.effective_size(v) * certainty(code);
            }
            // A captured cutting stone joins what it cut.
            Reason::Attack(v, _) | Reason::Defend(v, _) => {
                let cuts = facts.worms.get(v).map_or(0, |w| w.cutstone);
                sum += f32::from(cuts) * 1.5;
            }
            Reason::OwlAttack(v, code) | Reason::OwlDefend(v, code) if code > 1 => {
                let size = facts.dragon(v).map_or(0.0, |d| d.effective_size);
                sum += 2.0 * size * certainty(code);
            }
            Reason::Connect(a, b) | Reason::Cut(a, b) => best_link = best_link.max(link(facts, a, b)),
            _ => best_safety = best_safety.max(safety::worth(facts, reason) * STRATEGIC_SHARE),
        }
    }
    // A stone that is taken at once neither connects nor cuts.
    candidate.strategic = sum + if candidate.safe { best_link.max(best_safety) } else { 0.0 };
}

/// What it means for two dragons to be one or to be cut: the weaker gets the safety of the stronger, or loses it.
fn link(facts: &Facts<'_>, a: Vertex, b: Vertex) -> f32 {
    let (Some(a), Some(b)) = (facts.dragon(a), facts.dragon(b)) else { return 0.0 };
    let gain =
        |weak: f32, strong: f32, size: f32| (weak - strong).max(0.0) * size.min(20.0) * STRATEGIC_SHARE;
    gain(a.weakness, b.weakness, a.effective_size)
        + gain(b.weakness, a.weakness, b.effective_size)
        + 0.15 * a.weakness.min(b.weakness) * a.effective_size.min(b.effective_size).min(20.0)
}

/// 4.
fn followups(facts: &Facts<'_>, candidate: &mut Candidate) {
    for reason in &candidate.reasons {
        let worth = match *reason {
            Reason::ThreatenAttack(v) | Reason::ThreatenDefend(v) => 2.0 * facts.effective_size(v),
            _ => continue,
        };
        candidate.followup = candidate.followup.max(worth);
    }
}

/// 5. The value by which moves are compared.
fn total(candidate: &mut Candidate) {
    let mut value = candidate.territorial + candidate.strategic;
    if candidate.safe {
        let followup = candidate.followup.min(FOLLOWUP_MOST);
        // A threat that gains something anyway is sente; one that gains nothing is aji.
        value += FOLLOWUP_SHARE * followup + if value > 1.0 { followup.min(value) * 0.3 } else { 0.0 };
    }
    candidate.value = (value * candidate.shape).max(candidate.minimum);
}

/// A result with ko is worth a part of the sure one.
fn certainty(code: u8) -> f32 {
    match code {
        1 => 1.0,
        2 => 0.6,
        _ => 0.4,
    }
}
