//! The df-pn search that proves or disproves "the dragon is killed".
//!
//! # Source
//! [`proof`](crate::proof): its numbers and its depth-first search.
//!
//! # Steps
//! 1. A position met for the first time is judged.
//! 2. The defender may also pass. An attacker without a move has failed. A line that is too deep counts for the
//!    defender.
//! 3. On request the root's other moves, best ranked first, are searched too, each with a share of the nodes.
//! 4. Near the root ([`UNPROVEN_DEPTH`]) judgement alone does not give a dragon up: its moves are searched, and the
//!    attacker may pass there.
//! 5. Moves known to be good for the side that answers the first move are tried near the root at any rank.
//!
//! # Departures
//! The key is stones, ko and side to move: two paths to one position share a node. The side that may retake kos wins
//! a line that returns to one of its own positions. If neither side may, the defender wins it. Moves that decided a
//! position are ordered higher in the rest of the tree.

use super::judge::{Judge, Judgement, Verdict};
use super::moves::candidates;
use crate::board::{Board, Color, Line, Vertex};
use crate::local_view::Arena;
use crate::proof::kos::{Found, Kos, expected};
use crate::proof::{Bounds, DepthFirst, Node, Numbers, Problem};

/// Lines longer than this count for the defender.
///
/// Origin: own choice, unmeasured.
const MAX_DEPTH: u32 = 48;

/// Points a move gains each time it decides a position.
///
/// Origin: measured, commit b914525, together with six other changes.
const FAVOUR: i32 = 2;
/// The most points that a move can gain so.
///
/// Origin: measured, commit b914525, together with six other changes.
const FAVOUR_LIMIT: i32 = 24;

/// Down to this depth moves that are known to be good for the other side are tried at any rank.
///
/// Origin: ablation, `experiments/2026-11-22-go-life-and-death.md`, "Three changes, each alone".
const KNOWN_DEPTH: u32 = 3;

/// Down to this depth a dragon that is judged dead is still searched, in a question with many nodes.
///
/// Origin: measured, `experiments/2026-11-22-go-life-and-death.md`, "Walking wrong proofs".
const UNPROVEN_DEPTH: u32 = 2;

/// The number of moves with the same result to look for.
///
/// Origin: own choice, unmeasured.
const MOST_ALTERNATIVES: usize = 6;
/// The share of the node limit for each of them.
///
/// Origin: own choice, unmeasured.
const ALTERNATIVE_SHARE: u32 = 4;

/// The most escape values that count in the first numbers of a position.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `numbers`.
const MOST_OUT: u32 = 8;
/// The escape values that count as one move in the first numbers of a position.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `numbers`.
const OUT: u32 = 2;
/// The moves that an eye counts in the first numbers for the side that does not move first.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `numbers`.
const EYE: u32 = 2;

/// A question: is the dragon killed when `mover` moves first?
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) mover: Color,
    /// His first move, if it is given.
    pub(super) first: Option<Vertex>,
    /// The side that may retake any ko at once.
    pub(super) favoured: Option<Color>,
    /// Positions that may be judged.
    pub(super) limit: u32,
    /// Whether other first moves that reach the result are looked for.
    pub(super) alternatives: bool,
}

/// The table of the searches and their remaining data.
#[derive(Default)]
pub(super) struct Search {
    table: DepthFirst<Vertex>,
    /// First moves that reach the result, best ranked first: all that were looked for.
    pub(super) good: Vec<Vertex>,
    /// Moves known to be good for the side that answers the first move. They are tried near the root at any rank.
    pub(super) known: Vec<Vertex>,
    /// By colour, per padded cell: points for moves that decided a position of this tree.
    favour: [Vec<i32>; 2],
}

impl Search {
    /// Whether the mover brings it about that the dragon is killed or survives.
    pub(super) fn run(
        &mut self,
        board: &mut Board,
        arena: &Arena,
        judge: &mut Judge,
        asked: Question,
    ) -> Found {
        let Question { mover, first, .. } = asked;
        for points in &mut self.favour {
            points.clear();
            points.resize(board.padded_len(), 0);
        }
        self.good.clear();
        let length = board.history_len();
        let attacking = mover != arena.color;
        let mut kos = Kos::new(asked.favoured);
        if first.is_some_and(|v| !kos.play(board, mover, v)) {
            return Found { success: false, certain: true, line: Line::NONE, ko_seen: false, nodes: 0 };
        }
        let known = &self.known;
        let mut life = Life { board, arena, judge, kos, known, favour: &mut self.favour };
        let bounds = Bounds { nodes: asked.limit, steps: u32::MAX, depth: MAX_DEPTH };
        let to_move = if first.is_some() { !attacking } else { attacking };
        let root = self.table.run(&mut life, to_move, bounds);
        let key = life.key(to_move);
        if first.is_none() && asked.alternatives && root.numbers.of(attacking).0 == 0 {
            self.good = alternatives(&mut self.table, &mut life, &root, attacking, asked.limit);
        }
        let ko_seen = life.kos.seen;
        board.undo_to(length);
        let (certain, killed) = (root.numbers.is_settled(), root.numbers.proof == 0);
        let good = self.good.first().and_then(|good| root.children.iter().find(|(v, _)| v == good));
        let (begun, key, turn) = good.map_or((first, key, to_move), |&(v, after)| (Some(v), after, !to_move));
        let lost = first.is_none() && certain && killed != to_move;
        let line = if lost { Line::NONE } else { expected(begun, self.table.line(key, turn)) };
        Found { success: killed == attacking, certain, line, ko_seen, nodes: self.table.nodes() }
    }
}

/// Step 3: which of the moves ranked highest reach the result too, which the mover reached.
fn alternatives(
    table: &mut DepthFirst<Vertex>,
    life: &mut Life<'_>,
    root: &Node<Vertex>,
    attacking: bool,
    most: u32,
) -> Vec<Vertex> {
    let mut good = Vec::new();
    for &(v, key) in root.children.iter().filter(|(v, _)| *v != Vertex::PASS) {
        if good.len() < MOST_ALTERNATIVES && life.play(attacking, v) {
            table.search_child(life, !attacking, most / ALTERNATIVE_SHARE);
            life.undo();
        }
        if table.numbers(key).is_some_and(|numbers| numbers.of(attacking).0 == 0) {
            good.push(v);
        }
    }
    good
}

/// The death of a dragon, as a problem.
struct Life<'a> {
    board: &'a mut Board,
    arena: &'a Arena,
    judge: &'a mut Judge,
    kos: Kos,
    /// See [`Search::known`].
    known: &'a [Vertex],
    /// See [`Search::favour`].
    favour: &'a mut [Vec<i32>; 2],
}

impl Problem for Life<'_> {
    type Move = Vertex;

    fn key(&self, attacking: bool) -> u64 {
        self.board.situation_hash(self.arena.mover(attacking))
    }

    /// Steps 1, 2, 4 and 5.
    fn open(&mut self, attacking: bool, depth: u32) -> Node<Vertex> {
        let to_move = self.arena.mover(attacking);
        let judgement = self.judge.judge(self.board, self.arena, to_move, depth);
        if judgement.no_goal {
            return Node::settled(true);
        }
        let known: &[Vertex] = if (1..=KNOWN_DEPTH).contains(&depth) { self.known } else { &[] };
        match judgement.verdict {
            // Nor is life taken for granted where a move that kills elsewhere has not been tried.
            Verdict::Alive if depth == 1 && !known.is_empty() => {}
            // The question itself is searched at least one move deep: that yields a move, and checks the judgement.
            Verdict::Alive if depth > 0 => return Node::settled(false),
            Verdict::Dead if depth > 0 && (depth > UNPROVEN_DEPTH || !self.judge.careful) => {
                return Node::settled(true);
            }
            _ => {}
        }
        let given_up = depth > 0 && judgement.verdict == Verdict::Dead;
        let favour = &self.favour[to_move.index()];
        let mut moves = candidates(self.board, self.arena, self.judge, &judgement, to_move, depth, favour);
        let more: Vec<Vertex> =
            known.iter().copied().filter(|v| self.board.is_empty(*v) && !moves.contains(v)).collect();
        moves.extend(more);
        let mut children = self.kos.children(self.board, to_move, &moves);
        if attacking && children.is_empty() && !given_up {
            return Node::settled(false);
        }
        if !attacking || given_up {
            children.extend(self.kos.children(self.board, to_move, &[Vertex::PASS]));
        }
        Node { numbers: first_guess(&judgement, attacking), children: children.into_boxed_slice() }
    }

    fn play(&mut self, attacking: bool, v: Vertex) -> bool {
        self.kos.play(self.board, self.arena.mover(attacking), v)
    }

    fn undo(&mut self) {
        self.board.undo();
    }

    fn may_repeat(&self) -> bool {
        self.kos.seen
    }

    /// The side that may retake kos, else the defender.
    fn endless(&self) -> bool {
        self.kos.favoured == Some(self.arena.mover(true))
    }

    /// Moves that decided a position are tried earlier elsewhere.
    fn settled_by(&mut self, attacking: bool, v: Vertex) {
        if v != Vertex::PASS {
            let points = &mut self.favour[self.arena.mover(attacking).index()][v.at()];
            *points = (*points + FAVOUR).min(FAVOUR_LIMIT);
        }
    }
}

/// The first numbers of an undecided position, from its eyes and its way out.
fn first_guess(judgement: &Judgement, attacking: bool) -> Numbers {
    let (attacked, defended) = judgement.eyes;
    let (attacked, defended) = (u32::from(attacked.min(2)), u32::from(defended.min(2)));
    let out = judgement.escape.min(MOST_OUT) / OUT;
    let proof = 1 + EYE * attacked + defended + out + u32::from(!attacking);
    let disproof =
        1 + EYE * (2 - defended) + (2 - attacked) + (MOST_OUT / OUT - out) / 2 + u32::from(attacking);
    Numbers { proof, disproof }
}
