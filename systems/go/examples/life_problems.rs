//! Counts the published life-and-death problems that the status of dragons solves, as `go_problems.py` counts them.
//!
//! `life_problems FILE [quick|normal|deep] [EVERY [list]]` reads lines
//! `{"id","group","size","to_move","black","white","first_moves"}`. A problem is solved if a critical dragon's vital
//! point for the side to move is one of the problem's `first_moves`.

#![expect(clippy::print_stdout, reason = "a command that prints a table")]

use std::collections::BTreeMap;
use std::time::Instant;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::{DragonMap, Status};
use tengen_go::judge::JudgeInForce;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, Effort, GoEngine, Level};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let level: Level = args.get(2).map_or("normal", |s| s).parse().unwrap_or_default();
    let every: usize = args.get(3).and_then(|s| s.parse().ok()).unwrap_or(1);
    let list = args.get(4).is_some();
    let text = std::fs::read_to_string(&args[1]).unwrap_or_default();
    let mut engine = GoEngine::new(1).effort(Effort::of(level));
    engine.judge_by("embedded".parse::<JudgeInForce>().expect("a judge"));
    let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let begin = Instant::now();
    for line in text.lines().step_by(every) {
        let Ok(problem) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let size = problem["size"].as_u64().unwrap_or(19) as usize;
        let mover = if problem["to_move"] == "B" { Color::Black } else { Color::White };
        let mut board = Board::new(size);
        for (name, color) in [("black", Color::Black), ("white", Color::White)] {
            for v in problem[name].as_array().into_iter().flatten() {
                let v = Vertex::from_gtp(v.as_str().unwrap_or(""), size).expect("a vertex");
                board.place(color, v).expect("a stone");
            }
        }
        let wanted: Vec<&str> =
            problem["first_moves"].as_array().into_iter().flatten().filter_map(|v| v.as_str()).collect();
        let start = Instant::now();
        engine.put(0, Position::new(board, mover));
        engine.analyse(AnalyseSystems::Dragons);
        let map = engine.component::<DragonMap>(0).expect("dragons");
        let mut points = Vec::new();
        for d in &map.dragons {
            if d.status == Status::Critical
                && let Some((attack, defence)) = d.vital_points()
            {
                let v = if d.color == mover { defence } else { attack };
                points.push((d.origin.to_gtp(size), v.to_gtp(size), format!("{:?}", d.rule)));
            }
        }
        let kind = if points.iter().any(|p| wanted.contains(&p.1.as_str())) {
            0
        } else if points.is_empty() {
            2
        } else {
            1
        };
        let row = table.entry(problem["group"].as_str().unwrap_or("").into()).or_default();
        row[kind] += 1;
        row[3] += 1;
        if list {
            let others: Vec<String> = map
                .dragons
                .iter()
                .map(|d| {
                    format!(
                        "{}{}:{}:{:?} proved {} attack {:?} {} {} defence {:?} {} {}",
                        d.origin.to_gtp(size),
                        if d.color == mover { "+" } else { "-" },
                        d.status.name(),
                        d.rule,
                        u8::from(d.owl.is_proved()),
                        d.owl.attack.code,
                        d.owl.attack.line.start().to_gtp(size),
                        u8::from(d.owl.attack.certain),
                        d.owl.defense.code,
                        d.owl.defense.line.start().to_gtp(size),
                        u8::from(d.owl.defense.certain)
                    )
                })
                .collect();
            println!(
                "{} {} {:.3}s want {:?} got {:?} all {:?}",
                ["solved", "elsewhere", "settled"][kind],
                problem["id"],
                start.elapsed().as_secs_f32(),
                wanted,
                points,
                others
            );
        }
    }
    for (group, [solved, elsewhere, settled, all]) in &table {
        println!("{group:<14} {solved} of {all} solved, {elsewhere} elsewhere, {settled} settled");
    }
    let solved: usize = table.values().map(|r| r[0]).sum();
    println!("{solved} solved in {:.1} s", begin.elapsed().as_secs_f32());
}
