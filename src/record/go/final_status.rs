//! The final status in expectations: the answer of GTP's `final_status_list`.

use super::Analysed;
use super::check::{Differences, stage, vertex};
use crate::scene::{Case, Expect};
use tengen_core::Diagnostic;
use tengen_go::Effort;
use tengen_go::score::{self, Status};

/// Checks `FinalStatus`.
///
/// # Errors
/// If a string is named by an empty vertex, or the stage that finds dragons was not asked for.
pub(super) fn check(
    case: &Case,
    analysed: &Analysed,
    expect: &Expect,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    let Expect::FinalStatus { dead, seki } = expect else { return Ok(()) };
    let position = &analysed.input.position;
    let board = &position.board;
    let mut wanted = vec![Status::Alive; board.size() * board.size()];
    for (names, status) in [(dead, Status::Dead), (seki, Status::Seki)] {
        for name in names {
            let v = vertex(case, analysed.input, name)?;
            if board.is_empty(v) {
                let fault = case.fault(name, format!("`{name}` is empty"));
                return Err(fault.help("name a stone of the string"));
            }
            board.stones(v).for_each(|s| wanted[s.index(board.size())] = status);
        }
    }
    let dragons = analysed.dragons().ok_or_else(|| stage(case, "Dragons"))?;
    let spent = analysed.engine.world().resource::<Effort>().status;
    let found = score::final_status(board, position.to_move, case.seed, spent, Some(dragons));
    for v in board.vertices().filter(|&v| !board.is_empty(v) && board.origin(v) == v) {
        let wanted = wanted[v.index(board.size())];
        if found.at(v) != wanted {
            let name = v.to_gtp(board.size());
            differences.say(format!("the string at {name} is {}, not {}", found.at(v).name(), wanted.name()));
        }
    }
    Ok(())
}
