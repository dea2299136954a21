//! Checks whether a task is defined for a game.

use crate::scene::{Case, Domain, Input, Task};
use tengen_chess::rules::perft::MAX_DEPTH;
use tengen_core::Diagnostic;

/// Whether a case can be run at all; if not, why.
///
/// # Errors
/// The fault its input had, or that its task means nothing for its game.
pub fn supported(case: &Case) -> Result<(), Diagnostic> {
    if let Input::Fault(fault) = &case.input {
        return Err(fault.clone());
    }
    let Some(scene) = &case.scene else { return Ok(()) };
    if let Task::Perft { depth } = scene.task
        && depth > MAX_DEPTH
    {
        return Err(too_deep(case, depth));
    }
    let choices = match (scene.domain(), &scene.task) {
        (Domain::Go, Task::Search { .. } | Task::Perft { .. }) => {
            "`Analyse`, `SelfPlay`, `Playouts` and `Influence`"
        }
        (Domain::Chess, Task::Analyse { .. } | Task::Playouts { .. } | Task::Influence { .. }) => {
            "`Search`, `Perft` and `SelfPlay`"
        }
        (Domain::Gdl, Task::Analyse { .. } | Task::Influence { .. }) => {
            "`Playouts`, `Perft`, `Search` and `SelfPlay`"
        }
        _ => return Ok(()),
    };
    Err(case
        .fault("task:", format!("the task `{}` means nothing for this game", scene.task.name()))
        .help(format!("the tasks of this game are {choices}")))
}

/// The fault of a perft that no machine finishes, in any game.
pub(super) fn too_deep(case: &Case, depth: u32) -> Diagnostic {
    case.fault("depth:", format!("a perft of depth {depth} is deeper than {MAX_DEPTH}"))
        .help("counts grow with every ply: depths up to about 6 are usual")
}
