//! Prints the cost of computing influence as one table: `cargo run --release -p tengen-benches --example influence`.
//!
//! The table compares the kernel with a plain queue (nanoseconds for each source). It compares both influence passes
//! with GNU Go's processor time for a cold `initial_influence` on the same positions. It also gives the share of each
//! part. The positions are the recordings under `../shared/golden/go/oracle` (or under `TENGEN_SHARED`). GNU Go is
//! asked if it is installed. Kernel, queue and passes run in turn. Each figure is the smallest of the rounds.
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};
use tengen_benches::gnugo::GnuGo;
use tengen_benches::median;
use tengen_benches::oracle::{self, Recording};
use tengen_go::board::{Color, Vertex};
use tengen_go::influence::FirstInfluence;
use tengen_go::influence::plugin::{Scratch, first_pass, second_pass};
use tengen_go::patterns::PatternDatabases;
use tengen_go::spread::field::{Field, vertices};
use tengen_go::spread::reference;
use tengen_go::spread::{PerColor, Spreader};
use tengen_go::tactics::{self, Reader, TacticsMap};
use tengen_go::worms::{self, WormMap};

/// Rounds of every measurement.
const ROUNDS: usize = 15;

/// The smallest time of each of the measured things over all rounds, which take turns.
fn in_turns<const N: usize>(rounds: usize, mut things: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (best, thing) in best.iter_mut().zip(things.iter_mut()) {
            let begun = Instant::now();
            thing();
            *best = (*best).min(begun.elapsed());
        }
    }
    best
}

fn sources(fields: &[Field]) -> usize {
    fields.iter().map(|f| f.strength.iter().flatten().filter(|&&s| s > 0.0).count()).sum()
}

/// Sources at these vertices of the empty 19x19 board.
fn empty(at: impl Iterator<Item = Vertex>) -> Vec<Field> {
    let mut field = Field::new(19);
    at.for_each(|v| field.add_source(Color::Black, v, 100.0, 2.4));
    vec![field]
}

fn propagation(recordings: &[Recording]) {
    println!("| propagation | sources | kernel, ns a source | queue, ns a source | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let mut sets = vec![
        ("empty 19x19, a source in the centre".to_owned(), empty([Vertex::new(9, 9, 19)].into_iter())),
        ("empty 19x19, a source everywhere".to_owned(), empty(vertices(19))),
    ];
    for size in [9, 13, 19] {
        let fields: Vec<Field> =
            recordings.iter().filter(|r| r.size == size).flat_map(|r| r.fields.clone()).collect();
        if !fields.is_empty() {
            sets.push((format!("recorded {size}x{size}"), fields));
        }
    }
    for (name, fields) in sets {
        let count = sources(&fields);
        let mut spreader = Spreader::new();
        let mut out = PerColor::default();
        // Field by field, so that the other processes of a busy machine spoil few of the smallest times, and each field
        // once a round, so that no field's branches are learnt by heart.
        let mut best = vec![[Duration::MAX; 2]; fields.len()];
        for _ in 0..ROUNDS {
            for (field, best) in fields.iter().zip(&mut best) {
                let mut kernel = || spreader.spread(black_box(field), &mut out);
                let mut queue = || drop(black_box(reference::spread(black_box(field))));
                let now = in_turns(1, [&mut kernel, &mut queue]);
                *best = [best[0].min(now[0]), best[1].min(now[1])];
            }
        }
        let [fast, slow] = [0, 1].map(|which| best.iter().map(|b| b[which]).sum::<Duration>());
        let per = |time: Duration| time.as_nanos() as f64 / count as f64;
        println!("| {name} | {count} | {:.0} | {:.0} | {:.1} |", per(fast), per(slow), per(slow) / per(fast));
    }
}

/// A position with what the stages before influence find.
struct Prepared<'a> {
    recording: &'a Recording,
    worms: WormMap,
    tactics: TacticsMap,
}

/// Kernel, matcher and whole passes of one position.
#[derive(Clone, Copy, Default)]
struct Cost {
    first: Duration,
    second: Duration,
    matcher: Duration,
    kernel: Duration,
}

fn cost(position: &Prepared<'_>, databases: &PatternDatabases) -> Cost {
    let board = &position.recording.board;
    let mut best: Option<FirstInfluence> = None;
    // A fresh scratch every time: nothing read before is remembered.
    let first = || {
        let mut scratch = Scratch::default();
        let begun = Instant::now();
        let found = first_pass(&mut scratch, board, &position.worms, &position.tactics, databases);
        (begun.elapsed(), found, scratch)
    };
    let mut cost = Cost { first: Duration::MAX, second: Duration::MAX, ..Cost::default() };
    for _ in 0..ROUNDS {
        let (time, found, mut scratch) = first();
        cost.first = cost.first.min(time);
        let begun = Instant::now();
        let statuses = &position.recording.statuses;
        black_box(second_pass(
            &mut scratch,
            board,
            &position.worms,
            &position.tactics,
            databases,
            &found,
            statuses,
        ));
        cost.second = cost.second.min(begun.elapsed());
        best = Some(found);
    }
    let Some(found) = best else { return cost };
    let mut spreader = Spreader::new();
    let mut out = PerColor::default();
    // Three maps a pass: both players and escape.
    let fields: Vec<&Field> = found.maps.iter().chain([&found.escape]).map(|m| &m.field).collect();
    let mut kernel =
        || (0..2).for_each(|_| fields.iter().for_each(|f| spreader.spread(black_box(f), &mut out)));
    let mut matcher = || {
        for _ in 0..2 {
            for color in Color::BOTH {
                for _ in 0..3 {
                    black_box(databases.influence.find(board, color, |_| true));
                }
                black_box(databases.barriers.find(board, color, |_| true));
            }
        }
    };
    [cost.kernel, cost.matcher] = in_turns(ROUNDS, [&mut kernel, &mut matcher]);
    cost
}

/// GNU Go's processor time for a cold `initial_influence` on every position, a process each.
fn gnugo(position: &Recording) -> Option<Duration> {
    let mut gnugo = GnuGo::start()?;
    let color = gnugo.load(position)?;
    gnugo.timed(|gnugo| gnugo.ask(&format!("initial_influence {color} white_influence")).map(drop))
}

fn passes(recordings: &[Recording]) {
    println!();
    println!(
        "| both passes, medians | first, ms | second, ms | matcher | kernel | GNU Go, ms | share of GNU Go |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let databases = PatternDatabases::default();
    let mut reader = Reader::default();
    for size in [9, 13, 19] {
        let mut columns: [Vec<f64>; 6] = Default::default();
        for recording in recordings.iter().filter(|r| r.size == size) {
            let worms = worms::build(&recording.board);
            let tactics = tactics::map::read(&mut reader, &mut recording.board.clone());
            let cost = cost(&Prepared { recording, worms, tactics }, &databases);
            let theirs = gnugo(recording);
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let both = ms(cost.first) + ms(cost.second);
            let theirs = theirs.map_or(f64::NAN, ms);
            let values = [
                ms(cost.first),
                ms(cost.second),
                ms(cost.matcher) / both,
                ms(cost.kernel) / both,
                theirs,
                both / theirs,
            ];
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        if columns[0].is_empty() {
            continue;
        }
        let [first, second, matcher, kernel, theirs, share] = columns.map(median);
        println!(
            "| {size}x{size} | {first:.2} | {second:.2} | {:.0} % | {:.0} % | {theirs:.0} | {:.1} % |",
            100.0 * matcher,
            100.0 * kernel,
            100.0 * share
        );
    }
}

fn main() {
    let recordings = oracle::recordings();
    propagation(&recordings);
    passes(&recordings);
}
