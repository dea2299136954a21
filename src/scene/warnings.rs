//! Warnings about inputs that Tengen does not read or play exactly as written: their kinds, and the warnings of a case.

use super::{Case, Domain, Input, position, rulesheets};
use tengen_chess::rules::kinds as chess;
use tengen_core::diagnostic::{Diagnostic, Severity};
use tengen_go::board::sgf::kinds as sgf;

/// A move of a game of Go can't be played, and the position before it is taken.
pub const ILLEGAL_MOVE: &str = "go-illegal-move";
/// A rulesheet makes no net, and its prover plays.
pub const FALL_BACK: &str = "gdl-no-net";

/// The kinds that belong to no library, with their meanings.
const OWN: [(&str, &str); 2] = [
    (
        ILLEGAL_MOVE,
        "a move of a record is illegal; with `--illegal-moves warning` the case uses the position before it",
    ),
    (FALL_BACK, "a rulesheet makes no net within the limits; the prover plays it"),
];

/// Every kind of warning of records, with its meaning: the table of `docs/warnings.md`.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    sgf::ALL.into_iter().chain(chess::ALL).chain(OWN)
}

/// The warnings of a case's input.
#[must_use]
pub fn of(case: &Case) -> Vec<Diagnostic> {
    match (case.domain(), &case.input) {
        (_, Input::Fault(_)) => Vec::new(),
        (Some(Domain::Go), _) => position::warnings(case),
        (Some(Domain::Gdl), _) => rulesheets::warnings(case),
        _ => case.origin.iter().flat_map(|origin| origin.warnings.clone()).chain(of_scene(case)).collect(),
    }
}

/// The warnings of the position that a scene of chess itself describes.
fn of_scene(case: &Case) -> Vec<Diagnostic> {
    let Some(super::Game::Chess { fen: Some(text), .. }) = case.scene.as_ref().and_then(|s| s.game.as_ref())
    else {
        return Vec::new();
    };
    let setup = tengen_chess::rules::fen::parse(text);
    let placed = |warning: Diagnostic| match &case.source {
        Some(source) if !source.text.is_empty() => {
            let scene = case.scene.as_ref().map_or("", |scene| &scene.name);
            warning.in_file(source.name()).at(source.place(scene, text))
        }
        _ => warning,
    };
    setup.map_or(Vec::new(), |setup| setup.warnings().into_iter().map(placed).collect())
}

/// A warning as the error that `--strict` makes of it.
#[must_use]
pub fn as_error(warning: &Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Error, ..warning.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_page_of_warnings_lists_every_kind_once() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/warnings.md"))
            .expect("a page");
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        let wanted: Vec<String> =
            kinds().map(|(kind, meaning)| format!("| `{kind}` | {meaning} |")).collect();
        assert_eq!(rows, wanted, "docs/warnings.md is out of date:\n{}", wanted.join("\n"));
        assert_eq!(kinds().map(|(kind, _)| kind).collect::<BTreeSet<_>>().len(), rows.len());
    }
}
