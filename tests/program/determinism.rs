//! Tests that the same scenes give the same bytes. The number of threads, the number of boards in a World, and a killed
//! run that is resumed must change nothing.

use crate::common::{game, scratch, stdout, tengen, write};
use std::fs;
use std::path::Path;

/// Games of several lengths and a scene over all their positions.
fn many_positions(folder: &Path) {
    for (name, moves) in [("a", 60), ("b", 31), ("c", 8)] {
        write(folder, &format!("games/{name}.sgf"), &game(moves));
    }
    write(folder, "games/torn.sgf", "(;GM[1]SZ[9];B[ee");
    write(
        folder,
        "all.ron",
        "(version: 1, name: \"all\", for_each: Sgf(glob: \"games/*.sgf\", every: 8), task: Analyse())",
    );
}

fn records(folder: &Path, extra: &[&str]) -> String {
    let arguments = [&["run", "all.ron", "--format", "json", "--no-progress"], extra].concat();
    stdout(&tengen(folder, &arguments))
}

#[test]
fn records_are_the_same_bytes_at_any_number_of_jobs_and_boards_per_world() {
    let folder = scratch("jobs");
    many_positions(&folder);
    let plain = records(&folder, &["--jobs", "1", "--boards-per-world", "1"]);
    assert_eq!(plain.lines().count(), 8 + 4 + 2 + 1);
    for (jobs, boards) in [("1", "7"), ("2", "1"), ("2", "2"), ("2", "3")] {
        let other = records(&folder, &["--jobs", jobs, "--boards-per-world", boards]);
        assert!(other == plain, "--jobs {jobs} --boards-per-world {boards}");
    }
    assert!(records(&folder, &["--jobs", "40"]) == plain, "more threads than positions");
}

#[test]
fn records_are_the_same_bytes_whatever_is_kept_of_readings() {
    let folder = scratch("reading_memory");
    many_positions(&folder);
    let plain = records(&folder, &["--reading-memory", "0"]);
    for bytes in ["1K", "100000", "64MiB"] {
        for jobs in ["1", "2"] {
            let other = records(&folder, &["--reading-memory", bytes, "--jobs", jobs]);
            assert!(other == plain, "--reading-memory {bytes} --jobs {jobs}");
        }
    }
    for bytes in ["", "-1", "M", "1Q", "1.5G", "99999999999999999999G"] {
        let refused = tengen(&folder, &["run", "all.ron", &format!("--reading-memory={bytes}")]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{bytes}: {said}");
        assert!(said.contains("--reading-memory"), "{bytes}: {said}");
    }
    let profile = stdout(&tengen(&folder, &["profile", "all.ron", "--jobs", "1"]));
    assert!(profile.contains("readings kept: strings"), "{profile}");
}

#[test]
fn a_torn_run_goes_on_to_the_same_bytes() {
    let folder = scratch("resume");
    many_positions(&folder);
    let run = |extra: &[&str]| {
        let arguments = [&["run", "all.ron", "--out", "out", "--no-progress"], extra].concat();
        tengen(&folder, &arguments).status.code()
    };
    assert_eq!(run(&[]), Some(1), "one record is torn");
    let path = folder.join("out/records.jsonl");
    let whole = fs::read(&path).expect("records");
    // A kill leaves the beginning, torn anywhere.
    for keep in [0, 1, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(&path, &whole[..keep]).expect("records");
        assert_eq!(run(&["--resume", "--jobs", "2"]), Some(1));
        assert!(fs::read(&path).expect("records") == whole, "torn after {keep} bytes");
    }
    assert_eq!(run(&["--resume", "--seed", "2"]), Some(2), "another run's folder is refused");
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = scratch("kill");
    many_positions(&folder);
    let start = |out: &str, extra: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(&folder)
            .args(["run", "all.ron", "--no-progress", "--out", out])
            .args(extra)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    start("whole", &[]).wait().expect("it ends");
    // Killed with SIGKILL again and again, a little later each time, until a run gets through.
    for attempt in 0..200 {
        let mut child = start("killed", &["--resume", "--jobs", "2"]);
        std::thread::sleep(std::time::Duration::from_millis(2 + 2 * attempt));
        if child.try_wait().expect("its state").is_some() {
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("it ends");
    }
    start("killed", &["--resume"]).wait().expect("it ends");
    let read = |name: &str| fs::read(folder.join(name).join("records.jsonl")).expect("records");
    assert!(read("killed") == read("whole"));
}
