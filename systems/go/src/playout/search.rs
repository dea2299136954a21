//! Weighing candidate moves by a Monte-Carlo tree search.
//!
//! # Source
//! L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo Planning" (2006); S. Gelly, D. Silver, "Combining Online and
//! Offline Knowledge in UCT" (2007): all-moves-as-first values mixed in with a weight that falls with the visits, and
//! prior knowledge as virtual visits.
//!
//! # Notation
//! `q`, `n` mean value and visits of a child; `rave_q`, `rave_n` the same over all playouts in which its move was
//! the colour's first at that vertex; `beta` the weight of the latter. Values are from the view of the colour that
//! makes the child's move, 0 to 1.
//!
//! # Steps
//! 1. Descend from the root by the best mixed value.
//! 2. A leaf that was visited `EXPAND` times gets its children, with priors.
//! 3. Play out.
//! 4. Value the end: partly won or lost, partly by how much, against the mean of the first playouts; so the search
//!    still tells moves apart when the game is decided.
//! 5. Back up, with the all-moves-as-first values of every node passed.
//!
//! # Departures
//! No exploration term: priors and all-moves-as-first values are what explores (as in most strong Go programs of the
//! kind).
//!
//! # Cost
//! Nearly all of it is the playouts.

use super::board::{EMPTY, PlayoutBoard, WALL, code};
use super::ownership::{owner, play_out};
use super::patterns3;
use super::policy::Policy;
use crate::board::{Color, Vertex};
use tengen_core::SplitMix64;

/// Visits after which a node gets children.
const EXPAND: u32 = 3;
/// The number of visits at which real values and all-moves-as-first values weigh about the same.
const RAVE_EQUIVALENCE: f32 = 2500.0;

/// How long to search.
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
    /// The seed of every random choice.
    pub seed: u64,
}

/// What the pipeline thinks of a move before the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The move.
    pub vertex: Vertex,
    /// Expected value, 0 to 1.
    pub value: f32,
    /// As how many visits it counts.
    pub visits: f32,
}

/// The position a search begins from.
#[derive(Clone, Copy)]
pub struct Root<'a> {
    /// The stones.
    pub board: &'a PlayoutBoard,
    /// Whose moves are weighed.
    pub color: Color,
    /// The opponent's last move, or a pass.
    pub last: Vertex,
    /// White's points, prisoners included.
    pub komi: f32,
}

/// What the search found about one move of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The move; [`Vertex::PASS`] is a pass.
    pub vertex: Vertex,
    /// Visits without priors.
    pub visits: u32,
    /// Mean value, 0 to 1, for the side to move.
    pub value: f32,
}

/// What the search found.
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

#[derive(Clone, Copy)]
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
}

impl Node {
    fn new(vertex: usize) -> Self {
        Self {
            vertex: vertex as u16,
            children: 0,
            first: 0,
            n: 0.0,
            w: 0.0,
            rave_n: 0.0,
            rave_w: 0.0,
            prior_n: 10.0,
            prior_w: 5.0,
            visits: 0,
        }
    }

    fn prior(&mut self, value: f32, visits: f32) {
        self.prior_n += visits;
        self.prior_w += visits * value;
    }

    fn urgency(&self) -> f32 {
        let n = self.n + self.prior_n;
        let q = (self.w + self.prior_w) / n;
        if self.rave_n == 0.0 {
            return q;
        }
        let rave_q = self.rave_w / self.rave_n;
        let beta = self.rave_n / (self.rave_n + n + self.rave_n * n / RAVE_EQUIVALENCE);
        beta * rave_q + (1.0 - beta) * q
    }
}

/// What one search needs besides the tree.
struct Search<'a> {
    nodes: Vec<Node>,
    root: &'a PlayoutBoard,
    color: u8,
    komi: f32,
    limits: &'a Limits,
    random: SplitMix64,
    /// Steps 4: the middle of the scale of leads, White's view, komi included.
    baseline: f32,
    scale: f32,
    leads: f64,
    wins: u32,
    done: u32,
    sums: Vec<i32>,
    /// Per vertex: who played there first in this playout, and from which ply on (all-moves-as-first).
    first_by: Vec<u8>,
    first_ply: Vec<u16>,
}

/// Searches the moves of a position.
///
/// `allowed` says which moves of the root are looked at; `priors` are what is known of them. `stop` is asked after
/// each playout.
pub fn search(
    root: Root<'_>,
    allowed: &dyn Fn(Vertex) -> bool,
    priors: &[Prior],
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Findings {
    let Root { board: root, color, last, komi } = root;
    let size = root.size();
    let mut search = Search {
        nodes: vec![Node::new(last.at())],
        root,
        color: code(color),
        komi,
        limits,
        random: SplitMix64::new(limits.seed),
        baseline: 0.0,
        scale: 4.0 + size as f32 * 0.5,
        leads: 0.0,
        wins: 0,
        done: 0,
        sums: vec![0; size * size],
        first_by: vec![0; (size + 1) * (size + 2) + 1],
        first_ply: vec![0; (size + 1) * (size + 2) + 1],
    };
    search.expand(0, root, search.color, last.at(), None);
    search.keep_root_moves(allowed, priors);
    while search.done < limits.playouts && !(search.done > 0 && stop()) {
        search.one();
    }
    search.findings()
}

impl Search<'_> {
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
                Some(node) => node.prior(prior.value, prior.visits),
                None if prior.vertex != Vertex::PASS
                    && self.root.color[prior.vertex.at()] == EMPTY
                    && self.root.is_legal(prior.vertex.at(), self.color) =>
                {
                    let mut node = Node::new(prior.vertex.at());
                    node.prior(prior.value, prior.visits);
                    kept.push(node);
                }
                None => {}
            }
        }
        self.nodes.truncate(first);
        self.nodes[0].children = kept.len() as u16;
        self.nodes.extend(kept);
    }

    /// One playout: steps 1 to 5.
    fn one(&mut self) {
        let mut board = self.root.clone();
        let mut path = vec![0usize];
        let mut moves: Vec<(usize, u8)> = Vec::with_capacity(400);
        let mut color = self.color;
        let mut last = self.nodes[0].vertex as usize;
        let mut at = 0usize;
        let mut passes = 0;
        // 1.
        while self.nodes[at].children > 0 && passes < 2 {
            at = self.select(at);
            let v = self.nodes[at].vertex as usize;
            path.push(at);
            if v == 0 {
                board.pass();
                passes += 1;
            } else {
                board.play(v, color);
                passes = 0;
            }
            moves.push((v, color));
            last = v;
            color = 3 - color;
            // 2.
            if self.nodes[at].children == 0 && self.nodes[at].visits + 1 >= EXPAND && passes < 2 {
                self.expand(at, &board, color, last, moves.iter().rev().nth(1).map(|m| m.0));
                break;
            }
        }
        // 3.
        let random = &mut self.random;
        play_out(&mut board, color, last, &self.limits.policy, random, |v, c, _| moves.push((v, c)));
        let value = self.value(&board);
        self.back_up(&path, &moves, value);
    }

    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let first = node.first as usize;
        let mut best = first;
        let mut best_urgency = f32::MIN;
        for (i, child) in self.nodes[first..first + node.children as usize].iter().enumerate() {
            let urgency = child.urgency();
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
        let lead = lead as f32 + self.komi;
        if self.done <= 64 {
            self.baseline = (self.leads / f64::from(self.done)) as f32 + self.komi;
        }
        let win = if lead > 0.0 { 1.0 } else { 0.0 };
        self.wins += u32::from((lead > 0.0) == (self.color == 2));
        let amount = 1.0 / (1.0 + (-(lead - self.baseline) / self.scale).exp());
        let share = self.limits.win_share;
        share * win + (1.0 - share) * amount
    }

    /// 5.
    fn back_up(&mut self, path: &[usize], moves: &[(usize, u8)], white_value: f32) {
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
            node.visits += 1;
            node.n += 1.0;
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

    /// 2. Gives a node its children with priors from the kernel alone.
    fn expand(&mut self, at: usize, board: &PlayoutBoard, color: u8, last: usize, before: Option<usize>) {
        let first = self.nodes.len();
        let near = Near { board, last, before };
        for i in 0..board.empty_count() {
            let v = board.empty(i);
            if board.is_eye(v, color) || !board.is_legal(v, color) {
                continue;
            }
            let mut node = Node::new(v);
            near.priors(&mut node, v, color);
            self.nodes.push(node);
        }
        // An order that depends on the position only.
        self.nodes[first..].sort_unstable_by_key(|n| n.vertex);
        if self.nodes.len() - first < 8 {
            self.nodes.push(Node::new(0));
        }
        self.nodes[at].first = first as u32;
        self.nodes[at].children = (self.nodes.len() - first) as u16;
    }

    fn findings(self) -> Findings {
        let root = self.nodes[0];
        let first = root.first as usize;
        let mut moves: Vec<Finding> = self.nodes[first..first + root.children as usize]
            .iter()
            .map(|n| Finding { vertex: Vertex(n.vertex), visits: n.visits, value: n.w / n.n.max(1.0) })
            .collect();
        moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(a.vertex.cmp(&b.vertex)));
        let n = self.done.max(1) as f32;
        let counted = self.done.saturating_sub(self.limits.warm_up).max(1) as f32;
        Findings {
            moves,
            owner: self.sums.iter().map(|&s| s as f32 / counted).collect(),
            white_lead: (self.leads / f64::from(self.done.max(1))) as f32,
            win_rate: self.wins as f32 / n,
            playouts: self.done,
        }
    }
}

/// Priors from the surroundings of a move.
struct Near<'a> {
    board: &'a PlayoutBoard,
    last: usize,
    before: Option<usize>,
}

impl Near<'_> {
    fn distance(&self, v: usize, to: usize) -> usize {
        let stride = self.board.size() + 1;
        let (dx, dy) = ((v % stride).abs_diff(to % stride), (v / stride).abs_diff(to / stride));
        dx + dy + dx.max(dy)
    }

    fn priors(&self, node: &mut Node, v: usize, color: u8) {
        let board = self.board;
        // Near the last moves.
        if self.last != 0 {
            match self.distance(v, self.last) {
                0..=3 => node.prior(1.0, 8.0),
                4 => node.prior(1.0, 5.0),
                5 => node.prior(1.0, 3.0),
                _ => {}
            }
        }
        if let Some(before) = self.before.filter(|&b| b != 0)
            && self.distance(v, before) <= 3
        {
            node.prior(1.0, 3.0);
        }
        let mut alone = true;
        for n in board.neighbours(v) {
            let c = board.color[n];
            if c == WALL || c == EMPTY {
                continue;
            }
            alone = false;
            if board.liberty_count(n) == 1 {
                let stones = f32::from(board.string_size(n).min(10));
                if c == color {
                    if board.after_play(v, color).0 > 1 {
                        node.prior(1.0, 10.0 + 2.0 * stones);
                    }
                } else {
                    node.prior(1.0, 12.0 + 3.0 * stones);
                }
            }
        }
        let (liberties, size) = board.after_play(v, color);
        if liberties <= 1 {
            node.prior(0.0, if size > 2 { 25.0 } else { 12.0 });
        }
        if patterns3::matches(board, v) {
            node.prior(1.0, 8.0);
        }
        if alone {
            self.line_priors(node, v);
        }
    }

    /// Moves with nothing around: not on the first two lines, rather on the third and fourth.
    fn line_priors(&self, node: &mut Node, v: usize) {
        let size = self.board.size();
        let vertex = Vertex(v as u16);
        let (r, c) = (vertex.row(size), vertex.col(size));
        let line = r.min(c).min(size - 1 - r).min(size - 1 - c) + 1;
        if self.board.diagonals(v).into_iter().any(|d| matches!(self.board.color[d], 1 | 2)) {
            return;
        }
        match line {
            1 => node.prior(0.0, 15.0),
            2 => node.prior(0.0, 8.0),
            3 | 4 if size > 9 => node.prior(1.0, 4.0),
            _ => {}
        }
    }
}
