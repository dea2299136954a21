//! Tactical reading as the eyes ask for it.

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

/// What was read already about one position.
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
    /// Questions about this position; so many positions for the question whether a stone is safe where it is put: with 500
    /// the truth positions of the part `choose` are judged as with 2,000.
    #[must_use]
    pub fn new(board: &Board, reader: &'a mut Reader, safe_move_nodes: u64) -> Self {
        Self::resume(board, reader, safe_move_nodes, Answers::default())
    }

    /// The same where these answers about the position are known.
    #[must_use]
    pub fn resume(board: &Board, reader: &'a mut Reader, safe_move_nodes: u64, answers: Answers) -> Self {
        let inner = Inner { board: board.without_history(), reader, answers };
        Self { inner: RefCell::new(inner), safe_move_nodes }
    }

    /// What was read.
    #[must_use]
    pub fn into_answers(self) -> Answers {
        self.inner.into_inner().answers
    }

    /// The attack on the string at `v`.
    #[must_use]
    pub fn attack(&self, v: Vertex) -> Answer {
        let inner = &mut *self.inner.borrow_mut();
        let origin = inner.board.origin(v);
        let Inner { board, reader, answers } = inner;
        *answers.attacks.entry(origin.0).or_insert_with(|| reader.attack(board, origin).into())
    }

    /// The defence of the string at `v`.
    #[must_use]
    pub fn defence(&self, v: Vertex) -> Answer {
        let inner = &mut *self.inner.borrow_mut();
        let origin = inner.board.origin(v);
        let Inner { board, reader, answers } = inner;
        *answers.defences.entry(origin.0).or_insert_with(|| reader.defend(board, origin).into())
    }

    /// Whether the string can't be captured, or can be saved if its owner moves.
    #[must_use]
    pub fn lively(&self, v: Vertex) -> bool {
        !self.attack(v).code.works() || self.defence(v).code.works()
    }

    /// Enters what reading said of the strings of this position: it will not be asked again.
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
    fn capture(&self, v: Vertex) -> Code {
        self.attack(v).code
    }

    fn rescue(&self, v: Vertex) -> Code {
        self.defence(v).code
    }

    fn safe_move(&self, v: Vertex, color: Color) -> Code {
        let inner = &mut *self.inner.borrow_mut();
        let key = v.0 * 2 + color.index() as u16;
        if let Some(&known) = inner.answers.moves.get(&key) {
            return known;
        }
        let length = inner.board.history_len();
        let code = if inner.board.play(color, v).is_err() {
            Code::Fail
        } else if inner.board.liberties(v) >= SAFE_LIBERTIES {
            Code::Win
        } else {
            let Inner { board, reader, .. } = &mut *inner;
            reader.within(self.safe_move_nodes, |reader| reader.attack(board, v)).code.reverse()
        };
        inner.board.undo_to(length);
        inner.answers.moves.insert(key, code);
        code
    }

    fn capture_point(&self, v: Vertex) -> Option<Vertex> {
        Some(self.attack(v).point).filter(|&p| p != Vertex::PASS)
    }

    fn rescue_point(&self, v: Vertex) -> Option<Vertex> {
        Some(self.defence(v).point).filter(|&p| p != Vertex::PASS)
    }
}
