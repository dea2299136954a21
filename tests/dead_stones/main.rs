//! Tests the final status of boards at the end of the game. A proof by play gives the true status, and the program must
//! agree.

#[path = "../common/mod.rs"]
mod common;
mod proof;
mod region;

use common::repository;
use proof::Proof;
use region::{Position, Region};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tengen::scene::position;
use tengen::scene::{self, Expect};
use tengen_go::board::{Board, Color, Vertex};

/// Parts of the names of scenes whose truth holds only without ko threats. In bent four in the corner, its owner
/// starts the ko after he has removed the threats.
const NO_THREATS: &[&str] = &["bent four"];

/// A board with what a scene says of it.
struct Finished {
    name: String,
    board: Board,
    dead: Vec<Vertex>,
    seki: Vec<Vertex>,
}

impl Finished {
    fn is(&self, of: &[Vertex], v: Vertex) -> bool {
        of.iter().any(|&s| self.board.origin(s) == self.board.origin(v))
    }
}

/// The finished boards of all scenes: the program is right about all of them.
fn scenes() -> Vec<Finished> {
    let entries =
        std::fs::read_dir(repository().join("scenes/go/finished")).expect("the folder of finished boards");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    boards(&files)
}

/// Boards that the program is wrong about today.
fn known_failures() -> Vec<Finished> {
    boards(&[repository().join("tests/dead_stones/known_failures.ron")])
}

fn boards(files: &[PathBuf]) -> Vec<Finished> {
    let board = |case: &scene::Case| {
        let input = position::go(case).unwrap_or_else(|fault| panic!("{}: {fault:?}", case.id));
        let board = input.position.board.clone();
        let scene = case.scene.as_ref().expect("a scene");
        let Some(Expect::FinalStatus { dead, seki }) = scene.expect.first() else { panic!("{}", case.id) };
        let vertices = |names: &[String]| -> Vec<Vertex> {
            names.iter().map(|name| input.vertex(name).expect("a vertex")).collect()
        };
        Finished { name: case.id.clone(), dead: vertices(dead), seki: vertices(seki), board }
    };
    scene::cases::of_files(files, 0, &scene::PlainFiles::default()).iter().map(board).collect()
}

/// The fault of a scene's claim about one region; empty if the claim is proved.
fn faults(finished: &Finished, region: &Region, start: Position) -> Vec<String> {
    let board = &finished.board;
    let mut faults = Vec::new();
    // With the dead stones off, every empty part is one side's, or a seki's.
    let on = |bit: u64| {
        let v = region.cells[bit.trailing_zeros() as usize];
        !finished.is(&finished.dead, v)
    };
    let live =
        start.stones.map(|set| (0..64).map(|i| 1 << i).filter(|b| set & b != 0 && on(*b)).sum::<u64>());
    let goal = region.area(live);
    let shared = region.empty_parts(live).iter().filter(|&&part| region.owner(part, live) == 0).count();
    let in_seki =
        region.cells.iter().filter(|&&v| !board.is_empty(v) && finished.is(&finished.seki, v)).count();
    if (shared > 0) != (in_seki > 0) {
        faults.push(format!("{shared} shared parts, {in_seki} stones in seki"));
    }
    if in_seki > 0 && live == start.stones && region.area(start.stones) != goal {
        faults.push("in a seki both may pass at once".into());
    }
    let no_threats = NO_THREATS.iter().any(|part| finished.name.contains(part));
    for (prover, goal) in [(0, goal), (1, -goal)] {
        for threats in [false, true] {
            let (answer, positions) = Proof::holds(region, start, prover, goal, threats);
            if answer != Some(true) && !(threats && no_threats) {
                faults.push(format!(
                    "{} does not get {goal} of {} cells if the other side moves first{}: {answer:?}, {positions} positions",
                    Color::BOTH[prover],
                    region.len(),
                    if threats { " and has threats" } else { "" },
                ));
                break;
            }
        }
    }
    faults
}

#[test]
fn what_each_board_says_is_proved_by_play() {
    let mut wrong = Vec::new();
    for finished in scenes().into_iter().chain(known_failures()) {
        let regions = Region::of(&finished.board);
        let mut found: Vec<String> =
            regions.iter().flat_map(|(region, start)| faults(&finished, region, *start)).collect();
        // Whoever is named must be in a region: immortal strings are alive.
        for &v in finished.dead.iter().chain(&finished.seki) {
            if !regions.iter().any(|(region, _)| region.bit(v).is_some()) {
                found.push(format!("{} lives for certain", v.to_gtp(finished.board.size())));
            }
        }
        if !found.is_empty() {
            wrong.push(format!("{}\n{}{}", finished.name, finished.board, found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{} boards:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// What GTP's `final_status_list` answers about the strings of each board: the boards where it is wrong, with what it said.
fn wrong_over_gtp(boards: &[Finished]) -> Vec<(String, String)> {
    let mut commands = String::new();
    for Finished { board, .. } in boards {
        let size = board.size();
        commands += &format!("boardsize {size}\nclear_board\n");
        for v in board.vertices() {
            if let Some(color) = board.color_at(v) {
                commands += &format!("play {color} {}\n", v.to_gtp(size));
            }
        }
        commands += "1 final_status_list dead\n2 final_status_list seki\n3 final_status_list alive\n";
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("gtp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = program.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(commands.as_bytes()));
    let output = program.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("all commands are taken");
    let text = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<&str> = text
        .split("\n\n")
        .map(str::trim_start)
        .filter(|a| ["=1", "=2", "=3"].iter().any(|number| a.starts_with(number)))
        .collect();
    assert_eq!(answers.len(), 3 * boards.len(), "an answer to each question");
    let mut wrong = Vec::new();
    for (finished, answers) in boards.iter().zip(answers.chunks(3)) {
        let board = &finished.board;
        let wanted = |v: Vertex| match () {
            () if finished.is(&finished.dead, v) => 0,
            () if finished.is(&finished.seki, v) => 1,
            () => 2,
        };
        let told = |of: &str| -> BTreeSet<Vertex> {
            let names = of.split_whitespace().skip(1);
            names.map(|name| Vertex::from_gtp(name, board.size()).expect("a vertex")).collect()
        };
        let stones = |status: usize| -> BTreeSet<Vertex> {
            board.vertices().filter(|&v| !board.is_empty(v) && wanted(v) == status).collect()
        };
        if (0..3).any(|status| told(answers[status]) != stones(status)) {
            wrong.push((finished.name.clone(), answers[..2].join("\n")));
        }
    }
    wrong
}

#[test]
fn gtp_answers_what_is_proved() {
    let boards = scenes();
    let wrong: Vec<String> =
        wrong_over_gtp(&boards).into_iter().map(|(name, answers)| format!("{name}\n{answers}")).collect();
    assert!(wrong.is_empty(), "{} of {} boards:\n{}", wrong.len(), boards.len(), wrong.join("\n"));
}

#[test]
fn known_failures_still_fail() {
    let boards = known_failures();
    let wrong = wrong_over_gtp(&boards);
    for Finished { name, .. } in &boards {
        assert!(wrong.iter().any(|(n, _)| n == name), "{name} is right now: move it to scenes/go/finished");
    }
}
