//! Capturing races between two dragons of different colours.
//!
//! # Source
//! GNU Go manual, "Dragons" (`owl_analyze_semeai`).
//!
//! # Notation
//! *Mine* moves first, *theirs* answers.
//!
//! # Steps
//! 1. Mine kills theirs, moving first: both results are a success, and the killing move is the point.
//! 2. Else mine survives, moving first, in the race or in seki: the defence is a success, the attack is not.
//! 3. Else mine is lost.
//!
//! Both questions go to life-and-death reading, with the other dragon taken as one that may fall.

use crate::board::{Board, Vertex};
use crate::owl::{LifeQuestion, LifeReader, Surroundings};
use crate::tactics::Code;

/// How a race ends when mine moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceResult {
    /// How well mine survives.
    pub defense: Code,
    /// How well mine kills theirs.
    pub attack: Code,
    /// Mine's move; a pass if none is needed or none helps.
    pub point: Vertex,
    /// Whether reading came to its end.
    pub certain: bool,
    /// Positions looked at.
    pub nodes: u64,
}

/// Plays the race out. `known` marks the stones of living and of dead dragons, padded.
pub fn analyse(
    board: &Board,
    mine: &[Vertex],
    theirs: &[Vertex],
    known: (&[bool], &[bool]),
    life: &mut LifeReader,
    node_limit: u32,
) -> RaceResult {
    let (mut alive, mut dead) = (known.0.to_vec(), known.1.to_vec());
    let mut contested = vec![false; board.padded_len()];
    for &v in mine.iter().chain(theirs) {
        contested[v.at()] = true;
        alive[v.at()] = false;
        dead[v.at()] = false;
    }
    let surroundings = Surroundings { alive: Some(&alive), dead: Some(&dead), contested: Some(&contested) };
    let kill = life.attack(&LifeQuestion { board, goal: theirs, surroundings, node_limit });
    if kill.code == Code::Win {
        let (point, certain, nodes) = (kill.point, kill.certain, kill.nodes);
        return RaceResult { defense: Code::Win, attack: Code::Win, point, certain, nodes };
    }
    let live = life.defend(&LifeQuestion { board, goal: mine, surroundings, node_limit });
    let point = if live.code >= kill.code && live.code.works() { live.point } else { kill.point };
    RaceResult {
        defense: live.code.max(kill.code),
        attack: kill.code,
        point,
        certain: kill.certain && live.certain,
        nodes: kill.nodes + live.nodes,
    }
}
