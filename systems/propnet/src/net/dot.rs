//! Prints the net as a Graphviz digraph.

use super::{Lit, Net};
use std::fmt::Write as _;

/// The net in the DOT language: bases as boxes, inputs as diamonds, gates as circles, inverted inputs dashed.
#[must_use]
pub fn dot(net: &Net) -> String {
    let mut out = String::from("digraph net {\n  rankdir=LR;\n");
    for (n, name) in net.names.bases.iter().enumerate() {
        let _ = writeln!(out, "  n{} [shape=box,label={name:?}];", net.base_node(n));
    }
    for (n, name) in net.names.moves.iter().enumerate() {
        let role = net.names.role_start.partition_point(|&s| s <= n) - 1;
        let label = format!("{} {name}", net.names.roles[role]);
        let _ = writeln!(out, "  n{} [shape=diamond,label={label:?}];", net.input_node(n));
    }
    for g in 0..net.gates() {
        let node = net.first_gate() + g;
        let _ = writeln!(out, "  n{node} [shape=circle,label=\"and\"];");
        net.gate(g).iter().for_each(|&l| edge(&mut out, l, &format!("n{node}")));
    }
    let output = |out: &mut String, label: String, lit: Lit| {
        let id = format!("{label:?}");
        let _ = writeln!(out, "  {id} [shape=plaintext];");
        edge(out, lit, &id);
    };
    for (n, &lit) in net.transitions.iter().enumerate() {
        output(&mut out, format!("next {}", net.names.bases[n]), lit);
    }
    for (n, &lit) in net.legal.iter().enumerate() {
        let role = net.names.role_start.partition_point(|&s| s <= n) - 1;
        output(&mut out, format!("legal {} {}", net.names.roles[role], net.names.moves[n]), lit);
    }
    output(&mut out, "terminal".to_owned(), net.terminal);
    for (role, lits) in net.goals.iter().enumerate() {
        for (value, &lit) in net.names.goal_values[role].iter().zip(lits) {
            output(&mut out, format!("goal {} {value}", net.names.roles[role]), lit);
        }
    }
    out.push_str("}\n");
    out
}

fn edge(out: &mut String, lit: Lit, to: &str) {
    let style = if lit.inverted() { " [style=dashed]" } else { "" };
    let _ = writeln!(out, "  n{} -> {to}{style};", lit.node());
}
