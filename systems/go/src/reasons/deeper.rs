//! Reads further about connections, and about dragons whose change the statuses do not explain with certainty.
//!
//! # Steps
//! 1. A dragon is searched to the end in a closed field, with either side moving first.
//! 2. Without a closed field, thorough life-and-death reading is asked with the same limit for rooms of all sizes. It
//!    counts if it reached its end for the side that moves next. Steps 1 and 2 are left out when the best moves of a
//!    position are explained.
//! 3. For two stones, connection reading tries to join them if their owner moves first, or else to separate them.
//!
//! # Cost
//! The [`Budget`] of an explanation bounds it.

use super::Seen;
use super::fate::Fate;
use crate::board::{Color, Vertex};
use crate::connection::ConnectionReader;
use crate::dragons::life::known_to_dragon;
use crate::effort::{Effort, Level, LifeLimits};
use crate::owl::{LifeQuestion, LifeReader, LifeReading};
use crate::tactics::Code;

/// How far an explanation may read on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Questions about dragons.
    pub questions: u32,
    /// Positions that the search of a closed field may open.
    pub closed: u32,
    /// Positions that reading with judgement may look at, in rooms of any size.
    pub nodes: u32,
}

/// Of the explanation of a move asked about. Own choice: with 4,000 positions a question more deaths are named, but
/// three of five that were checked on the board were false.
pub(super) const ASKED: Budget = Budget { questions: 8, ..OF_MANY };

/// The same where many positions are explained. Own choice, by the time of an analysis: closed fields have about the limit
/// of all statuses of a board, and reading with judgement what small rooms have there.
pub(super) const OF_MANY: Budget = Budget { questions: 2, closed: 30_000, nodes: 1000 };

/// Of the explanation of one of the best moves: only links are read. Own choice, by the time of an explanation.
pub(super) const OF_BEST: Budget = Budget { questions: 0, closed: 0, nodes: 0 };

/// Readers that are kept from one explanation to the next; never an answer.
#[derive(Default)]
pub(super) struct Deeper {
    life: LifeReader,
    connection: Option<ConnectionReader>,
    left: Option<Budget>,
}

impl Deeper {
    /// A new explanation begins, which may read on so far.
    pub(super) const fn begin(&mut self, budget: Budget) {
        self.left = Some(budget);
    }

    /// The fate of the dragon at a vertex, if reading reached its end, and whether a closed field proves it.
    pub(super) fn fate(&mut self, seen: &Seen<'_>, v: Vertex, owner: Color) -> Option<(Fate, bool)> {
        let budget = self.left.as_mut().filter(|budget| budget.questions > 0)?;
        let dragon = seen.dragon(v).filter(|dragon| dragon.color == owner)?;
        budget.questions -= 1;
        let Budget { closed, nodes, .. } = *budget;
        let (alive, dead) = known_to_dragon(seen.board, seen.dragons, &dragon.stones);
        let normal = Effort::of(Level::Normal).life;
        let limits = LifeLimits { nodes, wide_nodes: nodes, thorough: true, ..normal };
        let question = LifeQuestion::new(seen.board, &dragon.stones, (&alive, &dead), limits);
        if let Some((attack, defence)) = self.life.prove(&question, closed) {
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

    /// Whether two stones are joined if this side moves next, as far as reading came to its end. It is cheap beside the
    /// readings of dragons, and is not counted.
    pub(super) fn link(&mut self, seen: &Seen<'_>, [a, b]: [Vertex; 2], first: Color) -> Option<Link> {
        let color = seen.board.color_at(a)?;
        if seen.board.color_at(b) != Some(color) {
            return Some(Link { is_joined: false, line: Vec::new() });
        }
        if seen.board.origin(a) == seen.board.origin(b) {
            return Some(Link { is_joined: true, line: Vec::new() });
        }
        let limits = Effort::of(Level::Normal).links;
        let reader = self.connection.get_or_insert_with(|| ConnectionReader::new(limits));
        let connects = first == color;
        let found =
            if connects { reader.connect(seen.board, a, b) } else { reader.disconnect(seen.board, a, b) };
        let works = found.code.works();
        (!found.limit_hit).then_some(Link { is_joined: works == connects, line: found.line })
    }
}

/// The link of two stones, one side moving first.
pub(super) struct Link {
    pub is_joined: bool,
    /// How that side joins or parts them; empty if it can't, or if nothing is left to do.
    pub line: Vec<Vertex>,
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
