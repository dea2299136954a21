//! Loads all of GNU Go's own pattern databases.
#![allow(clippy::print_stdout, reason = "a test that compares shows the figures")]

mod support;

use tengen_core::Severity;
use tengen_go::board::Color;
use tengen_go::patterns::{PatternDatabases, parse};
use tengen_go::spread::Effect;

#[test]
fn gnugos_databases_load_without_an_unknown_construct() {
    let Some(shared) = support::shared() else { return };
    for (file, patterns) in [("influence.db", 50), ("barriers.db", 218), ("conn.db", 35)] {
        let text =
            std::fs::read_to_string(shared.join("suites/go/gnugo-patterns").join(file)).expect("a file");
        let (database, faults) = parse(file, &text);
        let errors: Vec<String> =
            faults.iter().filter(|f| f.severity == Severity::Error).map(ToString::to_string).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert_eq!(database.patterns.len(), patterns);
        println!("{file}: {} warnings", faults.len());
    }
}

#[test]
fn with_gnugos_databases_permeability_and_strength_are_the_recorded_ones() {
    let Some(shared) = support::shared() else { return };
    let texts: Vec<(&str, String)> = ["influence.db", "barriers.db"]
        .map(|file| {
            let path = shared.join("suites/go/gnugo-patterns").join(file);
            (file, std::fs::read_to_string(path).expect("a file"))
        })
        .into();
    let (databases, _) = PatternDatabases::load(texts.iter().map(|(f, t)| (*f, t.as_str()))).expect("sound");
    let (mut points, mut permeability, mut strength, mut marks) = (0, 0, 0, 0);
    let mut blame: std::collections::BTreeMap<String, usize> = Default::default();
    support::each_map(&databases, |oracle, board, to_move, map| {
        let non_territory = oracle.initial(to_move, "non_territory");
        for v in board.vertices() {
            marks += usize::from(f32::from(map.non_territory[v.at()]) == non_territory[v.at()]);
            for color in Color::BOTH {
                points += 1;
                let theirs = oracle.initial(to_move, &format!("{color}_permeability"))[v.at()];
                let same = (map.field.permeability[color.index()][v.at()] - theirs).abs() <= 0.006;
                permeability += usize::from(same);
                let theirs = oracle.initial(to_move, &format!("{color}_strength"))[v.at()];
                let same_strength = (map.field.strength[color.index()][v.at()] - theirs).abs() <= 0.02;
                strength += usize::from(same_strength);
                if !same_strength && std::env::var_os("TENGEN_SHOW").is_some() {
                    println!(
                        "{} {to_move} {color} {}: {} {theirs}",
                        oracle.name,
                        v.to_gtp(oracle.size),
                        map.field.strength[color.index()][v.at()]
                    );
                    for cause in &map.causes {
                        if let Effect::Intrusion { from, strength } = cause.effect {
                            println!(
                                "    {} {} from {} {strength}",
                                cause.pattern,
                                cause.at.to_gtp(oracle.size),
                                from.to_gtp(oracle.size)
                            );
                        }
                    }
                }
                for cause in &map.causes {
                    let differs = match cause.effect {
                        Effect::Barrier | Effect::WeakPoint => !same,
                        Effect::Source { .. } | Effect::Intrusion { .. } => !same_strength,
                        Effect::NonTerritory => continue,
                    };
                    if cause.at == v && cause.color == color && differs {
                        *blame.entry(cause.pattern.to_string()).or_default() += 1;
                    }
                }
            }
        }
    });
    let share = |n: usize, of: usize| 100.0 * n as f64 / of as f64;
    println!(
        "{points} points: permeability {:.2} %, strength {:.2} %, non-territory {:.2} %",
        share(permeability, points),
        share(strength, points),
        share(marks, points / 2)
    );
    let mut blame: Vec<_> = blame.into_iter().collect();
    blame.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    println!("patterns at points that differ: {:?}", &blame[..blame.len().min(25)]);
    assert!(share(permeability, points) >= 97.0);
    assert!(share(strength, points) >= 97.0);
}
