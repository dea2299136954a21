//! Proof numbers: the arithmetic of all proof-number searches, and the depth-first search that life and death and races
//! use.
//!
//! # Source
//! L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994), chapter 2, for the numbers; A.
//! Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", PhD thesis, Tokyo 2002, for the search; J.
//! Pawlewicz and Ł. Lew, "Improving Depth-First PN-Search: 1 + ε Trick", Computers and Games 2006, for the limits of a
//! child.
//!
//! # Notation
//! A *problem* asks whether a goal can be reached. The side that wants it *proves*, the other *disproves*. [`Numbers`]
//! are the least numbers of positions that must still be settled to prove it, and to disprove it. A side's *own* number
//! is the number that this side wants to bring to zero.
//!
//! # Steps
//! 1. The problem opens a position that is met for the first time: it settles the position or gives its moves and first
//!    numbers.
//! 2. The numbers of a position follow from its children's ([`choose`]). A child that was not met yet has the numbers
//!    of its rank.
//! 3. While both numbers stay below their limits, the most promising child is searched within limits of its own
//!    ([`Choice::limits`]).
//! 4. A line that returns to one of its own positions, or grows longer than [`Bounds::depth`], gets the result
//!    [`Problem::endless`].
//!
//! # Departures
//! The problem defines the key. If the key leaves out the path, two paths to one position share a node. The own number
//! of a child may exceed that of the runner-up by a quarter before the search turns to it. Lines are checked for
//! repetitions only once the problem says that there may be some.
//!
//! # Cost
//! A step adds up the numbers of all children of a position; the rest is the problem's.

pub mod kos;

use crate::board::MixMap;

/// The number of a goal that cannot be reached any more.
pub const INFINITE: u32 = 1 << 30;

/// Proof and disproof number of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Nought if it is proved.
    pub proof: u32,
    /// Nought if it is disproved.
    pub disproof: u32,
}

impl Numbers {
    /// The goal can be reached.
    pub const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    /// The goal cannot be reached.
    pub const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };
    /// As limits: none.
    pub const OPEN: Self = Self { proof: INFINITE, disproof: INFINITE };

    /// The numbers of a settled position.
    #[must_use]
    pub const fn settled(proved: bool) -> Self {
        if proved { Self::PROVED } else { Self::DISPROVED }
    }

    /// Whether it is proved or disproved.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Whether a position with these needs no more search within the limits.
    #[must_use]
    pub const fn is_beyond(self, limits: Self) -> bool {
        self.proof >= limits.proof || self.disproof >= limits.disproof || self.is_settled()
    }

    /// The own number of the side to move, which proves or does not, and the other.
    #[must_use]
    pub const fn of(self, proves: bool) -> (u32, u32) {
        if proves { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    /// The numbers with this own and this other number.
    #[must_use]
    pub const fn from(proves: bool, own: u32, other: u32) -> Self {
        if proves { Self { proof: own, disproof: other } } else { Self { proof: other, disproof: own } }
    }

    /// The numbers of a child that was not met, by its place among the moves.
    const fn unmet(rank: usize) -> Self {
        let guess = 2 + rank as u32 / 3;
        Self { proof: guess, disproof: guess }
    }
}

/// The numbers that follow from the children of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The position's numbers.
    pub numbers: Numbers,
    /// The most promising child, the first of equal ones.
    pub best: usize,
    /// The numbers of that child.
    pub child: Numbers,
    /// The own number of the runner-up.
    second: u32,
}

/// Step 2: the numbers of a position where the side to move proves or does not. Without children the side to move has failed.
#[must_use]
pub fn choose(children: impl IntoIterator<Item = Numbers>, proves: bool) -> Choice {
    let (mut least, mut second, mut sum, mut best) = (INFINITE, INFINITE, 0_u32, 0);
    let mut chosen = Numbers::settled(!proves);
    for (rank, numbers) in children.into_iter().enumerate() {
        let (own, other) = numbers.of(proves);
        sum = sum.saturating_add(other).min(INFINITE);
        if own < least {
            (second, least, best, chosen) = (least, own, rank, numbers);
        } else if own < second {
            second = own;
        }
    }
    let numbers = match (least, sum) {
        (0, _) => Numbers::settled(proves),
        (_, 0) => Numbers::settled(!proves),
        (own, other) => Numbers::from(proves, own, other),
    };
    Choice { numbers, best, child: chosen, second }
}

impl Choice {
    /// Step 3: the limits of the most promising child, those of the position not being reached.
    #[must_use]
    pub fn limits(&self, limits: Numbers, proves: bool) -> Numbers {
        let (own_limit, other_limit) = limits.of(proves);
        let own = own_limit.min(self.second.saturating_add(1 + self.second / 4));
        let other = (other_limit - self.numbers.of(proves).1).saturating_add(self.child.of(proves).1);
        Numbers::from(proves, own.min(INFINITE), other.min(INFINITE))
    }
}

/// A position of the search.
#[derive(Clone, Debug)]
pub struct Node<M> {
    /// Its numbers.
    pub numbers: Numbers,
    /// Moves and the keys of the positions after them, best first; empty when settled.
    pub children: Box<[(M, u64)]>,
}

impl<M> Node<M> {
    /// A settled position.
    #[must_use]
    pub fn settled(proved: bool) -> Self {
        Self { numbers: Numbers::settled(proved), children: Box::default() }
    }
}

/// The search problem. It holds the position, which moves change and [`undo`](Self::undo) restores.
pub trait Problem {
    /// A move.
    type Move: Copy;

    /// The key of the position, with the side to move.
    fn key(&self, proves: bool) -> u64;

    /// Step 1: opens a position met for the first time, `depth` moves from the root. The position stays unchanged.
    fn open(&mut self, proves: bool, depth: u32) -> Node<Self::Move>;

    /// Makes a move of the side that proves or does not; `false` leaves the position unchanged.
    fn play(&mut self, proves: bool, m: Self::Move) -> bool;

    /// Takes the last move back.
    fn undo(&mut self);

    /// Whether a line may have come back to one of its positions.
    fn may_repeat(&self) -> bool {
        false
    }

    /// Step 4: whether a line that goes on without end proves.
    fn endless(&self) -> bool {
        false
    }

    /// Learns of a move that settled its position for the side that made it.
    fn settled_by(&mut self, _proves: bool, _m: Self::Move) {}
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Positions opened at most.
    pub nodes: u32,
    /// Children looked into at most, met before or not: lines that come back make steps without nodes.
    pub steps: u32,
    /// The most moves of a line.
    pub depth: u32,
}

/// The depth-first search with its table.
#[derive(Clone, Debug)]
pub struct DepthFirst<M> {
    table: MixMap<u64, Node<M>>,
    /// Positions of the line being searched.
    path: Vec<u64>,
    bounds: Bounds,
    nodes: u32,
    steps: u32,
}

impl<M> Default for DepthFirst<M> {
    fn default() -> Self {
        let bounds = Bounds { nodes: 0, steps: 0, depth: 0 };
        Self { table: MixMap::default(), path: Vec::new(), bounds, nodes: 0, steps: 0 }
    }
}

impl<M: Copy> DepthFirst<M> {
    /// Searches a new problem from its position, and returns the result.
    pub fn run(&mut self, problem: &mut impl Problem<Move = M>, proves: bool, bounds: Bounds) -> Node<M> {
        self.table.clear();
        self.path.clear();
        (self.bounds, self.nodes, self.steps) = (bounds, 0, 0);
        self.descend(problem, proves, Numbers::OPEN, 0);
        let root = self.table.get(&problem.key(proves)).cloned();
        root.unwrap_or_else(|| Node::settled(!proves))
    }

    /// Continues the search of a child of the root with `nodes` further positions. The move there has been made.
    pub fn search_child(&mut self, problem: &mut impl Problem<Move = M>, proves: bool, nodes: u32) {
        self.bounds.nodes = self.nodes.saturating_add(nodes);
        self.descend(problem, proves, Numbers::OPEN, 1);
    }

    /// The best moves of both sides from the position of this key, as far as the search met positions. Each is the
    /// first move that settles the position for the side to move, or otherwise the most promising one. It may go
    /// round.
    pub fn line(&self, mut key: u64, mut proves: bool) -> impl Iterator<Item = M> {
        std::iter::from_fn(move || {
            let node = self.table.get(&key)?;
            let children = node.children.iter().enumerate();
            let numbers = children.map(|(rank, &(_, key))| self.numbers(key).unwrap_or(Numbers::unmet(rank)));
            let &(m, next) = node.children.get(choose(numbers, proves).best)?;
            (key, proves) = (next, !proves);
            Some(m)
        })
    }

    /// Positions opened so far.
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The numbers of a position that was met.
    pub fn numbers(&self, key: u64) -> Option<Numbers> {
        self.table.get(&key).map(|node| node.numbers)
    }

    /// Steps 1 to 4.
    fn descend(&mut self, problem: &mut impl Problem<Move = M>, proves: bool, limits: Numbers, depth: u32) {
        let key = problem.key(proves);
        if !self.table.contains_key(&key) {
            self.nodes += 1;
            let node = problem.open(proves, depth);
            self.table.insert(key, node);
        }
        self.path.truncate(depth as usize);
        self.path.push(key);
        let Some(node) = self.table.get_mut(&key) else { return };
        if node.numbers.is_settled() || node.children.is_empty() {
            return;
        }
        if depth >= self.bounds.depth {
            node.numbers = Numbers::settled(problem.endless());
            return;
        }
        let children = node.children.clone();
        loop {
            let numbers = children.iter().enumerate().map(|(rank, &(_, key))| self.look(problem, key, rank));
            let choice = choose(numbers, proves);
            if let Some(node) = self.table.get_mut(&key) {
                node.numbers = choice.numbers;
            }
            if choice.numbers.is_beyond(limits)
                || self.nodes >= self.bounds.nodes
                || self.steps >= self.bounds.steps
            {
                return;
            }
            self.steps += 1;
            let (m, child) = children[choice.best];
            if !problem.play(proves, m) {
                // Another path led to this position. What leads nowhere here is lost for whoever plays it.
                self.table.insert(child, Node::settled(!proves));
                continue;
            }
            self.descend(problem, !proves, choice.limits(limits, proves), depth + 1);
            problem.undo();
            self.path.truncate(depth as usize + 1);
            if self.numbers(child).is_some_and(|numbers| numbers.of(proves).0 == 0) {
                problem.settled_by(proves, m);
            }
        }
    }

    /// The numbers of a child, or those of its rank if it has not been met.
    fn look(&self, problem: &impl Problem<Move = M>, key: u64, rank: usize) -> Numbers {
        if problem.may_repeat() && self.path.contains(&key) {
            return Numbers::settled(problem.endless());
        }
        self.numbers(key).unwrap_or(Numbers::unmet(rank))
    }
}

#[cfg(test)]
mod tests;
