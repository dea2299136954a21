//! Who plays the games of self-play.

use serde::{Deserialize, Serialize};
use tengen_chess::history::Policy;
use tengen_chess::repetition::Scheme;

/// A player. Which of them a game knows, [`Player::fits`] says.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Player {
    /// Go: the pipeline's best move.
    Pipeline,
    /// Go: as `tengen gtp --level N` plays, the pipeline's moves weighed by a search.
    Level(i32),
    /// Go: another program that speaks GTP, by its command line.
    Gtp(String),
    /// Chess: the playing search. At least one limit.
    Search {
        /// Positions visited.
        #[serde(default)]
        nodes: Option<u64>,
        /// Plies.
        #[serde(default)]
        depth: Option<u32>,
        /// What the table may keep of scores that rest on repetitions.
        #[serde(default)]
        repetition: Scheme,
        /// Which recurrences are draws.
        #[serde(default)]
        policy: Policy,
    },
    /// GDL: UCT with so many visits a move.
    Uct(u64),
    /// GDL: flat Monte Carlo with so many playouts a move.
    MonteCarlo(u64),
    /// GDL: alpha-beta with so many nodes a move; UCT with as many visits where the game is none for it.
    AlphaBeta(u64),
    /// GDL: any legal move.
    Random,
    /// GDL: the first legal move.
    Legal,
}

/// A sequential test of the first player against the second: "at least `high` Elo better" against "at most `low`".
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The null hypothesis.
    pub low: f64,
    /// The alternative.
    pub high: f64,
}

impl Player {
    /// What it is called in game records and summaries.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Pipeline => "pipeline".into(),
            Self::Level(level) => format!("level {level}"),
            Self::Gtp(command) => command.clone(),
            Self::Search { nodes, depth, repetition, policy } => {
                let mut name = "search".to_owned();
                for (limit, value) in [("nodes", *nodes), ("depth", depth.map(u64::from))] {
                    name += &value.map_or(String::new(), |v| format!(" {limit} {v}"));
                }
                if (*repetition, *policy) != Default::default() {
                    name += &format!(" {} {}", repetition.name(), policy.name());
                }
                name
            }
            Self::Uct(visits) => format!("uct {visits}"),
            Self::MonteCarlo(playouts) => format!("montecarlo {playouts}"),
            Self::AlphaBeta(nodes) => format!("alphabeta {nodes}"),
            Self::Random => "random".into(),
            Self::Legal => "legal".into(),
        }
    }

    /// Whether it plays this game.
    #[must_use]
    pub const fn fits(&self, domain: super::Domain) -> bool {
        use super::Domain;
        match self {
            Self::Pipeline | Self::Level(_) | Self::Gtp(_) => matches!(domain, Domain::Go),
            Self::Search { .. } => matches!(domain, Domain::Chess),
            _ => matches!(domain, Domain::Gdl),
        }
    }

    /// The player of a scene that names none.
    #[must_use]
    pub fn default_of(domain: super::Domain) -> Self {
        match domain {
            super::Domain::Go => Self::Pipeline,
            super::Domain::Chess => Self::Search {
                nodes: Some(2000),
                depth: None,
                repetition: Scheme::default(),
                policy: Policy::default(),
            },
            super::Domain::Gdl => Self::Uct(200),
        }
    }

    /// The players of a game, for the help of an error.
    #[must_use]
    pub const fn choices(domain: super::Domain) -> &'static str {
        match domain {
            super::Domain::Go => "`Pipeline`, `Level(10)` and `Gtp(\"command line\")`",
            super::Domain::Chess => "`Search(nodes: 5000)` and `Search(depth: 6)`",
            super::Domain::Gdl => "`Uct(500)`, `MonteCarlo(500)`, `AlphaBeta(10000)`, `Random` and `Legal`",
        }
    }
}
