//! Eye spaces: the connected parts of a domain, with marginal vertices, and their values.
//!
//! # Source
//! GNU Go 3.8 manual, "Eye spaces", "Underlying graphs", "False Margins".
//!
//! # Steps
//! 1. A vertex only in the owner's domain is eye space. A vertex in both domains is marginal eye space if it touches
//!    eye space. A vertex of eye space is marginal if it touches an empty vertex that only the opponent claims.
//! 2. Eye spaces are the orthogonally connected parts. Two marginal vertices do not link parts if other vertices do.
//!    They are a link if reading considers only a part of the board that has a rim, because further reading may raise
//!    their value.
//! 3. A vertex with at most one neighbour in its space is judged by its diagonals. A false eye becomes marginal. A half
//!    eye gets its key vertex joined to it as a marginal vertex of the graph.
//! 4. The graph is solved. A half eye that only a ko can make false is a half eye with the attacker moving first. With
//!    the defender moving first it counts as an eye, because the attacker needs a ko; the eyes are counted once more
//!    for this.
//!
//! # Departures
//! The manual does not say which vertices of a space are marginal beyond step 1's idea. The rule here agrees with the
//! recorded spaces of GNU Go 3.8 on most vertices. A false margin (a vertex where the attacker's move would leave his
//! string with one liberty) does not belong to the space.

use super::domain::Domains;
use super::graph::{EyeGraph, EyeSolver, MAX_VERTICES, bits};
use super::topology::{HalfEye, HalfEyeKind, Tactics, diagonal_sum};
use super::value::EyeValue;
use crate::board::{Board, Cells, Color, Vertex, for_words};
use crate::tactics::Code;
use std::collections::BTreeSet;

/// A connected region one colour can make eyes in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EyeSpace {
    /// Its vertices, in vertex order; opponent's stones inside are among them.
    pub vertices: Vec<Vertex>,
    /// Which of `vertices` are marginal.
    pub marginal: Vec<bool>,
    /// Half and false eyes among them.
    pub half_eyes: Vec<HalfEye>,
    /// Eyes it yields if the attacker wins every ko.
    pub value: EyeValue,
    /// Eyes it yields if each side wins the kos that the other has to begin: who moves first has time to prepare for them.
    pub with_kos: EyeValue,
    /// The attacker's moves that matter, best known first; empty unless a value is hot.
    pub attack_points: Vec<Vertex>,
    /// The defender's moves that matter.
    pub defence_points: Vec<Vertex>,
}

impl EyeSpace {
    /// The first vertex: the name of the space.
    #[must_use]
    pub fn origin(&self) -> Vertex {
        self.vertices.first().copied().unwrap_or(Vertex::PASS)
    }

    /// Whether the vertex is one of it.
    #[must_use]
    pub fn holds(&self, v: Vertex) -> bool {
        self.vertices.binary_search(&v).is_ok()
    }

    /// The vertices that are not marginal.
    pub fn proper(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.vertices.iter().zip(&self.marginal).filter(|(_, marginal)| !**marginal).map(|(&v, _)| v)
    }

    /// Whether a stone of these lies next to it.
    pub fn touches(&self, board: &Board, stone: impl Fn(Vertex) -> bool) -> bool {
        self.vertices.iter().any(|&u| board.neighbors4(u).any(&stone))
    }

    /// Whether it is this vertex alone, and an eye: its owner gains nothing by filling it.
    #[must_use]
    pub fn is_eye_at(&self, v: Vertex) -> bool {
        self.vertices == [v] && self.value.b > 0 && self.is_closed()
    }

    /// The strings of `owner` around the vertices that are not marginal.
    #[must_use]
    pub fn strings_around(&self, board: &Board, owner: Color) -> Vec<Vertex> {
        board.origins(self.proper().flat_map(|v| board.strings_next_to(v, owner)))
    }

    /// Vertices that are marginal.
    #[must_use]
    pub fn marginal_count(&self) -> usize {
        self.marginal.iter().filter(|m| **m).count()
    }

    /// Whether the space is closed: nothing marginal in it.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        !self.marginal.contains(&true)
    }
}

/// Steps 1 and 2: the eye spaces of one colour, without values.
///
/// `visible` says whether a stone is lively (others belong to the space around them).
pub fn partition(
    board: &Board,
    domains: &Domains,
    owner: Color,
    vertices: impl Iterator<Item = Vertex>,
    visible: impl Fn(Vertex) -> bool,
) -> Vec<EyeSpace> {
    for_words!(board, W => {
        let here: Cells<W> = vertices.collect();
        let (spaces, seen) = board.unwatched(|board| parts::<W>(board, domains, owner, here, visible));
        // Whether a stone is lively rests on its string.
        board.look_at_strings(|| seen.resized() & board.all_vertices());
        spaces
    })
}

/// The same in sets of `W` words, and the cells on which it rests.
fn parts<const W: usize>(
    board: &Board,
    domains: &Domains,
    owner: Color,
    here: Cells<W>,
    visible: impl Fn(Vertex) -> bool,
) -> (Vec<EyeSpace>, Cells<W>) {
    let stride = board.size() as i32 + 1;
    let [mut bare, mut hidden, mut friends] = [Cells::<W>::EMPTY; 3];
    for v in (0..board.padded_len()).map(|at| Vertex(at as u16)).filter(|&v| board.on_board(v)) {
        match board.color_at(v) {
            None => bare.insert(v),
            Some(_) if !visible(v) => hidden.insert(v),
            Some(color) if color == owner => friends.insert(v),
            Some(_) => {}
        }
    }
    let free = bare | hidden;
    let [mine, theirs] = [owner, owner.other()].map(|color| domains.of::<W>(color));
    let mine_only = free & mine & !theirs;
    let theirs_only = free & theirs & !mine;
    // Step 1.
    let open = mine_only & bare & (theirs_only & bare).around(stride);
    let shared = free & mine & theirs & (mine_only | friends).around(stride);
    let marginal = (open | shared) & here;
    // Step 2.
    let mut left = (mine_only | shared) & here;
    let loose = if domains.is_open() { Cells::EMPTY } else { marginal };
    let mut spaces = Vec::new();
    while let Some(first) = (left & !loose).first().or_else(|| left.first()) {
        let part = left.part(first, loose, stride);
        left &= !part;
        let vertices: Vec<Vertex> = part.iter().collect();
        let marginal = vertices.iter().map(|&v| marginal.holds(v)).collect();
        spaces.push(EyeSpace { vertices, marginal, ..EyeSpace::default() });
    }
    spaces.sort_by_key(EyeSpace::origin);
    // What only one side claims needs no friend beside it.
    (spaces, here | (free & mine & theirs & here).around(stride))
}

/// Steps 3 and 4 for all spaces of one colour: half eyes, values and vital points. The false margins, which belong to no
/// space from now on.
pub fn evaluate_all(
    board: &Board,
    spaces: &mut [EyeSpace],
    owner: Color,
    tactics: &impl Tactics,
    solver: &mut EyeSolver,
) -> Vec<Vertex> {
    let mut proper = board.marks(spaces.iter().flat_map(EyeSpace::proper));
    // A false eye is no part of the proper eye space that the diagonals of others may lie in: so a second look.
    for round in 0..2 {
        for space in spaces.iter_mut() {
            find_half_eyes(board, space, owner, &proper, tactics);
        }
        let false_eyes = spaces.iter().flat_map(|s| &s.half_eyes).filter(|h| h.kind == HalfEyeKind::False);
        let mut changed = false;
        for eye in false_eyes {
            changed |= std::mem::take(&mut proper[eye.vertex.at()]);
        }
        if round > 0 || !changed {
            break;
        }
    }
    let mut dropped = Vec::new();
    for space in spaces {
        drop_false_margins(board, space, owner, tactics, &mut dropped);
        value_space(board, space, owner, solver);
    }
    dropped
}

/// Step 4 for one space.
fn value_space(board: &Board, space: &mut EyeSpace, owner: Color, solver: &mut EyeSolver) {
    let lost = solve_space(board, space, owner, solver, HalfEye::is_half);
    space.value = lost.value;
    space.with_kos = lost.value;
    let mut points = lost;
    if space.half_eyes.iter().any(HalfEye::falls_by_ko_only) {
        let won = solve_space(board, space, owner, solver, |h| h.is_half() && !h.falls_by_ko_only());
        // A half eye that is left to the ko costs no move.
        space.with_kos.c = won.value.c.max(space.value.c);
        space.with_kos.d = won.value.d.max(space.value.d);
        if !space.value.is_hot() && space.with_kos.is_hot() {
            points = won;
        }
    }
    let Solved { attack, defence, .. } = &points;
    // A move good for both sides comes first: it is the vital point.
    space.attack_points = attack.clone();
    space.attack_points.sort_by_key(|v| !defence.contains(v));
    space.defence_points = defence.clone();
    space.defence_points.sort_by_key(|v| !attack.contains(v));
}

/// The value of a space and the moves that reach it.
#[derive(Default)]
struct Solved {
    value: EyeValue,
    attack: Vec<Vertex>,
    defence: Vec<Vertex>,
}

/// Solves the graph of a space in which these are the half eyes.
fn solve_space(
    board: &Board,
    space: &EyeSpace,
    owner: Color,
    solver: &mut EyeSolver,
    is_half: impl Fn(&HalfEye) -> bool,
) -> Solved {
    let graph = graph_of(board, space, owner, is_half);
    let solved = graph.map(|(graph, places)| (solver.solve(&graph), places));
    let Some((solution, places)) = solved.filter(|(solution, _)| solution.exact) else {
        return Solved { value: value_of_large(space), ..Solved::default() };
    };
    let mut attack: Vec<Vertex> = bits(solution.attack_points).map(|i| places[i]).collect();
    let mut defence: Vec<Vertex> = bits(solution.defence_points).map(|i| places[i]).collect();
    translate_half_eyes(space, &mut attack, false);
    translate_half_eyes(space, &mut defence, true);
    Solved { value: solution.value, attack, defence }
}

/// A space too large to search: two eyes unless most of it is marginal.
fn value_of_large(space: &EyeSpace) -> EyeValue {
    let marginal = space.marginal_count();
    match (space.vertices.len() - marginal).saturating_sub(marginal / 3) {
        0 => EyeValue::NONE,
        1..=3 => EyeValue { a: 0, b: 1, c: 1, d: 2 },
        4..=5 => EyeValue { a: 0, b: 1, c: 2, d: 2 },
        6 => EyeValue { a: 1, b: 2, c: 2, d: 2 },
        _ => EyeValue::TWO,
    }
}

fn find_half_eyes(
    board: &Board,
    space: &mut EyeSpace,
    owner: Color,
    proper: &[bool],
    tactics: &impl Tactics,
) {
    let within = |v: Vertex| space.vertices.binary_search(&v).is_ok();
    let mut found: Vec<HalfEye> = std::mem::take(&mut space.half_eyes);
    found.retain(|half| half.kind == HalfEyeKind::False);
    for (i, &v) in space.vertices.iter().enumerate() {
        if space.marginal[i] || board.neighbors4(v).filter(|&n| within(n)).count() > 1 {
            continue;
        }
        if board.neighbors4(v).any(|n| board.color_at(n) == Some(owner.other()) && !within(n)) {
            continue;
        }
        found.extend(diagonal_sum(board, v, owner, |q| proper[q.at()], tactics).half_eye(v));
    }
    for half in &found {
        // Among the attacker's stones a false eye he can't fill is no way in.
        let sealed = space.vertices.len() > 1 && board.is_suicide(owner.other(), half.vertex);
        if half.kind == HalfEyeKind::False
            && !(board.is_empty(half.vertex) && sealed)
            && let Ok(i) = space.vertices.binary_search(&half.vertex)
        {
            space.marginal[i] = true;
        }
    }
    space.half_eyes = found;
}

/// Takes out margins where the attacker's stone would be left in atari and could be taken.
fn drop_false_margins(
    board: &Board,
    space: &mut EyeSpace,
    owner: Color,
    tactics: &impl Tactics,
    dropped: &mut Vec<Vertex>,
) {
    let attacker = owner.other();
    let mut i = 0;
    while i < space.vertices.len() {
        let v = space.vertices[i];
        let is_false_eye = space.half_eyes.iter().any(|h| h.vertex == v);
        let drop = space.marginal[i]
            && !is_false_eye
            && board.is_empty(v)
            && board.neighbors4(v).any(|n| board.color_at(n) == Some(attacker))
            && board.neighbors4(v).all(|n| !board.is_empty(n))
            && tactics.safe_move(v, attacker) == Code::Fail;
        if drop {
            dropped.push(space.vertices.remove(i));
            space.marginal.remove(i);
        } else {
            i += 1;
        }
    }
}

/// The graph of a space with these half eyes, and the board vertex of each of its vertices. Key vertices of half eyes
/// come last. `None` if there are too many vertices.
fn graph_of(
    board: &Board,
    space: &EyeSpace,
    owner: Color,
    is_half: impl Fn(&HalfEye) -> bool,
) -> Option<(EyeGraph, Vec<Vertex>)> {
    let n = space.vertices.len();
    // A margin of the space that also mends a half eye is its key vertex.
    let key_inside = |h: &HalfEye| {
        let places = h.defence_points.iter().filter_map(|v| space.vertices.binary_search(v).ok());
        places.into_iter().find(|&i| space.marginal[i])
    };
    let half_eyes = || space.half_eyes.iter().filter(|h| is_half(h));
    let halves: Vec<&HalfEye> = half_eyes().filter(|h| key_inside(h).is_none()).collect();
    let total = n + halves.len();
    let mut places = space.vertices.clone();
    places.extend(halves.iter().map(|h| h.attack_points.first().copied().unwrap_or(h.vertex)));
    if total > MAX_VERTICES {
        return None;
    }
    let mut graph = EyeGraph::with_vertices(total);
    for (i, &v) in space.vertices.iter().enumerate() {
        if space.marginal[i] {
            graph.marginal |= 1 << i;
        } else if board.color_at(v) == Some(owner.other()) {
            graph.stones |= 1 << i;
        }
        if !board.neighbors4(v).any(|n| board.color_at(n) == Some(owner)) {
            graph.afloat |= 1 << i;
        }
        for (j, &u) in space.vertices.iter().enumerate().take(i) {
            if board.around(v).contains(&u) {
                graph.join(i, j);
            }
        }
    }
    for half in half_eyes() {
        if let (Some(i), Ok(j)) = (key_inside(half), space.vertices.binary_search(&half.vertex)) {
            graph.join(i, j);
        }
    }
    for (k, half) in halves.iter().enumerate() {
        let i = n + k;
        graph.marginal |= 1 << i;
        if let Ok(j) = space.vertices.binary_search(&half.vertex) {
            graph.join(i, j);
        }
    }
    Some((graph, places))
}

/// The key vertex of a half eye stands for all moves that decide it; each side has its own.
fn translate_half_eyes(space: &EyeSpace, points: &mut Vec<Vertex>, defence: bool) {
    for half in space.half_eyes.iter().filter(|h| h.is_half()) {
        let key = half.attack_points.first().copied().unwrap_or(half.vertex);
        if let Some(i) = points.iter().position(|&p| p == key) {
            let own = if defence { &half.defence_points } else { &half.attack_points };
            points.splice(i..=i, own.iter().copied());
        }
    }
    let mut seen = BTreeSet::new();
    points.retain(|p| seen.insert(*p));
}

#[cfg(test)]
mod tests;
