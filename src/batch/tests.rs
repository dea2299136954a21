//! Tests of batches: units of work, the order of records, and errors of single cases.

use super::runner::units;
use super::*;
use crate::record::Status;
use crate::scene::load;
use crate::scene::{Case, Input};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use tengen_core::Stop;

/// Cases out of a scene file's text, as `tengen run` makes them.
fn cases(text: &str) -> Vec<Case> {
    let loaded = load::parse(Path::new("a.ron"), text.to_owned()).expect("a sound scene file");
    let case = |scene: &crate::scene::Scene| Case {
        id: format!("a.ron#{}", scene.name),
        source: Some(Arc::clone(&loaded.source)),
        scene: Some(Arc::new(scene.clone())),
        seed: 1,
        input: Input::Game,
        origin: None,
    };
    loaded.scenes.iter().map(case).collect()
}

/// A number of small Go analyses up to a stage.
fn analyses(count: usize, last: &str) -> String {
    let scene = |i: usize| {
        format!("(name: \"{last}{i}\", game: Go(size: {}), task: Analyse(last: {last}))", 2 + i % 4)
    };
    (0..count).map(scene).collect::<Vec<_>>().join(", ")
}

fn ids(cases: &[Case], threads: usize, interrupted: bool) -> Vec<String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    let mut ids = Vec::new();
    let stop = Stop::when(move || interrupted);
    let todo: Vec<usize> = (0..cases.len()).collect();
    run(&pool, cases, &todo, &Settings::default(), &stop, |event| {
        if let Event::Done { record, .. } = event {
            ids.push(record.id);
        }
        Ok(())
    })
    .expect("the sink takes all");
    ids
}

#[test]
fn units_are_consecutive_analyses_up_to_one_stage_and_every_thread_gets_some() {
    let text = format!(
        "(version: 1, scenes: [{}, {}, (name: \"p\", game: Chess(), task: Perft(depth: 1))])",
        analyses(40, "Worms"),
        analyses(3, "Read"),
    );
    let cases = cases(&text);
    let all: Vec<usize> = (0..cases.len()).collect();
    let cut = units(&cases, &all, 8, 1);
    assert_eq!(cut.iter().map(Range::len).collect::<Vec<_>>(), [8, 8, 8, 8, 8, 3, 1]);
    let from = units(&cases, &all[42..], 8, 1);
    assert_eq!(from, [42..43, 43..44]);
    assert_eq!(units(&cases, &[3, 4, 9], 8, 1), [3..5, 9..10], "cases that are done lie between");
    // With more threads the units are smaller, so that nobody waits long for the last one.
    assert!(units(&cases, &all, 8, 4).iter().all(|unit| unit.len() <= 3));
    for threads in [1, 2, 7] {
        let cut = units(&cases, &all, 8, threads);
        assert_eq!(cut.iter().cloned().flatten().collect::<Vec<_>>(), (0..44).collect::<Vec<_>>());
    }
}

#[test]
fn records_come_in_the_order_of_the_cases_at_any_number_of_threads() {
    let cases = cases(&format!("(version: 1, scenes: [{}])", analyses(30, "Worms")));
    let expected: Vec<String> = cases.iter().map(|c| c.id.clone()).collect();
    for threads in [1, 2, 3, 7] {
        assert_eq!(ids(&cases, threads, false), expected, "{threads} threads");
    }
    assert_eq!(ids(&cases, 2, true), Vec::<String>::new(), "interrupted before it began");
}

#[test]
fn the_first_error_of_the_sink_ends_the_run() {
    let cases = cases(&format!("(version: 1, scenes: [{}])", analyses(30, "Read")));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    let all: Vec<usize> = (0..cases.len()).collect();
    let mut taken = 0;
    let result = run(&pool, &cases, &all, &Settings::default(), &Stop::NEVER, |event| {
        taken += usize::from(matches!(event, Event::Done { .. }));
        anyhow::ensure!(taken < 5, "full");
        Ok(())
    });
    assert_eq!((result.map(|_| ()).map_err(|e| e.to_string()), taken), (Err("full".into()), 5));
}

#[test]
fn a_task_that_means_nothing_for_its_game_is_an_error_record_with_help_and_the_rest_runs() {
    let text = "(version: 1, scenes: [
        (name: \"a\", game: Go(size: 5), task: Analyse(last: Worms)),
        (name: \"b\", game: Go(size: 5), task: Perft(depth: 2)),
        (name: \"c\", game: Chess(), task: Playouts(count: 2)),
        (name: \"d\", game: Go(size: 5), task: Analyse(last: Worms)),
    ])";
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let mut found = Vec::new();
    let cases = cases(text);
    run(&pool, &cases, &[0, 1, 2, 3], &Settings::default(), &Stop::NEVER, |event| {
        if let Event::Done { record, .. } = event {
            found.push((record.status, record.result["error"]["help"].is_string()));
        }
        Ok(())
    })
    .expect("the sink takes all");
    assert_eq!(
        found,
        [(Status::Ok, false), (Status::Error, true), (Status::Error, true), (Status::Ok, false)]
    );
}
