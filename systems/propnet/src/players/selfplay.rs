//! Whole games between players.

use super::{GamePlayer, Kind};
use crate::game::{Game, GameError};
use std::sync::Arc;
use tengen_core::{Budget, Parallelism, Stop, derive_seed};

/// A game played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The joint moves, in canonical spelling, one per role.
    pub moves: Vec<Vec<String>>,
    /// The goal values of each role; usually one.
    pub goals: Vec<Vec<String>>,
    /// Whether it ended in a terminal state; otherwise it was broken off (too long, or no legal move).
    pub finished: bool,
}

/// Plays one game. `players` has one kind for each role; the last one serves all further roles. `budget` is called with
/// the moves made so far before every move of a role. With visits the game depends on the seed alone. The game is
/// broken off once `stop` says so.
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
    let kind = |role: usize| players.get(role).or(players.last()).copied().unwrap_or(Kind::Uct);
    let mut seats = Vec::new();
    for role in 0..roles {
        let seed = derive_seed(seed, &[role as u64]);
        seats.push(GamePlayer::new(Arc::clone(game), kind(role), role, seed, parallelism)?);
    }
    let mut state = machine.initial();
    let mut moves = Vec::new();
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
            let legal = machine.legal(role)?;
            // Who has no choice needs no search.
            let id =
                if let [only] = legal[..] { only } else { seat.choose(&state, &budget(role, &moves))?.id };
            texts.push(machine.move_text(role, id));
            joint.push(id);
        }
        state = machine.successor(&joint)?;
        moves.push(texts);
    }
    let goals = (0..roles).map(|r| machine.goals(r)).collect::<Result<_, _>>()?;
    Ok(Record { moves, goals, finished })
}
