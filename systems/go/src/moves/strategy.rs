//! The effects of a move on strings and dragons: which of them it saves or kills, and the value of the change of their
//! safety.
//!
//! # Source
//! GNU Go 3.8 manual, "Strategical value": a share of the value of the dragons concerned, by how much safer or weaker
//! they get.
//!
//! # Steps
//! 1. Find the strings and dragons that the move saves or kills, for the territory after the move.
//! 2. Count stones that depend on a ko as a share of their effective size, twice: as stones and as points.
//! 3. Value connections and cuts: the weaker of two dragons gets the safety of the stronger one, or loses it. Only the
//!    best of these counts, or the best change of a dragon's safety by room and eyes. They mostly concern the same
//!    stones.
//! 4. Find the strings that a stone cuts or joins, if the move captures or saves the stone.

use super::facts::Facts;
use super::reason::{Candidate, Reason};
use super::safety::{self, MOST_SIZE};
use super::terms::{Cause, Term};
use crate::board::{Color, Vertex};
use crate::dragons::Status;

/// The share of a dragon's effective size that a full change of its safety is worth besides its territory.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `safety`.
const STRATEGIC_SHARE: f32 = 0.7;
/// The value of a cutting string besides its own territory, by its cutting number.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `cutting`.
const CUTTING_STONE: f32 = 1.5;
/// The share of the smaller of two weak dragons that joining or cutting them is worth.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `safety`.
const BOTH_WEAK_SHARE: f32 = 0.15;
/// The worth of a result with ko, of the sure one's: the opponent needs the first threat, the mover does.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `ko`.
const KO_SHARES: [f32; 2] = [0.6, 0.4];

/// Step 1: one stone of each string that the candidate saves, and of each that it kills.
pub(super) fn changes(facts: &Facts<'_>, candidate: &Candidate) -> (Vec<Vertex>, Vec<Vertex>) {
    let (mut saved, mut killed) = (Vec::new(), Vec::new());
    let dragon = |v: Vertex| facts.dragons.at(v).map_or(&[][..], |d| &d.strings);
    let is_enemy = |v: Vertex| facts.board.color_at(v) == Some(facts.color.other());
    for reason in &candidate.reasons {
        match reason {
            Reason::Attack(t, 1) => killed.push(t.at),
            Reason::Defend(t, 1) => saved.push(t.at),
            Reason::OwlAttack(t, 1) => killed.extend(dragon(t.at)),
            Reason::Semeai(t) if is_enemy(t.at) => killed.extend(dragon(t.at)),
            Reason::OwlDefend(t, 1) | Reason::Semeai(t) => saved.extend(dragon(t.at)),
            _ => {}
        }
    }
    (saved, killed)
}

/// The most that is at stake in one of the candidate's tactical and life-and-death reasons.
pub(super) fn urgent(facts: &Facts<'_>, candidate: &Candidate) -> f32 {
    candidate.reasons.iter().map(|reason| stake(facts, reason)).fold(0.0, f32::max)
}

/// The stakes of a reason of tactics or of life and death.
fn stake(facts: &Facts<'_>, reason: &Reason) -> f32 {
    let dragon = |v: Vertex| 2.0 * facts.dragons.at(v).map_or(0.0, |d| d.effective_size);
    match reason {
        Reason::Attack(t, code) | Reason::Defend(t, code) => {
            2.0 * facts.effective_size(t.at) * certainty(*code)
        }
        Reason::OwlAttack(t, code) | Reason::OwlDefend(t, code) => dragon(t.at) * certainty(*code),
        Reason::Semeai(t) => dragon(t.at),
        _ => 0.0,
    }
}

/// Steps 2 to 4.
pub(super) fn judge(facts: &Facts<'_>, candidate: &mut Candidate) {
    let causes = causes(facts, candidate);
    candidate.terms.add(Term::Strategic, causes.iter().map(|c| c.points).sum());
    candidate.causes.extend(causes);
}

/// The strategic value of a candidate by its reasons so far, part by part.
pub(super) fn causes(facts: &Facts<'_>, candidate: &Candidate) -> Vec<Cause> {
    let mut causes = Vec::new();
    let mut best: Option<Cause> = None;
    for (number, reason) in candidate.reasons.iter().enumerate() {
        let cause = |points| Cause { term: Term::Strategic, points, reason: Some(number), at: Vec::new() };
        let points = match reason {
            Reason::Attack(_, code)
            | Reason::Defend(_, code)
            | Reason::OwlAttack(_, code)
            | Reason::OwlDefend(_, code)
                if *code > 1 =>
            {
                stake(facts, reason) // 2.
            }
            Reason::Attack(t, _) if facts.dragons.at(t.at).is_some_and(|d| d.status == Status::Dead) => 0.0,
            Reason::Attack(t, _) | Reason::Defend(t, _) => {
                f32::from(facts.worms.get(t.at).map_or(0, |w| w.cutstone)) * CUTTING_STONE // 4.
            }
            Reason::Connect(a, b) | Reason::Cut(a, b) => {
                best = better(best, cause(link(facts, *a, *b)));
                continue;
            }
            _ => {
                best = better(best, cause(safety::worth(facts, reason) * STRATEGIC_SHARE));
                continue;
            }
        };
        causes.push(cause(points));
    }
    // A stone that is taken at once neither connects nor cuts.
    causes.extend(best.filter(|_| candidate.safe));
    causes.retain(|cause| cause.points > 0.0);
    causes
}

fn better(best: Option<Cause>, other: Cause) -> Option<Cause> {
    best.filter(|b| b.points >= other.points).or(Some(other))
}

/// Step 3: the effect of joining or cutting two dragons.
fn link(facts: &Facts<'_>, a: Vertex, b: Vertex) -> f32 {
    let (Some(a), Some(b)) = (facts.dragons.at(a), facts.dragons.at(b)) else { return 0.0 };
    let gain =
        |weak: f32, strong: f32, size: f32| (weak - strong).max(0.0) * size.min(MOST_SIZE) * STRATEGIC_SHARE;
    gain(a.weakness, b.weakness, a.effective_size)
        + gain(b.weakness, a.weakness, b.effective_size)
        + BOTH_WEAK_SHARE * a.weakness.min(b.weakness) * a.effective_size.min(b.effective_size).min(MOST_SIZE)
}

/// A result with ko is worth a part of the sure one.
const fn certainty(code: u8) -> f32 {
    match code {
        1 => 1.0,
        2 => KO_SHARES[0],
        _ => KO_SHARES[1],
    }
}

/// The threats of `color` at `v` to capture or save a string: the reason's number (for the candidate's own), the
/// string, and its worth.
pub(super) fn threats(facts: &Facts<'_>, candidate: &Candidate) -> Vec<(usize, f32)> {
    let worth = |reason: &Reason| match reason {
        Reason::ThreatenAttack(t) | Reason::ThreatenDefend(t) => Some(2.0 * facts.effective_size(t.at)),
        _ => None,
    };
    candidate.reasons.iter().enumerate().filter_map(|(i, r)| Some((i, worth(r)?))).collect()
}

/// The most that the opponent would threaten to take or to save by a stone at `v`.
pub(super) fn opponents_threat(facts: &Facts<'_>, v: Vertex) -> f32 {
    let of = |color: Color| {
        facts.tactics.worms.iter().filter(move |w| facts.board.color_at(w.origin) == Some(color))
    };
    let here = |points: &[(Vertex, crate::tactics::Code)]| points.iter().any(|&(at, _)| at == v);
    let attacked = of(facts.color).filter(|w| !w.is_critical() && here(&w.attack_threats));
    let saved = of(facts.color.other()).filter(|w| !w.is_critical() && here(&w.defense_threats));
    attacked.chain(saved).map(|w| 2.0 * facts.effective_size(w.origin)).fold(0.0, f32::max)
}
