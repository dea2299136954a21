//! A net with one role as a space of states, for searches that look for plans.

use super::possible::{LANES, Outlook, Possible};
use super::split::Split;
use crate::net::Bases;
use crate::propagate::{Propagator, Topology, by_name};
use rustc_hash::FxHasher;
use std::hash::Hasher as _;
use std::sync::Arc;

/// A state that was looked at.
#[derive(Clone, Debug)]
pub(super) enum Look {
    /// It is terminal, with this goal.
    End(f64),
    /// Its legal moves, in the order of their numbers; none if the rules are stuck.
    Moves(Vec<u32>),
}

/// Walks and asks.
pub(super) struct View {
    pub topology: Arc<Topology>,
    pub propagator: Box<dyn Propagator + Send>,
    pub possible: Possible,
    /// Goal values of the role, by their number.
    values: Vec<f64>,
    /// The best goal value that the rules know.
    pub best_value: f64,
    /// Facts that only count time towards the end; states that differ in them alone are one state.
    clock: Bases,
}

impl View {
    /// Of a game with one role; `None` for others and for games without a goal.
    pub(super) fn new(topology: &Arc<Topology>) -> Option<Self> {
        let net = &topology.net;
        if net.names.roles.len() != 1 {
            return None;
        }
        let values: Vec<f64> = net.names.goal_values[0].iter().map(|v| v.parse().unwrap_or(0.0)).collect();
        let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]))?;
        Some(Self {
            propagator: by_name("differential", topology)?,
            possible: Possible::new(Arc::new(Split::new(topology)?), best),
            best_value: values[best],
            values,
            clock: clock(topology),
            topology: Arc::clone(topology),
        })
    }

    /// Goes to a state and looks.
    pub(super) fn look(&mut self, state: &Bases) -> Look {
        self.propagator.enter(state);
        if self.propagator.terminal() {
            return Look::End(self.goal());
        }
        let mut moves = self.propagator.legal(0).to_vec();
        moves.sort_unstable();
        Look::Moves(moves)
    }

    /// The goal in the state entered; 0 if the rules give none.
    pub(super) fn goal(&mut self) -> f64 {
        (0..self.values.len()).find(|&v| self.propagator.goal(0, v)).map_or(0.0, |v| self.values[v])
    }

    /// The states after each of the moves, from the state entered.
    pub(super) fn children(&mut self, moves: &[u32]) -> Vec<Bases> {
        moves.iter().map(|&m| self.propagator.successor(&[m]).clone()).collect()
    }

    /// The outlook of each state.
    pub(super) fn outlooks(&mut self, states: &[Bases]) -> Vec<Outlook> {
        states.chunks(LANES).flat_map(|chunk| self.possible.ask(chunk.iter())).collect()
    }

    /// The words of a state without the facts that count time.
    pub(super) fn words<'a>(&'a self, state: &'a Bases) -> impl Iterator<Item = usize> + 'a {
        state.as_slice().iter().zip(self.clock.as_slice()).map(|(&word, &clock)| word & !clock)
    }

    /// Whether two states differ at most in the facts that count time.
    pub(super) fn same(&self, a: &[usize], b: &[usize]) -> bool {
        a.iter().zip(b).zip(self.clock.as_slice()).all(|((&a, &b), &clock)| (a ^ b) & !clock == 0)
    }

    /// A hash of those words.
    pub(super) fn key(&self, state: &Bases) -> u64 {
        let mut hasher = FxHasher::default();
        self.words(state).for_each(|word| hasher.write_usize(word));
        // The multiplications of FxHash leave the low bits weak.
        let hash = hasher.finish();
        hash ^ hash >> 32
    }
}

/// The most nodes looked at in search of the facts that count time.
///
/// Origin: own choice, unmeasured.
const MAX_CLOCK_WORK: usize = 20_000_000;

/// What a set of literals rests on.
#[derive(Default)]
struct Ground {
    /// Bases, by number.
    bases: Vec<usize>,
    /// Whether moves are among it.
    moves: bool,
}

/// The facts that change without regard to moves, and that nothing reads but each other, terminal and goals.
fn clock(topology: &Topology) -> Bases {
    let net = &topology.net;
    let none = Bases::with_capacity(net.bases());
    let (mut stamps, mut stamp, mut work) = (vec![0_u32; net.nodes()], 0, 0);
    let mut ground = |lits: &mut dyn Iterator<Item = usize>| {
        stamp += 1;
        let mut found = Ground::default();
        let mut open: Vec<usize> = lits.collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut stamps[node], stamp) == stamp || node == 0 {
                continue;
            }
            work += 1;
            if node >= net.first_gate() {
                open.extend(net.gate(node - net.first_gate()).iter().map(|l| l.node()));
            } else if node >= net.input_node(0) {
                found.moves = true;
            } else {
                found.bases.push(node - 1);
            }
        }
        (work < MAX_CLOCK_WORK).then_some(found)
    };
    let legal = ground(&mut (0..net.inputs()).flat_map(|i| topology.legal_pair(i)).map(|l| l.node()));
    let Some(legal) = legal else { return none };
    let mut reads = Vec::new();
    for lit in &net.transitions {
        let Some(found) = ground(&mut std::iter::once(lit.node())) else { return none };
        reads.push(found);
    }
    let mut clock = none;
    clock.insert_range(..);
    legal.bases.iter().for_each(|&base| clock.set(base, false));
    loop {
        let before = clock.count_ones(..);
        for (base, own) in reads.iter().enumerate() {
            // A member depends on no move, and on members alone.
            if own.moves || own.bases.iter().any(|&b| !clock.contains(b)) {
                clock.set(base, false);
            }
            // What another fact reads is no member.
            if !clock.contains(base) {
                own.bases.iter().for_each(|&b| clock.set(b, false));
            }
        }
        if clock.count_ones(..) == before {
            return clock;
        }
    }
}
