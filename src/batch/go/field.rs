//! Runs the task `Influence`: the influence of given sources, computed by the slow reference implementation of the
//! propagation.

use crate::number_text::counted;
use crate::record::expectation::{Differences, compare_figure};
use crate::record::rounded;
use crate::record::{Checked, Finding};
use crate::scene::position::GoInput;
use crate::scene::{Case, Expect, FieldPermeability, FieldSource, Scene, Task};
use serde_json::{Value, json};
use tengen_core::Diagnostic;
use tengen_go::board::{Color, Vertex};
use tengen_go::spread::Field;
use tengen_go::spread::reference;

/// The findings: the influence of both colours, and the order in which the last source's vertices were visited.
struct Found {
    field: Field,
    total: [Vec<f32>; 2],
    order: Vec<Vertex>,
}

/// Runs the task and checks its expectations.
pub(super) fn run(case: &Case, scene: &Scene, input: &GoInput) -> Result<Finding, Diagnostic> {
    let Task::Influence { sources, permeability, diagonal } = &scene.task else {
        return Err(case.fault("task:", "this task is no influence field"));
    };
    let board = &input.position.board;
    let size = board.size();
    let field = field(case, input, permeability, *diagonal)?;
    let total = [vec![0.0; board.padded_len()], vec![0.0; board.padded_len()]];
    let mut found = Found { field, total, order: Vec::new() };
    for source in sources {
        add_source(case, input, source, &mut found)?;
    }
    let expect = scene.expect.iter().map(|e| check(case, input, &found, e)).collect::<Result<_, _>>()?;
    let rows = |of: &[f32]| board.vertices().map(|v| rounded(of[v.at()])).collect::<Vec<Value>>();
    let names: Vec<String> = found.order.iter().map(|v| v.to_gtp(size)).collect();
    let result = json!({ "size": size, "influence": rows(&found.total[1]), "black": rows(&found.total[0]), "visits": names });
    let summary = format!("{} visited", counted("vertex", found.order.len()));
    Ok(Finding { result, expect, summary, ..Finding::default() })
}

fn at(case: &Case, input: &GoInput, name: &str) -> Result<Vertex, Diagnostic> {
    input
        .vertex(name)
        .filter(|v| *v != Vertex::PASS)
        .ok_or_else(|| case.fault(name, format!("`{name}` is no vertex of this board")).help("write `F6`"))
}

fn field(
    case: &Case,
    input: &GoInput,
    permeability: &[FieldPermeability],
    diagonal: f32,
) -> Result<Field, Diagnostic> {
    let board = &input.position.board;
    let mut field = Field::new(board.size());
    field.diagonal = diagonal;
    for v in board.vertices() {
        if let Some(color) = board.color_at(v) {
            field.blocked[v.at()] = true;
            field.permeability[color.other().index()][v.at()] = 0.0;
        }
    }
    for given in permeability {
        let v = at(case, input, &given.at)?;
        if !(0.0..=1.0).contains(&given.is) {
            return Err(case
                .fault(&given.at, "a permeability is from 0 to 1")
                .help("write `(at: \"F6\", is: 0.5)`"));
        }
        for color in Color::BOTH.into_iter().filter(|&c| given.color.is_none_or(|only| only == c)) {
            field.permeability[color.index()][v.at()] = given.is;
        }
    }
    Ok(field)
}

fn add_source(
    case: &Case,
    input: &GoInput,
    source: &FieldSource,
    found: &mut Found,
) -> Result<(), Diagnostic> {
    let v = at(case, input, &source.at)?;
    let sane = |x: f32| x.is_finite() && x > 0.0;
    if !sane(source.strength) || !sane(source.attenuation) {
        return Err(case
            .fault(&source.at, "a source's strength and attenuation are above 0")
            .help("write `(at: \"F6\", strength: 100, attenuation: 3)`"));
    }
    found.field.add_source(source.color, v, source.strength, source.attenuation);
    let (of_source, visited) = reference::accumulate(&found.field, source.color, v);
    let total = &mut found.total[source.color.index()];
    total.iter_mut().zip(of_source).for_each(|(t, c)| *t += c);
    found.order = visited;
    Ok(())
}

fn check(case: &Case, input: &GoInput, found: &Found, expect: &Expect) -> Result<Checked, Diagnostic> {
    let size = found.field.size;
    let mut differences = Differences::default();
    match expect {
        Expect::Field { color, rows } => {
            let of = &found.total[color.index()];
            compare_figure(case, size, rows, |v| Some(of[v.at()].trunc() as i64), &mut differences)?;
        }
        Expect::Visits { rows } => {
            let place = |v: Vertex| found.order.iter().position(|&o| o == v).map(|i| i as i64);
            compare_figure(case, size, rows, place, &mut differences)?;
        }
        Expect::Influence { at: name, color, is, within } => {
            let value = found.total[color.index()][at(case, input, name)?.at()];
            differences.near(&format!("influence at {name}"), Some(*is), value, *within);
        }
        _ => {
            return Err(case
                .fault("expect:", "this expectation means nothing for this task")
                .help("`Influence`, `Field` and `Visits` do"));
        }
    }
    Ok(differences.of(expect))
}
