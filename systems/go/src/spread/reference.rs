//! The manual's breadth-first queue in its plain form. It is the reference of the kernel's tests and the baseline of
//! the bench.

use super::FINAL_FILTER;
use crate::board::{Color, Vertex};
use crate::spread::field::{DIRECTIONS, Field, PerColor, padded_len, vertices};
use std::collections::VecDeque;

/// The influence of both colours: what [`super::Spreader::spread`] computes.
#[must_use]
pub fn spread(field: &Field) -> PerColor<Vec<f32>> {
    let mut out = [vec![0.0; padded_len(field.size)], vec![0.0; padded_len(field.size)]];
    for color in Color::BOTH {
        for source in vertices(field.size) {
            if field.strength[color.index()][source.at()] > 0.0 {
                let (amounts, visited) = accumulate(field, color, source);
                add_amounts(field.cutoff, &amounts, &visited, &mut out[color.index()]);
            }
        }
    }
    out
}

/// Adds one source's amounts to the map. An amount barely above the cutoff is added only where there is nothing yet.
fn add_amounts(cutoff: f32, amounts: &[f32], visited: &[Vertex], out: &mut [f32]) {
    for v in visited {
        let amount = amounts[v.at()];
        if amount > cutoff * FINAL_FILTER || out[v.at()] == 0.0 {
            out[v.at()] += amount;
        }
    }
}

/// The contribution of one source to each vertex, and the vertices in the order in which they were handled.
#[must_use]
pub fn accumulate(field: &Field, color: Color, source: Vertex) -> (Vec<f32>, Vec<Vertex>) {
    let (size, c) = (field.size, color.index());
    let (m, n) = (source.row(size) as i32, source.col(size) as i32);
    let permeability = &field.permeability[c];
    let attenuation = field.attenuation[c][source.at()];
    let mut amounts = vec![0.0; padded_len(size)];
    amounts[source.at()] = field.strength[c][source.at()];
    let mut queue = VecDeque::from([source]);
    let mut visited = Vec::new();
    while let Some(v) = queue.pop_front() {
        visited.push(v);
        if permeability[v.at()] == 0.0 {
            continue;
        }
        let (i, j) = (v.row(size) as i32, v.col(size) as i32);
        let (a, b) = (i - m, j - n);
        for (di, dj) in DIRECTIONS {
            let scalar = di * a + dj * b;
            let step = |down: i32, right: i32| (v.at() as i32 + down * (size as i32 + 1) + right) as usize;
            let target = step(di, dj);
            if field.blocked[target] || (v != source && scalar <= 0) {
                continue;
            }
            let damping = if v == source {
                1.0
            } else {
                (scalar * scalar) as f32 / ((a * a + b * b) * (di * di + dj * dj)) as f32
            };
            let (squeeze, factor) = if di != 0 && dj != 0 {
                (permeability[step(di, 0)].max(permeability[step(0, dj)]), field.diagonal)
            } else {
                (1.0, 1.0)
            };
            let contribution =
                permeability[v.at()] * squeeze * amounts[v.at()] / (attenuation * factor) * damping;
            if contribution > field.cutoff {
                if amounts[target] == 0.0 {
                    queue.push_back(Vertex(target as u16));
                }
                amounts[target] += contribution;
            }
        }
    }
    (amounts, visited)
}
