//! Makes enclosed problems of life and death at random and compares the reader's answers with a plain search of all
//! positions.
//!
//! `enclosed_problems [COUNT [SEED]]` prints the number of answered problems, the number of wrong answers, and the mean
//! time for a problem. It prints each wrong answer with its board. An answer that differs only in the grade of a ko is
//! not wrong, because judgement grades kos for half an eye. The last lines count such answers.

#![expect(clippy::print_stdout, reason = "a command that prints a table")]

#[path = "../tests/support/enclosed.rs"]
mod enclosed;

use enclosed::{Problem, Random, read, succeeds};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tengen_go::owl::LifeReader;

/// The most positions of a plain search. A problem with more is left out.
const MOST: usize = 200_000;

fn main() -> ExitCode {
    let number = |n: usize| std::env::args().nth(n).and_then(|s| s.parse::<u64>().ok());
    let (count, seed) = (number(1).unwrap_or(2000), number(2).unwrap_or(1));
    let mut random = Random(seed);
    let (mut made, mut answered, mut wrong, mut graded, mut left_out) = (0, 0, 0, 0, 0);
    let mut time = Duration::ZERO;
    let mut reader = LifeReader::default();
    while made < count {
        let Some(problem) = Problem::random(&mut random) else { continue };
        let Some(truth) = problem.truth(MOST) else {
            left_out += 1;
            continue;
        };
        made += 1;
        let begin = Instant::now();
        let found = read(&mut reader, &problem);
        time += begin.elapsed();
        answered += u64::from(found.is_some());
        let Some(found) = found.filter(|found| *found != truth) else { continue };
        if found.map(succeeds) == truth.map(succeeds) {
            graded += 1;
        } else {
            wrong += 1;
            println!("{found:?} where the truth is {truth:?}\n{}", problem.board);
        }
    }
    println!("{made} problems, {left_out} others too large: {answered} answered, {wrong} wrongly");
    println!("{graded} with another grade of a ko");
    println!("{:.1} ms a problem", time.as_secs_f64() * 1000.0 / made.max(1) as f64);
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
