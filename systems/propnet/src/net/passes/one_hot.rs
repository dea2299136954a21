//! Simplifies a net by the fact that every role makes exactly one move. An OR of most inputs of a role is the inverse
//! of an OR of the other inputs.
//!
//! Frame rules ("a cell keeps its piece unless the move touches it") ground to an OR of thousands of inputs for each
//! cell. This pass leaves a few dozen of them.
//!
//! # Steps
//! 1. Where two roles take turns (see [`turns`]), an OR over moves of both is the inverse of the OR over the other
//!    moves. Both ORs leave out the waiting moves.
//! 2. In other games an OR over moves of one role is the inverse of the OR over its other moves.
//!
//! # Departures
//! Step 2 makes the net smaller and busier, because the waiting move then reaches every such OR. Only nets for lanes
//! and games of one role use it.
//!
//! # Invariants
//! The new net is equal to the old one only for transitions, which are read while exactly one legal input of each role
//! is set. Nothing else depends on inputs.

use super::super::builder::rebuild;
use super::super::{Lit, Net};

/// Step 1, and step 2 for games of one role.
pub(super) fn run(net: &Net) -> Net {
    replace(net, net.names.roles.len() == 1)
}

/// Both steps.
pub(super) fn run_all(net: &Net) -> Net {
    replace(net, true)
}

/// The waiting move of each of two roles that take turns. In every state one of them has only its waiting move, and the
/// other has only other moves.
fn turns(net: &Net) -> Option<[usize; 2]> {
    if net.names.roles.len() != 2 {
        return None;
    }
    let implies = |legal: Lit, not: Lit| {
        legal == Lit::FALSE
            || legal == not
            || (!legal.inverted()
                && legal.node() >= net.first_gate()
                && net.gate(legal.node() - net.first_gate()).contains(&not))
    };
    let waits = |role: usize| {
        net.inputs_of(role).find(|&wait| {
            !net.legal[wait].is_constant()
                && net.inputs_of(role).all(|i| i == wait || implies(net.legal[i], net.legal[wait].not()))
        })
    };
    let pair = [waits(0)?, waits(1)?];
    (net.legal[pair[0]] == net.legal[pair[1]].not()).then_some(pair)
}

fn replace(net: &Net, single_roles: bool) -> Net {
    let first_input = net.input_node(0);
    let roles = &net.names.role_start;
    let turns = turns(net);
    let role_of = |l: Lit| {
        let input = l.node().checked_sub(first_input)?;
        (input < net.inputs()).then(|| roles.partition_point(|&s| s <= input) - 1)
    };
    rebuild(net, Lit::of, |b, _, inputs| {
        // The gate is an AND; as an OR it joins the inverses of its inputs.
        let mut rest: Vec<Lit> = Vec::new();
        let mut members: Vec<Vec<Lit>> = vec![Vec::new(); roles.len() - 1];
        for &l in inputs {
            match role_of(l) {
                Some(role) if l.inverted() => members[role].push(l.not()),
                _ => rest.push(l),
            }
        }
        let others = |role: usize, set: &[Lit], wait: Option<usize>| -> Vec<Lit> {
            let chosen: rustc_hash::FxHashSet<Lit> = set.iter().copied().collect();
            (roles[role]..roles[role + 1])
                .filter(|&i| Some(i) != wait)
                .map(|i| Lit::of(first_input + i))
                .filter(|l| !chosen.contains(l))
                .collect()
        };
        if let Some(waits) = turns
            && members.iter().zip(waits).all(|(m, w)| !m.contains(&Lit::of(first_input + w)))
        {
            let mut all = others(0, &members[0], Some(waits[0]));
            all.extend(others(1, &members[1], Some(waits[1])));
            if all.len() < members[0].len() + members[1].len() {
                // None of the members means one of the others.
                rest.push(b.or(all));
                return b.and(rest);
            }
        }
        for (role, set) in members.iter().enumerate() {
            if !single_roles || set.len() * 2 <= roles[role + 1] - roles[role] || set.len() < 3 {
                rest.extend(set.iter().map(|l| l.not()));
            } else {
                rest.push(b.or(others(role, set, None)));
            }
        }
        b.and(rest)
    })
}
