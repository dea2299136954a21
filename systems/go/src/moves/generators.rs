//! The generators of moves. Each generator uses the facts of the position and names moves with reasons. None gives
//! values.

use super::facts::Facts;
use super::opening;
use super::reason::{Candidate, Reason, Reasons, Target};
use super::safety;
use super::shape::Likely;
use super::steps::{distance, line, within};
use crate::board::{Board, Color, Line, Vertex};
use crate::dragons::{Rule, Safety, Status};
use crate::territory::SETTLED;

/// The most steps from a border vertex to the stones of a colour.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `borders`.
const BORDER: usize = 3;
/// Boards up to this size have no moyos.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `borders`.
const NO_MOYO: usize = 9;
/// The lowest line of a move for a moyo.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `borders`.
const MOYO_LINE: usize = 2;
/// The lowest line of an invasion, without and with a living dragon of the invader's.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `borders`.
const INVASION_LINES: [usize; 2] = [2, 3];

/// All candidates with their reasons, in vertex order, without values.
#[must_use]
pub(super) fn generate(facts: &Facts<'_>, likely: &Likely) -> Vec<Candidate> {
    let mut reasons = Reasons::default();
    worms(facts, &mut reasons);
    dragons(facts, &mut reasons);
    links(facts, &mut reasons);
    break_ins(facts, &mut reasons);
    borders(facts, likely, &mut reasons);
    likely.generate(facts, &mut reasons);
    safety::generate(facts, &mut reasons);
    opening::generate(facts, &mut reasons);
    reasons
        .0
        .into_iter()
        // An attack may need no move of its own: a pass is legal, but no candidate.
        .filter(|(v, _)| *v != Vertex::PASS && facts.board.is_legal(facts.color, *v))
        .map(|(vertex, reasons)| Candidate { reasons, likely: likely.of(vertex), ..Candidate::new(vertex) })
        .collect()
}

/// Attack and defence of strings that are critical, and threats.
fn worms(facts: &Facts<'_>, reasons: &mut Reasons) {
    for worm in &facts.tactics.worms {
        let string = Target::new(worm.origin, facts.board.string_size(worm.origin));
        let own = facts.board.color_at(worm.origin) == Some(facts.color);
        match (own, worm.is_critical()) {
            (true, true) => {
                for &(v, code) in
                    worm.defense_points.iter().filter(|&&(v, _)| lives_by(facts, worm.origin, v))
                {
                    let string = Target { answer: worm.attack_point, ..string.clone() };
                    reasons.add(v, Reason::Defend(string, code.gtp()));
                }
            }
            (true, false) => {
                for &(v, _) in &worm.defense_threats {
                    reasons.add(v, Reason::ThreatenDefend(string.clone()));
                }
            }
            (false, true) => {
                for &(v, code) in &worm.attack_points {
                    let line = if worm.line.first() == Some(&v) { worm.line.clone() } else { Vec::new() };
                    let string = Target { line, ..string.clone() };
                    reasons.add(v, Reason::Attack(string, code.gtp()));
                }
            }
            (false, false) => {
                for &(v, _) in &worm.attack_threats {
                    reasons.add(v, Reason::ThreatenAttack(string.clone()));
                }
            }
        }
    }
}

/// Whether a move at `v` that saves a string from capture really saves it. It does not if the string's dragon is
/// still dead, or needs another move to live.
fn lives_by(facts: &Facts<'_>, string: Vertex, v: Vertex) -> bool {
    facts.dragons.at(string).is_none_or(|dragon| match (dragon.status, dragon.rule) {
        (Status::Dead, _) => false,
        (Status::Critical, Rule::LifeAndDeath | Rule::Semeai) => {
            dragon.vital_points().is_some_and(|(_, defense)| defense == v)
        }
        _ => true,
    })
}

/// Life and death of dragons, races, and weak dragons.
fn dragons(facts: &Facts<'_>, reasons: &mut Reasons) {
    let mut at = |v: Vertex, reason: Reason| {
        if v != Vertex::PASS {
            reasons.add(v, reason);
        }
    };
    for dragon in facts.dragons.dragons.iter().filter(|d| d.safety != Safety::Inessential) {
        let own = dragon.color == facts.color;
        let target = |line: Line, answer: Line| Target {
            line: line.to_vec(),
            answer: answer.start(),
            ..Target::of(dragon)
        };
        let owl = &dragon.owl;
        if dragon.status == Status::Critical {
            // Moves that only the odds prefer are no reason: nobody read that they kill or save.
            let [attack, defense] = [owl.attack.line, owl.defense.line];
            if own {
                at(defense.start(), Reason::OwlDefend(target(defense, attack), owl.defense.code.gtp()));
            } else {
                at(attack.start(), Reason::OwlAttack(target(attack, defense), owl.attack.code.gtp()));
            }
        }
        let race = &dragon.semeai;
        if race.count > 0 && dragon.status == Status::Critical {
            let [defense, attack] = [race.defense.line, race.attack.line];
            let [line, answer] = if own { [defense, attack] } else { [attack, defense] };
            at(line.start(), Reason::Semeai(target(line, answer)));
        }
    }
}

/// Moves next to two strings of a colour that are not one dragon: connections of own strings, cuts of enemy strings.
fn links(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        for color in Color::BOTH {
            let near = near_strings(board, v, color);
            for (i, &a) in near.iter().enumerate() {
                for &b in &near[..i] {
                    if facts.dragons.same(a, b) || board.same_string(a, b) {
                        continue;
                    }
                    let (a, b) = (board.origin(a.min(b)), board.origin(a.max(b)));
                    let reason = if color == facts.color { Reason::Connect } else { Reason::Cut };
                    reasons.add(v, reason(a, b));
                }
            }
        }
    }
}

/// Break-ins into the opponent's territories, and moves that keep him out of own territories. If no block helps,
/// there is no move.
fn break_ins(facts: &Facts<'_>, reasons: &mut Reasons) {
    for found in facts.break_ins.0.iter().filter(|found| found.block_off.code.works()) {
        let (own, other) = found.by(facts.color);
        if own.point == Vertex::PASS {
            continue;
        }
        let at = facts.board.origin(found.intruder);
        let stones = facts.board.string_size(at);
        let target = Target { at, stones, line: own.line.clone(), answer: other.point };
        let is_owner = found.owner == facts.color;
        let reason = if is_owner { Reason::BlockOff } else { Reason::BreakIn }(target, found.around);
        reasons.add(own.point, reason);
    }
}

/// Stones of `color` next to `v`, orthogonally or diagonally with a free way round.
fn near_strings(board: &Board, v: Vertex, color: Color) -> Vec<Vertex> {
    let mut near: Vec<Vertex> = board.neighbors4(v).filter(|&n| board.color_at(n) == Some(color)).collect();
    if near.is_empty() {
        return near;
    }
    for d in board.diagonals(v).filter(|&d| board.color_at(d) == Some(color)) {
        let ways = board.neighbors4(v).filter(|&n| board.neighbors4(d).any(|m| m == n));
        if ways.filter(|&n| board.is_empty(n)).count() == 2 {
            near.push(d);
        }
    }
    near
}

/// Empty vertices near stones where both colours' areas meet, or where one could expand.
fn borders(facts: &Facts<'_>, likely: &Likely, reasons: &mut Reasons) {
    let board = facts.board;
    let settled = facts.has_living_dragon();
    let open = |v: Vertex| board.is_empty(v) && !likely.is_unlikely(v) && !is_settled(facts, v);
    for v in board.vertices().filter(|&v| open(v)) {
        let mut nearest = [usize::MAX; 2];
        for s in within(board, v, BORDER) {
            if let Some(color) = board.color_at(s).filter(|_| facts.status()[s.at()].safe) {
                let d = distance(board, v, s);
                nearest[color.index()] = nearest[color.index()].min(d);
            }
        }
        let (own, enemy) = (nearest[facts.color.index()], nearest[facts.color.other().index()]);
        if enemy <= BORDER && own <= BORDER {
            reasons.add(v, Reason::ExpandTerritory);
        } else if own <= BORDER && board.size() > NO_MOYO && line(board, v) >= MOYO_LINE {
            reasons.add(v, Reason::ExpandMoyo);
        } else if enemy <= BORDER && line(board, v) >= INVASION_LINES[usize::from(settled)] {
            reasons.add(v, Reason::Invasion);
        }
    }
}

/// Whether a vertex and all next to it are one player's, with either side moving first everywhere: a move there changes
/// no territory.
fn is_settled(facts: &Facts<'_>, v: Vertex) -> bool {
    let board = facts.board;
    let value = |v: Vertex| facts.second.maps.each_ref().map(|map| map.territory[v.at()]);
    let owner = if value(v)[0] > 0.0 { Color::White } else { Color::Black };
    let is_owned = |v: Vertex| match board.color_at(v) {
        Some(color) if facts.status()[v.at()].safe => color == owner,
        _ => value(v).iter().all(|&x| if owner == Color::White { x >= SETTLED } else { -x >= SETTLED }),
    };
    is_owned(v) && board.neighbors4(v).all(is_owned)
}
