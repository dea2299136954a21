//! Reads further: dragons whose change the statuses do not explain with certainty, and connections.
//!
//! # Steps
//! 1. A dragon is searched to the end in a closed field, with either side moving first.
//! 2. Without a closed field, life-and-death reading is asked with the same limit for rooms of all sizes. It counts
//!    if it reached its end for the side that moves next.
//! 3. For two stones, connection reading tries to separate them.
//!
//! # Cost
//! At most [`ASKED`] searches for an explanation, of up to [`CLOSED`] positions each.

use super::Seen;
use super::fate::Fate;
use crate::board::{Color, Vertex};
use crate::connection::ConnectionReader;
use crate::dragons::life::known_to_dragon;
use crate::effort::{Effort, Level, LifeLimits};
use crate::owl::{LifeQuestion, LifeReader, LifeReading};
use crate::tactics::{Code, Reading};

/// Questions about dragons that the explanation of a move asked about may ask, and that of one of the best moves. Own choice, by
/// the time of an explanation.
pub(super) const ASKED: u32 = 8;
pub(super) const OF_BEST: u32 = 0;
/// Positions that the search of a closed field may open. Own choice: about the limit of all statuses of a board.
const CLOSED: u32 = 30_000;

/// Positions that reading with judgement may look at, in rooms of any size. Own choice: what small rooms have in the statuses of a
/// board.
const NODES: u32 = 1000;

/// Readers that are kept from one explanation to the next; never an answer.
#[derive(Default)]
pub(super) struct Deeper {
    life: LifeReader,
    connection: Option<ConnectionReader>,
    left: u32,
}

impl Deeper {
    /// A new explanation begins, which may ask so much.
    pub(super) const fn begin(&mut self, questions: u32) {
        self.left = questions;
    }

    /// The fate of the dragon at a vertex, if reading reached its end, and whether a closed field proves it.
    pub(super) fn fate(&mut self, seen: &Seen<'_>, v: Vertex, owner: Color) -> Option<(Fate, bool)> {
        if seen.board.color_at(v) != Some(owner) || self.left == 0 {
            return None;
        }
        let dragon = seen.dragon(v)?;
        self.left -= 1;
        let (alive, dead) = known_to_dragon(seen.board, seen.dragons, &dragon.stones);
        let limits = LifeLimits { nodes: NODES, wide_nodes: NODES, ..Effort::of(Level::Normal).life };
        let question = LifeQuestion::new(seen.board, &dragon.stones, (&alive, &dead), limits);
        if let Some((attack, defence)) = self.life.prove(&question, CLOSED) {
            return Some((decided(seen, owner, &attack, &defence), true));
        }
        let (attack, defence) = self.life.attack_and_defend(&question);
        let is_decided = if seen.to_move == owner && attack.code.works() {
            attack.certain && defence.certain
        } else {
            attack.certain
        };
        is_decided.then(|| (decided(seen, owner, &attack, &defence), false))
    }

    /// The reading that parts two stones, their opponent moving first. It is cheap beside those of dragons, and is not counted.
    pub(super) fn part(&mut self, seen: &Seen<'_>, a: Vertex, b: Vertex) -> Option<Reading> {
        let color = seen.board.color_at(a)?;
        if self.left == 0 {
            return None;
        }
        if seen.board.color_at(b) != Some(color) || seen.board.origin(a) == seen.board.origin(b) {
            return None;
        }
        let limits = Effort::of(Level::Normal).links;
        let reader = self.connection.get_or_insert_with(|| ConnectionReader::new(limits));
        Some(reader.disconnect(seen.board, a, b))
    }
}

fn decided(seen: &Seen<'_>, owner: Color, attack: &LifeReading, defence: &LifeReading) -> Fate {
    let moves_next = seen.to_move == owner;
    if !attack.code.works() {
        return Fate::Lives { line: Vec::new(), in_seki: false, proved: true };
    }
    if moves_next && defence.code.works() {
        return Fate::Lives { line: defence.line.to_vec(), in_seki: false, proved: true };
    }
    let line = if moves_next { Vec::new() } else { attack.line.to_vec() };
    let by_ko = matches!(attack.code, Code::KoA | Code::KoB);
    Fate::Dies { line, is_capture: false, by_ko, proved: true }
}
