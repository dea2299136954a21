//! A proof-number search that decides whether strings can be joined or cut.
//!
//! # Source
//! L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994), chapter 2, for proof numbers.
//! The rule that the cutter must meet every threat is the "must-play region" of Hex (R. Hayward and others, "Solving
//! 7×7 Hex", 2003). The moves are in `moves`, knowledge without search in `links` and `distance`.
//!
//! # Notation
//! The *owner* of the string wants to join it to the *target*, another string of his or an area. The *cutter* is his
//! opponent. The *demand* is the least code that satisfies the owner. A tree is grown for one demand and says yes or
//! no. The owner proves, in the terms of [`proof`](crate::proof).
//!
//! # Steps
//! The search runs with reach 2, then 3, up to [`LinkLimits::reach`](super::LinkLimits::reach), until it finds that the
//! owner joins. So it looks at threats before moves that threaten nothing. A join that it finds holds for any reach. It
//! does these steps for each reach, until the root is settled or the share of positions is used up:
//! 1. Go down. Each side goes to the child whose own number for that side is least. The order of the moves breaks ties.
//! 2. Judge the position there without search: joined, cut, or a list of moves ([`ConnectionReader::judge`]).
//! 3. Go back up and add up the numbers.
//!
//! If the limit leaves a question open, either the numbers of the root or the statistics of such questions (`open`)
//! decide. `open` also ends a search for an outright cut early where the evidence is clear. The move that the answer
//! names is then the most searched one. One more position rarely changes this move, while the numbers change with each
//! position. A join or cut with a ko is claimed only if the search found it.
//!
//! With the owner to move, the position is cut if a string is gone or if the distance is above the reach plus one. It
//! is joined if the distance is 0 by links that share no vertex, and nothing can be captured. With the cutter to
//! move, the position is cut if he captures the string or the target. It is joined if the distance is 0 in the same
//! way, or if he cannot answer all ways of one stone.
//!
//! # Invariants
//! A judgement depends on the position, the ko state, the demand and the reach alone. Repeated positions share their
//! data within one tree; no tree outlives its question.
//!
//! # Cost
//! About ten microseconds for each position, more than half of it tactical reading. A question takes ten to a few
//! hundred positions.

use super::distance::{Carrier, Ground, MOST_DISTANCE, Start, Until, spoils};
use super::moves::{Candidate, Danger, Moves};
use super::open::Evidence;
use super::query::{Query, Target, Task};
use super::reader::ConnectionReader;
use super::tree::Entry;
use crate::board::{Board, Color, Vertex};
use crate::effort::Guess;
use crate::proof::{Choice, INFINITE, Numbers, choose};
use crate::tactics::ko::{self, KoState};
use crate::tactics::{Answer, Code};

/// Nearly all that a lesser reach finds this one finds with fewer positions than both.
const FIRST_REACH: u8 = 2;
/// No line is longer.
const MAX_PLY: usize = 60;
/// The number of positions between two checks of the state of a search.
const LOOK: u64 = 10;

/// The result of a question under one demand.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) numbers: Numbers,
    pub(super) line: Vec<Vertex>,
}

/// The judgement of a position without search.
enum Judgement {
    Joined,
    Cut,
    Open(Moves),
}

impl ConnectionReader {
    /// Searches with growing reach until the owner is found to join, or the greatest reach has said its word.
    pub(super) fn search(
        &mut self,
        board: &mut Board,
        q: &Query,
        owner_first: bool,
        demand: Code,
    ) -> Outcome {
        let used = self.nodes;
        let stages = u64::from(self.limits.reach);
        for reach in FIRST_REACH..self.limits.reach {
            let share = used + (self.limits.nodes - used) * u64::from(reach) / (stages + 1);
            let outcome = self.search_within(board, Task { q, demand, reach }, owner_first, share);
            if outcome.numbers.proof == 0 {
                return outcome;
            }
        }
        let task = Task { q, demand, reach: self.limits.reach };
        let outcome = self.search_within(board, task, owner_first, self.limits.nodes);
        self.limit_hit |= !outcome.numbers.is_settled();
        outcome
    }

    /// Grows a tree until it is settled or the positions looked at reach `nodes`.
    fn search_within(&mut self, board: &mut Board, task: Task<'_>, owner_first: bool, nodes: u64) -> Outcome {
        self.tree.entries.clear();
        self.tree.known.clear();
        self.tree.entries.push(Entry::new(Vertex::PASS, Numbers { proof: 1, disproof: 1 }));
        // Only an outright cut is ever guessed, so nothing else is given up early.
        let looks = self.limits.guess == Guess::Learned && !owner_first && task.demand == Code::KoB;
        while !self.tree.entries[0].numbers.is_settled() {
            let look = looks && self.nodes.is_multiple_of(LOOK);
            if self.nodes >= nodes || look && self.evidence(board, task.q).is_clear() {
                break;
            }
            self.grow(board, task, owner_first);
        }
        if self.trace.is_some() {
            self.write_trace(0, task.q.owner, owner_first);
        }
        Outcome { numbers: self.tree.entries[0].numbers, line: self.line(owner_first) }
    }

    /// One round: down, judge, up.
    fn grow(&mut self, board: &mut Board, task: Task<'_>, owner_first: bool) {
        let mark = board.history_len();
        let (mut at, mut owner, mut ko) = (0, owner_first, KoState::Free);
        self.tree.path.clear();
        self.tree.path.push(0);
        // 1.
        while self.tree.entries[at].open && self.tree.path.len() <= MAX_PLY {
            at = self.next(at, owner);
            self.tree.path.push(at);
            let point = self.tree.entries[at].point;
            let color = if owner { task.q.owner } else { task.q.owner.other() };
            self.sight.ko_seen |= board.ko_point() == Some(point);
            let Some((next, _)) = ko::play(board, color, point, ko, task.may_threaten(owner)) else {
                self.close(at, if owner { Numbers::DISPROVED } else { Numbers::PROVED });
                break;
            };
            ko = next;
            owner = !owner;
        }
        // 2.
        if self.tree.path.len() > MAX_PLY {
            self.close(at, Numbers::DISPROVED);
        } else if !self.tree.entries[at].numbers.is_settled() {
            self.expand(board, task, at, owner, ko);
        }
        board.undo_to(mark);
        // 3.
        let path = std::mem::take(&mut self.tree.path);
        for (ply, &at) in path.iter().enumerate().rev() {
            self.tree.entries[at].visits += 1;
            if self.tree.entries[at].open {
                self.tree.entries[at].numbers = self.choice(at, owner_first == (ply % 2 == 0)).numbers;
            }
        }
        self.tree.path = path;
    }

    /// Settles an entry that no position stands behind: its move is illegal here, or the line is too long. It may have
    /// the children of another entry of its position. It counts as a position, so that every round comes nearer the limit.
    fn close(&mut self, at: usize, numbers: Numbers) {
        self.nodes += 1;
        let entry = &mut self.tree.entries[at];
        (entry.numbers, entry.open) = (numbers, false);
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let entry = &self.tree.entries[at];
        entry.first as usize..entry.first as usize + usize::from(entry.count)
    }

    /// The numbers that follow from the children of an open position.
    fn choice(&self, at: usize, owner: bool) -> Choice {
        choose(self.children(at).map(|i| self.tree.entries[i].numbers), owner)
    }

    /// 1. The next child to search.
    fn next(&self, at: usize, owner: bool) -> usize {
        self.children(at).start + self.choice(at, owner).best
    }

    /// The child of an open question that was looked at most, the more promising of two alike; none that has failed.
    fn most_visited(&self, at: usize, owner: bool) -> usize {
        let key = |&i: &usize| {
            let Entry { numbers, visits, .. } = self.tree.entries[i];
            let (left, _) = numbers.of(owner);
            (left >= INFINITE, std::cmp::Reverse(visits), left)
        };
        self.children(at).min_by_key(key).expect("an open position has children")
    }

    /// 2.
    fn expand(&mut self, board: &mut Board, task: Task<'_>, at: usize, owner: bool, ko: KoState) {
        self.nodes += 1;
        let to_move = if owner { Color::Black } else { Color::White };
        let key = board.situation_hash(to_move) ^ ko.key().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if let Some(&twin) = self.tree.known.get(&key) {
            let Entry { numbers, first, count, open, .. } = self.tree.entries[twin];
            let entry = &mut self.tree.entries[at];
            (entry.numbers, entry.first, entry.count, entry.open) = (numbers, first, count, open);
            return;
        }
        match self.judge(board, task, owner, ko) {
            Judgement::Joined => self.tree.entries[at].numbers = Numbers::PROVED,
            Judgement::Cut => self.tree.entries[at].numbers = Numbers::DISPROVED,
            Judgement::Open(mut moves) => self.open(at, owner, moves.in_order()),
        }
        self.tree.known.insert(key, at);
    }

    fn open(&mut self, at: usize, owner: bool, moves: &[Candidate]) {
        let first = self.tree.entries.len();
        for m in moves {
            let (distance, doubt) = (u32::from(m.distance), u32::from(m.doubt));
            let far = 4_u32.saturating_sub(distance);
            let numbers = if owner {
                Numbers { proof: 1 + 2 * distance * distance + doubt, disproof: 1 + 2 * far }
            } else {
                Numbers { proof: 1 + distance * distance, disproof: 1 + 2 * far + doubt }
            };
            self.tree.entries.push(Entry::new(m.v, numbers));
        }
        let entry = &mut self.tree.entries[at];
        entry.first = first as u32;
        entry.count = moves.len() as u16;
        entry.open = true;
    }

    /// Whether the string has reached the target.
    fn is_joined(&self, board: &Board, q: &Query) -> bool {
        match q.target {
            Target::String(b) => board.same_string(q.string, b),
            Target::Area => self.area.meets(board.stone_bits(q.string)),
        }
    }

    /// Measures from the target until the string is reached; the least number of stones that join.
    pub(super) fn measure(&mut self, board: &mut Board, task: Task<'_>, limit: u8, ko: KoState) -> u8 {
        self.sight.captures.clear();
        let string = board.origin(task.q.string);
        let mut ground = task.ground(board, &mut self.sight, ko, self.limits.snares);
        let start = match task.q.target {
            Target::String(b) => Start::String(b),
            Target::Area => Start::Area(&self.area),
        };
        self.to_target.measure(&mut ground, start, limit, Until::Reached(string));
        self.to_target.to(ground.board, string)
    }

    /// Measures back from the string what lies on ways at most one stone longer than the distance just measured.
    pub(super) fn measure_back(&mut self, board: &mut Board, task: Task<'_>, distance: u8, ko: KoState) {
        let string = board.origin(task.q.string);
        let mut ground = task.ground(board, &mut self.sight, ko, self.limits.snares);
        let until = Until::Way(&self.to_target, distance);
        self.to_string.measure(&mut ground, Start::String(string), distance + 1, until);
    }

    /// Measures from a start as far as [`MOST_DISTANCE`] into `to_target`.
    pub(super) fn survey(&mut self, board: &Board, owner: Color, start: Start<'_>) {
        let mut board = board.without_history();
        self.sight.captures.clear();
        let (ends, ko, demand) = ([Vertex::PASS; 2], KoState::Free, Code::Win);
        let sight = &mut self.sight;
        let mut ground = Ground { board: &mut board, owner, sight, ends, ko, demand, snares: false };
        self.to_target.measure(&mut ground, start, MOST_DISTANCE, Until::Limit);
    }

    /// 2. The static knowledge of a position: the rules at the head of the module.
    fn judge(&mut self, board: &mut Board, task: Task<'_>, owner: bool, ko: KoState) -> Judgement {
        let (q, root) = (task.q, self.tree.path.len() == 1);
        if q.lost(board) {
            return Judgement::Cut;
        }
        let danger = self.danger(board, q, ko);
        if let Some(Danger { code, .. }) = danger
            && !owner
        {
            self.sight.ko_seen |= code != Code::Win;
            if code >= spoils(task.demand) {
                return Judgement::Cut;
            }
        }
        if self.is_joined(board, q) && (!owner || danger.is_none()) {
            return Judgement::Joined;
        }
        let reach = task.reach + u8::from(owner) + u8::from(root) * (self.limits.reach - task.reach + 1);
        let distance = self.measure(board, task, reach + 1, ko);
        if distance > reach {
            return Judgement::Cut;
        }
        if distance == 0 && danger.is_none() && !root {
            let carrier = self.link(board, q);
            if !carrier.broken && (owner || !carrier.takes) {
                return Judgement::Joined;
            }
        }
        self.measure_back(board, task, distance, ko);
        let moves = if owner {
            Some(self.joins(board, q, distance, danger, ko))
        } else {
            self.cuts(board, q, distance, ko)
        };
        match moves {
            None => Judgement::Joined,
            Some(moves) if moves.is_empty() => Judgement::Cut,
            Some(moves) => Judgement::Open(moves),
        }
    }

    /// The vertices that the shortest way from the string to the target depends on.
    pub(super) fn link(&self, board: &Board, q: &Query) -> Carrier {
        let mut carrier = Carrier::default();
        self.to_target.add_carrier(board, q.string, None, &mut carrier);
        carrier
    }

    /// Whether the cutter could take the string or the target now.
    pub(super) fn danger(&mut self, board: &mut Board, q: &Query, ko: KoState) -> Option<Danger> {
        let target = q.target_string().filter(|&b| !board.same_string(q.string, b));
        let mut worst: Option<Danger> = None;
        for string in [Some(q.string), target].into_iter().flatten() {
            if board.liberties(string) > 2 {
                continue;
            }
            let Answer { code, point } = self.sight.reader.attack(board, string, ko);
            if code.works() && worst.is_none_or(|w| code > w.code) {
                worst = Some(Danger { string, code, point });
            }
        }
        worst
    }

    /// The line from the root on: the moves that settle it, or those that were looked at most.
    fn line(&self, owner_first: bool) -> Vec<Vertex> {
        let (mut at, mut owner) = (0, owner_first);
        let mut line = Vec::new();
        while self.tree.entries[at].open && line.len() < MAX_PLY {
            let settled = self.tree.entries[at].numbers.is_settled();
            at = if settled { self.next(at, owner) } else { self.most_visited(at, owner) };
            line.push(self.tree.entries[at].point);
            owner = !owner;
        }
        line
    }

    /// The result of a question that the limit left open.
    pub(super) fn evidence(&self, board: &Board, q: &Query) -> Evidence {
        let visits = self.children(0).map(|i| self.tree.entries[i].visits);
        let common = |b| board.liberty_vertices(q.string).filter(|&l| board.is_liberty(l, b)).count();
        Evidence {
            numbers: self.tree.entries[0].numbers,
            moves: self.children(0).len() as u32,
            most: visits.max().unwrap_or(0),
            nodes: self.nodes as u32,
            common: q.target_string().map_or(0, common) as u32,
        }
    }

    /// Hands the tree to the trace.
    fn write_trace(&mut self, at: usize, color: Color, owner: bool) {
        for i in self.children(at) {
            let entry = self.tree.entries[i];
            if !entry.open && !entry.numbers.is_settled() {
                continue;
            }
            let mover = if owner { color } else { color.other() };
            if let Some(trace) = &mut self.trace {
                trace.enter(mover, entry.point);
            }
            if entry.open {
                self.write_trace(i, color, !owner);
            }
            let reached = entry.numbers.of(owner).0 == 0;
            if let Some(trace) = &mut self.trace {
                trace.leave(if reached { Code::Win } else { Code::Fail });
            }
        }
    }
}
