//! Measures a build of the Go engine; `benches/ablation/go` compares its figures with those of another build.
//!
//!     ablation values GAMES             reads labelled positions, writes a line for each
//!     ablation search GAMES PLAYOUTS    the same, with the move that a search by playouts decides on
//!     ablation problems                 reads problems of life and death, writes a line for each
//!
//! A labelled position is a line of `learn_{a,b}`, as the README of `shared/golden/go` describes them. `GAMES` is the folder of
//! its records. A problem is a line of `problems_open.jsonl`.
//!
//! # Output
//! - `values` and `search`: the move, the mover's lead after it, the nodes of reading strings, the answers about life and
//!   death that reading ended, and the stones rightly called alive or dead, of how many. The embedded judge tells the
//!   lead, in hundredths of a point.
//! - `problems`: 1 if the status of a dragon names a right first move, else 0.
//!
//! # Invariants
//! No clock is read. The output depends on the build and the input alone.
#![allow(clippy::print_stdout, reason = "a command that prints its figures")]

use serde_json::Value;
use std::error::Error;
use std::io::stdin;
use std::path::Path;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Board, Color, Rules, Vertex};
use tengen_go::dragons::{Dragon, DragonMap, Status};
use tengen_go::judge::JudgeInForce;
use tengen_go::moves::{MoveList, Request, decide};
use tengen_go::score::Scoring;
use tengen_go::tactics::TacticsMap;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine};

/// White's points for moving second, as the labels have them.
const KOMI: f32 = 7.5;
/// The expected owner of a vertex, from -1 to 1, beyond which a stone there clearly lives or dies.
const CLEAR: f32 = 0.5;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The rows of the standard input.
fn rows() -> Outcome<Vec<Value>> {
    let row = |(at, line): (usize, std::io::Result<String>)| {
        serde_json::from_str(&line?).map_err(|error| format!("line {}: {error}", at + 1).into())
    };
    stdin().lines().enumerate().map(row).collect()
}

fn color_of(row: &Value) -> Color {
    if row["to_move"] == "W" { Color::White } else { Color::Black }
}

/// The position of a label.
fn position_of(row: &Value, games: &str) -> Outcome<Position> {
    let path = Path::new(games).join(row["sgf"].as_str().ok_or("a label without `sgf`")?);
    let number = row["move"].as_u64().ok_or("a label without `move`")? as usize;
    let tree = sgf::parse(&std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?)?;
    let game = sgf::load(&tree, &tree.line(&[]), Until::Move(number), Rules::default())?;
    Ok(Position { komi: KOMI, ..Position::new(game.board, color_of(row)) })
}

/// Measures every labelled position. `choose` takes the move.
fn measure(games: &str, choose: impl Fn(&Position, &MoveList) -> Vertex) -> Outcome<()> {
    let judge = JudgeInForce::default();
    let mut engine = GoEngine::new(1);
    for row in rows()? {
        let position = position_of(&row, games)?;
        let owner: Vec<f32> = row["owner"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
            .map(|x| x as f32)
            .collect();
        if owner.len() != position.board.size().pow(2) {
            return Err(format!("{} {}: no owner for each vertex", row["sgf"], row["move"]).into());
        }
        engine.put(0, position.clone());
        engine.analyse(AnalyseSystems::MoveEvaluation);
        let missing = "the analysis left something out";
        let moves = engine.component::<MoveList>(0).ok_or(missing)?;
        let dragons = engine.component::<DragonMap>(0).ok_or(missing)?;
        let nodes = engine.component::<TacticsMap>(0).ok_or(missing)?.nodes();
        let answers = dragons.dragons.iter().flat_map(|dragon| [dragon.owl.attack, dragon.owl.defense]);
        let ended = answers.filter(|answer| answer.certain).count();
        let [right, all] = called(&dragons.dragons, &position, &owner);
        let best = choose(&position, moves);
        let lead = lead_after(&judge, &position, best)?;
        println!("{} {lead:.0} {nodes} {ended} {right} {all}", best.to_gtp(position.board.size()));
    }
    Ok(())
}

/// The move of highest value.
fn most_valued(_: &Position, moves: &MoveList) -> Vertex {
    let positive = moves.candidates.iter().filter(|candidate| candidate.value > 0.0);
    let best = positive.max_by(|a, b| a.value.total_cmp(&b.value).then(b.vertex.cmp(&a.vertex)));
    best.map_or(Vertex::PASS, |candidate| candidate.vertex)
}

/// The move that values and a search by playouts decide on.
fn searched(playouts: u32) -> impl Fn(&Position, &MoveList) -> Vertex {
    move |position, moves| {
        let request = Request {
            komi: KOMI,
            scoring: Scoring::Area,
            seed: 1,
            playouts,
            judge: None,
            may_resign: false,
            allowed: None,
            cleanup: false,
            kept: None,
            threads: 1,
        };
        decide(&position.board, position.to_move, &moves.candidates, &request, &mut || false).choice.vertex()
    }
}

/// The mover's lead after a move, in hundredths of a point.
fn lead_after(judge: &JudgeInForce, position: &Position, best: Vertex) -> Outcome<f32> {
    let mut board = position.board.clone();
    board.play(position.to_move, best)?;
    let after = Position { komi: KOMI, ..Position::new(board, position.to_move.other()) };
    let view = judge.0.view(&after).ok_or("the judge does not judge boards of this size")?;
    Ok(100.0 * if position.to_move == Color::Black { view.lead } else { -view.lead })
}

/// The stones whose dragon has the right status, and all stones that clearly live or die.
fn called(dragons: &[Dragon], position: &Position, owner: &[f32]) -> [usize; 2] {
    let size = position.board.size();
    let (mut right, mut all) = (0, 0);
    for dragon in dragons {
        let lives = match dragon.status {
            Status::Dead => false,
            Status::Critical => dragon.color == position.to_move,
            _ => true,
        };
        let sign = if dragon.color == Color::Black { 1.0 } else { -1.0 };
        let truth = dragon.stones.iter().map(|v| sign * owner[v.index(size)]);
        for owner in truth.filter(|owner| owner.abs() > CLEAR) {
            all += 1;
            right += usize::from((owner > 0.0) == lives);
        }
    }
    [right, all]
}

fn problems() -> Outcome<()> {
    let mut engine = GoEngine::new(1);
    for row in rows()? {
        let size = row["size"].as_u64().ok_or("a problem without `size`")? as usize;
        let mover = color_of(&row);
        let words = |name: &str| row[name].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut board = Board::new(size);
        for (name, color) in [("black", Color::Black), ("white", Color::White)] {
            for word in words(name) {
                board.place(color, Vertex::from_gtp(word, size).ok_or("a stone off the board")?)?;
            }
        }
        engine.put(0, Position::new(board, mover));
        engine.analyse(AnalyseSystems::Dragons);
        let dragons = engine.component::<DragonMap>(0).ok_or("no dragons")?;
        let solves = |dragon: &&Dragon| {
            let points = dragon.vital_points().filter(|_| dragon.status == Status::Critical);
            points.is_some_and(|(attack, defence)| {
                let point = if dragon.color == mover { defence } else { attack };
                words("first_moves").any(|word| word == point.to_gtp(size))
            })
        };
        println!("{}", u8::from(dragons.dragons.iter().find(solves).is_some()));
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    match given[..] {
        ["values", games] => measure(games, most_valued),
        ["search", games, playouts] => measure(games, searched(playouts.parse()?)),
        ["problems"] => problems(),
        _ => Err("ablation values|search|problems, see the head of the source".into()),
    }
}
