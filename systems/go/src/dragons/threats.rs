//! Threats: two moves in a row that kill a dragon, or that save one.
//!
//! # Source
//! GNU Go 3.8 manual, "Dragons" (`owl_threat_status`, `owl_second_attack_point`, `owl_second_defense_point`) and "GTP
//! command reference" (`owl_threaten_attack`, `owl_threaten_defense`).
//!
//! # Notation
//! The *mover* is the enemy of a dragon that lives, and the owner of one that is dead.
//!
//! # Steps
//! 1. The first move is a liberty of the dragon, or an empty vertex beside one.
//! 2. After each such move, life-and-death reading answers whether a second move of the mover kills or saves.
//! 3. The first pair of moves that works without a ko is the threat; if there is none, the first of the best result.
//!
//! # Departures
//! The manual names the fields of `dragon2` without a definition. It defines the two GTP questions, which step 2 asks.
//! [`read_threats`] begins no search of a dragon after [`BUDGET`] positions. Its searches look at [`SEARCH`] positions
//! at most, and count only if they reach their end.
//!
//! # Cost
//! Several readings for each dragon, so the schedule reads no threats. [`crate::GoEngine::read_threats`] reads them on
//! request. In 85 positions of two games (13x13 and 9x9) it takes 1.2 s beside 2.8 s of analysis without a judge.

use super::life::known_of_others;
use super::map::{Dragon, DragonMap, Rule, Status};
use crate::board::{Board, Color, Vertex, in_order};
use crate::effort::LifeLimits;
use crate::names::named;
use crate::owl::{LifeQuestion, LifeReader, LifeReading};
use crate::tactics::Code;
use bevy_ecs::prelude::Component;

/// The positions that one search of [`read_threats`] may look at, and those of a dragon, after which no search begins.
pub const SEARCH: u32 = 60;
/// See [`SEARCH`].
pub const BUDGET: u64 = 1000;

named! {
    /// What two moves in a row do to a dragon.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
    pub enum ThreatStatus {
        /// Nobody asked, or reading does not call the dragon alive or dead.
        #[default]
        Unchecked = "unchecked",
        /// It lives, and two moves in a row do not kill it.
        Alive = "alive",
        /// It is dead, and two moves in a row do not save it.
        Dead = "dead",
        /// It lives, and two moves in a row kill it.
        CanThreatenAttack = "can threaten attack",
        /// It is dead, and two moves in a row save it.
        CanThreatenDefense = "can threaten defense",
        /// No two such moves were found before a limit ended the reading.
        Unknown = "unknown",
    }
}

/// The threat against a dragon, or for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threat {
    /// What two moves in a row do.
    pub status: ThreatStatus,
    /// The first of them; a pass if there are none.
    pub first: Vertex,
    /// The second; a pass if the first is enough to take the dragon.
    pub second: Vertex,
}

/// The threats of a board's dragons, by the number of the dragon. [`crate::GoEngine::read_threats`] writes it.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct Threats(pub Vec<Threat>);

/// The result of two moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoMoves {
    /// The result.
    pub code: Code,
    /// The first move; a pass if nothing works.
    pub first: Vertex,
    /// The second.
    pub second: Vertex,
    /// Whether every reading came to its end.
    pub certain: bool,
}

/// These stones of a colour, as far as they are still there, in vertex order.
#[must_use]
pub fn stones_left(board: &Board, color: Color, stones: &[Vertex]) -> Vec<Vertex> {
    in_order(stones.iter().copied().filter(|&v| board.color_at(v) == Some(color)))
}

/// The liberties of these stones and the empty vertices beside them, in vertex order.
fn around(board: &Board, stones: &[Vertex]) -> Vec<Vertex> {
    let strings = board.origins(stones.iter().copied());
    let liberties: Vec<Vertex> = strings.iter().flat_map(|&s| board.liberty_vertices(s)).collect();
    let beside = liberties.iter().flat_map(|&v| board.neighbors4(v)).filter(|&n| board.is_empty(n));
    in_order(liberties.iter().copied().chain(beside))
}

/// All steps for one dragon. `read` answers for a board and the dragon's stones on it; with nothing it ends the search.
pub fn two_moves(
    board: &Board,
    dragon: &Dragon,
    attack: bool,
    mut read: impl FnMut(&Board, &[Vertex]) -> Option<LifeReading>,
) -> TwoMoves {
    let (owner, stones) = (dragon.color, &dragon.stones);
    let mover = if attack { owner.other() } else { owner };
    let mut best = TwoMoves { code: Code::Fail, first: Vertex::PASS, second: Vertex::PASS, certain: true };
    for first in around(board, stones) {
        let mut after = board.without_history();
        if after.play(mover, first).is_err() {
            continue;
        }
        let mut goal = stones_left(&after, owner, stones);
        if goal.is_empty() {
            return TwoMoves { code: Code::Win, first, ..best };
        }
        if !attack {
            goal = stones_left(&after, owner, &[&goal[..], &[first]].concat());
        }
        let Some(found) = read(&after, &goal) else {
            best.certain = false;
            break;
        };
        best.certain &= found.certain;
        if found.code > best.code {
            best = TwoMoves { code: found.code, first, second: found.line.start(), ..best };
        }
        if best.code == Code::Win {
            break;
        }
    }
    best
}

/// The threats of all dragons that reading calls alive or dead, within small limits.
pub fn read_threats(
    board: &Board,
    map: &DragonMap,
    life: &mut LifeReader,
    limits: LifeLimits,
) -> Vec<Threat> {
    let board = &board.without_history();
    let (alive, dead) = known_of_others(board, map);
    let limits = LifeLimits {
        nodes: limits.nodes.min(SEARCH),
        wide_nodes: limits.wide_nodes.min(SEARCH),
        thorough: false,
        trials: 0,
        closed: 0,
        ..limits
    };
    let threat = |dragon: &Dragon| {
        let attack = match dragon.owl.status {
            Status::Alive => true,
            Status::Dead => false,
            Status::Critical | Status::Unknown => return Threat::default(),
        };
        if dragon.rule == Rule::Unconditional || limits.nodes == 0 {
            return Threat::default();
        }
        let mut spent = 0;
        let found = two_moves(board, dragon, attack, |after, goal| {
            if spent >= BUDGET {
                return None;
            }
            let found = life.untried(&LifeQuestion::new(after, goal, (&alive, &dead), limits), attack);
            spent += found.nodes;
            // A result of a search that did not reach its end is no threat.
            Some(LifeReading { code: if found.certain { found.code } else { Code::Fail }, ..found })
        });
        let status = match (found.code.works(), attack) {
            (true, true) => ThreatStatus::CanThreatenAttack,
            (true, false) => ThreatStatus::CanThreatenDefense,
            (false, _) if !found.certain => ThreatStatus::Unknown,
            (false, true) => ThreatStatus::Alive,
            (false, false) => ThreatStatus::Dead,
        };
        Threat { status, first: found.first, second: found.second }
    };
    map.dragons.iter().map(threat).collect()
}

#[cfg(test)]
mod tests;
