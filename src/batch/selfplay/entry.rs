//! The data of a finished game. They are read from the game's record, so that only the record must be stored.

use super::Plan;
use crate::client::process::EngineError;
use crate::record::rounded;
use serde_json::{Value, json};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Two passes in turn.
    Passes,
    /// The game reached its move limit.
    Limit,
    /// A player resigned.
    Resignation,
    /// A player's move was not legal: it lost.
    IllegalMove,
    /// A player's time ran out: it lost.
    TimeLoss,
    /// A player's program did not keep to its protocol: it lost.
    ProtocolError,
    /// A player's program ended: it lost.
    BrokenOff,
    /// Mate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// A third occurrence.
    Repetition,
    /// Fifty moves.
    FiftyMoves,
    /// Dead material.
    Material,
    /// Both players saw it won, or drawn.
    Adjudication,
    /// A terminal state.
    Terminal,
    /// A role had no legal move.
    Stuck,
}

impl End {
    const ALL: [Self; 15] = [
        Self::Passes,
        Self::Limit,
        Self::Resignation,
        Self::IllegalMove,
        Self::TimeLoss,
        Self::ProtocolError,
        Self::BrokenOff,
        Self::Mate,
        Self::Stalemate,
        Self::Repetition,
        Self::FiftyMoves,
        Self::Material,
        Self::Adjudication,
        Self::Terminal,
        Self::Stuck,
    ];

    /// Its name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passes => "passes",
            Self::Limit => "limit",
            Self::Resignation => "resignation",
            Self::IllegalMove => "illegal move",
            Self::TimeLoss => "time loss",
            Self::ProtocolError => "protocol error",
            Self::BrokenOff => "broken off",
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::Material => "material",
            Self::Adjudication => "adjudication",
            Self::Terminal => "terminal",
            Self::Stuck => "stuck",
        }
    }

    /// Whether it was a player's fault.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::TimeLoss | Self::ProtocolError | Self::BrokenOff)
    }

    /// The end of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.name() == name)
    }
}

impl EngineError {
    /// The end of a game that a program loses in this way.
    #[must_use]
    pub(super) const fn end(&self) -> End {
        match self {
            Self::Broken { .. } | Self::Stopped { .. } => End::BrokenOff,
            Self::Late { .. } => End::TimeLoss,
            Self::Refused { .. } | Self::NoOption { .. } => End::ProtocolError,
        }
    }
}

/// A hash of a text, 64 bits.
#[must_use]
pub fn hash(text: &str) -> u64 {
    tengen_core::derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>())
}

/// The data of one game for `games.jsonl` and the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Moves, those of its start not counted.
    pub moves: usize,
    /// The result as the record writes it.
    pub result: String,
    /// The result of each side: 1 for a win, 0.5 for a draw; a goal of 100 is 1.
    pub points: Vec<f64>,
    /// Go: White's points less Black's, komi included; `None` if the game was not counted.
    pub white_lead: Option<f32>,
    /// Why it is over.
    pub end: End,
    /// Go against another program: it judges the winner otherwise than we do.
    pub disputed: bool,
    /// A hash of the game record's bytes.
    pub signature: u32,
    /// A hash of the moves: two games from one start with the same are the same game.
    pub game: u64,
}

impl Entry {
    /// Its line in `games.jsonl`.
    #[must_use]
    pub fn line(&self, plan: &Plan, number: u32, file: &str) -> Value {
        let players: Vec<usize> = (0..plan.sides.len()).map(|side| plan.player_of(side, number)).collect();
        let points: Vec<Value> = self.points.iter().map(|&p| rounded(p)).collect();
        json!({
            "schema": "tengen.game/3",
            "game": number,
            "scene": plan.start(number).id,
            "file": file,
            "seed": plan.seed(number),
            "opening_seed": plan.opening_seed(number),
            "players": players,
            "moves": self.moves,
            "end": self.end.name(),
            "result": self.result,
            "points": points,
            "white_lead": self.white_lead.map(rounded),
            "disputed": self.disputed,
            "adjudication": plan.adjudication.map(|a| a.words()),
            "game_hash": format!("{:016x}", self.game),
            "signature": format!("{:08x}", self.signature),
        })
    }
}
