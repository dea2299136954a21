//! The positions with which games of self-play begin.

use std::sync::Arc;
use tengen_chess::history::Game as ChessGame;
use tengen_go::world::Position;
use tengen_propnet::game::Game;

/// The beginning of a game, and its greatest length.
#[derive(Clone, Debug)]
pub struct Start {
    /// The case's id.
    pub id: String,
    /// The scene's own seed, if it has one.
    pub seed: Option<u64>,
    /// A game ends after this many moves.
    pub max_moves: usize,
    /// Moves at the beginning that are drawn.
    pub random_moves: usize,
    /// The position.
    pub from: From,
}

/// The position a game begins with.
#[derive(Clone, Debug)]
pub enum From {
    /// Go.
    Go(Box<Opening>),
    /// Chess.
    Chess(Box<ChessGame>),
    /// GDL: always the initial state.
    Gdl(Rules),
}

impl Start {
    /// The name of its games: the scene's name and the number of its position, without the path of its file.
    #[must_use]
    pub fn event(&self) -> &str {
        let tail = self.id.split_once('#').map(|(_, name)| name);
        tail.unwrap_or_else(|| self.id.rsplit('/').next().unwrap_or(&self.id))
    }

    /// The role `random`.
    pub(super) fn chance(&self) -> Option<usize> {
        if let From::Gdl(rules) = &self.from { rules.game.program.chance() } else { None }
    }

    /// The identity of a start.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let from = match &self.from {
            From::Go(opening) => opening.fingerprint(),
            From::Chess(game) => format!("{} {:?}", game.fen(), game.moves()),
            From::Gdl(rules) => format!("{:08x}", rules.signature),
        };
        format!("{} {:?} {} {} {from}", self.id, self.seed, self.max_moves, self.random_moves)
    }
}

/// The beginning of a game of Go.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The position.
    pub position: Position,
    /// Moves and passes in the position's history.
    pub played: usize,
}

impl Opening {
    /// The identity of an opening.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let Position { board, to_move, komi, .. } = &self.position;
        let history: Vec<_> = board.moves().collect();
        let key = (board.situation_hash(*to_move), board.size(), board.rules());
        format!("{key:?} {komi} {history:?}")
    }
}

/// A rulesheet, loaded.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The game.
    pub game: Arc<Game>,
    /// Its text.
    pub text: Arc<str>,
    /// A hash of its text.
    pub signature: u32,
}

/// The settings of the task `SelfPlay`.
pub(super) struct Settings<'a> {
    pub(super) max_moves: Option<usize>,
    pub(super) random_moves: Option<usize>,
    pub(super) openings: Option<&'a str>,
}
