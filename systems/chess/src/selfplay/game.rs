//! Plays one game between two players of this engine.
//!
//! # Steps
//! 1. The game begins with an opening position. Random moves follow, if the settings ask for them.
//! 2. Each side searches with its own table and limits. It keeps its table and its histories through the game.
//! 3. The rules end the game, or both players agree on its end (adjudication).
//!
//! # Invariants
//! With limits of depth or nodes, the game depends only on opening, players and seed.

use crate::evaluation::Weights;
use crate::history::{Game, GameResult};
use crate::repetition::Path;
use crate::rules::notation::{self, legal_moves};
use crate::search::report::mate_in;
use crate::search::{Limits, Options, SearchReport, Table, search_with};
use cozy_chess::{Color, Move};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tengen_core::SplitMix64;

/// One side.
#[derive(Clone, Debug)]
pub struct Player {
    /// Its name in reports.
    pub name: String,
    /// Its limits for each move.
    pub limits: Limits,
    /// Its options.
    pub options: Options,
    /// Entries of its table.
    pub table_entries: usize,
    /// Its evaluation.
    pub weights: Arc<Weights>,
}

impl Player {
    /// A player with this many nodes for each move and default settings.
    #[must_use]
    pub fn of_nodes(name: &str, nodes: u64) -> Self {
        Self {
            name: name.to_owned(),
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            options: Options::default(),
            table_entries: 1 << 16,
            weights: Arc::new(Weights::default()),
        }
    }
}

/// The beginning of a game, and its end before mate or a rule (adjudication).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchRules {
    /// Random moves played after the opening.
    pub random_plies: u32,
    /// A win: both scores are beyond this ...
    pub resign_score: i32,
    /// ... for this many plies.
    pub resign_plies: u32,
    /// A draw: both scores are within this ...
    pub draw_score: i32,
    /// ... for this many plies ...
    pub draw_plies: u32,
    /// ... after this ply.
    pub draw_after: u32,
    /// The game is a draw at this ply.
    pub max_plies: u32,
}

impl MatchRules {
    /// No adjudication: nobody resigns, no draw is agreed, and the game ends at 400 plies.
    pub const PLAYED_OUT: Self = Self {
        random_plies: 0,
        resign_score: i32::MAX,
        resign_plies: u32::MAX,
        draw_score: -1,
        draw_plies: u32::MAX,
        draw_after: u32::MAX,
        max_plies: 400,
    };
}

impl Default for MatchRules {
    fn default() -> Self {
        Self {
            random_plies: 0,
            resign_score: 900,
            resign_plies: 6,
            draw_score: 8,
            draw_plies: 12,
            draw_after: 80,
            max_plies: 400,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// Mate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// Third occurrence.
    Repetition,
    /// Fifty moves.
    FiftyMoves,
    /// Dead material.
    Material,
    /// Both players agree that it is won, or drawn.
    Adjudication,
    /// The longest game allowed.
    Length,
    /// A player cannot or may not move: it loses.
    Fault,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Start and moves.
    pub game: Game,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// Why.
    pub ending: Ending,
    /// Score of each searched move, mover's view; `None` for opening moves.
    pub scores: Vec<Option<i32>>,
    /// The grounds of each of these scores.
    pub paths: Vec<Option<Path>>,
    /// Nodes of both.
    pub nodes: u64,
}

impl GameRecord {
    /// The comment behind each move: the score, mover's view, and its grounds.
    #[must_use]
    pub fn comments(&self) -> Vec<Option<String>> {
        let comment = |(score, path): (&Option<i32>, &Option<Path>)| {
            let (score, path) = score.zip(*path)?;
            let said = match mate_in(score) {
                Some(moves) => format!("#{moves}"),
                None => format!("{:+.2}", f64::from(score) / 100.0),
            };
            Some(match path {
                Path::Game { back } => format!("{said} game {back}"),
                other => format!("{said} {}", other.word()),
            })
        };
        self.scores.iter().zip(&self.paths).map(comment).collect()
    }

    /// White's result: 1, 0.5 or 0.
    #[must_use]
    pub fn white_score(&self) -> f64 {
        match self.result {
            "1-0" => 1.0,
            "0-1" => 0.0,
            _ => 0.5,
        }
    }
}

/// Plays a game; `players` are White and Black, `each` gets every searched position.
pub fn play_game(
    opening: &Game,
    players: [&Player; 2],
    rules: &MatchRules,
    seed: u64,
    mut each: impl FnMut(&Game, &SearchReport),
) -> GameRecord {
    let mut seats = players.map(Seat::new);
    let turn = |game: &Game| -> Result<Turn, std::convert::Infallible> {
        let report = seats[game.board().side_to_move() as usize].search(game);
        each(game, &report);
        Ok(report.into())
    };
    match referee(opening, rules, seed, turn) {
        (record, None) => record,
        (_, Some(never)) => match never {},
    }
}

/// A player with the table that it keeps through a game; the table holds the histories too.
#[derive(Clone, Debug)]
pub struct Seat<'a> {
    player: &'a Player,
    table: Arc<Table>,
}

impl<'a> Seat<'a> {
    /// A player at the beginning of a game.
    #[must_use]
    pub fn new(player: &'a Player) -> Self {
        let table = Table::with_entries(player.table_entries).or_else(|| Table::with_entries(1 << 10));
        Self { player, table: Arc::new(table.expect("a small table fits in memory")) }
    }

    /// Searches the position of a game.
    pub fn search(&mut self, game: &Game) -> SearchReport {
        let (limits, options) = (self.player.limits.clone(), self.player.options.clone());
        search_with(game, limits, options, self.table.clone(), self.player.weights.clone(), Box::new(()))
    }
}

/// The answer of a player on its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The move in UCI form; `None` if it has none.
    pub text: Option<String>,
    /// Its value for the mover, if the player gives one.
    pub score: Option<i32>,
    /// The grounds of the score, if the player gives them.
    pub path: Option<Path>,
    /// Positions visited.
    pub nodes: u64,
}

impl From<SearchReport> for Turn {
    fn from(report: SearchReport) -> Self {
        Self { score: Some(report.score), path: Some(report.path), nodes: report.nodes, text: report.best }
    }
}

/// Plays a game in which `turn` answers for the side to move. An error of `turn` loses the game for that side, and is
/// returned with the record. `turn` must return an error for an illegal move.
pub fn referee<E>(
    opening: &Game,
    rules: &MatchRules,
    seed: u64,
    mut turn: impl FnMut(&Game) -> Result<Turn, E>,
) -> (GameRecord, Option<E>) {
    // Step 1.
    let mut game = randomise(opening, rules.random_plies, seed);
    let mut scores = vec![None; game.moves().len()];
    let mut paths = vec![None; game.moves().len()];
    let (mut nodes, mut decided, mut level) = (0, 0_i32, 0);
    let mut fault = None;
    let (result, ending) = loop {
        // Step 3.
        if let Some(end) = end_by_rule(&game, rules) {
            break end;
        }
        // Step 2.
        let side = game.board().side_to_move();
        let turn = match turn(&game) {
            Ok(turn) => turn,
            Err(error) => {
                fault = Some(error);
                break (if side == Color::White { "0-1" } else { "1-0" }, Ending::Fault);
            }
        };
        nodes += turn.nodes;
        let Some(mv) = turn.text.as_deref().and_then(|t| notation::parse_uci(game.board(), t).ok()) else {
            break ("1/2-1/2", Ending::Stalemate);
        };
        scores.push(turn.score);
        paths.push(turn.path);
        // Who says no score is asked about neither win nor draw.
        let white = turn.score.map(|score| if side == Color::White { score } else { -score });
        decided = match white {
            Some(w) if w >= rules.resign_score => decided.max(0).saturating_add(1),
            Some(w) if w <= -rules.resign_score => decided.min(0).saturating_sub(1),
            _ => 0,
        };
        level = if white.is_some_and(|w| w.abs() <= rules.draw_score) { level + 1 } else { 0 };
        game.play(mv);
        if decided.unsigned_abs() >= rules.resign_plies {
            break (if decided > 0 { "1-0" } else { "0-1" }, Ending::Adjudication);
        }
        if level >= rules.draw_plies && game.moves().len() as u32 >= rules.draw_after {
            break ("1/2-1/2", Ending::Adjudication);
        }
    };
    (GameRecord { game, result, ending, scores, paths, nodes }, fault)
}

fn end_by_rule(game: &Game, rules: &MatchRules) -> Option<(&'static str, Ending)> {
    let result = game.result_with_claims();
    let ending = match result {
        GameResult::Ongoing if game.moves().len() as u32 >= rules.max_plies => {
            return Some(("1/2-1/2", Ending::Length));
        }
        GameResult::Ongoing => return None,
        GameResult::Win(_) => Ending::Mate,
        GameResult::Stalemate => Ending::Stalemate,
        GameResult::Threefold | GameResult::Fivefold => Ending::Repetition,
        GameResult::FiftyMoves | GameResult::SeventyFiveMoves => Ending::FiftyMoves,
        GameResult::InsufficientMaterial => Ending::Material,
    };
    Some((result.score(), ending))
}

/// Random legal moves. A walk that ends the game starts again, a few times.
fn randomise(opening: &Game, plies: u32, seed: u64) -> Game {
    let mut random = SplitMix64::new(seed);
    for _ in 0..16 {
        let mut game = opening.clone();
        for _ in 0..plies {
            let moves: Vec<Move> = legal_moves(game.board());
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len() as u32) as usize]);
        }
        if game.result() == GameResult::Ongoing {
            return game;
        }
    }
    opening.clone()
}
