//! Valuation: the value of a candidate's reasons, in points.
//!
//! # Source
//! GNU Go 3.8 manual, "Valuation of suggested moves"; chapter "Influence", section "Influence and Territory".
//!
//! # Steps
//! 1. Decide whether the move is safe. It is not safe if the stone can be captured at once, or is hopeless in the
//!    opponent's territory. Then its captures and rescues count, but not its influence.
//! 2. Subtract the territory before the move from the territory after it, both with patterns and with the opponent to
//!    move. Strings and dragons that the move saves or kills change their status for it.
//! 3. Strategic value ([`strategy`]).
//! 4. The follow-up is the larger of the values that influence and threats give.
//! 5. The reverse follow-up is the same for the opponent's move at the same vertex. It is computed only for the most
//!    valuable moves.
//! 6. Apply shape, least and greatest values, and add up the terms ([`terms`](super::terms)).
//! 7. If the reading of step 1 was cut off, the best move is read once more, further. If it is not safe, it is valued
//!    again, and the next best move follows.
//!
//! # Cost
//! One influence map for each safe candidate, or two if it has a follow-up. Each candidate of step 5 takes two more.

use super::facts::Facts;
use super::reason::{Candidate, Reason};
use super::room::Rooms;
use super::shape::Likely;
use super::terms::{Cause, Term};
use super::{safety, shape, strategy};
use crate::board::{Board, Color, Vertex};
use crate::connection::BreakIn;
use crate::effort::{Effort, Limits, MoveLimits};
use crate::influence::after_moves::{AfterMoves, MoveTrial, Outcome};
use crate::influence::{LIVELY, StoneStatus};
use crate::memory::{self, QuestionKind, ReadingMemory};
use crate::spread::Spreader;
use crate::tactics::{Code, Reader};

/// The most moves that are read once more.
///
/// Origin: ablation, commit 367ee17: without it the best move of 5 of 60 recorded positions is another.
const MOST_VERIFIED: usize = 8;
/// The number of moves whose reverse follow-up is computed; its position is prepared as for all moves.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `follow-ups`.
const MOST_REVERSED: usize = 4;
/// A move that gains less than this needs no follow-up: it would add no more than that.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `follow-ups`.
const LEAST_GAIN: f32 = 0.5;

/// The value of a threat that gains nothing, for each of its points. By the manual it only tips the scales.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `follow-ups`.
const THREAT_SHARE: f32 = 0.01;
/// The greatest value of such threats.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `follow-ups`.
const MOST_SECONDARY: f32 = 0.1;

/// The value of taking off dead stones: less than any point.
///
/// Origin: definition, a rank below every move that gains something.
pub(super) const CLEAN_UP: f32 = 0.05;

/// The most liberties of a new stone that is read for safety; with more it is safe.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `doubtful`.
const MOST_DOUBTFUL: usize = 3;

/// The value of a safe place to a colour that has nothing yet.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `footing`.
const FOOTHOLD: f32 = 0.5;

/// The buffers of valuation, kept from board to board.
pub struct Tools {
    spreader: Spreader,
    reader: Reader,
    limits: MoveLimits,
    /// For the conditions of patterns after our moves, and after the opponent's.
    constraints: [Reader; 2],
    memory: ReadingMemory,
}

impl Default for Tools {
    fn default() -> Self {
        let (limits, constraints) = (Effort::default().moves, Default::default());
        let memory = ReadingMemory::with_bytes(0);
        Self { spreader: Spreader::default(), reader: Reader::default(), limits, constraints, memory }
    }
}

impl Tools {
    /// Reads so far from now on.
    pub(super) fn read_under(&mut self, effort: &Effort, memory: &ReadingMemory) {
        self.memory = memory.clone();
        self.limits = effort.moves;
        self.reader.read_under(Limits { nodes: effort.moves.best_nodes, ..effort.strings });
        for reader in &mut self.constraints {
            reader.read_under(effort.constraints);
        }
    }

    /// Questions that the node limit cut off since they were made.
    pub(super) fn cut_off(&self) -> u64 {
        self.reader.cut_off() + self.constraints.iter().map(Reader::cut_off).sum::<u64>()
    }
}

/// Gives every candidate its value.
pub(super) fn value(facts: &Facts<'_>, likely: &Likely, tools: &mut Tools, candidates: &mut [Candidate]) {
    let Tools { spreader, reader, limits, constraints: [ours, theirs], memory } = tools;
    let trials = facts.trials(facts.color, (ours, memory), spreader);
    let limits = *limits;
    let board = facts.board.without_history();
    let memory = &*memory;
    let rooms = Rooms::new(facts);
    let mut valuer = Valuer { facts, likely, rooms, trials, spreader, reader, memory, limits, board };
    let mut doubtful = vec![false; candidates.len()];
    for (candidate, doubtful) in candidates.iter_mut().zip(&mut doubtful) {
        if !facts.is_hopeless(candidate.vertex) {
            (candidate.safe, *doubtful) = valuer.is_safe(facts.color, candidate.vertex, limits.nodes);
        }
        valuer.worth(candidate);
    }
    valuer.reverse_followups(theirs, candidates);
    // 7.
    for _ in 0..MOST_VERIFIED {
        let best =
            (0..candidates.len()).rev().max_by(|&a, &b| candidates[a].value.total_cmp(&candidates[b].value));
        let Some(best) = best.filter(|&best| std::mem::take(&mut doubtful[best])) else { break };
        let candidate = &mut candidates[best];
        if !valuer.is_safe(facts.color, candidate.vertex, limits.best_nodes).0 {
            let mut reasons = std::mem::take(&mut candidate.reasons);
            reasons.retain(|reason| !matches!(reason, Reason::Strengthens(..) | Reason::Weakens(..)));
            *candidate = Candidate { reasons, likely: candidate.likely, ..Candidate::new(candidate.vertex) };
            valuer.worth(candidate);
        }
    }
}

/// The safety of a move.
#[derive(Clone, Copy)]
struct Safe {
    /// Whether its stone can't be captured.
    stays: bool,
    /// Whether the node limit left that open.
    is_open: bool,
    /// Readings that the node limit cut off.
    cut_off: u64,
}

/// The data for the valuation of one position.
struct Valuer<'v, 'f> {
    facts: &'v Facts<'f>,
    likely: &'v Likely,
    rooms: Rooms,
    trials: AfterMoves<'v>,
    spreader: &'v mut Spreader,
    reader: &'v mut Reader,
    memory: &'v ReadingMemory,
    limits: MoveLimits,
    board: Board,
}

impl Valuer<'_, '_> {
    /// Step 1: whether the stone of a move can't be captured, and whether the node limit left that open.
    fn is_safe(&mut self, color: Color, v: Vertex, nodes: u64) -> (bool, bool) {
        let Self { board, reader, memory, .. } = self;
        let parts = (color, v, nodes, reader.limits());
        let asked = memory::MemoryKey::new(QuestionKind::Safety, parts, board, &[]);
        let kept: Option<Safe> = memory.recall(&asked);
        if let Some(safe) = kept {
            reader.count_cut_off(safe.cut_off);
            return (safe.stays, safe.is_open);
        }
        let before = reader.cut_off();
        let (mut watched, watch) = board.watched();
        let found = watched.tried(color, v, |board| match board.liberties(v) {
            0 | 1 => (false, false),
            2..=MOST_DOUBTFUL => {
                let attack = reader.within(nodes, |reader| reader.attack(board, v));
                (attack.code == Code::Fail, attack.code == Code::Fail && attack.limit_hit)
            }
            _ => (true, false),
        });
        let (stays, is_open) = found.unwrap_or_default();
        let safe = Safe { stays, is_open, cut_off: reader.cut_off() - before };
        memory.keep(&asked, &watch, &safe, size_of::<Safe>());
        (stays, is_open)
    }

    /// Steps 2 to 4 and 6 for one candidate.
    fn worth(&mut self, candidate: &mut Candidate) {
        let facts = self.facts;
        candidate.urgent = strategy::urgent(facts, candidate);
        self.territorial(candidate);
        strategy::judge(facts, candidate);
        if candidate.terms.own_gain() >= LEAST_GAIN {
            candidate.drop_reasons(|reason| matches!(reason, Reason::FillLiberty));
        }
        threats(facts, candidate);
        shape::judge(facts, self.likely, candidate);
        limits(facts, candidate);
        candidate.total();
    }

    /// Step 2, and the follow-up that influence sees.
    fn territorial(&mut self, candidate: &mut Candidate) {
        let (saved, killed) = strategy::changes(self.facts, candidate);
        if !candidate.safe && saved.is_empty() && killed.is_empty() {
            return;
        }
        let at = candidate.vertex;
        let stone = if candidate.safe { LIVELY } else { StoneStatus::default() };
        let trial = MoveTrial { at, stone, saved: &saved, killed: &killed };
        let strategic: f32 = strategy::causes(self.facts, candidate).iter().map(|cause| cause.points).sum();
        let wanted = |delta: f32| delta + strategic >= LEAST_GAIN;
        let Some(outcome) = self.trials.outcome(&trial, wanted, self.spreader) else { return };
        candidate.terms.add(Term::Territory, outcome.delta);
        let cause = |term, points, at| Cause { term, points, reason: None, at };
        self.broken_into(candidate, &outcome);
        if candidate.safe {
            self.rooms.add_reasons(self.facts, candidate, &outcome.points);
        }
        let changed = outcome.points.into_iter().map(|(v, _)| v).collect();
        candidate.causes.push(cause(Term::Territory, outcome.delta, changed));
        if outcome.followup > 0.0 {
            candidate.followup_value = outcome.followup;
            candidate.causes.push(cause(Term::Followup, outcome.followup, outcome.followup_points));
        }
    }

    /// Step 2, for facts that only reading sees: the vertices that a break-in takes from the opponent, or that a
    /// block keeps. Vertices that influence after the move already gives away do not count.
    fn broken_into(&self, candidate: &mut Candidate, outcome: &Outcome) {
        let facts = self.facts;
        let number = |reason: &Reason| matches!(reason, Reason::BreakIn(..) | Reason::BlockOff(..));
        let Some(number) = candidate.reasons.iter().position(number).filter(|_| candidate.safe) else {
            return;
        };
        let decided = |found: &&BreakIn| {
            found.block_off.code.works() && found.by(facts.color).0.point == candidate.vertex
        };
        let (mut at, mut points) = (Vec::new(), 0.0);
        for found in facts.break_ins.0.iter().filter(decided) {
            let own = found.owner == facts.color;
            for &v in &found.lost {
                let change = outcome.points.iter().find(|(u, _)| *u == v).map_or(0.0, |(_, change)| *change);
                let mine = self.trials.before(v) + change;
                let left = if own { mine } else { -mine };
                if left > 0.0 && !at.contains(&v) {
                    points += left;
                    at.push(v);
                }
            }
        }
        candidate.terms.add(Term::Territory, points);
        candidate.causes.push(Cause { term: Term::Territory, points, reason: Some(number), at });
    }

    /// Step 5.
    fn reverse_followups(&mut self, reader: &mut Reader, candidates: &mut [Candidate]) {
        let mut best: Vec<usize> =
            (0..candidates.len()).filter(|&i| candidates[i].terms.own_gain() >= LEAST_GAIN).collect();
        best.sort_by(|&a, &b| candidates[b].value.total_cmp(&candidates[a].value).then(a.cmp(&b)));
        best.truncate(MOST_REVERSED);
        if best.is_empty() {
            return;
        }
        let facts = self.facts;
        let opponent = facts.color.other();
        let mut spreader = Spreader::new();
        let mut trials = facts.trials(opponent, (reader, self.memory), &mut spreader);
        for i in best {
            let candidate = &mut candidates[i];
            let at = candidate.vertex;
            let (safe, _) = self.is_safe(opponent, at, self.limits.nodes);
            let trial = MoveTrial { at, stone: LIVELY, saved: &[], killed: &[] };
            let outcome = safe.then(|| trials.outcome(&trial, |_| true, &mut spreader)).flatten();
            let outcome = outcome.unwrap_or_default();
            let threat = if safe { strategy::opponents_threat(facts, at) } else { 0.0 };
            candidate.reverse_value = outcome.followup.max(threat);
            if candidate.reverse_value > 0.0 {
                candidate.causes.push(Cause {
                    term: Term::ReverseFollowup,
                    points: candidate.reverse_value,
                    reason: None,
                    at: if outcome.followup >= threat { outcome.followup_points } else { Vec::new() },
                });
                candidate.total();
            }
        }
    }
}

/// Step 4: threats, as follow-up, and as what tips the scales where nothing is gained.
fn threats(facts: &Facts<'_>, candidate: &mut Candidate) {
    let mut sum = 0.0;
    for (number, points) in strategy::threats(facts, candidate) {
        sum += points;
        candidate.followup_value = candidate.followup_value.max(points);
        candidate.causes.push(Cause { term: Term::Followup, points, reason: Some(number), at: Vec::new() });
    }
    if candidate.safe {
        candidate.terms.add(Term::Secondary, (THREAT_SHARE * sum).min(MOST_SECONDARY));
    }
}

/// Step 6: least and most values.
fn limits(facts: &Facts<'_>, candidate: &mut Candidate) {
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
}
