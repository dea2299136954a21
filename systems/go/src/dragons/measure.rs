//! Measures a dragon without reading its life: eyes, neighbours, sizes, moyo, lunch, and certain claims.
//!
//! # Source
//! GNU Go 2.7 manual (2001), "Worms and Dragons", section Dragons; GNU Go 3.8 manual, "Dragons" (`genus`, `heye`,
//! `lunch`, `neighbors`, `moyo_size`, `crude_status`).
//!
//! # Steps
//! 1. The values of the eye spaces add up to the genus. A space whose eye depends on the side to move is a half eye. A
//!    space counts only if all the strings around it are of one dragon (section "Eye spaces").
//! 2. Neighbours are dragons whose stones are at most two empty vertices apart.
//! 3. The effective size, the lunch, and the moyo around the dragon with the opponent to move.
//! 4. The claims that need no more reading: unconditional life, and a single string that can be captured. The crude
//!    status, by eyes.
//!
//! # Cost
//! Linear in the board.

use super::claims::Claim;
use super::map::{DragonMap, EyeMap, Play, Rule, Status};
use super::partition::Partition;
use super::tactics::ReadTactics;
use crate::board::{Board, Color, Line, in_order};
use crate::eyes::Tactics;
use crate::influence::FirstInfluence;
use crate::tactics::Answer;
use crate::territory::Segments;
use crate::unconditional::UnconditionalMap;
use crate::worms::WormMap;

/// All steps: the dragons, their statuses still unknown, and the claims about each.
#[must_use]
pub fn measure(
    board: &Board,
    worms: &WormMap,
    eyes: &EyeMap,
    partition: &Partition,
    first: &FirstInfluence,
    tactics: &ReadTactics<'_>,
) -> (DragonMap, Vec<Vec<Claim>>) {
    let mut map = DragonMap::of_partition(board, partition);
    count_eyes(board, eyes, &mut map);
    find_neighbors(board, &mut map);
    measure_sizes(board, worms, tactics, &mut map);
    measure_moyos(board, first, &mut map);
    let claims = judge_crudely(board, tactics, &mut map);
    (map, claims)
}

/// Step 1: genus, half eyes, caves.
fn count_eyes(board: &Board, eyes: &EyeMap, map: &mut DragonMap) {
    for color in Color::BOTH {
        for space in &eyes.spaces[color.index()] {
            let strings = space.strings_around(board, color);
            let Some(&first) = strings.first() else { continue };
            let number = map.index[first.at()];
            // A space between several dragons is no eye of any: it can't be assigned.
            if strings.iter().any(|s| map.index[s.at()] != number) {
                continue;
            }
            if space.is_closed() {
                for v in space.vertices.iter().filter(|&&v| board.is_empty(v)) {
                    map.cave_border[v.at()] = number;
                }
            }
            let dragon = &mut map.dragons[usize::from(number)];
            dragon.genus = dragon.genus.plus(space.value);
            if space.value.is_hot() {
                dragon.heyes += 1;
                dragon.heye = dragon.heye.or_else(|| space.defence_points.first().copied());
            }
        }
    }
}

/// Step 2: dragons whose stones are at most two empty vertices apart.
fn find_neighbors(board: &Board, map: &mut DragonMap) {
    let mut near: Vec<Vec<u16>> = vec![Vec::new(); board.padded_len()];
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        let stones = board.neighbors4(v).filter(|&n| !board.is_empty(n));
        near[v.at()] = in_order(stones.map(|n| map.index[n.at()]));
    }
    let mut pairs: Vec<(u16, u16)> = Vec::new();
    let mut pair = |a: u16, b: u16| {
        if a != b {
            pairs.push((a, b));
            pairs.push((b, a));
        }
    };
    for v in board.vertices() {
        for n in board.neighbors4(v) {
            if board.is_empty(v) {
                for &a in &near[v.at()] {
                    for &b in near[v.at()].iter().chain(&near[n.at()]) {
                        pair(a, b);
                    }
                }
            } else if !board.is_empty(n) {
                pair(map.index[v.at()], map.index[n.at()]);
            }
        }
    }
    for (a, b) in in_order(pairs) {
        let hostile = map.dragons[usize::from(a)].color != map.dragons[usize::from(b)].color;
        let dragon = &mut map.dragons[usize::from(a)];
        dragon.neighbors.push(b);
        dragon.hostile_neighbors += u32::from(hostile);
    }
}

/// Step 3: effective size, lunch.
fn measure_sizes(board: &Board, worms: &WormMap, tactics: &ReadTactics<'_>, map: &mut DragonMap) {
    for dragon in &mut map.dragons {
        for &string in &dragon.strings {
            dragon.effective_size +=
                worms.get(string).map_or(board.string_size(string) as f32, |w| w.effective_size);
            for food in board.adjacent_strings(string) {
                if tactics.attack(food).code.works()
                    && tactics.defence(food).code.works()
                    && dragon.lunch.is_none()
                {
                    dragon.lunch = Some(food);
                }
            }
        }
    }
}

/// Step 3: the moyo regions around each dragon, with the opponent to move.
fn measure_moyos(board: &Board, first: &FirstInfluence, map: &mut DragonMap) {
    let segments = [0, 1].map(|i| Segments::moyos(board, &first.maps[i]));
    for dragon in &mut map.dragons {
        let regions = &segments[dragon.color.other().index()];
        let mut seen: Vec<u16> = Vec::new();
        for &v in &dragon.stones {
            let number = regions.at[v.at()];
            if number != 0 && !seen.contains(&number) {
                seen.push(number);
                let region = &regions.segments[usize::from(number)];
                if region.color == dragon.color {
                    dragon.moyo_size += region.size;
                    dragon.moyo_territorial_value += region.territorial_value;
                }
            }
        }
    }
}

/// Step 4.
fn judge_crudely(board: &Board, tactics: &ReadTactics<'_>, map: &mut DragonMap) -> Vec<Vec<Claim>> {
    let unconditional = UnconditionalMap::build(board);
    let mut claims = vec![Vec::new(); map.dragons.len()];
    for (dragon, claims) in map.dragons.iter_mut().zip(&mut claims) {
        dragon.crude_status = match (dragon.genus.b, dragon.genus.c + u8::from(dragon.lunch.is_some())) {
            (2.., _) => Status::Alive,
            (_, 2..) => Status::Critical,
            _ if dragon.genus.a == 0 && board.liberties(dragon.origin) <= 2 => Status::Dead,
            _ => Status::Unknown,
        };
        if dragon.strings.iter().any(|&s| unconditional.is_invincible(s)) {
            dragon.crude_status = Status::Alive;
            claims.push(Claim::of(Rule::Unconditional, Status::Alive));
        } else if dragon.is_single_string() && tactics.attack(dragon.origin).code.works() {
            let (attack, defence) = (tactics.attack(dragon.origin), tactics.defence(dragon.origin));
            let saved = defence.code.works();
            if !saved {
                dragon.crude_status = Status::Dead;
            }
            claims.push(Claim {
                attack: play(attack),
                defense: if saved { play(defence) } else { Play::NONE },
                ..Claim::of(Rule::Tactics, if saved { Status::Critical } else { Status::Dead })
            });
        }
    }
    claims
}

/// The claim of tactical reading about a string. Such reading nearly always reaches its end.
fn play(answer: Answer) -> Play {
    Play { code: answer.code, line: Line::from(answer.point), certain: true, proved: false }
}
