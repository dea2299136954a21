//! Compares expectations about candidate moves of Go with the findings.

use super::GoExpectation;
use crate::record::expectation::Differences;
use crate::record::go::Analysed;
use crate::record::go::moves::kind;
use crate::scene::Expect;
use tengen_core::Diagnostic;
use tengen_go::moves::Term;

impl GoExpectation<'_> {
    /// Compares `BestMove` and `Move`.
    pub(super) fn compare_moves(
        &self,
        analysed: &Analysed,
        differences: &mut Differences,
    ) -> Result<(), Diagnostic> {
        let size = analysed.input.position.board.size();
        let ranked = analysed.ranked().ok_or_else(|| self.missing("MoveEvaluation"))?;
        match self.expect {
            Expect::BestMove(names) => {
                let best = ranked.first().map(|c| c.vertex);
                let mut found = false;
                for name in names {
                    found |= Some(self.vertex(analysed.input, name)?) == best;
                }
                if !found {
                    let best = best.map_or("none".into(), |v| v.to_gtp(size));
                    differences.say(format!("the best move is {best}"));
                }
            }
            Expect::Move {
                at,
                reasons,
                at_least,
                at_most,
                rank,
                terms,
                followup,
                reverse_followup,
                within,
            } => {
                let v = self.vertex(analysed.input, at)?;
                let Some(place) = ranked.iter().position(|c| c.vertex == v) else {
                    differences.say(format!("{at} is no candidate of positive value"));
                    return Ok(());
                };
                let c = ranked[place];
                differences.within(&format!("the value of {at}"), *at_least, *at_most, c.value);
                for (name, wanted) in terms {
                    let term = Term::ALL.into_iter().find(|t| t.name() == name);
                    let term = term.ok_or_else(|| self.unknown_term(name))?;
                    differences.near(&format!("{name} of {at}"), Some(*wanted), c.terms.get(term), *within);
                }
                differences.near(&format!("the follow-up of {at}"), *followup, c.followup_value, *within);
                differences.near(
                    &format!("the reverse follow-up of {at}"),
                    *reverse_followup,
                    c.reverse_value,
                    *within,
                );
                if rank.is_some_and(|rank| place + 1 > rank) {
                    differences.say(format!("{at} is at place {}", place + 1));
                }
                let found: Vec<String> = ranked[place].reasons.iter().map(|r| r.text(size)).collect();
                let is_there = |wanted: &String| {
                    ranked[place]
                        .reasons
                        .iter()
                        .zip(&found)
                        .any(|(r, text)| kind(r) == *wanted || text.contains(wanted))
                };
                for reason in reasons.iter().filter(|wanted| !is_there(wanted)) {
                    differences
                        .say(format!("{at} lacks the reason `{reason}`; it has: {}", found.join("; ")));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn unknown_term(&self, name: &str) -> Diagnostic {
        let names: Vec<&str> = Term::ALL.iter().map(|t| t.name()).collect();
        self.case
            .fault(name, format!("a move's value has no term `{name}`"))
            .help(format!("the terms are {}", names.join(", ")))
    }
}
