//! Finds patterns that are the same in another orientation, and declared symmetries that do not hold.

use super::matcher::Orientation;
use super::{Pattern, Symmetry};
use std::collections::BTreeMap;
use tengen_core::{Diagnostic, Position};

/// A diagram in one orientation, with its edges as rows and columns of `#`.
fn oriented(pattern: &Pattern, orientation: Orientation) -> Vec<String> {
    let (rows, cols) = pattern.extent();
    let mut cells: BTreeMap<(i8, i8), char> = BTreeMap::new();
    let mut put = |row: i8, col: i8, c: char| {
        cells.insert(orientation.turn((row, col)), c);
    };
    for (row, line) in pattern.diagram.iter().enumerate() {
        for (col, &c) in line.iter().enumerate() {
            put(row as i8, col as i8, c);
        }
    }
    for col in 0..cols as i8 {
        if pattern.edges.top {
            put(-1, col, '#');
        }
        if pattern.edges.bottom {
            put(rows as i8, col, '#');
        }
    }
    for row in 0..rows as i8 {
        if pattern.edges.left {
            put(row, -1, '#');
        }
        if pattern.edges.right {
            put(row, cols as i8, '#');
        }
    }
    let mut lines: BTreeMap<i8, String> = BTreeMap::new();
    for ((row, _), c) in cells {
        lines.entry(row).or_default().push(c);
    }
    lines.into_values().collect()
}

/// Warnings about patterns with the diagram, class and condition of an earlier one in some orientation. Also warnings
/// about declared symmetries that the diagram does not have.
pub(super) fn check(patterns: &[Pattern]) -> Vec<Diagnostic> {
    let mut seen: BTreeMap<(Vec<String>, String), &Pattern> = BTreeMap::new();
    let mut warnings = Vec::new();
    for pattern in patterns {
        let at = Position { line: pattern.line, column: 1 };
        let forms: Vec<Vec<String>> = (0..8).map(|i| oriented(pattern, Orientation(i))).collect();
        let least = forms.iter().min().cloned().unwrap_or_default();
        let rest =
            format!("{} {:?} {:?} {:?}", pattern.class, pattern.values, pattern.constraint, pattern.actions);
        if let Some(first) = seen.get(&(least.clone(), rest.clone())) {
            let message =
                format!("pattern {}: the same as {} in line {}", pattern.name, first.name, first.line);
            warnings.push(Diagnostic::warning(message).at(at).help("take one of them away"));
        } else {
            seen.insert((least, rest), pattern);
        }
        let distinct: std::collections::BTreeSet<&Vec<String>> = forms.iter().collect();
        let declared = pattern.symmetry.orientations().len();
        if distinct.len() > declared && pattern.symmetry != Symmetry::None {
            let message = format!(
                "pattern {}: it has {} orientations, its symmetry gives {declared}",
                pattern.name,
                distinct.len()
            );
            warnings.push(Diagnostic::warning(message).at(at).help("write 8 if it isn't symmetric"));
        }
    }
    warnings
}
