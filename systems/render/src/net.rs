//! A net of gates as SVG, in layers from left to right: a gate stands right of all it reads.
//!
//! # Source
//! K. Sugiyama, S. Tagawa, M. Toda, "Methods for Visual Understanding of Hierarchical System Structures" (1981): the
//! layers by longest path, then the order inside a layer by the mean place of what a gate reads.
//!
//! # Cost
//! Gates and wires, times four sweeps.

use crate::escape;
use std::fmt::Write as _;

/// A gate.
#[derive(Clone, Debug)]
pub struct Gate {
    /// What it is: `and`, `or`, `not`, a proposition's name.
    pub label: String,
    /// Whether it is true.
    pub is_true: bool,
    /// How far from the inputs.
    pub level: usize,
    /// The gates it reads, by index.
    pub inputs: Vec<usize>,
}

/// How far gates and layers are apart.
const ACROSS: f32 = 170.0;
const DOWN: f32 = 22.0;

/// The net as SVG: true gates filled, their wires thick. A gate is an element of class `v` with its index in `data-v`.
#[must_use]
pub fn draw(title: &str, gates: &[Gate]) -> String {
    let layers = layers(gates);
    let mut at = vec![(0.0, 0.0); gates.len()];
    for (x, layer) in layers.iter().enumerate() {
        for (y, &gate) in layer.iter().enumerate() {
            at[gate] = (ACROSS.mul_add(x as f32, 10.0), DOWN.mul_add(y as f32, 20.0));
        }
    }
    let width = ACROSS.mul_add(layers.len().max(1) as f32, 20.0);
    let height = DOWN.mul_add(layers.iter().map(Vec::len).max().unwrap_or(0) as f32, 30.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" class=\"net\" role=\"img\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>",
        escape(title)
    );
    for (i, gate) in gates.iter().enumerate() {
        for &input in gate.inputs.iter().filter(|&&g| g < gates.len()) {
            let ((x0, y0), (x1, y1)) = (at[input], at[i]);
            let (stroke, thick) = if gates[input].is_true { ("#d55e00", 1.8) } else { ("#999", 0.7) };
            let _ = write!(
                out,
                "<path d=\"M{} {y0}C{} {y0} {} {y1} {x1} {y1}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{thick}\"/>",
                x0 + 120.0,
                x0 + 145.0,
                x1 - 25.0
            );
        }
    }
    for (i, gate) in gates.iter().enumerate() {
        let (x, y) = at[i];
        let (fill, thick) = if gate.is_true { ("#f0e442", 2.0) } else { ("#fff", 0.8) };
        let text: String = gate.label.chars().take(20).collect();
        let _ = write!(
            out,
            "<g class=\"v\" data-v=\"{i}\"><title>{}</title>\
             <rect x=\"{x}\" y=\"{}\" width=\"120\" height=\"16\" rx=\"4\" fill=\"{fill}\" stroke=\"#333\" stroke-width=\"{thick}\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"9\">{}</text></g>",
            escape(&gate.label),
            y - 8.0,
            x + 5.0,
            y + 3.0,
            escape(&text)
        );
    }
    out.push_str("</svg>");
    out
}

/// Gates by level, those of a level in the order of what they read and what reads them.
fn layers(gates: &[Gate]) -> Vec<Vec<usize>> {
    let count = gates.iter().map(|g| g.level + 1).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); count];
    for (i, gate) in gates.iter().enumerate() {
        layers[gate.level].push(i);
    }
    let mut place = vec![0.0_f32; gates.len()];
    for _ in 0..4 {
        for layer in &mut layers {
            let mean = |i: usize| {
                let inputs = &gates[i].inputs;
                let sum: f32 = inputs.iter().filter_map(|&g| place.get(g)).sum();
                if inputs.is_empty() { place[i] } else { sum / inputs.len() as f32 }
            };
            let mut keyed: Vec<(f32, usize)> = layer.iter().map(|&i| (mean(i), i)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            *layer = keyed.into_iter().map(|(_, i)| i).collect();
            for (y, &i) in layer.iter().enumerate() {
                place[i] = y as f32;
            }
        }
    }
    layers
}
