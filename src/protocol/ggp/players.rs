//! The players of `tengen-propnet` behind [`Player`](super::Player).
//!
//! [`Follower`] follows the match on any [`StateMachine`] and asks a [`Chooser`] for the move; the first legal move is
//! its fallback from the moment the state is known.

use super::{Fallback, MatchStart, Player, PlayerFactory};
use anyhow::Context as _;
use std::time::Instant;
use tengen_core::SplitMix64;
use tengen_propnet::machine::{MoveId, ProverMachine, State, StateMachine};
use tengen_propnet::program::Program;

/// Chooses a move in the state that the machine has entered.
pub trait Chooser {
    /// One of `legal` (never empty), until `until` at the latest. Better moves found on the way go to `better`.
    ///
    /// # Errors
    /// The machine's limits.
    fn choose(
        &mut self,
        machine: &mut dyn StateMachine,
        legal: &[MoveId],
        until: Instant,
        better: &mut dyn FnMut(MoveId),
    ) -> anyhow::Result<MoveId>;
}

/// The first legal move in the machine's order.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl Chooser for First {
    fn choose(
        &mut self,
        _: &mut dyn StateMachine,
        legal: &[MoveId],
        _: Instant,
        _: &mut dyn FnMut(MoveId),
    ) -> anyhow::Result<MoveId> {
        legal.first().copied().context("no legal move")
    }
}

/// Any legal move.
#[derive(Clone, Copy, Debug)]
pub struct Random(pub SplitMix64);

impl Chooser for Random {
    fn choose(
        &mut self,
        _: &mut dyn StateMachine,
        legal: &[MoveId],
        _: Instant,
        _: &mut dyn FnMut(MoveId),
    ) -> anyhow::Result<MoveId> {
        let n = u32::try_from(legal.len()).context("too many legal moves")?;
        anyhow::ensure!(n > 0, "no legal move");
        Ok(legal[self.0.below(n) as usize])
    }
}

/// Follows a match on a state machine.
pub struct Follower<M, C> {
    machine: M,
    chooser: C,
    role: usize,
    state: State,
}

impl<M: StateMachine, C: Chooser> Follower<M, C> {
    /// At the start of the match.
    ///
    /// # Errors
    /// If `role` is no role of the game.
    pub fn new(machine: M, chooser: C, role: &str) -> anyhow::Result<Self> {
        let roles = machine.roles();
        let index = roles.iter().position(|r| r == role).with_context(|| {
            format!("`{role}` is not a role of this game; its roles are {}", roles.join(", "))
        })?;
        let state = machine.initial();
        Ok(Self { machine, chooser, role: index, state })
    }

    fn enter(&mut self, fallback: &Fallback) -> anyhow::Result<Vec<MoveId>> {
        self.machine.enter(&self.state)?;
        let legal = self.machine.legal(self.role)?;
        let first = legal.first().context("the rules give no legal move here")?;
        fallback.set(Some(self.machine.move_text(self.role, *first)));
        Ok(legal)
    }

    fn advance(&mut self, made: &[String]) -> anyhow::Result<()> {
        self.machine.enter(&self.state)?;
        let joint = self.machine.joint_move(made)?;
        self.state = self.machine.successor(&joint)?;
        Ok(())
    }
}

impl<M: StateMachine, C: Chooser> Player for Follower<M, C> {
    fn prepare(&mut self, _until: Instant, fallback: &Fallback) -> anyhow::Result<()> {
        self.enter(fallback).map(|_| ())
    }

    fn play(
        &mut self,
        made: Option<&[String]>,
        until: Instant,
        fallback: &Fallback,
    ) -> anyhow::Result<String> {
        if let Some(made) = made {
            self.advance(made)?;
        }
        let legal = self.enter(fallback)?;
        let Self { machine, chooser, role, .. } = self;
        let names: Vec<String> = legal.iter().map(|&m| machine.move_text(*role, m)).collect();
        let mut better = |m: MoveId| {
            if let Some(at) = legal.iter().position(|&l| l == m) {
                fallback.set(Some(names[at].clone()));
            }
        };
        let chosen = chooser.choose(machine, &legal, until, &mut better)?;
        Ok(machine.move_text(*role, chosen))
    }

    fn finish(&mut self, made: &[String]) -> anyhow::Result<Vec<Option<i64>>> {
        self.advance(made)?;
        self.machine.enter(&self.state)?;
        (0..self.machine.roles().len())
            .map(|role| {
                let goals = self.machine.goals(role)?;
                Ok(match goals.as_slice() {
                    [one] => one.parse().ok(),
                    _ => None,
                })
            })
            .collect()
    }
}

/// Reads the rules a manager sent.
///
/// # Errors
/// Every fault of the rulesheet, one per line.
pub fn read_rules(rules: &str) -> anyhow::Result<Program> {
    Program::read(rules).map_err(|error| {
        let faults: Vec<String> = error.diagnostics(rules).iter().map(ToString::to_string).collect();
        anyhow::anyhow!("the rulesheet can't be used:\n{}", faults.join("\n"))
    })
}

/// The simple players, on the prover.
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    /// Random moves from this seed; without one, always the first legal move.
    pub seed: Option<u64>,
}

impl PlayerFactory for Simple {
    fn create(&self, start: &MatchStart) -> anyhow::Result<Box<dyn Player>> {
        let machine = ProverMachine::new(read_rules(&start.rules)?)?;
        Ok(match self.seed {
            Some(seed) => Box::new(Follower::new(machine, Random(SplitMix64::new(seed)), &start.role)?),
            None => Box::new(Follower::new(machine, First, &start.role)?),
        })
    }
}
