//! Orders the gates depth-first, so that each gate is stored near its inputs.

use super::super::builder::Builder;
use super::super::{Lit, Net};
use std::sync::Arc;

/// The net with its gates in depth-first order from the outputs; still topological.
pub(super) fn run(net: &Net) -> Net {
    let mut builder = Builder::new(Arc::clone(&net.names));
    let mut map: Vec<Option<Lit>> = vec![None; net.nodes()];
    (0..net.first_gate()).for_each(|n| map[n] = Some(Lit::of(n)));
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for output in net.legal.iter().copied().chain([net.terminal]).chain(net.outputs()) {
        if map[output.node()].is_none() {
            stack.push((output.node(), 0));
        }
        while let Some((node, edge)) = stack.last_mut() {
            let inputs = net.gate(*node - net.first_gate());
            match inputs.get(*edge) {
                Some(l) => {
                    *edge += 1;
                    if map[l.node()].is_none() {
                        stack.push((l.node(), 0));
                    }
                }
                None => {
                    let translated = inputs
                        .iter()
                        .map(|l| map[l.node()].expect("inputs come before the gate").xor(l.inverted()));
                    map[*node] = Some(builder.append(translated));
                    stack.pop();
                }
            }
        }
    }
    let translate = |l: &Lit| map[l.node()].expect("every output was visited").xor(l.inverted());
    builder.finish(
        net.transitions.iter().map(translate).collect(),
        net.legal.iter().map(translate).collect(),
        translate(&net.terminal),
        net.goals.iter().map(|g| g.iter().map(translate).collect()).collect(),
    )
}
