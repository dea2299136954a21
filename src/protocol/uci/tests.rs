//! Tests of the UCI front end: options, searches, and reports.

use super::Session;
use super::clock::{Allowance, allowance};
use super::command::{Command, Go, parse};
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

/// Collects the output of a session.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The answers to a script.
fn dialogue(script: &str) -> String {
    let sink = Sink::default();
    Session::new(sink.clone()).run(Cursor::new(script.to_owned().into_bytes()));
    let bytes = sink.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn uci_is_answered_by_names_options_and_uciok() {
    let text = dialogue("uci\nisready\nquit\n");
    assert!(text.starts_with("id name Tengen"), "{text}");
    for option in [
        "Hash",
        "Threads",
        "MultiPV",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Contempt",
        "PerpetualCheck",
        "RepetitionScheme",
        "RepetitionPolicy",
        "Clear Hash",
    ] {
        assert!(text.contains(&format!("option name {option} type")), "{option}");
    }
    assert!(text.ends_with("uciok\nreadyok\n"), "{text}");
}

#[test]
fn every_go_has_exactly_one_bestmove() {
    let script = "go depth 3\nposition startpos moves e2e4\ngo nodes 500\ngo infinite\nstop\ngo ponder depth 2\nponderhit\n";
    let text = dialogue(script);
    assert_eq!(text.matches("bestmove ").count(), 4, "{text}");
}

#[test]
fn a_position_without_moves_has_no_best_move() {
    let mate = dialogue("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo depth 4\nquit\n");
    assert_eq!(mate, "info depth 0 score mate 0\nbestmove (none)\n");
    let stalemate = dialogue("position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1\ngo depth 4\nquit\n");
    assert_eq!(stalemate, "info depth 0 score cp 0\nbestmove (none)\n");
}

#[test]
fn bad_input_is_answered_and_the_engine_goes_on() {
    let cases = [
        ("xyzzy", "unknown command"),
        ("position fen 8/8/8/8 w", "fields"),
        ("position startpos moves e2e5", "no legal move"),
        ("setoption name Nonsense value 3", "no option"),
        ("setoption name Hash value lots", "needs a number"),
        ("setoption name Hash value 1048576", "no memory"),
        ("setoption name UCI_Elo value 9000", "takes"),
        ("setoption name BookFile value no/such/book.bin", "can't use the book"),
        ("setoption name Contempt value -101", "takes -100 to 100"),
        ("setoption name RepetitionScheme value magic", "no repetition scheme"),
        ("go searchmoves e2e5 depth 1", "no legal move"),
    ];
    for (line, wanted) in cases {
        if wanted == "no memory" && cfg!(not(target_pointer_width = "32")) {
            // The system may well promise a tebibyte; that it goes on is checked below all the same.
        }
        let text = dialogue(&format!("{line}\nisready\ngo depth 1\nquit\n"));
        assert!(wanted == "no memory" || text.contains("info string"), "{line}: {text}");
        assert!(wanted == "no memory" || text.contains(wanted), "{line}: {text}");
        assert!(text.contains("readyok"), "{line}: {text}");
        assert!(text.contains("bestmove "), "{line}: {text}");
    }
}

#[test]
fn castling_is_written_in_the_form_asked_for() {
    let go = "go depth 1 searchmoves e1g1 e1h1\nquit\n";
    let usual = dialogue(&format!("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n{go}"));
    assert!(usual.contains("bestmove e1g1"), "{usual}");
    let chess960 = dialogue(&format!(
        "setoption name UCI_Chess960 value true\nposition fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n{go}"
    ));
    assert!(chess960.contains("bestmove e1h1"), "{chess960}");
}

#[test]
fn multi_pv_reports_as_many_lines_as_there_are_moves() {
    let text = dialogue(
        "setoption name MultiPV value 5\nposition fen 7k/8/8/8/8/8/p7/K7 w - - 0 1\ngo depth 4\nquit\n",
    );
    assert!(text.contains("multipv 2"), "{text}");
    assert!(!text.contains("multipv 3"), "two legal moves: {text}");
}

#[test]
fn lines_become_commands() {
    assert_eq!(parse("  joho debug on"), Command::Ignored);
    assert_eq!(
        parse("setoption name Clear Hash"),
        Command::SetOption { name: "Clear Hash".into(), value: String::new() }
    );
    let Command::Go(go) = parse("go wtime 1000 btime x winc 5 searchmoves e2e4 d2d4 depth 7") else {
        panic!()
    };
    let wanted = Go {
        time: [Some(1000), None],
        increment: [5, 0],
        search_moves: vec!["e2e4".into(), "d2d4".into()],
        depth: Some(7),
        ..Go::default()
    };
    assert_eq!(go, wanted);
}

#[test]
fn the_clock_never_allows_more_than_is_left() {
    for time in [0, 1, 5, 50, 1_000, 600_000] {
        for moves_to_go in [None, Some(1), Some(2), Some(40)] {
            let go = Go { time: [Some(time), None], moves_to_go, increment: [100, 0], ..Go::default() };
            let Allowance { soft, hard, .. } = allowance(&go, 0, 10).unwrap();
            assert!(hard >= 1 && soft >= 1);
            assert!(
                hard <= u64::try_from(time).unwrap().max(1) && soft <= u64::try_from(time).unwrap().max(1),
                "{go:?}"
            );
        }
    }
    assert_eq!(allowance(&Go::default(), 0, 10), None);
}

/// Queens that all attack each other: the first iteration alone takes longer than anybody waits.
const QUEENS: &str = "fen q1Q1q1Q1/1Q1q1Q1q/q1Q1q1Q1/1Q1q1Q1q/q1Q1q1Q1/1Q1q1Q1q/q1Q1k1Q1/1Q1q1K1q w - - 0 1";

#[test]
fn nodes_time_and_stop_end_the_first_iteration_too() {
    for end in ["go nodes 5000", "go movetime 50", "go infinite\nstop"] {
        let text = dialogue(&format!("position {QUEENS}\n{end}\n"));
        assert_eq!(text.matches("bestmove ").count(), 1, "{end}: {text}");
        assert!(!text.contains("(none)"), "{end}: {text}");
    }
}

#[test]
fn perft_and_bench_can_be_stopped_and_perft_has_a_bound() {
    let text =
        dialogue("go perft 20\nisready\nstop\nbench 30\nisready\nstop\ngo perft 4294967295\ngo perft 3\n");
    assert!(text.contains("info string perft was stopped"), "{text}");
    assert!(text.contains(", stopped"), "{text}");
    assert!(text.contains("perft counts to depth 64 at most"), "{text}");
    assert!(text.ends_with("Nodes searched: 8902\n"), "{text}");
}

#[test]
fn a_game_of_any_length_is_followed() {
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(8192);
    let text = dialogue(&format!("position startpos moves {moves}\ngo depth 2\n"));
    assert_eq!(text.matches("bestmove ").count(), 1, "{}", &text[..text.len().min(300)]);
}

/// The answers to a script whose every `go` is waited for.
fn patient(script: &str) -> String {
    let sink = Sink::default();
    let said = || String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    let mut session = Session::new(sink.clone());
    let mut asked = 0;
    for line in script.lines() {
        session.obey(parse(line));
        asked += usize::from(line.starts_with("go"));
        while said().matches("bestmove ").count() < asked {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    said()
}

/// The words after a key of the `info` lines of a dialogue, first line first.
fn told<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let infos = text.lines().filter(|line| line.starts_with("info depth"));
    infos.filter_map(|line| line.split_once(&format!(" {key} ")).map(|(_, rest)| rest)).collect()
}

#[test]
fn the_last_line_told_begins_with_the_move_played_and_nodes_never_fall() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    for lines in [1, 3] {
        for nodes in (3_000..20_000).step_by(900) {
            let text = patient(&format!(
                "setoption name MultiPV value {lines}\nposition fen {fen}\ngo nodes {nodes}"
            ));
            let (_, best) = text.split_once("bestmove ").unwrap();
            let best = best.split_whitespace().next().unwrap();
            let firsts = told(&text, "multipv 1");
            let last = firsts.last().unwrap().split_once(" pv ").unwrap().1;
            assert_eq!(last.split_whitespace().next(), Some(best), "{nodes} nodes, {lines} lines: {text}");
            let counts = told(&text, "nodes").into_iter().map(|rest| rest.split(' ').next().unwrap());
            let counts: Vec<u64> = counts.map(|count| count.parse().unwrap()).collect();
            assert!(counts.is_sorted(), "{nodes} nodes, {lines} lines: {text}");
        }
    }
}

#[test]
fn chances_are_told_when_asked_for_and_sum_to_a_thousand() {
    let go = "go depth 4";
    assert_eq!(told(&patient(go), "wdl").len(), 0);
    let text = patient(&format!("setoption name UCI_ShowWDL value true\n{go}"));
    let chances = told(&text, "wdl");
    assert!(chances.len() >= 4, "{text}");
    for rest in chances {
        let sum: u32 = rest.split(' ').take(3).map(|word| word.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000, "{rest}");
    }
}

#[test]
fn a_limited_player_spends_few_nodes() {
    let limited = |elo: u32| {
        let options =
            format!("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}");
        let text = patient(&format!("{options}\ngo nodes 100000"));
        told(&text, "nodes").last().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    use tengen_chess::search::strength::{STRONGEST, WEAKEST, nodes_of};
    for elo in [WEAKEST, 1800, STRONGEST] {
        assert!(limited(elo) <= nodes_of(elo), "{elo}");
    }
}

#[test]
fn a_draw_is_told_as_minus_the_contempt_and_a_mate_as_a_mate() {
    let score = |contempt: i32, fen: &str| {
        let option = format!("setoption name Contempt value {contempt}");
        let text = patient(&format!("{option}\nposition fen {fen}\ngo depth 6"));
        told(&text, "score").last().unwrap().split(" nodes").next().unwrap().to_owned()
    };
    for contempt in [0, 40, -25] {
        assert_eq!(score(contempt, "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"), format!("cp {}", -contempt));
        assert_eq!(score(contempt, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"), "mate 2");
    }
}

#[test]
fn a_move_of_the_book_is_played_where_a_game_is_and_not_in_an_analysis() {
    let file = std::env::temp_dir().join(format!("tengen-book-{}.bin", std::process::id()));
    let key = tengen_chess::rules::book::key(tengen_chess::history::Game::default().board());
    // a2a3, weight 5.
    let entry = [&key.to_be_bytes()[..], &[0x02, 0x10, 0, 5, 0, 0, 0, 0]].concat();
    std::fs::write(&file, entry).unwrap();
    let set =
        format!("setoption name BookFile value {}\nsetoption name OwnBook value true\n", file.display());
    let text = dialogue(&format!("{set}go depth 3\nquit\n"));
    assert!(text.contains("1 entries") && text.ends_with("bestmove a2a3\n"), "{text}");
    for go in ["go infinite\nstop", "go depth 1 searchmoves e2e4", "position startpos moves e2e4\ngo depth 1"]
    {
        let text = dialogue(&format!("{set}{go}\nquit\n"));
        assert!(!text.contains("book move"), "{text}");
    }
    std::fs::remove_file(&file).unwrap();
}
