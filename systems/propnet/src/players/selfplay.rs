//! Plays whole games between players.

use super::hidden::HiddenPlayer;
use super::{GamePlayer, Kind};
use crate::game::{Game, GameError};
use crate::information::{self, Observer};
use crate::machine::{MoveId, State};
use std::sync::Arc;
use tengen_core::{Budget, Parallelism, SplitMix64, Stop, derive_seed};

/// A game played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The joint moves, in canonical spelling, one per role.
    pub moves: Vec<Vec<String>>,
    /// What each role perceives of each joint move; empty in a game without percepts.
    pub percepts: Vec<Vec<Vec<String>>>,
    /// The goal values of each role; usually one.
    pub goals: Vec<Vec<String>>,
    /// Whether it ended in a terminal state; otherwise it was broken off (too long, or no legal move).
    pub finished: bool,
}

/// Who moves for a role.
pub enum Seat {
    /// A player that sees the state.
    Open(Box<GamePlayer>),
    /// A player that sees its percepts.
    Hidden(Box<HiddenPlayer>),
    /// The role `random`.
    Chance(SplitMix64),
}

impl Seat {
    /// The seat of a role. A game of hidden information must be read by [`information::read`].
    ///
    /// # Errors
    /// The machine's limits.
    pub fn new(
        game: &Arc<Game>,
        kind: Kind,
        role: usize,
        seed: u64,
        parallelism: Parallelism,
    ) -> Result<Self, GameError> {
        let game = Arc::clone(game);
        if game.program.chance() == Some(role) {
            return Ok(Self::Chance(SplitMix64::new(seed)));
        }
        if information::is_hidden(&game.program) {
            return Ok(Self::Hidden(Box::new(HiddenPlayer::new(game, kind, role, seed, parallelism)?)));
        }
        Ok(Self::Open(Box::new(GamePlayer::new(game, kind, role, seed, parallelism)?)))
    }

    /// One of the legal moves, of which there is at least one. Who has no choice does not search. A player that knows
    /// no state any more, or chooses what is not legal in the true state, makes any move.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn choose(
        &mut self,
        state: &State,
        legal: &[MoveId],
        budget: &mut dyn FnMut() -> Budget,
    ) -> Result<MoveId, GameError> {
        let any = |random: &mut SplitMix64| {
            let drawn = random.below(u32::try_from(legal.len()).unwrap_or(u32::MAX));
            legal[drawn as usize]
        };
        match self {
            Self::Chance(random) => Ok(any(random)),
            _ if legal.len() == 1 => Ok(legal[0]),
            Self::Open(player) => Ok(player.choose(state, &budget())?.id),
            Self::Hidden(player) if player.belief().states().is_empty() => {
                Ok(any(&mut SplitMix64::new(player.belief().steps() as u64)))
            }
            Self::Hidden(player) => {
                let id = player.choose(&budget())?.id;
                // Rules may let a move depend on what its role cannot know.
                let unknown = || any(&mut SplitMix64::new(player.belief().steps() as u64));
                Ok(if legal.contains(&id) { id } else { unknown() })
            }
        }
    }

    /// Tells the player what its role did and perceived.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn observe(&mut self, own: &str, percepts: &[String], stop: &Stop) -> Result<(), GameError> {
        if let Self::Hidden(player) = self {
            player.observe(own, percepts, &Budget { stop: stop.clone(), ..Budget::default() })?;
        }
        Ok(())
    }
}

/// The number of each role's player: the role `random` has none, and the others take them in their order.
#[must_use]
pub fn numbers_of_players(game: &Game) -> Vec<Option<usize>> {
    let chance = game.program.chance();
    let mut next = 0..;
    (0..game.program.roles().len())
        .map(|role| if chance == Some(role) { None } else { next.next() })
        .collect()
}

/// Plays one game. `players` has one kind for each role but `random`; the last one serves all further roles. `budget` is
/// called with the moves made so far before every move of a role. With visits the game depends on the seed alone. The
/// game is broken off once `stop` says so.
///
/// # Errors
/// The machine's limits.
pub fn play(
    game: &Arc<Game>,
    players: &[Kind],
    budget: &mut dyn FnMut(usize, &[Vec<String>]) -> Budget,
    seed: u64,
    most_moves: usize,
    parallelism: Parallelism,
    stop: &Stop,
) -> Result<Record, GameError> {
    let mut machine = game.machine("auto")?;
    machine.set_stop(stop.clone());
    let roles = machine.roles().len();
    let kind = |number: usize| players.get(number).or(players.last()).copied().unwrap_or(Kind::Uct);
    let mut seats = Vec::new();
    for (role, number) in numbers_of_players(game).into_iter().enumerate() {
        let seed = derive_seed(seed, &[role as u64]);
        seats.push(Seat::new(game, kind(number.unwrap_or(0)), role, seed, parallelism)?);
    }
    let hidden = information::is_hidden(&game.program);
    let mut observer = Observer::default();
    let mut state = machine.initial();
    let (mut moves, mut percepts) = (Vec::<Vec<String>>::new(), Vec::new());
    let mut finished = false;
    for _ in 0..=most_moves {
        machine.enter(&state)?;
        finished = machine.terminal()?;
        let stuck =
            (0..roles).try_fold(false, |s, r| Ok::<_, GameError>(s || machine.legal(r)?.is_empty()))?;
        if finished || stuck || moves.len() == most_moves || stop.now() {
            break;
        }
        let mut joint = Vec::new();
        let mut texts = Vec::new();
        for (role, seat) in seats.iter_mut().enumerate() {
            let id = seat.choose(&state, &machine.legal(role)?, &mut || budget(role, &moves))?;
            texts.push(machine.move_text(role, id));
            joint.push(id);
        }
        state = machine.successor(&joint)?;
        if hidden {
            let seen = observer.texts(machine.as_ref(), &state)?;
            for ((seat, own), seen) in seats.iter_mut().zip(&texts).zip(&seen) {
                seat.observe(own, seen, stop)?;
            }
            percepts.push(seen);
        }
        moves.push(texts);
    }
    let goals = (0..roles).map(|r| machine.goals(r)).collect::<Result<_, _>>()?;
    Ok(Record { moves, percepts, goals, finished })
}
