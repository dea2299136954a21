//! Writes the evidence about dragons in doubt and the truth about them, to fit the weights of their odds.
//!
//! `odds_of_dragons GAMES < LABELS` reads lines of `learn_{a,b}`: `{"sgf","move","to_move","own"}`, as the README of
//! `shared/golden/go` describes them. It writes one line for each dragon, with these columns, separated by tabs:
//!
//! 1. the game, the move, the number of the dragon's stones, the side that moves first (0 the owner, 1 the enemy)
//! 2. the share of the dragon that dies, 0 to 1
//! 3. the chances from which the dragon counts as lost, with its owner and with its enemy moving first
//! 4. the evidence ([`death_odds::evidence`])
//! 5. the share of the dragon that lives by the embedded judge, -1 to 1, with Black and with White to move

#![expect(clippy::print_stdout, reason = "a command that prints a table")]

use std::io::BufRead;
use std::path::Path;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Color, Rules};
use tengen_go::dragons::DragonMap;
use tengen_go::dragons::death_odds::{self, Survival};
use tengen_go::judge::{JudgeInForce, Judgement};
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, Effort, GoEngine, Level};

fn main() {
    let games = std::env::args().nth(1).unwrap_or_default();
    let normal = Effort::of(Level::Normal);
    let mut engine = GoEngine::new(1).effort(Effort { playouts: 0, ..normal });
    engine.judge_by("embedded".parse::<JudgeInForce>().expect("a judge"));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(row) = serde_json::from_str::<serde_json::Value>(&line) else { continue };
        let name = row["sgf"].as_str().unwrap_or("").trim_start_matches("games/").to_owned();
        let number = row["move"].as_u64().unwrap_or(1) as usize;
        let Ok(bytes) = std::fs::read(Path::new(&games).join(&name)) else { continue };
        let Ok(tree) = sgf::parse(&bytes) else { continue };
        let Ok(game) = sgf::load(&tree, &tree.line(&[]), Until::Move(number), Rules::default()) else {
            continue;
        };
        let color = if row["to_move"] == "B" { Color::Black } else { Color::White };
        let own: Vec<f32> = decode(row["own"].as_str().unwrap_or(""));
        let size = game.board.size();
        if own.len() != size * size {
            continue;
        }
        engine.put(0, Position { komi: 7.5, ..Position::new(game.board.clone(), color) });
        engine.analyse(AnalyseSystems::Dragons);
        let Some(map) = engine.component::<DragonMap>(0) else { continue };
        let Some(views) = engine.component::<Judgement>(0).and_then(|j| j.views.clone()) else { continue };
        let played = Survival::of(&game.board, map, normal.playouts);
        for (at, dragon) in map.dragons.iter().enumerate() {
            let who = usize::from(color != dragon.color);
            let sign = if dragon.color == Color::Black { -1.0 } else { 1.0 };
            let dead: f32 = dragon.stones.iter().map(|v| (1.0 + sign * own[v.index(size)]) / 2.0).sum();
            let Some(evidence) = death_odds::evidence(map, at, &played, size) else { continue };
            let bounds = death_odds::bounds(map, dragon);
            let judged = views.each_ref().map(|view| {
                -sign * dragon.stones.iter().map(|v| view.owner[v.index(size)]).sum::<f32>()
                    / dragon.size() as f32
            });
            let row: Vec<String> = evidence[who].iter().chain(&judged).map(|x| format!("{x:.4}")).collect();
            println!(
                "{name}\t{number}\t{}\t{who}\t{:.4}\t{}\t{}\t{}",
                dragon.size(),
                dead / dragon.size() as f32,
                bounds[0],
                bounds[1],
                row.join("\t")
            );
        }
    }
}

/// Signed percents in base64.
fn decode(text: &str) -> Vec<f32> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut bits, mut held, mut out) = (0u32, 0, Vec::new());
    for c in text.bytes().filter(|&c| c != b'=') {
        bits = bits << 6 | value(c);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(f32::from((bits >> held) as u8 as i8) / 100.0);
        }
    }
    out
}
