//! Depth-first proof-number search for "the victim is captured".
//!
//! # Source
//! A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", PhD thesis, Tokyo 2002.
//!
//! # Notation
//! `proof` and `disproof`: the least numbers of leaves still to be decided to show that the victim is captured, and that
//! it is not. *Own* is the number the side to move wants at nought.
//!
//! # Steps
//! 1. A node met for the first time is counted ([`View`]); if undecided, its moves and the keys of the positions after
//!    them are kept. Its first numbers follow from the margin.
//! 2. While both numbers stay below their thresholds the most promising child is searched with thresholds of its own.
//! 3. The deeper a line, the more the count is trusted; the longest lines count for the victim.
//! 4. The victim may also pass (seki).

use super::moves::candidates;
use super::race::Race;
use super::view::{Eyesight, Verdict, View};
use crate::board::{Board, Color, Vertex};
use crate::eyes::MixMap;

/// A decided number.
const INFINITE: u32 = 1_000_000;
/// From this depth the count is trusted more with every move.
const TRUST_FROM: u32 = 8;
/// Steps a search may take for each position it may look at.
const STEPS_PER_NODE: u32 = 12;
/// Longer lines count for the victim.
const MAX_DEPTH: u32 = 40;

#[derive(Clone, Debug)]
struct Node {
    proof: u32,
    disproof: u32,
    /// Moves and the keys of the positions after them; empty when decided.
    children: Box<[(Vertex, u64)]>,
}

impl Node {
    fn decided(killed: bool) -> Self {
        let (proof, disproof) = if killed { (0, INFINITE) } else { (INFINITE, 0) };
        Self { proof, disproof, children: Box::default() }
    }
}

/// A question: is `victim` lost when `mover` moves first? If `victim` is theirs, mine has to live as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// Whose race it is.
    pub(super) mine: Color,
    pub(super) victim: Color,
    pub(super) mover: Color,
    /// Who may retake any ko at once.
    pub(super) favoured: Option<Color>,
    /// Positions that may be looked at.
    pub(super) limit: u32,
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
    eyesight: Eyesight,
    nodes: u32,
    /// Children looked into, met before or not: lines that repeat a position make steps without nodes.
    steps: u32,
    ko_seen: bool,
}

impl Search {
    pub(super) fn run(&mut self, board: &mut Board, race: &Race, asked: Question) -> Found {
        self.table.clear();
        (self.nodes, self.steps) = (0, 0);
        self.ko_seen = false;
        self.descend(board, race, asked, asked.mover, (INFINITE, INFINITE), 0);
        let attacking = asked.mover != asked.victim;
        let root = self.table.get(&board.situation_hash(asked.mover)).cloned();
        let root = root.unwrap_or_else(|| Node::decided(!attacking));
        let certain = root.proof == 0 || root.disproof == 0;
        // Cut off, the more likely outcome counts.
        let killed = if certain { root.proof == 0 } else { root.proof < root.disproof };
        let point = if attacking == killed { self.best_move(&root, attacking) } else { Vertex::PASS };
        Found { killed, certain, point, ko_seen: self.ko_seen, nodes: self.nodes }
    }

    /// See [`super::RaceReader::explain`].
    pub(super) fn explain(&mut self, board: &Board, race: &Race, to_move: Color) -> String {
        let view = View::new(board, race, to_move, &mut self.eyesight);
        let mut text = format!("shared {}", view.shared.len());
        for color in Color::BOTH {
            let side = &view.sides[color.index()];
            let spaces: Vec<String> = side
                .touching
                .iter()
                .map(|&i| {
                    let s = &side.spaces[i];
                    let name = s.origin().to_gtp(board.size());
                    format!("{name} {} of {} marginal {}", s.value, s.vertices.len(), s.marginal_count())
                })
                .collect();
            text.push_str(&format!(
                "; {color}: {} exclusive, eye class {}, eyes {:?}, escape {}, alive {}, hopes {} fears {}, spaces [{}]",
                side.exclusive, side.eye, side.eyes, side.escape, side.alive, side.hopes, side.fears, spaces.join("; ")
            ));
        }
        let moves = candidates(board, race, &view, to_move, 0);
        let names: Vec<String> = moves.into_iter().map(|v| v.to_gtp(board.size())).collect();
        format!("{text}; moves {}", names.join(" "))
    }

    /// The first move that decides, or else the most promising one.
    fn best_move(&self, root: &Node, attacking: bool) -> Vertex {
        let own = |rank: usize, key: u64| {
            let (proof, disproof) = self.look(key, rank);
            if attacking { proof } else { disproof }
        };
        let ranked = root.children.iter().enumerate();
        ranked.min_by_key(|&(rank, &(_, key))| (own(rank, key), rank)).map_or(Vertex::PASS, |(_, &(v, _))| v)
    }

    fn play(&mut self, board: &mut Board, asked: Question, color: Color, v: Vertex) -> bool {
        if v != Vertex::PASS && board.ko_point() == Some(v) {
            self.ko_seen = true;
            if asked.favoured == Some(color) {
                return board.play_ignoring_ko(color, v).is_ok();
            }
        }
        board.play(color, v).is_ok()
    }

    /// Steps 2 and 3.
    fn descend(
        &mut self,
        board: &mut Board,
        race: &Race,
        asked: Question,
        to_move: Color,
        limits: (u32, u32),
        depth: u32,
    ) {
        let key = board.situation_hash(to_move);
        let attacking = to_move != asked.victim;
        if !self.table.contains_key(&key) {
            let node = self.open(board, race, asked, to_move, depth);
            self.table.insert(key, node);
        }
        let Some(node) = self.table.get(&key) else { return };
        if node.children.is_empty() {
            return;
        }
        let children = node.children.clone();
        loop {
            let (proof, disproof, best, second) = self.numbers(&children, attacking);
            if let Some(node) = self.table.get_mut(&key) {
                (node.proof, node.disproof) = (proof, disproof);
            }
            let over = proof >= limits.0 || disproof >= limits.1 || proof == 0 || disproof == 0;
            if over || self.nodes >= asked.limit || self.steps >= STEPS_PER_NODE * asked.limit {
                return;
            }
            self.steps += 1;
            let (v, child) = children[best];
            let (child_proof, child_disproof) = self.look(child, best);
            let next = second.saturating_add(1 + second / 4);
            let (p, d) = if attacking {
                (limits.0.min(next), (limits.1 - disproof).saturating_add(child_disproof))
            } else {
                ((limits.0 - proof).saturating_add(child_proof), limits.1.min(next))
            };
            if depth >= MAX_DEPTH || !self.play(board, asked, to_move, v) {
                // Only a repetition leads here: what leads nowhere is lost for whoever plays it.
                self.table.insert(child, Node::decided(!attacking));
                continue;
            }
            self.descend(board, race, asked, to_move.other(), (p.min(INFINITE), d.min(INFINITE)), depth + 1);
            board.undo();
        }
    }

    /// Steps 1 and 4.
    fn open(&mut self, board: &mut Board, race: &Race, asked: Question, to_move: Color, depth: u32) -> Node {
        self.nodes += 1;
        let view = View::new(board, race, to_move, &mut self.eyesight);
        let trust = depth.saturating_sub(TRUST_FROM);
        let margin = match view.verdict(board, race, asked, to_move, trust) {
            // The question itself is searched one move deep: that yields a move, and checks the count.
            Verdict::Killed if depth > 0 => return Node::decided(true),
            Verdict::Survives if depth > 0 => return Node::decided(false),
            Verdict::Open(margin) => margin,
            Verdict::Killed => 4,
            Verdict::Survives => -4,
        };
        if depth >= MAX_DEPTH {
            return Node::decided(false);
        }
        let attacking = to_move != asked.victim;
        let mut children = Vec::new();
        for v in candidates(board, race, &view, to_move, depth) {
            if self.play(board, asked, to_move, v) {
                children.push((v, board.situation_hash(to_move.other())));
                board.undo();
            }
        }
        if attacking && children.is_empty() {
            return Node::decided(margin >= 0);
        }
        if !attacking && board.play(to_move, Vertex::PASS).is_ok() {
            children.push((Vertex::PASS, board.situation_hash(to_move.other())));
            board.undo();
        }
        let lead = margin.clamp(-6, 6);
        let proof = (4 - lead / 2 + i32::from(!attacking)).max(1) as u32;
        let disproof = (4 + lead / 2 + i32::from(attacking)).max(1) as u32;
        Node { proof, disproof, children: children.into_boxed_slice() }
    }

    /// The numbers of a child, or those of its rank if it has not been met.
    fn look(&self, key: u64, rank: usize) -> (u32, u32) {
        let guess = 2 + rank as u32 / 3;
        self.table.get(&key).map_or((guess, guess), |node| (node.proof, node.disproof))
    }

    /// Proof, disproof, the most promising child and the runner-up's own number.
    fn numbers(&self, children: &[(Vertex, u64)], attacking: bool) -> (u32, u32, usize, u32) {
        let (mut least, mut second, mut sum, mut best) = (INFINITE, INFINITE, 0_u32, 0);
        for (rank, &(_, key)) in children.iter().enumerate() {
            let (proof, disproof) = self.look(key, rank);
            let (own, other) = if attacking { (proof, disproof) } else { (disproof, proof) };
            sum = sum.saturating_add(other).min(INFINITE);
            if own < least {
                (second, least, best) = (least, own, rank);
            } else if own < second {
                second = own;
            }
        }
        if least == 0 {
            sum = INFINITE;
        }
        if attacking { (least, sum, best, second) } else { (sum, least, best, second) }
    }
}
