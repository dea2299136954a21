//! The run of one clause for one call of the prover.

use super::order::{Ask, Order, Positive, Step};
use super::{Prover, ProverError, Source, Table};
use crate::lookup::hash_of;
use crate::program::{Clause, Pattern, PredId};
use crate::relation::NONE;
use crate::term::TermId;

/// The most rows that are scanned without an index.
const SHORT: usize = 8;

pub(super) struct Frame<'a> {
    pub(super) clause: &'a Clause,
    /// The value of each variable, [`NONE`] where unbound.
    pub(super) bound: Vec<TermId>,
    /// The table that this run fills.
    pub(super) table: Table,
    /// Whether its call has every argument bound: then one answer is enough.
    pub(super) single: bool,
    pub(super) depth: usize,
    /// The lowest running call that this one depends on.
    pub(super) low: usize,
}

impl Frame<'_> {
    /// Binds the head to the call; `false` if they do not match.
    pub(super) fn enter(&mut self, prover: &Prover, call: &[u32]) -> bool {
        let clause = self.clause;
        let args = clause.head.args.iter().zip(&call[1..]);
        args.into_iter().all(|(pattern, &arg)| arg == 0 || self.bind(prover, pattern, TermId(arg - 1)))
    }

    fn bind(&mut self, prover: &Prover, pattern: &Pattern, term: TermId) -> bool {
        match pattern {
            Pattern::Variable(v) => {
                let value = &mut self.bound[*v as usize];
                let matches = value.0 == NONE || *value == term;
                *value = term;
                matches
            }
            Pattern::Ground(id) => *id == term,
            Pattern::Compound(name, args) => match prover.program.terms.matching(term, *name, args.len()) {
                None => false,
                Some(parts) => args.iter().zip(parts).all(|(a, &p)| self.bind(prover, a, p)),
            },
        }
    }

    /// Whether the table needs no further answer.
    fn decided(&self, prover: &Prover) -> bool {
        self.single && prover.table(self.table).answers.relation.len() > 0
    }

    /// Proves the body from step `at` on, and adds the derived answers to the table.
    pub(super) fn body(&mut self, prover: &mut Prover, order: &Order, at: usize) -> Result<(), ProverError> {
        match order.steps.get(at) {
            None if order.safe => prover.add(self.table, self.clause, &self.bound),
            None => Ok(()),
            Some(Step::Test(t)) => {
                if self.clause.tests[*t].holds(&mut prover.program.terms, &self.bound) {
                    self.body(prover, order, at + 1)?;
                }
                Ok(())
            }
            Some(Step::Negative(call, n)) => {
                let predicate = self.clause.negative[*n].predicate;
                let source = self.source(prover, predicate, call)?;
                if !self.holds(prover, source, call) {
                    self.body(prover, order, at + 1)?;
                }
                Ok(())
            }
            Some(Step::Positive(step)) => {
                let source = self.source(prover, self.clause.positive[step.literal].predicate, &step.call)?;
                if !step.bound {
                    return self.each(prover, order, step, source, at);
                }
                if self.holds(prover, source, &step.call) {
                    self.body(prover, order, at + 1)?;
                }
                Ok(())
            }
        }
    }

    /// The place of the answers to a literal; a call computes them first if necessary.
    fn source(
        &mut self,
        prover: &mut Prover,
        predicate: PredId,
        asks: &[Ask],
    ) -> Result<Source, ProverError> {
        if let Some(given) = prover.given(predicate) {
            return Ok(given);
        }
        let mut call = std::mem::take(&mut prover.scratch);
        call.clear();
        call.push(predicate.0);
        for ask in asks {
            call.push(match ask {
                Ask::Free => 0,
                _ => value(ask, prover, &self.bound).0 + 1,
            });
        }
        prover.scratch = call;
        let (low, table) = prover.call(self.depth + 1)?;
        self.low = self.low.min(low);
        Ok(Source::Table(table))
    }

    /// Whether a literal with these arguments has an answer.
    fn holds(&mut self, prover: &mut Prover, source: Source, asks: &[Ask]) -> bool {
        if let Source::Table(table) = source {
            return prover.table(table).answers.relation.len() > 0;
        }
        // What is given is given for all arguments.
        if asks.iter().any(|a| matches!(a, Ask::Free)) {
            let values: Vec<Option<TermId>> = asks
                .iter()
                .map(|a| (!matches!(a, Ask::Free)).then(|| value(a, prover, &self.bound)))
                .collect();
            let relation = &prover.answers(source).relation;
            let fits = |row: &[TermId]| row.iter().zip(&values).all(|(r, v)| v.is_none_or(|v| v == *r));
            return (0..relation.len()).any(|n| fits(relation.row(n as u32)));
        }
        let mut values = std::mem::take(&mut prover.values);
        values.clear();
        for ask in asks {
            let value = value(ask, prover, &self.bound);
            values.push(value);
        }
        let found = prover.answers(source).relation.find(&values).is_some();
        prover.values = values;
        found
    }

    /// Continues with every answer that matches.
    fn each(
        &mut self,
        prover: &mut Prover,
        order: &Order,
        step: &Positive,
        source: Source,
        at: usize,
    ) -> Result<(), ProverError> {
        let is_complete = match source {
            Source::Table(table) => prover.table(table).is_complete(),
            _ => true,
        };
        if is_complete && prover.answers(source).relation.len() > SHORT && !step.lookup.spec.is_empty() {
            let index = prover.index(source, step);
            let mut row =
                prover.answers(source).relation.newest(index, hash_of(&step.lookup.key, &self.bound));
            while row != NONE {
                if self.row(prover, order, step, source, at, row)? {
                    return Ok(());
                }
                row = prover.answers(source).relation.older(index, row);
            }
            return Ok(());
        }
        let mut row = 0;
        // The table may grow below us when it is our own.
        while row < prover.answers(source).relation.len() {
            if self.row(prover, order, step, source, at, row as u32)? {
                return Ok(());
            }
            row += 1;
        }
        Ok(())
    }

    /// Continues with a row if it matches; returns whether no other row is needed.
    fn row(
        &mut self,
        prover: &mut Prover,
        order: &Order,
        step: &Positive,
        source: Source,
        at: usize,
        row: u32,
    ) -> Result<bool, ProverError> {
        prover.spend(0, self.clause.head.predicate)?;
        let values = prover.answers(source).relation.row(row);
        let terms = &prover.program.terms;
        let mut pairs = step.lookup.args.iter().zip(values);
        if !pairs.all(|(m, &v)| m.matches(terms, v, &mut self.bound)) {
            return Ok(false);
        }
        self.body(prover, order, at + 1)?;
        Ok(step.exists || self.decided(prover))
    }
}

/// The value of an argument that is not free.
fn value(ask: &Ask, prover: &mut Prover, bound: &[TermId]) -> TermId {
    match ask {
        Ask::Free => TermId(NONE),
        Ask::Ground(id) => *id,
        Ask::Variable(v) => bound[*v as usize],
        Ask::Term(pattern) => pattern.ground(&mut prover.program.terms, bound),
    }
}
