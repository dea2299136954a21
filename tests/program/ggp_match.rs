//! Plays a match between two `tengen ggp` players under a small game manager over HTTP, by the protocol of
//! `docs/ggp.md`. All answers from `START` to `STOP` must be in time and legal.

use crate::common::{Listener, repository};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::machine::canonical;

const START_CLOCK: u64 = 2;
const PLAY_CLOCK: u64 = 1;

/// A player's process.
struct Player(Listener);

impl Player {
    /// The body of the reply, which must come within this many seconds.
    fn ask(&self, message: &str, seconds: u64) -> String {
        let mut stream = TcpStream::connect(&self.0.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(seconds))).expect("not zero");
        write!(
            stream,
            "POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
            message.len()
        )
        .expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap_or_else(|e| panic!("late for `{message:.60}`: {e}"));
        reply.split_once("\r\n\r\n").expect("a head and a body").1.trim().to_owned()
    }
}

/// One match; the goals of the roles. Every step is sent to both players at once.
fn play(id: &str, rules: &str, players: [&Player; 2]) -> Vec<Vec<String>> {
    let game = Game::load(rules, LoadLimits::default(), &mut || false).expect("a good rulesheet");
    let mut machine = game.machine("auto").expect("it has a net");
    let roles = machine.roles().to_vec();
    let both = |message: &(dyn Fn(usize) -> String + Sync), seconds: u64| -> Vec<String> {
        thread::scope(|scope| {
            let asked = [0, 1].map(|n| scope.spawn(move || players[n].ask(&message(n), seconds)));
            asked.into_iter().map(|t| t.join().expect("an answer in time")).collect()
        })
    };
    let flat: Vec<&str> = rules.lines().map(|l| l.split(';').next().unwrap_or("")).collect();
    let flat = flat.join(" ");
    let started = both(
        &|n| format!("( START {id} {} ({flat}) {START_CLOCK} {PLAY_CLOCK} )", roles[n]),
        START_CLOCK + 1,
    );
    assert_eq!(started, ["ready", "ready"]);
    let mut state = machine.initial();
    let mut made = "NIL".to_owned();
    loop {
        machine.enter(&state).unwrap();
        let now = machine.describe(&state).unwrap();
        if now.terminal {
            assert_eq!(both(&|_| format!("( STOP {id} {made} )"), PLAY_CLOCK + 1), ["done", "done"]);
            return now.goals;
        }
        let moves = both(&|_| format!("( PLAY {id} {made} )"), PLAY_CLOCK + 1);
        for (legal, answer) in now.legal.iter().zip(&moves) {
            assert!(legal.contains(&canonical(answer)), "`{answer}` is not among {legal:?}");
        }
        let joint = machine.joint_move(&moves).unwrap();
        state = machine.successor(&joint).unwrap();
        made = format!("( {} )", moves.join(" "));
    }
}

#[test]
fn two_players_play_whole_matches_in_time_and_legally() {
    let players = [Player(Listener::new()), Player(Listener::new())];
    let sheet = |name: &str| {
        std::fs::read_to_string(repository().join(format!("resources/gdl/{name}.kif"))).expect("it is ours")
    };
    // Both can solve noughts and crosses within the clock, and whoever moves second in heaps.
    let draw = play("noughts.1", &sheet("noughts"), [&players[0], &players[1]]);
    assert_eq!(draw, [["50"], ["50"]]);
    let first = play("heaps.1", &sheet("heaps"), [&players[0], &players[1]]);
    let second = play("heaps.2", &sheet("heaps"), [&players[1], &players[0]]);
    assert_eq!(first, [["0"], ["100"]]);
    assert_eq!(second, first);
    for player in &players {
        assert!(player.ask("( INFO )", 5).contains("available"));
    }
}
