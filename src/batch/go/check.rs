//! Checks expectations of Go scenes against what was found.

use super::Analysed;
use crate::batch::Checked;
use crate::scene::position::GoInput;
use crate::scene::{Case, Expect};
use std::cmp::Ordering;
use tengen_core::Diagnostic;
use tengen_go::board::Vertex;

/// The differences found so far, one sentence each.
#[derive(Default)]
pub(super) struct Differences(Vec<String>);

impl Differences {
    /// Compares a field, if the scene says what it should be.
    pub(super) fn field<T: PartialEq + std::fmt::Debug>(
        &mut self,
        name: &str,
        expected: Option<T>,
        found: T,
    ) {
        if let Some(expected) = expected
            && expected != found
        {
            self.0.push(format!("{name} is {found:?}, not {expected:?}"));
        }
    }

    /// Compares a float.
    pub(super) fn near(&mut self, name: &str, expected: Option<f32>, found: f32, within: f32) {
        // A NaN is near nothing.
        let far = |expected: f32| (expected - found).abs().partial_cmp(&within).is_none_or(Ordering::is_gt);
        if let Some(expected) = expected.filter(|&e| far(e)) {
            self.0.push(format!("{name} is {found:.4}, not {expected}"));
        }
    }

    /// Says that something else is otherwise.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }

    /// The checked expectation.
    pub(super) fn of(self, expect: &Expect) -> Checked {
        let text = ron::to_string(expect).unwrap_or_else(|_| format!("{expect:?}"));
        Checked { expect: text, ok: self.0.is_empty(), found: self.0 }
    }
}

/// The vertex a scene names.
pub(super) fn vertex(case: &Case, input: &GoInput, name: &str) -> Result<Vertex, Diagnostic> {
    input.vertex(name).filter(|v| *v != Vertex::PASS).ok_or_else(|| {
        case.fault(name, format!("`{name}` is no vertex of this board"))
            .help("a vertex is spelled like `D4`, without the letter I, or is a letter of the diagram")
    })
}

/// Checks one expectation.
///
/// # Errors
/// If the expectation names something that isn't there, or means nothing for an analysis.
pub(super) fn check(case: &Case, analysed: &Analysed, expect: &Expect) -> Result<Checked, Diagnostic> {
    let mut differences = Differences::default();
    match expect {
        Expect::Worm { at, .. } => {
            let v = vertex(case, analysed.input, at)?;
            differences.say(format!("worms are not known yet at {v:?}"));
        }
        _ => {
            return Err(case
                .fault("expect:", "this expectation means nothing for this task")
                .help("see scenes/README.md for the expectations of each task"));
        }
    }
    Ok(differences.of(expect))
}

/// Checks the vertices an expectation names.
pub(super) fn names(case: &Case, input: &GoInput, expect: &Expect) -> Result<(), Diagnostic> {
    let names: Vec<&String> = match expect {
        Expect::Worm { at, .. } | Expect::Distance { at, .. } | Expect::Influence { at, .. } => vec![at],
        Expect::Move { at, .. } => vec![at],
        Expect::Liberties { of, are, .. } => are.iter().chain([of]).collect(),
        Expect::Dragon { at, with, apart, .. } => with.iter().chain(apart).chain([at]).collect(),
        Expect::Territory { at, .. } => at.iter().collect(),
        _ => Vec::new(),
    };
    names.into_iter().try_for_each(|name| vertex(case, input, name).map(|_| ()))
}
