//! Draws a net of gates as SVG, in layers from left to right. A gate stands to the right of all its inputs.
//!
//! # Source
//! K. Sugiyama, S. Tagawa, M. Toda, "Methods for Visual Understanding of Hierarchical System Structures" (1981). The
//! longest path to a gate gives its layer. The mean place of the gate's inputs gives its order inside the layer.
//!
//! # Cost
//! Four sweeps over all gates and wires.

use crate::escape::escape;
use std::fmt::Write as _;

/// The change of a gate's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change {
    /// No change.
    #[default]
    None,
    /// It became true.
    Rose,
    /// It became false.
    Fell,
}

/// A gate.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    /// Its label: `and`, `or`, a proposition's name.
    pub label: String,
    /// The name by which a page finds it.
    pub name: String,
    /// Whether it is true.
    pub is_true: bool,
    /// The change of its value.
    pub change: Change,
    /// Whether it is the current gate.
    pub is_current: bool,
    /// Its distance from the inputs.
    pub level: usize,
    /// The gates it reads, by index, and whether it reads the inverse.
    pub inputs: Vec<(usize, bool)>,
}

/// The distance of gates and of layers.
const ACROSS: f32 = 190.0;
const DOWN: f32 = 22.0;
/// A gate's width.
const WIDE: f32 = 140.0;

/// The net as SVG, with its legend above. True gates are filled and have a thick edge. Wires that carry true are thick,
/// wires that invert are dashed. Gates that changed have an arrow before their name. A gate is an element of class `v`
/// with its name in `data-v`. `percent` is the size of the picture; 100 is a pixel for each unit.
#[must_use]
pub fn draw(title: &str, gates: &[Gate], percent: usize) -> String {
    let layers = layers(gates);
    let mut at = vec![(0.0, 0.0); gates.len()];
    for (x, layer) in layers.iter().enumerate() {
        for (y, &gate) in layer.iter().enumerate() {
            at[gate] = (ACROSS.mul_add(x as f32, 10.0), DOWN.mul_add(y as f32, 44.0));
        }
    }
    let width = ACROSS.mul_add(layers.len().max(1) as f32, 20.0).max(620.0);
    let height = DOWN.mul_add(layers.iter().map(Vec::len).max().unwrap_or(0) as f32, 54.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{:.0}\" class=\"net\" \
         role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>",
        width * percent as f32 / 100.0,
        escape(title)
    );
    legend(&mut out);
    for (i, gate) in gates.iter().enumerate() {
        for &(input, inverse) in gate.inputs.iter().filter(|w| w.0 < gates.len()) {
            let ((x0, y0), (x1, y1)) = (at[input], at[i]);
            let (stroke, thick) =
                if gates[input].is_true ^ inverse { ("#d55e00", 1.8) } else { ("#999", 0.7) };
            let dashed = if inverse { " stroke-dasharray=\"4 3\"" } else { "" };
            let _ = write!(
                out,
                "<path d=\"M{} {y0}C{} {y0} {} {y1} {x1} {y1}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{thick}\"{dashed}/>",
                x0 + WIDE,
                x0 + WIDE + 25.0,
                x1 - 25.0
            );
        }
    }
    for (gate, &(x, y)) in gates.iter().zip(&at) {
        draw_gate(&mut out, gate, x, y);
    }
    out + "</svg>"
}

fn draw_gate(out: &mut String, gate: &Gate, x: f32, y: f32) {
    let (fill, thick) = if gate.is_true { ("#f0e442", 2.0) } else { ("#fff", 0.8) };
    let edge = if gate.is_current { "#cc79a7" } else { "#333" };
    let thick = if gate.is_current { 4.0 } else { thick };
    let sign = match gate.change {
        Change::None => "",
        Change::Rose => "\u{2191} ",
        Change::Fell => "\u{2193} ",
    };
    let text: String = gate.label.chars().take(24).collect();
    let _ = write!(
        out,
        "<g class=\"v\" data-v=\"{}\" data-true=\"{}\"><title>{}</title>\
         <rect x=\"{x}\" y=\"{}\" width=\"{WIDE}\" height=\"16\" rx=\"4\" fill=\"{fill}\" stroke=\"{edge}\" \
         stroke-width=\"{thick}\"/><text x=\"{}\" y=\"{}\" font-size=\"9\">{sign}{}</text></g>",
        escape(&gate.name),
        u8::from(gate.is_true),
        escape(&gate.label),
        y - 8.0,
        x + 5.0,
        y + 3.0,
        escape(&text)
    );
}

fn legend(out: &mut String) {
    let sign = |label: &str, is_true, change, is_current| Gate {
        label: label.into(),
        is_true,
        change,
        is_current,
        ..Gate::default()
    };
    for (n, gate) in [
        sign("filled: true", true, Change::None, false),
        sign("rose", true, Change::Rose, false),
        sign("fell", false, Change::Fell, false),
        sign("looked at now", false, Change::None, true),
    ]
    .iter()
    .enumerate()
    {
        draw_gate(out, gate, 150.0_f32.mul_add(n as f32, 10.0), 14.0);
    }
    out.push_str("<text x=\"10\" y=\"33\" font-size=\"9\" fill=\"#333\">thick wire: carries true; dashed wire: carries the inverse</text>");
}

/// Gates by level, ordered inside a level by their inputs and users.
fn layers(gates: &[Gate]) -> Vec<Vec<usize>> {
    // A part of a net may leave levels out.
    let mut levels: Vec<usize> = gates.iter().map(|g| g.level).collect();
    levels.sort_unstable();
    levels.dedup();
    let mut layers = vec![Vec::new(); levels.len()];
    for (i, gate) in gates.iter().enumerate() {
        layers[levels.partition_point(|&level| level < gate.level)].push(i);
    }
    let mut place = vec![0.0_f32; gates.len()];
    for _ in 0..4 {
        for layer in &mut layers {
            let mean = |i: usize| {
                let inputs = &gates[i].inputs;
                let sum: f32 = inputs.iter().filter_map(|&(g, _)| place.get(g)).sum();
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
