//! Publishes searches in the World: a system can query the game's net and the search while the search runs.
//!
//! The plugins of [`PropnetPlugins`] publish every [`Uct`] that runs on the schedule [`Expand`] of their World, with or
//! without a [`TreeJob`]. Their set is [`ExpandSystems::Publish`]. Systems of users read in the next set,
//! [`ExpandSystems::Watch`]. There they may insert [`tengen_search::StopSearch`] on the entity of a search.
//!
//! | entity | components | written by |
//! | --- | --- | --- |
//! | the search | [`GameNet`] | [`NetPlugin`], once |
//! | the search | [`RootState`] | [`StatePlugin`], once |
//! | the search | [`TreeUse`] | [`TreePlugin`], while the tree grows |
//! | the search | [`Playouts`] | [`PlayoutsPlugin`], while playouts are merged |
//! | one for each legal move of each role | [`LegalMoveOf`], [`LegalMove`], [`Spelling`] | [`MovesPlugin`], once |
//! | the same | [`Picks`], [`LeadsTo`] | [`MovesPlugin`], while the tree grows |
//!
//! [`LegalMoves`] on the search lists its moves role by role. [`take`] despawns them with the search.
//!
//! # Invariants
//! No search reads the published components. So every plugin may be disabled, or replaced by another plugin that writes
//! the same components, without a change in the result of the search.
//!
//! # Cost
//! Changed components are published after every 256 visits and at the end. `benches/examples/publishing.rs` measures
//! the share of a search's time.

#[cfg(test)]
mod tests;

use crate::game::Game;
use crate::machine::{MoveId, State};
use crate::players::uct::{Candidate, Line, Uct};
use bevy_app::prelude::*;
use bevy_app::{PluginGroup, PluginGroupBuilder};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use std::sync::Arc;
use tengen_search::{Expand, ExpandSystems, News, Running, TreeJob};

/// The plugins that publish searches of nets. A World also needs [`tengen_search::ExpandPlugin`].
///
/// | plugin | writes |
/// | --- | --- |
/// | [`NetPlugin`] | [`GameNet`] |
/// | [`StatePlugin`] | [`RootState`] |
/// | [`MovesPlugin`] | [`LegalMoves`] and their entities |
/// | [`TreePlugin`] | [`TreeUse`] |
/// | [`PlayoutsPlugin`] | [`Playouts`] |
pub struct PropnetPlugins;

impl PluginGroup for PropnetPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(NetPlugin)
            .add(StatePlugin)
            .add(MovesPlugin)
            .add(TreePlugin)
            .add(PlayoutsPlugin)
    }
}

/// The game of a search, with its net.
#[derive(Component, Clone, Debug)]
pub struct GameNet {
    /// The game: roles, names, machines.
    pub game: Arc<Game>,
    /// The parts of its net; `None` if the prover answers for the game.
    pub parts: Option<Parts>,
}

/// The numbers of the parts of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Base propositions: the facts that a state may hold.
    pub bases: usize,
    /// Input propositions: the moves of all roles.
    pub inputs: usize,
    /// Gates.
    pub gates: usize,
}

/// The searched state. A machine of [`GameNet::game`] answers questions about it.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct RootState(pub Arc<State>);

/// The tree of a search.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct TreeUse {
    /// Nodes.
    pub nodes: usize,
    /// Approximate memory in bytes.
    pub bytes: usize,
    /// Visits, those under way included.
    pub visits: u64,
    /// For each role the move that the search would answer now; `None` for a role without a legal move.
    pub best: Vec<Option<Best>>,
    /// The goals of the roles with best play, once proven.
    pub solved: Option<Vec<f64>>,
}

/// The best move of a role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// The move, its picks, its mean goal.
    pub line: Line,
    /// Its share of the role's picks, 0 to 1.
    pub share: f64,
}

/// The playouts of a search.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct Playouts {
    /// The states from which the search has played out: 64 games each with a net, one with the prover.
    pub states: u64,
    /// The mean goal of each role over them, 0 to 100; empty before the first.
    pub goals: Vec<f64>,
}

/// The legal moves at the root of a search: role by role, by their numbers.
/// Its removal despawns them. A plain component and a hook do what a relationship of bevy would.
#[derive(Component, Clone, Debug, Default)]
#[component(on_remove = despawn_moves)]
pub struct LegalMoves(Vec<Entity>);

impl LegalMoves {
    /// The entities of the moves.
    #[must_use]
    pub fn moves(&self) -> &[Entity] {
        &self.0
    }
}

/// Despawns the moves of a search that goes.
fn despawn_moves(mut world: DeferredWorld, of: HookContext) {
    let moves = world.get_mut::<LegalMoves>(of.entity).map(|mut known| std::mem::take(&mut known.0));
    let mut commands = world.commands();
    moves.into_iter().flatten().for_each(|legal| commands.entity(legal).try_despawn());
}

/// The search to which a legal move belongs.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct LegalMoveOf(pub Entity);

/// A legal move at the root of a search.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct LegalMove {
    /// The role, as in the rulesheet.
    pub role: usize,
    /// The number of the move.
    pub id: MoveId,
}

/// A move in canonical spelling.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct Spelling(pub String);

/// What the search has found about a move.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Picks {
    /// The number of picks, those under way included.
    pub visits: u32,
    /// The mean goal of its role, 0 to 100.
    pub value: f64,
    /// Whether the goal is proven.
    pub is_proven: bool,
}

/// The state after a move. Only the moves of a role that alone has a choice have it, once the tree holds the state.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
#[component(immutable)]
pub struct LeadsTo(pub Arc<State>);

/// Starts a search. With one thread its tree goes to a thread for some rounds at a time ([`TreeJob`]).
pub fn start(world: &mut World, order: u64, search: Uct) -> Entity {
    if search.threads() > 1 {
        tengen_search::start(world, order, search)
    } else {
        tengen_search::start(world, order, TreeJob::new(search))
    }
}

/// Takes a finished search, and its entities, out of the World; `None` if it is not a finished search of a net.
pub fn take(world: &mut World, entity: Entity) -> Option<Uct> {
    let carried = tengen_search::take::<TreeJob<Uct>>(world, entity).and_then(TreeJob::found);
    carried.or_else(|| tengen_search::take(world, entity))
}

/// Publishes [`GameNet`].
#[derive(Clone, Copy, Debug, Default)]
pub struct NetPlugin;

impl Plugin for NetPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_nets.in_set(ExpandSystems::Publish));
    }
}

/// Publishes [`RootState`].
#[derive(Clone, Copy, Debug, Default)]
pub struct StatePlugin;

impl Plugin for StatePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_states.in_set(ExpandSystems::Publish));
    }
}

/// Publishes an entity for each legal move.
#[derive(Clone, Copy, Debug, Default)]
pub struct MovesPlugin;

impl Plugin for MovesPlugin {
    fn build(&self, app: &mut App) {
        let systems = (publish_moves, publish_picks).chain();
        app.add_systems(Expand, systems.in_set(ExpandSystems::Publish));
    }
}

/// Publishes [`TreeUse`].
#[derive(Clone, Copy, Debug, Default)]
pub struct TreePlugin;

impl Plugin for TreePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_trees.in_set(ExpandSystems::Publish));
    }
}

/// Publishes [`Playouts`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayoutsPlugin;

impl Plugin for PlayoutsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Expand, publish_playouts.in_set(ExpandSystems::Publish));
    }
}

/// The search of a net, unless a job has it.
fn search_of(running: &Running) -> Option<&Uct> {
    running.search::<Uct>().or_else(|| running.search::<TreeJob<Uct>>()?.get())
}

/// Writes [`GameNet`] of new searches.
fn publish_nets(searches: Query<(Entity, &Running), Added<News>>, mut commands: Commands) {
    for (entity, running) in &searches {
        let Some(uct) = search_of(running) else { continue };
        let game = Arc::clone(uct.game());
        let parts = game.topology.as_ref().ok().map(|topology| Parts {
            bases: topology.net.bases(),
            inputs: topology.net.inputs(),
            gates: topology.net.gates(),
        });
        commands.entity(entity).insert(GameNet { game, parts });
    }
}

/// Writes [`RootState`] of new searches.
fn publish_states(searches: Query<(Entity, &Running), Added<News>>, mut commands: Commands) {
    for (entity, running) in &searches {
        if let Some(uct) = search_of(running) {
            commands.entity(entity).insert(RootState(Arc::clone(uct.state())));
        }
    }
}

/// Spawns the legal moves of new searches.
fn publish_moves(searches: Query<(Entity, &Running), Added<News>>, mut commands: Commands) {
    for (entity, running) in &searches {
        let Some(uct) = search_of(running) else { continue };
        let mut moves = Vec::new();
        for role in 0..uct.game().program.roles().len() {
            for candidate in uct.candidates(role) {
                let id = candidate.line.id;
                let spelling = Spelling(uct.move_text(role, id));
                let key = (LegalMoveOf(entity), LegalMove { role, id });
                let mut spawned = commands.spawn((key, spelling, picks(&candidate)));
                if let Some(state) = candidate.leads_to {
                    spawned.insert(LeadsTo(Arc::clone(state)));
                }
                moves.push(spawned.id());
            }
        }
        commands.entity(entity).insert(LegalMoves(moves));
    }
}

/// What the search has found about a move.
fn picks(candidate: &Candidate<'_>) -> Picks {
    let Candidate { line, is_proven, .. } = *candidate;
    Picks { visits: line.visits, value: line.value, is_proven }
}

/// Writes [`Picks`] and [`LeadsTo`] of the moves of searches that have gone on.
fn publish_picks(
    searches: Query<(&Running, &LegalMoves), Changed<News>>,
    mut moves: Query<(&mut Picks, Has<LeadsTo>)>,
    mut commands: Commands,
) {
    for (running, entities) in &searches {
        let Some(uct) = search_of(running) else { continue };
        let roles = 0..uct.game().program.roles().len();
        for (&entity, candidate) in entities.0.iter().zip(roles.flat_map(|role| uct.candidates(role))) {
            let Ok((mut known, leads)) = moves.get_mut(entity) else { continue };
            known.set_if_neq(picks(&candidate));
            if let (false, Some(state)) = (leads, candidate.leads_to) {
                commands.entity(entity).insert(LeadsTo(Arc::clone(state)));
            }
        }
    }
}

/// Writes [`TreeUse`].
fn publish_trees(
    mut searches: Query<(Entity, &Running, Option<&mut TreeUse>), Changed<News>>,
    mut commands: Commands,
) {
    for (entity, running, known) in &mut searches {
        let Some(uct) = search_of(running) else { continue };
        match known {
            Some(mut known) => {
                known.set_if_neq(tree_use(uct));
            }
            None => {
                commands.entity(entity).insert(tree_use(uct));
            }
        }
    }
}

/// The tree of a search, as far as it is published.
fn tree_use(uct: &Uct) -> TreeUse {
    let best = |role| {
        let line = uct.best(role)?;
        let picks: u64 = uct.candidates(role).map(|candidate| u64::from(candidate.line.visits)).sum();
        Some(Best { line, share: f64::from(line.visits) / picks.max(1) as f64 })
    };
    TreeUse {
        nodes: uct.nodes(),
        bytes: uct.bytes(),
        visits: uct.visits(),
        best: (0..uct.game().program.roles().len()).map(best).collect(),
        solved: uct.solved().map(<[f64]>::to_vec),
    }
}

/// Writes [`Playouts`].
fn publish_playouts(
    mut searches: Query<(Entity, &Running, Option<&mut Playouts>), Changed<News>>,
    mut commands: Commands,
) {
    for (entity, running, known) in &mut searches {
        let Some(uct) = search_of(running) else { continue };
        let now = Playouts { states: uct.played().states, goals: uct.played().means() };
        match known {
            Some(mut known) => {
                known.set_if_neq(now);
            }
            None => {
                commands.entity(entity).insert(now);
            }
        }
    }
}
