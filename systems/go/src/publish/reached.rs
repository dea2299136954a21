//! Selects the maps whose stage the analysis has reached.

use crate::influence::{FirstInfluence, SecondInfluence};
use crate::schedule::{AnalyseSystems, LastStage};
use crate::spread::InfluenceMap;
use crate::world::Position;

/// A map if its stage was reached.
pub(super) fn reached<T>(map: Option<&T>, last: LastStage, stage: AnalyseSystems) -> Option<&T> {
    map.filter(|_| last.0 >= stage)
}

/// What the last pass of influence that was reached found.
fn of_last_pass<'a, T>(
    last: LastStage,
    (first, second): (Option<&'a FirstInfluence>, Option<&'a SecondInfluence>),
    of_first: fn(&FirstInfluence) -> &T,
    of_second: fn(&SecondInfluence) -> &T,
) -> Option<&'a T> {
    let second = reached(second, last, AnalyseSystems::SecondInfluence).map(of_second);
    second.or_else(|| reached(first, last, AnalyseSystems::FirstInfluence).map(of_first))
}

/// The influence map that is published: of the last pass reached, with the position's player to move.
pub(super) fn last_pass<'a>(
    position: &Position,
    last: LastStage,
    first: Option<&'a FirstInfluence>,
    second: Option<&'a SecondInfluence>,
) -> Option<&'a InfluenceMap> {
    let maps = of_last_pass(last, (first, second), |first| &first.maps, |second| &second.maps);
    maps.map(|maps| &maps[position.to_move.index()]).filter(|map| map.covers(&position.board))
}

/// The map of escape routes of that pass.
pub(super) fn last_escape<'a>(
    position: &Position,
    last: LastStage,
    first: Option<&'a FirstInfluence>,
    second: Option<&'a SecondInfluence>,
) -> Option<&'a InfluenceMap> {
    let map = of_last_pass(last, (first, second), |first| &first.escape, |second| &second.escape);
    map.filter(|map| map.covers(&position.board))
}
