//! Builds the dragons in nine steps, each of which is a system of the schedule. This file has the first two systems.
//!
//! # Source
//! GNU Go 3.8 manual, "Worms and Dragons"; "Dragons", "Escape", "Surrounded Dragons", "The Owl Code".
//!
//! # Steps
//! 1. `find_eye_spaces`: the lively strings by tactics, the domains, and the eye spaces with their values.
//! 2. `join_strings`: the strings of each dragon ([`super::amalgamate`], [`super::links`]).
//! 3. `measure_dragons`: eyes, neighbours, sizes, certain claims ([`super::measure`]).
//! 4. `find_escapes`: how each dragon is surrounded, and how far it can run ([`super::escapes`]).
//! 5. `read_life`: life and death of the dragons in doubt ([`super::life`]).
//! 6. `take_queries`: the results of single questions ([`super::queries`]).
//! 7. `read_races`: races between dragons that are still in doubt ([`super::races`]).
//! 8. `play_out`: the share of each dragon in doubt that survives searches of the whole board ([`super::Survival`]).
//! 9. `decide_status`: the status that follows from all these claims ([`super::claims`], [`super::decide`]).
//!
//! # Cost
//! Steps 2 and 5 take most of the time. Their limits are fields of [`Effort`].

use super::amalgamate::amalgamate;
use super::links::Links;
use super::map::EyeMap;
use super::partition::Partition;
use super::tactics::ReadTactics;
use crate::board::{Board, Color, Vertex, in_order};
#[cfg(doc)]
use crate::effort::Effort;
use crate::eyes::{Domains, EyeSolver, space};
use crate::influence::FirstInfluence;

/// Step 1.
pub fn find_eye_spaces(
    board: &Board,
    tactics: &ReadTactics<'_>,
    solver: &mut EyeSolver,
    domains: &mut Domains,
) -> EyeMap {
    let lively = |v: Vertex| tactics.lively(v);
    domains.compute(board, board.vertices(), lively);
    let mut map = EyeMap::default();
    for color in Color::BOTH {
        let mut spaces = space::partition(board, domains, color, board.vertices(), lively);
        map.false_margins[color.index()] =
            in_order(space::evaluate_all(board, &mut spaces, color, tactics, solver));
        // A space of false margins alone has no vertex left.
        spaces.retain(|space| !space.vertices.is_empty());
        map.spaces[color.index()] = spaces;
    }
    map
}

/// Step 2: which strings are of one dragon, and per padded vertex where Black's and White's strings can be cut.
pub fn join_strings(
    board: &Board,
    eyes: &EyeMap,
    tactics: &ReadTactics<'_>,
    influence: Option<&FirstInfluence>,
    links: &mut Links,
) -> (Partition, [Vec<bool>; 2]) {
    let mut links = links.at(board, tactics);
    links.influence = influence.filter(|first| first.covers(board)).map(|first| &first.maps);
    let cuts = Color::BOTH.map(|color| {
        amalgamate(color, &eyes.spaces[color.index()], &mut links);
        std::mem::take(&mut links.cuts)
    });
    (links.partition, cuts)
}
