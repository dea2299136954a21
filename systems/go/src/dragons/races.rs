//! Finds the capturing races between dragons, and their results.
//!
//! # Source
//! GNU Go 3.8 manual, "Dragons". Two adjacent dragons of opposite colour, both dead or critical by life-and-death
//! reading, are in a race. Its result revises their status.
//!
//! # Steps
//! 1. The pairs are neighbours of different colour that touch each other or have a common liberty. Both are in doubt,
//!    and life and death did not read both to the end. Pairs from single questions are added.
//! 2. Each pair is read with either dragon moving first, unless a single question has read it.
//! 3. A dragon that survives moving second lives. One that survives only by moving first is critical.
//!    [`super::claims`] compares the result with life and death.
//!
//! # Cost
//! Pairs are rare. Each pair takes at most six questions of `nodes` positions.

use super::claims::Claim;
use super::life::known_of_others;
use super::map::{DragonMap, Play, Rule, Safety, Status};
use super::queries::QueryAnswers;
use crate::board::{Board, Vertex, in_order};
use crate::semeai::{RaceReader, RaceResult};

/// All steps: what races claim of each dragon.
pub fn read_races(
    board: &Board,
    map: &DragonMap,
    asked: &QueryAnswers,
    races: &mut RaceReader,
    nodes: u32,
) -> Vec<Vec<Claim>> {
    let mut claims = vec![Vec::new(); map.dragons.len()];
    let (alive, dead) = known_of_others(board, map);
    let number = |stones: &Vec<Vertex>| map.dragons.iter().position(|dragon| dragon.stones == *stones);
    let answered = asked.pairs().filter_map(|[a, b]| Some((number(a)?, number(b)?)));
    let mut all: Vec<_> = answered.map(|(a, b)| (a.min(b), a.max(b))).collect();
    if nodes > 0 {
        all.extend(pairs(board, map));
    }
    for (a, b) in in_order(all) {
        let stones = |i: usize| &map.dragons[i].stones[..];
        let known = asked.race(stones(a), stones(b));
        let [first, second] = known.unwrap_or_else(|| {
            [(a, b), (b, a)].map(|(x, y)| races.analyse(board, stones(x), stones(y), (&alive, &dead), nodes))
        });
        claims[a].push(claim(&first, &second, known.is_some()));
        claims[b].push(claim(&second, &first, known.is_some()));
    }
    claims
}

/// Step 1, in the order of the dragons.
fn pairs(board: &Board, map: &DragonMap) -> Vec<(usize, usize)> {
    let in_doubt = |i: usize| {
        let dragon = &map.dragons[i];
        matches!(dragon.status, Status::Dead | Status::Critical) && dragon.safety != Safety::TacticallyDead
    };
    // What life and death read to its end no race revises.
    let settled = |i: usize| map.dragons[i].owl.is_sure();
    let mut pairs = Vec::new();
    for a in (0..map.dragons.len()).filter(|&i| in_doubt(i)) {
        for &b in &map.dragons[a].neighbors {
            let b = usize::from(b);
            let hostile = map.dragons[b].color != map.dragons[a].color;
            if b > a && hostile && in_doubt(b) && !(settled(a) && settled(b)) && touch(board, map, a, b) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// Whether two dragons stand next to each other or have a common liberty.
fn touch(board: &Board, map: &DragonMap, a: usize, b: usize) -> bool {
    let is_b = |v: Vertex| usize::from(map.index[v.at()]) == b;
    map.dragons[a]
        .stones
        .iter()
        .any(|&v| board.neighbors4(v).any(|n| is_b(n) || board.is_empty(n) && board.neighbors4(n).any(is_b)))
}

/// Step 3: `own` is the race with this dragon moving first, `other` with its rival moving first. A race that was not
/// read to its end, or that is lost, gives no claim. So a lost race alone never makes a dragon worse. An asked race
/// claims its loss.
fn claim(own: &RaceResult, other: &RaceResult, asked: bool) -> Claim {
    let nothing = Claim { asked, ..Claim::of(Rule::Semeai, Status::Unknown) };
    if asked && own.certain && !own.defense.works() {
        return Claim { status: Status::Dead, ..nothing };
    }
    if !own.certain || !other.certain || !own.defense.works() {
        return nothing;
    }
    if !other.attack.works() {
        return Claim { seki: !own.attack.works(), status: Status::Alive, ..nothing };
    }
    if own.line.is_empty() {
        return nothing;
    }
    Claim {
        attack: Play { code: other.attack, line: other.line, certain: other.certain, proved: false },
        defense: Play { code: own.defense, line: own.line, certain: own.certain, proved: false },
        status: Status::Critical,
        ..nothing
    }
}

#[cfg(test)]
mod tests;
