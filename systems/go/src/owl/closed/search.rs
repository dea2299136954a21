//! Df-pn search over all moves of a field.

use super::field::{Field, NONE, Stones, each};
use super::{Asked, Solved};
use crate::board::Vertex;

/// A decided number.
const INFINITE: u32 = 1_000_000;
/// Lines longer than this count as if they went round.
const MAX_DEPTH: usize = 64;
/// Places of the table for each position that may be opened, as its children are kept too; how many there are at least and
/// at most (24 MB); and how many of them may hold one key.
const PLACES: u32 = 4;
const LEAST_PLACES: usize = 1 << 12;
const MOST_PLACES: usize = 1 << 20;
const WAYS: usize = 4;
/// Stands for a pass.
const PASS: u8 = 64;
/// What another first move that nobody named may cost besides twice the positions of the answer, if the limit is no less.
const OTHERS: u32 = 20_000;

/// With so many cells that may become eyes a dragon counts as one move from life.
const MANY_HOPES: u32 = 6;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    proof: u32,
    disproof: u32,
    work: u32,
}

#[derive(Clone, Copy)]
struct Child {
    cell: u8,
    stones: Stones,
    key: u64,
}

/// The search with its table.
#[derive(Default)]
pub(in super::super) struct Solver {
    table: Vec<Entry>,
    children: Vec<Child>,
    path: Vec<u64>,
    nodes: u32,
    limit: u32,
    ko_seen: bool,
    /// Whether a side may retake kos at once: defender, attacker.
    favoured: [bool; 2],
}

/// Mixes the words of a position.
fn key_of(s: Stones, attacking: bool) -> u64 {
    let mix = |x: u64| {
        let x = (x ^ (x >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    };
    let side = (u64::from(s.ko) << 1 | u64::from(attacking)) + 1;
    let key = mix(s.own ^ mix(s.foe ^ mix(side)));
    key ^ (key >> 31) | 1
}

impl Solver {
    /// Asks one field; `None` if the limit comes first.
    pub(super) fn run(
        &mut self,
        field: &Field,
        mut stones: Stones,
        favoured: [bool; 2],
        asked: Asked<'_>,
        nodes: &mut u64,
    ) -> Option<Solved> {
        let places = asked.limit.saturating_mul(PLACES) as usize;
        self.table.clear();
        self.table.resize(places.next_power_of_two().clamp(LEAST_PLACES, MOST_PLACES), Entry::default());
        self.children.clear();
        self.path.clear();
        (self.nodes, self.limit, self.ko_seen, self.favoured) = (0, asked.limit, false, favoured);
        let mut attacking = asked.attack;
        if let Some(v) = asked.first {
            let after = if v == Vertex::PASS {
                Some(Stones { ko: NONE, ..stones })
            } else {
                let cell = field.cells.binary_search(&v).ok()?;
                let free = field.empty(stones) >> cell & 1 != 0 && self.may_play(stones, attacking, cell);
                if free { field.play(stones, attacking, cell) } else { None }
            };
            let Some(after) = after else {
                return Some(Solved { killed: !attacking, ko_seen: self.ko_seen, good: Vec::new() });
            };
            stones = after;
            attacking = !attacking;
        }
        let root = self.enter(stones, attacking);
        let (proof, disproof) = self.descend(field, root, attacking, INFINITE, INFINITE, 0);
        let killed = proof == 0;
        let mut good = Vec::new();
        if asked.first.is_none() && killed == attacking && (killed || disproof == 0) {
            good = self.good_moves(field, root, attacking, asked);
        }
        *nodes += u64::from(self.nodes);
        (killed || disproof == 0).then_some(Solved { killed, ko_seen: self.ko_seen, good })
    }

    /// Step 4: the named moves, then those found on the way, then, if all are wanted, the others.
    fn good_moves(&mut self, field: &Field, root: Child, attacking: bool, asked: Asked<'_>) -> Vec<Vertex> {
        let start = self.children.len();
        self.expand(field, root, attacking);
        let others = asked.limit.min(2 * self.nodes + OTHERS);
        let mut good: Vec<Vertex> = Vec::new();
        for (named, budget) in [(true, asked.limit), (false, 0), (false, others)] {
            if !good.is_empty() && !asked.alternatives {
                break;
            }
            for at in start..self.children.len() {
                let child = self.children[at];
                if child.cell == PASS {
                    continue;
                }
                let v = field.cells[usize::from(child.cell)];
                if asked.named.contains(&v) != named || good.contains(&v) {
                    continue;
                }
                self.limit = self.nodes + budget;
                self.path.truncate(1);
                let (proof, disproof) = self.descend(field, child, !attacking, INFINITE, INFINITE, 1);
                if (if attacking { proof } else { disproof }) == 0 {
                    good.push(v);
                }
            }
        }
        self.children.truncate(start);
        good
    }

    /// A position that no move led to.
    fn enter(&mut self, mut stones: Stones, attacking: bool) -> Child {
        if stones.ko != NONE && self.favoured[usize::from(attacking)] {
            self.ko_seen = true;
            stones.ko = NONE;
        }
        Child { cell: PASS, stones, key: key_of(stones, attacking) }
    }

    fn may_play(&mut self, stones: Stones, attacking: bool, cell: usize) -> bool {
        if usize::from(stones.ko) == cell {
            self.ko_seen = true;
            return self.favoured[usize::from(attacking)];
        }
        true
    }

    /// Steps 2 and 3: pushes the positions after each move.
    fn expand(&mut self, field: &Field, node: Child, attacking: bool) {
        let stones = node.stones;
        for cell in each(field.empty(stones)) {
            if !self.may_play(stones, attacking, cell) || !attacking && field.is_own_eye(stones, cell) {
                continue;
            }
            if let Some(after) = field.play(stones, attacking, cell) {
                let child = self.enter(after, !attacking);
                self.children.push(Child { cell: cell as u8, ..child });
            }
        }
        if !attacking {
            let child = self.enter(Stones { ko: NONE, ..stones }, true);
            self.children.push(child);
        }
    }

    /// The numbers of a child; judged if it has not been met.
    fn look(&mut self, field: &Field, child: Child, attacking: bool) -> (u32, u32) {
        if self.path.contains(&child.key) {
            return self.repeated();
        }
        if let Some(e) = self.find(child.key) {
            return (e.proof, e.disproof);
        }
        let (proof, disproof) = match field.settled(child.stones) {
            Some(true) => (0, INFINITE),
            Some(false) => (INFINITE, 0),
            None => {
                let (hopes, liberties) = field.figures(child.stones);
                let turn = u32::from(attacking);
                (2 + hopes / 2 + liberties.min(6) / 3 - turn, 1 + MANY_HOPES.saturating_sub(hopes) / 2 + turn)
            }
        };
        self.store(child.key, proof, disproof, 0);
        (proof, disproof)
    }

    /// What a line is worth that goes round: nobody is killed by it, unless the attacker may retake kos.
    fn repeated(&self) -> (u32, u32) {
        if self.favoured[1] { (0, INFINITE) } else { (INFINITE, 0) }
    }

    /// The first of the places of a key.
    fn place(&self, key: u64) -> usize {
        (key >> 20) as usize & (self.table.len() - 1) & !(WAYS - 1)
    }

    fn find(&self, key: u64) -> Option<Entry> {
        let at = self.place(key);
        self.table[at..at + WAYS].iter().find(|e| e.key == key).copied()
    }

    fn store(&mut self, key: u64, proof: u32, disproof: u32, work: u32) {
        let at = self.place(key);
        let places = &mut self.table[at..at + WAYS];
        let entry = Entry { key, proof, disproof, work };
        if let Some(old) = places.iter_mut().find(|e| e.key == key) {
            *old = entry;
            return;
        }
        let (least, _) = places
            .iter()
            .enumerate()
            .min_by_key(|(_, e)| if e.key == 0 { (0, 0) } else { (1, e.work) })
            .unwrap_or((0, &entry));
        places[least] = entry;
    }

    /// Step 2: the numbers of a node, searched within these limits.
    fn descend(
        &mut self,
        field: &Field,
        node: Child,
        attacking: bool,
        proof_limit: u32,
        disproof_limit: u32,
        depth: usize,
    ) -> (u32, u32) {
        let known = self.path.contains(&node.key);
        let (proof, disproof) = self.look(field, node, attacking);
        if known || proof == 0 || disproof == 0 || proof >= proof_limit || disproof >= disproof_limit {
            return (proof, disproof);
        }
        if depth >= MAX_DEPTH {
            let (proof, disproof) = self.repeated();
            self.store(node.key, proof, disproof, 0);
            return (proof, disproof);
        }
        self.nodes += 1;
        let before = self.nodes;
        let start = self.children.len();
        self.expand(field, node, attacking);
        self.path.push(node.key);
        let found = loop {
            let (mut least, mut second, mut sum, mut best) = (INFINITE, INFINITE, 0_u32, start);
            let mut other = INFINITE;
            for at in start..self.children.len() {
                let (p, d) = self.look(field, self.children[at], !attacking);
                let (mine, theirs) = if attacking { (p, d) } else { (d, p) };
                sum = sum.saturating_add(theirs).min(INFINITE);
                if mine < least {
                    (second, least, best, other) = (least, mine, at, theirs);
                } else if mine < second {
                    second = mine;
                }
            }
            let (proof, disproof) = if attacking { (least, sum) } else { (sum, least) };
            let (proof, disproof) = match (proof, disproof) {
                (0, _) => (0, INFINITE),
                (_, 0) => (INFINITE, 0),
                numbers => numbers,
            };
            if proof >= proof_limit
                || disproof >= disproof_limit
                || proof == 0
                || disproof == 0
                || self.nodes >= self.limit
            {
                break (proof, disproof);
            }
            let child = self.children[best];
            let bound = second.saturating_add(1 + second / 4);
            let (p, d) = if attacking {
                (proof_limit.min(bound), (disproof_limit - disproof).saturating_add(other))
            } else {
                ((proof_limit - proof).saturating_add(other), disproof_limit.min(bound))
            };
            self.descend(field, child, !attacking, p.min(INFINITE), d.min(INFINITE), depth + 1);
        };
        self.path.pop();
        self.children.truncate(start);
        let work = 1 + self.nodes - before;
        self.store(node.key, found.0, found.1, work);
        found
    }
}
