//! Compares expectations about the final status with the findings, which are the answer of GTP's `final_status_list`.

use super::GoExpectation;
use crate::record::expectation::Differences;
use crate::record::go::Analysed;
use crate::scene::Expect;
use tengen_core::Diagnostic;
use tengen_go::finished::StatusFinder;
use tengen_go::score::Status;

impl GoExpectation<'_> {
    /// Compares `FinalStatus`.
    ///
    /// # Errors
    /// If a string is named by an empty vertex, or the stage that finds dragons was not asked for.
    pub(super) fn compare_final_status(
        &self,
        analysed: &Analysed,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let Expect::FinalStatus { dead, seki } = self.expect else { return Ok(()) };
        let position = &analysed.input.position;
        let board = &position.board;
        let mut wanted = vec![Status::Alive; board.size() * board.size()];
        for (names, status) in [(dead, Status::Dead), (seki, Status::Seki)] {
            for name in names {
                let v = self.vertex(analysed.input, name)?;
                if board.is_empty(v) {
                    let fault = self.case.fault(name, format!("`{name}` is empty"));
                    return Err(fault.help("name a stone of the string"));
                }
                board.stones(v).for_each(|s| wanted[s.index(board.size())] = status);
            }
        }
        analysed.dragons().ok_or_else(|| self.missing("Dragons"))?;
        let found = StatusFinder::default().find(analysed.engine, board, position.to_move, self.case.seed);
        for v in board.vertices().filter(|&v| !board.is_empty(v) && board.origin(v) == v) {
            let wanted = wanted[v.index(board.size())];
            if found.at(v) != wanted {
                let name = v.to_gtp(board.size());
                differences.say(format!(
                    "the string at {name} is {}, not {}",
                    found.at(v).name(),
                    wanted.name()
                ));
            }
        }
        Ok(())
    }
}
