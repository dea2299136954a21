//! Proves the structure of a game: groups of facts of which one holds, turns, a constant sum of goals, and independent
//! sub-games.
//!
//! # Source
//! Independent sub-games: Evan Cox, Eric Schkufza, Ryan Madsen, Michael Genesereth, *Factoring General Games using
//! Propositional Automata* (2009). The proofs are Tengen's own.
//!
//! # Notation
//! A *group* is a set of bases of which at most one holds in each state, or exactly one. A base is *clockwork* if it
//! depends on no move, such as a counter of moves or whose turn it is.
//!
//! # Steps
//! 1. Groups: candidates are facts that differ only in some arguments and that no random game contradicts. All groups
//!    are assumed for a state, with a legal move of each role. A group stays if the module `refute` refutes that two
//!    members, or none, hold in the next state. If a group is dropped, all others are proved again without it.
//! 2. Turns: find a base for each role. Where it does not hold, the role has at most one legal move. The bases are in
//!    one group.
//! 3. Sum: add the goals of two roles in a terminal state. Every pair of values with another sum is refuted, for a
//!    state after a move from a state that is not terminal (`Step`).
//! 4. Sub-games: a transition or a legal proposition joins the bases and moves that it reads. Terminal or a goal may be
//!    the AND or the OR of several sub-games; then each of its terms joins the parts that it reads. Clockwork joins
//!    nothing. A set without a move is no sub-game.
//!
//! # Cost
//! The refutations, for each pair of members of each group. Groups of more than 64 members are left out.

use super::refute::{Exclusion, MOST_OF_ONE, Refuter};
use crate::net::{Builder, Lit, Names, Net};
use crate::propagate::Topology;
use crate::propagate::compiled::likely_groups;
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// The most members of a group that is proved.
///
/// Origin: own choice, unmeasured.
const MOST_MEMBERS: usize = 64;

/// The most cases, one after the other, of a refutation.
///
/// Origin: own choice, unmeasured.
const SPLITS: u32 = 4;

/// The same where two goals are refuted, each a line of cells.
///
/// Origin: own choice, unmeasured.
const SPLITS_OF_GOALS: u32 = 24;

/// The members of a group that a sentence shows.
const SHOWN: usize = 3;

/// The most bits of what all nodes depend on.
///
/// Origin: own choice, unmeasured.
const MOST_BITS: usize = 1 << 31;

/// Bases of which at most one holds in each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The bases, by number.
    pub bases: Vec<u32>,
    /// Whether exactly one holds.
    pub exact: bool,
}

/// What is proved of the structure of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// The groups; none is part of another.
    pub groups: Vec<Group>,
    /// For each role the base without which it has no choice; empty if that is not proved of all roles.
    pub turns: Vec<u32>,
    /// The sum of the goals of two roles in a terminal state, where both have one.
    pub sum: Option<i64>,
    /// The bases of each independent sub-game, by number; empty if there are fewer than two.
    pub sub_games: Vec<Vec<u32>>,
    /// Whether no proof was given up for its cost.
    pub complete: bool,
}

impl Structure {
    /// Finds it.
    #[must_use]
    pub fn new(topology: &Arc<Topology>) -> Self {
        let net = &topology.net;
        let (groups, work, gave_up) = groups(topology);
        let known: Vec<Exclusion> = groups.iter().map(|group| exclusion(net, group)).collect();
        let mut refuter = Refuter::new(net, &known, Vec::new(), work);
        let turns = turns(topology, &groups, &mut refuter).unwrap_or_default();
        let step = Step::new(topology);
        let mut of_step = Refuter::new(&step.net, &known, step.conditions.clone(), refuter.work());
        let sum = sum(topology, &step, &mut of_step);
        let sub_games = sub_games(topology);
        let complete = !gave_up && !refuter.gave_up() && !of_step.gave_up() && sub_games.is_some();
        Self { groups, turns, sum, sub_games: sub_games.unwrap_or_default(), complete }
    }

    /// The groups by relation, size and kind, in the order of the first of each.
    #[must_use]
    pub fn alike(&self, names: &Names) -> Vec<Alike> {
        let mut found: Vec<Alike> = Vec::new();
        for group in &self.groups {
            let facts: Vec<&str> =
                group.bases.iter().map(|&base| names.bases[base as usize].as_str()).collect();
            let relation = facts[0].trim_start_matches('(').split([' ', ')']).next().unwrap_or_default();
            let is_alike = |known: &&mut Alike| {
                known.relation == relation && known.size == facts.len() && known.exact == group.exact
            };
            match found.iter_mut().find(is_alike) {
                Some(known) => known.count += 1,
                None => found.push(Alike {
                    relation: relation.into(),
                    size: facts.len(),
                    exact: group.exact,
                    count: 1,
                    first: facts.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", "),
                }),
            }
        }
        found
    }
}

/// Groups of one relation and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// The name of the relation.
    pub relation: String,
    /// The members of each.
    pub size: usize,
    /// Whether exactly one member of each holds.
    pub exact: bool,
    /// The number of groups.
    pub count: usize,
    /// The first members of the first.
    pub first: String,
}

impl Alike {
    /// What is proved of them.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { relation, size, exact, count, first } = self;
        let holds = if *exact { "Exactly one" } else { "At most one" };
        let more = if *size > SHOWN { " and others" } else { "" };
        if *count == 1 {
            return format!("{holds} of {size} {relation} facts holds: {first}{more}.");
        }
        format!(
            "{holds} fact of each of {count} groups of {size} {relation} facts holds, such as {first}{more}."
        )
    }
}

fn exclusion(net: &Net, group: &Group) -> Exclusion {
    let node = |&base: &u32| net.base_node(base as usize) as u32;
    Exclusion { nodes: group.bases.iter().map(node).collect(), exact: group.exact }
}

/// Step 1, the looks that it took, and whether a proof was given up. If all looks are spent there are no groups.
fn groups(topology: &Arc<Topology>) -> (Vec<Group>, usize, bool) {
    let net = &topology.net;
    let mut left: Vec<Group> = likely_groups(topology)
        .into_iter()
        .filter(|(bases, _)| bases.len() <= MOST_MEMBERS)
        .map(|(bases, exact)| Group { bases, exact })
        .collect();
    let (mut work, mut gave_up) = (0, false);
    loop {
        let before = left.clone();
        let known: Vec<Exclusion> = left.iter().map(|group| exclusion(net, group)).collect();
        let mut refuter = Refuter::new(net, &known, conditions(topology), work);
        left.retain_mut(|group| {
            group.exact = group.exact && stays(net, group, &mut refuter);
            is_exclusive(net, group, &mut refuter)
        });
        work = refuter.work();
        gave_up |= refuter.gave_up();
        if refuter.is_spent() {
            return (Vec::new(), work, gave_up);
        }
        if left == before {
            break;
        }
    }
    let is_part = |small: &Group, large: &Group| {
        small.bases.len() < large.bases.len() && small.bases.iter().all(|b| large.bases.contains(b))
    };
    (left.iter().filter(|g| !left.iter().any(|h| is_part(g, h))).cloned().collect(), work, gave_up)
}

/// For each move what makes it legal.
fn conditions(topology: &Topology) -> Vec<[Lit; 2]> {
    (0..topology.net.inputs()).map(|input| topology.legal_pair(input)).collect()
}

/// Whether no two members hold after a move.
fn is_exclusive(net: &Net, group: &Group, refuter: &mut Refuter<'_>) -> bool {
    let after = |base: u32| net.transitions[base as usize];
    let pairs =
        group.bases.iter().enumerate().flat_map(|(n, &a)| group.bases[n + 1..].iter().map(move |&b| (a, b)));
    pairs
        .into_iter()
        .all(|(a, b)| refuter.refutes(&[after(a), after(b), net.terminal.not()], SPLITS, MOST_OF_ONE[0]))
}

/// Whether one member holds after a move.
fn stays(net: &Net, group: &Group, refuter: &mut Refuter<'_>) -> bool {
    let none = group.bases.iter().map(|&base| net.transitions[base as usize].not());
    let assumptions: Vec<Lit> = none.chain([net.terminal.not()]).collect();
    refuter.refutes(&assumptions, SPLITS, MOST_OF_ONE[0])
}

/// Step 2; `None` if it is not proved of all roles.
fn turns(topology: &Topology, groups: &[Group], refuter: &mut Refuter<'_>) -> Option<Vec<u32>> {
    let net = &topology.net;
    let roles = net.names.roles.len();
    if roles < 2 {
        return None;
    }
    groups.iter().find_map(|group| {
        let mut taken: Vec<u32> = Vec::with_capacity(roles);
        for role in 0..roles {
            let fits = |&base: &u32| !taken.contains(&base) && has_no_choice(topology, role, base, refuter);
            taken.push(group.bases.iter().copied().find(fits)?);
        }
        Some(taken)
    })
}

/// Whether a role has one legal move at most where a base does not hold.
fn has_no_choice(topology: &Topology, role: usize, base: u32, refuter: &mut Refuter<'_>) -> bool {
    let net = &topology.net;
    let without = Lit::of(net.base_node(base as usize)).not();
    let mut legal = 0;
    for input in net.inputs_of(role) {
        let [own, guard] = topology.legal_pair(input);
        legal += usize::from(!refuter.refutes(&[without, own, guard], 0, MOST_OF_ONE[0]));
        if legal > 1 {
            return false;
        }
    }
    true
}

/// A net with the gates of the state after a move beside its own.
struct Step {
    /// The net. Its goals are those after the move.
    net: Net,
    /// Terminal after the move.
    terminal: Lit,
    /// For each move what makes it legal.
    conditions: Vec<[Lit; 2]>,
}

impl Step {
    fn new(topology: &Topology) -> Self {
        let net = &topology.net;
        let mut builder = Builder::new(Arc::clone(&net.names));
        let leaves = (0..net.first_gate()).map(Lit::of);
        let before = copied(net, &mut builder, leaves.collect());
        let at = |nodes: &[Lit], lit: Lit| nodes[lit.node()].xor(lit.inverted());
        let mut leaves: Vec<Lit> = (0..net.first_gate()).map(Lit::of).collect();
        for (base, &next) in net.transitions.iter().enumerate() {
            leaves[net.base_node(base)] = at(&before, next);
        }
        let after = copied(net, &mut builder, leaves);
        let lits = |nodes: &[Lit], of: &[Lit]| of.iter().map(|&l| at(nodes, l)).collect::<Vec<_>>();
        let goals = net.goals.iter().map(|of_role| lits(&after, of_role)).collect();
        let conditions = conditions(topology).into_iter().map(|pair| pair.map(|l| at(&before, l))).collect();
        let (next, legal) = (lits(&before, &net.transitions), lits(&before, &net.legal));
        Self {
            net: builder.finish(next, legal, at(&before, net.terminal), goals),
            terminal: at(&after, net.terminal),
            conditions,
        }
    }
}

/// The gates of a net made again over these leaves: for each node its literal.
fn copied(net: &Net, builder: &mut Builder, mut nodes: Vec<Lit>) -> Vec<Lit> {
    for gate in 0..net.gates() {
        let inputs = net.gate(gate).iter().map(|l| nodes[l.node()].xor(l.inverted()));
        let lit = builder.and(inputs.collect::<Vec<_>>());
        nodes.push(lit);
    }
    nodes
}

/// Step 3.
fn sum(topology: &Topology, step: &Step, refuter: &mut Refuter<'_>) -> Option<i64> {
    let net = &topology.net;
    let [a, b] = step.net.goals.as_slice() else { return None };
    let at_once = topology.evaluate(&net.names.initial, &[]);
    if at_once[net.terminal.node()] ^ net.terminal.inverted() {
        return None;
    }
    let values = |role: usize| -> Option<Vec<i64>> {
        net.names.goal_values[role].iter().map(|value| value.parse().ok()).collect()
    };
    let (of_a, of_b) = (values(0)?, values(1)?);
    let mut found = None;
    for (&x, &if_x) in of_a.iter().zip(a) {
        for (&y, &if_y) in of_b.iter().zip(b) {
            let assumptions = [if_x, if_y, step.terminal, step.net.terminal.not()];
            if found != Some(x + y) && !refuter.refutes(&assumptions, SPLITS_OF_GOALS, MOST_OF_ONE[1]) {
                if found.is_some() {
                    return None;
                }
                found = Some(x + y);
            }
        }
    }
    found.filter(|_| !refuter.is_spent())
}

/// Step 4; `None` if the net is too large.
fn sub_games(topology: &Topology) -> Option<Vec<Vec<u32>>> {
    let net = &topology.net;
    if net.nodes().saturating_mul(net.first_gate()) > MOST_BITS {
        return None;
    }
    let below = below(net);
    let reads = |lit: Lit| below[lit.node()].ones();
    let clockwork = clockwork(net, &below);
    let mut sets = Sets::new(1 + net.bases() + net.inputs());
    for (base, &next) in net.transitions.iter().enumerate() {
        let node = net.base_node(base);
        if !clockwork.contains(node) {
            reads(next).filter(|&n| !clockwork.contains(n)).for_each(|n| sets.join(node, n));
        }
    }
    for input in 0..net.inputs() {
        let pair = topology.legal_pair(input);
        let read = pair.into_iter().flat_map(reads).filter(|&n| !clockwork.contains(n));
        read.for_each(|n| sets.join(net.input_node(input), n));
    }
    for &end in net.goals.iter().flatten().chain([&net.terminal]) {
        for term in terms(net, end) {
            let mut read = reads(term).filter(|&n| !clockwork.contains(n));
            if let Some(first) = read.next() {
                read.for_each(|n| sets.join(first, n));
            }
        }
    }
    let mut found: Vec<(usize, Vec<u32>)> = Vec::new();
    for base in (0..net.bases()).filter(|&b| !clockwork.contains(net.base_node(b))) {
        let set = sets.of(net.base_node(base));
        match found.iter_mut().find(|f| f.0 == set) {
            Some(known) => known.1.push(base as u32),
            None => found.push((set, vec![base as u32])),
        }
    }
    let with_moves: Vec<usize> = (0..net.inputs()).map(|input| sets.of(net.input_node(input))).collect();
    found.retain(|f| with_moves.contains(&f.0));
    Some(if found.len() < 2 { Vec::new() } else { found.into_iter().map(|f| f.1).collect() })
}

/// The terms that a literal is the AND of, or the OR of.
fn terms(net: &Net, lit: Lit) -> Vec<Lit> {
    let (mut found, mut open) = (Vec::new(), vec![Lit::of(lit.node())]);
    while let Some(lit) = open.pop() {
        match lit.node().checked_sub(net.first_gate()) {
            Some(gate) if !lit.inverted() => open.extend(net.gate(gate)),
            _ => found.push(lit),
        }
    }
    found
}

/// The bases and inputs that each node depends on.
fn below(net: &Net) -> Vec<FixedBitSet> {
    let leaves = net.first_gate();
    let mut below: Vec<FixedBitSet> = Vec::with_capacity(net.nodes());
    for node in 0..net.nodes() {
        let mut own = FixedBitSet::with_capacity(leaves);
        match node.checked_sub(leaves) {
            Some(gate) => net.gate(gate).iter().for_each(|l| own.union_with(&below[l.node()])),
            None if node > 0 => own.insert(node),
            None => {}
        }
        below.push(own);
    }
    below
}

/// The nodes of the bases that depend on no move.
fn clockwork(net: &Net, below: &[FixedBitSet]) -> FixedBitSet {
    let mut clockwork = FixedBitSet::with_capacity(net.first_gate());
    clockwork.insert_range(1..net.bases() + 1);
    loop {
        let moved: Vec<usize> = clockwork
            .ones()
            .filter(|&node| below[net.transitions[node - 1].node()].ones().any(|n| !clockwork.contains(n)))
            .collect();
        if moved.is_empty() {
            return clockwork;
        }
        moved.into_iter().for_each(|node| clockwork.set(node, false));
    }
}

/// Disjoint sets of nodes.
struct Sets(Vec<usize>);

impl Sets {
    fn new(nodes: usize) -> Self {
        Self((0..nodes).collect())
    }

    fn of(&mut self, node: usize) -> usize {
        let mut at = node;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }
}
