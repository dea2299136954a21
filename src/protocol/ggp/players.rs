//! The players of `tengen-propnet` behind [`Player`].
//!
//! [`Follower`] follows the match on any [`StateMachine`] and asks a [`Chooser`] for the move; the first legal move is
//! its fallback from the moment the state is known.

use super::{Fallback, MatchStart, Player, PlayerFactory};
use anyhow::Context as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_core::{Budget, Parallelism, SplitMix64, Stop};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::machine::{MoveId, ProverMachine, State, StateMachine};
use tengen_propnet::players::{GamePlayer, Kind};
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

/// Plays with the players of [`tengen_propnet::players`], on the net where the game has one.
#[derive(Clone, Copy, Debug)]
pub struct Thinking {
    /// Which player.
    pub kind: Kind,
    /// The seed of its random choices.
    pub seed: u64,
}

impl PlayerFactory for Thinking {
    fn create(&self, start: &MatchStart) -> anyhow::Result<Box<dyn Player>> {
        let program = read_rules(&start.rules)?;
        // The prover follows the match until the net is there, so that a move can be answered at any time.
        let follower = Follower::new(ProverMachine::new(program.clone())?, First, &start.role)?;
        Ok(Box::new(Thinker { program, follower, settings: *self, seat: None }))
    }
}

/// One match of [`Thinking`].
struct Thinker {
    program: Program,
    follower: Follower<ProverMachine, First>,
    settings: Thinking,
    seat: Option<Seat>,
}

/// The player once its game is loaded, and the state in its own numbering.
struct Seat {
    player: GamePlayer,
    state: State,
}

/// What is kept back of every clock for the way to the manager.
fn margin(until: Instant) -> Instant {
    let left = until.saturating_duration_since(Instant::now());
    until.checked_sub((left / 10).min(Duration::from_millis(500))).unwrap_or(until)
}

impl Thinker {
    fn load(&mut self, until: Instant) -> anyhow::Result<()> {
        let until = margin(until);
        let game =
            Game::from_program(self.program.clone(), LoadLimits::default(), &mut || Instant::now() >= until);
        let Thinking { kind, seed } = self.settings;
        let role = self.follower.role;
        let mut player = GamePlayer::new(Arc::new(game), kind, role, seed, Parallelism::Inside)?;
        let state = player.machine().initial();
        self.seat = Some(Seat { player, state });
        Ok(())
    }
}

impl Player for Thinker {
    fn prepare(&mut self, until: Instant, fallback: &Fallback) -> anyhow::Result<()> {
        self.follower.prepare(until, fallback)?;
        self.load(until)
    }

    fn play(
        &mut self,
        made: Option<&[String]>,
        until: Instant,
        fallback: &Fallback,
    ) -> anyhow::Result<String> {
        if self.seat.is_none() {
            self.load(until)?;
        }
        let Some(seat) = &mut self.seat else { anyhow::bail!("the game is not loaded") };
        let machine = seat.player.machine();
        if let Some(made) = made {
            machine.enter(&seat.state)?;
            let joint = machine.joint_move(made)?;
            seat.state = machine.successor(&joint)?;
        }
        machine.enter(&seat.state)?;
        let role = self.follower.role;
        let first = *machine.legal(role)?.first().context("the rules give no legal move here")?;
        fallback.set(Some(machine.move_text(role, first)));
        let until = margin(until);
        let budget = Budget { stop: Stop::when(move || Instant::now() >= until), ..Budget::default() };
        Ok(seat.player.choose(&seat.state, &budget)?.text)
    }

    fn finish(&mut self, made: &[String]) -> anyhow::Result<Vec<Option<i64>>> {
        let Some(seat) = &mut self.seat else { return Ok(Vec::new()) };
        let machine = seat.player.machine();
        machine.enter(&seat.state)?;
        let joint = machine.joint_move(made)?;
        seat.state = machine.successor(&joint)?;
        machine.enter(&seat.state)?;
        let goals = |role| -> anyhow::Result<Option<i64>> {
            let values = machine.goals(role)?;
            Ok(if let [one] = values.as_slice() { one.parse().ok() } else { None })
        };
        let roles = self.follower.machine.roles().len();
        (0..roles).map(goals).collect()
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
