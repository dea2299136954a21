//! Plays one game of Go in which at least one player is not the analysis pipeline. Such a player is a level of Tengen,
//! or another program over GTP.
//!
//! # Steps
//! 1. Each side gets its player: Tengen's engine with one board, or a program that receives size, komi and position.
//! 2. Players move in turn. The referee tells a program the other player's moves. The pipeline chooses the random
//!    opening moves.
//! 3. After two passes the referee counts. It also asks each program that can count. If a program names a different
//!    winner, the record notes this.
//!
//! A program loses if it breaks off, violates GTP or its clock, or plays an illegal move. The record names the reason.
//! With programs that think by the clock, games are not reproducible.

use super::clock::Clock;
use super::entry::End;
use super::go::Playing;
use super::{Finished, Plan};
use crate::client::gtp::Client;
use crate::client::process::EngineError;
use crate::scene::Player;
use std::time::Instant;
use tengen_core::{Parallelism, Stop, derive_seed};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::judge::JudgeInForce;
use tengen_go::judge::search::KeptTree;
use tengen_go::moves::{self, Choice, MoveList};
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, Effort, GoEngine, Level};

/// A side's player, set up for one game.
enum Seat {
    /// Tengen's engine, with the playouts of a level.
    Ours { engine: Box<GoEngine>, level: Option<i32>, kept: KeptTree },
    /// A program, and its clock.
    Program(Box<Client>, Clock),
}

/// The answer of a player.
enum Answer {
    Move(Vertex, String),
    Resigns,
}

/// Plays the game of this number; it breaks off once `stop` says so.
///
/// # Errors
/// If a program cannot be started.
pub(super) fn play(
    plan: &Plan,
    number: u32,
    parallelism: Parallelism,
    stop: &Stop,
) -> anyhow::Result<Finished> {
    let Some(mut game) = Playing::new(plan, number) else { anyhow::bail!("the start is no game of Go") };
    // Step 1.
    let seat = |side: usize| {
        Seat::new(
            plan.player(side, number),
            plan.effort,
            plan.judge.as_ref(),
            &game.position,
            parallelism,
            stop,
        )
    };
    let mut seats = [seat(0)?, seat(1)?];
    let mut drawer = GoEngine::new(1).parallelism(parallelism);
    // Step 2.
    loop {
        game.show(plan);
        if stop.now() {
            let winner = game.position.to_move.other();
            return Ok(game.won_by(plan, winner, End::BrokenOff, "the run was stopped"));
        }
        let color = game.position.to_move;
        let (mover, other) = (side_of(color), side_of(color.other()));
        let seed = derive_seed(plan.seed(number), &[game.moves as u64]);
        let over = if game.is_opening() {
            let before = game.moves;
            let over = game.step(&candidates(&mut drawer, &game.position));
            let v = last_move(&game.position.board);
            for (side, seat) in seats.iter_mut().enumerate() {
                if let Err(error) = seat.tell(color, v, &game.position) {
                    let winner = if side == 0 { Color::White } else { Color::Black };
                    return Ok(game.won_by(plan, winner, error.end(), &error.to_string()));
                }
            }
            debug_assert_eq!(before + 1, game.moves, "a step is a move");
            over
        } else {
            let answer = seats[mover].choose(&game.position, seed, stop);
            let (v, comment) = match answer {
                Ok(Answer::Move(v, comment)) => (v, comment),
                Ok(Answer::Resigns) => {
                    return Ok(game.won_by(plan, color.other(), End::Resignation, "resigned"));
                }
                Err(error) => {
                    return Ok(game.won_by(plan, color.other(), error.end(), &error.to_string()));
                }
            };
            let Some(over) = game.play(v, comment) else {
                let why = format!("{} is not legal", v.to_gtp(game.position.board.size()));
                return Ok(game.won_by(plan, color.other(), End::IllegalMove, &why));
            };
            if let Err(error) = seats[other].tell(color, v, &game.position) {
                return Ok(game.won_by(plan, color, error.end(), &error.to_string()));
            }
            over
        };
        // Step 3.
        if let Some(end) = over {
            return Ok(count(plan, game, end, &mut seats));
        }
    }
}

const fn side_of(color: Color) -> usize {
    if matches!(color, Color::Black) { 0 } else { 1 }
}

fn last_move(board: &Board) -> Vertex {
    board.last_move().map_or(Vertex::PASS, |(_, v)| v)
}

/// The pipeline's candidates in a position.
fn candidates(engine: &mut GoEngine, position: &Position) -> Vec<moves::Candidate> {
    engine.put(0, position.without_history());
    engine.analyse(AnalyseSystems::MoveEvaluation);
    engine
        .result::<MoveList>(0, AnalyseSystems::MoveEvaluation)
        .map_or_else(Vec::new, |list| list.candidates.clone())
}

fn count(plan: &Plan, game: Playing<'_>, end: End, seats: &mut [Seat; 2]) -> Finished {
    let lead = game.white_lead();
    let mut note = format!("end: {}; scored by area", end.name());
    for seat in seats {
        if let Some(theirs) = seat.score().filter(|_| end == End::Passes) {
            let winner = |white_lead: f32| white_lead.partial_cmp(&0.0);
            let verdict = if winner(theirs) == winner(lead) { "agrees" } else { "disputed" };
            note += &format!("; the program counts {theirs:+} for White: {verdict}");
        }
    }
    let result = super::go::result(lead);
    game.close(plan, &result, note)
}

impl Seat {
    fn new(
        player: &Player,
        effort: Option<Level>,
        judge: Option<&JudgeInForce>,
        position: &Position,
        parallelism: Parallelism,
        stop: &Stop,
    ) -> Result<Self, EngineError> {
        let level = match player {
            Player::Gtp(command, clock) => {
                let mut client = Client::start(command, stop)?;
                set_up(&mut client, position)?;
                let clock = Clock::new(*clock);
                if let Some(settings) = clock.settings() {
                    client.ask(&settings)?;
                }
                return Ok(Self::Program(Box::new(client), clock));
            }
            Player::Level(level) => Some(*level),
            _ => None,
        };
        let effort = effort.or(level.map(Level::of_playing_level)).unwrap_or_default();
        let mut engine = GoEngine::new(1).parallelism(parallelism).effort(Effort::of(effort));
        engine.judge_by(judge.cloned().unwrap_or_default());
        Ok(Self::Ours { engine: Box::new(engine), level, kept: KeptTree::default() })
    }

    /// The move in a position whose turn it is.
    fn choose(&mut self, position: &Position, seed: u64, stop: &Stop) -> Result<Answer, EngineError> {
        let Position { board, to_move, komi, .. } = position;
        match self {
            Self::Ours { engine, level, kept } => {
                let found = candidates(engine, position);
                let judge = engine.judge();
                let playouts = level.map_or(0, |level| moves::spent_by_level(level, board.size(), &judge));
                let request = moves::Request {
                    komi: *komi,
                    seed,
                    playouts,
                    judge: Some(judge),
                    kept: Some(kept.clone()),
                    may_resign: true,
                    ..moves::Request::default()
                };
                let review = moves::decide(board, *to_move, &found, &request, &mut || stop.now());
                Ok(match review.choice {
                    Choice::Resign => Answer::Resigns,
                    choice => Answer::Move(choice.vertex(), review.comment()),
                })
            }
            Self::Program(client, clock) => {
                let request = format!("genmove {}", name(*to_move));
                if let Some(left) = clock.left(name(*to_move)) {
                    client.ask(&left)?;
                }
                let begun = Instant::now();
                let text = client.ask_until(&request, begun + clock.patience())?;
                if !clock.spend(begun.elapsed()) {
                    let command = client.command().to_owned();
                    return Err(EngineError::Late { command, request });
                }
                if text.eq_ignore_ascii_case("resign") {
                    return Ok(Answer::Resigns);
                }
                let v = Vertex::from_gtp(&text, board.size());
                v.map(|v| Answer::Move(v, String::new())).ok_or_else(|| client.refusal(&request, &text))
            }
        }
    }

    /// Tells a program the opponent's move.
    fn tell(&mut self, color: Color, v: Vertex, position: &Position) -> Result<(), EngineError> {
        if let Self::Program(client, _) = self {
            client.ask(&format!("play {} {}", name(color), v.to_gtp(position.board.size())))?;
        }
        Ok(())
    }

    /// White's lead as a program counts it, if it can.
    fn score(&mut self) -> Option<f32> {
        let Self::Program(client, _) = self else { return None };
        let text = client.ask("final_score").ok()?;
        match text.trim().split_once('+') {
            Some(("W", lead)) => lead.parse().ok(),
            Some(("B", lead)) => lead.parse::<f32>().ok().map(|lead| -lead),
            _ => (text.trim() == "0").then_some(0.0),
        }
    }
}

const fn name(color: Color) -> &'static str {
    if matches!(color, Color::Black) { "black" } else { "white" }
}

/// Puts the position on a program's board: first the placed stones, then the moves.
fn set_up(client: &mut Client, position: &Position) -> Result<(), EngineError> {
    let board = &position.board;
    let size = board.size();
    client.ask(&format!("boardsize {size}"))?;
    client.ask("clear_board")?;
    client.ask(&format!("komi {}", position.komi))?;
    let mut start = board.clone();
    while start.last_move().is_some() && start.undo() {}
    for v in start.vertices() {
        if let Some(color) = start.color_at(v) {
            client.ask(&format!("play {} {}", name(color), v.to_gtp(size)))?;
        }
    }
    for (color, v) in board.moves() {
        client.ask(&format!("play {} {}", name(color), v.to_gtp(size)))?;
    }
    Ok(())
}
