//! Tests cases of all games and tasks in one World. The records are the same at any number of threads, and when each
//! case runs alone.

use crate::common::{game, repository, scratch, stdout, tengen, write};
use serde_json::Value;
use std::path::Path;

/// A scene of every task of every game, so that jobs of all kinds run together.
const SCENES: &str = r#"(version: 1, scenes: [
    (name: "analysis", game: Go(sgf: "a.sgf", move: 30), task: Analyse()),
    (name: "influence", game: Go(size: 9), task: Influence(sources: [(at: "C3")])),
    (name: "go playouts", game: Go(size: 9), task: Playouts(count: 40)),
    (name: "go games", game: Go(size: 5), task: SelfPlay(games: 3, max_moves: 8, random_moves: 3)),
    (name: "levels", game: Go(size: 5),
        task: SelfPlay(games: 2, players: [Level(1), Level(2)], max_moves: 6, random_moves: 2)),
    (name: "search", game: Chess(), task: Search(nodes: 3000)),
    (name: "exact", game: Chess(), task: Search(depth: 3, exact: true)),
    (name: "perft", game: Chess(), task: Perft(depth: 4)),
    (name: "chess games", game: Chess(),
        task: SelfPlay(games: 2, players: [Search(nodes: 200), Search(nodes: 100)], max_moves: 12, random_moves: 4)),
    (name: "uct", game: Gdl(rules: "noughts.kif"), task: Search(visits: 300)),
    (name: "net playouts", game: Gdl(rules: "noughts.kif"), task: Playouts(count: 150)),
    (name: "net perft", game: Gdl(rules: "noughts.kif"), task: Perft(depth: 4)),
    (name: "bandits", game: Gdl(rules: "noughts.kif"), task: SelfPlay(games: 3, players: [Uct(60), MonteCarlo(60)])),
    (name: "depth first", game: Gdl(rules: "heaps.kif"), task: SelfPlay(games: 2, players: [AlphaBeta(500), Random])),
    (name: "gone", game: Gdl(rules: "none.kif"), task: Perft(depth: 1)),
])"#;

fn records(folder: &Path, extra: &[&str]) -> Vec<Value> {
    let arguments = [&["run", "all.ron", "--format", "json", "--no-progress"], extra].concat();
    let text = stdout(&tengen(folder, &arguments));
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

#[test]
fn a_mixed_batch_has_the_same_records_at_any_number_of_jobs_and_with_every_case_by_itself() {
    let folder = scratch("mixed_batch");
    write(&folder, "a.sgf", &game(40));
    write(&folder, "all.ron", SCENES);
    for name in ["noughts.kif", "heaps.kif"] {
        let rules = repository().join("resources/gdl").join(name);
        std::fs::copy(rules, folder.join(name)).expect("our own rulesheet");
    }
    let together = records(&folder, &["--jobs", "1"]);
    assert_eq!(together.len(), 15);
    let failed: Vec<&Value> = together.iter().filter(|r| r["status"] != "ok").collect();
    assert!(failed.len() == 1 && failed[0]["id"] == "all.ron#gone", "{failed:#?}");
    for jobs in ["2", "4"] {
        assert_eq!(records(&folder, &["--jobs", jobs]), together, "--jobs {jobs}");
    }
    // With a limit that no case reaches each runs by itself, in one loop: playouts, counts and games as they were
    // before they were jobs.
    assert_eq!(records(&folder, &["--jobs", "1", "--case-seconds", "1000"]), together);
}
