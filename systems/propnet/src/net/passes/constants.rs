//! Finds nodes that are constant in every reachable state, and drops them.
//!
//! # Source
//! C. Sironi, M. Winands, "Optimizing propositional networks" (2016), section 3. This pass is a fixpoint of ternary
//! simulation.
//!
//! # Steps
//! 1. Every base starts with its initial value. Every input is unknown.
//! 2. All gates are evaluated with the values true, false and unknown. A base whose transition may differ from its
//!    value becomes unknown.
//! 3. Step 2 repeats until no base changes. A node that then has a known value has it in every reachable state.
//!
//! # Cost
//! Edges times rounds. Each round makes at least one base unknown. In practice there are few rounds.

use super::super::builder::rebuild;
use super::super::{Lit, Net};

/// The most rounds of step 3. After them every base is taken as unknown.
const MAX_ROUNDS: usize = 400;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    False,
    True,
    Unknown,
}

impl Value {
    fn of(b: bool) -> Self {
        if b { Self::True } else { Self::False }
    }

    fn xor(self, by: bool) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            known => Self::of((known == Self::True) ^ by),
        }
    }
}

/// The net with constants folded.
pub(super) fn run(net: &Net) -> Net {
    let mut values = vec![Value::Unknown; net.nodes()];
    values[0] = Value::False;
    for base in 0..net.bases() {
        values[net.base_node(base)] = Value::of(net.names.initial.contains(base));
    }
    let get = |values: &[Value], l: Lit| values[l.node()].xor(l.inverted());
    for round in 0.. {
        for g in 0..net.gates() {
            let mut value = Value::True;
            for &l in net.gate(g) {
                match get(&values, l) {
                    Value::False => {
                        value = Value::False;
                        break;
                    }
                    Value::Unknown => value = Value::Unknown,
                    Value::True => {}
                }
            }
            values[net.first_gate() + g] = value;
        }
        let mut changed = false;
        for base in 0..net.bases() {
            let node = net.base_node(base);
            let differs = get(&values, net.transitions[base]) != values[node] || round >= MAX_ROUNDS;
            if values[node] != Value::Unknown && differs {
                values[node] = Value::Unknown;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let leaf = |node: usize| match values[node] {
        Value::Unknown => Lit::of(node),
        known => Lit::FALSE.xor(known == Value::True),
    };
    rebuild(net, leaf, |b, _, inputs| b.and(inputs.iter().copied()))
}
