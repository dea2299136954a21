//! Compares analyses that keep readings with analyses that read everything anew, move by move.
//!
//! `kept_readings SGF...` prints a line for each record: positions, those that differ (0 is right), the time of each
//! way and their ratio, and what was kept by kind of question. Both ways take turns at each position, in one run.

#![expect(clippy::print_stdout, reason = "a command that prints a table")]

use std::time::{Duration, Instant};
use tengen_core::profiler::Recorder;
use tengen_go::board::Rules;
use tengen_go::board::sgf::{self, Until};
use tengen_go::dragons::DragonMap;
use tengen_go::moves::MoveList;
use tengen_go::tactics::TacticsMap;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine, ReadingMemory};

/// All that the stages found, as text.
fn found(engine: &GoEngine) -> String {
    let dragons: Option<&DragonMap> = engine.component(0);
    let tactics: Option<&TacticsMap> = engine.component(0);
    let moves: Option<&MoveList> = engine.component(0);
    format!("{dragons:?}{tactics:?}{moves:?}")
}

fn main() {
    let [mut all, mut anew] = [Duration::ZERO; 2];
    for path in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok(tree) = sgf::parse(&bytes) else { continue };
        let recorders = [Recorder::default(), Recorder::default()];
        let mut engines = recorders.each_ref().map(|recorder| recorder.scope(|| GoEngine::new(1)));
        engines[1].keep_readings(ReadingMemory::with_bytes(0));
        let mut spent = [Duration::ZERO; 2];
        let (mut positions, mut differ) = (0, 0);
        for number in 1.. {
            let Ok(game) = sgf::load(&tree, &tree.line(&[]), Until::Move(number), Rules::default()) else {
                break;
            };
            if game.board.history_len() + 1 < number {
                break;
            }
            let position = Position { komi: 6.5, ..Position::new(game.board.clone(), game.to_move) };
            let texts = [0, 1].map(|i| {
                engines[i].put(0, position.clone());
                let begin = Instant::now();
                recorders[i].scope(|| engines[i].analyse(AnalyseSystems::MoveEvaluation));
                spent[i] += begin.elapsed();
                found(&engines[i])
            });
            positions += 1;
            differ += usize::from(texts[0] != texts[1]);
        }
        let ratio = spent[0].as_secs_f64() / spent[1].as_secs_f64();
        println!(
            "{path}: {positions} positions, {differ} differ; {:.2?} of {:.2?}, {ratio:.3}",
            spent[0], spent[1]
        );
        for (kind, counts) in engines[0].reading_memory().counts() {
            println!("  {}: {} asked, {} kept, {} held", kind.name(), counts.asked, counts.kept, counts.held);
        }
        println!("  {} bytes", engines[0].reading_memory().bytes());
        let rows = recorders.each_ref().map(|recorder| {
            let mut rows = vec![Duration::ZERO; recorder.names().len()];
            recorder.take().iter().for_each(|span| rows[span.row as usize] += span.took);
            recorder.names().into_iter().zip(rows).collect::<Vec<_>>()
        });
        for (name, took) in &rows[1] {
            let kept =
                rows[0].iter().find(|(other, _)| other == name).map_or(Duration::ZERO, |(_, took)| *took);
            if took.as_secs_f64() > 0.01 * spent[1].as_secs_f64() {
                println!("  {name}: {kept:.2?} of {took:.2?}");
            }
        }
        (all, anew) = (all + spent[0], anew + spent[1]);
    }
    println!("all: {:.3}", all.as_secs_f64() / anew.as_secs_f64());
}
