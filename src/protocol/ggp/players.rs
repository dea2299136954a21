//! Adapts the players of `tengen-propnet` to the trait [`Player`].
//!
//! [`Follower`] follows the match on any [`StateMachine`] and asks a [`Chooser`] for the move. Its fallback is the
//! first legal move of the state, as soon as the state is known.

use super::hidden::HiddenMatch;
use super::thinking::{FAREWELL, Thinking, prover, role_of};
use super::{Fallback, Made, MatchStart, Player, PlayerFactory, Time};
use anyhow::Context as _;
use std::sync::Arc;
use std::time::Instant;
use tengen_core::{Budget, Parallelism, SplitMix64, Stop};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::information;
use tengen_propnet::machine::{MoveId, ProverMachine, State, StateMachine};
use tengen_propnet::players::{GamePlayer, Kind};
use tengen_propnet::program::Program;

/// Chooses a move in the state that the machine has entered.
pub trait Chooser {
    /// One of `legal` (never empty), within `time`. Better moves found on the way go to `better`.
    ///
    /// # Errors
    /// The machine's limits.
    fn choose(
        &mut self,
        machine: &mut dyn StateMachine,
        legal: &[MoveId],
        time: &Time,
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
        _: &Time,
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
        _: &Time,
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
    /// The player at the start of the match.
    ///
    /// # Errors
    /// If `role` is no role of the game.
    pub fn new(machine: M, chooser: C, role: &str) -> anyhow::Result<Self> {
        let index = role_of(machine.roles(), role)?;
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

    fn advance(&mut self, made: &Made) -> anyhow::Result<()> {
        self.state = after(&mut self.machine, &self.state, made)?;
        Ok(())
    }
}

impl<M: StateMachine, C: Chooser> Player for Follower<M, C> {
    fn prepare(&mut self, time: &Time, fallback: &Fallback) -> anyhow::Result<()> {
        self.machine.set_stop(time.stop());
        self.enter(fallback).map(|_| ())
    }

    fn play(&mut self, made: &Made, time: &Time, fallback: &Fallback) -> anyhow::Result<String> {
        self.machine.set_stop(time.stop());
        self.advance(made)?;
        let legal = self.enter(fallback)?;
        let Self { machine, chooser, role, .. } = self;
        let names: Vec<String> = legal.iter().map(|&m| machine.move_text(*role, m)).collect();
        let mut better = |m: MoveId| {
            if let Some(at) = legal.iter().position(|&l| l == m) {
                fallback.set(Some(names[at].clone()));
            }
        };
        let chosen = chooser.choose(machine, &legal, time, &mut better)?;
        Ok(machine.move_text(*role, chosen))
    }

    fn finish(&mut self, made: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        let until = Instant::now() + FAREWELL;
        self.machine.set_stop(Stop::when(move || Instant::now() >= until));
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

impl PlayerFactory for Thinking {
    fn create(&self, start: &MatchStart, time: &Time) -> anyhow::Result<Box<dyn Player>> {
        let program = read_rules(&start.rules)?;
        if information::is_hidden(&program) {
            return Ok(Box::new(HiddenMatch::new(program, &start.role, *self, time)?));
        }
        // The prover follows the match until the net is there, so that a move can be answered at any time.
        let follower = Follower::new(prover(program.clone(), time)?, First, &start.role)?;
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
    /// The move that was sent last, if the player chose it.
    sent: Option<MoveId>,
}

impl Thinker {
    fn load(&mut self, time: &Time) -> anyhow::Result<()> {
        let time = time.with_margin();
        let Thinking { kind, seed, limits } = self.settings;
        let game = Game::from_program(self.program.clone(), limits, &mut || time.is_up());
        let role = self.follower.role;
        let mut player = GamePlayer::new(Arc::new(game), kind, role, seed, Parallelism::Inside)?;
        let state = player.machine().initial();
        self.seat = Some(Seat { player, state, sent: None });
        Ok(())
    }

    /// Thinks about the first move for the rest of the start clock.
    fn think(&mut self, time: &Time) -> anyhow::Result<()> {
        let Some(seat) = &mut self.seat else { return Ok(()) };
        let budget = Budget { stop: time.with_margin().stop(), ..Budget::default() };
        Ok(seat.player.prepare(&seat.state, &budget)?)
    }
}

impl Player for Thinker {
    fn prepare(&mut self, time: &Time, fallback: &Fallback) -> anyhow::Result<()> {
        self.follower.prepare(time, fallback)?;
        self.load(time)?;
        // The net may have taken the whole clock.
        if time.is_up() { Ok(()) } else { self.think(time) }
    }

    fn play(&mut self, made: &Made, time: &Time, fallback: &Fallback) -> anyhow::Result<String> {
        if self.seat.is_none() {
            self.load(time)?;
        }
        let Some(seat) = &mut self.seat else { anyhow::bail!("the game is not loaded") };
        let time = time.with_margin();
        let machine = seat.player.machine();
        machine.set_stop(time.stop());
        seat.state = after(machine, &seat.state, made)?;
        machine.enter(&seat.state)?;
        let role = self.follower.role;
        let first = *machine.legal(role)?.first().context("the rules give no legal move here")?;
        fallback.set(Some(machine.move_text(role, first)));
        let budget = Budget { stop: time.stop(), ..Budget::default() };
        let choice = seat.player.choose(&seat.state, &budget)?;
        seat.sent = Some(choice.id);
        Ok(choice.text)
    }

    fn ponder(&mut self, stop: &Stop) -> anyhow::Result<()> {
        let Some(Seat { player, state, sent }) = &mut self.seat else { return Ok(()) };
        let Some(own) = sent.take() else { return Ok(()) };
        let budget = Budget { stop: stop.clone(), ..Budget::default() };
        Ok(player.ponder(state, own, &budget)?)
    }

    fn finish(&mut self, made: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        let Some(seat) = &mut self.seat else { return Ok(Vec::new()) };
        let machine = seat.player.machine();
        // The match has ended; its goals are worth a moment.
        let until = Instant::now() + FAREWELL;
        machine.set_stop(Stop::when(move || Instant::now() >= until));
        seat.state = after(machine, &seat.state, made)?;
        machine.enter(&seat.state)?;
        let goals = |role| -> anyhow::Result<Option<i64>> {
            let values = machine.goals(role)?;
            Ok(if let [one] = values.as_slice() { one.parse().ok() } else { None })
        };
        let roles = self.follower.machine.roles().len();
        (0..roles).map(goals).collect()
    }
}

/// The state after the last step, in a game in which all players receive all moves.
pub(super) fn after(machine: &mut dyn StateMachine, state: &State, made: &Made) -> anyhow::Result<State> {
    match made {
        Made::Begin | Made::Own { own: None, .. } => Ok(state.clone()),
        Made::Joint(moves) => {
            machine.enter(state)?;
            let joint = machine.joint_move(moves)?;
            Ok(machine.successor(&joint)?)
        }
        Made::Own { .. } => {
            anyhow::bail!("the rules have no `sees` and no role `random`: PLAY must have all moves")
        }
    }
}

/// Reads the rules a manager sent.
///
/// # Errors
/// Every fault of the rulesheet, one per line.
pub fn read_rules(rules: &str) -> anyhow::Result<Program> {
    information::read(rules).map_err(|error| {
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
    fn create(&self, start: &MatchStart, time: &Time) -> anyhow::Result<Box<dyn Player>> {
        let program = read_rules(&start.rules)?;
        if information::is_hidden(&program) {
            let kind = if self.seed.is_some() { Kind::Random } else { Kind::Legal };
            let settings = Thinking { kind, seed: self.seed.unwrap_or(0), limits: LoadLimits::default() };
            return Ok(Box::new(HiddenMatch::new(program, &start.role, settings, time)?));
        }
        let machine = prover(program, time)?;
        Ok(match self.seed {
            Some(seed) => Box::new(Follower::new(machine, Random(SplitMix64::new(seed)), &start.role)?),
            None => Box::new(Follower::new(machine, First, &start.role)?),
        })
    }
}
