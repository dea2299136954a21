//! `tengen selfplay`: the same games at any number of threads, and after a kill.

mod common;

use common::{scratch, stdout, tengen, write};
use std::fs;

const SCENE: &str = r#"(version: 1, name: "small", game: Go(size: 7, komi: 6.5),
    task: SelfPlay(max_moves: 10, random_moves: 4))"#;

#[test]
fn games_are_the_same_at_any_number_of_threads_and_after_a_kill() {
    let folder = scratch("selfplay");
    write(&folder, "small.ron", SCENE);
    let play = |out: &str, extra: &[&str]| {
        let arguments = ["selfplay", "small.ron", "--games", "4", "--no-progress", "--out", out];
        let output = tengen(&folder, &[&arguments[..], extra].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let games = fs::read_to_string(folder.join(out).join("games.jsonl")).expect("games");
        (games, stdout(&output))
    };
    let (one, table) = play("one", &["--jobs", "1"]);
    assert_eq!(one.lines().count(), 4);
    assert!(table.contains("4 games"), "{table}");
    let games: Vec<serde_json::Value> =
        one.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(games.iter().all(|g| g["moves"].as_u64() > Some(4)), "moves are played: {one}");
    assert_ne!(games[0]["signature"], games[1]["signature"], "games differ");
    assert_eq!(play("two", &["--jobs", "2"]), (one.clone(), table.clone()));

    // A kill leaves some games out, and no list.
    let record = folder.join("two/game-00002.sgf");
    let whole = fs::read(&record).expect("a game record");
    fs::remove_file(&record).expect("removed");
    fs::remove_file(folder.join("two/games.jsonl")).expect("removed");
    // A record that is torn is played again too.
    fs::write(folder.join("two/game-00003.sgf"), &whole[..whole.len() / 4]).expect("torn");
    assert_eq!(play("two", &["--jobs", "2", "--resume"]), (one, table));
    assert!(fs::read(&record).expect("a game record") == whole);

    let arguments = ["selfplay", "small.ron", "--games", "4", "--out", "two", "--resume", "--seed", "2"];
    assert_eq!(tengen(&folder, &arguments).status.code(), Some(2), "another run's folder is refused");
}

#[test]
fn scenes_of_other_games_and_tasks_are_refused_with_a_reason() {
    let folder = scratch("selfplay_refused");
    for (game, task, reason) in [
        ("Chess()", "SelfPlay()", "self-play supports Go alone"),
        ("Go(size: 9)", "Analyse()", "`analyse` is no task of self-play"),
        ("Go(size: 99)", "SelfPlay()", "a board of size 99 is not known"),
    ] {
        write(&folder, "a.ron", &format!("(version: 1, name: \"a\", game: {game}, task: {task})"));
        let output = tengen(&folder, &["selfplay", "a.ron", "--games", "1", "--out", "out"]);
        assert_eq!(output.status.code(), Some(1), "{game} {task}");
        assert!(stdout(&output).contains(reason), "{}", stdout(&output));
    }
}
