//! The default judge: a small net that is compiled into the program.

use super::balance::balance;
use super::inputs::Inputs;
use super::net::{Net, Scratch, Verdict, WeightsError};
use super::{Answer, Judge, LEAST_SIZE, View};
use crate::board::{Board, Color, Rules, Vertex};
use crate::world::{Past, Position};
use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

/// The weights of the program. `resources/go/judge/README.md` names their origin.
const WEIGHTS: &[u8] = include_bytes!("../../../../resources/go/judge/weights.bin");

static NET: LazyLock<Arc<Net>> =
    LazyLock::new(|| Arc::new(Net::parse(WEIGHTS).expect("a test reads the embedded weights")));

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Looks at each position once with either side to move.
#[derive(Clone, Debug)]
pub struct Embedded {
    name: String,
    net: Arc<Net>,
}

impl Embedded {
    /// With the weights of the program.
    #[must_use]
    pub fn own() -> Self {
        Self { name: "embedded".into(), net: NET.clone() }
    }

    /// With other weights, which records name like this.
    ///
    /// # Errors
    /// Weights that can't be read.
    pub fn with_weights(name: &str, bytes: &[u8]) -> Result<Self, WeightsError> {
        Ok(Self { name: name.to_owned(), net: Arc::new(Net::parse(bytes)?) })
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The view of a board with this side to move after these moves. Nothing is known of the other side's view, so the two
    /// are not brought together. `None` for a size that it does not judge, or with a string that has no liberty.
    #[must_use]
    pub fn see(&self, board: &Board, to_move: Color, past: Past, komi: f32) -> Option<View> {
        may_judge(board).then(|| view_of(self.look(board, to_move, past), to_move, komi))
    }

    /// The net's output for a board with this side to move, after these moves.
    pub(super) fn look(&self, board: &Board, to_move: Color, past: Past) -> Verdict {
        let rules = Rules { ko: board.rules().ko, ..Rules::default() };
        let board = &board.without_history().under(rules);
        let inputs = Inputs::new(board, to_move, past);
        let may_play: Vec<bool> = board.vertices().map(|v| board.is_legal(to_move, v)).collect();
        SCRATCH.with_borrow_mut(|scratch| self.net.look(&inputs, &may_play, scratch))
    }
}

/// Whether the net judges such a board.
pub(super) fn may_judge(board: &Board) -> bool {
    board.size() >= LEAST_SIZE && board.strings().all(|v| board.liberties(v) > 0)
}

impl Judge for Embedded {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn views(&self, positions: &[&Position]) -> Vec<Answer> {
        let judged = |position: &&Position| {
            let Position { board, komi, past, .. } = *position;
            let mut verdicts = Color::BOTH.map(|side| self.look(board, side, past_for(board, *past, side)));
            balance(&mut verdicts);
            let [black, white] = verdicts;
            [view_of(black, Color::Black, *komi), view_of(white, Color::White, *komi)]
        };
        positions.iter().map(|position| Ok(may_judge(&position.board).then(|| judged(position)))).collect()
    }

    fn view(&self, position: &Position) -> Option<View> {
        self.see(&position.board, position.to_move, position.past, position.komi)
    }

    fn looks(&self, asked: u32) -> u32 {
        asked
    }
}

/// The past as it is with this side to move: if it made the latest move itself, the other side passed.
pub(super) fn past_for(board: &Board, past: Past, side: Color) -> Past {
    if board.color_at(past[0]) != Some(side) {
        return past;
    }
    let mut after_pass = [Vertex::PASS; 5];
    after_pass[1..].copy_from_slice(&past[..4]);
    after_pass
}

/// The net's output for the side to move, turned to Black's side.
pub(super) fn view_of(verdict: Verdict, to_move: Color, komi: f32) -> View {
    let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
    let Verdict { owner, mut likelihood, lead, spread } = verdict;
    let lead = sign * lead - komi;
    View {
        owner: owner.into_iter().map(|o| sign * o).collect(),
        pass: likelihood.pop().unwrap_or(0.0),
        likelihood,
        lead,
        win_rate: 1.0 / (1.0 + libm::expf(-lead / spread)),
    }
}
