//! What the odds say against reading: how often such dragons lived.
//!
//! # Source
//! A logistic regression of our own on games: whether a dragon's stones were the enemy's in the end, by the ownership that a
//! network sees, over the dragons whose status is life and death's or a race's on the half of 1,929 positions to choose by. Its
//! figures stand in `docs/go-dragons.md`, "Playouts as evidence".
//!
//! # Notation
//! *Evidence*: what was measured of the dragon, what reading said, and what playouts ([`Survival`]) make of it. The *chance* is
//! that it dies, with its owner moving first or its enemy.
//!
//! # Steps
//! 1. The evidence of every dragon whose status is that of life-and-death reading or a race, with all other dragons as they were
//!    found.
//! 2. The chance that it dies for either player moving first: the logistic function of the weighted sum.
//! 3. A claim where the odds contradict the status: alive against dead by the mean of both chances, critical by the one that
//!    matters. Life and death that was read to its end is contradicted by long odds only, and only in what it takes for lost: what
//!    lies beyond its field it doesn't see.
//!
//! # Departures
//! The odds never make a dragon critical: they know no points.
//!
//! # Cost
//! That of the playouts, some 30 a position.

use super::claims::Claim;
use super::map::{Dragon, DragonMap, Rule, Status};
use crate::board::{Board, Color};
use crate::playout::{self, Ownership, PlayoutBoard, Policy};

/// From this chance on a dragon is dead, below it it lives, where a reading was cut off.
const EVEN: f32 = 0.3;
/// Below this chance it lives though a reading that came to its end takes it for lost.
const LONG: f32 = 0.2;

/// The seed of all playouts: the same position gets the same odds.
const SEED: u64 = 0x6f64_6473;

/// What the evidence weighs.
const WEIGHTS: [f32; 15] = [
    0.463,  // always
    -1.085, // the attack was read to its end
    4.554,  // weakness before reading
    3.565,  // eyes, attacked first, of 2
    -1.610, // hostile neighbours, of 4
    -1.690, // a friend lives
    -1.664, // logarithm of the effective size
    2.253,  // its strings, of 5
    -2.375, // alive by eyes and tactics alone
    0.984,  // found critical
    2.500,  // found dead
    1.108,  // found so by a race
    -7.174, // the share of it that survives playouts, -1 to 1, whoever moves first
    0.571,  // the same with this player moving first
    -2.105, // its owner moves first
];

/// What playouts make of a board, with Black and with White moving first; without any, nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survival(Option<[Ownership; 2]>);

impl Survival {
    /// What so many playouts with either side moving first make of a board of these dragons, if any of them asks for odds.
    #[must_use]
    pub fn of(board: &Board, map: &DragonMap, playouts: u32) -> Self {
        let asked = playouts > 0 && board.size() <= playout::board::MAX_SIZE;
        Self((asked && map.dragons.iter().any(is_asked)).then(|| {
            let start = PlayoutBoard::from(board);
            Color::BOTH.map(|first| playout::estimate(&start, first, &Policy::default(), playouts, SEED))
        }))
    }

    /// How much of a dragon survives, -1 to 1, with its owner moving first and with its enemy.
    fn of_dragon(&self, dragon: &Dragon, size: usize) -> Option<[f32; 2]> {
        let played = self.0.as_ref()?;
        let sign = if dragon.color == Color::White { 1.0 } else { -1.0 };
        Some([dragon.color, dragon.color.other()].map(|first| {
            let owner = |v: &crate::board::Vertex| played[first.index()].owner[v.index(size)];
            sign * dragon.stones.iter().map(owner).sum::<f32>() / dragon.size() as f32
        }))
    }
}

/// Whether the odds may say something of this dragon.
const fn is_asked(dragon: &Dragon) -> bool {
    matches!(dragon.rule, Rule::LifeAndDeath | Rule::Semeai)
        && !matches!(dragon.status, Status::Unknown)
        && !dragon.owl.proved
}

/// What reading found is contradicted by: a claim for the dragon of this number, if the odds are against it.
pub(super) fn claim(map: &DragonMap, number: usize, survival: &Survival, size: usize) -> Option<Claim> {
    let dragon = &map.dragons[number];
    if !is_asked(dragon) {
        return None;
    }
    let [owner_first, enemy_first] = chances(map, dragon, survival.of_dragon(dragon, size)?);
    let mean = f32::midpoint(owner_first, enemy_first);
    let proved = dragon.rule == Rule::LifeAndDeath && dragon.owl.attack.certain && dragon.owl.defense.certain;
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

/// Step 2: with the owner moving first, and with the enemy.
fn chances(map: &DragonMap, dragon: &Dragon, survives: [f32; 2]) -> [f32; 2] {
    let near = || dragon.neighbors.iter().filter_map(|&n| map.dragons.get(usize::from(n)));
    let is = |yes: bool| f32::from(u8::from(yes));
    let known = [
        1.0,
        is(dragon.owl.attack.certain),
        dragon.weakness_pre_owl,
        f32::from(dragon.genus.b) / 2.0,
        dragon.hostile_neighbors.min(4) as f32 / 4.0,
        is(near().any(|d| d.color == dragon.color && d.status == Status::Alive)),
        (1.0 + dragon.effective_size).ln(),
        dragon.strings.len() as f32 / 5.0,
        is(dragon.crude_status == Status::Alive),
        is(dragon.status == Status::Critical),
        is(dragon.status == Status::Dead),
        is(dragon.rule == Rule::Semeai),
        f32::midpoint(survives[0], survives[1]),
    ];
    [(survives[0], 1.0), (survives[1], 0.0)].map(|(first, owner_first)| {
        let all = known.iter().chain([&first, &owner_first]);
        let sum: f32 = all.zip(&WEIGHTS).map(|(x, weight)| x * weight).sum();
        1.0 / (1.0 + (-sum).exp())
    })
}

#[cfg(test)]
mod tests;
