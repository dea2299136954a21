//! Influence from recorded inputs against the recorded influence.

#![allow(clippy::print_stdout, reason = "a test that compares shows the figures")]

mod support;

use support::oracles;
use tengen_go::board::Color;
use tengen_go::influence::field::vertices;
use tengen_go::influence::spread::{Spreader, reference};

/// How far two maps agree.
#[derive(Default)]
struct Agreement {
    maps: usize,
    exact: usize,
    points: usize,
    rounded: usize,
    percent: usize,
    worst: f32,
    sum: f64,
}

impl Agreement {
    fn add(&mut self, size: usize, ours: &[f32], theirs: &[f32]) {
        self.maps += 1;
        let mut worst: f32 = 0.0;
        for v in vertices(size) {
            let (a, b) = (ours[v.at()], theirs[v.at()]);
            let error = (a - b).abs();
            self.points += 1;
            self.rounded += usize::from(error <= 0.006);
            self.percent += usize::from(error <= 0.01 * a.abs().max(b.abs()));
            self.sum += f64::from(error);
            worst = worst.max(error);
        }
        self.exact += usize::from(worst <= 0.018);
        self.worst = self.worst.max(worst);
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |n: usize| 100.0 * n as f64 / self.points as f64;
        write!(
            f,
            "{} of {} maps exact, {:.2} % within rounding, {:.2} % within 1 %, mean {:.4}, worst {:.3}",
            self.exact,
            self.maps,
            share(self.rounded),
            share(self.percent),
            self.sum / self.points as f64,
            self.worst
        )
    }
}

#[test]
fn recorded_inputs_give_the_recorded_influence() {
    let (mut kernel, mut queue, mut between) = <(Agreement, Agreement, Agreement)>::default();
    let mut spreader = Spreader::new();
    let mut out = Default::default();
    for oracle in oracles() {
        for to_move in Color::BOTH {
            let field = oracle.field(to_move);
            spreader.spread(&field, &mut out);
            let plain = reference::spread(&field);
            for color in Color::BOTH {
                let theirs = oracle.initial(to_move, &format!("{color}_influence"));
                kernel.add(oracle.size, &out[color.index()], &theirs);
                queue.add(oracle.size, &plain[color.index()], &theirs);
                between.add(oracle.size, &out[color.index()], &plain[color.index()]);
            }
        }
    }
    if kernel.maps == 0 {
        return;
    }
    println!("kernel: {kernel}\nqueue:  {queue}\nkernel against queue: {between}");
    assert!(queue.exact * 240 >= 230 * queue.maps, "{queue}");
    assert!(kernel.exact * 240 >= 230 * kernel.maps, "{kernel}");
    assert!(between.worst < 0.05, "{between}");
}
