//! Compares expectations about influence and territory with the maps of the player to move.

use super::GoExpectation;
use crate::record::expectation::{Differences, compare_figure};
use crate::record::go::Analysed;
use crate::scene::Expect;
use crate::scene::expect::Owner;
use tengen_core::Diagnostic;
use tengen_go::board::{Color, Vertex};
use tengen_go::spread::Cause;
use tengen_go::territory::score;

impl GoExpectation<'_> {
    /// Compares `Influence`, `Permeability`, `Pattern`, `MoveInfluence`, `Field` and `Territory`.
    pub(super) fn compare_territory(
        &self,
        analysed: &Analysed,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let map = analysed.map().ok_or_else(|| self.missing("FirstInfluence"))?;
        let board = &analysed.input.position.board;
        match self.expect {
            Expect::Influence { at, color, is, within } => {
                let found = map.influence[color.index()][self.vertex(analysed.input, at)?.at()];
                differences.near(&format!("{color} influence at {at}"), Some(*is), found, *within);
            }
            Expect::Permeability { at, color, is, within } => {
                let found = map.field.permeability[color.index()][self.vertex(analysed.input, at)?.at()];
                differences.near(&format!("permeability for {color} at {at}"), Some(*is), found, *within);
            }
            Expect::Pattern { name, at } => {
                let at = at.as_ref().map(|at| self.vertex(analysed.input, at)).transpose()?;
                let escape = analysed.escape().map_or(&[][..], |map| &map.causes);
                let causes: Vec<&Cause> = map.causes.iter().chain(escape).collect();
                let fits = |c: &Cause| *c.pattern == **name && at.is_none_or(|at| c.at == at);
                if !causes.iter().any(|c| fits(c)) {
                    let there = causes.iter().filter(|c| at.is_none_or(|at| c.at == at));
                    let mut found: Vec<&str> = there.map(|c| &*c.pattern).collect();
                    found.sort_unstable();
                    found.dedup();
                    differences
                        .say(format!("{name} did nothing there; those that did: {}", found.join(", ")));
                }
            }
            Expect::MoveInfluence { at, color, delta, followup, within } => {
                let v = self.vertex(analysed.input, at)?;
                let color = color.unwrap_or(analysed.input.position.to_move);
                let (before, after) =
                    analysed.move_influence(color, v).ok_or_else(|| self.missing("SecondInfluence"))?;
                let Ok(after) = after else {
                    differences.say(format!("{at} is against the rules for {color}"));
                    return Ok(());
                };
                differences.near("the territorial value", *delta, after.delta(before, color), *within);
                differences.near("the follow-up value", *followup, after.followup_value(color), *within);
            }
            Expect::Field { color, rows } => {
                let found = |v: Vertex| Some(map.influence[color.index()][v.at()].trunc() as i64);
                compare_figure(self.case, board.size(), rows, found, differences)?;
            }
            Expect::Territory { at: Some(at), owner, is, within } => {
                let v = self.vertex(analysed.input, at)?;
                differences.near(&format!("territory at {at}"), *is, map.territory[v.at()], *within);
                let found = match map.whose_territory(v) {
                    Some(Color::Black) => Owner::Black,
                    Some(Color::White) => Owner::White,
                    None => Owner::Nobody,
                };
                differences.field(&format!("the owner of {at}"), *owner, found);
            }
            Expect::Territory { is, within, .. } => {
                let maps = analysed.maps().ok_or_else(|| self.missing("FirstInfluence"))?;
                let found =
                    score::estimate(board, maps, analysed.input.position.komi, score::Scoring::Territory)
                        .score;
                differences.near("White's lead", *is, found, *within);
            }
            Expect::Score { at_least, at_most, .. } => {
                let maps = analysed.maps().ok_or_else(|| self.missing("FirstInfluence"))?;
                let found =
                    score::estimate(board, maps, analysed.input.position.komi, score::Scoring::Territory)
                        .score;
                differences.within("White's lead", *at_least, *at_most, found);
            }
            _ => {}
        }
        Ok(())
    }
}
