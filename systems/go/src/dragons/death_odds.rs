//! The chance that a dragon dies, by statistics of similar dragons. This chance may contradict reading.
//!
//! # Source
//! Own logistic regression on games. It predicts whether a dragon's stones belong to the enemy in the end, by the
//! ownership of a network. The sample is the dragons of 1,525 positions of the part `choose`. The figures are in
//! `experiments/2026-11-25-go-odds-of-dragons.md`.
//!
//! # Notation
//! *Evidence* is the measures of the dragon, the result of reading, and its survival in playouts ([`Survival`]). The
//! *chance* is the probability that the dragon dies, with its owner or its enemy moving first.
//!
//! # Steps
//! 1. If any dragon needs odds, two short searches of the whole board run, one with each side moving first. All their
//!    playouts together give the share of each dragon that survives. Both searches begin with the ownership that a few
//!    playouts give. They stop after a sixth, a quarter, a third or half of the playouts if the odds of step 3 are
//!    clear by then.
//! 2. A search of the whole board may play elsewhere first. So the attacking and the defending move that reading found
//!    for a critical dragon are also played, with playouts after each of them. The result replaces the survival with
//!    that player moving first.
//! 3. The chance that the dragon dies, for each player moving first, is the logistic function of the weighted sum of
//!    the evidence. All other dragons keep the result of reading.
//! 4. The dragon is dead if death is likely for both players moving first, alive if for neither, otherwise critical.
//!    This becomes a claim where reading differs. A dragon that reading to the end found critical in small surroundings
//!    needs clearer odds. If reading to the end found that a dragon without a way out depends on a ko, that result
//!    stays. Playouts say who is likely to win the ko, not that there is no ko.
//!
//! 5. A dragon that only the odds find critical gets its moves from the searches. The attack is the most visited first
//!    move near the dragon in its enemy's search. The defence is that move in its owner's search.
//!
//! # Departures
//! The moves of step 5 are likely, not read. Dragons that face each other in a standoff (`in_standoff`) and
//! dragons of single questions have no odds.
//!
//! # Cost
//! The searches take 36 to 118 playouts in a position with dragons in doubt, 84 in the mean, and 17 for each move tried
//! out.

use super::claims::Claim;
use super::map::{Dragon, DragonMap, Play, Rule, Status};
use crate::board::{Board, Color, Line, Vertex, VertexSet};
use crate::playout::{self, FirstMovers, Limits, PlayoutBoard, Policy};
use crate::tactics::Code;

/// From this chance on a dragon dies.
const EVEN: f32 = 0.35;

/// The same for a dragon that reading to the end found critical and that has no living friend beside it. The two
/// values are for its owner and for its enemy moving first. Then for such a dragon without a way out whose enemies
/// all live, except small ones.
const ALONE: [f32; 2] = [0.5, 0.25];
const SHUT_IN: [f32; 2] = [0.9, 0.1];

/// A dragon whose closed field was searched to its end has another end only if the chance of that is as large as this.
const PROVED: f32 = 0.95;

/// The playouts of a search divided by the playouts of the initial estimate (with either side first), and by those of
/// a trial.
const BEFORE_SHARE: u32 = 6;
const TRIAL_SHARE: u32 = 3;

/// After these shares of its playouts, as divisors, a search may stop.
///
/// It does if all chances differ from those at which verdicts change by [`CLEAR`] or more, as logarithms of odds. After
/// a share of the playouts the distance is larger, by the root of the divisor.
///
/// Chosen on 1,174 positions of part `choose`: the verdicts of 0.1 % of the dragons change, and as many dead stones
/// are found. `experiments/2026-11-29-go-odds-in-rounds.md` has the table.
const ROUND_SHARES: [u32; 5] = [6, 4, 3, 2, 1];
/// See [`ROUND_SHARES`].
const CLEAR: f32 = 0.73;

/// Positions of one ladder in a search: with 120 dead stones are found as well, for two fifths more time.
const LADDER_POSITIONS: u32 = 6;

/// The seed of all playouts: the same position gets the same odds.
const SEED: u64 = 0x6f64_6473;

/// The weights of the evidence.
const WEIGHTS: [f32; EVIDENCE] = [
    0.097,  // always
    -0.483, // the attack was read to its end
    1.499,  // weakness before reading
    0.789,  // eyes, attacked first, of 2
    -1.697, // a friend lives
    -0.522, // logarithm of the effective size
    -1.136, // alive by eyes and tactics alone
    0.525,  // found critical
    1.418,  // found dead
    -0.083, // found so by a race
    -3.431, // the share of it that survives the searches, -1 to 1, whoever moves first
    -1.531, // the same by tactical reading
    -0.362, // its owner moves first
    -2.841, // the share that survives the search with this player moving first
    -2.902, // the share that survives this player's first move by reading, instead
];

/// The survival of the dragons of a board; empty without playouts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survival {
    /// Whose each vertex becomes (-1 Black's to 1 White's) in searches in which Black and White move first.
    searched: Option<[Vec<f32>; 2]>,
    /// By the number of the dragon: the share, -1 to 1, that survives its owner's defence and the enemy's attack.
    tried: Vec<[Option<f32>; 2]>,
    /// By the number of the dragon: the first moves near it that its enemy's search and its owner's prefer; passes for a
    /// dragon without odds.
    preferred: Vec<[Vertex; 2]>,
}

impl Survival {
    /// The survival of these dragons in two searches, one with either side first, if any of them asks for odds. Each
    /// search has at most this number of playouts. It stops earlier where more would hardly change a verdict.
    #[must_use]
    pub fn of(board: &Board, map: &DragonMap, playouts: u32) -> Self {
        let small = board.size() <= playout::board::MAX_SIZE;
        if playouts == 0 || !small || !map.dragons.iter().any(is_asked) {
            return Self::default();
        }
        let policy = Policy::default();
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
        let mut survival = Self { tried: tried.collect(), ..Self::default() };
        let limits =
            Limits { playouts, policy, win_share: 0.0, warm_up: 0, ladders: LADDER_POSITIONS, seed: SEED };
        let few = playouts.div_ceil(BEFORE_SHARE);
        let mut searches = FirstMovers::new(&PlayoutBoard::from(board), &limits, few);
        for share in ROUND_SHARES {
            searches.run_to(playouts.div_ceil(share));
            survival.searched = Some(searches.owner());
            if survival.is_clear(map, board.size(), CLEAR * (share as f32).sqrt()) {
                break;
            }
        }
        let moves = searches.preferred();
        let of = |dragon: &Dragon| match is_asked(dragon) {
            true => [dragon.color.other(), dragon.color].map(|c| near(board, dragon, c, &moves[c.index()])),
            false => [Vertex::PASS; 2],
        };
        survival.preferred = map.dragons.iter().map(of).collect();
        survival
    }

    /// Whether all chances differ from those at which verdicts change by more than this, as logarithms of odds.
    fn is_clear(&self, map: &DragonMap, size: usize, by: f32) -> bool {
        map.dragons.iter().enumerate().all(|(number, dragon)| {
            evidence(map, number, self, size).is_none_or(|evidence| {
                let bounds = bounds(map, dragon).map(|bound| (bound / (1.0 - bound)).ln());
                evidence.iter().zip(bounds).all(|(evidence, bound)| (weighed(evidence) - bound).abs() > by)
            })
        })
    }
}

/// Step 5: the first of these moves beside a dragon's stones or its liberties; else a liberty. A pass if the rules
/// allow none.
fn near(board: &Board, dragon: &Dragon, color: Color, moves: &[Vertex]) -> Vertex {
    let mut close = VertexSet::EMPTY;
    for v in dragon.stones.iter().flat_map(|&v| board.neighbors4(v)).filter(|&v| board.is_empty(v)) {
        close.insert(v);
        board.neighbors8(v).for_each(|n| close.insert(n));
    }
    let liberties = dragon.strings.iter().flat_map(|&string| board.liberty_vertices(string));
    let mut all = moves.iter().copied().filter(|&v| close.holds(v)).chain(liberties);
    all.find(|&v| board.is_legal(color, v)).unwrap_or(Vertex::PASS)
}

/// The mean ownership of a dragon's vertices from its owner's side, -1 to 1.
fn share(dragon: &Dragon, owner: &[f32], size: usize) -> f32 {
    let sign = if dragon.color == Color::White { 1.0 } else { -1.0 };
    sign * dragon.stones.iter().map(|v| owner[v.index(size)]).sum::<f32>() / dragon.size() as f32
}

/// Whether the odds may say something of this dragon.
const fn is_asked(dragon: &Dragon) -> bool {
    matches!(dragon.rule, Rule::LifeAndDeath | Rule::Semeai | Rule::Tactics)
        && !matches!(dragon.status, Status::Unknown)
        && !dragon.was_asked()
        && !hangs_on_ko(dragon)
}

/// The kinds of evidence for the chance that a dragon dies.
pub const EVIDENCE: usize = 15;

/// The evidence about the dragon of this number with its owner moving first, and with its enemy: what the weights weigh.
/// `None` for a dragon without odds. `board_size` is that of the board.
#[must_use]
pub fn evidence(
    map: &DragonMap,
    number: usize,
    survival: &Survival,
    board_size: usize,
) -> Option<[[f32; EVIDENCE]; 2]> {
    let dragon = &map.dragons[number];
    let searched = survival.searched.as_ref().filter(|_| is_asked(dragon))?;
    let searched =
        [dragon.color, dragon.color.other()].map(|c| share(dragon, &searched[c.index()], board_size));
    let tried = survival.tried.get(number).copied().unwrap_or_default();
    Some(facts(map, dragon, searched, tried))
}

/// Step 4: a claim for the dragon of this number, if the odds contradict its status. `held` are the stones of dragons
/// in a standoff.
pub(super) fn claim(
    map: &DragonMap,
    number: usize,
    survival: &Survival,
    held: &VertexSet,
    size: usize,
) -> Option<Claim> {
    let dragon = &map.dragons[number];
    let evidence = evidence(map, number, survival, size).filter(|_| !held.holds(dragon.origin))?;
    let [saved, killed] = evidence.map(|evidence| chance(&evidence));
    let [lost, safe] = bounds(map, dragon);
    let status = match (saved > lost, killed > safe) {
        (true, true) => Status::Dead,
        (false, true) => Status::Critical,
        (_, false) => Status::Alive,
    };
    let play = |v| Play { code: Code::Win, line: Line::from(v), certain: false, proved: false };
    let [attack, defense] = survival.preferred.get(number).copied().unwrap_or([Vertex::PASS; 2]);
    let claim = match status {
        Status::Critical if attack == Vertex::PASS => Claim::of(Rule::Odds, Status::Alive),
        Status::Critical if defense == Vertex::PASS => Claim::of(Rule::Odds, Status::Dead),
        Status::Critical => {
            Claim { attack: play(attack), defense: play(defense), ..Claim::of(Rule::Odds, status) }
        }
        _ => Claim::of(Rule::Odds, status),
    };
    (claim.status != dragon.status).then_some(claim)
}

/// From which chance on a dragon dies with its owner moving first, and with its enemy.
#[must_use]
pub fn bounds(map: &DragonMap, dragon: &Dragon) -> [f32; 2] {
    let [lost, safe] = unproved_bounds(map, dragon);
    let (attack, defense) = (&dragon.owl.attack, &dragon.owl.defense);
    if attack.proved && !attack.code.works() {
        return [PROVED; 2];
    }
    let lost = match (defense.proved, defense.code.works()) {
        (false, _) => lost,
        (true, true) => PROVED,
        (true, false) => 1.0 - PROVED,
    };
    [lost, if attack.proved { 1.0 - PROVED } else { safe }]
}

/// Whether a dragon without a way out is critical by a ko, as far as reading to the end tells.
const fn hangs_on_ko(dragon: &Dragon) -> bool {
    let [attack, defense] = [dragon.owl.attack.code, dragon.owl.defense.code];
    let is_critical = matches!(dragon.status, Status::Critical) && attack.works() && defense.works();
    let is_ko = matches!(attack, Code::KoA | Code::KoB) || matches!(defense, Code::KoA | Code::KoB);
    dragon.escape_route == 0 && dragon.owl.is_sure() && is_critical && is_ko
}

/// The same where nothing is proved.
fn unproved_bounds(map: &DragonMap, dragon: &Dragon) -> [f32; 2] {
    let (friends, enemies): (Vec<_>, Vec<_>) =
        neighbors(map, dragon).partition(|other| other.color == dragon.color);
    let lives = |other: &&Dragon| other.status == Status::Alive;
    let is_read =
        dragon.status == Status::Critical && dragon.rule == Rule::LifeAndDeath && dragon.owl.is_sure();
    if !is_read || friends.iter().any(lives) {
        return [EVEN; 2];
    }
    let is_small = |other: &Dragon| 2 * other.size() < dragon.size();
    let is_shut_in = dragon.escape_route == 0
        && enemies.iter().any(lives)
        && enemies.iter().all(|other| lives(other) || is_small(other));
    if is_shut_in { SHUT_IN } else { ALONE }
}

fn neighbors<'a>(map: &'a DragonMap, dragon: &'a Dragon) -> impl Iterator<Item = &'a Dragon> {
    dragon.neighbors.iter().filter_map(|&n| map.dragons.get(usize::from(n)))
}

/// The evidence with the owner moving first, and with the enemy.
fn facts(
    map: &DragonMap,
    dragon: &Dragon,
    searched: [f32; 2],
    tried: [Option<f32>; 2],
) -> [[f32; EVIDENCE]; 2] {
    let is = |yes: bool| f32::from(u8::from(yes));
    let survives = f32::midpoint(searched[0], searched[1]);
    [0, 1].map(|who| {
        let (searched, tried) = tried[who].map_or((searched[who], 0.0), |tried| (0.0, tried));
        [
            1.0,
            is(dragon.owl.attack.certain),
            dragon.weakness_pre_owl,
            f32::from(dragon.genus.b) / 2.0,
            is(neighbors(map, dragon).any(|d| d.color == dragon.color && d.status == Status::Alive)),
            (1.0 + dragon.effective_size).ln(),
            is(dragon.crude_status == Status::Alive),
            is(dragon.status == Status::Critical),
            is(dragon.status == Status::Dead),
            is(dragon.rule == Rule::Semeai),
            survives,
            survives * is(dragon.rule == Rule::Tactics),
            1.0 - who as f32,
            searched,
            tried,
        ]
    })
}

/// Step 3: the chance that a dragon with this evidence dies.
fn chance(evidence: &[f32; EVIDENCE]) -> f32 {
    1.0 / (1.0 + (-weighed(evidence)).exp())
}

/// The same as a logarithm of odds.
fn weighed(evidence: &[f32; EVIDENCE]) -> f32 {
    evidence.iter().zip(&WEIGHTS).map(|(x, weight)| x * weight).sum()
}

/// The vertices with stones of dragons in a standoff. Between such dragons lie empty vertices that no other dragon
/// reaches. Reading found to its end that none of them can be killed, although none lives by eyes. Playouts fill such
/// vertices and are wrong.
pub(crate) fn in_standoff(board: &Board, map: &DragonMap) -> VertexSet {
    let mut held = VertexSet::EMPTY;
    let holds_out = |dragon: &Dragon| {
        dragon.status == Status::Alive
            && dragon.rule == Rule::LifeAndDeath
            && dragon.owl.attack.certain
            && dragon.owl.attack.code == Code::Fail
    };
    let mut seen = vec![false; board.padded_len()];
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        if seen[v.at()] {
            continue;
        }
        let (region, borders) = board.bordered_region(v, &mut seen, |n| board.color_at(n));
        let around: Vec<&Dragon> =
            region.iter().flat_map(|&u| board.neighbors4(u)).filter_map(|n| map.at(n)).collect();
        if borders == [true; 2] && around.iter().all(|dragon| holds_out(dragon)) {
            around.iter().flat_map(|dragon| &dragon.stones).for_each(|&s| held.insert(s));
        }
    }
    held
}

#[cfg(test)]
mod tests;
