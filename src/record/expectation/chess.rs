//! Compares the expectations of chess scenes with the results of searches and perft.

use crate::record::Checked;
use crate::scene::{Case, Expect};
use tengen_chess::history::Game;
use tengen_chess::rules::notation;
use tengen_chess::search::report::mate_in;
use tengen_core::Diagnostic;

/// The findings of a task, in the terms of expectations.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The best move in UCI form.
    pub best: Option<String>,
    /// The score in centipawns, or the exact value.
    pub score: Option<i32>,
    /// Positions counted.
    pub nodes: Option<u64>,
}

/// A move in UCI form as SAN; any other text stays.
#[must_use]
pub fn in_san(game: &Game, text: &str) -> String {
    let board = game.board();
    notation::parse_uci(board, text).map_or_else(|_| text.to_owned(), |mv| notation::san(board, mv))
}

/// Checks one expectation against the findings.
///
/// # Errors
/// If it means nothing for chess, or names no move.
pub fn check(case: &Case, game: &Game, found: &Found, expect: &Expect) -> Result<Checked, Diagnostic> {
    let mut differences = Vec::new();
    match expect {
        Expect::BestMove(moves) | Expect::AvoidMove(moves) => {
            let is_wanted = matches!(expect, Expect::BestMove(_));
            let name = if is_wanted { "BestMove" } else { "AvoidMove" };
            let legal = |text: &String| {
                let board = game.board();
                notation::parse_uci(board, text)
                    .or_else(|_| notation::parse_san(board, text))
                    .map(|mv| notation::uci(board, mv, game.chess960()))
                    .map_err(|e| case.fault(name, e.to_string()).help("write moves as e2e4 or in SAN"))
            };
            let named = moves.iter().map(legal).collect::<Result<Vec<_>, _>>()?;
            if found.best.as_ref().is_none_or(|best| named.contains(best) != is_wanted) {
                let best = found.best.as_deref().unwrap_or("none");
                // In the notation of the expectation.
                let are_uci = moves.iter().all(|text| notation::parse_uci(game.board(), text).is_ok());
                let best = if are_uci { best.to_owned() } else { in_san(game, best) };
                differences.push(format!("the best move is {best}"));
            }
        }
        Expect::Score { at_least, at_most, mate } => {
            let score = found.score.unwrap_or(0);
            let value = score as f32;
            if at_least.is_some_and(|least| value < least) || at_most.is_some_and(|most| value > most) {
                differences.push(format!("the score is {score}"));
            }
            if mate.is_some() && *mate != mate_in(score) {
                differences.push(format!("the score {score} is not that mate"));
            }
        }
        Expect::Nodes(nodes) => {
            if found.nodes != Some(*nodes) {
                differences
                    .push(format!("there are {}", found.nodes.map_or("none".into(), |n| n.to_string())));
            }
        }
        other => {
            let text = ron::to_string(other).unwrap_or_default();
            return Err(case
                .fault("expect:", format!("`{text}` means nothing for chess"))
                .help("chess scenes expect `BestMove`, `AvoidMove`, `Score` and `Nodes`"));
        }
    }
    let text = ron::to_string(expect).unwrap_or_else(|_| format!("{expect:?}"));
    Ok(Checked { expect: text, ok: differences.is_empty(), found: differences })
}
