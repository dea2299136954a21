//! Compares territory and score by Tengen's own pattern databases with the recordings, given the recorded status of
//! the stones.
#![allow(clippy::print_stdout, reason = "a test that compares shows the figures")]

mod support;

use tengen_core::Severity;
use tengen_go::board::Color;
use tengen_go::patterns::PatternDatabases;

fn own() -> PatternDatabases {
    let folder = std::env::var_os("TENGEN_PATTERNS").map_or_else(
        || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../resources/go/patterns")),
        Into::into,
    );
    let files = ["influence.db", "barriers.db"]
        .map(|f| (f, std::fs::read_to_string(folder.join(f)).expect("a database")));
    let (databases, faults) =
        PatternDatabases::load(files.iter().map(|(f, t)| (*f, t.as_str()))).expect("sound databases");
    assert!(faults.iter().all(|f| f.severity == Severity::Warning));
    databases
}

#[test]
fn territory_and_score_are_near_the_recorded_ones() {
    let databases = own();
    let (mut points, mut near) = ([0; 26], [0; 26]);
    let mut score_error: Vec<(usize, f32)> = Vec::new();
    let (mut total, mut permeability, mut marks) = (0, 0, 0);
    let mut sums = [0.0_f64; 5];
    let mut worst: Vec<(usize, String)> = Vec::new();
    support::each_map(&databases, |oracle, board, to_move, map| {
        let recorded = oracle.initial(to_move, "territory_value");
        let non_territory = oracle.initial(to_move, "non_territory");
        let of_color = Color::BOTH.map(|c| oracle.initial(to_move, &format!("{c}_permeability")));
        let (mut ours, mut theirs, mut here) = (0.0, 0.0, 0);
        for v in board.vertices() {
            let (a, b) = (map.territory[v.at()], recorded[v.at()]);
            (ours, theirs) = (ours + a, theirs + b);
            points[oracle.size] += 1;
            let within = (a - b).abs() <= 0.3;
            near[oracle.size] += usize::from(within);
            here += usize::from(!within);
            let (x, y) = (f64::from(a), f64::from(b));
            for (sum, term) in sums.iter_mut().zip([x, y, x * x, y * y, x * y]) {
                *sum += term;
            }
            marks += usize::from(f32::from(map.non_territory[v.at()]) == non_territory[v.at()]);
            for (c, recorded) in of_color.iter().enumerate() {
                total += 1;
                permeability +=
                    usize::from((map.field.permeability[c][v.at()] - recorded[v.at()]).abs() < 0.006);
            }
        }
        score_error.push((oracle.size, (ours - theirs).abs()));
        worst.push((here, format!("{} {to_move}: {ours:.1} {theirs:.1}", oracle.name)));
    });
    if total == 0 {
        return;
    }
    for size in [9, 13, 19] {
        let errors: Vec<f32> = score_error.iter().filter(|e| e.0 == size).map(|e| e.1).collect();
        let mean = errors.iter().sum::<f32>() / errors.len() as f32;
        let share = 100.0 * near[size] as f64 / points[size] as f64;
        println!("{size}x{size}: {share:.2} % of points within 0.3, mean score difference {mean:.2}");
    }
    let n: usize = points.iter().sum();
    let all = 100.0 * near.iter().sum::<usize>() as f64 / n as f64;
    let [x, y, xx, yy, xy] = sums.map(|s| s / n as f64);
    let correlation = (xy - x * y) / ((xx - x * x) * (yy - y * y)).sqrt();
    println!(
        "all: {all:.2} % within 0.3, correlation {correlation:.4}; permeability {:.2} %, non-territory {:.2} %",
        100.0 * f64::from(permeability as u32) / f64::from(total),
        100.0 * marks as f64 / n as f64
    );
    if std::env::var_os("TENGEN_SHOW").is_some() {
        worst.sort();
        println!("worst: {:#?}", &worst[worst.len() - 12..]);
    }
    assert!(all >= 90.0, "{all}");
    assert!(correlation > 0.9, "{correlation}");
}
