//! Splits the transitions of a net with one role by the moves that they depend on.
//!
//! # Notation
//! A *move set* is a set of moves. A *case* of a base is a move set with a literal over bases. The literal is the value
//! of the base in the next state after any move of the set. The cases of a base cover every move exactly once.
//!
//! # Steps
//! 1. A gate over inputs alone holds for a set of moves, because exactly one input is set.
//! 2. For each base, the moves that are in the same sets below its transition form one case.
//! 3. The gates between the sets and the transition are simplified for each case.
//!
//! # Cost
//! One simplification of the gates below a transition for each case. Most bases have two cases: the moves that set
//! them, and the rest. [`Split::new`] gives up beyond [`MAX_WORK`].

use crate::net::{Builder, Lit, Net};
use crate::propagate::Topology;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// The most gates that are looked at.
///
/// Origin: own choice, unmeasured.
const MAX_WORK: usize = 60_000_000;

/// The most bits of all move sets of step 1.
///
/// Origin: own choice, unmeasured.
const MAX_BITS: usize = 1 << 30;

/// A case of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Case {
    /// The number of the move set.
    pub set: u32,
    /// The value after a move of the set.
    pub value: Lit,
}

/// A net with one role, apart by move. Its gates rest on bases alone.
#[derive(Debug)]
pub(super) struct Split {
    /// The gates. It has no transitions but false.
    pub net: Net,
    /// Per input the two literals that make it legal.
    pub legal: Vec<[Lit; 2]>,
    /// Distinct move sets, each in order.
    pub sets: Vec<Vec<u32>>,
    /// Per base its cases.
    pub cases: Vec<Vec<Case>>,
}

impl Split {
    /// Of a net with one role; `None` if that takes too much work.
    pub(super) fn new(topology: &Topology) -> Option<Self> {
        let net = &topology.net;
        let pure = pure_gates(net)?;
        let mut builder = Builder::new(std::sync::Arc::clone(&net.names));
        let mut work = 0;
        let mut splitter = Splitter { net, pure: &pure, work: &mut work };
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut cases = Vec::with_capacity(net.bases());
        for &transition in &net.transitions {
            let cone = splitter.cone(&[transition])?;
            let mut own = Vec::new();
            for (moves, holding) in splitter.groups(&cone)? {
                let value = splitter.simplify(&mut builder, &cone, &holding, transition)?;
                let next = sets.len() as u32;
                let set = *numbers.entry(moves).or_insert_with_key(|moves| {
                    sets.push(moves.clone());
                    next
                });
                own.push(Case { set, value });
            }
            cases.push(own);
        }
        let mut plain = |lit: Lit| {
            let cone = splitter.cone(&[lit])?;
            splitter.simplify(&mut builder, &cone, &FixedBitSet::new(), lit)
        };
        let mut legal = Vec::with_capacity(net.inputs());
        for input in 0..net.inputs() {
            let [own, guard] = topology.legal_pair(input);
            legal.push([plain(own)?, plain(guard)?]);
        }
        let terminal = plain(net.terminal)?;
        let goals = net.goals[0].iter().map(|&l| plain(l)).collect::<Option<_>>()?;
        let own = legal.iter().map(|pair| pair[0]).collect();
        Some(Self {
            net: builder.finish(vec![Lit::FALSE; net.bases()], own, terminal, vec![goals]),
            legal,
            sets,
            cases,
        })
    }
}

/// Step 1: per node the moves for which it holds, if it rests on inputs alone.
fn pure_gates(net: &Net) -> Option<Vec<Option<FixedBitSet>>> {
    let (inputs, first_input) = (net.inputs(), net.input_node(0));
    let mut pure: Vec<Option<FixedBitSet>> = vec![None; net.nodes()];
    let mut bits = 0;
    for input in 0..inputs {
        let mut own = FixedBitSet::with_capacity(inputs);
        own.insert(input);
        pure[first_input + input] = Some(own);
        bits += inputs;
    }
    for g in 0..net.gates() {
        let gate = net.gate(g);
        if gate.is_empty() || gate.iter().any(|l| pure[l.node()].is_none()) {
            continue;
        }
        bits += inputs;
        if bits > MAX_BITS {
            return None;
        }
        let mut all = FixedBitSet::with_capacity(inputs);
        all.insert_range(..);
        for lit in gate {
            if let Some(set) = &pure[lit.node()] {
                if lit.inverted() { all.difference_with(set) } else { all.intersect_with(set) }
            }
        }
        pure[net.first_gate() + g] = Some(all);
    }
    Some(pure)
}

/// The gates below a literal, down to move sets and bases.
struct Cone {
    /// Gates in topological order.
    gates: Vec<usize>,
    /// Nodes with a move set, in order.
    sets: Vec<usize>,
}

struct Splitter<'a> {
    net: &'a Net,
    pure: &'a [Option<FixedBitSet>],
    work: &'a mut usize,
}

impl Splitter<'_> {
    fn cone(&mut self, lits: &[Lit]) -> Option<Cone> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<usize> = lits.iter().map(|l| l.node()).collect();
        let mut cone = Cone { gates: Vec::new(), sets: Vec::new() };
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            *self.work += 1;
            if self.pure[node].is_some() {
                cone.sets.push(node);
            } else if node >= self.net.first_gate() {
                let gate = node - self.net.first_gate();
                cone.gates.push(gate);
                open.extend(self.net.gate(gate).iter().map(|l| l.node()));
            }
        }
        cone.gates.sort_unstable();
        cone.sets.sort_unstable();
        (*self.work < MAX_WORK).then_some(cone)
    }

    /// Step 2: the moves of each case, with the places of the cone's sets that hold for them.
    fn groups(&mut self, cone: &Cone) -> Option<Vec<(Vec<u32>, FixedBitSet)>> {
        let mut signatures = vec![FixedBitSet::with_capacity(cone.sets.len()); self.net.inputs()];
        for (place, &node) in cone.sets.iter().enumerate() {
            for input in self.pure[node].iter().flat_map(FixedBitSet::ones) {
                signatures[input].insert(place);
                *self.work += 1;
            }
        }
        *self.work += self.net.inputs();
        let mut groups: Vec<(Vec<u32>, FixedBitSet)> = Vec::new();
        let mut known: FxHashMap<FixedBitSet, usize> = FxHashMap::default();
        for (input, signature) in signatures.into_iter().enumerate() {
            let at = *known.entry(signature).or_insert_with_key(|signature| {
                groups.push((Vec::new(), signature.clone()));
                groups.len() - 1
            });
            groups[at].0.push(input as u32);
        }
        (*self.work < MAX_WORK).then_some(groups)
    }

    /// Step 3.
    fn simplify(
        &mut self,
        builder: &mut Builder,
        cone: &Cone,
        holding: &FixedBitSet,
        lit: Lit,
    ) -> Option<Lit> {
        *self.work += cone.gates.len();
        let mut map: FxHashMap<usize, Lit> = FxHashMap::default();
        for (place, &node) in cone.sets.iter().enumerate() {
            map.insert(node, if holding.contains(place) { Lit::TRUE } else { Lit::FALSE });
        }
        // Node 0 and bases have the same number in both nets.
        let value = |map: &FxHashMap<usize, Lit>, l: Lit| {
            map.get(&l.node()).copied().unwrap_or_else(|| Lit::of(l.node())).xor(l.inverted())
        };
        for &gate in &cone.gates {
            let made = builder.and(self.net.gate(gate).iter().map(|&l| value(&map, l)));
            map.insert(self.net.first_gate() + gate, made);
        }
        (*self.work < MAX_WORK).then(|| value(&map, lit))
    }
}
