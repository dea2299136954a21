//! Prints the cost of tactical reading as one table: `cargo run --release -p tengen-benches --example reading`.
//!
//! The strings are those of the recorded positions (under `../shared/golden/go/oracle` or `TENGEN_SHARED`). For each
//! string, the program reads the attack and, if the attack works, the defence. It reads under the limits of the stage
//! and under those of a single question. If GNU Go is installed, it gets the same questions, and its processor time and
//! reading nodes are noted. Then the program runs the whole stage. Tengen's times are the smallest of the rounds.
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};
use tengen_benches::gnugo::GnuGo;
use tengen_benches::oracle::{self, Recording};
use tengen_go::board::{Board, Vertex};
use tengen_go::tactics::{Limits, Reader, map};

/// Rounds of every measurement.
const ROUNDS: usize = 5;

/// Time and positions looked at.
#[derive(Clone, Copy, Default)]
struct Cost {
    time: Duration,
    nodes: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.time += other.time;
        self.nodes += other.nodes;
    }
}

/// The smallest time of the rounds.
fn measure(reader: &mut Reader, mut what: impl FnMut(&mut Reader)) -> Cost {
    let mut cost = Cost { time: Duration::MAX, nodes: 0 };
    for _ in 0..ROUNDS {
        let (begun, before) = (Instant::now(), reader.total_nodes());
        what(reader);
        cost = Cost { time: cost.time.min(begun.elapsed()), nodes: reader.total_nodes() - before };
    }
    cost
}

/// Attack, and defence where it works, of every string.
fn questions(reader: &mut Reader, board: &mut Board, strings: &[Vertex]) {
    for &v in strings {
        if reader.attack(board, v).code.works() {
            black_box(reader.defend(board, v));
        }
    }
}

/// The same asked of GNU Go, in one process for each position.
fn gnugo(recording: &Recording, strings: &[Vertex]) -> Option<Cost> {
    let mut gnugo = GnuGo::start()?;
    gnugo.load(recording)?;
    gnugo.ask("reset_reading_node_counter")?;
    let time = gnugo.timed(|gnugo| {
        for v in strings {
            let name = v.to_gtp(recording.size);
            if !gnugo.ask(&format!("attack {name}"))?.starts_with('0') {
                gnugo.ask(&format!("defend {name}"))?;
            }
        }
        Some(())
    })?;
    let nodes = gnugo.ask("get_reading_node_counter")?.parse().ok()?;
    Some(Cost { time, nodes })
}

fn main() {
    println!(
        "| boards | strings | reading | microseconds a string | positions a string | positions a second |"
    );
    println!("| --- | ---: | --- | ---: | ---: | ---: |");
    let recordings = oracle::recordings();
    for size in [9, 13, 19] {
        let mut rows = [Cost::default(); 4];
        let mut count = 0;
        for recording in recordings.iter().filter(|r| r.size == size) {
            let mut board = recording.board.clone();
            let strings: Vec<_> = board.strings().collect();
            count += strings.len();
            for (row, limits) in rows.iter_mut().zip([Limits::default(), Limits::single()]) {
                *row += measure(&mut Reader::new(limits), |reader| questions(reader, &mut board, &strings));
            }
            rows[2] += measure(&mut Reader::default(), |reader| {
                black_box(map::read(reader, &mut board));
            });
            rows[3] += gnugo(recording, &strings).unwrap_or_default();
        }
        let names =
            ["attack, defence", "the same, limits of a single question", "the whole stage", "GNU Go's"];
        for (name, cost) in names.iter().zip(rows).filter(|(_, cost)| cost.nodes > 0) {
            let (seconds, strings) = (cost.time.as_secs_f64(), count as f64);
            println!(
                "| {size}x{size} | {count} | {name} | {:.1} | {:.0} | {:.2e} |",
                1e6 * seconds / strings,
                cost.nodes as f64 / strings,
                cost.nodes as f64 / seconds
            );
        }
    }
}
