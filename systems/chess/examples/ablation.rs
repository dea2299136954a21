//! Measures a build of the chess engine against another build. `benches/ablation/chess` calls this program.
//!
//!     ablation openings COUNT            writes even positions after random moves, one FEN a line
//!     ablation positions COUNT           reads openings, plays them, writes positions of these games
//!     ablation nodes DEPTH               reads positions, writes the nodes of a search of each
//!     ablation solve NODES               reads a suite in EPD, writes 1 for each solved problem, else 0
//!     ablation match PROGRAM NODES       reads openings, plays this build against the build PROGRAM
//!     ablation serve NODES               answers for the side to move, line by line; `match` starts it
//!
//! # Steps
//! 1. A match plays each opening with both colours. This build searches in the process of the program. The other build
//!    is a separate process behind a pipe.
//! 2. The last line of a match has wins, draws and losses of PROGRAM, and its Elo with a 95 % interval over pairs.
//!
//! # Invariants
//! All limits are nodes or depths, and no clock is read. The output depends only on the two builds and the input.
#![allow(clippy::print_stdout, reason = "a command that prints its figures")]

use std::error::Error;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use tengen_chess::evaluation::Weights;
use tengen_chess::history::{Game, GameResult};
use tengen_chess::rules::{epd, notation};
use tengen_chess::search::{Limits, Options, SearchReport, Table, search_with};
use tengen_chess::selfplay::{MatchRules, Player, Seat, Turn, play_game, referee};
use tengen_core::SplitMix64;
use tengen_core::statistics::Pairs;

/// Random moves before an opening.
const RANDOM_PLIES: usize = 8;
/// Nodes of the search that says whether an opening is even, and the greatest score of an even one, in centipawns.
const EVEN: (u64, i32) = (2_000, 60);
/// Nodes for each move of the games that give positions.
const GAME_NODES: u64 = 400;
/// The distance of two positions of a game, in plies.
const APART: usize = 14;
/// Entries of the table of a search to a depth. A table of this size has to replace entries.
const SEARCH_ENTRIES: usize = 1 << 16;
/// Entries of a player's table. A table of this size has to replace entries.
const PLAY_ENTRIES: usize = 1 << 14;

type Outcome = Result<(), Box<dyn Error>>;

/// The lines of the standard input.
fn lines() -> Result<Vec<String>, std::io::Error> {
    stdin().lines().filter(|line| !line.as_ref().is_ok_and(|line| line.trim().is_empty())).collect()
}

/// A search with a fresh table.
fn fresh(game: &Game, limits: Limits) -> Result<SearchReport, Box<dyn Error>> {
    let table = Table::with_entries(SEARCH_ENTRIES).ok_or("no memory for a table")?;
    let weights = Arc::new(Weights::default());
    Ok(search_with(game, limits, Options::default(), Arc::new(table), weights, Box::new(())))
}

fn of_nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn player(nodes: u64) -> Player {
    Player { table_entries: PLAY_ENTRIES, ..Player::of_nodes("ablation", nodes) }
}

fn openings(count: usize) -> Outcome {
    let (mut random, mut made) = (SplitMix64::new(1), 0);
    while made < count {
        let mut game = Game::default();
        for _ in 0..RANDOM_PLIES {
            let moves = notation::legal_moves(game.board());
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len() as u32) as usize]);
        }
        if game.result() == GameResult::Ongoing && fresh(&game, of_nodes(EVEN.0))?.score.abs() <= EVEN.1 {
            println!("{}", game.fen());
            made += 1;
        }
    }
    Ok(())
}

fn positions(count: usize) -> Outcome {
    let (one, mut made) = (player(GAME_NODES), 0);
    for (number, fen) in lines()?.iter().enumerate() {
        let opening = Game::from_text(fen, [])?;
        let record = play_game(&opening, [&one, &one], &MatchRules::default(), 0, |_, _| {});
        let mut game = opening;
        for (ply, &mv) in record.game.moves().iter().enumerate() {
            if made < count && ply % APART == number % APART && game.result() == GameResult::Ongoing {
                println!("{}", game.fen());
                made += 1;
            }
            game.play(mv);
        }
    }
    if made < count { Err(format!("only {made} positions: give more openings").into()) } else { Ok(()) }
}

fn nodes(depth: u32) -> Outcome {
    for fen in lines()? {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        println!("{}", fresh(&Game::from_text(&fen, [])?, limits)?.nodes);
    }
    Ok(())
}

fn solve(nodes: u64) -> Outcome {
    for line in lines()? {
        let problem = epd::parse(&line)?;
        let game = Game::new(problem.setup);
        let best = fresh(&game, of_nodes(nodes))?.best.unwrap_or_default();
        let is = |text: &str| {
            notation::parse_san(game.board(), text).map(|mv| notation::uci(game.board(), mv, false) == best)
        };
        let wanted = problem.operations.get("bm").ok_or("a problem without `bm`")?;
        println!("{}", u8::from(wanted.split_whitespace().any(|text| is(text) == Ok(true))));
    }
    Ok(())
}

/// A build behind a pipe.
struct Other {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Other {
    fn new(program: &str, nodes: u64) -> Result<Self, Box<dyn Error>> {
        let mut process = Command::new(program)
            .args(["serve", &nodes.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (to, from) = (process.stdin.take().ok_or("no pipe")?, process.stdout.take().ok_or("no pipe")?);
        Ok(Self { process, to, from: BufReader::new(from) })
    }

    fn begin(&mut self) -> Result<(), std::io::Error> {
        writeln!(self.to, "new")
    }

    fn turn(&mut self, fen: &str, game: &Game) -> Result<Turn, Box<dyn Error>> {
        write!(self.to, "{fen} moves")?;
        for (mv, board) in game.moves().iter().zip(boards(game)) {
            write!(self.to, " {}", notation::uci(&board, *mv, false))?;
        }
        writeln!(self.to)?;
        self.to.flush()?;
        let mut answer = String::new();
        self.from.read_line(&mut answer)?;
        let (text, score) = answer.trim().split_once(' ').ok_or("no answer")?;
        Ok(Turn { text: Some(text.to_owned()), score: Some(score.parse()?), path: None, nodes: 0 })
    }
}

/// The positions before each move of a game.
fn boards(game: &Game) -> impl Iterator<Item = cozy_chess::Board> {
    let mut board = game.start().board.clone();
    game.moves().iter().map(move |&mv| {
        let before = board.clone();
        board.play_unchecked(mv);
        before
    })
}

fn play(program: &str, nodes: u64) -> Outcome {
    let (one, rules) = (player(nodes), MatchRules::default());
    let mut other = Other::new(program, nodes)?;
    let (mut pairs, mut games) = (Pairs::default(), [0; 3]);
    for fen in lines()? {
        let opening = Game::from_text(&fen, [])?;
        let mut points = 0.0;
        for other_side in 0..2 {
            let mut seat = Seat::new(&one);
            other.begin()?;
            let turn = |game: &Game| -> Result<Turn, Box<dyn Error>> {
                if game.board().side_to_move() as usize == other_side {
                    other.turn(&fen, game)
                } else {
                    Ok(seat.search(game).into())
                }
            };
            let (record, fault) = referee(&opening, &rules, 0, turn);
            if let Some(fault) = fault {
                return Err(fault);
            }
            let white = record.white_score();
            let share = if other_side == 0 { white } else { 1.0 - white };
            games[2 - (share * 2.0) as usize] += 1;
            points += share;
        }
        pairs.add(points / 2.0);
    }
    drop(other.to);
    other.process.wait()?;
    let [wins, draws, losses] = games;
    let elo = pairs.elo();
    println!("{wins} {draws} {losses} {:.1} {:.1} {:.1}", elo.low, elo.middle, elo.high);
    Ok(())
}

fn serve(nodes: u64) -> Outcome {
    let one = player(nodes);
    let mut seat = Seat::new(&one);
    for line in stdin().lines() {
        let line = line?;
        let Some((fen, moves)) = line.split_once(" moves") else {
            seat = Seat::new(&one);
            continue;
        };
        let report = seat.search(&Game::from_text(fen, moves.split_whitespace())?);
        println!("{} {}", report.best.ok_or("no legal move")?, report.score);
        stdout().flush()?;
    }
    Ok(())
}

fn main() -> Outcome {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    match given[..] {
        ["openings", count] => openings(count.parse()?),
        ["positions", count] => positions(count.parse()?),
        ["nodes", depth] => nodes(depth.parse()?),
        ["solve", limit] => solve(limit.parse()?),
        ["match", program, limit] => play(program, limit.parse()?),
        ["serve", limit] => serve(limit.parse()?),
        _ => Err("ablation openings|positions|nodes|solve|match|serve, see the head of the source".into()),
    }
}
