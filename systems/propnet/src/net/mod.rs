//! The propositional network of a game: a logic circuit that computes the rules.
//!
//! # Source
//! S. Draper and A. Rose, "Propnet basics" (2014), introduction.
//!
//! # Notation
//! A *node* is a number: 0 is the constant false. The base propositions follow, then the input propositions, then the
//! gates in topological order. A [`Lit`] is a node or its inverse. Every gate is an AND of literals. An OR is the
//! inverse of an AND of inverses, and a NOT is an inverted literal. A double inversion cannot be written.
//!
//! *Legal propositions* are the outputs that say whether a move is legal. A *transition* gives the value of a base
//! proposition in the next state. Both are literals, and so are terminal and goals.

mod atoms;
pub mod build;
mod builder;
mod loops;
pub mod passes;

pub use builder::Builder;

use fixedbitset::FixedBitSet;

/// A node or its inverse: twice the node's number, plus one for the inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(pub u32);

impl Lit {
    /// Always false.
    pub const FALSE: Self = Self(0);
    /// Always true.
    pub const TRUE: Self = Self(1);

    /// The node itself.
    #[must_use]
    pub fn of(node: usize) -> Self {
        Self(u32::try_from(node * 2).expect("the net's limits keep nodes below 2^31"))
    }

    /// The inverse.
    #[must_use]
    pub const fn not(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The node.
    #[must_use]
    pub const fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the inverse of its node.
    #[must_use]
    pub const fn inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is constant.
    #[must_use]
    pub const fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Inverted if `by`.
    #[must_use]
    pub const fn xor(self, by: bool) -> Self {
        Self(self.0 ^ by as u32)
    }
}

/// A move of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its canonical spelling.
    pub text: String,
    /// Its legal proposition.
    pub legal: Lit,
}

/// A state of a net: a bit for each base proposition.
pub type Bases = FixedBitSet;

/// The part of a net that passes do not change: names, roles, the initial state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The roles in the order of the rulesheet.
    pub roles: Vec<String>,
    /// The fact of each base proposition.
    pub bases: Vec<String>,
    /// The first input of each role, and at the end the number of inputs: role r has inputs `r..r+1` of this.
    pub role_start: Vec<usize>,
    /// The move of each input, in canonical spelling.
    pub moves: Vec<String>,
    /// The goal values of each role, in canonical spelling.
    pub goal_values: Vec<Vec<String>>,
    /// The initial state.
    pub initial: Bases,
}

/// A network; all vectors are parallel to those of [`Names`].
#[derive(Clone, Debug)]
pub struct Net {
    /// Names, roles and the initial state.
    pub names: std::sync::Arc<Names>,
    /// `edge_start[g]..edge_start[g + 1]` are the inputs of gate g in `edges`.
    pub edge_start: Vec<u32>,
    /// The input literals of all gates.
    pub edges: Vec<Lit>,
    /// Per base its transition: the value in the next state.
    pub transitions: Vec<Lit>,
    /// Per input its legal proposition.
    pub legal: Vec<Lit>,
    /// Whether the state is terminal.
    pub terminal: Lit,
    /// Per role and goal value whether the role gets it.
    pub goals: Vec<Vec<Lit>>,
}

/// The sizes of a net.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Base propositions.
    pub bases: usize,
    /// Input propositions.
    pub inputs: usize,
    /// Gates that are mostly used without inversion.
    pub ands: usize,
    /// Gates used mostly inverted, with mostly inverted inputs.
    pub ors: usize,
    /// Inverted literals in gates and outputs that are not part of an OR.
    pub nots: usize,
    /// Input literals of all gates.
    pub edges: usize,
    /// The longest path in gates.
    pub depth: usize,
    /// The most inputs of a gate.
    pub fan_in: usize,
}

impl Net {
    /// How many base propositions there are.
    #[must_use]
    pub fn bases(&self) -> usize {
        self.transitions.len()
    }

    /// How many input propositions there are.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.legal.len()
    }

    /// How many gates there are.
    #[must_use]
    pub fn gates(&self) -> usize {
        self.edge_start.len() - 1
    }

    /// The node of the first gate.
    #[must_use]
    pub fn first_gate(&self) -> usize {
        1 + self.bases() + self.inputs()
    }

    /// How many nodes there are, the constant included.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.first_gate() + self.gates()
    }

    /// The node of a base.
    #[must_use]
    pub fn base_node(&self, base: usize) -> usize {
        1 + base
    }

    /// The node of an input.
    #[must_use]
    pub fn input_node(&self, input: usize) -> usize {
        1 + self.bases() + input
    }

    /// The input literals of a gate (counted from 0).
    #[must_use]
    pub fn gate(&self, gate: usize) -> &[Lit] {
        &self.edges[self.edge_start[gate] as usize..self.edge_start[gate + 1] as usize]
    }

    /// The inputs of a role.
    #[must_use]
    pub fn inputs_of(&self, role: usize) -> std::ops::Range<usize> {
        self.names.role_start[role]..self.names.role_start[role + 1]
    }

    /// Every output: transitions, legal propositions, terminal, goals.
    pub fn outputs(&self) -> impl Iterator<Item = Lit> + '_ {
        let goals = self.goals.iter().flatten().copied();
        self.transitions.iter().chain(&self.legal).copied().chain([self.terminal]).chain(goals)
    }

    /// Calls `change` for every output.
    pub fn outputs_mut(&mut self, mut change: impl FnMut(&mut Lit)) {
        self.transitions.iter_mut().for_each(&mut change);
        self.legal.iter_mut().for_each(&mut change);
        change(&mut self.terminal);
        self.goals.iter_mut().flatten().for_each(change);
    }

    /// For each node, whether it is a gate that is used mostly inverted. People see such a gate as an OR of inverses.
    #[must_use]
    pub fn shown_as_or(&self) -> Vec<bool> {
        let mut votes = vec![0_i64; self.nodes()];
        for lit in self.edges.iter().copied().chain(self.outputs()) {
            votes[lit.node()] += if lit.inverted() { 1 } else { -1 };
        }
        votes.iter().enumerate().map(|(node, &votes)| node >= self.first_gate() && votes > 0).collect()
    }

    /// The sizes of the net.
    #[must_use]
    pub fn size(&self) -> Size {
        let mut size = Size { bases: self.bases(), inputs: self.inputs(), ..Size::default() };
        let mut depth = vec![0_usize; self.nodes()];
        let is_or = self.shown_as_or();
        for g in 0..self.gates() {
            let node = self.first_gate() + g;
            let edges = self.gate(g);
            size.edges += edges.len();
            size.fan_in = size.fan_in.max(edges.len());
            depth[node] = 1 + edges.iter().map(|l| depth[l.node()]).max().unwrap_or(0);
            size.depth = size.depth.max(depth[node]);
            if is_or[node] {
                size.ors += 1;
            } else {
                size.ands += 1;
            }
            size.nots += edges.iter().filter(|l| (l.inverted() ^ is_or[l.node()]) ^ is_or[node]).count();
        }
        size.nots += self.outputs().filter(|l| !l.is_constant() && (l.inverted() ^ is_or[l.node()])).count();
        size
    }
}
