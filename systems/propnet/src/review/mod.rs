//! Finds everything that is wrong with a rulesheet. Every command that reads a rulesheet uses this module, so all
//! give the same answer.
//!
//! # Steps
//! 1. [`rules`] checks the text, the rules and the roles, and then finds the warnings about the rules.
//! 2. [`whole`] checks the net, the first state and random games. A state that is too large is an error, as in play.
//!
//! # Cost
//! Step 1 takes about as long as reading does. Step 2 is bounded by counts of moves and of the prover's work, never by
//! a clock.

mod play;
#[cfg(test)]
mod tests;

use crate::game::{Game, GameError, LoadLimits};
use crate::gdl::ast::{Rulesheet, Term};
use crate::gdl::words::{self, Word};
use crate::gdl::{Fault, GdlError, Span, advice, check, parse, sexp};
use crate::machine::MachineError;
use crate::numbering::NumberingError;
use crate::program::{Program, ProgramError, known};
use crate::prover::{Prover, ProverError};
use std::sync::Arc;

pub use play::{after, short};

/// The findings of a review of a text.
#[derive(Clone, Debug)]
pub struct Review {
    /// The rules that could be read.
    pub sheet: Rulesheet,
    /// Every word with its meaning.
    pub words: Vec<Word>,
    /// Errors and warnings, in the order of the text.
    pub faults: Vec<GdlError>,
    /// The game, if no error stands in its way.
    pub program: Option<Program>,
}

impl Review {
    /// Whether the rulesheet can be used.
    #[must_use]
    pub fn is_good(&self) -> bool {
        !self.faults.iter().any(GdlError::is_error)
    }

    /// The place of a warning of play: the rule that makes its role, or its last goal.
    #[must_use]
    pub fn place_of_play(&self, fault: &Fault) -> Span {
        let (Fault::NoMove { role, .. } | Fault::GoalMissing { role, .. } | Fault::GoalDouble { role, .. }) =
            fault
        else {
            return Span::default();
        };
        let (items, _) = sexp::read(role);
        let term = items.first().and_then(|item| advice::term_of(&self.sheet, item));
        let Some(term) = term else { return Span::default() };
        let goal = match fault {
            Fault::GoalDouble { goals, .. } => {
                let goals: Vec<String> = goals.split(" and ").map(str::to_owned).collect();
                advice::place_of_goal(&self.sheet, &term, &goals)
            }
            _ => None,
        };
        goal.unwrap_or_else(|| advice::place_of_role(&self.sheet, &term))
    }

    fn sorted(mut self) -> Self {
        self.faults.sort_by_key(|e| (e.span.start, e.span.end, e.severity() != tengen_core::Severity::Error));
        self
    }
}

impl Program {
    /// Reads and checks a rulesheet.
    ///
    /// # Errors
    /// All faults of the rulesheet, if one of them is an error.
    pub fn read(text: &str) -> Result<Self, ProgramError> {
        Self::read_as(text, |_| {})
    }

    /// The same; `change` is applied to the rules once they are checked.
    pub(crate) fn read_as(text: &str, change: impl FnOnce(&mut Rulesheet)) -> Result<Self, ProgramError> {
        let (mut sheet, faults) = crate::gdl::read(text);
        change(&mut sheet);
        match of_sheet(&sheet, &faults) {
            Some(Ok(program)) => Ok(program),
            Some(Err(fault)) => Err(ProgramError(faults.into_iter().chain([fault]).collect())),
            None => Err(ProgramError(faults)),
        }
    }
}

/// The program of a sheet without errors.
fn of_sheet(sheet: &Rulesheet, faults: &[GdlError]) -> Option<Result<Program, GdlError>> {
    if faults.iter().any(GdlError::is_error) {
        return None;
    }
    Some(Program::new(sheet.clone()).and_then(|mut program| {
        if program.has_roles_by_rule() {
            program.roles = derived_roles(sheet, &mut program)?;
        }
        if program.roles.is_empty() {
            let head = sheet.rules.iter().find(|r| sheet.symbols.name(r.head.name) == "role");
            let span = head.map_or_else(Span::default, |rule| rule.span);
            return Err(GdlError { fault: Fault::NoRole, span });
        }
        Ok(program)
    }))
}

/// The roles by the rules of `role`.
fn derived_roles(sheet: &Rulesheet, program: &mut Program) -> Result<Vec<crate::term::TermId>, GdlError> {
    let mut prover = Prover::new(program.clone());
    let rows = prover.ask(known::ROLE, &[None]).map_err(|error| too_large(sheet, &error))?;
    let texts: Vec<String> = rows.iter().map(|row| prover.program.text(row[0])).collect();
    let mut roles = Vec::new();
    for id in texts.iter().filter_map(|text| program.parse_term(text)) {
        if !roles.contains(&id) {
            roles.push(id);
        }
    }
    Ok(roles)
}

/// The error of the prover at the rule of the relation that was last at work.
#[must_use]
pub fn too_large(sheet: &Rulesheet, error: &ProverError) -> GdlError {
    let relation = match error {
        ProverError::TooDeep { relation } | ProverError::TooMany { relation } => relation.clone(),
        ProverError::Stopped => String::new(),
    };
    let of_it = || sheet.rules.iter().filter(|rule| sheet.symbols.name(rule.head.name) == relation);
    let place = of_it().find(|rule| !rule.body.is_empty()).or_else(|| of_it().next());
    let span = place.map_or_else(Span::default, |rule| rule.head.span);
    GdlError { fault: Fault::TooLarge { why: error.to_string(), relation }, span }
}

/// The fault of the rulesheet behind an error of its machine; `None` if the machine was only stopped or misused.
#[must_use]
pub fn fault_of(sheet: &Rulesheet, error: &MachineError) -> Option<GdlError> {
    match error {
        MachineError::Prover(ProverError::Stopped) => None,
        MachineError::Prover(error) => Some(too_large(sheet, error)),
        MachineError::Numbering(NumberingError::TooManyFacts) => {
            let fault = Fault::TooLarge { why: error.to_string(), relation: "next".into() };
            let next = sheet.rules.iter().find(|rule| sheet.symbols.name(rule.head.name) == "next");
            Some(GdlError { fault, span: next.map_or_else(Span::default, |rule| rule.head.span) })
        }
        _ => None,
    }
}

/// The same for an error of a game.
#[must_use]
pub fn fault_of_game(sheet: &Rulesheet, error: &GameError) -> Option<GdlError> {
    if let GameError::Machine(error) = error { fault_of(sheet, error) } else { None }
}

/// Step 1.
#[must_use]
pub fn rules(text: &str) -> Review {
    let (items, errors) = sexp::read(text);
    let words = words::words(&items);
    let (sheet, mut faults) = parse::parse_items(&items, errors);
    drop(items);
    // A sheet with holes would be blamed for what the holes hide.
    if faults.is_empty() {
        faults.extend(check::check(&sheet));
    }
    let mut program = None;
    match of_sheet(&sheet, &faults) {
        Some(Ok(made)) => {
            faults.extend(advice::advise(&sheet, &words, &role_terms(&sheet, &made)));
            program = Some(made);
        }
        Some(Err(fault)) => faults.push(fault),
        None => {}
    }
    Review { sheet, words, faults, program }.sorted()
}

/// The roles as terms of the sheet.
fn role_terms(sheet: &Rulesheet, program: &Program) -> Vec<Term> {
    let term = |text: String| {
        let (items, _) = sexp::read(&text);
        items.first().and_then(|item| advice::term_of(sheet, item))
    };
    program.roles.iter().filter_map(|&role| term(program.text(role))).collect()
}

/// A part of a review's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The text is read, and its rules are checked.
    Rules,
    /// The net is built.
    Net,
    /// Random games are played.
    Play,
}

impl Stage {
    /// The work in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Rules => "checking the rules",
            Self::Net => "building the net",
            Self::Play => "playing random games",
        }
    }
}

/// Step 2. `stop` is asked regularly whether to give up on the net.
#[must_use]
pub fn whole(text: &str, limits: LoadLimits, stop: &mut dyn FnMut() -> bool) -> Review {
    whole_in_stages(text, limits, stop, &mut |_| {})
}

/// The same; `told` hears of each stage when it begins.
#[must_use]
pub fn whole_in_stages(
    text: &str,
    limits: LoadLimits,
    stop: &mut dyn FnMut() -> bool,
    told: &mut dyn FnMut(Stage),
) -> Review {
    told(Stage::Rules);
    let mut review = rules(text);
    let Some(program) = review.program.clone() else { return review };
    let roles = role_terms(&review.sheet, &program);
    told(Stage::Net);
    let game = Arc::new(Game::from_program(program, limits, stop));
    told(Stage::Play);
    match play::play(&game, &review.sheet, &roles) {
        Ok(found) => {
            if let Err(why) = &game.topology {
                review.faults.push(GdlError { fault: Fault::NoNet(why.to_string()), span: Span::default() });
            }
            let known = |e: &GdlError| review.faults.iter().any(|known| known.fault.stands_for(&e.fault));
            let found: Vec<GdlError> = found.into_iter().filter(|e| !known(e)).collect();
            review.faults.extend(found);
        }
        Err(error) => {
            review.faults.extend(fault_of_game(&review.sheet, &error));
            review.program = None;
        }
    }
    review.sorted()
}
