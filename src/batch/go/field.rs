//! The task `Influence`: the field of lone sources on an empty board, by the plain reference of the propagation.

use super::check::Differences;
use crate::batch::record::rounded;
use crate::batch::{Case, Finding};
use crate::scene::position::GoInput;
use crate::scene::{Expect, FieldSource, Scene};
use serde_json::{Value, json};
use tengen_core::Diagnostic;
use tengen_go::board::{Color, Vertex};
use tengen_go::influence::Field;
use tengen_go::influence::spread::reference;

/// Runs the task and checks its expectations.
pub(super) fn run(
    case: &Case,
    scene: &Scene,
    input: &GoInput,
    sources: &[FieldSource],
    diagonal: f32,
) -> Result<Finding, Diagnostic> {
    let board = &input.position.board;
    let size = board.size();
    let mut field = Field::new(size);
    field.diagonal = diagonal;
    for v in board.vertices().filter(|&v| !board.is_empty(v)) {
        field.blocked[v.at()] = true;
    }
    let mut order = Vec::new();
    let mut total = vec![0.0_f32; board.padded_len()];
    for source in sources {
        let at = input.vertex(&source.at).filter(|v| *v != Vertex::PASS).ok_or_else(|| {
            case.fault(&source.at, format!("`{}` is no vertex of this board", source.at)).help("write `F6`")
        })?;
        let sane = |x: f32| x.is_finite() && x > 0.0;
        if !sane(source.strength) || !sane(source.attenuation) {
            return Err(case
                .fault(&source.at, "a source's strength and attenuation are above 0")
                .help("write `(at: \"F6\", strength: 100, attenuation: 3)`"));
        }
        field.add_source(Color::White, at, source.strength, source.attenuation);
        let (of_source, visited) = reference::accumulate(&field, Color::White, at);
        total.iter_mut().zip(of_source).for_each(|(t, c)| *t += c);
        order = visited;
    }
    let rows: Vec<Value> = board.vertices().map(|v| rounded(total[v.at()])).collect();
    let names: Vec<String> = order.iter().map(|v| v.to_gtp(size)).collect();
    let expect = scene
        .expect
        .iter()
        .map(|e| {
            let mut differences = Differences::default();
            match e {
                Expect::Field { rows, .. } => {
                    let found = |v: Vertex| Some(total[v.at()].trunc() as i64);
                    compare(case, size, rows, found, &mut differences)?;
                }
                Expect::Visits { rows } => {
                    let found = |v: Vertex| order.iter().position(|&o| o == v).map(|i| i as i64);
                    compare(case, size, rows, found, &mut differences)?;
                }
                Expect::Influence { at, is, within, .. } => {
                    let v = input.vertex(at).ok_or_else(|| case.fault(at, "no vertex of this board"))?;
                    differences.near(&format!("influence at {at}"), Some(*is), total[v.at()], *within);
                }
                _ => {
                    return Err(case
                        .fault("expect:", "this expectation means nothing for this task")
                        .help("`Influence`, `Field` and `Visits` do"));
                }
            }
            Ok(differences.of(e))
        })
        .collect::<Result<_, _>>()?;
    let result = json!({ "size": size, "influence": rows, "visits": names });
    Ok(Finding { result, expect, summary: format!("{} vertices visited", order.len()) })
}

/// Compares a figure of whole numbers, one row a line; what is no number is not looked at.
pub(super) fn compare(
    case: &Case,
    size: usize,
    figure: &str,
    found: impl Fn(Vertex) -> Option<i64>,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    let cells: Vec<&str> = figure.split_whitespace().collect();
    if cells.len() != size * size {
        return Err(case
            .fault("rows:", format!("the figure has {} cells, the board {}", cells.len(), size * size))
            .help("write one cell a vertex, `+` or `X` where nothing is expected"));
    }
    for (index, cell) in cells.iter().enumerate() {
        let v = Vertex::from_index(index, size);
        if let Ok(expected) = cell.parse::<i64>() {
            differences.field(&v.to_gtp(size), Some(Some(expected)), found(v));
        }
    }
    Ok(())
}
