//! Drops gates that no output needs.

use super::super::builder::rebuild;
use super::super::{Lit, Net};

/// The net without unused gates; the other gates stay unchanged.
pub(super) fn run(net: &Net) -> Net {
    rebuild(net, Lit::of, |b, _, inputs| b.append(inputs.iter().copied()))
}

/// Without the gates of goals and without idle bases.
pub(super) fn without_goals(net: &Net) -> Net {
    let mut cut = without_idle_bases(net);
    cut.goals.iter_mut().flatten().for_each(|l| *l = Lit::FALSE);
    run(&cut)
}

/// Drops the transitions of bases that neither terminal nor a legal proposition nor a goal depends on, in any number of
/// steps.
pub(super) fn without_idle_bases(net: &Net) -> Net {
    let mut needed = vec![false; net.nodes()];
    let goals = net.goals.iter().flatten();
    net.legal.iter().chain([&net.terminal]).chain(goals).for_each(|l| needed[l.node()] = true);
    loop {
        for g in (0..net.gates()).rev() {
            if needed[net.first_gate() + g] {
                net.gate(g).iter().for_each(|l| needed[l.node()] = true);
            }
        }
        let mut changed = false;
        for (base, &transition) in net.transitions.iter().enumerate() {
            if needed[net.base_node(base)] && !transition.is_constant() && !needed[transition.node()] {
                needed[transition.node()] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut cut = net.clone();
    for (base, transition) in cut.transitions.iter_mut().enumerate() {
        if !needed[net.base_node(base)] {
            *transition = Lit::FALSE;
        }
    }
    run(&cut)
}

/// The part for goals only.
pub(super) fn goals_only(net: &Net) -> Net {
    let mut cut = net.clone();
    cut.transitions.fill(Lit::FALSE);
    cut.legal.fill(Lit::FALSE);
    cut.terminal = Lit::FALSE;
    run(&cut)
}
