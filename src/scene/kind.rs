//! The kinds of files that need no scene.

use super::Task;
use crate::files;
use std::path::Path;

/// The kinds of files that need no scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A game record of Go.
    Sgf,
    /// Game records of chess.
    Pgn,
    /// Positions of chess with operations, one a line.
    Epd,
    /// Positions of chess, one a line.
    Fen,
    /// A rulesheet.
    Kif,
}

impl Kind {
    /// The names' endings, as globs know them.
    pub const ENDINGS: [&'static str; 5] = ["sgf", "pgn", "epd", "fen", "kif"];

    /// The kind of a file, by the ending of its name or of the packed file's name. `None` for a scene.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        Some(match files::ending(path)?.as_str() {
            "sgf" => Self::Sgf,
            "pgn" => Self::Pgn,
            "epd" => Self::Epd,
            "fen" => Self::Fen,
            "kif" => Self::Kif,
            _ => return None,
        })
    }

    pub(super) const fn task(self) -> Task {
        match self {
            Self::Sgf => Task::Analyse {
                last: tengen_go::AnalyseSystems::MoveEvaluation,
                columns: Vec::new(),
                after: None,
            },
            Self::Pgn | Self::Epd | Self::Fen => Task::Search {
                depth: None,
                nodes: Some(100_000),
                visits: None,
                hash: None,
                repetition: None,
                policy: None,
                perpetual: None,
                exact: false,
                threads: None,
            },
            Self::Kif => Task::Playouts { count: 100 },
        }
    }
}
