//! A player for games of hidden information (GDL-II). It receives its own moves and percepts, and not the moves of the
//! others.
//!
//! # Source
//! "The GDL-II communication protocol", GGP server of TU Dresden (2012). `PLAY` and `STOP` carry the turn (counted from
//! 0), the player's own move, and its percepts.
//!
//! # Departures
//! A manager may also send the moves of all roles. Then the player knows the state. A message that repeats a turn
//! changes nothing.

use super::thinking::{FAREWELL, Thinking, prover, role_of};
use super::{Fallback, Made, Player, Time};
use anyhow::Context as _;
use std::sync::Arc;
use tengen_core::{Budget, Parallelism};
use tengen_propnet::game::Game;
use tengen_propnet::machine::StateMachine as _;
use tengen_propnet::players::hidden::HiddenPlayer;
use tengen_propnet::program::Program;

/// A match of a game of hidden information.
pub(super) struct HiddenMatch {
    program: Program,
    role: usize,
    settings: Thinking,
    /// The first legal move of the initial state.
    first: String,
    player: Option<HiddenPlayer>,
    /// The number of the last turn.
    turn: Option<u64>,
}

impl HiddenMatch {
    pub(super) fn new(program: Program, role: &str, settings: Thinking, time: &Time) -> anyhow::Result<Self> {
        let mut machine = prover(program.clone(), time)?;
        let role = role_of(machine.roles(), role)?;
        let initial = machine.initial();
        machine.enter(&initial)?;
        let first = *machine.legal(role)?.first().context("the rules give no legal move here")?;
        let first = machine.move_text(role, first);
        Ok(Self { program, role, settings, first, player: None, turn: None })
    }

    fn load(&mut self, time: &Time) -> anyhow::Result<()> {
        let time = time.with_margin();
        let Thinking { kind, seed, limits } = self.settings;
        let game = Game::from_program(self.program.clone(), limits, &mut || time.is_up());
        let player = HiddenPlayer::new(Arc::new(game), kind, self.role, seed, Parallelism::Inside)?;
        self.player = Some(player);
        Ok(())
    }

    /// Applies the last step to the player's knowledge.
    fn follow(&mut self, made: &Made, budget: &Budget) -> anyhow::Result<()> {
        let Some(player) = &mut self.player else { anyhow::bail!("the game is not loaded") };
        let known = match made {
            Made::Begin | Made::Own { own: None, .. } => {
                self.turn.get_or_insert(if let Made::Own { turn, .. } = made { *turn } else { 0 });
                return Ok(());
            }
            Made::Joint(moves) => player.observe_all(moves, budget)?,
            Made::Own { turn, own: Some(own), percepts } => {
                let last = *self.turn.get_or_insert(0);
                if *turn == last {
                    return Ok(());
                }
                anyhow::ensure!(Some(*turn) == last.checked_add(1), "turn {turn} comes after turn {last}");
                self.turn = Some(*turn);
                player.observe(own, percepts, budget)?
            }
        };
        anyhow::ensure!(known, "no state of the game gives these moves and percepts");
        Ok(())
    }
}

impl Player for HiddenMatch {
    fn prepare(&mut self, time: &Time, fallback: &Fallback) -> anyhow::Result<()> {
        fallback.set(Some(self.first.clone()));
        self.load(time)
    }

    fn play(&mut self, made: &Made, time: &Time, fallback: &Fallback) -> anyhow::Result<String> {
        if self.player.is_none() {
            self.load(time)?;
        }
        let budget = Budget { stop: time.with_margin().stop(), ..Budget::default() };
        self.follow(made, &budget)?;
        let Some(player) = &mut self.player else { anyhow::bail!("the game is not loaded") };
        if let Some((text, _)) = player.legal()?.first() {
            fallback.set(Some(text.clone()));
        }
        Ok(player.choose(&budget)?.text)
    }

    /// The goals are known only if all states that the role thinks possible agree.
    fn finish(&mut self, made: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        if self.player.is_none() {
            return Ok(Vec::new());
        }
        let until = std::time::Instant::now() + FAREWELL;
        let stop = tengen_core::Stop::when(move || std::time::Instant::now() >= until);
        self.follow(made, &Budget { stop, ..Budget::default() })?;
        let Some(player) = &mut self.player else { return Ok(Vec::new()) };
        let goals = player.goals()?;
        Ok(goals.into_iter().map(|goal| goal.and_then(|g| g.parse().ok())).collect())
    }
}
