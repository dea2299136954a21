//! Compares the expectations of rulesheet scenes with their results.

use super::Differences;
use crate::record::Checked;
use crate::scene::{Case, Expect};
use tengen_core::Diagnostic;

/// The findings of a task, in the terms of expectations.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The mean goal of each role but `random`; empty without playouts.
    pub goals: Vec<f64>,
    /// Whether there were playouts, and none of them ended.
    pub unfinished: bool,
    /// The best move.
    pub best: Option<String>,
    /// States counted.
    pub nodes: Option<u64>,
}

/// Checks one expectation against the findings.
///
/// # Errors
/// If it means nothing for the task.
pub fn check(
    case: &Case,
    expect: &Expect,
    found: &Found,
    is_terminal: bool,
    counts: &[usize],
) -> Result<Checked, Diagnostic> {
    let mut differences = Differences::default();
    match expect {
        Expect::Goals { are, within } if !found.goals.is_empty() => {
            differences.field("roles", Some(are.len()), found.goals.len());
            for (role, (&wanted, &goal)) in are.iter().zip(&found.goals).enumerate() {
                differences.near(&format!("the goal of role {role}"), Some(wanted), goal as f32, *within);
            }
        }
        Expect::Goals { .. } if found.unfinished => {
            differences.say("no game ended, so there are no goals".to_owned());
        }
        Expect::State { terminal, legal } => {
            differences.field("terminal", *terminal, is_terminal);
            differences.field("legal", legal.clone(), counts.to_vec());
        }
        Expect::Nodes(nodes) if found.nodes.is_some() => {
            differences.field("nodes", Some(Some(*nodes)), found.nodes);
        }
        Expect::BestMove(moves) if found.best.is_some() => {
            if !found.best.as_ref().is_some_and(|best| moves.contains(best)) {
                differences.say(format!("the best move is {}", found.best.as_deref().unwrap_or("none")));
            }
        }
        _ => {
            return Err(case
                .fault("expect:", "this expectation means nothing for this task")
                .help("`State`, and `Goals` with playouts, `Nodes` with perft, `BestMove` with a search"));
        }
    }
    Ok(differences.of(expect))
}
