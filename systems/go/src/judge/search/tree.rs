//! The tree of the judge's search: a dense array of positions, each after its parent.

use super::super::View;
use super::Question;
use super::proofs::Seen;
use crate::board::{Board, Color, Vertex};
use crate::playout::{Finding, Findings};
use crate::world::{Past, past_of};

/// The weight of likelihood against value. With 0.8 and 1.8 moves give away 2.48 and 2.26 points instead of 2.28, error 0.33
/// (`experiments/2026-11-29-go-strength-of-the-search.md`).
const EXPLORE: f32 = 1.2;
/// The value that an unvisited move loses against its parent, times the square root of the visited likelihood. Own
/// choice, unmeasured.
const UNVISITED: f32 = 0.25;
/// The share of utility that is won or lost; the rest is by how much. Less of it in decided games changes no figure
/// (`experiments/2026-11-29-go-strength-of-the-search.md`).
const WIN_SHARE: f32 = 0.75;
/// Likely moves that become children, at most, and the least likelihood of one beyond the first few.
const CHILDREN: usize = 40;
const LEAST: f32 = 0.0005;
/// The most moves of a line.
const LINE: usize = 12;
/// The greatest stored owner; an owner is stored as its share of this.
const SURE: f32 = 32767.0;

/// What a node knows of its position.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// The judge was not asked.
    #[default]
    New,
    /// The judge is being asked.
    Asked,
    /// The judge has answered, and its children stand in the arena.
    Open,
    /// The judge has answered, and two passes have ended the game or all of it is proved.
    Over,
}

/// Values from Black's side.
#[derive(Clone, Copy, Default)]
struct Values {
    win_rate: f32,
    lead: f32,
}

/// A position, by the move that leads to it.
#[derive(Clone, Default)]
struct Node {
    vertex: Vertex,
    likelihood: f32,
    state: State,
    children: u16,
    first: u32,
    /// Visits that brought a value, and descents that have not brought one yet.
    visits: u32,
    under_way: u32,
    /// Sums over the visits: utility, win rate and lead.
    utility: f32,
    sums: Values,
    /// The judge's own answer.
    own: Values,
    owner: Box<[i16]>,
}

/// The end of a descent.
pub(super) struct Leaf {
    path: Vec<u32>,
    passes: u8,
    pub(super) board: Board,
    /// The side to move there.
    pub(super) color: Color,
}

impl Leaf {
    /// Whether it is the position whose moves are weighed.
    pub(super) const fn is_root(&self) -> bool {
        self.path.len() == 1
    }
}

/// How a descent ended.
pub(super) enum Way {
    /// At a position to look at.
    New(Box<Leaf>),
    /// At a position that is being looked at.
    Busy,
    /// At the end of a game, whose value is counted.
    Over,
}

/// The tree of a position.
pub(super) struct Tree {
    root: Board,
    color: Color,
    komi: f32,
    before: Past,
    allowed: Option<Vec<Vertex>>,
    nodes: Vec<Node>,
    root_lead: f32,
}

impl Tree {
    pub(super) fn new(question: &Question<'_>) -> Self {
        let &Question { board, color, komi, before, allowed, .. } = question;
        let allowed = allowed.map(<[Vertex]>::to_vec);
        let nodes = vec![Node::default()];
        Self { root: board.clone(), color, komi, before, allowed, nodes, root_lead: 0.0 }
    }

    /// Step 4: the tree below the moves that lead from its position to that of the question, if it has them.
    pub(super) fn moved_to(self, question: &Question<'_>) -> Option<Self> {
        let length = self.root.history_len();
        let mut back = question.board.clone();
        back.undo_to(length);
        let same = |a: &Board, b: &Board| {
            a.history_len() == b.history_len()
                && a.situation_hash(self.color) == b.situation_hash(self.color)
                && past_of(a) == past_of(b)
        };
        if self.allowed.is_some()
            || self.komi.to_bits() != question.komi.to_bits()
            || self.before != question.before
            || back.size() != self.root.size()
            || back.rules() != self.root.rules()
            || !same(&back, &self.root)
        {
            return None;
        }
        let since = question.board.history_len() - length;
        let mut moves: Vec<(Color, Vertex)> = question.board.moves().rev().take(since).collect();
        moves.reverse();
        let (mut at, mut color) = (0, self.color);
        for &(mover, v) in &moves {
            if mover != color {
                return None;
            }
            at = self.children(at).find(|&child| self.nodes[child].vertex == v)?;
            color = color.other();
        }
        let is_open = self.nodes[at].state == State::Open;
        (moves.len() == since && color == question.color && is_open).then(|| self.below(at, question))
    }

    /// The tree below a node, with sums for its own lead.
    fn below(mut self, at: usize, question: &Question<'_>) -> Self {
        let mut kept = vec![at];
        let mut nodes: Vec<Node> = vec![std::mem::take(&mut self.nodes[at])];
        let mut next = 0;
        while next < kept.len() {
            let Node { first, children, .. } = nodes[next];
            nodes[next].first = nodes.len() as u32;
            for child in first as usize..first as usize + usize::from(children) {
                kept.push(child);
                nodes.push(std::mem::take(&mut self.nodes[child]));
            }
            next += 1;
        }
        let root_lead = nodes[0].own.lead;
        let mut tree = Self {
            root: question.board.clone(),
            color: question.color,
            komi: question.komi,
            before: question.before,
            allowed: None,
            nodes,
            root_lead,
        };
        tree.add_up();
        tree
    }

    /// Adds all sums up anew from the judge's answers. Children stand behind their parents.
    fn add_up(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let of_children = self.children(at).map(|child| &self.nodes[child]);
            let (mut visits, mut utility, mut sums) = (0, 0.0, Values::default());
            for child in of_children {
                visits += child.visits;
                utility += child.utility;
                sums.win_rate += child.sums.win_rate;
                sums.lead += child.sums.lead;
            }
            let Node { own, visits: all, .. } = self.nodes[at];
            let mine = all.saturating_sub(visits) as f32;
            let node_utility = self.utility(own);
            let node = &mut self.nodes[at];
            node.under_way = 0;
            node.utility = utility + mine * node_utility;
            node.sums =
                Values { win_rate: sums.win_rate + mine * own.win_rate, lead: sums.lead + mine * own.lead };
        }
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let Node { first, children, .. } = &self.nodes[at];
        *first as usize..*first as usize + usize::from(*children)
    }

    /// Whether the judge has judged the root.
    pub(super) fn is_begun(&self) -> bool {
        self.visits() > 0
    }

    /// Visits of the root that brought a value.
    pub(super) fn visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// Step 1.
    pub(super) fn descend(&mut self) -> Way {
        let (mut at, mut color, mut passes) = (0, self.color, 0);
        let mut board = self.root.clone();
        let mut path = vec![0];
        while self.nodes[at].state == State::Open {
            let Some(child) = self.select(at, color) else { break };
            at = child;
            path.push(at as u32);
            let v = self.nodes[at].vertex;
            passes = if v == Vertex::PASS { passes + 1 } else { 0 };
            // Children are legal moves.
            let _ = board.play(color, v);
            color = color.other();
        }
        match self.nodes[at].state {
            State::Asked => Way::Busy,
            State::New => {
                self.nodes[at].state = State::Asked;
                path.iter().for_each(|&node| self.nodes[node as usize].under_way += 1);
                Way::New(Box::new(Leaf { path, passes, board, color }))
            }
            // The end of a game, or a position without a move.
            State::Over | State::Open => {
                let own = self.nodes[at].own;
                self.add(&path, own);
                Way::Over
            }
        }
    }

    /// The child of greatest urgency.
    fn select(&self, at: usize, color: Color) -> Option<usize> {
        let node = &self.nodes[at];
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let all = node.visits + node.under_way;
        let seen = |child: &Node| child.visits + child.under_way > 0;
        let visited: f32 =
            self.nodes[self.children(at)].iter().filter(|c| seen(c)).map(|c| c.likelihood).sum();
        let unvisited = sign * node.utility / node.visits.max(1) as f32 - UNVISITED * visited.sqrt();
        let explore = EXPLORE * (all as f32).sqrt();
        let urgency = |c: &Node| {
            let n = (c.visits + c.under_way) as f32;
            let q = if n > 0.0 { (sign * c.utility - c.under_way as f32) / n } else { unvisited };
            q + explore * c.likelihood / (1.0 + n)
        };
        // Children are in order of likelihood; the first of equals is taken.
        let mut best = None;
        for child in self.children(at) {
            let urgency = urgency(&self.nodes[child]);
            if best.is_none_or(|(_, most)| urgency > most) {
                best = Some((child, urgency));
            }
        }
        best.map(|(child, _)| child)
    }

    /// Step 3, with what was seen of the leaf; `None` where the judge did not answer.
    pub(super) fn settle(&mut self, leaf: &Leaf, seen: Option<&Seen>) {
        leaf.path.iter().for_each(|&node| self.nodes[node as usize].under_way -= 1);
        let at = *leaf.path.last().unwrap_or(&0) as usize;
        let Some(Seen { view, is_proved }) = seen else {
            self.nodes[at].state = State::New;
            return;
        };
        let own = Values { win_rate: view.win_rate, lead: view.lead };
        if at == 0 {
            self.root_lead = view.lead;
        }
        self.nodes[at].own = own;
        self.nodes[at].owner = view.owner.iter().map(|owner| (owner * SURE).round() as i16).collect();
        if leaf.passes < 2 && !is_proved {
            self.open(at, leaf, view);
        } else {
            self.nodes[at].state = State::Over;
        }
        self.add(&leaf.path, own);
    }

    /// Step 2: gives a position its children.
    fn open(&mut self, at: usize, leaf: &Leaf, view: &View) {
        let allowed = self.allowed.as_ref().filter(|_| at == 0);
        let mut moves = view.ranked(leaf.board.size());
        moves.retain(|&(v, _)| {
            leaf.board.is_legal(leaf.color, v) && allowed.is_none_or(|allowed| allowed.contains(&v))
        });
        moves.truncate(CHILDREN);
        let enough = moves.iter().position(|m| m.1 < LEAST).unwrap_or(moves.len()).max(2);
        moves.truncate(enough);
        let all: f32 = moves.iter().map(|m| m.1).sum::<f32>().max(f32::MIN_POSITIVE);
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].children = moves.len() as u16;
        self.nodes[at].state = State::Open;
        let child = |(vertex, p): (Vertex, f32)| Node { vertex, likelihood: p / all, ..Node::default() };
        self.nodes.extend(moves.into_iter().map(child));
    }

    fn utility(&self, values: Values) -> f32 {
        let by_lead = libm::tanhf((values.lead - self.root_lead) / self.root.size() as f32);
        WIN_SHARE * (2.0 * values.win_rate - 1.0) + (1.0 - WIN_SHARE) * by_lead
    }

    fn add(&mut self, path: &[u32], values: Values) {
        let utility = self.utility(values);
        for &at in path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.utility += utility;
            node.sums.win_rate += values.win_rate;
            node.sums.lead += values.lead;
        }
    }

    /// What the search found of the root's moves.
    pub(super) fn findings(&self) -> Findings {
        let is_black = self.color == Color::Black;
        let mine = |rate: f32| if is_black { rate } else { 1.0 - rate };
        let sign = if is_black { 1.0 } else { -1.0 };
        let finding = |child: usize| {
            let node = &self.nodes[child];
            let n = node.visits.max(1) as f32;
            Finding {
                vertex: node.vertex,
                visits: node.visits,
                value: (sign * node.utility / n + 1.0) / 2.0,
                win_rate: mine(node.sums.win_rate / n),
                lead: sign * node.sums.lead / n,
                likelihood: node.likelihood,
                line: self.line(child),
                owner: if node.visits > 0 { self.mean_owner(child) } else { Vec::new() },
            }
        };
        let root = &self.nodes[0];
        let mut moves: Vec<Finding> = self.children(0).map(finding).collect();
        let seen: u32 = moves.iter().map(|m| m.visits).sum();
        let owner = self.mean_owner(0);
        let n = root.visits.max(1) as f32;
        if seen == 0
            && let Some(likely) = moves.first_mut()
        {
            likely.visits = 1;
            likely.value = (sign * root.utility / n + 1.0) / 2.0;
            likely.win_rate = mine(root.sums.win_rate / n);
            likely.lead = sign * root.sums.lead / n;
            likely.owner.clone_from(&owner);
        }
        moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(a.vertex.cmp(&b.vertex)));
        Findings {
            moves,
            owner,
            white_lead: -root.sums.lead / n - self.komi,
            win_rate: mine(root.sums.win_rate / n),
            playouts: root.visits,
        }
    }

    /// The move of a node, and the most visited moves after it.
    fn line(&self, at: usize) -> Vec<Vertex> {
        let mut line = vec![self.nodes[at].vertex];
        let mut at = at;
        while line.len() < LINE {
            let visits = |&child: &usize| self.nodes[child].visits;
            // The most likely of those with the most visits.
            let Some(next) = self.children(at).rev().max_by_key(visits).filter(|child| visits(child) > 0)
            else {
                break;
            };
            line.push(self.nodes[next].vertex);
            at = next;
        }
        line
    }

    /// The mean owner over all positions looked at below a node, -1 (Black's) to 1 (White's).
    fn mean_owner(&self, at: usize) -> Vec<f32> {
        let size = self.root.size();
        let mut sums = vec![0i64; size * size];
        let (mut count, mut open) = (0, vec![at]);
        while let Some(at) = open.pop() {
            let node = &self.nodes[at];
            if node.owner.is_empty() {
                continue;
            }
            count += 1;
            sums.iter_mut().zip(&node.owner).for_each(|(sum, &owner)| *sum -= i64::from(owner));
            open.extend(self.children(at));
        }
        let all = count.max(1) as f32 * SURE;
        sums.into_iter().map(|sum| sum as f32 / all).collect()
    }
}
