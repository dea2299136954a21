//! The field of a closed problem, in bits, and the rules of Go on it.
//!
//! # Notation
//! A *cell* is a vertex of the field, numbered in vertex order; sets of cells are 64-bit sets. An attacker's string is
//! *solid* if no play in the field can take it. The defender is called *own*, the attacker *foe*.
//!
//! # Steps
//! 1. The field is the arena without the fixed strings. These are the attacker's strings that are safe or have more
//!    than [`WEAK_LIBERTIES`] liberties, and the defender's living friends. All liberties of the attacker's other
//!    strings belong to the field. In a *careful* field no string with few liberties stays fixed, and a way leads out
//!    wherever an empty vertex lies beyond the field.
//! 2. A dragon lives if one of its strings lives by Benson's algorithm, within the field, or is connected to a friend
//!    that lives.
//! 3. A dragon is dead if none of its stones is left, or if no two cells that do not touch each other can become eyes.
//!    A solid string never goes away, so no cell next to it is an eye. Solid stones can fill the other cells, and then
//!    the last eye.

use crate::board::{Board, Color, SmallList, Vertex, ones};
use crate::local_view::{Arena, WEAK_LIBERTIES};

/// No ko, and a vertex outside the field.
///
/// Origin: definition, the number after the last cell.
pub(super) const NONE: u8 = 64;

/// Mixes the bits of a word, for a key.
pub(super) const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// The stones of a position, and the cell that may not be played because of ko.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stones {
    pub(super) own: u64,
    pub(super) foe: u64,
    pub(super) ko: u8,
}

/// An attacker's string with at most this number of liberties never stays fixed in a careful field, for any status.
///
/// Origin: ablation, `experiments/2026-11-22-go-closed-problems.md`, "Careful fields".
const FEW_LIBERTIES: usize = 3;

/// The most regions and strings of a position that the test for life considers.
///
/// Origin: ablation, commit 677cf3b: closed problems as a whole.
const MOST_PARTS: usize = 32;

/// The way to cut a field out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// No field at all with more empty cells.
    pub(super) most_empty: usize,
    /// Layers of empty vertices added where the arena ends, unless there are more than `grown` empty cells then.
    pub(super) growth: usize,
    pub(super) grown: usize,
    /// Whether every empty vertex beyond is a way out, and no attacker's string with few liberties stays.
    pub(super) careful: bool,
}

/// Further results of judging an open position.
pub(super) struct Sight {
    /// Cells that may become eyes.
    pub(super) hopes: u64,
    /// Whether the dragon may yet reach a living friend or a way out.
    pub(super) linked: bool,
    /// The attacker's stones that can't be taken.
    solid: u64,
}

/// Weights of [`Field::odds`], in eighths of a doubling.
struct Odds {
    /// By the number of empty cells and attacker's stones that may become eyes, the number of their parts, and the
    /// size of the largest part.
    hopes: [i32; 16],
    parts: [i32; 5],
    largest: [i32; 10],
    /// By the number of them that have only such cells and the defender's stones around them.
    inner: [i32; 8],
    /// By the number of the dragon's liberties.
    liberties: [i32; 10],
    /// No way out, none next to the dragon, one, more.
    ways: [i32; 4],
    /// By the number of the attacker's stones that may be taken.
    weak: [i32; 6],
    /// The last stone by the number of its string's liberties, and if it can't be taken.
    last: [i32; 4],
    solid: i32,
    /// Without and with a ko.
    ko: [i32; 2],
}

/// With the defender and with the attacker to move.
///
/// Origin: fit, 1.2 million decided positions of 1,412 fields, `experiments/2026-11-22-go-closed-problems.md`, "A faster search".
const ODDS: [Odds; 2] = [
    Odds {
        hopes: [6, 19, 5, 3, -1, -7, -8, -7, -5, -3, -1, 2, -1, 2, 3, 3],
        parts: [6, 5, 0, -5, -9],
        largest: [6, -10, -1, -1, 0, 1, 2, 2, 3, -2],
        inner: [8, 9, 6, 4, 0, -6, -8, -10],
        liberties: [16, 16, 3, -2, -5, -7, -9, -7, -7, -8],
        ways: [7, -1, -26, -26],
        weak: [-6, -6, -2, 2, 2, 3],
        last: [0, -14, 4, 7],
        solid: 4,
        ko: [-6, 19],
    },
    Odds {
        hopes: [3, 8, 1, 2, -2, -4, -4, -3, -1, 0, 3, 4, 4, 3, 5, 3],
        parts: [3, 6, 1, -4, -7],
        largest: [3, -11, -3, -1, 2, 4, 6, 7, 7, 2],
        inner: [22, 22, 9, 4, -3, -8, -11, -14],
        liberties: [29, 29, 3, -2, -6, -9, -10, -9, -9, -9],
        ways: [8, 1, -11, -23],
        weak: [-7, -3, 3, 5, 6, 7],
        last: [1, 2, -2, -2],
        solid: 0,
        ko: [4, -17],
    },
];

/// The data that stay the same throughout the search.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The vertex of each cell.
    pub(super) cells: Vec<Vertex>,
    /// The neighbours of each cell.
    near: [u64; 64],
    /// All cells.
    full: u64,
    /// The dragon's stones at the start.
    goal: u64,
    /// Cells next to an attacker's string that stays, or to an empty vertex beyond the field.
    foe_base: u64,
    /// Cells next to the defender's living friends, and those that count as such.
    friend_base: u64,
    /// Cells from which a way leads out of the field.
    open: u64,
    /// The identity of the field on boards of its size.
    name: u64,
    /// The size of the board.
    pub(super) size: usize,
}

/// The vertices of the field.
fn members(board: &Board, arena: &Arena, cut: Cut) -> Vec<bool> {
    let mut member = vec![false; board.padded_len()];
    for &v in &arena.ground.cells {
        match board.color_at(v) {
            None => member[v.at()] = true,
            Some(c) if c == arena.color => {
                if !arena.safe_friend[v.at()] {
                    board.stones(v).for_each(|s| member[s.at()] = true);
                }
            }
            Some(_) if arena.safe_foe[v.at()] && !(cut.careful && board.liberties(v) <= FEW_LIBERTIES) => {}
            Some(_) if board.liberties(v) > WEAK_LIBERTIES && !arena.dead_foe[v.at()] => {}
            Some(_) => {
                board.stones(v).for_each(|s| member[s.at()] = true);
                board.liberty_vertices(v).for_each(|l| member[l.at()] = true);
            }
        }
    }
    for _ in 0..cut.growth {
        let inner = |v: Vertex| member[v.at()] && board.is_empty(v);
        // In this order no vertex away from the field is looked at.
        let beyond = |v: &Vertex| {
            !member[v.at()]
                && board.neighbors4(*v).any(|n| inner(n) && !arena.ground.rim[n.at()])
                && board.is_empty(*v)
        };
        let more: Vec<Vertex> = board.vertices().filter(beyond).collect();
        let empty = board.vertices().filter(|&v| inner(v)).count();
        if more.is_empty() || empty + more.len() > cut.grown {
            break;
        }
        more.iter().for_each(|v| member[v.at()] = true);
    }
    member
}

impl Field {
    /// Step 1: the field, its ways out walled up, and its stones with this side to move. `None` if it is too large.
    pub(super) fn new(board: &Board, arena: &Arena, mover: Color, cut: Cut) -> Option<(Self, Stones)> {
        let own_color = arena.color;
        let member = members(board, arena, cut);
        let cells: Vec<Vertex> = board.vertices().filter(|v| member[v.at()]).collect();
        let empty = cells.iter().filter(|&&v| board.is_empty(v)).count();
        if cells.len() > 64 || empty > cut.most_empty {
            return None;
        }
        let mut index = vec![NONE; board.padded_len()];
        for (i, v) in cells.iter().enumerate() {
            index[v.at()] = i as u8;
        }
        let mut field = Self {
            near: [0; 64],
            full: if cells.len() == 64 { u64::MAX } else { (1 << cells.len()) - 1 },
            goal: 0,
            foe_base: 0,
            friend_base: 0,
            open: 0,
            name: 0,
            size: board.size(),
            cells,
        };
        let mut stones = Stones { own: 0, foe: 0, ko: NONE };
        for (i, &v) in field.cells.iter().enumerate() {
            let bit = 1_u64 << i;
            match board.color_at(v) {
                Some(c) if c == own_color => stones.own |= bit,
                Some(_) => stones.foe |= bit,
                None if arena.ground.rim[v.at()] => field.open |= bit,
                None => {}
            }
            for n in board.neighbors4(v) {
                match board.color_at(n) {
                    _ if index[n.at()] != NONE => field.near[i] |= 1 << index[n.at()],
                    Some(c) if c == own_color && arena.safe_friend[n.at()] => field.friend_base |= bit,
                    Some(c) if c == own_color => field.open |= bit,
                    None if board.color_at(v) == Some(own_color) => field.open |= bit,
                    None if cut.careful => {
                        field.open |= bit;
                        field.foe_base |= bit;
                    }
                    _ => field.foe_base |= bit,
                }
            }
        }
        for &v in &arena.goal {
            match index[v.at()] {
                NONE => return None,
                i => field.goal |= 1 << i,
            }
        }
        if let Some((v, _)) = board.ko().filter(|&(_, forbidden)| forbidden == mover) {
            stones.ko = index[v.at()];
        }
        Some((field.named(), stones))
    }

    /// The same field where the dragon lives once it gets out, if a way leads out.
    pub(super) fn with_exits(&self) -> Option<Self> {
        (self.open != 0).then(|| Self { friend_base: self.friend_base | self.open, ..self.clone() }.named())
    }

    /// The empty cells.
    pub(super) fn empty(&self, s: Stones) -> u64 {
        self.full & !(s.own | s.foe)
    }

    /// A number that identifies this field.
    pub(super) const fn name(&self) -> u64 {
        self.name
    }

    fn named(mut self) -> Self {
        let cells = self.cells.iter().fold(0, |all, v| mix(all ^ v.at() as u64));
        let bases = mix(self.foe_base ^ mix(self.friend_base ^ mix(self.open)));
        self.name = mix(cells ^ mix(self.full ^ mix(self.goal ^ bases)));
        self
    }

    /// The string of the lowest of these stones, of all stones of its colour.
    pub(super) fn string(&self, stones: u64, all: u64) -> u64 {
        self.flood(stones & stones.wrapping_neg(), all).0
    }

    /// The strings of the dragon, each with the union of the regions that only it encloses, if the union is large
    /// enough.
    pub(super) fn spaces(&self, s: Stones, fewest_empty: u32) -> SmallList<(u64, u64), MOST_PARTS> {
        let mut spaces = SmallList::default();
        let regions = self.regions(s);
        let all = regions.iter().fold(0, |all, r| all | r);
        if (all & !s.foe).count_ones() < fewest_empty {
            return spaces;
        }
        let mut rest = s.own & self.goal;
        while rest != 0 {
            let string = self.string(rest, s.own);
            rest &= !string;
            let around = |region: u64| self.around(region) & s.own & !string == 0;
            let own = regions.iter().filter(|&&r| r & self.friend_base == 0 && around(r));
            let space = own.fold(0, |all, r| all | r);
            if (space & !s.foe).count_ones() >= fewest_empty {
                spaces.push((string, space));
            }
        }
        spaces
    }

    /// The field of these cells alone, with a string that has no other liberties.
    pub(super) fn within(&self, string: u64, space: u64) -> Self {
        let full = string | space;
        let mut near = self.near;
        for cell in &mut near {
            *cell &= full;
        }
        Self {
            near,
            full,
            goal: string,
            foe_base: 0,
            friend_base: 0,
            open: 0,
            name: 0,
            size: self.size,
            cells: self.cells.clone(),
        }
        .named()
    }

    /// The field of these cells alone. Everything around them is one string of the defender's, with this many
    /// liberties elsewhere as far as cells are free for them. With it come that string's cell.
    pub(super) fn around_hopes(&self, hopes: u64, outside: u32) -> Option<(Self, u64)> {
        let mut spare = ones(!hopes);
        let wall = spare.next()?;
        let mut field = Self {
            near: [0; 64],
            full: hopes | 1 << wall,
            goal: 1 << wall,
            foe_base: 0,
            friend_base: 0,
            open: 0,
            name: 0,
            size: self.size,
            cells: self.cells.clone(),
        };
        for cell in ones(hopes) {
            field.near[cell] = self.near[cell] & hopes;
            if self.near[cell] & !hopes != 0 {
                field.near[cell] |= 1 << wall;
                field.near[wall] |= 1 << cell;
            }
        }
        for cell in spare.take(outside as usize) {
            field.full |= 1 << cell;
            field.foe_base |= 1 << cell;
            field.near[cell] = 1 << wall;
            field.near[wall] |= 1 << cell;
        }
        Some((field.named(), 1 << wall))
    }

    /// The connected part of `within` that contains `seed`, and all cells next to it.
    fn flood(&self, seed: u64, within: u64) -> (u64, u64) {
        let (mut all, mut front, mut around) = (seed, seed, 0);
        while front != 0 {
            let i = front.trailing_zeros() as usize;
            front &= front - 1;
            around |= self.near[i];
            let more = self.near[i] & within & !all;
            all |= more;
            front |= more;
        }
        (all, around & !all)
    }

    fn around(&self, set: u64) -> u64 {
        ones(set).fold(0, |all, i| all | self.near[i])
    }

    /// The position after a move on an empty cell; `None` for suicide. Whether ko forbids it is for the caller to say.
    pub(super) fn play(&self, s: Stones, attacking: bool, cell: usize) -> Option<Stones> {
        let bit = 1_u64 << cell;
        let (mut mine, theirs) = if attacking { (s.foe, s.own) } else { (s.own, s.foe) };
        let (my_base, their_base) =
            if attacking { (self.foe_base, self.friend_base) } else { (self.friend_base, self.foe_base) };
        mine |= bit;
        let mut left = theirs;
        let mut rest = self.near[cell] & theirs;
        while rest != 0 {
            let (string, around) = self.flood(rest & rest.wrapping_neg(), theirs);
            rest &= !string;
            if around & self.full & !(mine | theirs) == 0 && string & their_base == 0 {
                left &= !string;
            }
        }
        let taken = theirs & !left;
        let (string, around) = self.flood(bit, mine);
        let liberties = around & !(mine | left);
        let based = string & my_base != 0;
        if liberties == 0 && !based {
            return None;
        }
        let ko = taken.count_ones() == 1 && string == bit && liberties == taken && !based;
        let ko = if ko { taken.trailing_zeros() as u8 } else { NONE };
        let (own, foe) = if attacking { (left, mine) } else { (mine, left) };
        Some(Stones { own, foe, ko })
    }

    /// Whether this cell is an eye of one point in a single string of the defender's: he gains nothing by filling it.
    pub(super) fn is_own_eye(&self, s: Stones, cell: usize) -> bool {
        let near = self.near[cell];
        if near == 0 || near & !s.own != 0 || (self.foe_base & (1 << cell)) != 0 {
            return false;
        }
        let (string, around) = self.flood(near & near.wrapping_neg(), s.own);
        near & !string == 0 && (around & self.empty(s)).count_ones() > 1
    }

    /// Steps 2 and 3: whether the dragon is killed, if that is certain; otherwise the measures of the position.
    pub(super) fn judge(&self, s: Stones) -> Result<Sight, bool> {
        let goal = s.own & self.goal;
        if goal == 0 {
            return Err(true);
        }
        if self.life(s).is_some() {
            return Err(false);
        }
        let sight = self.look(s, goal);
        let hopes = sight.hopes;
        let none = !sight.linked
            && match hopes.count_ones() {
                0 | 1 => true,
                2 => self.near[hopes.trailing_zeros() as usize] & hopes != 0,
                _ => false,
            };
        if none { Err(true) } else { Ok(sight) }
    }

    /// Cells that may become eyes of the dragon, and whether it may yet reach a living friend.
    fn look(&self, s: Stones, goal: u64) -> Sight {
        // The attacker's strings that can't be taken, and what lies next to them.
        let (solid, near_solid) = self.flood(s.foe & self.foe_base, s.foe);
        let (string, _) = self.flood(goal & goal.wrapping_neg(), s.own);
        let body = if goal & !string == 0 { string } else { 0 };
        Sight {
            hopes: self.full & !(solid | near_solid | self.foe_base | body),
            linked: self.friend_base & !solid != 0,
            solid,
        }
    }

    /// The odds that the dragon is killed, in eighths of a doubling. The last move was at this cell, if it is one.
    pub(super) fn odds(&self, s: Stones, sight: &Sight, cell: usize, attacking: bool) -> i32 {
        let weights = &ODDS[usize::from(attacking)];
        let count = |set: u64, most: usize| (set.count_ones() as usize).min(most);
        let empty = self.empty(s);
        let (_, around) = self.flood(s.own & self.goal, s.own);
        let liberties = around & empty;
        let hopes = sight.hopes & !s.own;
        let (mut parts, mut largest, mut rest) = (0, 0, hopes);
        while rest != 0 {
            let (part, _) = self.flood(rest & rest.wrapping_neg(), hopes);
            rest &= !part;
            (parts, largest) = (parts + 1, largest.max(part.count_ones() as usize));
        }
        let walls = self.full & !(s.own | hopes);
        let inner = ones(hopes).filter(|&i| self.near[i] & walls == 0).count();
        let ways = if sight.linked { 1 + count(liberties & self.friend_base, 2) } else { 0 };
        let last = if cell >= self.cells.len() {
            0
        } else if sight.solid >> cell & 1 != 0 {
            weights.solid
        } else {
            let bit = 1_u64 << cell;
            let (_, around) = self.flood(bit, if s.own & bit != 0 { s.own } else { s.foe });
            weights.last[count(around & empty, 3)]
        };
        weights.hopes[count(hopes, 15)]
            + weights.parts[parts.min(4)]
            + weights.largest[largest.min(9)]
            + weights.inner[inner.min(7)]
            + weights.liberties[count(liberties, 9)]
            + weights.ways[ways]
            + weights.weak[count(s.foe & !sight.solid, 5)]
            + last
            + weights.ko[usize::from(s.ko != NONE)]
    }

    /// Cells where this side takes something.
    pub(super) fn captures(&self, s: Stones, attacking: bool) -> u64 {
        let (theirs, base) = if attacking { (s.own, self.friend_base) } else { (s.foe, self.foe_base) };
        let empty = self.empty(s);
        let (mut rest, mut all) = (theirs, 0);
        while rest != 0 {
            let (string, around) = self.flood(rest & rest.wrapping_neg(), theirs);
            rest &= !string;
            let liberties = around & empty;
            if string & base == 0 && liberties.count_ones() == 1 {
                all |= liberties;
            }
        }
        all
    }

    /// Regions that the defender's stones enclose, without solid stones and outer vertices.
    fn regions(&self, s: Stones) -> SmallList<u64, MOST_PARTS> {
        let mut regions = SmallList::default();
        // What the attacker's base reaches is no region.
        let mut rest = self.full & !s.own;
        while rest != 0 {
            let (region, _) = self.flood(rest & rest.wrapping_neg(), rest);
            rest &= !region;
            if region & self.foe_base == 0 {
                regions.push(region);
            }
        }
        regions
    }

    /// Step 2: D. Benson, "Life in the game of Go" (1976), for the defender. The empty cells and the attacker's stones that
    /// life rests on: as long as he doesn't play there and takes nothing the dragon lives.
    pub(super) fn life(&self, s: Stones) -> Option<u64> {
        let goal = s.own & self.goal;
        if s.own & self.friend_base != 0 && self.flood(s.own & self.friend_base, s.own).0 & goal != 0 {
            return Some(0);
        }
        let empty = self.empty(s);
        let regions = self.regions(s);
        if regions.len() < 2 {
            return None;
        }
        let mut strings: SmallList<(u64, u64), MOST_PARTS> = SmallList::default();
        let mut rest = s.own;
        while rest != 0 && strings.len() < MOST_PARTS {
            let (string, around) = self.flood(rest & rest.wrapping_neg(), rest);
            rest &= !string;
            strings.push((string, around & empty));
        }
        let mut alive = s.own & !rest;
        loop {
            let before = alive;
            for &(string, liberties) in strings.iter() {
                if string & alive == 0 || string & self.friend_base != 0 {
                    continue;
                }
                let vital = regions
                    .iter()
                    .filter(|&&r| r & empty & !liberties == 0 && self.around(r) & s.own & !alive == 0)
                    .count();
                if vital < 2 {
                    alive &= !string;
                }
            }
            if alive & goal == 0 {
                return None;
            }
            if alive == before {
                let kept = regions.iter().filter(|&&r| self.around(r) & s.own & !alive == 0);
                return Some(kept.fold(0, |all, r| all | r));
            }
        }
    }
}
