//! The policy of playouts, which chooses each move.
//!
//! # Source
//! S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", INRIA report 6062
//! (2006), for playouts that answer the last move with 3x3 patterns around it. The "fill board" of section 4.2 is not
//! used.
//!
//! # Notation
//! `last` is the opponent's last move. Colours are codes: 1 black, 2 white, 0 empty, 3 wall.
//!
//! # Steps
//! 1. If an own string next to the last move is in atari, capture the string just played or another string whose
//!    capture saves it. Otherwise extend it if that gives two liberties.
//! 2. Play the vital point of a small eye space next to the last move, for either side.
//! 3. If an enemy string next to the last move has two liberties, put it into atari. Rarely, save an own string that
//!    has two liberties.
//! 4. Play a 3x3 pattern around the last move.
//! 5. Play anywhere else, but never into an own eye and never as suicide. Self-atari is played only to fill a dead
//!    shape, and not always.
//!
//! # Departures
//! Steps 2 and 3 are not in the report.

use super::board::{EMPTY, PlayoutBoard, WALL};
use super::{nakade, patterns3};
use crate::board::{SmallList, Vertex};
use tengen_core::SplitMix64;

/// The probability (in 256ths) of each step.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Step 1.
    pub atari: u32,
    /// Step 3.
    pub two_liberties: u32,
    /// Step 4.
    pub patterns: u32,
    /// The chance that step 5 allows a self-atari of two to five stones that fills a dead shape.
    pub self_atari: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self { atari: 230, two_liberties: 90, patterns: 240, self_atari: 128 }
    }
}

/// The most moves that are compared in one step.
const CHOICES: usize = 24;

/// A few moves, one of which is taken by chance.
type Choices = SmallList<u16, CHOICES>;

impl Choices {
    fn add(&mut self, v: usize) {
        self.push_once(v as u16);
    }

    fn pick(&self, random: &mut SplitMix64) -> Option<usize> {
        (!self.is_empty()).then(|| self[random.below(self.len() as u32) as usize] as usize)
    }
}

impl Policy {
    /// The move of `color` (a code) after the opponent's `last` (0: none or a pass); `None` is a pass.
    pub(crate) fn choose(
        &self,
        board: &PlayoutBoard,
        color: u8,
        last: usize,
        random: &mut SplitMix64,
    ) -> Option<usize> {
        let dice = random.next_u64();
        if last != 0 && board.color[last] != EMPTY {
            // 1.
            if (dice & 255) < u64::from(self.atari)
                && let Some(v) = answer_atari(board, color, last).pick(random)
            {
                return Some(v);
            }
            // 2.
            if let Some(v) = vital_moves(board, color, last).pick(random) {
                return Some(v);
            }
            // 3.
            if (dice >> 8 & 255) < u64::from(self.two_liberties)
                && let Some(v) = two_liberties(board, color, last).pick(random)
            {
                return Some(v);
            }
            // 4.
            if (dice >> 16 & 255) < u64::from(self.patterns)
                && let Some(v) = pattern_moves(board, color, last).pick(random)
            {
                return Some(v);
            }
        }
        // 5.
        self.anywhere(board, color, random)
    }

    fn anywhere(&self, board: &PlayoutBoard, color: u8, random: &mut SplitMix64) -> Option<usize> {
        let n = board.empty_count();
        if n == 0 {
            return None;
        }
        let start = random.below(n as u32) as usize;
        let mut reserve = None;
        for i in 0..n {
            let at = start + i;
            let v = board.empty(if at >= n { at - n } else { at });
            if board.is_eye(v, color) || !board.is_legal(v, color) {
                continue;
            }
            if self.is_bad_self_atari(board, v, color, random) {
                if reserve.is_none() && board.after_play(v, color).1 == 1 {
                    reserve = Some(v);
                }
                continue;
            }
            return Some(v);
        }
        // Throw-ins only when nothing else is left: they decide some eyes and spoil many.
        reserve.filter(|_| random.below(4) == 0)
    }

    fn is_bad_self_atari(&self, board: &PlayoutBoard, v: usize, color: u8, random: &mut SplitMix64) -> bool {
        let (liberties, size) = board.after_play(v, color);
        if liberties > 1 || captures(board, v, color) > 1 {
            return false;
        }
        match size {
            1 => random.below(2) == 0,
            2..=5 => random.below(256) >= self.self_atari || !nakade::fills_dead_shape(board, v, color),
            _ => true,
        }
    }
}

/// Stones `color` takes by playing `v` (a string met twice is counted twice; only "none" and "some" are used).
fn captures(board: &PlayoutBoard, v: usize, color: u8) -> u16 {
    let enemy = 3 - color;
    board
        .neighbours(v)
        .into_iter()
        .filter(|&n| board.color[n] == enemy && board.liberty_count(n) == 1)
        .map(|n| board.string_size(n))
        .sum()
}

/// Step 1: moves that answer an atari, or that take the string just played.
fn answer_atari(board: &PlayoutBoard, color: u8, last: usize) -> Choices {
    let mut choices = Choices::default();
    if board.liberty_count(last) == 1 {
        let v = board.liberty(last);
        if board.is_legal(v, color) {
            choices.add(v);
        }
    }
    for n in board.neighbours(last) {
        if board.color[n] == color && board.liberty_count(n) == 1 {
            saving_moves(board, n, color, &mut choices);
        }
    }
    choices
}

/// Moves that save the string of `color` on `v`, which is in atari: captures of neighbours, or running.
fn saving_moves(board: &PlayoutBoard, v: usize, color: u8, choices: &mut Choices) {
    let enemy = 3 - color;
    let mut steps = 0;
    board.for_each_stone(v, |s| {
        // Long strings: look at the first stones only.
        steps += 1;
        if steps > 12 {
            return;
        }
        for n in board.neighbours(s) {
            if board.color[n] == enemy && board.liberty_count(n) == 1 {
                let take = board.liberty(n);
                if board.is_legal(take, color) {
                    choices.add(take);
                }
            }
        }
    });
    let run = board.liberty(v);
    if board.is_legal(run, color) {
        let (liberties, _) = board.after_play(run, color);
        if liberties > 2 || (liberties == 2 && !runs_into_ladder(board, run, v, color)) {
            choices.add(run);
        }
    }
}

/// A cheap guess whether running to `run` with two liberties is a ladder that fails: no friend near where it goes.
fn runs_into_ladder(board: &PlayoutBoard, run: usize, v: usize, color: u8) -> bool {
    if board.string_size(v) == 1 && board.neighbours(run).into_iter().any(|n| board.color[n] == WALL) {
        return true;
    }
    let friends = |p: usize| {
        board.neighbours(p).into_iter().any(|n| board.color[n] == color && board.head(n) != board.head(v))
    };
    let open = board.neighbours(run).into_iter().filter(|&n| board.color[n] == EMPTY);
    !open.into_iter().any(friends) && board.string_size(v) > 1
}

/// Step 2: vital points next to the last move.
fn vital_moves(board: &PlayoutBoard, color: u8, last: usize) -> Choices {
    let mut choices = Choices::default();
    for n in board.neighbours(last) {
        if board.color[n] == EMPTY
            && let Some(v) = nakade::vital_point(board, n)
            && board.is_legal(v, color)
        {
            choices.add(v);
        }
    }
    choices
}

/// Step 3: strings around the last move with two liberties.
fn two_liberties(board: &PlayoutBoard, color: u8, last: usize) -> Choices {
    let mut choices = Choices::default();
    let mut consider = |v: usize| {
        for liberty in board.liberties(v).iter().map(Vertex::at) {
            if board.is_legal(liberty, color) && board.after_play(liberty, color).0 > 2 {
                choices.add(liberty);
            }
        }
    };
    if board.liberty_count(last) == 2 {
        consider(last);
    }
    for n in board.neighbours(last) {
        if board.color[n] == color && board.liberty_count(n) == 2 {
            consider(n);
        }
    }
    choices
}

/// Step 4: moves on the eight vertices around the last move whose surroundings are a pattern.
fn pattern_moves(board: &PlayoutBoard, color: u8, last: usize) -> Choices {
    let mut choices = Choices::default();
    let (around, corners) = (board.neighbours(last), board.diagonals(last));
    for v in around.into_iter().chain(corners) {
        if board.color[v] == EMPTY
            && patterns3::matches(board, v)
            && board.is_legal(v, color)
            && (board.after_play(v, color).0 > 1 || captures(board, v, color) > 0)
        {
            choices.add(v);
        }
    }
    choices
}
