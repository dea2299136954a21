//! A tree search whose moves and values come from a judge.
//!
//! # Source
//! D. Silver and others, "Mastering the game of Go without human knowledge" (2017), section "Search algorithm"; D. J. Wu,
//! "Accelerating Self-Play Learning in Go" (2019), for the first value of a move that was not visited and for utility by lead.
//!
//! # Notation
//! A *look* is one question to the judge. `P` is the judge's likelihood of a move, `N` its visits, `Q` its mean utility for the
//! side that makes it. *Utility* is -1 to 1: mostly who wins, partly by how much against the root's lead.
//!
//! # Steps
//! 1. Descend from the root by the greatest `Q + C P sqrt(sum of N) / (1 + N)`.
//! 2. Look at the position reached. Its likely moves become children.
//! 3. Add the look's utility, win rate, lead and owners to all positions on the way.
//!
//! # Departures
//! After a single look the most likely move counts as visited, with the root's values. A move that was not visited
//! has the `Q` of its parent less a part that grows with the likelihood visited so far. Two passes end a line, and
//! the judge's lead is its score. There is no noise: the result depends only on the position and the number of looks.
//!
//! # Cost
//! That of the looks; the tree takes a hundredth of it.

use super::{Judge, View};
use crate::board::{Board, Color, Vertex};
use crate::playout::{Finding, Findings};
use crate::world::{Position, past_of};

/// The weight of likelihood against value. Own choice, after the 2017 paper's range; unmeasured.
const EXPLORE: f32 = 1.2;
/// The value that an unvisited move loses against its parent, times the square root of the visited likelihood. Own
/// choice, unmeasured.
const UNVISITED: f32 = 0.25;
/// The share of utility that is won or lost; the rest is by how much. Own choice, unmeasured.
const WIN_SHARE: f32 = 0.75;
/// Likely moves that become children, at most, and the least likelihood of one beyond the first few.
const CHILDREN: usize = 40;
const LEAST: f32 = 0.0005;

/// The limits of a search.
pub struct Question<'a> {
    /// The board, with its history.
    pub board: &'a Board,
    /// Whose moves are weighed.
    pub color: Color,
    /// White's points for moving second.
    pub komi: f32,
    /// Looks in all.
    pub looks: u32,
    /// The moves to search from the root, a pass included.
    pub allowed: &'a dyn Fn(Vertex) -> bool,
}

#[derive(Default)]
struct Node {
    /// The move into it, and how likely the judge called it.
    vertex: Vertex,
    likelihood: f32,
    children: Vec<usize>,
    is_open: bool,
    visits: u32,
    /// Sums over visits, Black's.
    utility: f32,
    win_rate: f32,
    lead: f32,
}

struct Tree<'a> {
    judge: &'a dyn Judge,
    question: &'a Question<'a>,
    nodes: Vec<Node>,
    owner: Vec<f32>,
    root_lead: f32,
    scale: f32,
}

/// Searches the moves of a position; `None` if the judge does not judge it. `stop` is asked after each look.
#[must_use]
pub fn search(
    judge: &dyn Judge,
    question: &Question<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Findings> {
    let size = question.board.size();
    let mut tree = Tree {
        judge,
        question,
        nodes: vec![Node::default()],
        owner: vec![0.0; size * size],
        root_lead: 0.0,
        scale: size as f32,
    };
    let view = tree.look(question.board, question.color)?;
    tree.root_lead = view.lead;
    tree.open(0, question.board, question.color, &view);
    tree.settle(&[0], &view);
    for _ in 1..question.looks {
        if stop() {
            break;
        }
        tree.one();
    }
    Some(tree.findings())
}

impl Tree<'_> {
    fn look(&self, board: &Board, to_move: Color) -> Option<View> {
        let position = Position {
            komi: self.question.komi,
            past: past_of(board),
            ..Position::new(board.clone(), to_move)
        };
        self.judge.view(&position)
    }

    /// Steps 1 to 3.
    fn one(&mut self) {
        let (mut at, mut color, mut passes) = (0, self.question.color, 0);
        let mut board = self.question.board.clone();
        let mut path = vec![at];
        while self.nodes[at].is_open && passes < 2 {
            let Some(child) = self.select(at, color) else { break };
            at = child;
            path.push(at);
            let v = self.nodes[at].vertex;
            passes = if v == Vertex::PASS { passes + 1 } else { 0 };
            // Children are legal moves.
            let _ = board.play(color, v);
            color = color.other();
        }
        let Some(view) = self.look(&board, color) else { return };
        if !self.nodes[at].is_open && passes < 2 {
            self.open(at, &board, color, &view);
        }
        self.settle(&path, &view);
    }

    /// 1. The child of greatest urgency.
    fn select(&self, at: usize, color: Color) -> Option<usize> {
        let node = &self.nodes[at];
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let visited: f32 = node
            .children
            .iter()
            .map(|&c| &self.nodes[c])
            .filter(|c| c.visits > 0)
            .map(|c| c.likelihood)
            .sum();
        let unvisited = sign * node.utility / node.visits.max(1) as f32 - UNVISITED * visited.sqrt();
        let explore = EXPLORE * (node.visits as f32).sqrt();
        let urgency = |c: &Node| {
            let q = if c.visits > 0 { sign * c.utility / c.visits as f32 } else { unvisited };
            q + explore * c.likelihood / (1 + c.visits) as f32
        };
        // Children are in order of likelihood; the first of equals is taken.
        let mut best = None;
        for &child in &node.children {
            let urgency = urgency(&self.nodes[child]);
            if best.is_none_or(|(_, most)| urgency > most) {
                best = Some((child, urgency));
            }
        }
        best.map(|(child, _)| child)
    }

    /// 2. Gives a position its children.
    fn open(&mut self, at: usize, board: &Board, color: Color, view: &View) {
        let is_root = at == 0;
        let mut moves = view.ranked(board.size());
        moves.retain(|&(v, _)| board.is_legal(color, v) && (!is_root || (self.question.allowed)(v)));
        moves.truncate(CHILDREN);
        let enough = moves.iter().position(|m| m.1 < LEAST).unwrap_or(moves.len()).max(2);
        moves.truncate(enough);
        let all: f32 = moves.iter().map(|m| m.1).sum::<f32>().max(f32::MIN_POSITIVE);
        let first = self.nodes.len();
        let child = |(vertex, p): (Vertex, f32)| Node { vertex, likelihood: p / all, ..Node::default() };
        self.nodes.extend(moves.into_iter().map(child));
        self.nodes[at].children = (first..self.nodes.len()).collect();
        self.nodes[at].is_open = true;
    }

    /// 3.
    fn settle(&mut self, path: &[usize], view: &View) {
        let by_lead = libm::tanhf((view.lead - self.root_lead) / self.scale);
        let utility = WIN_SHARE * (2.0 * view.win_rate - 1.0) + (1.0 - WIN_SHARE) * by_lead;
        for &at in path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.utility += utility;
            node.win_rate += view.win_rate;
            node.lead += view.lead;
        }
        self.owner.iter_mut().zip(&view.owner).for_each(|(sum, owner)| *sum += owner);
    }

    fn findings(&self) -> Findings {
        let is_black = self.question.color == Color::Black;
        let mine = |rate: f32| if is_black { rate } else { 1.0 - rate };
        let sign = if is_black { 1.0 } else { -1.0 };
        let finding = |&child: &usize| {
            let node = &self.nodes[child];
            let n = node.visits.max(1) as f32;
            Finding {
                vertex: node.vertex,
                visits: node.visits,
                value: (sign * node.utility / n + 1.0) / 2.0,
                win_rate: mine(node.win_rate / n),
                lead: sign * node.lead / n,
            }
        };
        let root = &self.nodes[0];
        let mut moves: Vec<Finding> = root.children.iter().map(finding).collect();
        if root.visits == 1
            && let Some(likely) = moves.first_mut()
        {
            let value = (sign * root.utility + 1.0) / 2.0;
            *likely = Finding {
                visits: 1,
                value,
                win_rate: mine(root.win_rate),
                lead: sign * root.lead,
                ..*likely
            };
        }
        moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(a.vertex.cmp(&b.vertex)));
        let n = root.visits.max(1) as f32;
        Findings {
            moves,
            owner: self.owner.iter().map(|sum| -sum / n).collect(),
            white_lead: -root.lead / n - self.question.komi,
            win_rate: mine(root.win_rate / n),
            playouts: root.visits,
        }
    }
}
