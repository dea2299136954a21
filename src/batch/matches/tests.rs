//! Tests of matches with players that misbehave. Every match is played to its end, and the record names the faults.

use super::*;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;
use tengen_propnet::game::LoadLimits;
use tengen_propnet::information;

/// Two roles take 1 or 2 at once, three times.
const RULES: &str = "(role Left) (role right) (init (step 3)) (succ 0 1) (succ 1 2) (succ 2 3) ; a comment (
    (<= (legal ?r (Take 1)) (role ?r)) (<= (legal ?r (Take 2)) (role ?r))
    (<= (next (step ?m)) (true (step ?n)) (succ ?m ?n))
    (<= terminal (true (step 0))) (<= (goal ?r 50) (role ?r))";

/// Time that is enough on any machine.
const LONG: Duration = Duration::from_secs(60);
/// Time that a silent player lets pass.
const SHORT: Duration = Duration::from_millis(100);

/// What a player does with a request.
enum Deed {
    /// Sends these bytes, and closes.
    Bytes(String),
    /// Sends these bytes, and closes when the other side does.
    AndWaits(String),
    /// A letter every few milliseconds, without end.
    Trickle,
    /// A megabyte and more.
    Endless,
}

/// A good reply with this body.
fn reply(body: &str) -> Deed {
    Deed::Bytes(format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()))
}

/// A player that does this at every message. Its address.
fn listening(act: fn(&str) -> Deed) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address").to_string();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream, act));
        }
    });
    address
}

fn serve(mut stream: TcpStream, act: fn(&str) -> Deed) {
    let (mut request, mut part) = (String::new(), [0; 4096]);
    let whole = |text: &str| {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
        Some(body.to_owned()).filter(|body| Some(body.len()) == length.parse().ok())
    };
    let message = loop {
        match stream.read(&mut part) {
            Ok(n) if n > 0 => request += &String::from_utf8_lossy(&part[..n]),
            _ => return,
        }
        if let Some(body) = whole(&request) {
            break body;
        }
    };
    match act(&message) {
        Deed::Bytes(bytes) => drop(stream.write_all(bytes.as_bytes())),
        Deed::AndWaits(bytes) => {
            let _ = stream.write_all(bytes.as_bytes());
            while stream.read(&mut part).is_ok_and(|n| n > 0) {}
        }
        Deed::Trickle => {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n(");
            while stream.write_all(b" ").is_ok() {
                thread::sleep(Duration::from_millis(5));
            }
        }
        Deed::Endless => {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
            while stream.write_all(&[b'x'; 1 << 16]).is_ok() {}
        }
    }
}

fn sheet() -> Sheet {
    let program = information::read(RULES).expect("good rules");
    let game = Game::from_program(program, LoadLimits::default(), &mut || false);
    Sheet { name: "steps.kif".into(), text: RULES.into(), game: Arc::new(game) }
}

fn plan(ways: Vec<Way>, play: Duration) -> Plan {
    let named = |(n, way)| Player { name: format!("player {n}"), way };
    let clocks = Clocks { start: play, play, margin: Duration::ZERO };
    let players = ways.into_iter().enumerate().map(named).collect();
    Plan { players, clocks, seed: 1, swap: false, scramble: false, most_steps: 100 }
}

/// A match of a misdoer, as the role `left`, against random moves.
fn against(act: fn(&str) -> Deed, play: Duration) -> Record {
    let plan = plan(vec![Way::Address(listening(act)), Way::Random], play);
    super::play(&plan, &sheet(), 0, &Stop::NEVER).expect("it is played").expect("to its end")
}

/// `START` is answered well.
fn unless_start(message: &str, deed: Deed) -> Deed {
    if message.starts_with("( START") { reply("ready") } else { deed }
}

fn good(message: &str) -> Deed {
    unless_start(message, reply("( tAKE  2)"))
}

/// A misdeed: its name, the player, its clock, the fault of the start, and the fault of every move.
type Misdeed = (&'static str, fn(&str) -> Deed, Duration, Option<&'static str>, Option<&'static str>);

const MISDEEDS: [Misdeed; 20] = [
    ("a good player", good, LONG, None, None),
    ("another move", |m| unless_start(m, reply("(take 3)")), LONG, None, Some("illegal")),
    ("a move of another game", |m| unless_start(m, reply("(mark 1 1)")), LONG, None, Some("illegal")),
    ("two moves", |m| unless_start(m, reply("(take 1) (take 2)")), LONG, None, Some("illegal")),
    ("nothing", |m| unless_start(m, reply("")), LONG, None, Some("illegal")),
    ("nil", |m| unless_start(m, reply("nil")), LONG, None, Some("illegal")),
    ("parentheses", |m| unless_start(m, reply(&"(".repeat(100_000))), LONG, None, Some("illegal")),
    ("control letters", |m| unless_start(m, reply("\u{1b}[2J\0\u{202e}")), LONG, None, Some("illegal")),
    ("the message itself", |m| unless_start(m, reply(m)), LONG, None, Some("illegal")),
    ("busy", |_| reply("busy"), LONG, Some("not ready"), Some("illegal")),
    ("no HTTP", |_| Deed::Bytes("(take 1)".into()), LONG, Some("missing"), Some("missing")),
    (
        "an error of HTTP",
        |_| Deed::Bytes("HTTP/1.0 500 no\r\n\r\nready".into()),
        LONG,
        Some("missing"),
        Some("missing"),
    ),
    (
        "a reply cut off",
        |m| unless_start(m, Deed::Bytes("HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n(t".into())),
        LONG,
        None,
        Some("missing"),
    ),
    (
        "a length that lies",
        |m| {
            unless_start(
                m,
                Deed::Bytes("HTTP/1.0 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n(take 1)".into()),
            )
        },
        LONG,
        None,
        Some("missing"),
    ),
    ("an end at once", |_| Deed::Bytes(String::new()), LONG, Some("missing"), Some("missing")),
    ("a megabyte", |m| unless_start(m, Deed::Endless), LONG, None, Some("missing")),
    ("silence", |_| Deed::AndWaits(String::new()), SHORT, Some("late"), Some("late")),
    (
        "silence after the head",
        |_| Deed::AndWaits("HTTP/1.0 200 OK\r\n\r\n".into()),
        SHORT,
        Some("late"),
        Some("late"),
    ),
    (
        "half a move and silence",
        |_| Deed::AndWaits("HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\n(ta".into()),
        SHORT,
        Some("late"),
        Some("late"),
    ),
    ("a letter now and then", |_| Deed::Trickle, SHORT, Some("late"), Some("late")),
];

#[test]
fn whatever_a_player_does_the_match_goes_on_with_random_moves_and_the_record_says_so() {
    for (name, act, clock, start, fault) in MISDEEDS {
        let record = against(act, clock);
        assert_eq!((record.end.as_str(), record.moves.len()), ("terminal", 3), "{name}");
        assert_eq!(record.goals, [Some(50), Some(50)], "{name}");
        let noted = |step: usize| record.faults.iter().filter(move |noted| noted.step == step);
        let of_start: Vec<&str> = noted(0).map(|noted| noted.fault.as_str()).collect();
        assert_eq!(of_start, start.into_iter().collect::<Vec<_>>(), "{name}");
        for (step, moves) in (1..).zip(&record.moves) {
            let found: Vec<(&str, Option<&str>)> =
                noted(step).map(|noted| (noted.fault.as_str(), noted.made.as_deref())).collect();
            let wanted: Vec<_> = fault.into_iter().map(|fault| (fault, Some(moves[0].as_str()))).collect();
            assert_eq!(found, wanted, "{name}: step {step}");
            assert!(moves.iter().all(|made| ["(take 1)", "(take 2)"].contains(&made.as_str())), "{name}");
            if fault.is_none() {
                assert_eq!(moves[0], "(take 2)", "{name}");
            }
        }
        let line = serde_json::to_string(&record).expect("a line");
        assert!(!line.contains('\n') && line.len() < 5_000, "{name}: {}", line.len());
        assert!(
            record.faults.iter().all(|noted| !noted.answer.contains(['\u{1b}', '\0', '\u{202e}'])),
            "{name}"
        );
        assert_eq!(serde_json::from_str::<Record>(&line).expect("it is read back"), record, "{name}");
    }
}

#[test]
fn the_same_seed_makes_the_same_random_moves_whoever_fails_and_another_seed_others() {
    let moves = |seed: u64| {
        let mut plan = plan(vec![Way::Random, Way::Random], SHORT);
        plan.seed = seed;
        super::play(&plan, &sheet(), 0, &Stop::NEVER).expect("played").expect("to its end").moves
    };
    assert_eq!(moves(1), moves(1));
    assert!((2..20).any(|seed| moves(seed) != moves(1)));
}

#[test]
fn a_player_is_told_the_moves_that_were_made_and_in_scrambled_words() {
    // The player answers each message with the first move of the step before.
    fn parrot(message: &str) -> Deed {
        let moves = message.find("( (").map(|at| &message[at + 2..]);
        let first = moves.and_then(|moves| moves.find(')').map(|end| moves[..=end].to_owned()));
        unless_start(message, reply(&first.unwrap_or_default()))
    }
    for scramble in [false, true] {
        let mut plan = plan(vec![Way::Address(listening(parrot)), Way::Random], LONG);
        plan.scramble = scramble;
        let record = super::play(&plan, &sheet(), 0, &Stop::NEVER).expect("played").expect("to its end");
        // It had nothing to repeat at the first step alone.
        assert_eq!(record.faults.iter().map(|noted| noted.step).collect::<Vec<_>>(), [1], "{record:?}");
        assert_eq!((record.moves[1][0].as_str(), record.scrambled), (record.moves[0][0].as_str(), scramble));
    }
    // Words of the game that were not sent are no move.
    let mut plan = plan(vec![Way::Address(listening(good)), Way::Random], LONG);
    plan.scramble = true;
    let record = super::play(&plan, &sheet(), 0, &Stop::NEVER).expect("played").expect("to its end");
    assert_eq!(record.faults.len(), 3);
}

#[test]
fn a_match_that_is_stopped_has_no_record_and_its_players_are_told() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static ABORTED: AtomicBool = AtomicBool::new(false);
    static ASKED: AtomicBool = AtomicBool::new(false);
    fn slow(message: &str) -> Deed {
        ABORTED.fetch_or(message.starts_with("( ABORT"), Ordering::SeqCst);
        ASKED.fetch_or(message.starts_with("( PLAY"), Ordering::SeqCst);
        unless_start(message, Deed::AndWaits(String::new()))
    }
    let plan = plan(vec![Way::Address(listening(slow)), Way::Random], LONG);
    let stop = Stop::when(|| ASKED.load(Ordering::SeqCst));
    assert_eq!(super::play(&plan, &sheet(), 0, &stop).expect("no fault"), None);
    assert!(ABORTED.load(Ordering::SeqCst));
}

#[test]
fn names_of_players_are_split_at_commas_outside_of_quotes() {
    let table: [(&str, &[&str]); 4] = [
        ("auto,random", &["auto", "random"]),
        ("auto, ggp:127.0.0.1:9147", &["auto", "ggp:127.0.0.1:9147"]),
        ("'a b' --x 'p,q' {port},uct", &["'a b' --x 'p,q' {port}", "uct"]),
        ("", &[""]),
    ];
    for (list, wanted) in table {
        assert_eq!(Player::names(list), wanted, "{list}");
    }
}

#[test]
fn a_text_names_a_player_of_another_program_or_none_or_says_what_is_missing() {
    let way = |text: &str| Player::outside(text).map(|player| player.map(|player| player.way));
    assert_eq!(way("auto"), Ok(None));
    assert_eq!(way("ggp:host:9147"), Ok(Some(Way::Address("host:9147".into()))));
    assert_eq!(way("[::1]:9147"), Ok(Some(Way::Address("[::1]:9147".into()))));
    assert_eq!(way("x -p {port}"), Ok(Some(Way::Command("x -p {port}".into()))));
    assert!(matches!(way("x -p 9147"), Err(PlayerError::NoPort(_))));
    for text in ["ggp:host", "host:port", "ggp:", ":9147", "host:99999"] {
        assert!(matches!(way(text), Err(PlayerError::NoAddress(_))), "{text}");
    }
}
