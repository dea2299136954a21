//! Publishes chess searches in the World: the components that a system can query while a search goes on.
//!
//! The plugins of [`ChessPlugins`] publish every [`Think`] that runs on the schedule [`Expand`] of their World. These
//! plugins run in the set [`ExpandSystems::Publish`]. Systems of users read the components in the next set,
//! [`ExpandSystems::Watch`]. In this set they may insert [`tengen_search::StopSearch`] on the entity of a search.
//!
//! | entity | components | written by |
//! | --- | --- | --- |
//! | the search | [`ChessPosition`] | [`PositionPlugin`], once |
//! | the search | [`ChessSearch`] | [`SearchPlugin`], after each finished iteration |
//! | the search | [`TableUse`] | [`TablePlugin`], after each finished iteration |
//! | one for each line of each finished iteration | [`IterationOf`], [`Iteration`], [`Score`], [`Line`], [`RestsOn`], [`Spent`] | [`IterationsPlugin`], once |
//!
//! [`Iterations`] on the search lists its iterations in the order in which they were finished, best line first.
//! [`tengen_search::take`] despawns the iterations together with the search.
//!
//! # Invariants
//! No search reads these components. So a user may disable every plugin, or replace it by one that writes the same
//! components. The result of the search stays the same.
//!
//! # Cost
//! About two microseconds for each finished iteration, and nothing for each node. `benches/examples/publishing.rs`
//! measures the share of a search's time.

#[cfg(test)]
mod tests;

use crate::history::Game;
use crate::repetition::Path;
use crate::search::{Options, Think};
use bevy_app::prelude::*;
use bevy_app::{PluginGroup, PluginGroupBuilder};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use cozy_chess::Move;
use tengen_search::{Expand, ExpandSystems, News, Running};

/// The plugins that publish chess searches. A World also needs [`tengen_search::ExpandPlugin`].
///
/// | plugin | writes |
/// | --- | --- |
/// | [`PositionPlugin`] | [`ChessPosition`] |
/// | [`SearchPlugin`] | [`ChessSearch`] |
/// | [`IterationsPlugin`] | [`Iterations`] and their entities |
/// | [`TablePlugin`] | [`TableUse`] |
pub struct ChessPlugins;

impl PluginGroup for ChessPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(PositionPlugin)
            .add(SearchPlugin)
            .add(IterationsPlugin)
            .add(TablePlugin)
    }
}

/// The searched position, and the game before it.
#[derive(Component, Clone, Debug)]
pub struct ChessPosition(pub Game);

/// The state of a search. With several threads it is the state after the last merged iteration.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct ChessSearch {
    /// The options of the search.
    pub options: Options,
    /// The last finished iteration, 0 before the first.
    pub depth: u32,
    /// Deepest ply.
    pub deepest: u32,
    /// Positions entered.
    pub nodes: u64,
    /// The move that the search would answer now; `None` before the first iteration.
    pub best: Option<Move>,
    /// The limit that ended it, as in [`crate::search::SearchReport`]; `None` while it runs.
    pub ended_by: Option<&'static str>,
}

/// The transposition table of a search.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableUse {
    /// The number of entries for which it has room.
    pub entries: usize,
    /// The share of entries that the search had written at the end of the last iteration, per mille.
    pub full: u32,
}

/// The lines of the finished iterations of a search: earlier iterations first, and better lines of one iteration first.
/// Its removal despawns them. A plain component and a hook do what a relationship of bevy would.
#[derive(Component, Clone, Debug, Default)]
#[component(on_remove = despawn_lines)]
pub struct Iterations {
    lines: Vec<Entity>,
    /// The depth of the last iteration.
    depth: u32,
}

impl Iterations {
    /// The entities of the lines.
    #[must_use]
    pub fn lines(&self) -> &[Entity] {
        &self.lines
    }
}

/// Despawns the lines of a search that goes.
fn despawn_lines(mut world: DeferredWorld, of: HookContext) {
    let lines = world.get_mut::<Iterations>(of.entity).map(|mut known| std::mem::take(&mut known.lines));
    let mut commands = world.commands();
    lines.into_iter().flatten().for_each(|line| commands.entity(line).try_despawn());
}

/// The search to which a line of an iteration belongs.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct IterationOf(pub Entity);

/// A line of a finished iteration.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct Iteration {
    /// The depth of the iteration, from 1.
    pub depth: u32,
    /// The rank of the line among those of the iteration, from 1.
    pub rank: usize,
}

/// The score of a line. Its window did not fail, so it is exact at its depth.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Centipawns or mate, as the side to move at the root sees it; see [`crate::search::report::mate_in`].
    pub value: i32,
    /// The range without repetitions in the tree, under schemes that follow it.
    pub shadow: Option<(i32, i32)>,
}

/// The moves of a line, the first at the root. [`Game::line_texts`] writes them.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct Line(pub Vec<Move>);

/// The grounds of a line's score: whether another game before the same position would give another score.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestsOn(pub Path);

/// The work of a search up to the end of an iteration.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Positions entered.
    pub nodes: u64,
    /// Deepest ply.
    pub deepest: u32,
}

/// Publishes [`ChessPosition`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionPlugin;

impl Plugin for PositionPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_positions.in_set(ExpandSystems::Publish));
    }
}

/// Publishes [`ChessSearch`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchPlugin;

impl Plugin for SearchPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_searches.in_set(ExpandSystems::Publish));
    }
}

/// Publishes an entity for each line of each finished iteration.
#[derive(Clone, Copy, Debug, Default)]
pub struct IterationsPlugin;

impl Plugin for IterationsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_iterations.in_set(ExpandSystems::Publish));
    }
}

/// Publishes [`TableUse`].
#[derive(Clone, Copy, Debug, Default)]
pub struct TablePlugin;

impl Plugin for TablePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_tables.in_set(ExpandSystems::Publish));
    }
}

/// Writes [`ChessPosition`] of new searches.
fn publish_positions(searches: Query<(Entity, &Running), Added<News>>, mut commands: Commands) {
    for (entity, running) in &searches {
        if let Some(think) = running.search::<Think>() {
            commands.entity(entity).insert(ChessPosition(think.game().clone()));
        }
    }
}

/// Writes [`ChessSearch`].
fn publish_searches(
    mut searches: Query<(Entity, &Running, Option<&mut ChessSearch>), Changed<News>>,
    mut commands: Commands,
) {
    for (entity, running, published) in &mut searches {
        let Some(think) = running.search::<Think>().filter(|think| think.is_at_rest()) else { continue };
        match published {
            Some(mut published) => {
                update(&mut published, think);
            }
            None => {
                let (options, ended_by) = (think.options().clone(), None);
                let mut new = ChessSearch { options, depth: 0, deepest: 0, nodes: 0, best: None, ended_by };
                update(&mut new, think);
                commands.entity(entity).insert(new);
            }
        }
    }
}

/// Brings the state of a search up to date.
fn update(published: &mut ChessSearch, think: &Think) {
    let counters = think.counters();
    (published.depth, published.ended_by) = (think.depth(), think.ended_by());
    (published.nodes, published.deepest) = (counters.nodes, counters.seldepth as u32);
    published.best = think.lines().next().and_then(|(_, moves)| moves.first().copied());
}

/// Spawns the lines of the iterations that were finished since the last tick. A tick merges one iteration at most.
fn publish_iterations(
    mut searches: Query<(Entity, &Running, Option<&mut Iterations>), Changed<News>>,
    mut commands: Commands,
) {
    for (entity, running, published) in &mut searches {
        let Some(think) = running.search::<Think>() else { continue };
        if published.as_ref().map_or(0, |published| published.depth) == think.depth() {
            continue;
        }
        let new = think.lines().map(|(info, moves)| {
            let line = (
                IterationOf(entity),
                Iteration { depth: info.depth, rank: info.multi_pv },
                Score { value: info.score, shadow: info.shadow },
                Line(moves.to_vec()),
                RestsOn(info.path),
                Spent { nodes: info.nodes, deepest: info.seldepth },
            );
            commands.spawn(line).id()
        });
        match published {
            Some(mut published) => {
                published.lines.extend(new);
                published.depth = think.depth();
            }
            None => {
                let lines = new.collect();
                commands.entity(entity).insert(Iterations { lines, depth: think.depth() });
            }
        }
    }
}

/// Writes [`TableUse`]. The search takes the sample of the table itself, once for each line.
fn publish_tables(
    mut searches: Query<(Entity, &Running, Option<&mut TableUse>), Changed<News>>,
    mut commands: Commands,
) {
    for (entity, running, published) in &mut searches {
        let Some(think) = running.search::<Think>() else { continue };
        // The line that was searched last has the latest sample.
        let full = think.lines().map(|(info, _)| info.full).max().unwrap_or(0);
        let now = TableUse { entries: think.table().entries(), full };
        match published {
            Some(mut published) => {
                published.set_if_neq(now);
            }
            None => {
                commands.entity(entity).insert(now);
            }
        }
    }
}
