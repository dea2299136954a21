//! Decides the status of each dragon from all claims, and makes the published map of dragons.
//!
//! # Steps
//! 1. Combine the measurements, the ways out, and the verdict on each dragon's claims in the map.
//! 2. The odds may contradict a status that life and death or a race gives, by the evidence of playouts and neighbours.
//! 3. Find the inessential dragons, and the weakness of each dragon.
//! 4. Find the strings that the lines of the attack and of the defence capture (`kworm` in the manual's `dragon2`
//!    array).
//! 5. Write the statuses of the stones for the second influence pass.

use super::claims::{Claim, Verdict, verdict};
use super::death_odds::{self, Survival};
use super::escapes::Escape;
use super::map::{DragonMap, Safety, Status};
use super::weakness;
use crate::board::{Board, Color, Line, Vertex};
use crate::influence::{LIVELY, StoneStatus, StoneStatuses};
use crate::worms::WormMap;

/// The facts about the dragons of a board before a reading, each by the number of the dragon.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The dragons as they were measured.
    pub measured: &'a DragonMap,
    /// Their ways out; empty before they are known.
    pub escapes: &'a [Escape],
    /// The claims of the readings so far, each by dragon.
    pub claims: &'a [&'a [Vec<Claim>]],
}

impl Evidence<'_> {
    /// Step 1.
    #[must_use]
    pub fn map(&self) -> DragonMap {
        let mut map = self.measured.clone();
        for (number, dragon) in map.dragons.iter_mut().enumerate() {
            if let Some(escape) = self.escapes.get(number) {
                dragon.escape_route = escape.route;
                dragon.escape2 = escape.unhindered;
                dragon.distance_four.clone_from(&escape.distance_four);
                dragon.friend_value = escape.friend_value;
                dragon.surround = escape.surround.clone();
                dragon.weakness_pre_owl = escape.weakness;
            }
            self.with(number, &[]).enter(dragon);
        }
        map
    }

    /// The verdict on a dragon by the claims so far and these.
    #[must_use]
    pub fn with(&self, number: usize, more: &[Claim]) -> Verdict {
        let known = self.claims.iter().filter_map(|claims| claims.get(number)).flatten();
        verdict(&known.chain(more).collect::<Vec<_>>())
    }
}

/// Steps 1 to 4.
#[must_use]
pub fn decide(board: &Board, worms: &WormMap, evidence: &Evidence<'_>, survival: &Survival) -> DragonMap {
    let mut map = evidence.map();
    let held = death_odds::in_standoff(board, &map);
    let odds = |number| death_odds::claim(&map, number, survival, &held, board.size());
    let odds: Vec<Option<Claim>> = (0..map.dragons.len()).map(odds).collect();
    for (number, claim) in odds.into_iter().enumerate() {
        if let Some(claim) = claim {
            evidence.with(number, &[claim]).enter(&mut map.dragons[number]);
        }
    }
    settle(worms, &mut map);
    find_kworms(board, &mut map);
    map
}

/// Step 3.
fn settle(worms: &WormMap, map: &mut DragonMap) {
    for dragon in &mut map.dragons {
        let inessential = dragon.is_single_string()
            && dragon.status != Status::Alive
            && dragon.safety != Safety::TacticallyDead
            && worms.get(dragon.origin).is_some_and(|w| w.inessential);
        if inessential {
            dragon.safety = Safety::Inessential;
        }
        dragon.weakness = weakness::of_dragon(dragon);
    }
}

/// Step 4: the strings that the lines of the attack and of the defence take.
fn find_kworms(board: &Board, map: &mut DragonMap) {
    for dragon in &mut map.dragons {
        let taken = |line: &Line, first: Color, wanted: Color, of: &[Vertex]| {
            if line.is_empty() { None } else { first_taken(board, line, first, wanted, of) }
        };
        let (own, enemy) = (dragon.color, dragon.color.other());
        dragon.attack_kworm = taken(&dragon.owl.attack.line, enemy, own, &dragon.stones);
        dragon.defense_kworm = taken(&dragon.owl.defense.line, own, enemy, &[]);
    }
}

/// The first string of a colour that this line takes and that stands before it, by its origin. If stones are named, it is
/// one of theirs.
fn first_taken(board: &Board, line: &Line, first: Color, wanted: Color, of: &[Vertex]) -> Option<Vertex> {
    let stands = |v: Vertex| {
        board.color_at(v) == Some(wanted) && (of.is_empty() || of.binary_search(&board.origin(v)).is_ok())
    };
    let mut after = board.without_history();
    let (mut color, mut captured) = (first, after.captured(wanted.other()));
    for &v in line.iter() {
        let played = if v == Vertex::PASS { after.play(color, v) } else { after.play_ignoring_ko(color, v) };
        played.ok()?;
        if after.captured(wanted.other()) > captured {
            captured = after.captured(wanted.other());
            let taken = board.strings().find(|&v| stands(v) && after.color_at(v) != Some(wanted));
            if taken.is_some() {
                return taken;
            }
        }
        color = color.other();
    }
    None
}

/// Step 5: not dead, not critical with the opponent to move, and as strong a source as the dragon was before reading.
/// Inessential stones block and give nothing.
#[must_use]
pub fn stone_statuses(board: &Board, dragons: &DragonMap) -> StoneStatuses {
    StoneStatuses(Color::BOTH.map(|to_move| {
        let mut column = vec![StoneStatus::default(); board.padded_len()];
        for dragon in &dragons.dragons {
            let lost = match dragon.status {
                Status::Dead => true,
                Status::Critical => dragon.color != to_move,
                Status::Alive | Status::Unknown => false,
            };
            let status = if dragon.safety == Safety::Inessential && dragon.status != Status::Dead {
                StoneStatus { safe: true, strength: 0.0 }
            } else {
                StoneStatus { safe: !lost, strength: LIVELY.strength * (1.0 - 0.3 * dragon.weakness_pre_owl) }
            };
            for v in &dragon.stones {
                column[v.at()] = status;
            }
        }
        column
    }))
}

#[cfg(test)]
mod tests;
