//! Plays the random games of a review, and collects their findings.
//!
//! # Steps
//! 1. Play games from one fixed seed, until their number, their moves or the prover's work reaches a limit.
//! 2. A game ends at a terminal state or at a role without a move. It also ends at a state that repeats without any
//!    choice in between, or after [`LONGEST`] moves.
//! 3. The first finding of each kind is reported, with its state.

use crate::game::{Game, GameError};
use crate::gdl::ast::{Rulesheet, Term};
use crate::gdl::{Fault, GdlError, Span, advice};
use crate::machine::{MoveId, State, StateMachine};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tengen_core::{SplitMix64, Stop, derive_seed};

/// The most games.
const GAMES: u64 = 100;
/// The most moves of all games.
const MOVES: u64 = 10_000;
/// The most moves of a game.
const LONGEST: u64 = 1000;
/// Games of the full length that make play endless.
const LONG_GAMES: u64 = 10;
/// The most work of the prover, in thousands of calls and answers.
const WORK: u64 = 3_000;
/// The most bytes of a state that are shown.
const SHOWN: usize = 200;

/// How games ended.
#[derive(Default)]
struct Ends {
    over: u64,
    stuck: u64,
    long: u64,
    comes_back: Option<String>,
}

struct Play<'a> {
    machine: Box<dyn StateMachine + Send>,
    sheet: &'a Rulesheet,
    roles: &'a [Term],
    found: Vec<GdlError>,
    ends: Ends,
    moves: u64,
}

/// The findings of random games.
///
/// # Errors
/// The limits of the prover: a state of play is too large.
pub(super) fn play(game: &Arc<Game>, sheet: &Rulesheet, roles: &[Term]) -> Result<Vec<GdlError>, GameError> {
    let mut machine = game.machine("auto")?;
    let initial = machine.initial();
    // The first state is always asked in full, as a run does.
    machine.enter(&initial)?;
    machine.describe(&initial)?;
    let asked = Arc::new(AtomicU64::new(0));
    machine.set_stop(Stop::when(move || asked.fetch_add(1, Ordering::Relaxed) >= WORK));
    let (found, ends) = (Vec::new(), Ends::default());
    let mut play = Play { machine, sheet, roles, found, ends, moves: 0 };
    for number in 0..GAMES {
        match play.one(&initial, number) {
            Ok(()) if play.moves < MOVES => {}
            Ok(()) => break,
            Err(error) if error.is_stopped() => break,
            Err(error) => return Err(error),
        }
    }
    play.endless();
    Ok(play.found)
}

impl Play<'_> {
    fn one(&mut self, initial: &State, number: u64) -> Result<(), GameError> {
        let mut random = SplitMix64::new(derive_seed(0, &[number]));
        let (mut state, mut before) = (initial.clone(), None);
        // A state since which nobody had a choice, and the moves until the next one is kept (Brent's cycle finding).
        let (mut kept, mut since, mut until) = (None, 0_u64, 1_u64);
        for steps in 0..=LONGEST {
            self.machine.enter(&state)?;
            if self.machine.terminal()? {
                self.ends.over += 1;
                return self.last(&state, steps);
            }
            if steps == LONGEST || self.moves >= MOVES {
                self.ends.long += u64::from(steps == LONGEST);
                return Ok(());
            }
            let Some((joint, choice)) = self.joint(&state, before.as_ref(), steps, &mut random)? else {
                return Ok(());
            };
            if choice {
                (kept, since, until) = (None, 0, 1);
            } else if kept.as_ref() == Some(&state) {
                let text = self.shown(&state)?;
                self.ends.comes_back.get_or_insert(text);
                return Ok(());
            } else if since == 0 || since == until {
                (kept, since, until) = (Some(state.clone()), 1, until * 2);
            } else {
                since += 1;
            }
            let next = self.machine.successor(&joint)?;
            before = Some(std::mem::replace(&mut state, next));
            self.moves += 1;
        }
        Ok(())
    }

    /// A random joint move, and whether a role had a choice; `None` where a role has no move.
    fn joint(
        &mut self,
        state: &State,
        before: Option<&State>,
        steps: u64,
        random: &mut SplitMix64,
    ) -> Result<Option<(Vec<MoveId>, bool)>, GameError> {
        let mut joint = Vec::with_capacity(self.roles.len());
        let mut choice = false;
        for role in 0..self.roles.len() {
            let legal = self.machine.legal(role)?;
            choice |= legal.len() > 1;
            let picked = u32::try_from(legal.len()).ok().filter(|&n| n > 0).map(|n| random.below(n) as usize);
            match picked.and_then(|n| legal.get(n)) {
                Some(&id) => joint.push(id),
                None => {
                    self.ends.stuck += 1;
                    self.stuck(role, state, before, steps)?;
                    return Ok(None);
                }
            }
        }
        Ok(Some((joint, choice)))
    }

    fn facts(&self, state: &State) -> Result<Vec<String>, GameError> {
        let facts = state.facts_in(self.machine.numbering())?;
        let mut facts: Vec<String> = facts.ones().map(|f| self.machine.fact_text(f)).collect();
        facts.sort_unstable();
        Ok(facts)
    }

    fn shown(&self, state: &State) -> Result<String, GameError> {
        Ok(short(&self.facts(state)?))
    }

    fn place(&self, role: usize) -> (String, Span) {
        let role = &self.roles[role];
        let name = self.sheet.rules.first().map_or_else(String::new, |r| advice::shown(self.sheet, r, role));
        (name, advice::place_of_role(self.sheet, role))
    }

    fn told(&self, is_it: impl Fn(&Fault) -> bool) -> bool {
        self.found.iter().any(|e| is_it(&e.fault))
    }

    fn stuck(
        &mut self,
        number: usize,
        state: &State,
        before: Option<&State>,
        steps: u64,
    ) -> Result<(), GameError> {
        let (name, span) = self.place(number);
        if self.told(|f| matches!(f, Fault::NoMove { role, .. } if *role == name)) {
            return Ok(());
        }
        let facts = self.facts(state)?;
        let mut lost = Vec::new();
        if let Some(before) = before {
            lost = self.facts(before)?;
            lost.retain(|fact| !facts.contains(fact));
        }
        let state = format!("{}, {}", short(&facts), after(steps));
        let lost = if lost.is_empty() { String::new() } else { short(&lost) };
        self.found.push(GdlError { fault: Fault::NoMove { role: name, state, lost }, span });
        Ok(())
    }

    /// The goals of a terminal state.
    fn last(&mut self, state: &State, steps: u64) -> Result<(), GameError> {
        for number in 0..self.roles.len() {
            let goals = self.machine.goals(number)?;
            let (name, span) = self.place(number);
            if goals.len() == 1 || goals.is_empty() && name == "random" {
                continue;
            }
            let told = self.told(|f| match f {
                Fault::GoalMissing { role, .. } => goals.is_empty() && *role == name,
                Fault::GoalDouble { role, .. } => !goals.is_empty() && *role == name,
                _ => false,
            });
            if told {
                continue;
            }
            let state = format!("{}, {}", self.shown(state)?, after(steps));
            if goals.is_empty() {
                self.found.push(GdlError { fault: Fault::GoalMissing { role: name, state }, span });
            } else {
                let span = advice::place_of_goal(self.sheet, &self.roles[number], &goals).unwrap_or(span);
                let goals = goals.join(" and ");
                self.found.push(GdlError { fault: Fault::GoalDouble { role: name, goals, state }, span });
            }
        }
        Ok(())
    }

    fn endless(&mut self) {
        let Ends { over: 0, stuck: 0, long, comes_back } = &self.ends else { return };
        let why = match comes_back {
            Some(state) => format!("the state {state} comes back, and no random game ends"),
            None if *long >= LONG_GAMES => format!("no random game ends within {LONGEST} moves"),
            None => return,
        };
        let terminal = self.sheet.rules.iter().find(|r| self.sheet.symbols.name(r.head.name) == "terminal");
        let span = terminal.map_or_else(Span::default, |rule| rule.head.span);
        self.found.push(GdlError { fault: Fault::Endless(why), span });
    }
}

/// Facts in one line, cut where they are long.
#[must_use]
pub fn short(facts: &[String]) -> String {
    if facts.is_empty() {
        return "without facts".into();
    }
    let mut text = String::new();
    for (n, fact) in facts.iter().enumerate() {
        if text.len() + fact.len() > SHOWN && n > 0 {
            return format!("{text} and {} more facts", facts.len() - n);
        }
        if n > 0 {
            text.push(' ');
        }
        text.extend(fact.chars().take(SHOWN));
    }
    text
}

/// How many moves led to a state, in words.
#[must_use]
pub fn after(steps: u64) -> String {
    match steps {
        0 => "the first state".into(),
        1 => "after 1 move".into(),
        n => format!("after {n} moves"),
    }
}
