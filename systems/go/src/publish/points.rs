//! The columns of the points, all written by one system in one sweep.

use super::systems::{last_pass, reached};
use super::{Pool, Region, Units};
use crate::board::{Board, Color, Vertex};
use crate::dragons::escapes::escape_values;
use crate::dragons::{CaveMap, DragonMap, EyeMap};
use crate::escape;
use crate::influence::{FirstInfluence, SecondInfluence};
use crate::schedule::{AnalyseSystems, LastStage};
use crate::spread::InfluenceMap;
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
    EscapeValue
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
}

/// Writes all columns of all points.
pub(super) fn publish_points(
    last: Res<LastStage>,
    boards: Query<Boards<'_>>,
    mut points: Query<Columns, Without<Units>>,
) -> Result {
    use AnalyseSystems as S;
    for (position, of_board, units, worms, dragons, caves, eyes, first, second) in &boards {
        let board = &position.board;
        let worm_of = worm_entities(reached(worms, *last, S::Worms), units);
        let dragons = reached(dragons, *last, S::Dragons).map(|m| (&m.index[..], &units.dragons));
        let caves = reached(caves, *last, S::Dragons).map(|m| (&m.index[..], &units.caves));
        let eye_of = eye_entities(board, reached(eyes, *last, S::Dragons), &units.eyes);
        let map = last_pass(position, *last, first, second);
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
            let [distance, strategic] = far.each_ref().map(|far| far.each_ref().map(|far| far[v.at()]));
            of.distance.set_if_neq(Distance { distance, strategic });
        }
    }
    Ok(())
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
