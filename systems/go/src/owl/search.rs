//! Depth-first proof-number search for "the dragon is killed".
//!
//! # Source
//! A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", PhD thesis, Tokyo 2002.
//!
//! # Notation
//! `proof` and `disproof` are the least numbers of leaves still to be decided to show that the dragon is killed, and
//! that it is not. At the attacker's nodes the proof number is the least of the children's and the disproof number
//! their sum; at the defender's the other way round.
//!
//! # Steps
//! 1. A node met for the first time is judged; if undecided, its moves and the keys of the positions after them are
//!    kept.
//! 2. The numbers of a node follow from its children's; unknown children start from their rank.
//! 3. While both stay below their thresholds the most promising child is searched with thresholds of its own.
//! 4. The defender may also pass. An attacker without a move has failed. Too deep a line counts for the defender.
//! 5. If asked for: the root's other moves, best ranked first, are searched too, each with a share of the nodes.
//! 6. Near the root ([`UNPROVEN_DEPTH`]) a dragon is not given up by judgement alone: its moves are searched, and the
//!    attacker may pass there.
//! 7. What is known to be good for the side that answers the first move is tried near the root whatever its rank.
//!
//! # Departures
//! The key is stones, ko and side to move: two paths to one position share a node. A line that comes back to one of its
//! own positions goes to the side that may retake kos, and to the defender when neither may. Moves that decided a
//! position are ordered higher in the rest of the tree.

use super::Arena;
use super::judge::{Judge, Judgement, Verdict};
use super::moves::candidates;
use crate::board::{Board, Color, Vertex};
use crate::eyes::MixMap;

/// A decided number.
const INFINITE: u32 = 1_000_000;
/// Lines longer than this count for the defender.
const MAX_DEPTH: u32 = 48;

/// Points a move gains each time it decides a position, and the most it can gain.
const FAVOUR: i32 = 2;
const FAVOUR_LIMIT: i32 = 24;

/// Down to this depth the moves that are known to be good for the other side are tried whatever their rank.
const KNOWN_DEPTH: u32 = 3;

/// Down to this depth a dragon that is judged dead is searched all the same, in a question with many nodes.
const UNPROVEN_DEPTH: u32 = 2;

/// How many moves that reach the result are looked for, and the share of the node limit each may cost.
const MOST_ALTERNATIVES: usize = 6;
const ALTERNATIVE_SHARE: u32 = 4;

#[derive(Clone, Debug)]
struct Node {
    proof: u32,
    disproof: u32,
    /// Moves and the keys of the positions after them; empty until judged, or when decided.
    children: Box<[(Vertex, u64)]>,
}

/// What one search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) killed: bool,
    pub(super) certain: bool,
    pub(super) point: Vertex,
    pub(super) ko_seen: bool,
    pub(super) nodes: u32,
}

/// The table and the state of one search.
#[derive(Default)]
pub(super) struct Search {
    table: MixMap<u64, Node>,
    nodes: u32,
    limit: u32,
    favoured: Option<Color>,
    attacker: Option<Color>,
    ko_seen: bool,
    /// First moves that reach the result, best ranked first: all that were looked for.
    pub(super) good: Vec<Vertex>,
    /// Moves known to be good for the side that answers the first move: tried near the root whatever their rank.
    pub(super) known: Vec<Vertex>,
    /// Positions of the line being searched, once a ko was met.
    path: Vec<u64>,
    /// By colour, per padded cell: points for moves that decided a position of this tree.
    favour: [Vec<i32>; 2],
}

impl Search {
    /// Whether `mover`, playing first, brings it about that the dragon is killed or survives.
    #[expect(clippy::too_many_arguments, reason = "one private call with the whole question")]
    pub(super) fn run(
        &mut self,
        board: &mut Board,
        arena: &Arena,
        judge: &mut Judge,
        mover: Color,
        first: Option<Vertex>,
        favoured: Option<Color>,
        limit: u32,
        alternatives: bool,
        thorough: bool,
    ) -> Found {
        self.table.clear();
        self.nodes = 0;
        judge.thorough = thorough;
        self.limit = limit;
        self.favoured = favoured;
        self.attacker = Some(arena.color.other());
        self.path.clear();
        self.ko_seen = false;
        for points in &mut self.favour {
            points.clear();
            points.resize(board.padded_len(), 0);
        }
        let attacker = arena.color.other();
        let fail =
            Found { killed: mover != attacker, certain: true, point: Vertex::PASS, ko_seen: false, nodes: 0 };
        let length = board.history_len();
        let to_move = match first {
            Some(v) => {
                if !self.play(board, mover, v) {
                    return fail;
                }
                mover.other()
            }
            None => mover,
        };
        self.descend(board, arena, judge, to_move, INFINITE, INFINITE, 0);
        let root = self.table.get(&board.situation_hash(to_move)).cloned();
        self.good.clear();
        if let Some(root) = root.as_ref().filter(|_| first.is_none() && alternatives) {
            self.find_alternatives(board, arena, judge, to_move, root);
        }
        board.undo_to(length);
        let Some(root) = root else { return fail };
        let certain = root.proof == 0 || root.disproof == 0;
        let killed = root.proof == 0;
        let point = first
            .or(self.good.first().copied())
            .unwrap_or_else(|| self.best_move(&root, mover == attacker, killed));
        Found { killed, certain, point, ko_seen: self.ko_seen, nodes: self.nodes }
    }

    /// Step 5: which of the moves ranked highest reach the result too, if the mover reached it.
    fn find_alternatives(
        &mut self,
        board: &mut Board,
        arena: &Arena,
        judge: &mut Judge,
        to_move: Color,
        root: &Node,
    ) {
        let attacking = to_move != arena.color;
        let reached = |node: &Node| (if attacking { node.proof } else { node.disproof }) == 0;
        if !reached(root) {
            return;
        }
        let most = self.limit;
        for &(v, key) in &root.children {
            self.limit = self.nodes + most / ALTERNATIVE_SHARE;
            if v != Vertex::PASS && self.good.len() < MOST_ALTERNATIVES && self.play(board, to_move, v) {
                self.path.truncate(1);
                self.descend(board, arena, judge, to_move.other(), INFINITE, INFINITE, 1);
                board.undo();
            }
            if v != Vertex::PASS && self.table.get(&key).is_some_and(reached) {
                self.good.push(v);
            }
        }
        self.limit = most;
    }

    /// The first move that reaches the result, if the mover reached it.
    fn best_move(&self, root: &Node, attacking: bool, killed: bool) -> Vertex {
        let number = |key: &u64| self.table.get(key).map(|n| if killed { n.proof } else { n.disproof });
        let decided = root.proof == 0 || root.disproof == 0;
        if decided && attacking != killed {
            return Vertex::PASS;
        }
        // Without a decision the most promising move stands in for the best one.
        let most_promising = |rank: usize, key: &u64| {
            self.table.get(key).map_or(2 + rank as u32 / 3, |n| if attacking { n.proof } else { n.disproof })
        };
        let winner = if decided {
            root.children.iter().find(|(_, key)| number(key) == Some(0))
        } else {
            let ranked = root.children.iter().enumerate();
            ranked.min_by_key(|(rank, (_, key))| (most_promising(*rank, key), *rank)).map(|(_, child)| child)
        };
        winner.map_or(Vertex::PASS, |&(v, _)| v)
    }

    /// Plays a move under the ko rule of this search.
    fn play(&mut self, board: &mut Board, color: Color, v: Vertex) -> bool {
        if board.ko_point() == Some(v) && v != Vertex::PASS {
            self.ko_seen = true;
            if self.favoured == Some(color) {
                return board.play_ignoring_ko(color, v).is_ok();
            }
        }
        board.play(color, v).is_ok()
    }

    /// Steps 1 to 4.
    #[expect(clippy::too_many_arguments, reason = "the recursion's whole state")]
    fn descend(
        &mut self,
        board: &mut Board,
        arena: &Arena,
        judge: &mut Judge,
        to_move: Color,
        proof_limit: u32,
        disproof_limit: u32,
        depth: u32,
    ) {
        let key = board.situation_hash(to_move);
        let attacking = to_move != arena.color;
        if !self.table.contains_key(&key) {
            let node = self.open(board, arena, judge, to_move, depth);
            self.table.insert(key, node);
        }
        self.path.truncate(depth as usize);
        self.path.push(key);
        let Some(node) = self.table.get(&key) else { return };
        if node.proof == 0 || node.disproof == 0 || node.children.is_empty() {
            return;
        }
        let children = node.children.clone();
        loop {
            let (proof, disproof, best, second) = self.numbers(&children, attacking);
            if let Some(node) = self.table.get_mut(&key) {
                node.proof = proof;
                node.disproof = disproof;
            }
            if proof >= proof_limit || disproof >= disproof_limit || proof == 0 || disproof == 0 {
                return;
            }
            if self.nodes >= self.limit || depth >= MAX_DEPTH {
                let (proof, disproof) = self.repeated();
                if depth >= MAX_DEPTH
                    && let Some(node) = self.table.get_mut(&key)
                {
                    node.proof = proof;
                    node.disproof = disproof;
                }
                return;
            }
            let (v, child) = children[best];
            let (child_proof, child_disproof) = self.look(child, best);
            let (p, d) = if attacking {
                let p = proof_limit.min(second.saturating_add(1 + second / 4));
                (p, (disproof_limit - disproof).saturating_add(child_disproof))
            } else {
                let d = disproof_limit.min(second.saturating_add(1 + second / 4));
                ((proof_limit - proof).saturating_add(child_proof), d)
            };
            if !self.play(board, to_move, v) {
                // The key was made by playing the move, so this can't be; mark it lost for the mover.
                let (proof, disproof) = if attacking { (INFINITE, 0) } else { (0, INFINITE) };
                self.table.insert(child, Node { proof, disproof, children: Box::default() });
                continue;
            }
            self.descend(board, arena, judge, to_move.other(), p.min(INFINITE), d.min(INFINITE), depth + 1);
            board.undo();
            self.path.truncate(depth as usize + 1);
            self.reward(to_move, v, child, attacking);
        }
    }

    /// Moves that decided a position are tried earlier elsewhere.
    fn reward(&mut self, to_move: Color, v: Vertex, child: u64, attacking: bool) {
        let decisive =
            self.table.get(&child).is_some_and(|n| (if attacking { n.proof } else { n.disproof }) == 0);
        if decisive && v != Vertex::PASS {
            let points = &mut self.favour[to_move.index()][v.at()];
            *points = (*points + FAVOUR).min(FAVOUR_LIMIT);
        }
    }

    /// Steps 1, 6 and 7.
    fn open(
        &mut self,
        board: &mut Board,
        arena: &Arena,
        judge: &mut Judge,
        to_move: Color,
        depth: u32,
    ) -> Node {
        self.nodes += 1;
        let judgement = judge.judge(board, arena, to_move, depth);
        let attacking = to_move != arena.color;
        let decided = |killed: bool| {
            let (proof, disproof) = if killed { (0, INFINITE) } else { (INFINITE, 0) };
            Node { proof, disproof, children: Box::default() }
        };
        if judgement.no_goal {
            return decided(true);
        }
        let known: &[Vertex] = if (1..=KNOWN_DEPTH).contains(&depth) { &self.known } else { &[] };
        match judgement.verdict {
            // Nor is life taken for granted where a move that kills elsewhere has not been tried.
            Verdict::Alive if depth == 1 && !known.is_empty() => {}
            // The question itself is searched at least one move deep: that yields a move, and checks the judgement.
            Verdict::Alive if depth > 0 => return decided(false),
            Verdict::Dead if depth > 0 && (depth > UNPROVEN_DEPTH || !judge.careful) => return decided(true),
            _ => {}
        }
        let given_up = depth > 0 && judgement.verdict == Verdict::Dead;
        let mut moves =
            candidates(board, arena, judge, &judgement, to_move, depth, &self.favour[to_move.index()]);
        let more: Vec<Vertex> =
            known.iter().copied().filter(|v| board.is_empty(*v) && !moves.contains(v)).collect();
        moves.extend(more);
        let mut children = Vec::with_capacity(moves.len() + 1);
        for v in moves {
            if self.play(board, to_move, v) {
                children.push((v, board.situation_hash(to_move.other())));
                board.undo();
            }
        }
        if attacking && children.is_empty() && !given_up {
            return decided(false);
        }
        if !attacking || given_up {
            board.play(to_move, Vertex::PASS).expect("a pass is always legal");
            children.push((Vertex::PASS, board.situation_hash(to_move.other())));
            board.undo();
        }
        let (proof, disproof) = first_guess(&judgement, attacking);
        Node { proof, disproof, children: children.into_boxed_slice() }
    }

    /// The numbers of a child, or those of its rank if it has not been met.
    fn look(&self, key: u64, rank: usize) -> (u32, u32) {
        if self.ko_seen && self.path.contains(&key) {
            return self.repeated();
        }
        self.table.get(&key).map_or_else(
            || {
                let guess = 2 + rank as u32 / 3;
                (guess, guess)
            },
            |node| (node.proof, node.disproof),
        )
    }

    /// A line that comes back to a position, or goes on too long: whoever may retake kos has his way, else the defender.
    fn repeated(&self) -> (u32, u32) {
        if self.favoured.is_some() && self.favoured == self.attacker { (0, INFINITE) } else { (INFINITE, 0) }
    }

    /// Step 2: proof, disproof, the most promising child and the runner-up's number.
    fn numbers(&self, children: &[(Vertex, u64)], attacking: bool) -> (u32, u32, usize, u32) {
        let (mut least, mut second, mut sum, mut best) = (u32::MAX, u32::MAX, 0_u32, 0);
        for (rank, &(_, key)) in children.iter().enumerate() {
            let (proof, disproof) = self.look(key, rank);
            let (own, other) = if attacking { (proof, disproof) } else { (disproof, proof) };
            sum = sum.saturating_add(other).min(INFINITE);
            if own < least {
                second = least;
                least = own;
                best = rank;
            } else if own < second {
                second = own;
            }
        }
        let second = second.min(INFINITE);
        let least = least.min(INFINITE);
        if least == 0 {
            sum = INFINITE;
        }
        if attacking { (least, sum, best, second) } else { (sum, least, best, second) }
    }
}

/// The first numbers of an undecided position, from its eyes and its way out.
fn first_guess(judgement: &Judgement, attacking: bool) -> (u32, u32) {
    let (attacked, defended) = judgement.eyes;
    let (attacked, defended) = (u32::from(attacked.min(2)), u32::from(defended.min(2)));
    let out = judgement.escape.min(8) / 2;
    let proof = 1 + 2 * attacked + defended + out + u32::from(!attacking);
    let disproof = 1 + 2 * (2 - defended) + (2 - attacked) + (4 - out) / 2 + u32::from(attacking);
    (proof, disproof)
}
