//! Decides whether a dragon is surrounded, by the convex hull of the enemy stones around it.
//!
//! # Source
//! GNU Go 3.8 manual, "Surrounded Dragons" (after an idea of Bruce Wilcox).
//!
//! # Notation
//! The *surround set* holds the stones of unfriendly neighbour dragons near the dragon, and their *feet*. A foot is the
//! vertex on the first line directly below a stone on the second or third line. Points are `(col, row)` with rows
//! growing to the south. The *hull* is the convex hull of the surround set.
//!
//! # Steps
//! 1. Take the stones near the dragon and their feet near it. A foot counts if no stone of the dragon's colour stands
//!    between it and its stone.
//! 2. Where fewer than three corners are left, take the stones within a wider distance. Discard a stone if two others
//!    make it useless: they lie nearer to the dragon and on both sides of it.
//! 3. The dragon is surrounded if the hull holds all its stones.
//! 4. Sort the points that surround it by the angle south-centre-point. A large gap between successive points lowers
//!    the status to weakly surrounded, and a very large gap lowers it to not surrounded.
//! 5. A dragon is weakly surrounded if one or two of its stones lie outside, each beside the hull, and more lie inside.
//!
//! # Departures
//! The manual gives no figures for "near", "large" and "very large". In 1,043 of 1,102 corners, recorded hulls of GNU
//! Go 3.8 have exactly the stones and feet at most two lines away both ways. The limits of gaps were fitted on the
//! recorded positions. By them the manual's own example, with a gap of eight, is weakly surrounded.

use crate::board::{Board, Vertex, in_order};
use glam::{IVec2, Vec2};

/// Points at most so far from the dragon, in lines both ways, belong to the surround set.
const NEAR: i32 = 2;
/// Stones at most so far belong to it where too few are near.
const FAR: i32 = 5;
/// The most stones outside the hull of a dragon that is weakly surrounded.
const MOST_OUTSIDE: usize = 2;
/// A gap between neighbours in angle above this makes a dragon weakly surrounded.
const WEAK_GAP: f32 = 5.1;
/// A gap above this means that it is not surrounded.
const OPEN_GAP: f32 = 9.0;

/// Whether and how a dragon is surrounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Surround {
    /// Not at all.
    #[default]
    No,
    /// By the hull of the stones around it.
    Surrounded,
    /// With gaps.
    Weakly,
}

impl Surround {
    /// GTP's number: 0 no, 1 surrounded, 2 weakly.
    #[must_use]
    pub const fn gtp(self) -> u8 {
        match self {
            Self::No => 0,
            Self::Surrounded => 1,
            Self::Weakly => 2,
        }
    }

    /// The escape route after the effect of being surrounded.
    #[must_use]
    pub const fn limit_escape(self, route: u32) -> u32 {
        match self {
            Self::No => route,
            Self::Surrounded => 0,
            Self::Weakly => route / 2,
        }
    }
}

/// Whether and how a dragon is surrounded, and by which stones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurroundMap {
    /// The status.
    pub status: Surround,
    /// The surround set: the stones and feet that count, in vertex order.
    pub set: Vec<Vertex>,
    /// Corners of the hull in order around it.
    pub hull: Vec<IVec2>,
    /// Vertices inside the hull, whether or not it holds the dragon.
    pub inside: Vec<Vertex>,
    /// Vertices next to the hull from outside: its margin.
    pub margin: Vec<Vertex>,
}

fn point(v: Vertex, size: usize) -> IVec2 {
    IVec2::new(v.col(size) as i32, v.row(size) as i32)
}

/// Twice the area of the triangle `a b c`; positive if `c` lies to the right of `a b` (rows grow south).
const fn turn(a: IVec2, b: IVec2, c: IVec2) -> i32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// The convex hull of points, in order around it; collinear points are left out.
fn convex_hull(points: &[IVec2]) -> Vec<IVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by_key(|p| (p.x, p.y));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let half = |points: &mut dyn Iterator<Item = IVec2>| {
        let mut chain: Vec<IVec2> = Vec::new();
        for p in points {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0 {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut sorted.iter().copied());
    hull.extend(half(&mut sorted.iter().rev().copied()));
    hull
}

/// Whether the point lies in the hull or on its border.
fn in_hull(hull: &[IVec2], p: IVec2) -> bool {
    hull.len() >= 3 && (0..hull.len()).all(|i| turn(hull[i], hull[(i + 1) % hull.len()], p) >= 0)
}

/// Step 4: points in ascending order of the angle south-centre-point, going west first.
fn sort_by_angle(centre: Vec2, points: &[IVec2]) -> Vec<IVec2> {
    let angle = |p: IVec2| {
        let d = p.as_vec2() - centre;
        // South is +y; west of it comes first.
        let angle = (-d.x).atan2(d.y);
        if angle < 0.0 { angle + std::f32::consts::TAU } else { angle }
    };
    let mut sorted = points.to_vec();
    sorted.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)).then((a.x, a.y).cmp(&(b.x, b.y))));
    sorted
}

/// Step 2: whether two other stones make `p` useless. Both are nearer to the goal, one on each side of the line from
/// the goal to `p`.
fn is_useless(p: IVec2, others: &[IVec2], goal: &[IVec2]) -> bool {
    let Some(&nearest) = goal.iter().min_by_key(|g| ((**g - p).length_squared(), g.x, g.y)) else {
        return false;
    };
    let far = (p - nearest).length_squared();
    let toward = |q: IVec2| (p - nearest).dot(q - nearest) > 0 && (q - nearest).length_squared() < far;
    let side = |q: IVec2| turn(nearest, p, q);
    let near = others.iter().copied().filter(|&q| q != p && toward(q));
    let (mut left, mut right) = (false, false);
    for q in near {
        let close = (q - p).length_squared() <= 13;
        left |= close && side(q) < 0;
        right |= close && side(q) > 0;
    }
    left && right
}

/// All steps for a dragon: `goal` its stones, `unfriendly` the stones of hostile neighbour dragons.
#[must_use]
pub fn surround(board: &Board, goal: &[Vertex], unfriendly: impl Fn(Vertex) -> bool) -> SurroundMap {
    let size = board.size();
    let stones: Vec<IVec2> = goal.iter().map(|&v| point(v, size)).collect();
    let Some(color) = goal.first().and_then(|&v| board.color_at(v)) else { return SurroundMap::default() };
    let within = |p: IVec2, most: i32| stones.iter().any(|&s| (s - p).abs().max_element() <= most);
    let foes: Vec<IVec2> = board
        .vertices()
        .filter(|&v| board.color_at(v) == Some(color.other()) && unfriendly(v))
        .map(|v| point(v, size))
        .collect();
    // Step 1.
    let own = |p: IVec2| board.color_at(Vertex::new(p.y as usize, p.x as usize, size)) == Some(color);
    let mut kept = foes.clone();
    add_feet(&mut kept, size as i32, own);
    kept.retain(|&p| within(p, NEAR));
    let mut hull = convex_hull(&kept);
    // Step 2.
    if hull.len() < 3 {
        let set: Vec<IVec2> = foes.iter().copied().filter(|&p| within(p, FAR)).collect();
        kept = set.iter().copied().filter(|&p| !is_useless(p, &set, &stones)).collect();
        add_feet(&mut kept, size as i32, |_| false);
        hull = convex_hull(&kept);
    }
    let inside: Vec<Vertex> = board.vertices().filter(|&v| in_hull(&hull, point(v, size))).collect();
    let margin: Vec<Vertex> = board
        .vertices()
        .filter(|v| {
            inside.binary_search(v).is_err() && board.neighbors4(*v).any(|n| inside.binary_search(&n).is_ok())
        })
        .collect();
    // Steps 3 to 5.
    let outside: Vec<Vertex> = goal.iter().copied().filter(|v| inside.binary_search(v).is_err()).collect();
    let sum: IVec2 = stones.iter().sum();
    let centre = sum.as_vec2() / stones.len() as f32;
    let gap = largest_gap(&sort_by_angle(centre, &kept), size as i32);
    let is_beside = |v: &Vertex| margin.binary_search(v).is_ok();
    let few = outside.len() <= MOST_OUTSIDE && 2 * outside.len() < goal.len();
    let status = match outside.is_empty() {
        true if gap <= WEAK_GAP => Surround::Surrounded,
        true if gap <= OPEN_GAP => Surround::Weakly,
        false if gap <= OPEN_GAP && few && outside.iter().all(is_beside) => Surround::Weakly,
        _ => Surround::No,
    };
    let set = in_order(kept.iter().map(|p| Vertex::new(p.y as usize, p.x as usize, size)));
    SurroundMap { status, set, hull, inside, margin }
}

/// Feet of stones on the second and third line, for the edge is a wall; none where an own stone stands on the way.
fn add_feet(points: &mut Vec<IVec2>, size: i32, own: impl Fn(IVec2) -> bool) {
    for i in 0..points.len() {
        let p = points[i];
        for (distance, step) in
            [(p.x, IVec2::NEG_X), (size - 1 - p.x, IVec2::X), (p.y, IVec2::NEG_Y), (size - 1 - p.y, IVec2::Y)]
        {
            let foot = p + step * distance;
            if (1..=2).contains(&distance)
                && (1..=distance).all(|k| !own(p + step * k))
                && !points.contains(&foot)
            {
                points.push(foot);
            }
        }
    }
}

/// The largest distance between successive points around the dragon; along the edge of the board there is no gap.
fn largest_gap(ring: &[IVec2], size: i32) -> f32 {
    let same_edge = |a: IVec2, b: IVec2| {
        (a.x == b.x && (a.x == 0 || a.x == size - 1)) || (a.y == b.y && (a.y == 0 || a.y == size - 1))
    };
    let corner = |a: IVec2, b: IVec2| {
        let edge = |p: IVec2| p.x == 0 || p.y == 0 || p.x == size - 1 || p.y == size - 1;
        edge(a) && edge(b)
    };
    (0..ring.len())
        .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
        .filter(|&(a, b)| !same_edge(a, b) && !corner(a, b))
        .map(|(a, b)| (b - a).as_vec2().length())
        .fold(0.0, f32::max)
}

#[cfg(test)]
mod tests;
