//! Writes the evidence of dragons' odds for learning their weights: lines of positions in, one line for each dragon
//! out.
//!
//! A line is `SIZE SIDE STONE... / MOVE...`, as for `judge_planes`. The first argument names a file of the judge's
//! weights. For each dragon that the odds may contradict the program writes the number of the line, its colour, the
//! evidence, `/`, and its stones.

use std::io::{self, BufRead, BufWriter, Write};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::{DragonMap, odds};
use tengen_go::judge::{Embedded, Judge, JudgeInForce, NoJudge};
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, Effort, GoEngine};

fn main() -> io::Result<()> {
    let weights = std::env::args().nth(1).ok_or_else(|| io::Error::other("name a file of weights"))?;
    let judge = Embedded::with_weights(&weights, &std::fs::read(&weights)?).map_err(io::Error::other)?;
    let mut engine = GoEngine::new(1).effort(Effort { playouts: 0, ..Effort::default() });
    engine.judge_by(JudgeInForce(std::sync::Arc::new(NoJudge)));
    let mut out = BufWriter::new(io::stdout().lock());
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let position = position(&line?)
            .ok_or_else(|| io::Error::other(format!("line {} is no position", number + 1)))?;
        let (size, first) = (position.board.size(), position.to_move);
        let Some(Some(views)) = judge.views(&[&position]).pop() else { continue };
        let owners = views.map(|view| view.owner.iter().map(|o| -o).collect::<Vec<f32>>());
        engine.put(0, position.without_history());
        engine.analyse(AnalyseSystems::Dragons);
        let Some(map) = engine.result::<DragonMap>(0, AnalyseSystems::Dragons) else { continue };
        let survival = odds::Survival::of(&position.board, map, Effort::default().playouts);
        for (number_of, dragon) in map.dragons.iter().enumerate().filter(|(_, dragon)| odds::is_asked(dragon))
        {
            let played = odds::sums_by_playouts(map, number_of, &survival, size);
            let played = played.map_or(0.0, |sums| sums[usize::from(first != dragon.color)]);
            let evidence = odds::evidence_by_judge(map, dragon, &owners, played, first, size);
            let evidence: Vec<String> = evidence.iter().map(f32::to_string).collect();
            let stones: Vec<String> = dragon.stones.iter().map(|v| v.index(size).to_string()).collect();
            writeln!(out, "{number} {} {} / {}", dragon.color, evidence.join(" "), stones.join(" "))?;
        }
    }
    out.flush()
}

fn color(text: &str) -> Option<Color> {
    match text {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

fn position(line: &str) -> Option<Position> {
    let mut words = line.split_whitespace();
    let size = words.next()?.parse().ok()?;
    let to_move = color(words.next()?)?;
    let mut board = Board::new(size);
    let mut is_setup = true;
    for word in words {
        if word == "/" {
            is_setup = false;
            board = board.without_history();
            continue;
        }
        let (side, vertex) = word.split_once(':')?;
        let (side, v) = (color(side)?, Vertex::from_gtp(vertex, size)?);
        if is_setup {
            board.place(side, v).ok()?;
        } else if board.play(side, v).is_err() {
            board.play_ignoring_ko(side, v).ok()?;
        }
    }
    Some(Position::new(board, to_move))
}
