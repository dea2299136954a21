//! Groups the vertices whose owners change into units.
//!
//! # Steps
//! 1. Stones of one dragon whose fates after the subject and after the other differ in the same way are a *changed
//!    group*.
//! 2. Neighbouring vertices whose owners change in the same way join the nearest changed group.
//! 3. Of the remaining vertices, stones belong to their dragon, and small eye spaces to the dragon that they border.
//!    Other empty vertices belong to the connected territory, moyo or open area that holds them.

use super::fate::{Fate, fate};
use super::{LEAST, Seen, Unit};
use crate::board::{Color, Vertex};
use crate::spread::InfluenceMap;
use crate::territory::Region;
use std::collections::{BTreeMap, VecDeque};

/// The least change of an owner by which a vertex joins a group.
const JOINS: f32 = 0.06;
/// The most vertices of an eye space that is a unit; a larger one is territory or an open area.
const EYE_SPACE: usize = 12;
/// The greatest number of steps from a changed group to a vertex that joins it.
const FARTHEST: u32 = 5;

/// The two positions and their origin.
pub(super) struct Pair<'a> {
    /// Before either move.
    pub before: Seen<'a>,
    /// After the subject.
    pub subject: Seen<'a>,
    /// After the other.
    pub other: Seen<'a>,
    /// The side that moves.
    pub color: Color,
}

impl Pair<'_> {
    /// The gain in the owner of a vertex for the side that moves.
    pub(super) fn gain(&self, v: Vertex) -> f32 {
        let size = self.before.board.size();
        let sign = if self.color == Color::Black { 1.0 } else { -1.0 };
        sign * (self.subject.view.owner[v.index(size)] - self.other.view.owner[v.index(size)])
    }
}

/// Vertices that change together.
pub(super) struct Group {
    pub unit: Unit,
    pub color: Option<Color>,
    pub stones: Vec<Vertex>,
    pub empty: Vec<Vertex>,
    /// For a changed group: the fates of its stones after the subject and after the other.
    pub fates: Option<(Fate, Fate)>,
    pub points: f32,
}

/// The criterion by which two stones of a dragon share a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    color: u8,
    dragon: u16,
    lives: bool,
    is_capture: bool,
}

/// The units of at least [`LEAST`] points and the changed groups, the greatest first.
pub(super) fn gather(pair: &Pair<'_>) -> Vec<Group> {
    let board = pair.before.board;
    let mut groups: Vec<Group> = Vec::new();
    let mut of = vec![usize::MAX; board.padded_len()];
    // 1.
    let mut changed: BTreeMap<Shared, usize> = BTreeMap::new();
    for v in board.vertices() {
        let Some(color) = board.color_at(v) else { continue };
        let fates = (fate(&pair.subject, v, color), fate(&pair.other, v, color));
        let (Some(after), Some(else_)) = (fates.0.lives(), fates.1.lives()) else { continue };
        if after == else_ {
            continue;
        }
        let dying = if after { &fates.1 } else { &fates.0 };
        let is_capture = matches!(dying, Fate::Gone | Fate::Dies { is_capture: true, .. });
        let shared = Shared {
            color: color.index() as u8,
            dragon: pair.before.dragon_number(v).unwrap_or(u16::MAX),
            lives: after,
            is_capture,
        };
        let at = *changed.entry(shared).or_insert_with(|| {
            let stones = Vec::new();
            groups.push(Group {
                unit: Unit::Dragon,
                color: Some(color),
                stones,
                empty: Vec::new(),
                fates: Some(fates.clone()),
                points: 0.0,
            });
            groups.len() - 1
        });
        groups[at].stones.push(v);
        of[v.at()] = at;
    }
    // 2.
    let mut waiting: VecDeque<(Vertex, u32)> =
        board.vertices().filter(|v| of[v.at()] != usize::MAX).map(|v| (v, 0)).collect();
    while let Some((v, steps)) = waiting.pop_front() {
        let at = of[v.at()];
        // A group that gains for the side that moves takes what gains, and the other way round.
        let lives = groups[at].fates.as_ref().and_then(|fates| fates.0.lives()) == Some(true);
        let sign = if (groups[at].color == Some(pair.color)) == lives { 1.0 } else { -1.0 };
        for n in board.neighbors4(v).collect::<Vec<_>>() {
            let gain = sign * pair.gain(n);
            // Dead stones change little themselves, but what lies behind them does.
            if of[n.at()] == usize::MAX && gain >= JOINS && steps < FARTHEST {
                of[n.at()] = at;
                match board.color_at(n) {
                    Some(_) => groups[at].stones.push(n),
                    None => groups[at].empty.push(n),
                }
                waiting.push_back((n, steps + 1));
            }
        }
    }
    // 3.
    rest(pair, &mut groups, &mut of);
    for group in &mut groups {
        group.points = group.stones.iter().chain(&group.empty).map(|&v| pair.gain(v)).sum();
    }
    groups.retain(|group| group.points.abs() >= LEAST);
    groups.sort_by(|a, b| b.points.abs().total_cmp(&a.points.abs()).then(first(a).cmp(&first(b))));
    groups
}

fn first(group: &Group) -> Option<Vertex> {
    group.stones.first().or(group.empty.first()).copied()
}

/// The class of a vertex that belongs to no changed group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Dragon(u16),
    EyeSpace(u8, Vertex),
    Region(u8, u8),
}

fn rest(pair: &Pair<'_>, groups: &mut Vec<Group>, of: &mut [usize]) {
    let before = &pair.before;
    let board = before.board;
    let map: &InfluenceMap = &before.influence.maps[pair.color.index()];
    let class = |v: Vertex| -> Class {
        if let Some(number) = before.dragon_number(v) {
            return Class::Dragon(number);
        }
        let small = |color| before.eyes.at(v, color).is_some_and(|space| space.vertices.len() <= EYE_SPACE);
        for color in Color::BOTH.into_iter().filter(|&color| small(color)) {
            let Some(space) = before.eyes.at(v, color) else { continue };
            let around = space.vertices.iter().flat_map(|&w| board.neighbors4(w));
            let owner =
                around.filter(|&n| board.color_at(n) == Some(color)).find_map(|n| before.dragon_number(n));
            return owner.map_or(Class::EyeSpace(color.index() as u8, space.origin()), Class::Dragon);
        }
        match map.region(v) {
            Region::Territory(color) => Class::Region(0, color.index() as u8),
            Region::Moyo(color) => Class::Region(1, color.index() as u8),
            _ => Class::Region(2, 0),
        }
    };
    let mut classes: Vec<Option<Class>> = vec![None; board.padded_len()];
    for v in board.vertices().filter(|v| of[v.at()] == usize::MAX) {
        classes[v.at()] = Some(class(v));
    }
    for v in board.vertices() {
        if of[v.at()] != usize::MAX {
            continue;
        }
        let Some(class) = classes[v.at()] else { continue };
        let at = groups.len();
        let (unit, color) = match class {
            Class::Dragon(number) => {
                (Unit::Dragon, before.dragons.dragons.get(usize::from(number)).map(|dragon| dragon.color))
            }
            Class::EyeSpace(color, _) => (Unit::EyeSpace, Some(Color::BOTH[usize::from(color)])),
            Class::Region(0, color) => (Unit::Territory, Some(Color::BOTH[usize::from(color)])),
            Class::Region(1, color) => (Unit::Moyo, Some(Color::BOTH[usize::from(color)])),
            Class::Region(..) => (Unit::Open, None),
        };
        groups.push(Group { unit, color, stones: Vec::new(), empty: Vec::new(), fates: None, points: 0.0 });
        let mut take = |w: Vertex, of: &mut [usize]| {
            of[w.at()] = at;
            let group = &mut groups[at];
            if board.color_at(w).is_some() { group.stones.push(w) } else { group.empty.push(w) }
        };
        if matches!(class, Class::Dragon(_) | Class::EyeSpace(..)) {
            // All that is left of it, wherever it is.
            for w in board.vertices() {
                if of[w.at()] == usize::MAX && classes[w.at()] == Some(class) {
                    take(w, of);
                }
            }
            continue;
        }
        let mut waiting = vec![v];
        take(v, of);
        while let Some(w) = waiting.pop() {
            for n in board.neighbors4(w).collect::<Vec<_>>() {
                // One side of the board is one area, but what gains and what loses are not one unit.
                let same = classes[n.at()] == Some(class) && (pair.gain(n) >= 0.0) == (pair.gain(v) >= 0.0);
                if of[n.at()] == usize::MAX && same {
                    take(n, of);
                    waiting.push(n);
                }
            }
        }
    }
}
