//! Reads the life and death of the dragons in doubt.
//!
//! # Source
//! GNU Go 3.8 manual, "The Owl Code": the dragons to read, and the meaning of an answer that was cut off.
//!
//! # Steps
//! 1. A dragon with eyes, room or an open way out is alive without reading.
//! 2. The others are read in the order of doubt: the less sure the judge is of a dragon's fate, the earlier it comes.
//!    Equal dragons come in the order of their numbers. Each question knows the results of those before it
//!    ([`known_to_dragon`]). A single question about a race knows only the measurements of its friends
//!    ([`known_of_race`]).
//! 3. Where the judge is not sure of a dragon's fate, a search first tries every move of its closed fields. Its proofs
//!    stand. All dragons of a board share one budget of positions. On a board with few dragons this budget is larger.
//!
//! # Cost
//! Nearly all of the cost of dragons; [`LifeLimits`] bounds each question.

use super::claims::Claim;
use super::decide::Evidence;
use super::map::{Dragon, DragonMap, Play, Rule, Status};
use crate::board::{Board, Line, Vertex, VertexSet};
use crate::effort::LifeLimits;
use crate::judge::Judgement;
use crate::memory::ReadingMemory;
use crate::owl::{Basis, LifeReader, LifeReading};
use crate::surround::Surround;
use crate::tactics::Code;

/// All steps: what life-and-death reading claims of each dragon.
pub fn read_life(
    board: &Board,
    evidence: &Evidence<'_>,
    judgement: Option<&Judgement>,
    (life, memory): (&mut LifeReader, &ReadingMemory),
    limits: LifeLimits,
) -> Vec<Vec<Claim>> {
    let board = &board.without_history();
    let mut map = evidence.map();
    let mut claims = vec![Vec::new(); map.dragons.len()];
    if limits.nodes == 0 {
        return claims;
    }
    let sureness: Vec<f32> = map.dragons.iter().map(|d| sureness(judgement, d, board.size())).collect();
    let mut order: Vec<usize> = (0..map.dragons.len()).collect();
    order.sort_by(|&a, &b| sureness[a].total_cmp(&sureness[b]));
    let fields = fields_of_board(map.dragons.len());
    let limits = limits_of_search(limits, fields);
    let last = life.fields_opened() + fields;
    for number in order {
        let (dragon, claims) = (&map.dragons[number], &mut claims[number]);
        if !is_beyond_doubt(dragon) {
            let in_doubt = sureness[number] < if dragon.size() < LARGE { SURE } else { SURE_OF_LARGE };
            let left = u32::try_from(last.saturating_sub(life.fields_opened())).unwrap_or(u32::MAX);
            let most = if in_doubt { left - left % LEFT } else { 0 };
            let [closed, wide_closed] = [limits.closed, limits.wide_closed].map(|limit| limit.min(most));
            let limits = LifeLimits { closed, wide_closed, ..limits };
            claims.push(read_dragon(board, &map, number, (life, memory), limits));
        } else if dragon.status == Status::Unknown {
            let basis = if dragon.genus.b >= 2 { Rule::Eyes } else { Rule::Room };
            claims.push(Claim::of(basis, Status::Alive));
        }
        evidence.with(number, claims).enter(&mut map.dragons[number]);
    }
    claims
}

/// Whether a dragon needs no life-and-death reading.
fn is_beyond_doubt(dragon: &Dragon) -> bool {
    let room = dragon.moyo_territorial_value >= 15.0 || dragon.moyo_size >= 25;
    let open = dragon.surround.status == Surround::No && dragon.escape_route >= 12;
    let eyes = dragon.genus.a >= 2 && dragon.genus.b >= 3;
    dragon.status != Status::Unknown || !dragon.owl.attack.code.works() && (eyes || room || open)
}

/// Positions of all closed fields of a board before judgement. Chosen by the cost of 258 positions of 12 games, part
/// `choose` (`experiments/2026-11-29-go-closed-fields-first.md`).
const FIELDS: u64 = 32_000;

/// The same on a board with few dragons: this number by the square of the number of dragons, but at most
/// [`MOST_FIELDS`]. Chosen by the cost of the same positions (`experiments/2026-11-30-go-few-dragons.md`).
const LONE_FIELDS: u64 = 3_200_000;
const MOST_FIELDS: u64 = 300_000;

/// A search gets up to this share of the positions of a board with few dragons. Own choice, unmeasured.
const SEARCH_SHARE: u64 = 3;

/// The positions of all closed fields of a board with this number of dragons.
fn fields_of_board(dragons: usize) -> u64 {
    let dragons = dragons.max(1) as u64;
    (LONE_FIELDS / (dragons * dragons)).clamp(FIELDS, MOST_FIELDS)
}

/// The limits of one search where the board has this number of positions.
fn limits_of_search(limits: LifeLimits, fields: u64) -> LifeLimits {
    if fields == FIELDS {
        return limits;
    }
    let share = u32::try_from(fields / SEARCH_SHARE).unwrap_or(u32::MAX);
    let closed = share.min(limits.lone_closed).max(limits.closed);
    LifeLimits { closed, wide_closed: closed, ..limits }
}

/// A search gets what is left of [`FIELDS`] in steps of this size, so that its kept answer serves more often.
const LEFT: u32 = 4_000;

/// From this mean owner of its stones on, 0 to 1, the judge is sure of a dragon's fate: of a small one, and of one with
/// [`LARGE`] stones. Origin: see [`FIELDS`].
const SURE: f32 = 0.5;
const SURE_OF_LARGE: f32 = 0.9;
const LARGE: usize = 5;

/// How sure the judge is of one fate of a dragon with either side to move: the mean owner of its stones at least, from
/// the side of that fate. Up to 0 if the fates differ, and infinite without a judge.
fn sureness(judgement: Option<&Judgement>, dragon: &Dragon, size: usize) -> f32 {
    let Some(views) = judgement.and_then(|judgement| judgement.views.as_ref()) else { return f32::INFINITY };
    let [black, white] = views.each_ref().map(|view| {
        dragon.stones.iter().map(|v| view.owner[v.index(size)]).sum::<f32>() / dragon.size() as f32
    });
    black.min(white).max(-black.max(white)).max(0.0) + 0.0
}

/// The assumed status of the other dragons while one is read: living, or dead.
#[must_use]
pub fn known_of_others(board: &Board, map: &DragonMap) -> (Vec<bool>, Vec<bool>) {
    known(board, map, |dragon| dragon.status == Status::Alive)
}

/// The same while the dragon of these stones is read. An enemy that only reading calls alive may need its moves elsewhere:
/// it does not count as living where both share a liberty.
#[must_use]
pub fn known_to_dragon(board: &Board, map: &DragonMap, stones: &[Vertex]) -> (Vec<bool>, Vec<bool>) {
    let (mut alive, dead) = known_of_others(board, map);
    let liberties: VertexSet =
        stones.iter().flat_map(|&s| board.neighbors4(s)).filter(|&v| board.is_empty(v)).collect();
    let color = stones.first().and_then(|&s| board.color_at(s));
    let is_read = |dragon: &&Dragon| {
        Some(dragon.color) != color && dragon.rule == Rule::LifeAndDeath && dragon.status == Status::Alive
    };
    for enemy in map.dragons.iter().filter(is_read) {
        if enemy.stones.iter().any(|&s| board.neighbors4(s).any(|v| liberties.holds(v))) {
            enemy.stones.iter().for_each(|s| alive[s.at()] = false);
        }
    }
    (alive, dead)
}

/// The same while a race is read. A friend that only reading calls alive may live because of the race's end. A dragon
/// that links to it would win by the very result in question. So only a dragon that measurements call alive counts as
/// living.
#[must_use]
pub fn known_of_race(board: &Board, map: &DragonMap) -> (Vec<bool>, Vec<bool>) {
    let measured = |rule| matches!(rule, Rule::Unconditional | Rule::Eyes | Rule::Room);
    known(board, map, |dragon| dragon.status == Status::Alive && measured(dragon.rule))
}

/// The stones of living and of dead dragons. A dragon that is not dead lives if `alive` says so, or if it looks
/// strong before reading.
fn known(board: &Board, map: &DragonMap, alive: impl Fn(&Dragon) -> bool) -> (Vec<bool>, Vec<bool>) {
    let of = |wanted: &dyn Fn(&Dragon) -> bool| {
        board.marks(map.dragons.iter().filter(|d| wanted(d)).flat_map(|d| d.stones.iter().copied()))
    };
    let dead = |dragon: &Dragon| dragon.status == Status::Dead;
    let strong = |dragon: &Dragon| dragon.crude_status == Status::Alive || dragon.weakness_pre_owl < 0.25;
    (of(&|dragon| !dead(dragon) && (alive(dragon) || strong(dragon))), of(&dead))
}

/// A dragon without two eyes and with an escape route up to this is without hope if reading cannot tell whether it
/// can be saved. It is also this weak if reading cannot tell whether it can be killed.
const DOUBTFUL_ESCAPE: u32 = 5;
const DOUBTFUL_WEAKNESS: f32 = 0.85;

/// Asks life-and-death reading, or its memory, about one dragon. `board` has no history.
fn read_dragon(
    board: &Board,
    map: &DragonMap,
    number: usize,
    (life, memory): (&mut LifeReader, &ReadingMemory),
    limits: LifeLimits,
) -> Claim {
    let stones = &map.dragons[number].stones;
    let (alive, dead) = known_to_dragon(board, map, stones);
    let (attack, defence) = life.recall_or_read(memory, board, stones, (&alive, &dead), limits);
    judge(&map.dragons[number], &attack, &defence)
}

/// The claim that follows from the two answers about a dragon.
#[must_use]
pub fn judge(dragon: &Dragon, attack: &LifeReading, defence: &LifeReading) -> Claim {
    let mut claim = Claim { attack: Play::from(attack), ..Claim::of(Rule::LifeAndDeath, Status::Alive) };
    let hopeless = dragon.genus.b < 2 && dragon.escape_route <= DOUBTFUL_ESCAPE;
    let weak = hopeless && dragon.weakness_pre_owl >= DOUBTFUL_WEAKNESS;
    if !attack.code.works() && !attack.certain && weak && attack.guess != Vertex::PASS {
        // The limit ended the search: the attack is taken to work.
        let vital = defence.code.works() && defence.certain && !defence.line.is_empty();
        claim.attack.code = Code::Win;
        claim.attack.line = Line::from(if vital { defence.line.start() } else { attack.guess });
    }
    // The mirror image: where the attack was read to its end, a defence that was not is taken to fail. A pass is no
    // defence, unless reading came to its end: then the dragon lives.
    let passes = defence.code.works() && defence.line.is_empty();
    if passes && defence.certain && !attack.certain {
        claim.attack.code = Code::Fail;
        claim.attack.line = Line::NONE;
    }
    let tried = defence.basis == Basis::Playouts;
    let in_doubt = !defence.certain && !tried && hopeless && attack.certain;
    let saved = defence.code.works() && !passes && !in_doubt;
    if claim.attack.code.works() {
        if saved {
            (claim.defense.code, claim.defense.line) = (defence.code, defence.line);
        }
        (claim.defense.certain, claim.defense.proved) = (defence.certain, defence.basis == Basis::Proof);
        claim.status = if saved { Status::Critical } else { Status::Dead };
    } else {
        // It needs no move.
        claim.defense.code = Code::Win;
    }
    claim
}

#[cfg(test)]
mod tests;
