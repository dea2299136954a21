//! The results of an analysed position that the modules for fates, units and causes use.

use crate::board::{Board, Color, Vertex};
use crate::dragons::{Dragon, DragonMap, EyeMap};
use crate::engine::GoEngine;
use crate::influence::{BreakIns, SecondInfluence};
use crate::judge::{Judgement, View};
use crate::schedule::AnalyseSystems as S;
use crate::tactics::{TacticsMap, WormTactics};

/// An analysed position with the opponent to move.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The stones.
    pub board: &'a Board,
    /// Who moves next.
    pub to_move: Color,
    /// Readings of strings.
    pub tactics: &'a TacticsMap,
    /// Dragons and their statuses.
    pub dragons: &'a DragonMap,
    /// Eye spaces.
    pub eyes: &'a EyeMap,
    /// Influence, territory and moyo.
    pub influence: &'a SecondInfluence,
    /// Break-ins into territories.
    pub break_ins: &'a BreakIns,
    /// The judge's view with that side to move.
    pub view: &'a View,
}

impl<'a> Seen<'a> {
    /// An engine's results for a slot, with this side to move next. `None` if its analysis did not reach that stage
    /// or there is no judge.
    #[must_use]
    pub fn of(engine: &'a GoEngine, slot: usize, to_move: Color) -> Option<Self> {
        let view = engine.result::<Judgement>(slot, S::Judge)?.with(to_move)?;
        Self::with(engine, slot, to_move, view)
    }

    /// An engine's results for a slot, with this side to move next and the judge's view.
    #[must_use]
    pub fn with(engine: &'a GoEngine, slot: usize, to_move: Color, view: &'a View) -> Option<Self> {
        Some(Self {
            board: &engine.position(slot)?.board,
            to_move,
            tactics: engine.result(slot, S::Tactics)?,
            dragons: engine.result(slot, S::Dragons)?,
            eyes: engine.result(slot, S::Dragons)?,
            influence: engine.result(slot, S::SecondInfluence)?,
            break_ins: engine.result(slot, S::SecondInfluence)?,
            view,
        })
    }

    /// The readings of the string at a vertex.
    #[must_use]
    pub fn string(&self, v: Vertex) -> Option<&'a WormTactics> {
        self.tactics.at(self.board, v)
    }

    /// The dragon at a vertex.
    #[must_use]
    pub fn dragon(&self, v: Vertex) -> Option<&'a Dragon> {
        self.board.color_at(v)?;
        self.dragons.dragons.get(usize::from(*self.dragons.index.get(v.at())?))
    }

    /// The number of the dragon at a vertex.
    #[must_use]
    pub fn dragon_number(&self, v: Vertex) -> Option<u16> {
        self.board.color_at(v)?;
        self.dragons.index.get(v.at()).copied().filter(|&n| n != u16::MAX)
    }
}
