//! Unconditional life and territory: the strings that live, and the territory that stays, even if the owner never
//! answers.
//!
//! # Source
//! D. B. Benson, "Life in the game of Go", Information Sciences 10 (1976), for the strings. GNU Go 3.8 manual,
//! "unconditional_life" (utilities) and "unconditional_status" (dragons), for the steps and for territory.
//!
//! # Notation
//! The *owner* is the colour under study. The *attacker* is the other colour, which may play any number of moves in a
//! row. A string is *invincible* (Benson: unconditionally alive) if the attacker cannot take it. *Territory* is the
//! area where the attacker cannot get an invincible string.
//!
//! # Steps
//! For each colour as owner:
//! 1. The attacker plays on all liberties of a string. A string that falls stays off, and the attacker's stones remain;
//!    otherwise the moves are taken back. Repeat until no string falls. The remaining strings are invincible.
//! 2. The attacker plays on all liberties of the invincible strings, except where this is suicide.
//! 3. He extends his strings in atari repeatedly, except where this is suicide.
//! 4. He splits the empty regions: he plays wherever the stone has two empty neighbours, and then wherever it has one.
//! 5. Three sets of vertices are territory: his strings that are in atari, their liberties, and the remaining liberties
//!    of the invincible strings.
//! 6. A vertex is no territory if he could have a seki there (see `seki`).
//!
//! Then each string of the position gets its status. An invincible string, or one that touches territory of its own
//! colour, is *alive*. Another string on territory of the other colour is *dead*. The others are undecided.
//!
//! # Departures
//! Suicide and ko follow the default rules, whatever the rules of the board are. Suicide would only take the attacker's
//! own stones off. Moves of one colour alone lead to no ko. A ko that stands at the start is ignored. Step 6 is
//! Tengen's own; the manual leaves such sekis as an exercise to the reader.
//!
//! # Cost
//! A few hundred moves on a scratch board for each colour: tens of microseconds on 19x19.

#[cfg(test)]
mod benson_tests;
mod seki;
#[cfg(test)]
mod tests;

use crate::board::{Board, Color, Rules, Vertex};
use bevy_ecs::prelude::Component;
use std::fmt;

/// The status of a vertex that holds against any play of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Status {
    /// Nothing is certain.
    #[default]
    Undecided,
    /// A stone that can't be taken, or that its owner can't lose for good.
    Alive,
    /// A stone that can't be made alive by any number of moves.
    Dead,
    /// An empty vertex where the opponent can't live.
    Territory(Color),
}

impl fmt::Display for Status {
    /// GTP's word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Undecided => "undecided",
            Self::Alive => "alive",
            Self::Dead => "dead",
            Self::Territory(Color::White) => "white_territory",
            Self::Territory(Color::Black) => "black_territory",
        })
    }
}

/// The certain properties of one colour. Both columns are padded: the index is [`Vertex::at`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// Stones of invincible strings.
    pub invincible: Vec<bool>,
    /// Vertices, empty or not, where the other colour can't live.
    pub territory: Vec<bool>,
}

/// The status of every vertex. On a board slot [`crate::worms::WormsPlugin`] writes it.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct UnconditionalMap {
    /// Padded: the index is [`Vertex::at`].
    status: Vec<Status>,
    /// By colour.
    life: [Life; 2],
}

impl UnconditionalMap {
    /// Finds the status of every vertex of the board.
    #[must_use]
    pub fn build(board: &Board) -> Self {
        let life = Color::BOTH.map(|color| life(board, color));
        let mut status = vec![Status::Undecided; board.padded_len()];
        for v in board.vertices() {
            status[v.at()] = match board.color_at(v) {
                None => Color::BOTH
                    .into_iter()
                    .find(|c| life[c.index()].territory[v.at()])
                    .map_or(Status::Undecided, Status::Territory),
                // Judged once for the whole string, at its first stone.
                Some(_) if board.origin(v) != v => status[board.origin(v).at()],
                Some(color) => string_status(board, v, color, &life),
            };
        }
        Self { status, life }
    }

    /// The status of a vertex; undecided off the board.
    #[must_use]
    pub fn at(&self, v: Vertex) -> Status {
        self.status.get(v.at()).copied().unwrap_or_default()
    }

    /// Whether a stone on the vertex belongs to an invincible string.
    #[must_use]
    pub fn is_invincible(&self, v: Vertex) -> bool {
        self.life.iter().any(|life| life.invincible.get(v.at()) == Some(&true))
    }

    /// The certain properties of a colour.
    #[must_use]
    pub const fn of(&self, color: Color) -> &Life {
        &self.life[color.index()]
    }
}

fn string_status(board: &Board, v: Vertex, color: Color, life: &[Life; 2]) -> Status {
    let own = &life[color.index()];
    let touches = |s: Vertex| own.territory[s.at()] || board.neighbors4(s).any(|n| own.territory[n.at()]);
    if own.invincible[v.at()] || board.stones(v).any(touches) {
        Status::Alive
    } else if life[color.other().index()].territory[v.at()] {
        Status::Dead
    } else {
        Status::Undecided
    }
}

/// The certain properties of `owner` on this board.
#[must_use]
pub fn life(position: &Board, owner: Color) -> Life {
    let attacker = owner.other();
    let mut board = without_what_falls(position, owner);
    let mut life =
        Life { invincible: vec![false; board.padded_len()], territory: vec![false; board.padded_len()] };
    for v in board.vertices() {
        life.invincible[v.at()] = board.color_at(v) == Some(owner);
    }
    if !life.invincible.contains(&true) {
        return life;
    }
    // 2.
    play_where(&mut board, attacker, |b, v| b.strings_next_to(v, owner).next().is_some());
    // 3.
    while play_where(&mut board, attacker, |b, v| b.strings_next_to(v, attacker).any(|s| b.liberties(s) == 1))
    {
    }
    // 4.
    for empty in [2, 1] {
        play_where(&mut board, attacker, |b, v| b.neighbors4(v).filter(|&n| b.is_empty(n)).count() >= empty);
    }
    // 5.
    for v in board.vertices() {
        let lost = |s: Vertex| board.color_at(s) == Some(attacker) && board.liberties(s) == 1;
        let beside = |n: Vertex| lost(n) || board.color_at(n) == Some(owner);
        life.territory[v.at()] = lost(v) || board.is_empty(v) && board.neighbors4(v).any(beside);
    }
    // 6.
    seki::exclude(position, owner, &mut life);
    life
}

/// The stones of the invincible strings of `owner`, in vertex order: step 1 alone.
pub(crate) fn invincible(position: &Board, owner: Color) -> Vec<Vertex> {
    let left = without_what_falls(position, owner);
    left.all_stones(owner).iter().collect()
}

/// Step 1: the board once every string of `owner` that can fall has fallen.
fn without_what_falls(position: &Board, owner: Color) -> Board {
    let mut board = position.without_history().under(Rules::default());
    // A ko is open again by the time the attacker plays his second move.
    board.play(owner.other(), Vertex::PASS).expect("a pass is legal");
    while board.origins(board.all_stones(owner).iter()).into_iter().filter(|&s| take(&mut board, s)).count()
        > 0
    {}
    board
}

/// Step 1 for one string: whether it fell. A string that fell before does not count again.
fn take(board: &mut Board, string: Vertex) -> bool {
    let Some(owner) = board.color_at(string) else { return false };
    let before = board.history_len();
    loop {
        let liberties: Vec<Vertex> = board.liberty_vertices(string).collect();
        let played = liberties.into_iter().filter(|&l| board.play(owner.other(), l).is_ok()).count();
        if board.color_at(string) != Some(owner) {
            return true;
        }
        if played == 0 {
            board.undo_to(before);
            return false;
        }
    }
}

/// One pass in vertex order: plays wherever `wanted` and legal. Returns whether there was such a move.
fn play_where(board: &mut Board, color: Color, wanted: impl Fn(&Board, Vertex) -> bool) -> bool {
    let mut any = false;
    for v in board.vertices() {
        any |= board.is_empty(v) && wanted(board, v) && board.play(color, v).is_ok();
    }
    any
}
