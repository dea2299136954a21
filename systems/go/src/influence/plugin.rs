//! Computes influence for every board. One system of the schedule runs before dragons are known, another one after.

use super::passes::pattern_statuses;
use super::patterns::causes;
use super::{Kind, Pass, StoneStatus, lively};
use crate::board::{Board, Color};
use crate::effort::{Effort, Limits};
use crate::memory::ReadingMemory;
use crate::patterns::{EngineQueries, Memo, PatternDatabases};
use crate::schedule::{Analyse, AnalyseSystems};
use crate::spread::{InfluenceMap, Spreader};
use crate::tactics::{Reader, TacticsMap};
use crate::world::{BoardSlot, Position};
use crate::worms::WormMap;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Influence of all lively stones, dragons not known. Written by [`FirstInfluencePlugin`].
#[derive(Component, Clone, Debug, Default)]
pub struct FirstInfluence {
    /// With Black, with White to move.
    pub maps: [InfluenceMap; 2],
    /// For escape routes, nobody to move.
    pub escape: InfluenceMap,
    /// The readings for the patterns; the second pass asks the same questions.
    pub readings: Memo,
    /// Questions of patterns to reading that the node limit cut off.
    pub cut_off: u64,
}

/// Influence with the dragons' strengths. Written by [`SecondInfluencePlugin`].
#[derive(Component, Clone, Debug, Default)]
pub struct SecondInfluence {
    /// With Black, with White to move.
    pub maps: [InfluenceMap; 2],
    /// For escape routes, nobody to move.
    pub escape: InfluenceMap,
    /// Per padded vertex the status of the stones, with Black and with White to move, from dragons and reading
    /// together.
    pub status: [Vec<StoneStatus>; 2],
    /// Questions of patterns to reading that the node limit cut off.
    pub cut_off: u64,
}

/// The data about the stones at the judgement of dragons: for each padded vertex, with Black and with White to move.
/// Written by the dragons; while it is empty the first influence is the second.
#[derive(Component, Clone, Debug, Default)]
pub struct StoneStatuses(pub [Vec<StoneStatus>; 2]);

impl FirstInfluence {
    /// Whether it was found for a board of this size.
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        self.maps[0].covers(board)
    }
}

impl SecondInfluence {
    /// Whether it was found for a board of this size.
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        self.maps[0].covers(board)
    }
}

/// Computes [`FirstInfluence`]; runs in [`AnalyseSystems::FirstInfluence`].
pub struct FirstInfluencePlugin;

impl Plugin for FirstInfluencePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PatternDatabases>()
            .register_required_components::<BoardSlot, FirstInfluence>()
            .add_systems(Analyse, first_influence.in_set(AnalyseSystems::FirstInfluence));
    }
}

/// Computes [`SecondInfluence`]; runs in [`AnalyseSystems::SecondInfluence`].
pub struct SecondInfluencePlugin;

impl Plugin for SecondInfluencePlugin {
    fn build(&self, app: &mut App) {
        // The dragons ask for it too, and either plugin may be there without the other.
        let _ = app.try_register_required_components::<BoardSlot, StoneStatuses>();
        app.init_resource::<PatternDatabases>()
            .register_required_components::<BoardSlot, SecondInfluence>()
            .add_systems(Analyse, second_influence.in_set(AnalyseSystems::SecondInfluence));
    }
}

fn first_influence(
    mut boards: Query<(&Position, &WormMap, &TacticsMap, &mut FirstInfluence)>,
    databases: Res<PatternDatabases>,
    effort: Res<Effort>,
    memory: Res<ReadingMemory>,
    mut scratch: Local<Scratch>,
) {
    scratch.read_under(effort.constraints, &memory);
    for (position, worms, tactics, mut out) in &mut boards {
        *out = first_pass(&mut scratch, &position.board, worms, tactics, &databases);
    }
}

/// Computes influence with dragons known.
pub fn second_influence(
    mut boards: Query<(
        &Position,
        &WormMap,
        &TacticsMap,
        &FirstInfluence,
        &StoneStatuses,
        &mut SecondInfluence,
    )>,
    databases: Res<PatternDatabases>,
    effort: Res<Effort>,
    memory: Res<ReadingMemory>,
    mut scratch: Local<Scratch>,
) {
    scratch.read_under(effort.constraints, &memory);
    for (position, worms, tactics, first, statuses, mut out) in &mut boards {
        *out = second_pass(&mut scratch, &position.board, worms, tactics, &databases, first, &statuses.0);
    }
}

/// Influence before dragons are known.
#[must_use]
pub fn first_pass(
    scratch: &mut Scratch,
    board: &Board,
    worms: &WormMap,
    tactics: &TacticsMap,
    databases: &PatternDatabases,
) -> FirstInfluence {
    let known = Known { board, worms, tactics, databases, first: None, statuses: Vec::new() };
    scratch.memo = Memo::default();
    let before = scratch.reader.cut_off();
    let [black, white, escape] = [Some(Color::Black), Some(Color::White), None]
        .map(|to_move| known.map(scratch, to_move, &known.lively(to_move)));
    FirstInfluence {
        maps: [black, white],
        escape,
        readings: std::mem::take(&mut scratch.memo),
        cut_off: scratch.reader.cut_off() - before,
    }
}

/// Influence with the stones' `statuses` as the dragons have them; without any it is that of the first pass.
#[must_use]
pub fn second_pass(
    scratch: &mut Scratch,
    board: &Board,
    worms: &WormMap,
    tactics: &TacticsMap,
    databases: &PatternDatabases,
    first: &FirstInfluence,
    statuses: &[Vec<StoneStatus>; 2],
) -> SecondInfluence {
    let mut known = Known { board, worms, tactics, databases, first: Some(first), statuses: Vec::new() };
    if statuses[0].len() != board.padded_len() {
        let status = Color::BOTH.map(|c| known.lively(Some(c)));
        return SecondInfluence {
            maps: first.maps.clone(),
            escape: first.escape.clone(),
            status,
            cut_off: 0,
        };
    }
    known.statuses = pattern_statuses(board, statuses);
    scratch.memo = first.readings.clone();
    let before = scratch.reader.cut_off();
    let status = Color::BOTH.map(|c| known.settle(c, &statuses[c.index()]));
    let maps = Color::BOTH.map(|c| known.map(scratch, Some(c), &status[c.index()]));
    let escape = known.map(scratch, None, &safe_either_way(&status));
    SecondInfluence { maps, escape, status, cut_off: scratch.reader.cut_off() - before }
}

/// The stones that stay safe with either side moving first.
fn safe_either_way(status: &[Vec<StoneStatus>; 2]) -> Vec<StoneStatus> {
    let pairs = status[0].iter().zip(&status[1]);
    pairs.map(|(a, b)| if a.safe && b.safe { *a } else { StoneStatus::default() }).collect()
}

/// The buffers of a pass, kept from board to board.
pub struct Scratch {
    spreader: Spreader,
    reader: Reader,
    memo: Memo,
    memory: ReadingMemory,
}

impl Scratch {
    /// Reads so far, and keeps answers here, from now on.
    fn read_under(&mut self, limits: Limits, memory: &ReadingMemory) {
        self.reader.read_under(limits);
        self.memory = memory.clone();
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            spreader: Spreader::default(),
            reader: Reader::new(Limits::of_constraints()),
            memo: Memo::default(),
            memory: ReadingMemory::with_bytes(0),
        }
    }
}

/// The findings of the earlier stages about a board.
struct Known<'a> {
    board: &'a Board,
    worms: &'a WormMap,
    tactics: &'a TacticsMap,
    databases: &'a PatternDatabases,
    first: Option<&'a FirstInfluence>,
    /// As [`pattern_statuses`] gives them.
    statuses: Vec<i32>,
}

impl Known<'_> {
    /// The stones that reading calls safe with this player to move.
    fn lively(&self, to_move: Option<Color>) -> Vec<StoneStatus> {
        lively(self.board, to_move, |v| {
            let known = self.tactics.at(self.board, v);
            known.map_or((false, false), |t| (t.attack.works(), t.defense.works()))
        })
    }

    /// The combined result of dragons and reading: a stone that gives influence is safe if both agree.
    fn settle(&self, to_move: Color, by_dragons: &[StoneStatus]) -> Vec<StoneStatus> {
        let mut status = by_dragons.to_vec();
        for (status, lively) in status.iter_mut().zip(self.lively(Some(to_move))) {
            if status.strength > 0.0 && !lively.safe {
                *status = StoneStatus::default();
            }
        }
        status
    }

    /// The map for this player to move; for escape routes if there is none.
    fn map(&self, scratch: &mut Scratch, to_move: Option<Color>, status: &[StoneStatus]) -> InfluenceMap {
        let kind = if to_move.is_some() { Kind::Territorial } else { Kind::Escape };
        let pass = Pass { board: self.board, to_move, status, kind };
        let field = pass.field();
        let mut queries = EngineQueries {
            worms: Some(self.worms),
            tactics: Some(self.tactics),
            influence: self.first.map(|f| &f.maps[to_move.unwrap_or(Color::Black).index()]),
            statuses: self.statuses.clone(),
            memo: std::mem::take(&mut scratch.memo),
            memory: scratch.memory.clone(),
            ..EngineQueries::new(self.board.without_history(), &mut scratch.reader)
        };
        let causes = causes(self.databases, &pass, &field, &mut queries);
        scratch.memo = queries.memo;
        pass.compute(&mut scratch.spreader, field, causes)
    }
}
