//! What the odds say against life-and-death reading: how often such dragons lived.
//!
//! # Source
//! A logistic regression of our own on games: whether a dragon's stones were the enemy's in the end, by the ownership that a
//! network sees, over those whose status is life and death's of 28,999 dragons on 2,333 positions. Its figures stand in
//! `docs/go-dragons.md`, "The odds against reading".
//!
//! # Notation
//! *Evidence*: what was measured of the dragon, how its reading ended, and what its neighbours are found to be. The *chance* is
//! that it dies, with its owner moving first or its enemy.
//!
//! # Steps
//! 1. The evidence of every dragon whose status is that of life-and-death reading, with all other dragons as they were found.
//! 2. The chance that it dies for either player moving first: the logistic function of the weighted sum, a set of weights for
//!    each status.
//! 3. A claim where the odds contradict the status: alive against dead by the mean of both chances, critical by the one that
//!    matters. A reading that came to its end is contradicted by long odds only, and only in what it takes for lost: what lies
//!    beyond its field it doesn't see.
//!
//! # Departures
//! The odds never make a dragon critical: they know no points.
//!
//! # Cost
//! A few hundred multiplications a dragon.

use super::claims::Claim;
use super::map::{Dragon, DragonMap, Rule, Status};
use crate::tactics::Code;

/// From this chance on a dragon is dead, below it it lives, where a reading was cut off.
const EVEN: f32 = 0.35;
/// Below this chance it lives though a reading that came to its end takes it for lost.
const LONG: f32 = 0.2;

/// Weights of the evidence for dragons found alive, critical, dead.
const WEIGHTS: [[f32; 3]; 28] = [
    [1.876, 2.726, 2.744],    // always
    [-1.611, 1.333, 2.744],   // the attack was read to its end
    [1.876, -2.080, 0.810],   // the defence was read to its end
    [3.500, 4.041, 2.844],    // weakness before reading
    [-2.368, -1.520, -1.414], // escape route, of 20
    [0.952, -0.578, 0.268],   // territory of the moyo, of 15
    [2.236, 1.311, 0.499],    // logarithm of its stones
    [3.741, 1.739, 0.813],    // eyes, attacked first
    [-1.262, 0.330, 0.680],   // eyes, defended first
    [0.574, 0.964, 1.809],    // surrounded, 0 to 1
    [-0.308, -0.086, 0.440],  // a lunch
    [-3.035, -1.305, -2.682], // hostile neighbours, of 4
    [0.982, -1.013, 1.933],   // a hostile neighbour is dead
    [0.770, -0.268, 1.117],   // a hostile neighbour is critical
    [-0.050, -2.062, -1.282], // the weakest hostile neighbour
    [0.576, -0.394, -0.225],  // a hostile neighbour lives without proof
    [-0.470, -2.107, -0.023], // the strongest friend
    [-2.728, -1.476, -1.774], // a friend lives
    [-0.546, 0.295, -1.609],  // logarithm of hostile stones in danger
    [-1.138, -0.408, -0.336], // vertices of the moyo, of 25
    [-3.784, -2.190, -2.087], // logarithm of the effective size
    [0.516, -0.868, 1.426],   // its strings, of 5
    [0.000, 0.397, -0.123],   // it is in a race
    [-0.403, 0.669, 0.074],   // dead by eyes and tactics alone
    [-4.900, -2.484, 0.000],  // alive by eyes and tactics alone
    [0.306, -0.181, -1.154],  // critical by eyes and tactics alone
    [0.000, 0.470, 0.000],    // attacked with a ko
    [-0.930, -1.934, -1.240], // its owner moves first
];

/// What life-and-death reading found is contradicted by: a claim for the dragon of this number, if the odds are against it.
pub(super) fn claim(map: &DragonMap, number: usize) -> Option<Claim> {
    let dragon = &map.dragons[number];
    let column = match (dragon.rule, dragon.status) {
        (Rule::LifeAndDeath, Status::Alive) => 0,
        (Rule::LifeAndDeath, Status::Critical) => 1,
        (Rule::LifeAndDeath, Status::Dead) => 2,
        _ => return None,
    };
    let evidence = evidence(map, dragon);
    let chance = |owner_first: f32| {
        let all = evidence.iter().chain([&owner_first]);
        let sum: f32 = all.zip(&WEIGHTS).map(|(x, weights)| x * weights[column]).sum();
        1.0 / (1.0 + (-sum).exp())
    };
    let (owner_first, enemy_first) = (chance(1.0), chance(0.0));
    let mean = f32::midpoint(owner_first, enemy_first);
    let proved = dragon.owl.attack.certain && dragon.owl.defense.certain;
    let lives = if proved { LONG } else { EVEN };
    let status = match dragon.status {
        Status::Alive if mean > EVEN && !proved => Status::Dead,
        Status::Critical if owner_first > EVEN && !proved => Status::Dead,
        Status::Critical if enemy_first < lives => Status::Alive,
        Status::Dead if mean < lives => Status::Alive,
        _ => return None,
    };
    Some(Claim::of(Rule::Odds, status))
}

/// Step 1, in the order of [`WEIGHTS`], without the last.
fn evidence(map: &DragonMap, dragon: &Dragon) -> [f32; 27] {
    let near = || dragon.neighbors.iter().filter_map(|&n| map.dragons.get(usize::from(n)));
    let foes = || near().filter(|d| d.color != dragon.color);
    let friends = || near().filter(|d| d.color == dragon.color);
    let is = |yes: bool| f32::from(u8::from(yes));
    let up_to = |x: u32, most: u32| x.min(most) as f32 / most as f32;
    let unproved =
        |d: &Dragon| d.rule == Rule::LifeAndDeath && d.status == Status::Alive && !d.owl.attack.certain;
    let in_danger = foes().filter(|d| matches!(d.status, Status::Dead | Status::Critical));
    let in_danger: usize = in_danger.map(Dragon::size).sum();
    let crude = |status| is(dragon.crude_status == status);
    [
        1.0,
        is(dragon.owl.attack.certain),
        is(dragon.owl.defense.certain),
        dragon.weakness_pre_owl,
        up_to(dragon.escape_route, 20),
        dragon.moyo_territorial_value.min(15.0) / 15.0,
        (dragon.size() as f32).ln(),
        f32::from(dragon.genus.b) / 2.0,
        f32::from(dragon.genus.c) / 2.0,
        f32::from(dragon.surround.status.gtp()) / 2.0,
        is(dragon.lunch.is_some()),
        up_to(dragon.hostile_neighbors, 4),
        is(foes().any(|d| d.status == Status::Dead)),
        is(foes().any(|d| d.status == Status::Critical)),
        foes().map(|d| d.weakness_pre_owl).fold(0.0, f32::max),
        is(foes().any(unproved)),
        1.0 - friends().map(|d| d.weakness_pre_owl).fold(1.0, f32::min),
        is(friends().any(|d| d.status == Status::Alive)),
        (1.0 + in_danger as f32).ln(),
        up_to(dragon.moyo_size, 25),
        (1.0 + dragon.effective_size).ln(),
        dragon.strings.len() as f32 / 5.0,
        is(dragon.semeai.count > 0),
        crude(Status::Dead),
        crude(Status::Alive),
        crude(Status::Critical),
        is(matches!(dragon.owl.attack.code, Code::KoA | Code::KoB)),
    ]
}

#[cfg(test)]
mod tests;
