//! The columns of the points. One system writes all of them in one pass.

use super::reached::{last_escape, last_pass, reached};
use super::{Pool, Region, Units};
use crate::board::{Board, Color, Vertex};
use crate::dragons::escapes::escape_values;
use crate::dragons::plugin::CuttingPoints;
use crate::dragons::{CaveMap, DragonMap, EyeMap};
use crate::escape;
use crate::influence::{FirstInfluence, SecondInfluence};
use crate::schedule::{AnalyseSystems, LastStage};
use crate::spread::{Cause, InfluenceMap};
use crate::world::{Points, Position};
use crate::worms::WormMap;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;

/// The stone on a point; with it come the other columns. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[require(
    WormOf,
    DragonOf,
    EyeOf,
    Influence,
    Permeability,
    Territory,
    Region,
    Distance,
    NonTerritory,
    Lively,
    EscapeValue,
    CutPoint,
    FalseMargin,
    EyeNeighbors,
    PatternEffects
)]
pub struct Stone(pub Option<Color>);

/// The [`Worm`](super::Worm) of a stone, the [`Cavity`](super::Cavity) of an empty point. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WormOf(pub Option<Entity>);

/// The [`Dragon`](super::Dragon) of a stone, the [`Cave`](super::Cave) of an empty point: written by `publish_points`.
/// On a cave the dragon around it, if it is one: written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DragonOf(pub Option<Entity>);

/// The [`Eye`](super::Eye) of Black and of White that a point is in. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EyeOf(pub [Option<Entity>; 2]);

/// The influence of Black and of White with the position's player to move: dragons not known yet, and known. 0 where a
/// pass was not asked for. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// By the first pass.
    pub first: [f32; 2],
    /// By the second pass.
    pub second: [f32; 2],
}

/// The permeability for the influence of Black and of White, 0 to 1; 0 without a pass. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Permeability(pub [f32; 2]);

/// The territory value, -1 (Black's) to 1 (White's), in the last pass asked for; a captured stone's may be twice that.
/// Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Territory(pub f32);

/// Whose territory a point cannot become, by the patterns of the last pass: 0 anybody's, 1 not White's, 2 not Black's, 3
/// neither's. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NonTerritory(pub u8);

/// Whether the stone on a point counts as alive in the last pass: it blocks influence, and as a rule is a source.
/// Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lively(pub bool);

/// The value of a point to an escaping dragon, for Black and for White: 4 in the colour's moyo, 2 in its area, 1 if
/// neutral, otherwise 0. Dragons are not known yet. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EscapeValue(pub [u8; 2]);

/// Whether the enemy can cut strings of Black and of White at a point, by the patterns of class B of `conn.db`. Written
/// by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutPoint(pub [bool; 2]);

/// Whether a point is a false margin of an eye space of Black and of White, so that it belongs to no space. Written by
/// `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FalseMargin(pub [bool; 2]);

/// The number of points beside a point of Black's and of White's eye space that are of the same space; 0 outside the
/// colour's spaces. Written by `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EyeNeighbors(pub [u8; 2]);

/// What patterns did to the influence at a point, in the last pass. Written by `publish_points`.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct PatternEffects {
    /// On the map of territory, with the position's player to move.
    pub territory: Vec<Cause>,
    /// On the map of escape routes.
    pub escape: Vec<Cause>,
}

/// The distance of an empty point from the stones of Black and of White; -1 without a path. Written by
/// `publish_points`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distance {
    /// Not passing a stone of the other colour.
    pub distance: [i16; 2],
    /// Nor, but at its beginning, a liberty of one.
    pub strategic: [i16; 2],
}

type Boards<'a> = (
    &'a Position,
    &'a Points,
    &'a Units,
    Option<&'a WormMap>,
    Option<&'a DragonMap>,
    Option<&'a CaveMap>,
    Option<&'a EyeMap>,
    Option<&'a CuttingPoints>,
    Option<&'a FirstInfluence>,
    Option<&'a SecondInfluence>,
);

/// The columns of one point.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Columns {
    stone: &'static mut Stone,
    worm: &'static mut WormOf,
    dragon: &'static mut DragonOf,
    eye: &'static mut EyeOf,
    influence: &'static mut Influence,
    permeability: &'static mut Permeability,
    territory: &'static mut Territory,
    region: &'static mut Region,
    distance: &'static mut Distance,
    non_territory: &'static mut NonTerritory,
    lively: &'static mut Lively,
    escape: &'static mut EscapeValue,
    cut: &'static mut CutPoint,
    false_margin: &'static mut FalseMargin,
    eye_neighbors: &'static mut EyeNeighbors,
    effects: &'static mut PatternEffects,
}

/// Writes all columns of all points.
pub(super) fn publish_points(
    last: Res<LastStage>,
    boards: Query<Boards<'_>>,
    mut points: Query<Columns, Without<Units>>,
) -> Result {
    use AnalyseSystems as S;
    for (position, of_board, units, worms, dragons, caves, eyes, cuts, first, second) in &boards {
        let board = &position.board;
        let worm_of = worm_entities(reached(worms, *last, S::Worms), units);
        let dragons = reached(dragons, *last, S::Dragons).map(|m| (&m.index[..], &units.dragons));
        let caves = reached(caves, *last, S::Dragons).map(|m| (&m.index[..], &units.caves));
        let eyes = reached(eyes, *last, S::Dragons);
        let eye_of = eye_entities(board, eyes, &units.eyes);
        let beside = eye_neighbors(board, eyes);
        let cuts = reached(cuts, *last, S::Dragons);
        let map = last_pass(position, *last, first, second);
        let runs = last_escape(position, *last, first, second);
        let [mut on_territory, mut on_escape] = [map, runs].map(|map| effects(board, map));
        let to_move = position.to_move.index();
        let covers = |map: &&InfluenceMap| map.covers(board);
        let pass = reached(first, *last, S::FirstInfluence);
        let ways = pass.map(|f| &f.escape).filter(covers);
        let ways = ways.map(|map| Color::BOTH.map(|c| escape_values(board, map, c)));
        let first = pass.map(|f| &f.maps[to_move]).filter(covers);
        let second = reached(second, *last, S::SecondInfluence).map(|s| &s.maps[to_move]).filter(covers);
        let influence_at = |map: Option<&InfluenceMap>, v: Vertex| {
            map.map_or([0.0; 2], |m| [0, 1].map(|c| m.influence[c][v.at()]))
        };
        let far = [false, true].map(|strategic| Color::BOTH.map(|c| escape::distances(board, c, strategic)));
        for (v, &point) in board.vertices().zip(of_board.of_size(board.size())) {
            let mut of = points.get_mut(point)?;
            let stone = board.color_at(v);
            of.stone.set_if_neq(Stone(stone));
            let index = worms.and_then(|w| w.index.get(v.at())).copied();
            of.worm.set_if_neq(WormOf(index.and_then(|i| worm_of.get(usize::from(i)).copied())));
            let unit = if stone.is_some() { dragons } else { caves };
            let unit =
                unit.and_then(|(index, pool)| pool.live().get(usize::from(*index.get(v.at())?)).copied());
            of.dragon.set_if_neq(DragonOf(unit));
            of.eye.set_if_neq(EyeOf(eye_of.as_ref().map_or([None; 2], |eyes| eyes[v.at()])));
            let influence = Influence { first: influence_at(first, v), second: influence_at(second, v) };
            of.influence.set_if_neq(influence);
            let permeability = map.map_or([0.0; 2], |m| [0, 1].map(|c| m.field.permeability[c][v.at()]));
            of.permeability.set_if_neq(Permeability(permeability));
            of.territory.set_if_neq(Territory(map.map_or(0.0, |m| m.territory[v.at()])));
            let bare = stone.map_or(Region::Neutral, Region::Stone);
            of.region.set_if_neq(map.map_or(bare, |m| m.region(v)));
            of.non_territory.set_if_neq(NonTerritory(map.map_or(0, |m| m.non_territory[v.at()])));
            let lively = stone.is_some() && map.is_some_and(|m| m.field.blocked[v.at()]);
            of.lively.set_if_neq(Lively(lively));
            let ways = ways.as_ref().map_or([0; 2], |ways| ways.each_ref().map(|of| of[v.at()]));
            of.escape.set_if_neq(EscapeValue(ways));
            let is_cut = |c: usize| cuts.is_some_and(|cuts| cuts.0[c].get(v.at()).is_some_and(|&cut| cut));
            of.cut.set_if_neq(CutPoint([0, 1].map(is_cut)));
            let is_false =
                |c: usize| eyes.is_some_and(|eyes| eyes.false_margins[c].binary_search(&v).is_ok());
            of.false_margin.set_if_neq(FalseMargin([0, 1].map(is_false)));
            of.eye_neighbors.set_if_neq(EyeNeighbors(beside[v.at()]));
            let [territory, escape] =
                [&mut on_territory, &mut on_escape].map(|of| std::mem::take(&mut of[v.at()]));
            of.effects.set_if_neq(PatternEffects { territory, escape });
            let [distance, strategic] = far.each_ref().map(|far| far.each_ref().map(|far| far[v.at()]));
            of.distance.set_if_neq(Distance { distance, strategic });
        }
    }
    Ok(())
}

/// Per padded vertex what patterns did on a map, in the order in which they did.
fn effects(board: &Board, map: Option<&InfluenceMap>) -> Vec<Vec<Cause>> {
    let mut at = vec![Vec::new(); board.padded_len()];
    for cause in map.iter().flat_map(|map| &map.causes) {
        at[cause.at.at()].push(cause.clone());
    }
    at
}

/// Per padded vertex the points beside it that are of its eye space of Black and of White.
fn eye_neighbors(board: &Board, map: Option<&EyeMap>) -> Vec<[u8; 2]> {
    let mut at = vec![[0; 2]; board.padded_len()];
    for (color, spaces) in map.iter().flat_map(|map| map.spaces.iter().enumerate()) {
        for space in spaces {
            for &v in &space.vertices {
                at[v.at()][color] = board.neighbors4(v).filter(|&n| space.holds(n)).count() as u8;
            }
        }
    }
    at
}

/// The entity of each entry of a worm map.
fn worm_entities(map: Option<&WormMap>, units: &Units) -> Vec<Entity> {
    let (mut strings, mut cavities) = (units.worms.live().iter(), units.cavities.live().iter());
    let worms = map.map_or(&[][..], |m| &m.worms).iter();
    worms
        .map_while(|w| if w.color.stone().is_some() { strings.next() } else { cavities.next() }.copied())
        .collect()
}

/// Per padded vertex the eye spaces of Black and of White there.
fn eye_entities(board: &Board, map: Option<&EyeMap>, pool: &Pool) -> Option<Vec<[Option<Entity>; 2]>> {
    let mut at = vec![[None; 2]; board.padded_len()];
    let spaces = map?.spaces.iter().enumerate().flat_map(|(c, spaces)| spaces.iter().map(move |s| (c, s)));
    for ((color, space), &entity) in spaces.zip(pool.live()) {
        for v in &space.vertices {
            at[v.at()][color] = Some(entity);
        }
    }
    Some(at)
}
