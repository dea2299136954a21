//! Tests of the playing search: its parts, its limits, and the draws that a score rests on.

use super::checks::Checks;
use super::order::{Histories, is_quiet};
use super::picker::Picker;
use super::see;
use super::table::{Entry, Table};
use super::{Limits, Options, SearchReport, search, search_with};
use crate::history::{Filter, Game, Policy};
use crate::repetition::keep::{Bounds, Known};
use crate::repetition::{INFINITE, MATE, Path, Scheme};
use crate::rules::fen;
use crate::rules::notation::{legal_moves, parse_uci};
use cozy_chess::{Board, Move};
use std::sync::Arc;
use tengen_core::SplitMix64;

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn exchanges_are_counted_to_the_end() {
    let cases = [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100, true),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0, true),
        ("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 0, false),
        ("3rk3/8/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 100, true),
        ("3rk3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", 0, false),
        ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2", 100, true),
        ("1k6/8/8/8/8/1r6/3p4/2R1K3 w - - 0 1", "e1e2", 0, true),
    ];
    for (text, mv, threshold, gains) in cases {
        let board = fen::parse(text).unwrap().board;
        let mv = parse_uci(&board, mv).unwrap();
        assert_eq!(see::gains(&board, mv, threshold), gains, "{text} {mv} {threshold}");
    }
}

/// Positions of random games from three starts, with a random move of the game each.
fn random_positions() -> impl Iterator<Item = (Board, Move)> {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    ];
    (0..60).flat_map(move |seed: u64| {
        let mut random = SplitMix64::new(seed);
        let mut board = fen::parse(starts[seed as usize % 3]).unwrap().board;
        std::iter::from_fn(move || {
            let moves = legal_moves(&board);
            let mv = *moves.get(random.below(moves.len().max(1) as u32) as usize)?;
            let before = board.clone();
            board.play_unchecked(mv);
            Some((before, mv))
        })
        .take(40)
        .collect::<Vec<_>>()
    })
}

/// All moves a picker gives, sorted as text.
fn all_of(mut picker: Picker, board: &Board, histories: &Histories) -> Vec<String> {
    let next = || picker.next(board, histories, 0, [Some(7), None, None]);
    sorted(std::iter::from_fn(next))
}

fn sorted(moves: impl Iterator<Item = Move>) -> Vec<String> {
    let mut texts: Vec<_> = moves.map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

#[test]
fn every_legal_move_is_given_once_whatever_killers_and_table_say() {
    let mut histories = Histories::default();
    let mut earlier = None;
    for (board, played) in random_positions() {
        let moves = legal_moves(&board);
        let table_move = [None, moves.first().copied(), moves.last().copied()][moves.len() % 3];
        let picker = Picker::all(table_move, Default::default());
        assert_eq!(all_of(picker, &board, &histories), sorted(moves.into_iter()), "{board}");
        // The next position has killers and a counter-move of this one, legal there or not.
        histories.killers[0] = [Some(played), earlier];
        histories.reward(&board, played, &[], 3, 1, [Some(7), None, None]);
        earlier = Some(played);
    }
}

#[test]
fn quiescence_is_given_the_quiet_checks_that_lose_nothing_after_the_captures() {
    let mut checks = 0;
    for (board, _) in random_positions() {
        let histories = Histories::default();
        let given = |checks| all_of(Picker::captures(None, checks, Default::default()), &board, &histories);
        let gives_check = |mv: &Move| {
            let mut after = board.clone();
            after.play_unchecked(*mv);
            !after.checkers().is_empty()
        };
        // Castling into a check is not looked at.
        let castles = |mv: &Move| board.colors(board.side_to_move()).has(mv.to);
        let wanted = legal_moves(&board).into_iter().filter(|mv| {
            is_quiet(&board, *mv) && !castles(mv) && gives_check(mv) && see::gains(&board, *mv, 0)
        });
        let wanted = sorted(wanted);
        checks += wanted.len();
        let (with, without) = (given(true), given(false));
        assert_eq!(with.len(), without.len() + wanted.len(), "{board}");
        assert!(wanted.iter().all(|mv| with.contains(mv) && !without.contains(mv)), "{board}");
    }
    assert!(checks > 100, "the positions hold enough checks: {checks}");
}

#[test]
fn once_quiet_moves_are_thinned_the_checks_keep_their_order_and_the_others_their_number() {
    let (mut left_out, mut given_checks) = (0, 0);
    for (index, (board, _)) in random_positions().enumerate() {
        let mut histories = Histories::default();
        for (step, mv) in legal_moves(&board).into_iter().enumerate() {
            histories.reward(&board, mv, &[], 1 + (step * 7 % 5) as i32, 9, [Some(7), None, None]);
        }
        let before = [Some(7), None, None];
        let checks = Checks::new(&board);
        // Every move with whether it is one of the quiet moves sorted by history.
        let given = |thin_after: usize, counted: bool| {
            let mut picker = Picker::all(None, Default::default());
            let mut given = Vec::new();
            while let Some(mv) = picker.next(&board, &histories, 0, before) {
                given.push((mv, picker.in_quiets()));
                if given.len() > thin_after {
                    picker.thin_quiets(&board, &checks, counted);
                }
            }
            (given, picker.passed() as usize)
        };
        let (all, _) = given(usize::MAX, true);
        let thin_after = index % 5;
        for counted in [true, false] {
            let (thinned, passed) = given(thin_after, counted);
            let kept = |(mv, quiet): &(Move, bool)| {
                !quiet || checks.gives(&board, *mv) || thinned.iter().any(|(other, _)| other == mv)
            };
            let wanted: Vec<_> = all.iter().copied().filter(kept).collect();
            assert_eq!(thinned, wanted, "{board} after {thin_after}, counted {counted}");
            assert!(!counted || passed + thinned.len() == all.len(), "{board}");
            left_out += all.len() - thinned.len();
            given_checks += thinned.iter().filter(|(mv, quiet)| *quiet && checks.gives(&board, *mv)).count();
        }
    }
    assert!(left_out > 1000 && given_checks > 50, "{left_out}, {given_checks}");
}

#[test]
fn the_table_returns_what_was_put_and_survives_a_torn_entry() {
    let table = Table::with_entries(64).unwrap();
    let known = Known {
        bounds: Bounds { lower: -31, upper: 29_990 },
        filter: Filter::EMPTY.with(12345 << 32),
        recurs: true,
    };
    let entry = Entry { best: None, older: false, known, evaluation: -7, draft: 9 };
    table.put(77, &entry);
    let found = table.get(77).unwrap();
    assert_eq!(found.known, known);
    assert_eq!((found.evaluation, found.draft), (-7, 9));
    assert!(table.get(78).is_none());
    table.clear();
    assert!(table.get(77).is_none());
}

#[test]
fn a_table_larger_than_memory_is_refused() {
    assert!(Table::with_mib(usize::MAX).is_none());
    assert!(Table::with_mib(1 << 43).is_none());
}

#[test]
fn mates_are_found_with_their_distance() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", MATE - 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", MATE - 3),
        ("8/8/8/8/8/5k2/7r/5K2 w - - 0 1", -(MATE - 4)),
    ];
    for (text, wanted) in &cases[..2] {
        let game = Game::from_text(text, []).unwrap();
        assert_eq!(search(&game, depth(6), Options::default(), 1).score, *wanted, "{text}");
    }
}

#[test]
fn every_scheme_and_thread_count_finds_a_mate_in_two() {
    let game = Game::from_text("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", []).unwrap();
    for scheme in Scheme::ALL {
        for threads in [1, 2, 3] {
            let options = Options { scheme, threads, ..Options::default() };
            assert_eq!(search(&game, depth(7), options, 1).score, MATE - 3, "{scheme:?} with {threads}");
        }
    }
}

#[test]
fn node_limits_are_kept_and_results_repeat() {
    let game = Game::default();
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    let one = search(&game, limits.clone(), Options::default(), 1);
    assert_eq!(one, search(&game, limits, Options::default(), 1));
    assert!(one.nodes <= 5_000, "{}", one.nodes);
    assert_eq!(one.ended_by, "nodes");
}

#[test]
fn the_lines_of_multi_pv_are_different_and_in_order() {
    let options = Options { multi_pv: 4, ..Options::default() };
    let report = search(&Game::default(), depth(6), options, 1);
    let firsts: std::collections::BTreeSet<_> = report.lines.iter().map(|l| l.pv[0].clone()).collect();
    assert_eq!(firsts.len(), 4);
    assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score));
}

#[test]
fn the_length_of_a_game_before_the_root_is_no_matter_to_a_search() {
    let shuffled = |rounds: usize| {
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(4 * rounds);
        Game::from_text("startpos", moves).unwrap()
    };
    let found = |rounds: usize| {
        let report = search(&shuffled(rounds), depth(3), Options::default(), 1);
        assert!(matches!(report.path, Path::Game { .. }), "{rounds} rounds: {:?}", report.path);
        (report.best, report.score, report.nodes, report.lines[0].pv.clone())
    };
    let short = found(1_000);
    // 32,768 plies fill a signed number of 16 bits, 65,536 one without a sign.
    for rounds in [8_192, 16_500] {
        assert_eq!(found(rounds), short, "{rounds} rounds");
    }
}

#[test]
fn a_score_says_when_it_rests_on_the_game() {
    // White is to be mated but for Qe5+, after which the position stood before.
    let checks = ["e5e8", "g8g7", "e8e5", "g7g8", "e5e8", "g8g7"];
    let game = Game::from_text("6k1/5p1p/8/4Q3/8/8/q1r5/6K1 w - - 0 1", checks).unwrap();
    let empty = game.without_history();
    for scheme in [Scheme::Exact, Scheme::Cautious, Scheme::Walk] {
        let options = Options { scheme, policy: Policy::A, ..Options::default() };
        let (with, without) =
            (search(&game, depth(3), options.clone(), 1), search(&empty, depth(3), options, 1));
        assert!(matches!(with.path, Path::Game { .. }), "{scheme:?}: {:?}", with.path);
        assert!(without.path.is_free(), "{scheme:?}: {:?}", without.path);
        assert_eq!(with.lines[0].path, with.path);
    }
}

#[test]
fn no_score_reported_free_differs_from_the_score_under_the_empty_history() {
    let (mut free, mut not_free, mut differ) = (0, 0, 0);
    for seed in 0..240 {
        let game = crate::exact::random::game(seed);
        for scheme in [Scheme::Exact, Scheme::Walk, Scheme::ShadowLiteral, Scheme::OpenLiteral, Scheme::Twin]
        {
            let policy = Policy::ALL[seed as usize % 4];
            let options = Options { scheme, policy, ..Options::default() };
            let [with, without] =
                [&game, &game.without_history()].map(|game| search(game, depth(7), options.clone(), 1));
            let blind = scheme == Scheme::OpenLiteral;
            assert!(without.path.is_free() || blind, "seed {seed} {scheme:?}: {:?}", without.path);
            if with.path.is_free() {
                assert_eq!(with, without, "seed {seed} {scheme:?} {policy:?}");
            }
            free += u32::from(with.path.is_free());
            not_free += u32::from(!with.path.is_free());
            differ += u32::from(with.score != without.score);
        }
    }
    assert!(free > 300 && not_free > 100 && differ > 20, "{free} {not_free} {differ}");
}

/// Searches a game on a table that an earlier search of a game has filled.
fn on_table_of(first: &Game, then: &Game, options: &Options) -> SearchReport {
    let table = Arc::new(Table::with_mib(1).unwrap());
    let [_, later] = [(first, 6), (then, 7)].map(|(game, plies)| {
        search_with(game, depth(plies), options.clone(), table.clone(), Arc::default(), Box::new(()))
    });
    later
}

#[test]
fn what_an_earlier_search_met_in_its_game_counts_for_all_that_its_table_tells() {
    let (mut free, mut not_free, mut differ) = (0, 0, 0);
    for seed in 0..200 {
        let game = crate::exact::random::game(seed);
        let mut later = game.clone();
        for _ in 0..2 {
            let Some(&mv) = legal_moves(later.board()).first() else { break };
            later.play(mv);
        }
        for scheme in [Scheme::Exact, Scheme::Shadow] {
            let options = Options { scheme, policy: Policy::ALL[seed as usize % 4], ..Options::default() };
            let with = on_table_of(&game, &later, &options);
            let without = on_table_of(&game.without_history(), &later.without_history(), &options);
            assert!(without.path.is_free(), "seed {seed} {scheme:?}: {:?}", without.path);
            if with.path.is_free() {
                assert_eq!(with, without, "seed {seed} {scheme:?}");
            }
            free += u32::from(with.path.is_free());
            not_free += u32::from(!with.path.is_free());
            differ += u32::from(with.score != without.score);
        }
    }
    assert!(free > 100 && not_free > 50 && differ > 10, "{free} {not_free} {differ}");
}

#[test]
fn no_score_reported_free_hides_a_draw_that_a_singular_extension_met() {
    // So deep that table moves are verified (from a depth of six plies below the root).
    let (mut free, mut differ) = (0, 0);
    for seed in 0..60 {
        let game = crate::exact::random::game(seed);
        for scheme in [Scheme::Exact, Scheme::Shadow] {
            let options = Options { scheme, policy: Policy::ALL[seed as usize % 4], ..Options::default() };
            let [with, without] =
                [&game, &game.without_history()].map(|game| search(game, depth(11), options.clone(), 1));
            if with.path.is_free() {
                assert_eq!(with, without, "seed {seed} {scheme:?}");
            }
            free += u32::from(with.path.is_free());
            differ += u32::from(with.score != without.score);
        }
    }
    assert!(free > 20 && differ > 5, "{free} {differ}");
}

#[test]
fn a_move_without_a_result_of_its_own_stays_as_an_older_one() {
    let table = Table::with_entries(2).unwrap();
    let known = Known::plain(Bounds { lower: -INFINITE, upper: 40 }, false);
    let best = legal_moves(Game::default().board()).pop();
    let put = |key, best| table.put(key, &Entry { best, older: false, known, evaluation: 3, draft: 120 });
    // Both elements of the one bucket.
    for key in [7, 8] {
        put(key, None);
        assert_eq!(table.get(key).map(|e| (e.best, e.older)), Some((None, false)));
        put(key, best);
        assert_eq!(table.get(key).map(|e| (e.best, e.older)), Some((best, false)));
        for _ in 0..2 {
            put(key, None);
            let found = table.get(key).unwrap();
            assert_eq!((found.best, found.older, found.draft, found.known), (best, true, 120, known));
        }
        put(key, best);
        assert_eq!(table.get(key).map(|e| (e.best, e.older)), Some((best, false)));
    }
}

#[test]
fn every_line_reported_can_be_played_whatever_the_limit() {
    let positions = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ];
    for text in positions {
        let game = Game::from_text(text, []).unwrap();
        for nodes in (100..4_000).step_by(150) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            for info in search(&game, limits, Options::default(), 1).lines {
                let line = info.pv.iter().map(String::as_str);
                assert!(Game::from_text(text, line).is_ok(), "{text}, {nodes} nodes: {:?}", info.pv);
            }
        }
    }
}

#[test]
fn a_cleared_table_is_like_a_new_one_and_until_then_keeps_what_was_learnt() {
    let game = Game::from_text("startpos", ["e2e4", "e7e5", "g1f3"]).unwrap();
    let table = Arc::new(Table::with_entries(1 << 14).unwrap());
    let nodes = || {
        search_with(&game, depth(7), Options::default(), table.clone(), Arc::default(), Box::new(())).nodes
    };
    let fresh = nodes();
    assert!(!table.learnt().is_empty());
    table.clear();
    assert!(table.learnt().is_empty());
    assert_eq!(nodes(), fresh);
}

#[test]
fn a_perpetual_check_of_the_program_is_worth_what_the_option_says() {
    let fen = "6k1/6p1/8/7Q/8/8/1q4PK/2r5 w - - 0 1";
    let table = Arc::new(Table::with_mib(1).expect("a table"));
    // With one table, so that scores under one value of the option are not taken for those under another.
    for (moves, perpetual, score) in
        [("", 0, 0), ("", 20, 20), ("", 100, 100), ("", 0, 0), ("h5e8", 20, 0), ("h5e8 g8h7 e8h5", 20, 0)]
    {
        let game = Game::from_text(fen, moves.split_whitespace()).unwrap();
        let options = Options { perpetual, ..Options::default() };
        let report = search_with(&game, depth(8), options, table.clone(), Arc::default(), Box::new(()));
        assert_eq!(report.score, score, "{moves} {perpetual} {report:?}");
    }
}
