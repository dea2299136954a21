//! The plan of an environment: the data that all its lanes share, which are the net as code and the places of its
//! values.

use super::board::NO_FACT;
use super::schema::Schema;
use crate::net::passes::for_environment;
use crate::net::{Lit, Net};
use crate::numbering::NumberingId;
use crate::propagate::Topology;
use crate::propagate::code::{Code, cone};

/// A base and the source of its next value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Update {
    pub(super) base: u32,
    pub(super) from: Lit,
}

/// An input, the action that sets it, and its role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    pub(super) node: u32,
    pub(super) legal: Lit,
    pub(super) action: u32,
    /// Whether it is a move of a role that waits: see [`Plan::idle`].
    pub(super) idle: bool,
}

/// The read-only part of an environment's lanes.
/// Blocks lie in this order: the nodes of the net; the spare ones of the code; the planes of legal actions; those of
/// chosen actions. There is one group of planes if roles take turns, else one for each role.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) net: Net,
    /// The numbering of its bases: that of the game's own net.
    pub(super) numbering: NumberingId,
    /// Three codes: the gates that terminal and legal propositions need, those that only transitions need, and those
    /// that only goals need.
    pub(super) first: Code,
    pub(super) second: Code,
    pub(super) goal_code: Code,
    /// Blocks for values that only the code reads.
    spares: usize,
    /// Bases that copy a base or an input: read before anything is written.
    pub(super) copies: Vec<Update>,
    pub(super) updates: Vec<Update>,
    /// The nodes whose values must be right after a lane is set back to the start, and these values.
    pub(super) blend: Vec<(u32, bool)>,
    /// Per role its inputs.
    pub(super) inputs: Vec<Vec<Input>>,
    /// Per column of an observation its node.
    pub(super) observed: Vec<u32>,
    pub(super) actions: usize,
    pub(super) turns: bool,
    /// Per role and goal value the reward: the value divided by 100.
    pub(super) rewards: Vec<Vec<f32>>,
}

impl Plan {
    /// A plan for a game whose roles move at the same time.
    pub(super) fn new(topology: &Topology, schema: &Schema) -> Self {
        let net = for_environment(&topology.net, &topology.guards, &topology.guard_of);
        let first_cone = cone(&net, net.legal.iter().copied().chain([net.terminal]));
        let second_cone = cone(&net, net.transitions.iter().copied());
        let goal_cone = cone(&net, net.goals.iter().flatten().copied());
        let here = |n: usize| n as u32;
        let spare = net.nodes();
        let first = Code::new(&net, &|n| first_cone[n], &here, spare);
        let second = Code::new(&net, &|n| second_cone[n] && !first_cone[n], &here, spare);
        // Gates that transitions share with goals are evaluated for both.
        let goal_code = Code::new(&net, &|n| goal_cone[n] && !first_cone[n], &here, spare);
        let spares = [&first, &second, &goal_code].map(Code::spares).into_iter().max().unwrap_or(0);
        let blend = blended(&net, &first_cone, &second_cone);
        let is_copy = |l: Lit| l.node() > 0 && l.node() < net.first_gate();
        let updates = net.transitions.iter().enumerate();
        let updates = updates.map(|(b, &from)| Update { base: net.base_node(b) as u32, from });
        let (copies, updates) = updates.partition(|u| is_copy(u.from));
        let inputs = schema.inputs.iter().map(|of_role| role_inputs(&net, of_role)).collect();
        let node = |&fact: &u32| if fact == NO_FACT { 0 } else { net.base_node(fact as usize) as u32 };
        let observed = schema.columns.iter().map(node).collect();
        let value = |text: &String| text.parse::<f32>().unwrap_or(0.0) / 100.0;
        let rewards = net.names.goal_values.iter().map(|values| values.iter().map(value).collect()).collect();
        let actions = schema.action_count();
        Self {
            net,
            numbering: topology.numbering,
            first,
            second,
            goal_code,
            spares,
            copies,
            updates,
            blend,
            inputs,
            observed,
            actions,
            turns: false,
            rewards,
        }
    }

    /// The same plan for a game whose roles take turns; `idle` are the moves of roles that wait, by input.
    pub(super) fn taking_turns(mut self, idle: &[bool]) -> Self {
        self.turns = true;
        let first = self.net.input_node(0);
        for input in self.inputs.iter_mut().flatten() {
            input.idle = idle[input.node as usize - first];
        }
        self
    }

    /// The number of groups of planes.
    pub(super) fn groups(&self) -> usize {
        if self.turns { 1 } else { self.inputs.len() }
    }

    /// The first block of the planes of legal actions.
    pub(super) fn legal_at(&self) -> usize {
        self.net.nodes() + self.spares
    }

    /// The first block of the planes of chosen actions.
    pub(super) fn chosen_at(&self) -> usize {
        self.legal_at() + self.groups() * self.actions
    }

    /// The number of blocks. Choosers and decoders write one more than there are actions.
    pub(super) fn blocks(&self) -> usize {
        self.chosen_at() + self.groups() * self.actions + 2
    }
}

fn role_inputs(net: &Net, of_role: &[Option<u32>]) -> Vec<Input> {
    let of = |(action, input): (usize, &Option<u32>)| {
        let input = (*input)? as usize;
        let (node, legal) = (net.input_node(input) as u32, net.legal[input]);
        Some(Input { node, legal, action: action as u32, idle: false })
    };
    of_role.iter().enumerate().filter_map(of).collect()
}

/// The bases, and the gates of the first code that something reads which is not of the first code.
fn blended(net: &Net, first_cone: &[bool], second_cone: &[bool]) -> Vec<(u32, bool)> {
    let mut read = vec![false; net.nodes()];
    (1..=net.bases()).for_each(|n| read[n] = true);
    net.legal.iter().chain(&net.transitions).for_each(|l| read[l.node()] = true);
    for g in
        (0..net.gates()).filter(|g| second_cone[net.first_gate() + g] && !first_cone[net.first_gate() + g])
    {
        net.gate(g).iter().for_each(|l| read[l.node()] = true);
    }
    let start = Topology::new(net.clone()).evaluate(&net.names.initial, &[]);
    let is_state = |n: usize| n >= 1 && (n <= net.bases() || n >= net.first_gate() && first_cone[n]);
    (0..net.nodes()).filter(|&n| read[n] && is_state(n)).map(|n| (n as u32, start[n])).collect()
}
