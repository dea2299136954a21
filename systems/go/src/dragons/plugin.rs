//! Dragons in the schedule.

use super::build::{Influences, Tools, build, life_nodes};
use super::map::{DragonMap, EyeMap, Safety, Status};
use crate::board::{Board, Color};
use crate::influence::{FirstInfluence, LIVELY, StoneStatus, StoneStatuses};
use crate::patterns::PatternDatabases;
use crate::schedule::{Analyse, AnalyseSystems, Effort, NodeLimit};
use crate::tactics::{Limits, TacticsMap};
use crate::world::{BoardSlot, Position};
use crate::worms::WormMap;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Finds the dragons of every board and whether they live.
///
/// Reads [`Position`], [`WormMap`], [`TacticsMap`], [`FirstInfluence`]; writes [`EyeMap`], [`DragonMap`] and
/// [`StoneStatuses`]; runs in [`AnalyseSystems::Dragons`].
pub struct DragonsPlugin;

impl Plugin for DragonsPlugin {
    fn build(&self, app: &mut App) {
        // The second influence asks for it too, and either plugin may be there without the other.
        let _ = app.try_register_required_components::<BoardSlot, StoneStatuses>();
        app.register_required_components::<BoardSlot, DragonMap>()
            .register_required_components::<BoardSlot, EyeMap>()
            .add_systems(Analyse, find_dragons.in_set(AnalyseSystems::Dragons));
    }
}

type Boards<'a> = (
    &'a Position,
    &'a WormMap,
    Option<&'a TacticsMap>,
    &'a FirstInfluence,
    &'a mut EyeMap,
    &'a mut DragonMap,
    &'a mut StoneStatuses,
);

pub(crate) fn find_dragons(
    mut boards: Query<Boards<'_>>,
    most: Res<NodeLimit>,
    effort: Res<Effort>,
    databases: Option<Res<PatternDatabases>>,
    mut kept: Local<Option<(Effort, Tools)>>,
) {
    let made = kept.take().filter(|(of, _)| *of == *effort);
    let (_, tools) = kept.insert(made.unwrap_or_else(|| (*effort, Tools::new(*effort))));
    if let Some(databases) = databases {
        tools.links.patterns = databases.connections.clone();
    }
    tools.reader.read_under(Limits::default().at_most(most.0));
    let nodes = life_nodes(*effort);
    tools.life_nodes = most.0.map_or(nodes, |most| u32::try_from(most).unwrap_or(nodes).min(nodes));
    for (position, worms, tactics, influence, mut eyes, mut dragons, mut statuses) in &mut boards {
        let influences = Influences { maps: &influence.maps, escape: &influence.escape };
        (*eyes, *dragons) = build(&position.board, worms, tactics, Some(influences), tools);
        *statuses = stone_statuses(&position.board, &dragons);
    }
}

/// What the second influence pass wants to know of the stones: not dead, not critical with the opponent to move, and as
/// strong a source as the dragon was before reading. Inessential stones block and give nothing.
#[must_use]
pub fn stone_statuses(board: &Board, dragons: &DragonMap) -> StoneStatuses {
    StoneStatuses(Color::BOTH.map(|to_move| {
        let mut column = vec![StoneStatus::default(); board.padded_len()];
        for dragon in &dragons.dragons {
            let lost = match dragon.status {
                Status::Dead => true,
                Status::Critical => dragon.color != to_move,
                Status::Alive | Status::Unknown => false,
            };
            let status = if dragon.safety == Safety::Inessential && dragon.status != Status::Dead {
                StoneStatus { safe: true, strength: 0.0 }
            } else {
                StoneStatus { safe: !lost, strength: LIVELY.strength * (1.0 - 0.3 * dragon.weakness_pre_owl) }
            };
            for v in &dragon.stones {
                column[v.at()] = status;
            }
        }
        column
    }))
}
