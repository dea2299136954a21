//! Games of hidden information (GDL-II): what each role perceives, and which states it thinks possible.
//!
//! # Source
//! M. Thielscher, "A General Game Description Language for Incomplete Information Games", AAAI 2010; M. Schofield, T.
//! Cerexhe, M. Thielscher, "HyperPlay: a solution to general game playing with imperfect information", AAAI 2012.
//!
//! # Steps
//! 1. [`read`] reads a rulesheet. It turns each rule of `sees` into a rule of `next` for a fact that no rulesheet can
//!    write. So the net and the prover compute the percepts of a joint move as facts of the state after the move.
//! 2. [`Observer`] reads the percepts of a state.
//! 3. [`Belief`] keeps the states that agree with all moves and percepts of one role.
//!
//! # Departures
//! Two states with the same facts and different last percepts count as different.

mod belief;
#[cfg(test)]
mod tests;

pub(crate) use belief::drawn;
pub use belief::{Belief, MOST_MOVES, MOST_STATES};

use crate::gdl::ast::{Rulesheet, Term};
use crate::machine::{MachineError, State, StateMachine};
use crate::program::{Program, ProgramError};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The function of the facts that hold percepts. No word of a rulesheet has this mark.
const PERCEPT: &str = "sees!";

/// Reads a rulesheet whose percepts become facts. One without `sees` is read as [`Program::read`] does.
///
/// # Errors
/// All faults of the rulesheet, if one of them is an error.
pub fn read(text: &str) -> Result<Program, ProgramError> {
    Program::read_as(text, percepts_as_facts)
}

/// Step 1.
fn percepts_as_facts(sheet: &mut Rulesheet) {
    let Some(sees) = sheet.symbols.get("sees") else { return };
    let (next, percept) = (sheet.symbols.intern("next"), sheet.symbols.intern(PERCEPT));
    for rule in sheet.rules.iter_mut().filter(|rule| rule.head.name == sees) {
        rule.head.name = next;
        rule.head.args = vec![Term::Compound(percept, std::mem::take(&mut rule.head.args))];
    }
}

/// Whether roles of the game do not see all: it has percepts, or a role `random`. Only [`read`] makes percepts.
#[must_use]
pub fn is_hidden(program: &Program) -> bool {
    program.chance().is_some() || program.symbols.get(PERCEPT).is_some()
}

/// Whether this fact of a state is a percept.
#[must_use]
pub fn is_percept(fact: &str) -> bool {
    fact.strip_prefix('(')
        .and_then(|rest| rest.strip_prefix(PERCEPT))
        .is_some_and(|rest| rest.starts_with(' '))
}

/// A percept of a role: the role's number and the percept.
#[must_use]
pub fn percept_of(roles: &[String], fact: &str) -> Option<(usize, String)> {
    if !is_percept(fact) {
        return None;
    }
    let inside = fact.get(PERCEPT.len() + 2..fact.len() - 1)?;
    roles.iter().enumerate().find_map(|(number, role)| {
        let rest = inside.strip_prefix(role.as_str())?.strip_prefix(' ')?;
        Some((number, rest.to_owned()))
    })
}

/// Reads percepts off the states of one game; it remembers which fact is which.
#[derive(Debug, Default)]
pub struct Observer {
    known: FxHashMap<usize, Option<(usize, Arc<str>)>>,
}

impl Observer {
    /// The percepts of each role about the move that led to this state, sorted.
    ///
    /// # Errors
    /// A state of another numbering.
    pub fn percepts(
        &mut self,
        machine: &dyn StateMachine,
        state: &State,
    ) -> Result<Vec<Vec<Arc<str>>>, MachineError> {
        let mut found = vec![Vec::new(); machine.roles().len()];
        for fact in state.facts_in(machine.numbering())?.ones() {
            let read = || percept_of(machine.roles(), &machine.fact_text(fact)).map(|(r, p)| (r, p.into()));
            if let Some((role, percept)) = self.known.entry(fact).or_insert_with(read) {
                found[*role].push(Arc::clone(percept));
            }
        }
        found.iter_mut().for_each(|of_role: &mut Vec<Arc<str>>| of_role.sort_unstable());
        Ok(found)
    }

    /// The same as plain texts.
    ///
    /// # Errors
    /// A state of another numbering.
    pub fn texts(
        &mut self,
        machine: &dyn StateMachine,
        state: &State,
    ) -> Result<Vec<Vec<String>>, MachineError> {
        let plain = |of_role: Vec<Arc<str>>| of_role.iter().map(|p| (**p).to_owned()).collect();
        Ok(self.percepts(machine, state)?.into_iter().map(plain).collect())
    }
}
