//! The published suite of repetition cases: the form of a case, the code that makes cases, and the slow reference that
//! proves them.
//!
//! | module | what |
//! | --- | --- |
//! | [`oracle`] | the rules of the game as a program without tables or keys: proofs of wins, losses and draws |
//! | [`make`] | random positions with games around them; a case counts only if the oracle proves its point |
//!
//! The cases lie in `resources/chess/repetition/cases.jsonl`, one JSON object for each line.

pub mod make;
pub mod oracle;

use crate::exact::{ExactOptions, reference, solve};
use crate::history::{Game, GameError, Policy};
use crate::repetition::Scheme;
use crate::rules::notation;
use oracle::Oracle;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// `GROUP.NUMBER`.
    pub id: String,
    /// Its group.
    pub group: String,
    /// Start of the game.
    pub fen: String,
    /// Moves to the position asked about, in UCI form, separated by spaces.
    pub moves: String,
    /// The question and its answer.
    pub ask: Ask,
}

/// The question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Ask {
    /// For a program that plays: which move.
    Move {
        /// Right moves: all of them are proved. Empty: any move that is not to be avoided.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        best: Vec<String>,
        /// Wrong moves: all of them are proved.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        avoid: Vec<String>,
        /// The oracle's proofs for root moves: `win N`, `loss N` (mate in N plies), `draw` (at once), `draw N`
        /// (forced by checks, in N plies).
        proof: BTreeMap<String, String>,
        /// The move a program without the game's history, or without the rule, is drawn to.
        tempting: String,
    },
    /// For a fixed-depth search: the history-aware minimax value under each policy.
    Value {
        /// Plies.
        depth: u32,
        /// By policy letter.
        values: BTreeMap<String, i32>,
        /// Positions the reference visited, all policies together.
        reference_nodes: u64,
    },
    /// For a program that keeps the rules: facts of the game.
    Facts {
        /// Occurrences of the position, itself included.
        occurrences: usize,
        /// Occurrences of the same placement and side to move, for any rights and en passant.
        placements: usize,
        /// Plies since a capture or pawn move.
        clock: u16,
        /// Moves after which the position has occurred three times or more.
        to_third: Vec<String>,
    },
}

impl Case {
    /// The game up to the position asked about.
    ///
    /// # Errors
    /// If the case is no game.
    pub fn game(&self) -> Result<Game, GameError> {
        Game::from_text(&self.fen, self.moves.split_whitespace())
    }
}

/// Makes the proof of a case again, by the slow reference alone; gives what does not hold.
///
/// # Errors
/// If the case is no game.
pub fn prove(case: &Case) -> Result<Vec<String>, GameError> {
    let game = case.game()?;
    let start = game.start();
    let mut oracle = Oracle::new(&start.board, u32::from(start.clock), game.moves(), u64::MAX);
    let mut faults = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            faults.push(what);
        }
    };
    match &case.ask {
        Ask::Move { best, avoid, proof, tempting } => {
            for (text, said) in proof {
                let Ok(mv) = notation::parse_uci(game.board(), text) else {
                    check(false, format!("{text} is not legal"));
                    continue;
                };
                let (what, plies) = said.split_once(' ').unwrap_or((said, "0"));
                let plies = plies.parse().unwrap_or(0);
                let holds = match what {
                    "win" => oracle.wins_by(mv, plies) == Some(plies),
                    "loss" => oracle.loses_by(mv, plies) == Some(plies),
                    _ if plies > 0 => oracle.draws_by_checks(mv, plies) == Some(plies),
                    _ => oracle.draws_at_once(mv),
                };
                check(holds, format!("{text}: {said}"));
            }
            let told = |mv: &String, words: &[&str]| {
                proof.get(mv).is_some_and(|said| words.iter().any(|word| said.starts_with(word)))
            };
            check(best.iter().all(|mv| told(mv, &["win", "draw"])), "a best move has no proof".to_owned());
            check(
                avoid.iter().all(|mv| told(mv, &["loss", "draw"])),
                "a move to avoid has no proof".to_owned(),
            );
            check(avoid.contains(tempting), "the tempting move is not to be avoided".to_owned());
        }
        Ask::Value { depth, values, .. } => {
            for policy in Policy::ALL {
                let value = reference::value(&game, *depth, policy, u64::MAX >> 1);
                check(values.get(policy.name()).copied() == value, format!("policy {}", policy.name()));
            }
        }
        Ask::Facts { occurrences, placements, clock, to_third } => {
            check(oracle.occurrences() == *occurrences, "occurrences".to_owned());
            check(oracle.placements() == *placements, "placements".to_owned());
            check(oracle.clock() == u32::from(*clock), "clock".to_owned());
            let moves: Vec<String> =
                oracle.to_third().into_iter().map(|mv| notation::uci(game.board(), mv, false)).collect();
            check(moves == *to_third, "moves to the third occurrence".to_owned());
        }
    }
    Ok(faults)
}

/// The number of policies under which a scheme gives another value than the case; 0 for cases without a value.
///
/// # Errors
/// If the case is no game.
pub fn wrong_values(case: &Case, scheme: Scheme, threads: usize) -> Result<u32, GameError> {
    let Ask::Value { depth, values, .. } = &case.ask else { return Ok(0) };
    let game = case.game()?;
    let wrong = |policy: Policy| {
        let options = ExactOptions { depth: *depth, policy, scheme, threads, ..ExactOptions::default() };
        values.get(policy.name()).copied() != Some(solve(&game, options).value)
    };
    Ok(Policy::ALL.into_iter().map(|policy| u32::from(wrong(policy))).sum())
}

/// The wrong answers of the engine's own history module to a case of facts.
///
/// # Errors
/// If the case is no game.
pub fn wrong_facts(case: &Case) -> Result<Vec<&'static str>, GameError> {
    let Ask::Facts { occurrences, clock, to_third, .. } = &case.ask else { return Ok(Vec::new()) };
    let game = case.game()?;
    let third = |mv: &cozy_chess::Move| {
        let mut next = game.clone();
        next.play(*mv);
        next.occurrences() >= 3
    };
    let moves: Vec<String> = notation::legal_moves(game.board())
        .into_iter()
        .filter(third)
        .map(|mv| notation::uci(game.board(), mv, false))
        .collect();
    let facts = [
        ("occurrences", game.occurrences() == *occurrences),
        ("clock", game.clock() == *clock),
        ("to_third", moves == *to_third),
    ];
    Ok(facts.into_iter().filter_map(|(name, right)| (!right).then_some(name)).collect())
}

#[cfg(test)]
mod tests;
