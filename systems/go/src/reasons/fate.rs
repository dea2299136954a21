//! The fate of a stone when a given side moves next.
//!
//! # Steps
//! 1. A stone that is no longer there was captured.
//! 2. A string that can be captured is saved if its owner moves next and can save it. Otherwise it dies by the line
//!    of reading.
//! 3. Otherwise the status of its dragon decides. A critical dragon lives if its owner moves next.

use super::Seen;
use crate::board::{Color, Line, Vertex};
use crate::dragons::{Rule, Safety, Status};
use crate::tactics::Code;

/// The fate of a stone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is off the board.
    Gone,
    /// It dies.
    Dies {
        /// The line that kills it; empty if nothing need be played. The first move is the opponent's of its owner.
        line: Vec<Vertex>,
        /// Whether its string is taken by reading of strings, and not its dragon killed.
        is_capture: bool,
        /// Whether by a ko.
        by_ko: bool,
        /// Whether a closed field, or reading of its string to the end, proves it.
        proved: bool,
    },
    /// It lives.
    Lives {
        /// The move its owner needs, with the line after it; empty if none is needed.
        line: Vec<Vertex>,
        /// Whether in seki.
        in_seki: bool,
        /// Whether a closed field, or reading of its string to the end, proves it.
        proved: bool,
    },
    /// Nothing was read that decides.
    Unknown,
}

impl Fate {
    /// Whether it lives, if that is known.
    #[must_use]
    pub const fn lives(&self) -> Option<bool> {
        match self {
            Self::Gone | Self::Dies { .. } => Some(false),
            Self::Lives { .. } => Some(true),
            Self::Unknown => None,
        }
    }

    /// Whether it is proved, or plain.
    #[must_use]
    pub const fn is_proved(&self) -> bool {
        match self {
            Self::Gone => true,
            Self::Dies { proved, .. } | Self::Lives { proved, .. } => *proved,
            Self::Unknown => false,
        }
    }
}

/// The fate of the stone of this colour at a vertex.
#[must_use]
pub fn fate(seen: &Seen<'_>, v: Vertex, owner: Color) -> Fate {
    if seen.board.color_at(v) != Some(owner) {
        return Fate::Gone;
    }
    let moves_next = seen.to_move == owner;
    if let Some(string) = seen.string(v).filter(|string| string.attack.works()) {
        let proved = !string.limit_hit;
        if !(moves_next && string.defense.works()) {
            let is_ko = matches!(string.attack, Code::KoA | Code::KoB);
            return Fate::Dies { line: string.line.clone(), is_capture: true, by_ko: is_ko, proved };
        }
    }
    let Some(dragon) = seen.dragon(v) else { return Fate::Unknown };
    let line = |line: &Line| line.to_vec();
    let (owl, race) = (&dragon.owl, &dragon.semeai);
    match dragon.status {
        Status::Alive => Fate::Lives {
            line: Vec::new(),
            in_seki: dragon.safety == Safety::AliveInSeki,
            proved: owl.is_proved() || matches!(dragon.rule, Rule::Unconditional | Rule::Eyes),
        },
        Status::Dead => {
            Fate::Dies { line: Vec::new(), is_capture: false, by_ko: false, proved: owl.is_proved() }
        }
        Status::Critical => {
            let [attack, defense] = dragon.main_lines().unwrap_or_default();
            let raced = race.count > 0 && attack == race.attack.line;
            let play = match (raced, moves_next) {
                (true, true) => &race.defense,
                (true, false) => &race.attack,
                (false, true) => &owl.defense,
                (false, false) => &owl.attack,
            };
            let by_ko = matches!(play.code, Code::KoA | Code::KoB);
            if moves_next {
                Fate::Lives { line: line(&defense), in_seki: false, proved: play.proved }
            } else {
                Fate::Dies { line: line(&attack), is_capture: false, by_ko, proved: play.proved }
            }
        }
        Status::Unknown => Fate::Unknown,
    }
}
