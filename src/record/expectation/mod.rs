//! Compares the expectations of scenes with the findings. Each game has a file, and self-play has one.

pub mod chess;
pub mod gdl;
pub mod go;
pub mod selfplay;

use super::Checked;
use crate::scene::{Case, Expect};
use ron::extensions::Extensions;
use serde_json::Value;
use std::cmp::Ordering;
use tengen_core::Diagnostic;
use tengen_go::board::Vertex;

/// The differences found so far, one sentence each.
#[derive(Default)]
pub struct Differences(Vec<String>);

impl Differences {
    /// Compares a field, if the scene gives an expected value.
    pub fn field<T: PartialEq + std::fmt::Debug>(&mut self, name: &str, expected: Option<T>, found: T) {
        if let Some(expected) = expected
            && expected != found
        {
            self.0.push(format!("{name} is {found:?}, not {expected:?}"));
        }
    }

    /// Compares a float.
    pub fn near(&mut self, name: &str, expected: Option<f32>, found: f32, within: f32) {
        // A NaN is near nothing.
        let far = |expected: f32| (expected - found).abs().partial_cmp(&within).is_none_or(Ordering::is_gt);
        if let Some(expected) = expected.filter(|&e| far(e)) {
            self.0.push(format!("{name} is {found:.4}, not {expected}"));
        }
    }

    /// Compares a float with bounds.
    pub fn within(&mut self, name: &str, least: Option<f32>, most: Option<f32>, found: f32) {
        if least.is_some_and(|least| found < least) || most.is_some_and(|most| found > most) || found.is_nan()
        {
            self.0.push(format!("{name} is {found:.4}"));
        }
    }

    /// Notes a difference.
    pub fn say(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }

    /// The checked expectation.
    pub fn of(self, expect: &Expect) -> Checked {
        let plain = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        let text = plain.to_string(expect).unwrap_or_else(|_| format!("{expect:?}"));
        Checked { expect: text, ok: self.0.is_empty(), found: self.0 }
    }
}

/// Checks `Column`: a value anywhere in the result.
#[must_use]
pub fn column(result: &Value, expect: &Expect) -> Checked {
    let mut differences = Differences::default();
    if let Expect::Column { name, is, within } = expect {
        match (result.pointer(&format!("/{name}")), is) {
            (None, _) => differences.say(format!("there is no column {name}")),
            (Some(Value::Number(found)), Value::Number(wanted)) => {
                let (found, wanted) = (found.as_f64().unwrap_or(f64::NAN), wanted.as_f64());
                differences.near(name, wanted.map(|w| w as f32), found as f32, *within);
            }
            (Some(found), wanted) if found != wanted => {
                differences.say(format!("{name} is {found}, not {wanted}"))
            }
            _ => {}
        }
    }
    differences.of(expect)
}

/// Compares a figure of whole numbers, one row a line; other words are ignored.
pub fn compare_figure(
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
