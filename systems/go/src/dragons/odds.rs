//! What the odds say against reading: how often such dragons lived.
//!
//! # Source
//! A logistic regression of our own on games: whether a dragon's stones were the enemy's in the end, by the ownership that a
//! network sees, over the dragons of 1,525 positions of the games to choose by. Its figures stand in `docs/go-dragons.md`,
//! "Searches as evidence".
//!
//! # Notation
//! *Evidence*: what was measured of the dragon, what reading said, and what playouts ([`Survival`]) make of it. The *chance* is
//! that it dies, with its owner moving first or its enemy.
//!
//! # Steps
//! 1. If a dragon asks for odds, the whole board is searched for a moment, with either side moving first: how much of each
//!    dragon survives, by all playouts of the search.
//! 2. A search of the whole board begins where most is at stake. So the move by which reading attacks a critical dragon is
//!    played and tried out, and that by which it defends it: this stands for the survival with that player moving first.
//! 3. The chance that the dragon dies for either player moving first: the logistic function of the weighted sum of the
//!    evidence, with all other dragons as reading found them.
//! 4. Likely for both, and it is dead; for neither, alive; if it depends on who moves, critical. A claim where reading says
//!    something else.
//!
//! # Departures
//! A dragon found critical that reading has no moves for has none.
//!
//! # Cost
//! That of the searches, some 300 playouts a position with dragons in doubt, and 16 for each move tried out.

use super::claims::Claim;
use super::map::{Dragon, DragonMap, Rule, Status};
use crate::board::{Board, Color, Vertex};
use crate::playout::{self, Limits, PlayoutBoard, Policy, Root};

/// From this chance on a dragon dies.
const EVEN: f32 = 0.35;

/// Each move of reading is tried out by this share of a search's playouts.
const TRIAL_SHARE: u32 = 6;

/// The seed of all playouts: the same position gets the same odds.
const SEED: u64 = 0x6f64_6473;

/// What the evidence weighs.
const WEIGHTS: [f32; 15] = [
    0.091,  // always
    -0.359, // the attack was read to its end
    1.970,  // weakness before reading
    1.077,  // eyes, attacked first, of 2
    -1.112, // a friend lives
    -0.584, // logarithm of the effective size
    -1.225, // alive by eyes and tactics alone
    0.507,  // found critical
    1.114,  // found dead
    -1.159, // found so by a race
    -3.649, // the share of it that survives the searches, -1 to 1, whoever moves first
    -1.619, // the same by tactical reading
    -0.711, // its owner moves first
    -2.445, // the share that survives the search with this player moving first
    -2.653, // the share that survives this player's first move by reading, instead
];

/// How much of the dragons of a board survives; without any playouts, nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survival {
    /// Whose each vertex becomes (-1 Black's to 1 White's) in searches in which Black and White move first.
    searched: Option<[Vec<f32>; 2]>,
    /// By the number of the dragon: the share, -1 to 1, that survives its owner's defence and the enemy's attack.
    tried: Vec<[Option<f32>; 2]>,
}

impl Survival {
    /// What searches of so many playouts with either side moving first make of a board of these dragons, if any of them asks
    /// for odds.
    #[must_use]
    pub fn of(board: &Board, map: &DragonMap, playouts: u32) -> Self {
        let small = board.size() <= playout::board::MAX_SIZE;
        if playouts == 0 || !small || !map.dragons.iter().any(is_asked) {
            return Self::default();
        }
        let (start, policy) = (PlayoutBoard::from(board), Policy::default());
        let limits = Limits { playouts, policy, win_share: 0.0, warm_up: 0, seed: SEED };
        let searched = Color::BOTH.map(|color| {
            let root = Root { board: &start, color, last: Vertex::PASS, before: Vertex::PASS, komi: 0.0 };
            playout::search_moves(root, &|_| true, &[], &limits, &mut || false).owner
        });
        let after = |dragon: &Dragon, color: Color, v: Vertex| {
            let mut after = board.without_history();
            (v != Vertex::PASS && after.play(color, v).is_ok()).then(|| {
                let played = PlayoutBoard::from(&after);
                let playouts = playouts.div_ceil(TRIAL_SHARE);
                let end = playout::estimate(&played, color.other(), &policy, playouts, SEED);
                share(dragon, &end.owner, board.size())
            })
        };
        let tried = map.dragons.iter().map(|dragon| {
            let points = dragon.vital_points().filter(|_| is_asked(dragon));
            let (attack, defence) = points.unwrap_or((Vertex::PASS, Vertex::PASS));
            [after(dragon, dragon.color, defence), after(dragon, dragon.color.other(), attack)]
        });
        Self { searched: Some(searched), tried: tried.collect() }
    }
}

/// How much of a dragon is its owner's, -1 to 1.
fn share(dragon: &Dragon, owner: &[f32], size: usize) -> f32 {
    let sign = if dragon.color == Color::White { 1.0 } else { -1.0 };
    sign * dragon.stones.iter().map(|v| owner[v.index(size)]).sum::<f32>() / dragon.size() as f32
}

/// Whether the odds may say something of this dragon.
const fn is_asked(dragon: &Dragon) -> bool {
    matches!(dragon.rule, Rule::LifeAndDeath | Rule::Semeai | Rule::Tactics)
        && !matches!(dragon.status, Status::Unknown)
        && !dragon.was_asked()
}

/// Step 4: a claim for the dragon of this number, if the odds are against it.
pub(super) fn claim(map: &DragonMap, number: usize, survival: &Survival, size: usize) -> Option<Claim> {
    let dragon = &map.dragons[number];
    let searched = survival.searched.as_ref().filter(|_| is_asked(dragon))?;
    let searched = [dragon.color, dragon.color.other()].map(|c| share(dragon, &searched[c.index()], size));
    let tried = survival.tried.get(number).copied().unwrap_or_default();
    let status = match chances(map, dragon, searched, tried).map(|chance| chance > EVEN) {
        [true, true] => Status::Dead,
        [false, true] => Status::Critical,
        [_, false] => Status::Alive,
    };
    (status != dragon.status).then(|| Claim::of(Rule::Odds, status))
}

/// Step 3: with the owner moving first, and with the enemy.
fn chances(map: &DragonMap, dragon: &Dragon, searched: [f32; 2], tried: [Option<f32>; 2]) -> [f32; 2] {
    let near = || dragon.neighbors.iter().filter_map(|&n| map.dragons.get(usize::from(n)));
    let is = |yes: bool| f32::from(u8::from(yes));
    let survives = f32::midpoint(searched[0], searched[1]);
    let known = [
        1.0,
        is(dragon.owl.attack.certain),
        dragon.weakness_pre_owl,
        f32::from(dragon.genus.b) / 2.0,
        is(near().any(|d| d.color == dragon.color && d.status == Status::Alive)),
        (1.0 + dragon.effective_size).ln(),
        is(dragon.crude_status == Status::Alive),
        is(dragon.status == Status::Critical),
        is(dragon.status == Status::Dead),
        is(dragon.rule == Rule::Semeai),
        survives,
        survives * is(dragon.rule == Rule::Tactics),
    ];
    [0, 1].map(|who| {
        let (searched, tried) = tried[who].map_or((searched[who], 0.0), |tried| (0.0, tried));
        let first = 1.0 - who as f32;
        let all = known.iter().chain([&first, &searched, &tried]);
        let sum: f32 = all.zip(&WEIGHTS).map(|(x, weight)| x * weight).sum();
        1.0 / (1.0 + (-sum).exp())
    })
}

#[cfg(test)]
mod tests;
