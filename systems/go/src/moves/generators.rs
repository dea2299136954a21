//! Generators: each looks at what is known of the position and names moves with reasons. None gives values.

use super::facts::Facts;
use super::opening;
use super::reason::{Candidate, Reason};
use super::safety;
use crate::board::{Board, Color, Vertex};
use crate::dragons::{Safety, Status};
use std::collections::BTreeMap;

/// Moves with their reasons, by vertex.
#[derive(Debug, Default)]
pub(super) struct Reasons(BTreeMap<Vertex, Vec<Reason>>);

impl Reasons {
    /// Adds a reason for a move, once.
    pub(super) fn add(&mut self, v: Vertex, reason: Reason) {
        let list = self.0.entry(v).or_default();
        if !list.contains(&reason) {
            list.push(reason);
        }
    }
}

/// All candidates with their reasons, in vertex order, without values.
#[must_use]
pub(super) fn generate(facts: &Facts<'_>) -> Vec<Candidate> {
    let mut reasons = Reasons::default();
    worms(facts, &mut reasons);
    dragons(facts, &mut reasons);
    links(facts, &mut reasons);
    borders(facts, &mut reasons);
    safety::generate(facts, &mut reasons);
    opening::generate(facts, &mut reasons);
    reasons
        .0
        .into_iter()
        // An attack may need no move of its own: a pass is legal, but no candidate.
        .filter(|(v, _)| *v != Vertex::PASS && facts.board.is_legal(facts.color, *v))
        .map(|(vertex, reasons)| Candidate { reasons, ..Candidate::new(vertex) })
        .collect()
}

/// Attack and defence of strings that are critical, and threats.
fn worms(facts: &Facts<'_>, reasons: &mut Reasons) {
    for worm in &facts.tactics.worms {
        let origin = worm.origin;
        if facts.board.color_at(origin) == Some(facts.color) {
            if worm.is_critical() {
                for &(v, code) in &worm.defense_points {
                    reasons.add(v, Reason::Defend(origin, code.gtp()));
                }
            } else {
                for &(v, _) in &worm.defense_threats {
                    reasons.add(v, Reason::ThreatenDefend(origin));
                }
            }
        } else if worm.is_critical() {
            for &(v, code) in &worm.attack_points {
                reasons.add(v, Reason::Attack(origin, code.gtp()));
            }
        } else {
            for &(v, _) in &worm.attack_threats {
                reasons.add(v, Reason::ThreatenAttack(origin));
            }
        }
    }
}

/// Life and death of dragons, races, and weak dragons.
fn dragons(facts: &Facts<'_>, reasons: &mut Reasons) {
    let mut at = |v: Vertex, reason: Reason| {
        if v != Vertex::PASS {
            reasons.add(v, reason);
        }
    };
    for dragon in &facts.dragons.dragons {
        if dragon.safety == Safety::Inessential {
            continue;
        }
        let own = dragon.color == facts.color;
        if dragon.owl.status == Status::Critical || dragon.status == Status::Critical {
            let origin = dragon.origin;
            if own {
                at(dragon.owl.defense_point, Reason::OwlDefend(origin, dragon.owl.defense_code.gtp()));
            } else {
                at(dragon.owl.attack_point, Reason::OwlAttack(origin, dragon.owl.attack_code.gtp()));
            }
        }
        if dragon.semeai.count > 0 && dragon.status == Status::Critical {
            let point = if own { dragon.semeai.defense_point } else { dragon.semeai.attack_point };
            at(point, Reason::Semeai(dragon.origin));
        }
    }
}

/// Moves next to two strings of a colour that are not one dragon: connections of ours, cuts of theirs.
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
                    if color == facts.color {
                        reasons.add(v, Reason::Connect(a, b));
                    } else {
                        reasons.add(v, Reason::Cut(a, b));
                    }
                }
            }
        }
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
fn borders(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    let settled = facts.has_living_dragon();
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        let mut nearest = [usize::MAX; 2];
        for s in within(board, v, 3) {
            if let Some(color) = board.color_at(s).filter(|_| facts.status[s.at()].safe) {
                let d = distance(board, v, s);
                nearest[color.index()] = nearest[color.index()].min(d);
            }
        }
        let (own, enemy) = (nearest[facts.color.index()], nearest[facts.color.other().index()]);
        if enemy <= 3 && own <= 3 {
            reasons.add(v, Reason::ExpandTerritory);
        } else if own <= 3 && board.size() > 9 && line(board, v) >= 2 {
            reasons.add(v, Reason::ExpandMoyo);
        } else if enemy <= 3 && line(board, v) >= if settled { 3 } else { 2 } {
            reasons.add(v, Reason::Invasion);
        }
    }
}

/// The line of a vertex, from 1 at the edge.
pub(super) fn line(board: &Board, v: Vertex) -> usize {
    let n = board.size();
    let (r, c) = (v.row(n), v.col(n));
    r.min(c).min(n - 1 - r).min(n - 1 - c) + 1
}

/// Steps along lines from one vertex to another.
pub(super) fn distance(board: &Board, a: Vertex, b: Vertex) -> usize {
    let n = board.size();
    a.row(n).abs_diff(b.row(n)) + a.col(n).abs_diff(b.col(n))
}

/// The vertices at most `reach` steps from `v`, in vertex order, without `v`.
pub(super) fn within(board: &Board, v: Vertex, reach: usize) -> impl Iterator<Item = Vertex> + '_ {
    let n = board.size();
    let (row, col) = (v.row(n), v.col(n));
    let rows = row.saturating_sub(reach)..=(row + reach).min(n - 1);
    rows.flat_map(move |r| {
        let rest = reach - r.abs_diff(row);
        (col.saturating_sub(rest)..=(col + rest).min(n - 1)).map(move |c| Vertex::new(r, c, n))
    })
    .filter(move |&u| u != v)
}
