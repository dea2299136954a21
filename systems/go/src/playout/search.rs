//! Weighs candidate moves by a Monte-Carlo tree search.
//!
//! # Source
//! L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo Planning" (2006). S. Gelly, D. Silver, "Combining Online and
//! Offline Knowledge in UCT" (2007): all-moves-as-first values with a weight that falls with the visits, and priors
//! as virtual visits. R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go" (2007): progressive
//! widening by the probability of the moves.
//!
//! # Notation
//! `q`, `n` are the mean value and the visits of a child. `rave_q`, `rave_n` are the same over all playouts in which
//! its move was the colour's first at that vertex. `beta` is the weight of the latter. Values are from the view of the
//! colour that makes the child's move, 0 to 1.
//!
//! # Steps
//! 1. Descend from the root by the best mixed value, at each node among its most probable moves. More visits admit more
//!    moves.
//! 2. A leaf that was visited `EXPAND` times gets its children, with the prediction's probabilities
//!    ([`super::prediction`]) as priors. The playouts so far give the ownership that the prediction needs.
//! 3. Play the game out from the leaf.
//! 4. Value the end of the game, partly by winning or losing, and partly by the margin compared with the mean of the
//!    first playouts. So the search still distinguishes moves when the game is decided. For the question whether stones
//!    survive ([`super::survival`]) the value is all or nothing.
//! 5. Back up the value, also to the all-moves-as-first values of every node on the path.
//!
//! # Departures
//! There is no exploration term. Priors and all-moves-as-first values make the search explore (as in most strong Go
//! programs of the kind).
//!
//! # Cost
//! Playouts take four fifths of the time, and the prediction one fifth.

mod threads;

pub use threads::search_on_threads;

use super::board::{EMPTY, PlayoutBoard, code};
use super::ownership::{estimate, owner, play_out};
use super::policy::Policy;
use super::prediction::{Model, OWNER_PLAYOUTS, Rated, softmax};
use crate::board::{Color, Vertex};
use tengen_core::SplitMix64;

/// Visits after which a node gets children.
const EXPAND: u32 = 3;
/// The number of moves of a node at the start. Then the visits from which more are admitted, and the factor of visits
/// that adds one.
const WIDTH: usize = 4;
const WIDER_FROM: f32 = 10.0;
const WIDER_BY: f32 = 1.3;
/// The most successful virtual visits of the most probable move of a node, and their greatest share of the search's
/// playouts. Other moves get fewer, by the square root of the ratio.
const LIKELY_VISITS: f32 = 100.0;
const LIKELY_SHARE: f32 = 0.05;
/// On the whole board a pass is a move of nodes with fewer others than this.
const PASS_BELOW: usize = 8;
/// The addition of a pipeline prior to a move's probability at the root, for each visit that it counts.
const PRIOR_SHARE: f32 = 0.006;
/// Visits that every move begins with, half of them well.
const EVEN_VISITS: f32 = 10.0;
/// The number of visits at which real values and all-moves-as-first values weigh about the same.
const RAVE_EQUIVALENCE: f32 = 2500.0;
/// The same where the question is whether stones survive: in a narrow place the order of the moves is what matters.
const SURVIVAL_EQUIVALENCE: f32 = 400.0;

/// The limits of the search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Playouts in all.
    pub playouts: u32,
    /// The playouts' moves.
    pub policy: Policy,
    /// The share of a playout's value that is won or lost; the rest is by how much.
    pub win_share: f32,
    /// Playouts that don't count for the ownership, while the search finds its feet.
    pub warm_up: u32,
    /// The positions of one ladder for likely moves; [`LADDERS`](super::LADDERS) read it to its end.
    pub ladders: u32,
    /// The seed of every random choice.
    pub seed: u64,
}

/// The pipeline's opinion of a move before the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The move.
    pub vertex: Vertex,
    /// Expected value, 0 to 1.
    pub value: f32,
    /// The number of visits it counts as.
    pub visits: f32,
}

/// The position a search begins from.
#[derive(Clone, Copy)]
pub struct Root<'a> {
    /// The stones.
    pub board: &'a PlayoutBoard,
    /// The mover.
    pub color: Color,
    /// The opponent's last move, or a pass.
    pub last: Vertex,
    /// The last move before that by `color`, or a pass.
    pub before: Vertex,
    /// White's points, prisoners included.
    pub komi: f32,
    /// Ownership by some playouts from here, where it is known already ([`estimate`]); else the search makes its own.
    pub owner: Option<&'a [f32]>,
}

/// The result of the search for one move of the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The move; [`Vertex::PASS`] is a pass.
    pub vertex: Vertex,
    /// Visits without priors.
    pub visits: u32,
    /// Mean value, 0 to 1, for the side to move.
    pub value: f32,
    /// Share of its playouts that the side to move won.
    pub win_rate: f32,
    /// Mean lead of the side to move at their ends, in points of area, komi included.
    pub lead: f32,
    /// How likely a judge called the move; 0 in a search by playouts.
    pub likelihood: f32,
    /// The move and the most visited moves after it; a search by playouts tells none.
    pub line: Vec<Vertex>,
    /// Mean ownership after the move, as in [`Findings::owner`]; empty if it was not visited, or by playouts.
    pub owner: Vec<f32>,
}

/// The result of the search.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The moves of the root, most visited first; ties in vertex order.
    pub moves: Vec<Finding>,
    /// Mean ownership of the playouts, as in [`super::Ownership::owner`].
    pub owner: Vec<f32>,
    /// White's area less Black's, mean over all playouts, without komi.
    pub white_lead: f32,
    /// Share of playouts the side to move won.
    pub win_rate: f32,
    /// Playouts made.
    pub playouts: u32,
}

#[derive(Clone, Copy, Default)]
struct Node {
    vertex: u16,
    children: u16,
    first: u32,
    n: f32,
    w: f32,
    rave_n: f32,
    rave_w: f32,
    prior_n: f32,
    prior_w: f32,
    visits: u32,
    probability: f32,
}

impl Node {
    fn new(vertex: usize) -> Self {
        Self { vertex: vertex as u16, prior_n: EVEN_VISITS, prior_w: EVEN_VISITS * 0.5, ..Self::default() }
    }

    fn prior(&mut self, value: f32, visits: f32) {
        self.prior_n += visits;
        self.prior_w += visits * value;
    }

    /// A visit whose value is not known yet.
    fn visit(&mut self) {
        self.visits += 1;
        self.n += 1.0;
    }

    fn prior_of_root(&mut self, prior: &Prior) {
        self.prior(prior.value, prior.visits);
        self.probability += PRIOR_SHARE * prior.visits;
    }

    /// The mixed value of step 1; `equivalence` visits weigh as much as what all moves as first say.
    fn urgency(&self, equivalence: f32) -> f32 {
        let n = self.n + self.prior_n;
        let q = (self.w + self.prior_w) / n;
        if self.rave_n == 0.0 {
            return q;
        }
        let rave_q = self.rave_w / self.rave_n;
        let beta = self.rave_n / (self.rave_n + n + self.rave_n * n / equivalence);
        beta * rave_q + (1.0 - beta) * q
    }
}

/// A way down, and the playout from its end.
struct Leaf {
    path: Vec<usize>,
    moves: Vec<(usize, u8)>,
    board: PlayoutBoard,
    /// The side to move.
    color: u8,
    last: usize,
    /// If it is to get children: the move before the last.
    opens: Option<usize>,
}

impl Leaf {
    /// 3.
    fn play_out(&mut self, policy: &Policy, random: &mut SplitMix64) {
        let Self { moves, board, color, last, .. } = self;
        play_out(board, *color, *last, policy, random, |v, c, _| moves.push((v, c)));
    }
}

/// The value of the end of a playout (step 4), and the moves that the tree considers.
#[derive(Clone, Copy)]
pub(super) enum Aim<'a> {
    /// The whole board, with this komi.
    Lead(f32),
    /// Whether most of the stones stay their owner's, by moves on some vertices (both by padded index), or by passing.
    Survival {
        /// The colour of the stones, as a code.
        defender: u8,
        /// The stones.
        goal: &'a [usize],
        /// The vertices whose moves are considered.
        inside: &'a [bool],
    },
}

/// The data of one search besides the tree.
pub(super) struct Search<'a> {
    nodes: Vec<Node>,
    root: PlayoutBoard,
    color: u8,
    limits: Limits,
    random: SplitMix64,
    aim: Aim<'a>,
    /// Step 4: the middle of the scale of leads, White's view, komi included.
    baseline: f32,
    scale: f32,
    leads: f64,
    wins: u32,
    done: u32,
    /// For each root move the won playouts and the sum of White's leads, komi included.
    of_moves: Vec<(u32, f64)>,
    sums: Vec<i32>,
    /// Ownership by playouts before the search.
    first_owner: Vec<f32>,
    /// Per vertex: who played there first in this playout, and from which ply on (all-moves-as-first).
    first_by: Vec<u8>,
    first_ply: Vec<u16>,
}

/// Searches the moves of a position.
///
/// `allowed` marks the moves of the root to search; `priors` are their known values. `stop` is asked after each
/// playout.
pub fn search(
    root: Root<'_>,
    allowed: &dyn Fn(Vertex) -> bool,
    priors: &[Prior],
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Findings {
    let mut search = Search::new(&root, Aim::Lead(root.komi), limits);
    search.keep_root_moves(allowed, priors);
    search.run(&mut |_| stop());
    search.findings()
}

impl<'a> Search<'a> {
    /// A search whose root has its children.
    pub(super) fn new(root: &Root<'_>, aim: Aim<'a>, limits: &Limits) -> Self {
        let &Root { board, color, last, before, .. } = root;
        let size = board.size();
        let own = || estimate(board, color, &limits.policy, OWNER_PLAYOUTS, limits.seed).owner;
        let mut search = Self {
            nodes: vec![Node::new(last.at())],
            root: board.clone(),
            color: code(color),
            limits: *limits,
            random: SplitMix64::new(limits.seed),
            aim,
            baseline: 0.0,
            scale: 4.0 + size as f32 * 0.5,
            leads: 0.0,
            wins: 0,
            done: 0,
            of_moves: Vec::new(),
            sums: vec![0; size * size],
            first_owner: root.owner.map_or_else(own, <[f32]>::to_vec),
            first_by: vec![0; (size + 1) * (size + 2) + 1],
            first_ply: vec![0; (size + 1) * (size + 2) + 1],
        };
        search.expand(0, board, search.color, last.at(), before.at());
        search
    }

    /// Takes passing from the root's moves, if there are others.
    pub(super) fn must_move(&mut self) {
        if self.nodes[0].children > 1 {
            self.keep_root_moves(&|v| v != Vertex::PASS, &[]);
        }
    }

    /// Makes the playouts of the limits. After each, `stop` is asked with the number that is made.
    pub(super) fn run(&mut self, stop: &mut dyn FnMut(u32) -> bool) {
        while self.done < self.limits.playouts && !(self.done > 0 && stop(self.done)) {
            self.one();
        }
    }

    /// The mean ownership of the playouts so far, without those of the warm-up.
    pub(super) fn mean_owner(&self) -> Vec<f32> {
        let counted = self.done.saturating_sub(self.limits.warm_up).max(1) as f32;
        self.sums.iter().map(|&s| s as f32 / counted).collect()
    }

    /// The moves of the root without the pass: the most visited first, then the likeliest.
    pub(super) fn preferred(&self) -> Vec<Vertex> {
        let root = self.nodes[0];
        let first = root.first as usize;
        let mut moves: Vec<Node> = self.nodes[first..first + root.children as usize].to_vec();
        moves.sort_by(|a, b| {
            b.visits
                .cmp(&a.visits)
                .then(b.probability.total_cmp(&a.probability))
                .then(a.vertex.cmp(&b.vertex))
        });
        moves.into_iter().map(|node| Vertex(node.vertex)).filter(|&v| v != Vertex::PASS).collect()
    }

    /// Leaves only the allowed moves at the root and adds the priors.
    fn keep_root_moves(&mut self, allowed: &dyn Fn(Vertex) -> bool, priors: &[Prior]) {
        let root = self.nodes[0];
        let first = root.first as usize;
        let mut kept: Vec<Node> = self.nodes[first..first + root.children as usize]
            .iter()
            .filter(|n| allowed(Vertex(n.vertex)))
            .copied()
            .collect();
        for prior in priors.iter().filter(|p| allowed(p.vertex)) {
            match kept.iter_mut().find(|n| n.vertex == prior.vertex.0) {
                Some(node) => node.prior_of_root(prior),
                None if prior.vertex != Vertex::PASS
                    && self.root.color[prior.vertex.at()] == EMPTY
                    && self.root.is_legal(prior.vertex.at(), self.color) =>
                {
                    let mut node = Node::new(prior.vertex.at());
                    node.prior_of_root(prior);
                    kept.push(node);
                }
                None => {}
            }
        }
        kept.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.vertex.cmp(&b.vertex)));
        self.nodes.truncate(first);
        self.nodes[0].children = kept.len() as u16;
        self.nodes.extend(kept);
    }

    /// One playout: steps 1 to 5.
    fn one(&mut self) {
        let mut leaf = self.descend(false);
        // 2.
        if let (Some(before), Some(&at)) = (leaf.opens, leaf.path.last()) {
            self.expand(at, &leaf.board, leaf.color, leaf.last, before);
        }
        // 3.
        leaf.play_out(&self.limits.policy, &mut self.random);
        self.settle(&leaf.path, &leaf.moves, &leaf.board, 1);
    }

    /// 1. A way down. `at_once`: whether each node on it counts the visit, which has brought nothing yet.
    fn descend(&mut self, at_once: bool) -> Leaf {
        let (mut at, mut passes) = (0, 0);
        let mut leaf = Leaf {
            path: vec![at],
            moves: Vec::with_capacity(400),
            board: self.root.clone(),
            color: self.color,
            last: self.nodes[at].vertex as usize,
            opens: None,
        };
        let come_to = |node: &mut Node| {
            if at_once {
                node.visit();
            }
        };
        come_to(&mut self.nodes[at]);
        while self.nodes[at].children > 0 && passes < 2 && leaf.opens.is_none() {
            let before = leaf.last;
            at = self.select(at);
            come_to(&mut self.nodes[at]);
            let node = &self.nodes[at];
            let v = node.vertex as usize;
            leaf.path.push(at);
            if v == 0 {
                leaf.board.pass();
                passes += 1;
            } else {
                leaf.board.play(v, leaf.color);
                passes = 0;
            }
            leaf.moves.push((v, leaf.color));
            (leaf.last, leaf.color) = (v, 3 - leaf.color);
            let visits = node.visits + u32::from(!at_once);
            if node.children == 0 && visits >= EXPAND && passes < 2 {
                leaf.opens = Some(before);
            }
        }
        leaf
    }

    /// 4. and 5. of a playout that ended in `board`.
    fn settle(&mut self, path: &[usize], moves: &[(usize, u8)], board: &PlayoutBoard, visits: u32) {
        let (leads, wins) = (self.leads, self.wins);
        let value = self.value(board);
        let komi = if let Aim::Lead(komi) = self.aim { f64::from(komi) } else { 0.0 };
        self.note_move(path, self.wins - wins, self.leads - leads + komi);
        self.back_up(path, moves, value, visits);
    }

    /// Adds a playout to the data of the root's move that began it.
    fn note_move(&mut self, path: &[usize], won: u32, lead: f64) {
        let Some(number) = path.get(1).map(|at| at - self.nodes[0].first as usize) else { return };
        if self.of_moves.len() <= number {
            self.of_moves.resize(number + 1, (0, 0.0));
        }
        let (wins, leads) = &mut self.of_moves[number];
        *wins += won;
        *leads += lead;
    }

    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let first = node.first as usize;
        let mut best = first;
        let mut best_urgency = f32::MIN;
        let width = width(node.visits as f32).min(node.children as usize);
        let equivalence = match self.aim {
            Aim::Lead(_) => RAVE_EQUIVALENCE,
            Aim::Survival { .. } => SURVIVAL_EQUIVALENCE,
        };
        for (i, child) in self.nodes[first..first + width].iter().enumerate() {
            let urgency = child.urgency(equivalence);
            if urgency > best_urgency {
                best_urgency = urgency;
                best = first + i;
            }
        }
        best
    }

    /// 4. The value of the end of a playout, 0 to 1, from White's view.
    fn value(&mut self, board: &PlayoutBoard) -> f32 {
        let size = board.size();
        let mut lead = 0;
        for (i, sum) in self.sums.iter_mut().enumerate() {
            let of = match owner(board, Vertex::from_index(i, size).at()) {
                1 => -1,
                2 => 1,
                _ => 0,
            };
            if self.done >= self.limits.warm_up {
                *sum += of;
            }
            lead += of;
        }
        self.done += 1;
        self.leads += f64::from(lead);
        let komi = match self.aim {
            Aim::Lead(komi) => komi,
            Aim::Survival { defender, goal, .. } => {
                let kept = goal.iter().filter(|&&v| owner(board, v) == defender).count();
                let survives = 2 * kept > goal.len();
                self.wins += u32::from(survives == (self.color == defender));
                return if survives == (defender == 2) { 1.0 } else { 0.0 };
            }
        };
        let lead = lead as f32 + komi;
        if self.done <= 64 {
            self.baseline = (self.leads / f64::from(self.done)) as f32 + komi;
        }
        let win = if lead > 0.0 { 1.0 } else { 0.0 };
        self.wins += u32::from((lead > 0.0) == (self.color == 2));
        let amount = 1.0 / (1.0 + (-(lead - self.baseline) / self.scale).exp());
        let share = self.limits.win_share;
        share * win + (1.0 - share) * amount
    }

    /// 5. `visits` is 0 where the way down has counted the visit already.
    fn back_up(&mut self, path: &[usize], moves: &[(usize, u8)], white_value: f32, visits: u32) {
        self.first_by.fill(0);
        for (ply, &(v, c)) in moves.iter().enumerate().rev() {
            self.first_by[v] = c;
            self.first_ply[v] = ply as u16;
        }
        let mut color = self.color;
        for (depth, &at) in path.iter().enumerate() {
            // The value for whoever made the move into `at`: the opponent of `color`, who moves from it.
            let mine = if color == 1 { white_value } else { 1.0 - white_value };
            let node = &mut self.nodes[at];
            node.visits += visits;
            node.n += visits as f32;
            node.w += mine;
            let (first, children) = (node.first as usize, node.children as usize);
            let theirs = 1.0 - mine;
            for child in &mut self.nodes[first..first + children] {
                let v = child.vertex as usize;
                if v != 0 && self.first_by[v] == color && self.first_ply[v] as usize >= depth {
                    child.rave_n += 1.0;
                    child.rave_w += theirs;
                }
            }
            color = 3 - color;
        }
    }

    /// 2. Gives a node its children, most probable first; `before` is the last move of `color`.
    fn expand(&mut self, at: usize, board: &PlayoutBoard, color: u8, last: usize, before: usize) {
        let mut moves = Model::own().rate(board, color, [last, before], &self.owner(), self.limits.ladders);
        if let Aim::Survival { inside, .. } = self.aim {
            moves.retain(|m| inside[m.vertex]);
        }
        self.adopt(at, ranked(moves));
    }

    /// The ownership for a prediction, from the playouts so far.
    fn owner(&self) -> impl Fn(usize) -> f32 {
        let counted = self.done.saturating_sub(self.limits.warm_up);
        let n = (OWNER_PLAYOUTS + counted) as f32;
        move |i: usize| (self.first_owner[i] * OWNER_PLAYOUTS as f32 + self.sums[i] as f32) / n
    }

    /// Gives a node children of these moves, which are ranked.
    fn adopt(&mut self, at: usize, moves: Vec<Rated>) {
        let first = self.nodes.len();
        let most = moves.first().map_or(1.0, |m| m.rating);
        let visits = LIKELY_VISITS.min(LIKELY_SHARE * self.limits.playouts as f32);
        self.nodes.extend(moves.into_iter().map(|m| {
            let mut node = Node::new(m.vertex);
            node.probability = m.rating;
            node.prior(1.0, visits * (m.rating / most).sqrt());
            node
        }));
        let found = self.nodes.len() - first;
        match self.aim {
            Aim::Lead(_) if found < PASS_BELOW => self.nodes.push(Node::new(0)),
            Aim::Lead(_) => {}
            // Passing is a move like others: the dragon may live or be dead as it is.
            Aim::Survival { .. } => self.nodes.insert(first + found.min(WIDTH), Node::new(0)),
        }
        self.nodes[at].first = first as u32;
        self.nodes[at].children = (self.nodes.len() - first) as u16;
    }

    pub(super) fn findings(self) -> Findings {
        let root = self.nodes[0];
        let first = root.first as usize;
        let mut moves: Vec<Finding> = self.nodes[first..first + root.children as usize]
            .iter()
            .enumerate()
            .map(|(number, n)| {
                let (wins, leads) = self.of_moves.get(number).copied().unwrap_or_default();
                let lead = leads as f32 / n.n.max(1.0);
                Finding {
                    vertex: Vertex(n.vertex),
                    visits: n.visits,
                    value: n.w / n.n.max(1.0),
                    win_rate: wins as f32 / n.n.max(1.0),
                    lead: if self.color == 2 { lead } else { -lead },
                    ..Finding::default()
                }
            })
            .collect();
        moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(a.vertex.cmp(&b.vertex)));
        let n = self.done.max(1) as f32;
        Findings {
            moves,
            owner: self.mean_owner(),
            white_lead: (self.leads / f64::from(self.done.max(1))) as f32,
            win_rate: self.wins as f32 / n,
            playouts: self.done,
        }
    }
}

/// Moves with their probabilities, most probable first.
fn ranked(mut moves: Vec<Rated>) -> Vec<Rated> {
    softmax(&mut moves, |m| &mut m.rating);
    moves.sort_by(|a, b| b.rating.total_cmp(&a.rating).then(a.vertex.cmp(&b.vertex)));
    moves
}

/// The number of moves to consider at a node with this many visits.
fn width(visits: f32) -> usize {
    WIDTH + (visits / WIDER_FROM).max(1.0).log(WIDER_BY) as usize
}
