//! Tactical reading in the form that the module of eyes needs.

use std::cell::RefCell;

use crate::board::{Board, Color, MixMap, Vertex};
use crate::eyes::Tactics;
use crate::tactics::{Answer, Code, Reader, TacticsMap};

/// A stone with this many liberties is safe without reading.
const SAFE_LIBERTIES: usize = 5;

/// Answers from a [`Reader`] about one position, each question read once.
pub struct ReadTactics<'a> {
    inner: RefCell<Inner<'a>>,
    safe_move_nodes: u64,
}

/// The earlier readings of one position.
#[derive(Clone, Default)]
pub struct Answers {
    attacks: MixMap<u16, Answer>,
    defences: MixMap<u16, Answer>,
    moves: MixMap<u16, Code>,
}

struct Inner<'a> {
    board: Board,
    reader: &'a mut Reader,
    answers: Answers,
}

impl<'a> ReadTactics<'a> {
    /// Questions about this position, with these known answers. `safe_move_nodes` limits the question whether a stone
    /// is safe where it is put. With 500 positions, the truth positions of the part `choose` are judged as with 2,000.
    #[must_use]
    pub fn new(board: &Board, reader: &'a mut Reader, safe_move_nodes: u64, answers: Answers) -> Self {
        let inner = Inner { board: board.without_history(), reader, answers };
        Self { inner: RefCell::new(inner), safe_move_nodes }
    }

    /// The readings.
    #[must_use]
    pub fn into_answers(self) -> Answers {
        self.inner.into_inner().answers
    }

    /// Whether the string can't be captured, or can be saved if its owner moves.
    #[must_use]
    pub fn lively(&self, v: Vertex) -> bool {
        !self.attack(v).code.works() || self.defence(v).code.works()
    }

    /// Enters the readings of the strings of this position, which are then not read again.
    pub fn know(&self, read: &TacticsMap) {
        let Answers { attacks, defences, .. } = &mut self.inner.borrow_mut().answers;
        for worm in &read.worms {
            attacks.insert(worm.origin.0, Answer { code: worm.attack, point: worm.attack_point });
            // Without an attack the defence was not read.
            if worm.attack.works() {
                defences.insert(worm.origin.0, Answer { code: worm.defense, point: worm.defense_point });
            }
        }
    }
}

impl Tactics for ReadTactics<'_> {
    fn attack(&self, v: Vertex) -> Answer {
        let Inner { board, reader, answers } = &mut *self.inner.borrow_mut();
        let origin = board.origin(v);
        *answers.attacks.entry(origin.0).or_insert_with(|| reader.attack(board, origin).into())
    }

    fn defence(&self, v: Vertex) -> Answer {
        let Inner { board, reader, answers } = &mut *self.inner.borrow_mut();
        let origin = board.origin(v);
        *answers.defences.entry(origin.0).or_insert_with(|| reader.defend(board, origin).into())
    }

    fn safe_move(&self, v: Vertex, color: Color) -> Code {
        let Inner { board, reader, answers } = &mut *self.inner.borrow_mut();
        let key = v.0 * 2 + color.index() as u16;
        if let Some(&known) = answers.moves.get(&key) {
            return known;
        }
        let code = board.tried(color, v, |board| match board.liberties(v) {
            SAFE_LIBERTIES.. => Code::Win,
            _ => reader.within(self.safe_move_nodes, |reader| reader.attack(board, v)).code.reverse(),
        });
        *answers.moves.entry(key).or_insert(code.unwrap_or_default())
    }
}
