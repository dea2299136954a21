//! Scenes: positions to analyse, with the expected findings. They are RON files, whose types are checked on loading.
//!
//! A file begins with `version: 1` and holds one scene, or a list under `scenes`. Paths in a file are relative to the
//! file. An unknown field is an error with line, column and the allowed names. The types of this module are the schema.
//! [`load`] reads files. [`cases`] turns scenes into cases, which give one record each. [`case`] defines a case.

pub mod case;
pub mod cases;
mod chess_files;
pub mod expect;
mod faults;
pub mod kind;
pub mod load;
pub mod paths;
mod pending_input;
pub mod plain_files;
pub mod player;
pub mod position;
pub mod rulesheets;
#[cfg(test)]
mod tests;
pub mod warnings;

pub use case::{Case, GameRecord, Input, Origin};
pub(crate) use chess_files::GameTexts;
pub(crate) use chess_files::fault_of as pgn_fault;
#[cfg(feature = "viewer")]
pub(crate) use chess_files::game_warnings as pgn_warnings;
pub use expect::Expect;
pub use load::{Loaded, Source};
pub use plain_files::PlainFiles;
pub use player::{Adjudication, GgpClock, GoClock, Player, Sprt, UciLimits};

use crate::judges;
use serde::{Deserialize, Serialize};
use tengen_go::board::{Color, KoRule, Rules, SuicideRule};
use tengen_go::judge::JudgeInForce;
use tengen_go::{AnalyseSystems, Level};

/// The only version of the schema there is.
pub const VERSION: u32 = 1;

/// One thing to think about.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Its name, unique in the file; `file#name` is the record's id.
    pub name: String,
    /// The position. Left out when `for_each` names many.
    #[serde(default)]
    pub game: Option<Game>,
    /// Many positions instead of one: one record each.
    #[serde(default)]
    pub for_each: Option<ForEach>,
    /// The task for it.
    pub task: Task,
    /// The expected findings; all must hold.
    #[serde(default)]
    pub expect: Vec<Expect>,
    /// A seed of its own; without one it derives from the run's seed and the id.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Go: the level of reading. `--effort` says otherwise; without either it is `Normal`.
    #[serde(default)]
    pub effort: Option<Level>,
    /// Go: who judges positions: `embedded`, `embedded:N`, `playouts`, `playouts:N` or `none`. `--judge` says otherwise; without either it is
    /// `embedded`.
    #[serde(default, deserialize_with = "judge")]
    pub judge: Option<JudgeInForce>,
}

/// A scene file as it is written: one scene, or `scenes`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub version: u32,
    #[serde(default)]
    pub scenes: Option<Vec<Scene>>,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub game: Option<Game>,
    #[serde(default)]
    pub for_each: Option<ForEach>,
    #[serde(default)]
    pub task: Option<Task>,
    #[serde(default)]
    pub expect: Vec<Expect>,
    #[serde(default)]
    pub seed: Option<u64>,
    #[serde(default)]
    pub effort: Option<Level>,
    /// Go: who judges positions: `embedded`, `embedded:N`, `playouts`, `playouts:N` or `none`. `--judge` says otherwise; without either it is
    /// `embedded`.
    #[serde(default, deserialize_with = "judge")]
    pub judge: Option<JudgeInForce>,
}

/// A judge by its name.
fn judge<'de, D: serde::Deserializer<'de>>(name: D) -> Result<Option<JudgeInForce>, D::Error> {
    let name: Option<String> = Deserialize::deserialize(name)?;
    name.map(|name| judges::named(&name).map_err(serde::de::Error::custom)).transpose()
}

/// A position of one of the domains.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Game {
    /// Go: an SGF file, a diagram or an empty board, exactly one of `sgf`, `diagram` and `size`.
    Go {
        /// An SGF file.
        #[serde(default)]
        sgf: Option<String>,
        /// With `sgf`: the position after this many moves of the main line; without it, after all.
        #[serde(default, rename = "move")]
        move_number: Option<usize>,
        /// With `sgf`: which variation to take at each branching, from 0; the first where the list ends.
        #[serde(default)]
        variation: Vec<usize>,
        /// `X` black, `O` white, `.` empty, one line a row, row by row from the top.
        #[serde(default)]
        diagram: Option<String>,
        /// An empty board of this size.
        #[serde(default)]
        size: Option<usize>,
        /// Moves played on from there, as `D4` or `pass`, the players in turn.
        #[serde(default)]
        moves: Vec<String>,
        /// The side to move. Without it, the side whose turn it is, or Black on a board without moves.
        #[serde(default)]
        to_move: Option<Color>,
        /// Points that White gets for moving second. Without it, the komi of the SGF file, or 0.
        #[serde(default)]
        komi: Option<f32>,
        /// The ko rule.
        #[serde(default)]
        ko: KoRule,
        /// Whether suicide is allowed.
        #[serde(default)]
        suicide: SuicideRule,
    },
    /// Chess.
    Chess {
        /// The position in FEN; without it, the initial position.
        #[serde(default)]
        fen: Option<String>,
        /// Moves played on from there, in UCI's spelling (`e2e4`, `e7e8q`).
        #[serde(default)]
        moves: Vec<String>,
    },
    /// A game written in GDL.
    Gdl {
        /// The rulesheet.
        rules: String,
        /// Joint moves from the initial state: one list per step, one move per role in the order of the roles. Moves
        /// are spelled as in the rulesheet (`(mark 1 1)`).
        #[serde(default)]
        moves: Vec<Vec<String>>,
    },
}

/// Many positions of one kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ForEach {
    /// Positions of the main lines of SGF files.
    Sgf {
        /// Which files: `*`, `?` and `[a-z]` within a name, `**` for any folders; relative to the scene's file, or
        /// absolute.
        glob: String,
        /// The position before the first move and after every N moves.
        #[serde(default = "ForEach::every")]
        every: usize,
    },
    /// Rulesheets in their initial states.
    Kif {
        /// Which files.
        glob: String,
    },
    /// Positions of the games of PGN files.
    Pgn {
        /// Which files.
        glob: String,
        /// The position before the first ply and after every N plies.
        #[serde(default = "ForEach::every")]
        every: usize,
    },
    /// Positions of EPD or FEN files, one a line; where the task is a search, the operation `bm` is an expectation.
    Epd {
        /// Which files.
        glob: String,
    },
}

impl ForEach {
    /// The files it names.
    #[must_use]
    pub fn glob(&self) -> &str {
        let (Self::Sgf { glob, .. } | Self::Kif { glob } | Self::Pgn { glob, .. } | Self::Epd { glob }) =
            self;
        glob
    }

    fn every() -> usize {
        10
    }
}

/// The task for a position.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Task {
    /// Go: the schedule `Analyse`.
    Analyse {
        /// The last stage; without it, all.
        #[serde(default)]
        last: AnalyseSystems,
        /// Columns to put into the record beside the summary.
        #[serde(default)]
        columns: Vec<Column>,
        /// A move of the side to move: the record tells influence after it, and after a second move in a row.
        #[serde(default)]
        after: Option<String>,
    },
    /// A search: alpha-beta for chess, UCT for GDL. At least one limit.
    Search {
        /// Plies.
        #[serde(default)]
        depth: Option<u32>,
        /// Positions visited.
        #[serde(default)]
        nodes: Option<u64>,
        /// Visits of the root (UCT).
        #[serde(default)]
        visits: Option<u64>,
        /// Size of the transposition table in MiB (chess).
        #[serde(default)]
        hash: Option<usize>,
        /// The scheme of repetition (chess); `Exact` if left out.
        #[serde(default)]
        repetition: Option<tengen_chess::repetition::Scheme>,
        /// Which recurrences are draws (chess); `B` if left out.
        #[serde(default)]
        policy: Option<tengen_chess::history::Policy>,
        /// The score of a repetition by perpetual check of the side to move, in centipawns from 0 to 100 (chess). The
        /// default 0 is an ordinary draw.
        #[serde(default)]
        perpetual: Option<i32>,
        /// Fixed depth without selectivity or quiescence, material alone (chess): the exact mode.
        #[serde(default)]
        exact: bool,
        /// Threads the search is made for; 1 if left out. A search of a rulesheet gives the same result for the same
        /// number on any machine. A chess search with more than one thread does not, and its record says so.
        #[serde(default)]
        threads: Option<usize>,
    },
    /// Whole games of the engine against itself, or of one player against another. `tengen selfplay` keeps the game
    /// records; `tengen run` plays a few games and reports on them.
    SelfPlay {
        /// The number of games for `tengen run`; `tengen selfplay` takes `--games`.
        #[serde(default = "Task::games")]
        games: u32,
        /// Who plays: one for all sides, or one a side; they change sides from game to game.
        #[serde(default)]
        players: Vec<Player>,
        /// A game ends after this many moves (chess: plies; GDL: joint moves). Without it: three moves a vertex in Go,
        /// 400 plies in chess, 1000 moves in GDL.
        #[serde(default)]
        max_moves: Option<usize>,
        /// The number of random moves at the beginning, so that games differ. In Go they are among the best
        /// candidates (default 8), in chess any legal moves (default 8, or none with `openings`). Not for GDL.
        #[serde(default)]
        random_moves: Option<usize>,
        /// Chess: a file of positions to begin from in turn, instead of the scene's own: EPD, or PGN, of which each game
        /// is played on from its end.
        #[serde(default)]
        openings: Option<String>,
        /// Chess: end games that both players see won or drawn. Without it they are played out; records say which.
        #[serde(default)]
        adjudication: Option<Adjudication>,
        /// A sequential test of the first player against the second; `tengen selfplay` stops when it is decided.
        #[serde(default)]
        sprt: Option<Sprt>,
    },
    /// Chess and GDL: positions after exactly this number of plies.
    Perft {
        /// Plies.
        depth: u32,
    },
    /// Go and GDL: random games to the end.
    Playouts {
        /// The number.
        count: u64,
    },
    /// Go: the field of given influence sources, without patterns; stones on the board block it.
    Influence {
        /// The sources.
        sources: Vec<FieldSource>,
        /// Vertices with less permeability, or none.
        #[serde(default)]
        permeability: Vec<FieldPermeability>,
        /// Extra damping of diagonal steps: 2.0 in the GNU Go 3.8 manual, 1.7 in territorial influence.
        #[serde(default = "Task::diagonal")]
        diagonal: f32,
    },
}

impl Task {
    fn games() -> u32 {
        2
    }

    fn diagonal() -> f32 {
        2.0
    }

    /// The task's name in records.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Analyse { .. } => "analyse",
            Self::Search { .. } => "search",
            Self::SelfPlay { .. } => "selfplay",
            Self::Perft { .. } => "perft",
            Self::Playouts { .. } => "playouts",
            Self::Influence { .. } => "influence",
        }
    }
}

/// An influence source of the task `Influence`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FieldSource {
    /// Its vertex.
    pub at: String,
    /// The influence at its own vertex.
    #[serde(default = "FieldSource::strength")]
    pub strength: f32,
    /// The divisor of each step.
    #[serde(default = "FieldSource::attenuation")]
    pub attenuation: f32,
    /// Whose it is.
    #[serde(default = "FieldSource::color")]
    pub color: Color,
}

impl FieldSource {
    fn strength() -> f32 {
        100.0
    }

    fn attenuation() -> f32 {
        3.0
    }

    fn color() -> Color {
        Color::White
    }
}

/// A permeability of the task `Influence`; 1 where none is given.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FieldPermeability {
    /// Its vertex.
    pub at: String,
    /// For the influence of this colour; without it, of both.
    #[serde(default)]
    pub color: Option<Color>,
    /// From 0 to 1.
    pub is: f32,
}

/// A per-vertex column of a record, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub enum Column {
    /// Influence of both colours, dragons known.
    Influence,
    /// Influence of both colours, dragons not known yet.
    FirstInfluence,
    /// Territorial value from -1 (Black's) to 1 (White's).
    Territory,
    /// Territory, moyo, area or neither, as numbers: 3, 2, 1, 0, Black's negative; 4 and -4 are stones.
    Regions,
    /// All that is published of the vertices: string, dragon, eyes, influence, permeability, territory, distances.
    Points,
    /// The eye spaces.
    Eyes,
    /// What patterns did to influence.
    Effects,
    /// What surrounds each dragon, vertex by vertex, and where its ways out end.
    Surround,
    /// Two moves in a row that kill or save each dragon: a reading of its own.
    Threats,
    /// All candidate moves instead of the ten best.
    Moves,
    /// The judge's view with the side to move: the expected owner from 1 (Black's) to -1 (White's), and the
    /// likelihood of each move.
    Judge,
    /// Why the five best moves are better than a pass, and the move that the game goes on with worse than the best.
    Reasons,
}

/// The domain a game belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// Go.
    Go,
    /// Chess.
    Chess,
    /// General game playing.
    Gdl,
}

impl Scene {
    /// The domain, by its game or `for_each`.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        match (&self.game, &self.for_each) {
            (Some(Game::Chess { .. }), _) | (None, Some(ForEach::Pgn { .. } | ForEach::Epd { .. })) => {
                Domain::Chess
            }
            (Some(Game::Gdl { .. }), _) | (None, Some(ForEach::Kif { .. })) => Domain::Gdl,
            _ => Domain::Go,
        }
    }
}

/// The Go rules of a scene.
#[must_use]
pub const fn rules(ko: KoRule, suicide: SuicideRule) -> Rules {
    Rules { ko, suicide }
}
