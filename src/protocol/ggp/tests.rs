//! Tests of the GGP player: requests, messages, deadlines, and whole matches.

use super::http::{HttpError, Request, read_request};
use super::message::{Message, MessageError, parse};
use super::server::Server;
use super::session::Deadline;
use super::*;
use crate::client::spelling::Spelling;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::Ordering;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

fn time() -> Time {
    Time::new(soon(), Arc::default())
}

#[test]
fn the_requests_of_a_game_manager_are_read() {
    let post = "POST / HTTP/1.0\r\nSender: GAMESERVER\r\ncontent-LENGTH: 8\r\n\r\n( INFO )rest";
    let cases = [
        (post, Request::Message("( INFO )".into())),
        ("POST / HTTP/1.0\r\n\r\n( INFO )", Request::Message("( INFO )".into())),
        ("POST / HTTP/1.0\n\n( INFO )", Request::Message("( INFO )".into())),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\n( \r\n6\r\nINFO )\r\n0\r\nA: b\r\n\r\n",
            Request::Message("( INFO )".into()),
        ),
        ("GET /%28%20INFO+%29 HTTP/1.1\r\n\r\n", Request::Message("( INFO )".into())),
        ("OPTIONS / HTTP/1.1\r\n\r\n", Request::Options),
        ("DELETE / HTTP/1.1\r\n\r\n", Request::Other),
    ];
    for (text, wanted) in cases {
        let got = read_request(&mut text.as_bytes(), 100, soon());
        assert!(matches!(&got, Ok(r) if r.request == wanted), "{text:?}: {got:?}");
    }
}

#[test]
fn bad_requests_are_typed_errors() {
    let large = format!("POST / HTTP/1.0\r\nX: {}\r\n\r\n", "x".repeat(http::MAX_HEAD + 1));
    type Case<'a> = (&'a str, fn(&HttpError) -> bool);
    let chunked = |body: &str| format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
    let (size, long, cut, ends) =
        (chunked("x\r\n"), chunked("FFFFFFFFFFFFFFFFFF\r\n"), chunked("5\r\n( I"), chunked("2\r\n( I\r\n"));
    let endless = chunked(&"1".repeat(9000));
    let cases: [Case<'_>; 14] = [
        (&size, |e| matches!(e, HttpError::Malformed(_))),
        (&long, |e| matches!(e, HttpError::LargeBody(100))),
        (&cut, |e| matches!(e, HttpError::Truncated)),
        (&ends, |e| matches!(e, HttpError::Malformed(_))),
        (&endless, |e| matches!(e, HttpError::LargeHead)),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", |e| matches!(e, HttpError::Malformed(_))),
        ("POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", |e| matches!(e, HttpError::Malformed(_))),
        ("", |e| matches!(e, HttpError::Truncated)),
        ("POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n( INFO", |e| matches!(e, HttpError::Truncated)),
        ("POST / HTTP/1.0\r\nContent-Length: 101\r\n\r\n", |e| matches!(e, HttpError::LargeBody(100))),
        ("POST / HTTP/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n", |e| {
            matches!(e, HttpError::LargeBody(100))
        }),
        ("POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n", |e| matches!(e, HttpError::Malformed(_))),
        ("\u{1}\u{2} x\r\n\r\n", |e| matches!(e, HttpError::Malformed(_))),
        (&large, |e| matches!(e, HttpError::LargeHead)),
    ];
    for (text, is_it) in cases {
        let got = read_request(&mut text.as_bytes(), 100, soon());
        assert!(matches!(&got, Err(e) if is_it(e)), "{:?}: {got:?}", &text[..text.len().min(60)]);
    }
}

#[test]
fn the_recorded_messages_are_understood() {
    let rules = "( START tengen.demo.1 xplayer (( role xplayer ) ( <= terminal ( true ( a b ) ) ) ) 3 4)";
    let seconds = Duration::from_secs;
    assert_eq!(
        parse(rules),
        Ok(Message::Start {
            id: "tengen.demo.1".into(),
            role: "xplayer".into(),
            rules: "( role xplayer ) ( <= terminal ( true ( a b ) ) ) ".into(),
            start_clock: seconds(3),
            play_clock: seconds(4),
        })
    );
    assert_eq!(parse("( PLAY m NIL )"), Ok(Message::Play { id: "m".into(), made: Made::Begin }));
    let moves = Made::Joint(vec!["( mark 2 1 )".to_owned(), "noop".to_owned()]);
    assert_eq!(parse("( stop m (( mark 2 1 )noop ) )"), Ok(Message::Stop { id: "m".into(), made: moves }));
    let own = |turn, own: Option<&str>, seen: &[&str]| Made::Own {
        turn,
        own: own.map(str::to_owned),
        percepts: seen.iter().map(|&p| p.to_owned()).collect(),
    };
    for (text, made) in [
        ("( PLAY m 0 NIL NIL )", own(0, None, &[])),
        ("( PLAY m 1 ( Choose 1 ) NIL )", own(1, Some("( Choose 1 )"), &[])),
        ("( play m 2 wait (( opened 2 ) bell ) )", own(2, Some("wait"), &["( opened 2 )", "bell"])),
    ] {
        assert_eq!(parse(text), Ok(Message::Play { id: "m".into(), made }), "{text}");
    }
    let made = own(3, Some("switch"), &[]);
    assert_eq!(parse("(STOP m 3 switch ())"), Ok(Message::Stop { id: "m".into(), made }));
    assert_eq!(parse("(ABORT m)"), Ok(Message::Abort { id: "m".into() }));
    assert_eq!(parse(" ( INFO )\n"), Ok(Message::Info));
    assert_eq!(parse("( PREVIEW (( role a )) 5 )"), Ok(Message::Preview));
}

#[test]
fn what_is_no_message_is_refused_with_a_reason() {
    let deep = format!("(PLAY m {}{})", "(".repeat(300), ")".repeat(300));
    for (text, wanted) in [
        ("", MessageError::NotAList),
        ("INFO", MessageError::NotAList),
        ("( INFO ) x", MessageError::NotAList),
        ("()", MessageError::NotAList),
        ("( INFO", MessageError::Unbalanced),
        ("INFO )", MessageError::Unbalanced),
        ("( DANCE m )", MessageError::Unknown("DANCE".into())),
        (&deep, MessageError::TooDeep),
    ] {
        assert_eq!(parse(text), Err(wanted), "{:?}", &text[..text.len().min(40)]);
    }
    for text in [
        "( START m r (x) 3 )",
        "( START m r x 3 3 )",
        "( START m r (x) 3 -1 )",
        "( PLAY m )",
        "( PLAY m x )",
        "( PLAY m -1 NIL NIL )",
        "( PLAY m x NIL NIL )",
        "( PLAY m 1 a b )",
        "( PLAY m 99999999999999999999 a () )",
        "( PLAY (m) 1 a () )",
        "( STOP m 1 a )",
        "( STOP m 1 a () () )",
    ] {
        assert!(matches!(parse(text), Err(MessageError::Arguments(_))), "{text}");
    }
}

#[test]
fn moves_come_back_in_the_managers_spelling() {
    let spelling = Spelling::of("( role White ) ( legal White ( Mark 1 b ) ) ( foo B )");
    assert_eq!(spelling.restore("(mark 1 b)"), "(Mark 1 b)");
    assert_eq!(spelling.restore("( white noop )"), "( White noop )");
}

#[test]
fn every_deadline_lies_before_its_clock_and_the_players_before_the_reply() {
    let now = Instant::now();
    for millis in [0, 100, 1000, 5000, 30_000, 120_000] {
        let clock = Duration::from_millis(millis);
        let d = Deadline::of(clock, now);
        assert!(d.player <= d.reply && d.reply <= now + clock && d.player >= now, "{millis}");
    }
    let long = Deadline::of(Duration::from_secs(30), now);
    assert_eq!(now + Duration::from_secs(30) - long.player, session::MAX_MARGIN);
}

/// Plays `(mark N)` with the number of moves seen; `thinks` is how long it takes for it; knows its fallback at once.
struct Fake {
    turn: usize,
    thinks: Duration,
}

impl Player for Fake {
    fn prepare(&mut self, _: &Time, _: &Fallback) -> anyhow::Result<()> {
        Ok(())
    }

    fn play(&mut self, made: &Made, _: &Time, fallback: &Fallback) -> anyhow::Result<String> {
        self.turn += usize::from(!made.is_first());
        fallback.set(Some("(mark fallback)".into()));
        std::thread::sleep(self.thinks);
        Ok(format!("(mark {})", self.turn))
    }

    fn finish(&mut self, _: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        Ok(vec![Some(100), None])
    }
}

struct Fakes(Duration);

impl PlayerFactory for Fakes {
    fn create(&self, start: &MatchStart, _: &Time) -> anyhow::Result<Box<dyn Player>> {
        anyhow::ensure!(start.role == "xplayer", "`{}` is not a role", start.role);
        Ok(Box::new(Fake { turn: 0, thinks: self.0 }))
    }
}

fn server(thinks: Duration) -> Arc<Server> {
    Server::new(Settings::default(), Arc::new(Fakes(thinks)), Arc::new(|_| {}))
}

fn said(server: &Server, text: &str) -> String {
    server.reply(text, Instant::now(), &mut || false).1
}

const START: &str = "( START m1 XPLAYER (( role XPLAYER ) ( Mark 1 )) 1 1 )";

#[test]
fn a_match_is_played_one_at_a_time_and_the_rest_are_told_busy() {
    let s = server(Duration::ZERO);
    let script = [
        ("( PLAY m1 NIL )", "busy"),
        ("( INFO )", "( ( name Tengen ) ( status available ) )"),
        (START, "ready"),
        ("( INFO )", "( ( name Tengen ) ( status busy ) )"),
        ("( START m2 xplayer (( role xplayer )) 1 1 )", "busy"),
        ("( PREVIEW (( role xplayer )) 1 )", "busy"),
        ("( PLAY other NIL )", "busy"),
        ("( PLAY m1 NIL )", "(Mark 0)"),
        ("( PLAY m1 (( mark 0 ) noop) )", "(Mark 1)"),
        ("( ABORT other )", "busy"),
        ("( STOP m1 (( mark 1 ) noop) )", "done"),
        ("( INFO )", "( ( name Tengen ) ( status available ) )"),
        (START, "ready"),
        ("( ABORT m1 )", "aborted"),
        ("( PLAY m1 NIL )", "busy"),
    ];
    for (message, wanted) in script {
        assert_eq!(said(&s, message), wanted, "{message}");
    }
}

#[test]
fn a_player_that_thinks_too_long_is_answered_for_by_its_fallback() {
    let s = server(Duration::from_secs(4));
    assert_eq!(said(&s, START), "ready");
    assert_eq!(said(&s, "( PLAY m1 NIL )"), "(Mark fallback)");
}

/// Knows a legal move at once, and is still preparing long after the start clock.
struct Slow;

impl Player for Slow {
    fn prepare(&mut self, _: &Time, fallback: &Fallback) -> anyhow::Result<()> {
        fallback.set(Some("(mark first)".into()));
        std::thread::sleep(Duration::from_secs(6));
        Ok(())
    }

    fn play(&mut self, _: &Made, _: &Time, _: &Fallback) -> anyhow::Result<String> {
        anyhow::bail!("too late")
    }

    fn finish(&mut self, _: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        Ok(Vec::new())
    }
}

impl PlayerFactory for Slow {
    fn create(&self, _: &MatchStart, _: &Time) -> anyhow::Result<Box<dyn Player>> {
        Ok(Box::new(Slow))
    }
}

#[test]
fn a_player_still_preparing_is_answered_for_by_the_move_it_knew_first() {
    let s = Server::new(Settings::default(), Arc::new(Slow), Arc::new(|_| {}));
    assert_eq!(said(&s, START), "ready");
    assert_eq!(said(&s, "( PLAY m1 NIL )"), "(Mark first)");
}

#[test]
fn a_match_that_cannot_be_played_still_gets_replies() {
    let s = server(Duration::ZERO);
    assert_eq!(said(&s, "( START m1 nobody (( role xplayer )) 1 1 )"), "ready");
    assert_eq!(said(&s, "( PLAY m1 NIL )"), "nil");
    assert_eq!(said(&s, "( STOP m1 NIL )"), "done");
}

#[test]
fn over_a_socket_a_bad_request_gets_its_reply_and_the_server_goes_on() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let settings = Settings { matches: 1, read_timeout: Duration::from_millis(300), ..Settings::default() };
    let server = Server::new(settings, Arc::new(Fakes(Duration::ZERO)), Arc::new(|_| {}));
    let serving = std::thread::spawn(move || server.serve(&listener));
    let ask = |bytes: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    };
    let post = |body: &str| ask(&format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.len()));
    assert!(
        ask("POST / HTTP/1.0\r\nContent-Length: 10\r\n\r\n( IN").starts_with("HTTP/1.0 408"),
        "a slow body"
    );
    assert!(ask("POST / HTTP/1.0\r\nContent-Length: 999999999\r\n\r\n").starts_with("HTTP/1.0 413"));
    assert!(post("(((").starts_with("HTTP/1.0 400"));
    assert!(post(START).ends_with("ready"));
    assert!(post("( PLAY m1 NIL )").ends_with("\r\n\r\n(Mark 0)"));
    assert!(post("( STOP m1 (( mark 0 )) )").ends_with("done"));
    serving.join().unwrap().unwrap();
}

/// One player takes one or two from a heap of three; who takes the last wins.
const HEAP: &str = "( role Taker ) ( role Other ) ( init ( heap 3 ) ) ( init ( control Taker ) )
    ( minus 3 1 2 ) ( minus 3 2 1 ) ( minus 2 1 1 ) ( minus 2 2 0 ) ( minus 1 1 0 )
    ( <= ( legal ?p ( take ?n ) ) ( true ( control ?p ) ) ( true ( heap ?h ) ) ( minus ?h ?n ?r ) )
    ( <= ( legal Taker noop ) ( true ( control Other ) ) ) ( <= ( legal Other noop ) ( true ( control Taker ) ) )
    ( <= ( next ( heap ?r ) ) ( does ?p ( take ?n ) ) ( true ( heap ?h ) ) ( minus ?h ?n ?r ) )
    ( <= ( next ( control Other ) ) ( true ( control Taker ) ) )
    ( <= ( next ( control Taker ) ) ( true ( control Other ) ) )
    ( <= terminal ( true ( heap 0 ) ) )
    ( <= ( goal Taker 100 ) ( true ( control Other ) ) ) ( <= ( goal Taker 0 ) ( true ( control Taker ) ) )
    ( <= ( goal Other 100 ) ( true ( control Taker ) ) ) ( <= ( goal Other 0 ) ( true ( control Other ) ) )";

#[test]
fn a_real_game_is_followed_and_every_answer_is_legal() {
    let s = Server::new(Settings::default(), Arc::new(players::Simple { seed: None }), Arc::new(|_| {}));
    assert_eq!(said(&s, &format!("( START g TAKER ( {HEAP} ) 5 5 )")), "ready");
    let first = said(&s, "( PLAY g NIL )");
    assert!(["(take 1)", "(take 2)"].contains(&first.as_str()), "{first}");
    assert_eq!(said(&s, "( PLAY g (( take 2 ) noop ) )"), "noop");
    assert_eq!(said(&s, "( STOP g (noop ( take 1 ) ) )"), "done");
}

#[test]
fn the_first_legal_move_is_known_before_the_player_has_chosen() {
    let start = MatchStart {
        role: "other".into(),
        rules: HEAP.to_ascii_lowercase(),
        play_clock: Duration::from_secs(1),
    };
    let mut player = players::Simple { seed: Some(7) }.create(&start, &time()).unwrap();
    let fallback = Fallback::default();
    player.prepare(&time(), &fallback).unwrap();
    assert_eq!(fallback.get().as_deref(), Some("noop"));
    let made = Made::Joint(vec!["(take 1)".to_owned(), "noop".to_owned()]);
    player.play(&made, &time(), &fallback).unwrap();
    assert!(fallback.get().unwrap().starts_with("(take"));
    assert_eq!(
        player.finish(&Made::Joint(vec!["noop".into(), "(take 2)".into()])).unwrap(),
        [Some(0), Some(100)]
    );
}

const MONTY_HALL: &str = include_str!("../../../scenes/gdl2/montyHall.kif");

/// `START` of Monty Hall for the candidate, without the comments.
fn monty_hall() -> String {
    let rules: Vec<&str> = MONTY_HALL.lines().filter(|line| !line.starts_with(';')).collect();
    format!("( START g Candidate ( {} ) 5 5 )", rules.join(" ").replace("candidate", "Candidate"))
}

#[test]
fn a_player_of_gdl_ii_knows_its_moves_and_percepts_alone() {
    let thinking = thinking::Thinking {
        kind: tengen_propnet::players::Kind::Uct,
        seed: 1,
        limits: tengen_propnet::game::LoadLimits::default(),
    };
    let s = Server::new(Settings::default(), Arc::new(thinking), Arc::new(|_| {}));
    assert_eq!(said(&s, &monty_hall()), "ready");
    assert!(said(&s, "( PLAY g 0 NIL NIL )").starts_with("(choose "));
    // The manager chose another move for it.
    assert_eq!(said(&s, "( PLAY g 1 (choose 1) NIL )"), "wait");
    assert_eq!(said(&s, "( PLAY g 1 (choose 1) NIL )"), "wait", "sent again");
    assert_eq!(said(&s, "( PLAY g 2 wait (( opened 3 )) )"), "switch");
    assert_eq!(said(&s, "( STOP g 3 switch (( car 2 )) )"), "done");
}

#[test]
fn percepts_that_cannot_be_and_turns_that_are_missing_get_a_reply() {
    for messages in [
        &[("( PLAY g 0 NIL NIL )", ""), ("( PLAY g 1 (choose 1) (( opened 1 )) )", "nil")][..],
        &[("( PLAY g 0 NIL NIL )", ""), ("( PLAY g 9 (choose 1) NIL )", "nil")],
        &[
            ("( PLAY g 0 NIL NIL )", ""),
            ("( PLAY g 1 (choose 9) NIL )", "nil"),
            ("( PLAY g 2 wait NIL )", "nil"),
        ],
        &[("( PLAY g 18446744073709551615 NIL NIL )", ""), ("( PLAY g 0 (choose 1) NIL )", "nil")],
        &[("( PLAY g NIL )", ""), ("( PLAY g ((choose 1) (hide 2)) )", "wait"), ("( PLAY g (wait) )", "nil")],
    ] {
        let s = Server::new(Settings::default(), Arc::new(players::Simple { seed: None }), Arc::new(|_| {}));
        assert_eq!(said(&s, &monty_hall()), "ready");
        for (message, wanted) in messages {
            let found = said(&s, message);
            assert!(found == *wanted || wanted.is_empty() && found == "(choose 1)", "{message}: {found}");
        }
        assert_eq!(said(&s, "( STOP g 3 switch (( car 2 )) )"), "done");
    }
    // A game of whose moves all are told.
    let s = Server::new(Settings::default(), Arc::new(players::Simple { seed: None }), Arc::new(|_| {}));
    assert_eq!(said(&s, &format!("( START g TAKER ( {HEAP} ) 5 5 )")), "ready");
    assert!(said(&s, "( PLAY g 0 NIL NIL )").starts_with("(take"));
    assert_eq!(said(&s, "( PLAY g 1 (take 1) NIL )"), "nil");
}

/// Thinks until it must stop; counts when it begins and when it ends.
struct Thinker(Arc<std::sync::atomic::AtomicUsize>);

impl Player for Thinker {
    fn prepare(&mut self, _: &Time, _: &Fallback) -> anyhow::Result<()> {
        Ok(())
    }

    fn play(&mut self, _: &Made, time: &Time, fallback: &Fallback) -> anyhow::Result<String> {
        fallback.set(Some("(mark fallback)".into()));
        self.0.fetch_add(1, Ordering::SeqCst);
        while !time.is_up() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok("late".into())
    }

    fn finish(&mut self, _: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        Ok(Vec::new())
    }
}

struct Thinkers(Arc<std::sync::atomic::AtomicUsize>);

impl PlayerFactory for Thinkers {
    fn create(&self, _: &MatchStart, _: &Time) -> anyhow::Result<Box<dyn Player>> {
        Ok(Box::new(Thinker(Arc::clone(&self.0))))
    }
}

#[test]
fn stop_and_abort_free_a_thinking_player_at_once() {
    for farewell in ["( ABORT m1 )", "( STOP m1 (noop) )"] {
        let stopped = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let s = Server::new(Settings::default(), Arc::new(Thinkers(Arc::clone(&stopped))), Arc::new(|_| {}));
        // A clock of a day: nothing here may wait for it.
        assert_eq!(said(&s, "( START m1 xplayer (( role xplayer )) 86400 86400 )"), "ready");
        let playing = {
            let s = Arc::clone(&s);
            std::thread::spawn(move || said(&s, "( PLAY m1 NIL )"))
        };
        // Whoever thinks keeps others out, until the match is over.
        let wait_for = |count| {
            while stopped.load(Ordering::SeqCst) < count {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        wait_for(1);
        assert_eq!(said(&s, "( PLAY m1 NIL )"), "busy");
        assert_eq!(said(&s, "( START m2 xplayer (( role xplayer )) 1 1 )"), "busy");
        assert!(["aborted", "done"].contains(&said(&s, farewell).as_str()));
        assert_eq!(playing.join().unwrap(), "busy");
        assert_eq!(said(&s, "( START m2 xplayer (( role xplayer )) 1 1 )"), "ready");
        wait_for(2);
    }
}

#[test]
fn a_match_whose_manager_hung_up_gives_way_to_another_and_no_other_does() {
    let s = Server::new(Settings::default(), Arc::new(Thinkers(Arc::default())), Arc::new(|_| {}));
    assert_eq!(said(&s, START), "ready");
    assert_eq!(said(&s, "( PLAY m1 NIL )"), "late");
    let other = "( START m2 xplayer (( role xplayer )) 1 1 )";
    assert_eq!(said(&s, other), "busy");
    // Silent for longer than its clocks allow: to the server, another START is later than it is.
    let later = Instant::now() + Duration::from_secs(1) + session::PATIENCE * 2;
    assert_eq!(s.reply(other, later, &mut || false).1, "ready");
    assert_eq!(said(&s, "( PLAY m1 (noop) )"), "busy");
    assert_eq!(s.reply("( PLAY m2 NIL )", Instant::now(), &mut || true).1, "late");
    assert_eq!(said(&s, START), "ready");
}

/// Panics at its first move.
struct Clumsy;

impl Player for Clumsy {
    fn prepare(&mut self, _: &Time, _: &Fallback) -> anyhow::Result<()> {
        Ok(())
    }

    fn play(&mut self, made: &Made, _: &Time, _: &Fallback) -> anyhow::Result<String> {
        panic!("at {made:?}");
    }

    fn finish(&mut self, _: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        Ok(Vec::new())
    }
}

impl PlayerFactory for Clumsy {
    fn create(&self, _: &MatchStart, _: &Time) -> anyhow::Result<Box<dyn Player>> {
        Ok(Box::new(Clumsy))
    }
}

#[test]
fn a_player_that_panics_is_replaced_by_one_that_plays_legal_moves() {
    let s = Server::new(Settings::default(), Arc::new(Clumsy), Arc::new(|_| {}));
    assert_eq!(said(&s, &format!("( START g TAKER ( {HEAP} ) 5 5 )")), "ready");
    assert!(said(&s, "( PLAY g NIL )").starts_with("(take"));
    assert_eq!(said(&s, "( PLAY g (( take 1 ) noop ) )"), "noop");
    assert!(said(&s, "( PLAY g (noop ( take 1 ) ) )").starts_with("(take 1"));
    assert_eq!(said(&s, "( STOP g (( take 1 ) noop ) )"), "done");
}

#[test]
fn connections_that_say_nothing_give_way_to_those_that_do() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let settings = Settings { matches: 1, max_connections: 4, ..Settings::default() };
    let server = Server::new(settings, Arc::new(Fakes(Duration::ZERO)), Arc::new(|_| {}));
    let serving = std::thread::spawn(move || server.serve(&listener));
    let mut silent: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(address).unwrap()).collect();
    for stream in &mut silent {
        // Those closed already may refuse it.
        let _ = stream.write_all(b"POST / HTTP/1.0\r\n");
    }
    let ask = |head: &str, body: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "POST / HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    };
    assert!(ask("Host: localhost\r\n", START).ends_with("ready"));
    let page = ask("Host: localhost\r\nOrigin: http://evil.example\r\n", "( ABORT m1 )");
    assert!(page.starts_with("HTTP/1.0 403") && !page.contains("Access-Control"), "{page}");
    assert!(ask("Host: evil.example\r\n", "( ABORT m1 )").starts_with("HTTP/1.0 403"));
    assert!(ask("", "( PLAY m1 NIL )").ends_with("(Mark 0)"));
    assert!(ask("", "( STOP m1 NIL )").ends_with("done"));
    drop(silent);
    serving.join().unwrap().unwrap();
}

/// Answers at once, and ponders until it must stop; keeps an account.
struct Ponderer(Arc<std::sync::Mutex<Vec<&'static str>>>);

impl Player for Ponderer {
    fn prepare(&mut self, _: &Time, _: &Fallback) -> anyhow::Result<()> {
        Ok(())
    }

    fn play(&mut self, _: &Made, _: &Time, _: &Fallback) -> anyhow::Result<String> {
        self.0.lock().unwrap().push("play");
        Ok("noop".into())
    }

    fn ponder(&mut self, stop: &Stop) -> anyhow::Result<()> {
        self.0.lock().unwrap().push("ponder");
        while !stop.now() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.0.lock().unwrap().push("end");
        Ok(())
    }

    fn finish(&mut self, _: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        self.0.lock().unwrap().push("finish");
        Ok(Vec::new())
    }
}

impl PlayerFactory for Ponderer {
    fn create(&self, _: &MatchStart, _: &Time) -> anyhow::Result<Box<dyn Player>> {
        Ok(Box::new(Self(Arc::clone(&self.0))))
    }
}

#[test]
fn a_player_ponders_after_its_answer_until_the_next_message() {
    let account = Arc::new(std::sync::Mutex::new(Vec::new()));
    let s = Server::new(Settings::default(), Arc::new(Ponderer(Arc::clone(&account))), Arc::new(|_| {}));
    let wait_for = |count: usize| {
        while account.lock().unwrap().len() < count {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    // A clock of a day: only a message ends the pondering.
    assert_eq!(said(&s, "( START m1 xplayer (( role xplayer )) 86400 86400 )"), "ready");
    assert_eq!(said(&s, "( PLAY m1 NIL )"), "noop");
    wait_for(2);
    assert_eq!(said(&s, "( PLAY m1 (noop) )"), "noop");
    wait_for(5);
    assert_eq!(said(&s, "( STOP m1 (noop) )"), "done");
    wait_for(7);
    let account = account.lock().unwrap().clone();
    assert_eq!(account, ["play", "ponder", "end", "play", "ponder", "end", "finish"]);
}

/// Takes two seconds for the second turn, and no time for others; its fallback is the number of the turn.
struct Laggard(u64);

impl Player for Laggard {
    fn prepare(&mut self, _: &Time, _: &Fallback) -> anyhow::Result<()> {
        Ok(())
    }

    fn play(&mut self, _: &Made, _: &Time, fallback: &Fallback) -> anyhow::Result<String> {
        self.0 += 1;
        if self.0 == 2 {
            std::thread::sleep(Duration::from_secs(2));
        }
        fallback.set(Some(format!("(turn {})", self.0)));
        Ok(format!("(turn {})", self.0))
    }

    fn ponder(&mut self, stop: &Stop) -> anyhow::Result<()> {
        while !stop.now() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    fn finish(&mut self, _: &Made) -> anyhow::Result<Vec<Option<i64>>> {
        Ok(Vec::new())
    }
}

struct Laggards;

impl PlayerFactory for Laggards {
    fn create(&self, _: &MatchStart, _: &Time) -> anyhow::Result<Box<dyn Player>> {
        Ok(Box::new(Laggard(0)))
    }
}

#[test]
fn a_player_that_was_late_once_sends_no_move_of_an_earlier_turn_and_catches_up() {
    let s = Server::new(Settings::default(), Arc::new(Laggards), Arc::new(|_| {}));
    assert_eq!(said(&s, "( START m1 xplayer (( role xplayer )) 1 1 )"), "ready");
    assert_eq!(said(&s, "( PLAY m1 NIL )"), "(turn 1)");
    // The second turn is late. Until the player is back, the others have no move, or their own.
    assert_eq!(said(&s, "( PLAY m1 (noop) )"), "nil");
    let mut answers = (3..).map(|turn| (turn, said(&s, "( PLAY m1 (noop) )")));
    let (turn, answer) = answers.find(|(_, answer)| answer != "nil").expect("it catches up");
    assert_eq!(answer, format!("(turn {turn})"));
}
