//! Whether a dragon is surrounded.
//!
//! # Source
//! GNU Go manual, "Surrounded Dragons" (after an idea of Bruce Wilcox).
//!
//! # Notation
//! The *surround set* are the stones of unfriendly neighbour dragons. Points are `(col, row)` with rows growing to the
//! south. The *hull* is its convex hull.
//!
//! # Steps
//! 1. Take the stones near the dragon. Below stones on the second and third line add their feet on the first line.
//! 2. Discard a stone if two others make it useless: they lie nearer to the dragon and on both sides of it.
//! 3. The dragon is surrounded if the hull holds all its stones.
//! 4. Sort the points that surround it by the angle south-centre-point. A large gap between successive ones lowers the
//!    status to weakly surrounded, a very large one to not surrounded.
//!
//! # Departures
//! The manual gives no figures for "near", "large" and "very large"; ours are constants below, found on the recorded
//! positions. Its own example of a gap of nine is weakly surrounded.

use crate::board::{Board, Vertex};
use glam::{IVec2, Vec2};

/// Stones at most so far from the dragon belong to the surround set.
const NEAR: i32 = 5;
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
    /// Corners of the hull in order around it.
    pub hull: Vec<IVec2>,
    /// Vertices inside the hull.
    pub inside: Vec<Vertex>,
    /// Empty vertices next to the hull from outside: its margin.
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

/// Step 2: whether two others make `p` useless, seen from the goal: both nearer to it, one on either side of the line
/// from the goal to `p`.
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
    // Step 1.
    let near = |p: IVec2| stones.iter().any(|&s| (s - p).abs().max_element() <= NEAR);
    let set: Vec<IVec2> = board
        .vertices()
        .filter(|&v| board.color_at(v) == Some(color.other()) && unfriendly(v))
        .map(|v| point(v, size))
        .filter(|&p| near(p))
        .collect();
    let mut kept: Vec<IVec2> = set.iter().copied().filter(|&p| !is_useless(p, &set, &stones)).collect();
    add_feet(&mut kept, size as i32);
    // Step 3.
    let hull = convex_hull(&kept);
    if !stones.iter().all(|&s| in_hull(&hull, s)) {
        return SurroundMap { hull, ..SurroundMap::default() };
    }
    // Step 4.
    let sum: IVec2 = stones.iter().sum();
    let centre = sum.as_vec2() / stones.len() as f32;
    let ring = sort_by_angle(centre, &kept);
    let gap = largest_gap(&ring, size as i32);
    let status = if gap > OPEN_GAP {
        Surround::No
    } else if gap > WEAK_GAP {
        Surround::Weakly
    } else {
        Surround::Surrounded
    };
    let inside: Vec<Vertex> = board.vertices().filter(|&v| in_hull(&hull, point(v, size))).collect();
    let margin = board
        .vertices()
        .filter(|v| {
            inside.binary_search(v).is_err() && board.neighbors4(*v).any(|n| inside.binary_search(&n).is_ok())
        })
        .collect();
    SurroundMap { status, hull, inside, margin }
}

/// Feet of stones on the second and third line: the edge is a wall.
fn add_feet(points: &mut Vec<IVec2>, size: i32) {
    for i in 0..points.len() {
        let p = points[i];
        for (distance, foot) in [
            (p.x, IVec2::new(0, p.y)),
            (size - 1 - p.x, IVec2::new(size - 1, p.y)),
            (p.y, IVec2::new(p.x, 0)),
            (size - 1 - p.y, IVec2::new(p.x, size - 1)),
        ] {
            if (1..=2).contains(&distance) && !points.contains(&foot) {
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
