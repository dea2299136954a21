//! Prints the cost of a whole analysis as one table: `cargo run --release -p tengen-benches --example pipeline`.
//!
//! The table compares the schedule, from a position to valued moves, with GNU Go's processor time for a cold
//! `reg_genmove` on the same positions. The positions are the recordings under `../shared/golden/go/oracle` (or under
//! `TENGEN_SHARED`). GNU Go is asked if it is installed. Every analysis has a fresh engine, so that no earlier reading
//! is reused. Each of Tengen's figures is the smallest of the rounds.
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::time::{Duration, Instant};
use tengen_benches::gnugo::GnuGo;
use tengen_benches::median;
use tengen_benches::oracle::{self, Recording};
use tengen_go::board::Color;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine};

/// Rounds of every measurement.
const ROUNDS: usize = 5;

/// The last stages whose costs are shown, each with all stages before it.
const STAGES: [AnalyseSystems; 4] = [
    AnalyseSystems::Tactics,
    AnalyseSystems::FirstInfluence,
    AnalyseSystems::Dragons,
    AnalyseSystems::MoveEvaluation,
];

/// Time this thread has had a processor, where the system tells; else time since `begun`.
fn spent(begun: Instant) -> Duration {
    // The system adds up when a thread gives the processor back.
    std::thread::sleep(Duration::from_micros(1));
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_cpu = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    on_cpu.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

/// What the analysis of a position up to each of the stages takes.
fn ours(recording: &Recording, to_move: Color) -> [Duration; STAGES.len()] {
    let mut best = [Duration::MAX; STAGES.len()];
    for _ in 0..ROUNDS {
        for (best, stage) in best.iter_mut().zip(STAGES) {
            let mut engine = GoEngine::new(1);
            engine.put(0, Position::new(recording.board.clone(), to_move));
            let begun = Instant::now();
            let before = spent(begun);
            engine.analyse(stage);
            *best = (*best).min(spent(begun).saturating_sub(before));
        }
    }
    best
}

/// GNU Go's processor time for a cold `reg_genmove`, and who is to move there.
fn gnugo(recording: &Recording) -> Option<(Duration, Color)> {
    let mut gnugo = GnuGo::start()?;
    let color = gnugo.load(recording)?;
    let time = gnugo.timed(|gnugo| gnugo.ask(&format!("reg_genmove {color}")).map(drop))?;
    Some((time, if color.starts_with(['w', 'W']) { Color::White } else { Color::Black }))
}

fn main() {
    println!(
        "| medians | positions | reading, ms | influence, ms | dragons, ms | moves, ms | all, ms | GNU Go, ms | share, of medians | of sums |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let recordings = oracle::recordings();
    for size in [9, 13, 19] {
        // Each stage, all of them, GNU Go.
        let mut columns: [Vec<f64>; STAGES.len() + 2] = Default::default();
        for recording in recordings.iter().filter(|r| r.size == size) {
            let (theirs, to_move) = gnugo(recording).map_or((None, Color::Black), |(t, c)| (Some(t), c));
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let upto = ours(recording, to_move).map(ms);
            let mut before = 0.0;
            for (column, upto) in columns.iter_mut().zip(upto) {
                column.push(upto - before);
                before = upto;
            }
            columns[STAGES.len()].push(before);
            columns[STAGES.len() + 1].push(theirs.map_or(f64::NAN, ms));
        }
        if columns[0].is_empty() {
            continue;
        }
        let count = columns[0].len();
        let sum = |which: usize| columns[which].iter().sum::<f64>();
        let of_sums = sum(STAGES.len()) / sum(STAGES.len() + 1);
        let [reading, influence, dragons, moves, all, theirs] = columns.map(median);
        println!(
            "| {size}x{size} | {count} | {reading:.1} | {influence:.1} | {dragons:.1} | {moves:.1} | {all:.1} | {theirs:.0} | {:.1} % | {:.1} % |",
            100.0 * all / theirs,
            100.0 * of_sums
        );
    }
}
