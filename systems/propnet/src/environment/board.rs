//! Finds the board of a game from its rules.
//!
//! # Notation
//! Facts with the same name and number of arguments are a family. A *candidate* is a family with two places of its
//! arguments as axes. The other arguments name the planes. A word such as `a1` counts as two places.
//!
//! # Steps
//! 1. The values of an axis are whole numbers, letters, or numbers after the same letter, without a gap.
//! 2. Moves change the facts of a candidate. It has at least two fifths of the cells of the axes, and three tenths of
//!    the cells of all its planes. For facts without a piece, both axes must have the same domain, and three quarters
//!    of the cells must occur.
//! 3. Candidates with a piece are preferred. Five further criteria follow in order. They prefer axes that moves name,
//!    fewer other places with an axis' domain, axes with the same domain, more cells, and fewer planes.
//! 4. If one axis has letters and the other numbers, the letters count columns. If moves name only one axis, this axis
//!    counts columns. Otherwise the axis along which the pieces of the initial state stand counts columns. Otherwise
//!    the first axis counts rows, from the top.
//! 5. A plane belongs to the role whose moves make at least nine tenths of its facts true in 300 random moves. If no
//!    moves decide, names decide, such as `x` and `xplayer`, or `wp` and `white`.
//!
//! # Cost
//! Three hundred moves of the net.

use crate::net::{Bases, Net};
use crate::propagate::{Topology, by_name};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;
use tengen_core::SplitMix64;

/// A column of an observation that is always 0: a cell that a plane does not have.
pub const NO_FACT: u32 = u32::MAX;

/// Planes of equal size: the first `planes * rows * columns` columns of an observation, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Names of the planes: the fact with `_` for row and column. Those of the first mover come first, then those of the
    /// roles after it, then those of nobody.
    pub planes: Vec<String>,
    /// Per plane the role whose moves make its facts true.
    pub owners: Vec<Option<usize>>,
    /// Values of the place that counts rows, the top one first.
    pub rows: Vec<String>,
    /// Values of the place that counts columns, the left one first.
    pub columns: Vec<String>,
}

/// A term in pieces: name and arguments, nested terms as text.
fn pieces(fact: &str) -> Vec<&str> {
    let Some(inner) = fact.strip_prefix('(').and_then(|f| f.strip_suffix(')')) else { return vec![fact] };
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                found.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inner[start..]);
    found
}

/// The kind of a coordinate and its rank: a number (0), a letter (1), a number after a letter (that letter).
fn coordinate(text: &str) -> Option<(u32, u32)> {
    if let Ok(number) = text.parse::<u32>() {
        return Some((0, number));
    }
    let (first, rest) = (text.chars().next()?, text.get(1..)?);
    match rest {
        _ if !first.is_ascii_lowercase() => None,
        "" => Some((1, u32::from(first))),
        _ => rest.parse().ok().map(|number| (u32::from(first), number)),
    }
}

/// The values of one place in order; `None` if one of them is no coordinate, or if there is a gap.
fn axis<'a>(values: impl Iterator<Item = &'a str>) -> Option<Axis<'a>> {
    let mut found: Vec<((u32, u32), &str)> = Vec::new();
    for value in values {
        found.push((coordinate(value)?, value));
    }
    found.sort_unstable();
    found.dedup();
    let whole = found.windows(2).all(|w| w[0].0.0 == w[1].0.0 && w[0].0.1 + 1 == w[1].0.1);
    let kind = found.first()?.0.0;
    (whole && found.len() > 1)
        .then(|| Axis { kind, values: found.into_iter().map(|(_, text)| text).collect() })
}

#[derive(Clone, Debug, PartialEq)]
struct Axis<'a> {
    kind: u32,
    values: Vec<&'a str>,
}

/// Facts of one name and number of arguments, in pieces.
struct Family<'a> {
    members: Vec<(usize, Vec<&'a str>)>,
    /// The first of two places that are one word.
    word: Option<usize>,
}

impl<'a> Family<'a> {
    /// Splits a place of words such as `a1` with several letters in two.
    fn split(&mut self) {
        let places = self.members[0].1.len();
        for place in 1..places {
            let letters: Option<FxHashSet<u32>> = self
                .members
                .iter()
                .map(|m| coordinate(m.1[place]).and_then(|(kind, _)| (kind > 1).then_some(kind)))
                .collect();
            if letters.is_some_and(|letters| letters.len() > 1) {
                self.word = Some(place);
                for (_, parts) in &mut self.members {
                    let (letter, number) = parts[place].split_at(1);
                    parts[place] = number;
                    parts.insert(place, letter);
                }
                return;
            }
        }
    }

    /// The pairs of places that may be axes.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let places = self.members[0].1.len();
        match self.word {
            Some(at) => vec![(at, at + 1)],
            None => (1..places).flat_map(|a| (a + 1..places).map(move |b| (a, b))).collect(),
        }
    }
}

/// How good a candidate is; larger is better.
type Rank = (bool, bool, Reverse<usize>, u32, usize, Reverse<usize>, usize);

/// A board that the facts of a family could show.
struct Candidate<'a> {
    members: Vec<(usize, Vec<&'a str>)>,
    word: bool,
    places: (usize, usize),
    axes: (Axis<'a>, Axis<'a>),
    /// Names of planes, by first appearance.
    planes: Vec<String>,
    rank: Rank,
}

impl<'a> Candidate<'a> {
    fn of(family: &Family<'a>, places: (usize, usize), moves: &Moves<'a>) -> Option<Self> {
        let members = &family.members;
        let first = axis(members.iter().map(|m| m.1[places.0]))?;
        let second = axis(members.iter().map(|m| m.1[places.1]))?;
        let cells: FxHashSet<(&str, &str)> = members.iter().map(|m| (m.1[places.0], m.1[places.1])).collect();
        let (mut planes, mut known) = (Vec::new(), FxHashSet::default());
        for (_, parts) in members {
            let name = plane(parts, places, family.word.is_some());
            if known.insert(name.clone()) {
                planes.push(name);
            }
        }
        let all = first.values.len() * second.values.len();
        let bare = members[0].1.len() == 3;
        let one_domain = first == second;
        let full = members.len() * 4 >= all * 3;
        let dense = cells.len() * 5 >= all * 2 && members.len() * 10 >= planes.len() * cells.len() * 3;
        if !dense || bare && !(one_domain && full) {
            return None;
        }
        let same_domain = |place: usize| {
            let values = axis(members.iter().map(|m| m.1[place]));
            values.is_some_and(|values| values == first || values == second)
        };
        let others = (1..members[0].1.len()).filter(|&p| p != places.0 && p != places.1);
        let further = others.filter(|&place| same_domain(place)).count();
        let domain = if one_domain || first.kind != second.kind { 2 } else { 1 };
        let rank = (
            !bare,
            moves.name(&first) && moves.name(&second),
            Reverse(further),
            domain,
            cells.len(),
            Reverse(planes.len()),
            places.0,
        );
        Some(Self {
            members: members.clone(),
            word: family.word.is_some(),
            places,
            axes: (first, second),
            planes,
            rank,
        })
    }

    fn plane_of(&self) -> Vec<usize> {
        let number: FxHashMap<&str, usize> =
            self.planes.iter().enumerate().map(|(n, p)| (p.as_str(), n)).collect();
        self.members.iter().map(|(_, parts)| number[plane(parts, self.places, self.word).as_str()]).collect()
    }
}

/// The fact with `_` for row and column.
fn plane(parts: &[&str], places: (usize, usize), word: bool) -> String {
    let is_place = |n: usize| n == places.0 || n == places.1;
    let shown = parts.iter().enumerate().filter(|(n, _)| !(word && *n == places.1));
    let parts: Vec<&str> = shown.map(|(n, &p)| if is_place(n) { "_" } else { p }).collect();
    format!("({})", parts.join(" "))
}

/// What moves name.
struct Moves<'a> {
    /// All arguments; a word such as `a1` is two.
    all: FxHashSet<&'a str>,
    /// Per name of moves and place of an argument its values, and whether it is the only argument.
    places: Vec<(FxHashSet<&'a str>, bool)>,
}

impl<'a> Moves<'a> {
    fn of(texts: &'a [String]) -> Self {
        let mut all = FxHashSet::default();
        let mut places: FxHashMap<(&str, usize, usize), FxHashSet<&str>> = FxHashMap::default();
        for text in texts {
            let parts = pieces(text);
            all.extend(&parts[1..]);
            let words = parts[1..].iter().filter(|part| coordinate(part).is_some_and(|(kind, _)| kind > 1));
            all.extend(words.flat_map(|word| <[&str; 2]>::from(word.split_at(1))));
            for (place, argument) in parts.iter().enumerate().skip(1) {
                places.entry((parts[0], parts.len(), place)).or_default().insert(argument);
            }
        }
        let places = places.into_iter().map(|((_, parts, _), values)| (values, parts == 2)).collect();
        Self { all, places }
    }

    /// Whether they name nine tenths of the values of an axis.
    fn name(&self, axis: &Axis<'_>) -> bool {
        let named = axis.values.iter().filter(|value| self.all.contains(*value)).count();
        named * 10 >= axis.values.len() * 9
    }

    /// Whether an argument has the values of an axis, and none has those of the other.
    fn names_alone(&self, axis: &Axis<'_>, other: &Axis<'_>) -> bool {
        let has = |values: &FxHashSet<&str>, axis: &Axis<'_>| {
            values.len() == axis.values.len() && axis.values.iter().all(|value| values.contains(value))
        };
        let only = |(values, alone): &(FxHashSet<&str>, bool)| has(values, axis) && (*alone || axis != other);
        self.places.iter().any(only) && (axis == other || !self.places.iter().any(|(v, _)| has(v, other)))
    }
}

/// The bases that some move may change.
fn moved(net: &Net) -> Vec<bool> {
    let mut reached = vec![false; net.nodes()];
    (0..net.inputs()).for_each(|input| reached[net.input_node(input)] = true);
    for gate in 0..net.gates() {
        reached[net.first_gate() + gate] = net.gate(gate).iter().any(|l| reached[l.node()]);
    }
    net.transitions.iter().map(|l| reached[l.node()]).collect()
}

/// The grid, and the order of all columns; the grid's columns come first.
pub(super) fn find_grid(topology: &Arc<Topology>) -> Option<(Grid, Vec<u32>)> {
    let net = &topology.net;
    let names = &net.names;
    let moves = Moves::of(&names.moves);
    let board = best_candidate(net, &moves)?;
    let (row_place, from_bottom) = orientation(&board, &moves, &names.initial);
    let (mut rows, columns) = match row_place {
        0 => (board.axes.0.values.clone(), board.axes.1.values.clone()),
        _ => (board.axes.1.values.clone(), board.axes.0.values.clone()),
    };
    let first = first_mover(topology);
    let plane_of = board.plane_of();
    let owners = owners(topology, &board, &plane_of);
    // The first mover's side is the lower one.
    let turned = match from_bottom {
        Side::Bottom => true,
        Side::Top => false,
        Side::FirstMover => {
            let place = if row_place == 0 { board.places.0 } else { board.places.1 };
            let own =
                board.members.iter().zip(&plane_of).filter(|((fact, _), plane)| {
                    names.initial.contains(*fact) && owners[**plane] == Some(first)
                });
            let ranks: Vec<usize> =
                own.filter_map(|((_, parts), _)| rows.iter().position(|r| *r == parts[place])).collect();
            !ranks.is_empty() && ranks.iter().sum::<usize>() * 2 < ranks.len() * (rows.len() - 1)
        }
    };
    if turned {
        rows.reverse();
    }
    let roles = names.roles.len();
    let mut order: Vec<usize> = (0..board.planes.len()).collect();
    order.sort_by_key(|&p| owners[p].map_or(roles, |role| (role + roles - first) % roles));
    let mut cells = vec![NO_FACT; order.len() * rows.len() * columns.len()];
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(n, &plane)| rank[plane] = n);
    let index =
        |values: &[&str], text: &str| values.iter().position(|v| *v == text).expect("it is of the axis");
    let (row_at, column_at) = if row_place == 0 { board.places } else { (board.places.1, board.places.0) };
    let mut on_board = vec![false; names.bases.len()];
    for ((fact, parts), &plane) in board.members.iter().zip(&plane_of) {
        let at = rank[plane] * rows.len() + index(&rows, parts[row_at]);
        cells[at * columns.len() + index(&columns, parts[column_at])] = *fact as u32;
        on_board[*fact] = true;
    }
    cells.extend((0..names.bases.len()).filter(|&f| !on_board[f]).map(|f| f as u32));
    let own = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
    let grid = Grid {
        planes: order.iter().map(|&p| board.planes[p].clone()).collect(),
        owners: order.iter().map(|&p| owners[p]).collect(),
        rows: own(rows),
        columns: own(columns),
    };
    Some((grid, cells))
}

/// Steps 1 to 3.
fn best_candidate<'a>(net: &'a Net, moves: &Moves<'a>) -> Option<Candidate<'a>> {
    let mut families: Vec<Family<'_>> = Vec::new();
    let mut number: FxHashMap<(&str, usize), usize> = FxHashMap::default();
    for (fact, text) in net.names.bases.iter().enumerate() {
        let parts = pieces(text);
        let family = *number.entry((parts[0], parts.len())).or_insert_with(|| {
            families.push(Family { members: Vec::new(), word: None });
            families.len() - 1
        });
        families[family].members.push((fact, parts));
    }
    let moved = moved(net);
    families.retain(|f| f.members.len() >= 4 && f.members.iter().any(|m| moved[m.0]));
    families.iter_mut().for_each(Family::split);
    let candidates =
        families.iter().flat_map(|f| f.pairs().into_iter().filter_map(|p| Candidate::of(f, p, moves)));
    // The first of equal ones.
    candidates.reduce(|best, next| if next.rank > best.rank { next } else { best })
}

/// Where row 1 is.
enum Side {
    Top,
    Bottom,
    FirstMover,
}

/// Step 4: the axis (0 or 1) that counts rows, and where its first value stands.
fn orientation(board: &Candidate<'_>, moves: &Moves<'_>, initial: &Bases) -> (usize, Side) {
    let (a, b) = (&board.axes.0, &board.axes.1);
    match (a.kind, b.kind) {
        (1, kind) if kind != 1 => return (1, Side::Bottom),
        (kind, 1) if kind != 1 => return (0, Side::Bottom),
        _ => {}
    }
    if moves.names_alone(a, b) {
        return (1, Side::Bottom);
    }
    if moves.names_alone(b, a) {
        return (0, Side::Bottom);
    }
    let cells = a.values.len() * b.values.len();
    let (mut along_a, mut along_b) = (0, 0);
    let plane_of = board.plane_of();
    for plane in 0..board.planes.len() {
        let facts =
            board.members.iter().zip(&plane_of).filter(|((f, _), p)| **p == plane && initial.contains(*f));
        let facts: Vec<_> =
            facts.map(|((_, parts), _)| (parts[board.places.0], parts[board.places.1])).collect();
        if facts.len() < 2 || facts.len() * 2 > cells {
            continue;
        }
        let count = |values: FxHashSet<&str>| values.len();
        let (of_a, of_b) =
            (count(facts.iter().map(|f| f.0).collect()), count(facts.iter().map(|f| f.1).collect()));
        along_a += usize::from(of_a > of_b);
        along_b += usize::from(of_b > of_a);
    }
    match (along_a, along_b) {
        (1.., 0) => (1, Side::FirstMover),
        (0, 1..) => (0, Side::FirstMover),
        _ => (0, Side::Top),
    }
}

/// The role with a choice in the initial state, the first if there are several.
fn first_mover(topology: &Arc<Topology>) -> usize {
    let mut walk = by_name("differential", topology).expect("it is one of the names");
    (0..topology.net.names.roles.len()).find(|&role| walk.legal(role).len() > 1).unwrap_or(0)
}

/// Random moves that decide whom planes belong to.
const MOVES: usize = 300;

/// Step 5.
fn owners(topology: &Arc<Topology>, board: &Candidate<'_>, plane_of: &[usize]) -> Vec<Option<usize>> {
    let names = &topology.net.names;
    let roles = names.roles.len();
    if roles == 1 {
        return vec![None; board.planes.len()];
    }
    let mut plane_of_fact = vec![usize::MAX; names.bases.len()];
    board.members.iter().zip(plane_of).for_each(|((fact, _), &plane)| plane_of_fact[*fact] = plane);
    let mut made = vec![vec![0_u32; roles]; board.planes.len()];
    let mut walk = by_name("differential", topology).expect("it is one of the names");
    let mut rng = SplitMix64::new(1);
    for _ in 0..MOVES {
        let legal: Vec<Vec<u32>> = (0..roles).map(|role| sorted(walk.legal(role))).collect();
        if walk.terminal() || legal.iter().any(Vec::is_empty) {
            walk.enter(&names.initial);
            continue;
        }
        let joint: Vec<u32> = legal.iter().map(|l| l[rng.below(l.len() as u32) as usize]).collect();
        let before: FixedBitSet = walk.state().clone();
        walk.advance(&joint);
        let mut choosing = (0..roles).filter(|&role| legal[role].len() > 1);
        if let (Some(role), None) = (choosing.next(), choosing.next()) {
            for fact in walk.state().difference(&before).filter(|&f| plane_of_fact[f] != usize::MAX) {
                made[plane_of_fact[fact]][role] += 1;
            }
        }
    }
    let started = |plane: usize| {
        let of = board.members.iter().zip(plane_of).filter(|(_, p)| **p == plane);
        of.filter(|((fact, _), _)| names.initial.contains(*fact)).count()
    };
    let cells = board.axes.0.values.len() * board.axes.1.values.len();
    let by_moves = |plane: usize| -> Option<Option<usize>> {
        let all: u32 = made[plane].iter().sum();
        let most = (0..roles).max_by_key(|&role| made[plane][role])?;
        match all {
            0 if started(plane) * 2 > cells => Some(None),
            0..3 => None,
            _ => Some((made[plane][most] * 10 >= all * 9).then_some(most)),
        }
    };
    let by_name = |plane: usize| {
        let words = pieces(&board.planes[plane]);
        words[1..].iter().find_map(|word| owner_by_name(word, &names.roles))
    };
    (0..board.planes.len()).map(|plane| by_moves(plane).unwrap_or_else(|| by_name(plane))).collect()
}

fn sorted(inputs: &[u32]) -> Vec<u32> {
    let mut inputs = inputs.to_vec();
    inputs.sort_unstable();
    inputs
}

/// The only role that a piece's name fits.
fn owner_by_name(piece: &str, roles: &[String]) -> Option<usize> {
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut found = (0..roles.len()).filter(|&role| fits(&roles[role]));
        found.next().filter(|_| found.next().is_none())
    };
    let first = piece.get(..1)?;
    only(&|role| role == piece)
        .or_else(|| only(&|role| role.starts_with(piece)))
        .or_else(|| (piece.len() == 2).then(|| only(&|role| role.starts_with(first))).flatten())
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
