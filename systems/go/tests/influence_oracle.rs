//! Compares the influence from recorded inputs with the recorded influence of GNU Go 3.8.

#![allow(clippy::print_stdout, reason = "a test that compares shows the figures")]

mod support;

use support::oracles;
use tengen_go::board::Color;
use tengen_go::influence::recorded::Recorded;
use tengen_go::spread::field::vertices;
use tengen_go::spread::{Spreader, reference};

/// The agreement of two maps.
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
    let mut settled = Agreement::default();
    let (mut kernel, mut queue, mut between) = <(Agreement, Agreement, Agreement)>::default();
    let mut spreader = Spreader::new();
    let mut out = Default::default();
    for oracle in oracles() {
        for to_move in Color::BOTH {
            let field = oracle.field(to_move);
            spreader.spread(&field, &mut out);
            let plain = reference::spread(&field);
            let recorded = Recorded::from_json(&oracle.json, to_move).expect("a recording");
            let exact = recorded.compute(&mut spreader);
            for color in Color::BOTH {
                let theirs = oracle.initial(to_move, &format!("{color}_influence"));
                kernel.add(oracle.size, &out[color.index()], &theirs);
                queue.add(oracle.size, &plain[color.index()], &theirs);
                settled.add(oracle.size, &exact.influence[color.index()], &theirs);
                between.add(oracle.size, &out[color.index()], &plain[color.index()]);
            }
        }
    }
    if kernel.maps == 0 {
        return;
    }
    println!("kernel: {kernel}\nqueue:  {queue}\nkernel against queue: {between}");
    println!("from JSON: {settled}");
    assert!(queue.exact * 240 >= 230 * queue.maps, "{queue}");
    assert!(kernel.exact * 240 >= 230 * kernel.maps, "{kernel}");
    assert!(settled.exact * 240 >= 230 * settled.maps, "{settled}");
    assert!(between.worst < 0.05, "{between}");
}

#[test]
fn recorded_influence_gives_the_recorded_territory_and_regions() {
    let (mut points, mut regions, mut territory, mut computed) = (0, 0, 0, 0);
    let mut opened = [0; 2];
    let mut spreader = Spreader::new();
    for oracle in oracles() {
        for to_move in Color::BOTH {
            let recorded = oracle.map(to_move);
            let codes = oracle.initial(to_move, "influence_regions");
            // From the recorded influence, with the permeabilities as recorded.
            let mut raw = recorded.clone();
            for color in Color::BOTH {
                let permeability = oracle.initial(to_move, &format!("{color}_permeability"));
                for v in vertices(oracle.size) {
                    let exact = &mut raw.field.permeability[color.index()][v.at()];
                    if permeability[v.at()] == 1.0 && *exact == 0.0 {
                        *exact = 1.0;
                    }
                }
            }
            let from_recorded = raw.value_territory();
            // From our influence, with double blocks found by ourselves.
            let mut ours = recorded.clone();
            spreader.spread(&ours.field, &mut ours.influence);
            ours.territory = ours.value_territory();
            ours.open_double_blocks(to_move);
            ours.territory = ours.value_territory();
            for v in vertices(oracle.size) {
                points += 1;
                let theirs = recorded.territory[v.at()];
                territory += usize::from((from_recorded[v.at()] - theirs).abs() <= 0.02);
                computed += usize::from((ours.territory[v.at()] - theirs).abs() <= 0.02);
                regions += usize::from(f32::from(recorded.region(v).code()) == codes[v.at()]);
                for color in Color::BOTH {
                    let [a, b] = [&raw, &ours].map(|m| m.field.permeability[color.index()][v.at()]);
                    opened[0] +=
                        usize::from(a == 1.0 && recorded.field.permeability[color.index()][v.at()] == 0.0);
                    opened[1] += usize::from((a - b).abs() > 1e-4);
                }
            }
        }
    }
    if points == 0 {
        return;
    }
    let share = |n: usize| 100.0 * n as f64 / points as f64;
    println!(
        "{points} points: territory from recorded influence {:.2} %, from recorded inputs {:.2} %, regions {:.2} %",
        share(territory),
        share(computed),
        share(regions)
    );
    println!("double blocks: {} known, {} not as recorded", opened[0], opened[1]);
    assert!(share(territory) >= 99.9);
    assert!(share(computed) >= 99.5);
    assert!(share(regions) >= 99.9);
}
