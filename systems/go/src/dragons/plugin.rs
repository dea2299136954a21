//! Dragons in the schedule: nine systems, each of which may be replaced.
//!
//! | set | system | writes |
//! | --- | --- | --- |
//! | [`DragonSystems::FindEyeSpaces`] | [`find_eye_spaces`] | [`EyeMap`], [`StringAnswers`] |
//! | [`DragonSystems::JoinStrings`] | [`join_strings`] | [`Groups`], [`CuttingPoints`], [`StringAnswers`] |
//! | [`DragonSystems::MeasureDragons`] | [`measure_dragons`] | [`Measured`] |
//! | [`DragonSystems::FindEscapes`] | [`find_escapes`] | [`Escapes`] |
//! | [`DragonSystems::ReadLife`] | [`read_life`] | [`LifeClaims`] |
//! | [`DragonSystems::TakeQueries`] | [`take_queries`] | [`QueryClaims`] |
//! | [`DragonSystems::ReadRaces`] | [`read_races`] | [`RaceClaims`] |
//! | [`DragonSystems::PlayOut`] | [`play_out`] | [`PlayedOut`] |
//! | [`DragonSystems::DecideStatus`] | [`decide_status`] | [`DragonMap`], [`StoneStatuses`] |
//!
//! Each system is a plugin of its own. A user can disable it and add another system to its set that writes the same
//! component. A reading whose plugin is disabled makes no claims. If single questions refine the findings of a position
//! ([`super::queries`]), only the systems from `take_queries` on run again.

use super::build;
use super::claims::Claim;
use super::death_odds::Survival;
use super::decide::{Evidence, decide, stone_statuses};
use super::escapes::{self, Escape};
use super::links::Links;
use super::map::{DragonMap, EyeMap};
use super::queries::QueryAnswers;
use super::tactics::{Answers, ReadTactics};
use super::{Partition, life, measure, races};
use crate::board::Board;
use crate::effort::{Effort, EyeLimits, LinkLimits};
use crate::eyes::{Domains, EyeSolver};
use crate::influence::{FirstInfluence, StoneStatuses};
use crate::judge::Judgement;
use crate::memory::ReadingMemory;
use crate::owl::LifeReader;
use crate::patterns::PatternDatabases;
use crate::schedule::{Analyse, AnalyseSystems, Refining, kept};
use crate::semeai::RaceReader;
use crate::tactics::{Reader, TacticsMap};
use crate::world::{BoardSlot, Position};
use crate::worms::WormMap;
use bevy_app::PluginGroupBuilder;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;

/// The answers of tactical reading about the strings of a board, and the number of answers that a limit cut off.
/// Written by `find_eye_spaces`, `join_strings` and `measure_dragons`, each for those after it. With it come the
/// components of all systems here.
#[derive(Component, Clone, Default)]
#[require(
    EyeMap,
    Groups,
    CuttingPoints,
    Measured,
    Escapes,
    LifeClaims,
    QueryAnswers,
    QueryClaims,
    RaceClaims,
    PlayedOut,
    DragonMap
)]
pub struct StringAnswers {
    answers: Answers,
    cut_off: u64,
}

/// Which strings are of one dragon. Written by `join_strings`.
#[derive(Component, Clone, Debug, Default)]
pub struct Groups(pub Partition);

/// Per padded vertex where the enemy can cut Black's and White's strings, by the patterns of class B. Written by
/// `join_strings`.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct CuttingPoints(pub [Vec<bool>; 2]);

/// The measured dragons, their statuses unknown, and the claims without reading their life.
/// Written by `measure_dragons`.
#[derive(Component, Clone, Debug, Default)]
pub struct Measured {
    /// The dragons.
    pub dragons: DragonMap,
    /// Claims by the number of the dragon.
    pub claims: Vec<Vec<Claim>>,
}

/// The ways out by the number of the dragon. Written by `find_escapes`.
#[derive(Component, Clone, Debug, Default)]
pub struct Escapes(pub Vec<Escape>);

/// The claims of life-and-death reading, by the number of the dragon. Written by `read_life`.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct LifeClaims(pub Vec<Vec<Claim>>);

/// The claims of single questions about life, by the number of the dragon. Written by `take_queries`.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct QueryClaims(pub Vec<Vec<Claim>>);

/// The claims of capturing races, by the number of the dragon. Written by `read_races`.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct RaceClaims(pub Vec<Vec<Claim>>);

/// The results of playouts about the dragons; empty if none is in doubt.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct PlayedOut(pub Survival);

/// The sets and components of the dragons; the systems have plugins of their own.
pub struct DragonsPlugin;

impl Plugin for DragonsPlugin {
    fn build(&self, app: &mut App) {
        use DragonSystems as D;
        // The second influence asks for it too, and either plugin may be there without the other.
        let _ = app.try_register_required_components::<BoardSlot, StoneStatuses>();
        app.register_required_components::<BoardSlot, StringAnswers>();
        chain_sets(app);
        app.edit_schedule(Analyse, |schedule| {
            let first = (D::FindEyeSpaces, D::JoinStrings, D::MeasureDragons, D::FindEscapes, D::ReadLife);
            schedule.configure_sets(first.distributive_run_if(|refining: Res<Refining>| !refining.0));
        });
    }
}

/// Whether the sets of the dragons are in their order already.
#[derive(Resource)]
struct SetsChained;

/// Puts the sets in their order, once: each plugin may be there without the others.
fn chain_sets(app: &mut App) {
    if !app.world().contains_resource::<SetsChained>() {
        app.insert_resource(SetsChained);
        app.edit_schedule(Analyse, DragonSystems::chain);
    }
}

/// The sets in their order, and plugins that add one system each to one of them.
macro_rules! stages {
    ($($(#[$of:meta])* $set:ident: $system:ident by $plugin:ident;)*) => {
        /// The sets of [`AnalyseSystems::Dragons`], chained in this order; one system in each.
        #[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DragonSystems {
            $($(#[$of])* $set,)*
        }

        impl DragonSystems {
            fn chain(schedule: &mut Schedule) {
                schedule.configure_sets(($(Self::$set,)*).chain().in_set(AnalyseSystems::Dragons));
            }
        }

        $(
            #[doc = concat!("Adds [`", stringify!($system), "`].")]
            pub struct $plugin;

            impl Plugin for $plugin {
                fn build(&self, app: &mut App) {
                    chain_sets(app);
                    app.add_systems(Analyse, $system.in_set(DragonSystems::$set));
                }
            }
        )*

        impl PluginGroup for DragonPlugins {
            fn build(self) -> PluginGroupBuilder {
                PluginGroupBuilder::start::<Self>().add(DragonsPlugin)$(.add($plugin))*
            }
        }
    };
}

/// [`DragonsPlugin`] and the plugins of all systems.
pub struct DragonPlugins;

stages! {
    /// Eye spaces and their values.
    FindEyeSpaces: find_eye_spaces by EyeSpacesPlugin;
    /// Which strings are of one dragon.
    JoinStrings: join_strings by JoinStringsPlugin;
    /// The claims that need no reading of life.
    MeasureDragons: measure_dragons by MeasureDragonsPlugin;
    /// Ways out.
    FindEscapes: find_escapes by EscapesPlugin;
    /// Life and death.
    ReadLife: read_life by LifePlugin;
    /// The claims of single questions.
    TakeQueries: take_queries by QueriesPlugin;
    /// Capturing races.
    ReadRaces: read_races by RacesPlugin;
    /// Playouts, for the odds.
    PlayOut: play_out by PlayoutsPlugin;
    /// The verdict.
    DecideStatus: decide_status by StatusPlugin;
}

/// The facts about a board's dragons with these claims.
const fn evidence<'a>(
    measured: &'a Measured,
    escapes: &'a [Escape],
    claims: &'a [&'a [Vec<Claim>]],
) -> Evidence<'a> {
    Evidence { measured: &measured.dragons, escapes, claims }
}

/// Asks questions about a board with the known readings of its strings, and remembers new ones.
fn with_tactics<T>(
    board: &Board,
    reader: &mut Reader,
    effort: &Effort,
    known: &mut StringAnswers,
    ask: impl FnOnce(&ReadTactics<'_>) -> T,
) -> T {
    reader.read_under(effort.strings);
    let before = reader.cut_off();
    let tactics = ReadTactics::new(board, reader, effort.safe_move_nodes, std::mem::take(&mut known.answers));
    let found = ask(&tactics);
    known.answers = tactics.into_answers();
    known.cut_off += reader.cut_off() - before;
    found
}

/// Finds the eye spaces of both colours.
pub fn find_eye_spaces(
    mut boards: Query<(&Position, Option<&TacticsMap>, &mut StringAnswers, &mut EyeMap)>,
    effort: Res<Effort>,
    mut reader: Local<Reader>,
    mut domains: Local<Domains>,
    mut solver: Local<Option<(EyeLimits, EyeSolver)>>,
) {
    let solver =
        kept(&mut solver, effort.eyes, || EyeSolver::with_budgets(effort.eyes.board, effort.eyes.board));
    for (position, read, mut known, mut eyes) in &mut boards {
        *known = StringAnswers::default();
        let board = &position.board;
        *eyes = with_tactics(board, &mut reader, &effort, &mut known, |tactics| {
            read.into_iter().for_each(|read| tactics.know(read));
            build::find_eye_spaces(board, tactics, solver, &mut domains)
        });
    }
}

type Joinable<'a> = (
    &'a Position,
    &'a EyeMap,
    Option<&'a FirstInfluence>,
    &'a mut StringAnswers,
    &'a mut Groups,
    &'a mut CuttingPoints,
);

/// Joins strings to dragons. Without it each string is a dragon of its own.
pub fn join_strings(
    mut boards: Query<Joinable<'_>>,
    effort: Res<Effort>,
    databases: Option<Res<PatternDatabases>>,
    mut reader: Local<Reader>,
    memory: Res<ReadingMemory>,
    mut links: Local<Option<(LinkLimits, Links)>>,
) {
    let links = kept(&mut links, effort.links, || Links::new(effort.links));
    links.keep_readings(&memory);
    if let Some(databases) = databases {
        links.patterns = databases.connections.clone();
    }
    for (position, eyes, influence, mut known, mut groups, mut cuts) in &mut boards {
        let board = &position.board;
        (groups.0, cuts.0) = with_tactics(board, &mut reader, &effort, &mut known, |tactics| {
            build::join_strings(board, eyes, tactics, influence, links)
        });
    }
}

type Measurable<'a> = (
    &'a Position,
    &'a WormMap,
    &'a EyeMap,
    &'a Groups,
    &'a FirstInfluence,
    &'a mut StringAnswers,
    &'a mut Measured,
);

/// Measures what needs no reading of life.
pub fn measure_dragons(mut boards: Query<Measurable<'_>>, effort: Res<Effort>, mut reader: Local<Reader>) {
    for (position, worms, eyes, groups, influence, mut known, mut out) in &mut boards {
        let board = &position.board;
        if !influence.covers(board) {
            *out = Measured::default();
            continue;
        }
        let strings = groups.0.is_empty().then(|| Partition::of_strings(board));
        let groups = strings.as_ref().unwrap_or(&groups.0);
        let (mut dragons, claims) = with_tactics(board, &mut reader, &effort, &mut known, |tactics| {
            measure::measure(board, worms, eyes, groups, influence, tactics)
        });
        dragons.cut_off = known.cut_off;
        *out = Measured { dragons, claims };
    }
}

/// Finds ways out.
pub fn find_escapes(mut boards: Query<(&Position, &FirstInfluence, &Measured, &mut Escapes)>) {
    for (position, influence, measured, mut out) in &mut boards {
        if !influence.covers(&position.board) {
            out.0.clear();
            continue;
        }
        let map = evidence(measured, &[], &[&measured.claims]).map();
        out.0 = escapes::find_escapes(&position.board, influence, &map);
    }
}

/// Reads life and death of the dragons in doubt.
pub fn read_life(
    mut boards: Query<(&Position, &Measured, &Escapes, Option<&Judgement>, &mut LifeClaims)>,
    effort: Res<Effort>,
    memory: Res<ReadingMemory>,
    mut reader: Local<Option<(EyeLimits, LifeReader)>>,
) {
    let reader = kept(&mut reader, effort.eyes, || LifeReader::new(effort.eyes));
    for (position, measured, escapes, judgement, mut out) in &mut boards {
        let claims: [&[Vec<Claim>]; 1] = [&measured.claims];
        let known = evidence(measured, &escapes.0, &claims);
        out.0 = life::read_life(&position.board, &known, judgement, (reader, &memory), effort.life);
    }
}

/// Adds the claims of single questions about the dragons.
pub fn take_queries(mut boards: Query<(&Measured, &Escapes, &LifeClaims, &QueryAnswers, &mut QueryClaims)>) {
    for (measured, escapes, life, asked, mut out) in &mut boards {
        out.0 = asked.claims(&evidence(measured, &escapes.0, &[&measured.claims, &life.0]));
    }
}

type Racing<'a> = (
    &'a Position,
    &'a Measured,
    &'a Escapes,
    &'a LifeClaims,
    &'a QueryClaims,
    &'a QueryAnswers,
    &'a mut RaceClaims,
);

/// Reads the races between dragons that are in doubt.
pub fn read_races(mut boards: Query<Racing<'_>>, effort: Res<Effort>, mut reader: Local<RaceReader>) {
    for (position, measured, escapes, life, claims, asked, mut out) in &mut boards {
        let map = evidence(measured, &escapes.0, &[&measured.claims, &life.0, &claims.0]).map();
        out.0 = races::read_races(&position.board, &map, asked, &mut reader, effort.race_nodes);
    }
}

/// The claims of the readings.
#[derive(QueryData)]
pub struct Claims {
    measured: &'static Measured,
    escapes: &'static Escapes,
    life: &'static LifeClaims,
    asked: &'static QueryClaims,
    races: &'static RaceClaims,
}

impl ClaimsItem<'_, '_> {
    /// Does something with all that is known of the dragons.
    fn with<T>(&self, ask: impl FnOnce(&Evidence<'_>) -> T) -> T {
        let Self { measured, life, asked, races, .. } = self;
        let claims: [&[Vec<Claim>]; 4] = [&measured.claims, &life.0, &asked.0, &races.0];
        ask(&evidence(self.measured, &self.escapes.0, &claims))
    }
}

/// Plays boards out whose dragons ask for odds.
pub fn play_out(mut boards: Query<(&Position, Claims, &mut PlayedOut)>, effort: Res<Effort>) {
    for (position, claims, mut out) in &mut boards {
        out.0 = claims.with(|known| Survival::of(&position.board, &known.map(), effort.playouts));
    }
}

type Decidable<'a> =
    (&'a Position, &'a WormMap, Claims, &'a PlayedOut, &'a mut DragonMap, &'a mut StoneStatuses);

/// Makes the verdict.
pub fn decide_status(mut boards: Query<Decidable<'_>>) {
    for (position, worms, claims, played, mut dragons, mut statuses) in &mut boards {
        *dragons = claims.with(|known| decide(&position.board, worms, known, &played.0));
        *statuses = stone_statuses(&position.board, &dragons);
    }
}

#[cfg(test)]
mod tests;
