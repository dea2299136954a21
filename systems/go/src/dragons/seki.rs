//! Stones that can be taken, but not without dying: seki around a shape that leaves one eye.
//!
//! # Source
//! GNU Go manual, "The Owl Code" and "The Semeai Code": a dragon that its enemy can't take without being killed lives in
//! seki.
//!
//! # Notation
//! The *prisoner* is a dragon found dead; the *captor* the dragon that alone walls it in.
//!
//! # Steps
//! 1. The prisoner's room, its stones and all it reaches over empty vertices, is bordered by one dragon of the enemy's, which
//!    reading found alive, and has two empty vertices: what the captor has to fill.
//! 2. The captor fills both, unanswered, and takes. If he can be killed then, he can't afford it, and the prisoner lives.
//!
//! # Departures
//! With more room than that the captor may make an eye beside his prisoner, so nothing is concluded.
//!
//! # Cost
//! One question of life and death, where there is such a prisoner at all.

use super::claims::Claim;
use super::decide::Evidence;
use super::life::known_of_others;
use super::map::{DragonMap, Rule, Status};
use crate::board::{Board, Vertex};
use crate::effort::LifeLimits;
use crate::owl::{LifeQuestion, LifeReader};
use crate::tactics::Code;

/// Empty vertices of a prisoner's room: one less is an atari, with one more the captor may do better than fill them.
const ROOM: usize = 2;

/// All steps: what is claimed of each dragon.
pub fn read_sekis(
    board: &Board,
    evidence: &Evidence<'_>,
    life: &mut LifeReader,
    limits: LifeLimits,
) -> Vec<Vec<Claim>> {
    let mut map = evidence.map();
    let mut claims = vec![Vec::new(); map.dragons.len()];
    if limits.nodes == 0 {
        return claims;
    }
    let prisoners: Vec<_> = (0..map.dragons.len()).filter_map(|i| Some((i, cell(board, &map, i)?))).collect();
    for (prisoner, (captor, room)) in prisoners {
        if !survives_its_capture(board, &map, captor, room, life, limits) {
            continue;
        }
        for number in [prisoner, captor] {
            claims[number].push(Claim { seki: true, ..Claim::of(Rule::Seki, Status::Alive) });
            evidence.with(number, &claims[number]).enter(&mut map.dragons[number]);
        }
    }
    claims
}

/// Step 1: the captor of a dragon, and the empty vertices of its room.
fn cell(board: &Board, map: &DragonMap, prisoner: usize) -> Option<(usize, [Vertex; ROOM])> {
    let dragon = &map.dragons[prisoner];
    if dragon.status != Status::Dead {
        return None;
    }
    let (mut seen, mut queue) = (board.marks(dragon.stones.iter().copied()), dragon.stones.clone());
    let (mut room, mut captor) = (Vec::new(), None);
    while let Some(v) = queue.pop() {
        for n in board.neighbors4(v) {
            match board.color_at(n) {
                Some(color) if color != dragon.color => {
                    if *captor.get_or_insert(map.index[n.at()]) != map.index[n.at()] {
                        return None;
                    }
                }
                _ if seen[n.at()] => {}
                Some(_) => return None,
                None => {
                    room.push(n);
                    if room.len() > ROOM {
                        return None;
                    }
                    seen[n.at()] = true;
                    queue.push(n);
                }
            }
        }
    }
    let captor = usize::from(captor?);
    let lives = map.dragons[captor].status == Status::Alive && map.dragons[captor].rule == Rule::LifeAndDeath;
    room.sort_unstable();
    Some((captor, room.try_into().ok()?)).filter(|_| lives)
}

/// Step 2.
fn survives_its_capture(
    board: &Board,
    map: &DragonMap,
    captor: usize,
    room: [Vertex; ROOM],
    life: &mut LifeReader,
    limits: LifeLimits,
) -> bool {
    let mut after = board.without_history();
    let dragon = &map.dragons[captor];
    if room.iter().any(|&v| after.play_ignoring_ko(dragon.color, v).is_err()) {
        return false;
    }
    let goal: Vec<Vertex> = dragon.stones.iter().chain(&room).copied().collect();
    let (mut alive, dead) = known_of_others(board, map);
    dragon.stones.iter().for_each(|v| alive[v.at()] = false);
    let limits = LifeLimits { trials: 0, ..limits };
    let question = LifeQuestion::new(&after, &goal, (&alive, &dead), limits);
    let question = LifeQuestion { alternatives: false, ..question };
    let attack = life.attack(&question);
    attack.certain && attack.code == Code::Win
}

#[cfg(test)]
mod tests;
