//! The facts about a fight that need no reading: the part of the board that matters, eye spaces, connected strings, and
//! promising moves. Life and death ([`crate::owl`]) and races ([`crate::semeai`]) use it.
//!
//! # Notation
//! A stone is *visible* if it does not lie inside an eye space of the other colour. The *rim* is the set of vertices
//! where this part of the board is open to the rest.
//!
//! # Steps
//! 1. `Arena` is the part of the board around a dragon, with the known facts about the stones there.
//! 2. `Eyesight` finds the eye spaces of a colour in the arena, with their values. `QuickTactics` counts liberties
//!    where reading would cost too much.
//! 3. `linked_strings` finds the strings that one move cannot separate. `sure_value` is the number of certain eyes of
//!    an eye space.
//! 4. `Fight` gives the effects of moves for or against one side, as points of a `Tally`.

mod arena;
mod fight;
mod quick;
mod space_value;
mod tally;
mod watched;

pub use arena::Surroundings;
pub(crate) use arena::{Arena, WEAK_LIBERTIES};
pub(crate) use fight::{Fight, NEVER, width};
pub(crate) use quick::QuickTactics;
pub(crate) use space_value::{best_case_value, eyes_with_one_best_case, sure_value};
pub(crate) use tally::Tally;
pub(crate) use watched::{Escape, Marks, WayOut};

use crate::board::{Board, Color, MixMap, Vertex, VertexSet};
use crate::eyes::{Domains, EyeSolver, EyeSpace, space};
use std::sync::Arc;

/// A part of the board.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// Its vertices in vertex order, stones too.
    pub(crate) cells: Vec<Vertex>,
    /// The same per padded cell.
    pub(crate) inside: Vec<bool>,
    /// Per padded cell: the empty vertices where it is open.
    pub(crate) rim: Vec<bool>,
}

impl Ground {
    /// The margins of a space, and its vertices on the rim.
    pub(crate) fn open_ends(&self, space: &EyeSpace) -> usize {
        space.marginal_count() + space.vertices.iter().filter(|u| self.rim[u.at()]).count()
    }

    /// The strings with a stone here for which `wanted` holds, as the first such stone each.
    pub(crate) fn strings(&self, board: &Board, wanted: impl Fn(Vertex) -> bool) -> Vec<Vertex> {
        strings_among(board, &self.cells, wanted)
    }
}

/// The same for any vertices.
pub(crate) fn strings_among(board: &Board, cells: &[Vertex], wanted: impl Fn(Vertex) -> bool) -> Vec<Vertex> {
    let (mut seen, mut strings) = (VertexSet::EMPTY, Vec::new());
    for &v in cells {
        if !board.is_empty(v) && !seen.holds(v) && wanted(v) {
            seen.unite(board.stone_bits(v));
            strings.push(v);
        }
    }
    strings
}

/// The most lists of spaces that are kept.
///
/// Origin: definition, a capacity: no answer depends on it.
const MOST_KNOWN: usize = 1 << 12;

/// Finds eye spaces. It keeps scratch memory and eye values from position to position. It also keeps the spaces of
/// recent positions, because the searches of a question return to many positions.
#[derive(Default)]
pub(crate) struct Eyesight {
    domains: Domains,
    solver: EyeSolver,
    ground: (Vec<Vertex>, Vec<bool>),
    /// Stored eye spaces, by stones, colour, and the visible and lively strings.
    known: MixMap<u64, Arc<[EyeSpace]>>,
    /// The watch of the question whose positions these are: spaces found for another question would hide looks from it.
    watch: u64,
}

impl Eyesight {
    pub(crate) fn new(solver: EyeSolver) -> Self {
        Self { solver, ..Self::default() }
    }

    /// The eye spaces of a colour, to which the rim is the other side's. `visible` is per padded cell; `lively` says
    /// whether a stone claims the vertices around it.
    pub(crate) fn spaces(
        &mut self,
        board: &Board,
        ground: &Ground,
        color: Color,
        visible: &[bool],
        lively: impl Fn(Vertex) -> bool,
    ) -> Arc<[EyeSpace]> {
        let Self { domains, solver, known, .. } = self;
        let fresh = board.watch_id();
        if fresh != self.watch {
            known.clear();
            self.watch = fresh;
        }
        if known.len() >= MOST_KNOWN || self.ground.0 != ground.cells || self.ground.1 != ground.rim {
            known.clear();
            self.ground = (ground.cells.clone(), ground.rim.clone());
        }
        let mut key = board.hash() ^ color.index() as u64;
        for &v in ground.cells.iter().filter(|&&v| !board.is_empty(v)) {
            let seen = u64::from(visible[v.at()]) << 1 | u64::from(lively(v));
            key = (key ^ seen).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        if let Some(spaces) = known.get(&key) {
            return Arc::clone(spaces);
        }
        let cells = || ground.cells.iter().copied();
        domains.compute(board, cells(), &lively);
        domains.open_rim(&ground.rim, color.other());
        let mut spaces = space::partition(board, domains, color, cells(), lively);
        let tactics = QuickTactics { board, visible, defender: color };
        space::evaluate_all(board, &mut spaces, color, &tactics, solver);
        let spaces: Arc<[EyeSpace]> = spaces.into();
        known.insert(key, Arc::clone(&spaces));
        spaces
    }
}

/// Gives the string at `seed`, and all strings linked with it, this number in `part`, per padded cell. Strings with a
/// number keep it. Strings are linked by two common liberties, by one where the enemy cannot stay (`sealed`), or
/// around one eye of theirs.
pub(crate) fn linked_strings(
    board: &Board,
    spaces: &[EyeSpace],
    seed: Vertex,
    number: u16,
    part: &mut [u16],
    sealed: impl Fn(Vertex) -> bool,
) {
    let Some(color) = board.color_at(seed) else { return };
    let mut queue: Vec<Vertex> = Vec::new();
    let take = |part: &mut [u16], queue: &mut Vec<Vertex>, v: Vertex| {
        if part[v.at()] == 0 {
            board.stones(v).for_each(|s| part[s.at()] = number);
            queue.push(v);
        }
    };
    take(part, &mut queue, seed);
    let mut left: Vec<&EyeSpace> = spaces.iter().filter(|space| space.value.b > 0).collect();
    let mut links: Vec<(Vertex, u8)> = Vec::new();
    while let Some(v) = queue.pop() {
        links.clear();
        for l in board.liberty_vertices(v) {
            for n in board.strings_next_to(l, color).filter(|n| part[n.at()] != number) {
                let origin = board.origin(n);
                let weight = if sealed(l) { 2 } else { 1 };
                match links.iter_mut().find(|(o, _)| *o == origin) {
                    Some((_, count)) => *count += weight,
                    None => links.push((origin, weight)),
                }
            }
        }
        for &(origin, _) in links.iter().filter(|(_, count)| *count >= 2) {
            take(part, &mut queue, origin);
        }
        left.retain(|space| {
            let beside = space.proper().any(|u| board.neighbors4(u).any(|n| board.same_string(n, v)));
            if beside {
                for n in space.proper().flat_map(|u| board.strings_next_to(u, color)) {
                    take(part, &mut queue, n);
                }
            }
            !beside
        });
    }
}
