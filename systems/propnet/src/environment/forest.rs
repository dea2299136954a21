//! Runs tree searches of many games at once. The caller's neural network evaluates their leaves in batches.
//!
//! # Source
//! D. Silver and others, "Mastering the game of Go without human knowledge" (2017), section "Search algorithm";
//! M. Winands, Y. Björnsson, J.-T. Saito, "Monte-Carlo tree search solver" (2008), for solved nodes.
//!
//! # Notation
//! An edge of a node has a prior P and a number of visits n. Q is the mean value of those visits for the role on turn
//! at the node. N is the number of visits of all edges of the node. A solved node has the values of perfect play.
//!
//! # Steps of a round, for each tree
//! 1. Follow the edge with the largest `Q + c P sqrt(N) / (1 + n)` at each node, from the root to a leaf or to an ended
//!    game.
//! 2. The caller plays the last edge, in an environment that is set to the state before it.
//! 3. A leaf gets its state, legal actions and priors. Its value goes up the path; an ended game gives its rewards.
//! 4. An ended game is solved. A node is also solved if all its edges lead to solved nodes. One edge is enough if it
//!    leads to a solved node with the value 1 for the role on turn. Such a node has the values of its best edge for the
//!    role on turn, or of the first one if several are best. From there on these values go up the path.
//!
//! # Departures
//! Values are those of each role between 0 and 1, so that games may have any number of roles and any sum. An edge
//! without visits has the mean value of its node. Every tree waits for its leaf, so that no virtual loss is needed. An
//! edge to a solved node has the node's value as Q. With 1 it is followed at once, with 0 only where all edges have 0.
//!
//! # Cost
//! A pass over the edges of each node on the path, and the bytes of a state for each node.

use super::EnvironmentError;
use tengen_core::SplitMix64;
use tengen_core::seed::derive_seed;

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// The weight c of priors.
    pub exploration: f32,
    /// The share of noise in the priors of the root, from 0 to 1.
    pub noise: f32,
    /// The parameter of the Dirichlet distribution of that noise.
    pub alpha: f32,
    /// The seed of the noise.
    pub seed: u64,
}

/// What the caller found at the leaves, an item for each tree.
#[derive(Clone, Copy, Debug)]
pub struct Leaves<'a> {
    /// N rows: the states.
    pub states: &'a [u8],
    /// N x A: 1 where an action is legal for the role on turn.
    pub legal: &'a [u8],
    /// N: the role on turn.
    pub turn: &'a [i32],
    /// N: 1 where the game is over.
    pub over: &'a [u8],
    /// N x R: the rewards where it is over.
    pub rewards: &'a [f32],
    /// N x A: the network's priors; they need not sum to 1.
    pub priors: &'a [f32],
    /// N x R: the network's values, one for each role.
    pub values: &'a [f32],
}

#[derive(Clone, Debug)]
struct Node {
    first: u32,
    end: u32,
    role: u32,
    over: bool,
    /// Whether its values are those of perfect play.
    solved: bool,
    /// The sum of the values of the role on turn over all visits, the first included, and their number.
    sum: f32,
    visits: u32,
}

#[derive(Clone, Debug)]
struct Edge {
    action: u32,
    prior: f32,
    visits: u32,
    sum: f32,
    child: u32,
}

const NO_CHILD: u32 = u32::MAX;

/// One tree: the search of one game.
#[derive(Clone, Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Per node its state.
    states: Vec<u8>,
    /// Per node the value of each role: the network's, or the rewards of an ended game.
    values: Vec<f32>,
    roles: usize,
    /// The nodes and edges from the root to the leaf of this round.
    path: Vec<(u32, u32)>,
    /// The solved node that the path leads to.
    solved: Option<u32>,
}

/// A tree for each of N games.
#[derive(Clone, Debug)]
pub struct Forest {
    trees: Vec<Tree>,
    settings: SearchSettings,
    bytes: usize,
    actions: usize,
    roles: usize,
}

/// The result of a search: of the root of each tree, N x A numbers, and N x R values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roots {
    /// The visits of each action.
    pub visits: Vec<i32>,
    /// The mean value of each action for the role on turn; NaN where it was not visited.
    pub q: Vec<f32>,
    /// The priors, noise included.
    pub priors: Vec<f32>,
    /// The value of perfect play after each action for the role on turn; NaN where it is not known.
    pub proven: Vec<f32>,
}

impl Forest {
    /// A tree of one node for each leaf, its root.
    ///
    /// # Errors
    /// Lengths that do not fit; a prior or value that is no number, or a negative prior.
    pub fn new(
        bytes: usize,
        actions: usize,
        roles: usize,
        settings: SearchSettings,
        roots: &Leaves<'_>,
    ) -> Result<Self, EnvironmentError> {
        let games = roots.turn.len();
        let mut forest = Self { trees: vec![Tree::default(); games], settings, bytes, actions, roles };
        forest.check(roots)?;
        for n in 0..games {
            let tree = &mut forest.trees[n];
            tree.add(&Leaf::of(roots, n, bytes, actions, roles));
            let mut rng = SplitMix64::new(derive_seed(settings.seed, &[n as u64]));
            add_noise(&mut tree.edges, settings.noise, settings.alpha, &mut rng);
        }
        Ok(forest)
    }

    fn check(&self, leaves: &Leaves<'_>) -> Result<(), EnvironmentError> {
        let n = self.trees.len();
        for (name, got, wanted) in [
            ("states", leaves.states.len(), n * self.bytes),
            ("legal", leaves.legal.len(), n * self.actions),
            ("turn", leaves.turn.len(), n),
            ("over", leaves.over.len(), n),
            ("rewards", leaves.rewards.len(), n * self.roles),
            ("priors", leaves.priors.len(), n * self.actions),
            ("values", leaves.values.len(), n * self.roles),
        ] {
            super::length(name, got, wanted)?;
        }
        let bad = |name: &'static str, at: usize, each: usize| EnvironmentError::Evaluation {
            name,
            game: at / each,
        };
        if let Some(at) = leaves.priors.iter().position(|p| !p.is_finite() || *p < 0.0) {
            return Err(bad("priors", at, self.actions));
        }
        if let Some(at) = leaves.values.iter().position(|v| !v.is_finite()) {
            return Err(bad("values", at, self.roles));
        }
        Ok(())
    }

    /// Steps 1 and 2: for each tree the state to play from, and the action. In a game that was over at the root, action 0.
    ///
    /// # Errors
    /// Lengths that do not fit.
    pub fn select(&mut self, states: &mut [u8], actions: &mut [i32]) -> Result<(), EnvironmentError> {
        super::length("states", states.len(), self.trees.len() * self.bytes)?;
        super::length("actions", actions.len(), self.trees.len())?;
        let rows = states.chunks_exact_mut(self.bytes.max(1));
        for ((tree, row), action) in self.trees.iter_mut().zip(rows).zip(actions) {
            tree.descend(self.settings.exploration);
            let (node, edge) = tree.path.last().copied().unwrap_or((0, NO_CHILD));
            row.copy_from_slice(&tree.states[node as usize * self.bytes..][..self.bytes]);
            *action = if edge == NO_CHILD { 0 } else { tree.edges[edge as usize].action as i32 };
        }
        Ok(())
    }

    /// Step 3.
    ///
    /// # Errors
    /// As [`new`](Self::new). Then no tree has changed.
    pub fn expand(&mut self, leaves: &Leaves<'_>) -> Result<(), EnvironmentError> {
        self.check(leaves)?;
        let (bytes, actions, roles) = (self.bytes, self.actions, self.roles);
        for (n, tree) in self.trees.iter_mut().enumerate() {
            let Some(&(_, edge)) = tree.path.last() else { continue };
            let node = tree.solved.take().unwrap_or_else(|| {
                let node = tree.add(&Leaf::of(leaves, n, bytes, actions, roles));
                tree.edges[edge as usize].child = node;
                node
            });
            tree.back_up(node);
        }
        Ok(())
    }

    /// What the roots know.
    #[must_use]
    pub fn roots(&self) -> Roots {
        let cells = self.trees.len() * self.actions;
        let mut roots = Roots {
            visits: vec![0; cells],
            q: vec![f32::NAN; cells],
            priors: vec![0.0; cells],
            proven: vec![f32::NAN; cells],
        };
        for (n, tree) in self.trees.iter().enumerate() {
            let root = &tree.nodes[0];
            for edge in &tree.edges[root.first as usize..root.end as usize] {
                let at = n * self.actions + edge.action as usize;
                roots.visits[at] = edge.visits as i32;
                roots.priors[at] = edge.prior;
                if edge.visits > 0 {
                    roots.q[at] = edge.sum / edge.visits as f32;
                }
                if let Some(value) = tree.solved_value(edge, root.role) {
                    (roots.q[at], roots.proven[at]) = (value, value);
                }
            }
        }
        roots
    }
}

/// What is known of one leaf.
struct Leaf<'a> {
    state: &'a [u8],
    legal: &'a [u8],
    role: u32,
    over: bool,
    priors: &'a [f32],
    values: &'a [f32],
}

impl<'a> Leaf<'a> {
    fn of(leaves: &Leaves<'a>, n: usize, bytes: usize, actions: usize, roles: usize) -> Self {
        let over = leaves.over[n] != 0;
        let values = if over { leaves.rewards } else { leaves.values };
        Self {
            state: &leaves.states[n * bytes..][..bytes],
            legal: &leaves.legal[n * actions..][..actions],
            role: (leaves.turn[n].max(0) as u32).min(roles as u32 - 1),
            over,
            priors: &leaves.priors[n * actions..][..actions],
            values: &values[n * roles..][..roles],
        }
    }
}

impl Tree {
    /// Adds a node; its priors are those of its legal actions, made to sum to 1.
    fn add(&mut self, leaf: &Leaf<'_>) -> u32 {
        let first = self.edges.len();
        let legal = (0..leaf.legal.len()).filter(|&action| !leaf.over && leaf.legal[action] != 0);
        self.edges.extend(legal.map(|action| Edge {
            action: action as u32,
            prior: leaf.priors[action],
            visits: 0,
            sum: 0.0,
            child: NO_CHILD,
        }));
        let own = &mut self.edges[first..];
        let total: f32 = own.iter().map(|edge| edge.prior).sum();
        let count = own.len() as f32;
        own.iter_mut()
            .for_each(|edge| edge.prior = if total > 0.0 { edge.prior / total } else { 1.0 / count });
        let over = leaf.over || first == self.edges.len();
        self.nodes.push(Node {
            first: first as u32,
            end: self.edges.len() as u32,
            role: leaf.role,
            over,
            solved: over,
            sum: leaf.values[leaf.role as usize],
            visits: 1,
        });
        self.states.extend_from_slice(leaf.state);
        self.values.extend_from_slice(leaf.values);
        self.roles = leaf.values.len();
        self.nodes.len() as u32 - 1
    }

    /// The value of a node for a role.
    fn value(&self, node: u32, role: u32) -> f32 {
        self.values[node as usize * self.roles + role as usize]
    }

    /// The value for a role of the solved node that an edge leads to.
    fn solved_value(&self, edge: &Edge, role: u32) -> Option<f32> {
        let solved = self.nodes.get(edge.child as usize).is_some_and(|node| node.solved);
        solved.then(|| self.value(edge.child, role))
    }

    /// Follows the best edges to a leaf or a solved node.
    fn descend(&mut self, exploration: f32) {
        self.path.clear();
        self.solved = None;
        let mut at = 0;
        loop {
            let node = &self.nodes[at as usize];
            if node.over || (node.solved && at > 0) {
                self.solved = (at > 0).then_some(at);
                return;
            }
            let edge = self.best_edge(node, exploration);
            self.path.push((at, edge));
            at = self.edges[edge as usize].child;
            if at == NO_CHILD {
                return;
            }
        }
    }

    fn best_edge(&self, node: &Node, exploration: f32) -> u32 {
        let mean = node.sum / node.visits as f32;
        let weight = exploration * ((node.visits - 1).max(1) as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, node.first);
        for at in node.first..node.end {
            let edge = &self.edges[at as usize];
            let q = match self.solved_value(edge, node.role) {
                Some(value) if value >= 1.0 => return at,
                Some(value) if value <= 0.0 => continue,
                Some(value) => value,
                None if edge.visits > 0 => edge.sum / edge.visits as f32,
                None => mean,
            };
            let score = q + weight * edge.prior / (1 + edge.visits) as f32;
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// Adds the value of a node to the path, and solves the nodes of the path that it solves.
    fn back_up(&mut self, node: u32) {
        let mut from = node;
        for step in (0..self.path.len()).rev() {
            let (at, edge) = self.path[step];
            if self.nodes[from as usize].solved && self.edges[edge as usize].child == from && self.solve(at) {
                from = at;
            }
            let value = self.value(from, self.nodes[at as usize].role);
            let parent = &mut self.nodes[at as usize];
            (parent.sum, parent.visits) = (parent.sum + value, parent.visits + 1);
            let edge = &mut self.edges[edge as usize];
            (edge.sum, edge.visits) = (edge.sum + value, edge.visits + 1);
        }
    }

    /// Whether the solved nodes after a node solve it too; then it has their values.
    fn solve(&mut self, at: u32) -> bool {
        let node = &self.nodes[at as usize];
        let (mut best, mut all) = (None, true);
        for edge in &self.edges[node.first as usize..node.end as usize] {
            match self.solved_value(edge, node.role) {
                Some(value) if best.is_none_or(|(most, _)| value > most) => best = Some((value, edge.child)),
                Some(_) => {}
                None => all = false,
            }
        }
        match best {
            Some((value, child)) if all || value >= 1.0 => {
                let roles = self.roles;
                self.values
                    .copy_within(child as usize * roles..(child as usize + 1) * roles, at as usize * roles);
                self.nodes[at as usize].solved = true;
                true
            }
            _ => false,
        }
    }
}

/// Mixes noise of a Dirichlet distribution into priors.
fn add_noise(edges: &mut [Edge], share: f32, alpha: f32, rng: &mut SplitMix64) {
    if share <= 0.0 || edges.is_empty() {
        return;
    }
    let draws: Vec<f64> = edges.iter().map(|_| gamma(f64::from(alpha), rng)).collect();
    let total: f64 = draws.iter().sum();
    for (edge, draw) in edges.iter_mut().zip(draws) {
        let noise = if total > 0.0 { (draw / total) as f32 } else { edge.prior };
        edge.prior = (1.0 - share) * edge.prior + share * noise;
    }
}

/// A number of the gamma distribution with scale 1 (G. Marsaglia and W. Tsang, "A simple method for generating gamma
/// variables", 2000).
fn gamma(shape: f64, rng: &mut SplitMix64) -> f64 {
    let uniform = |rng: &mut SplitMix64| ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * uniform(rng).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let (u, angle) = (uniform(rng), uniform(rng));
        let x = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * angle).cos();
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && uniform(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{GAMES, load};
    use super::super::{Autoreset, Environment, Screens, Settings};
    use super::*;

    const PLAIN: SearchSettings = SearchSettings { exploration: 1.5, noise: 0.0, alpha: 1.0, seed: 0 };

    /// Searches the initial state and those after some moves, with even priors and the value 1/2.
    fn search(text: &str, moves: &[&[i32]], rounds: usize, settings: SearchSettings) -> (Roots, usize) {
        let games = moves.len();
        let make = || {
            let settings =
                Settings { games, autoreset: Autoreset::Disabled, lasting: true, ..Settings::default() };
            Environment::new(&load(text), &settings).unwrap()
        };
        let mut env = make();
        let mut screens = Screens::new(&env);
        env.reset(None, &mut screens.buffers()).unwrap();
        for (lane, moves) in moves.iter().enumerate() {
            let mut alone = make();
            alone.reset(None, &mut screens.buffers()).unwrap();
            for &action in *moves {
                alone.step(&vec![action; games], &mut screens.buffers()).unwrap();
            }
            let mut rows = vec![0; games * alone.state_bytes()];
            alone.save(&mut rows).unwrap();
            let row = rows[..alone.state_bytes()].to_vec();
            env.load(Some(&[lane]), &row, &mut screens.buffers()).unwrap();
        }
        env.load(Some(&[]), &[], &mut screens.buffers()).unwrap();
        let (bytes, actions) = (env.state_bytes(), env.schema().action_count());
        let roles = env.schema().roles.len();
        let (priors, values) = (vec![1.0; games * actions], vec![0.5; games * roles]);
        let mut states = vec![0; games * bytes];
        env.save(&mut states).unwrap();
        // The lanes that were not loaded last show what they were when they were.
        let all = states.clone();
        env.load(None, &all, &mut screens.buffers()).unwrap();
        let over = |screens: &Screens| -> Vec<u8> {
            screens.terminated.iter().zip(&screens.truncated).map(|(a, b)| a | b).collect()
        };
        let flags = over(&screens);
        let leaves = Leaves {
            states: &states,
            legal: &screens.legal,
            turn: &screens.turn,
            over: &flags,
            rewards: &screens.rewards,
            priors: &priors,
            values: &values,
        };
        let mut forest = Forest::new(bytes, actions, roles, settings, &leaves).unwrap();
        let mut chosen = vec![0; games];
        for _ in 0..rounds {
            forest.select(&mut states, &mut chosen).unwrap();
            env.load(None, &states, &mut screens.buffers()).unwrap();
            env.step(&chosen, &mut screens.buffers()).unwrap();
            env.save(&mut states).unwrap();
            let flags = over(&screens);
            forest
                .expand(&Leaves {
                    states: &states,
                    legal: &screens.legal,
                    turn: &screens.turn,
                    over: &flags,
                    rewards: &screens.rewards,
                    priors: &priors,
                    values: &values,
                })
                .unwrap();
        }
        (forest.roots(), actions)
    }

    fn best(roots: &Roots, actions: usize, game: usize) -> usize {
        let row = &roots.visits[game * actions..][..actions];
        (0..actions).max_by_key(|&a| (row[a], std::cmp::Reverse(a))).unwrap()
    }

    #[test]
    fn a_search_takes_the_win_and_stops_that_of_the_other() {
        // Actions of noughts: (put 1 1) is 0, row by row.
        let winning: &[i32] = &[0, 3, 1, 4];
        let losing: &[i32] = &[0, 4, 1];
        let (roots, actions) = search(GAMES[0].1, &[winning, losing, &[]], 400, PLAIN);
        assert_eq!(best(&roots, actions, 0), 2, "{:?}", &roots.visits[..actions]);
        assert_eq!(best(&roots, actions, 1), 2);
        assert!(roots.q[2] > 0.99);
        for game in 0..3 {
            assert_eq!(roots.visits[game * actions..][..actions].iter().sum::<i32>(), 400);
            let total: f32 = roots.priors[game * actions..][..actions].iter().sum();
            assert!((total - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn what_perfect_play_gives_is_proven() {
        let (won, lost, open): (&[i32], &[i32], &[i32]) = (&[0, 3, 1, 4], &[0, 1, 3, 6, 4], &[]);
        let (roots, actions) = search(GAMES[0].1, &[won, lost, open], 1000, PLAIN);
        assert_eq!(roots.proven[2], 1.0);
        // The first threatens 5 and 8: each of the four actions of the second loses.
        let second = &roots.proven[actions..2 * actions];
        assert_eq!(second.iter().filter(|p| **p == 0.0).count(), 4, "{second:?}");
        assert_eq!(second.iter().filter(|p| p.is_nan()).count(), actions - 4);
        // After the middle a corner draws and an edge loses.
        let (whole, _) = search(GAMES[0].1, &[&[4]], 60_000, PLAIN);
        let known: Vec<f32> = whole.proven.iter().copied().filter(|p| !p.is_nan()).collect();
        assert!(known.contains(&0.5) && known.contains(&0.0) && !known.contains(&1.0), "{known:?}");
    }

    #[test]
    fn a_game_that_is_over_has_no_visits_and_disturbs_no_other() {
        let over: &[i32] = &[0, 3, 1, 4, 2];
        let (both, actions) = search(GAMES[0].1, &[over, &[4]], 60, PLAIN);
        let (alone, _) = search(GAMES[0].1, &[&[4]], 60, PLAIN);
        assert!(both.visits[..actions].iter().all(|&v| v == 0));
        assert_eq!(both.visits[actions..], alone.visits[..]);
    }

    #[test]
    fn noise_changes_the_priors_of_the_root_by_its_seed() {
        let noisy = |seed| SearchSettings { noise: 0.25, alpha: 0.6, seed, ..PLAIN };
        let (plain, actions) = search(GAMES[0].1, &[&[]], 1, PLAIN);
        let (one, _) = search(GAMES[0].1, &[&[]], 1, noisy(1));
        let (again, _) = search(GAMES[0].1, &[&[]], 1, noisy(1));
        let (two, _) = search(GAMES[0].1, &[&[]], 1, noisy(2));
        assert!(one.priors == again.priors && one.priors != two.priors && one.priors != plain.priors);
        let total: f32 = one.priors[..actions].iter().sum();
        assert!((total - 1.0).abs() < 1e-4);
    }

    #[test]
    fn what_is_no_number_is_refused_with_its_name() {
        let (states, flags) = ([0; 6], [0; 2]);
        for (priors, values, name, game) in [
            ([0.5, 0.5, f32::NAN, 0.1], [0.5; 4], "priors", 1),
            ([0.5, -0.5, 0.0, 0.1], [0.5; 4], "priors", 0),
            ([0.5; 4], [0.5, 0.5, 0.5, f32::INFINITY], "values", 1),
        ] {
            let leaves = Leaves {
                states: &states,
                legal: &[1; 4],
                turn: &[0; 2],
                over: &flags,
                rewards: &[0.0; 4],
                priors: &priors,
                values: &values,
            };
            let error = Forest::new(3, 2, 2, PLAIN, &leaves).unwrap_err();
            assert_eq!(error, EnvironmentError::Evaluation { name, game });
        }
    }
}
