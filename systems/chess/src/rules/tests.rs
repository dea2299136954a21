//! Tests of the rules: perft, FEN, moves as text, PGN, and opening books.

use super::notation::{self, parse_san, parse_uci};
use super::{Board, FenError, Setup, epd, fen, perft::perft, pgn};
use crate::test_data::suite;

/// Every count of a suite up to `cap` nodes.
fn check_suite(name: &str, cap: u64) {
    let Some(text) = suite(name) else { return };
    let mut checked = 0;
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let epd = epd::parse(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        for (code, operand) in &epd.operations {
            let (Some(depth), Ok(nodes)) = (code.strip_prefix('D'), operand.parse::<u64>()) else { continue };
            if nodes <= cap {
                assert_eq!(perft(&epd.setup.board, depth.parse().unwrap()), nodes, "{line} at {code}");
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{name} had only {checked} counts");
}

#[test]
fn perft_agrees_with_the_standard_suite() {
    check_suite("perft.epd", 100_000);
}

#[test]
fn perft_agrees_with_the_chess960_suite() {
    check_suite("perft960.epd", 100_000);
}

#[test]
#[ignore = "minutes without optimisation: cargo test --release -p tengen-chess -- --ignored"]
fn perft_agrees_with_both_suites_at_every_depth() {
    check_suite("perft.epd", u64::MAX);
    check_suite("perft960.epd", u64::MAX);
}

#[test]
fn fen_faults_are_named_and_placed() {
    let cases: [(&str, FenError); 8] = [
        ("8/8/8/8 w", FenError::MissingField(2)),
        ("8/8/8/8 w - -", FenError::Rank { rank: 0, column: 1 }),
        ("4k3/8/8/7/8/8/8/4K3 w - -", FenError::Rank { rank: 5, column: 9 }),
        ("4k3/8/8/4x3/8/8/8/4K3 w - -", FenError::Piece { letter: 'x', column: 10 }),
        ("4k3/8/8/8/8/8/8/8 w - -", FenError::Impossible),
        ("8/8/8/8/8/8/4k3/4K3 w - -", FenError::Impossible),
        ("4k3/8/8/8/8/8/8/4K3 w X -", FenError::Castling { letter: 'X', column: 23 }),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", FenError::Counter("x".to_owned())),
    ];
    for (text, error) in cases {
        assert_eq!(fen::parse(text).unwrap_err(), error, "{text}");
    }
}

#[test]
fn x_fen_and_shredder_rights_are_the_same_position() {
    let x = fen::parse("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1").unwrap();
    let shredder = fen::parse("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1").unwrap();
    assert_eq!(x, shredder);
    assert!(x.chess960);
}

#[test]
fn a_written_fen_has_en_passant_only_if_the_capture_is_legal() {
    let setup = fen::parse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").unwrap();
    assert_eq!(
        fen::write(&setup.board, 0, false),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
}

#[test]
fn a_clock_above_one_hundred_is_kept() {
    assert_eq!(fen::parse("4k3/8/8/8/8/8/8/4K2R w - - 130 90").unwrap().clock, 130);
}

#[test]
fn castling_is_read_in_both_forms() {
    let board = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap().board;
    let castling = parse_uci(&board, "e1g1").unwrap();
    assert_eq!(parse_uci(&board, "e1h1").unwrap(), castling);
    assert_eq!(notation::uci(&board, castling, false), "e1g1");
    assert_eq!(notation::uci(&board, castling, true), "e1h1");
    assert!(notation::is_castling(&board, castling));
    assert_eq!(parse_san(&board, "0-0").unwrap(), castling);
}

#[test]
fn an_epd_keeps_semicolons_inside_quotes() {
    let epd = epd::parse("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"a; b\";").unwrap();
    assert_eq!(epd.operations["bm"], "O-O");
    assert_eq!(epd.operations["id"], "a; b");
}

#[test]
fn a_pgn_has_numbers_result_and_setup() {
    let start = fen::parse("4k3/8/8/8/8/8/8/4K2R b K - 3 7").unwrap();
    let moves: Vec<_> = ["e8e7", "e1h1"].iter().map(|m| m.parse().unwrap()).collect();
    let text =
        pgn::write(&pgn::PgnGame { start: &start, moves: &moves, tags: &[], comments: &[], result: "*" });
    assert!(text.contains("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 7\"]"), "{text}");
    assert!(text.ends_with("7... Ke7 8. O-O *\n\n"), "{text}");
    assert_eq!(Setup::default().board, Board::default());
}

#[test]
fn a_square_holds_for_the_unions_of_bitboards_what_it_holds_for_each() {
    for seed in 0..300 {
        let board = crate::exact::random::game(seed).board().clone();
        for square in super::Square::ALL {
            assert_eq!(super::square::piece_at(&board, square), board.piece_on(square), "{board} {square}");
        }
    }
}

#[test]
fn perft_is_bounded_and_can_be_stopped() {
    use super::perft::{MAX_DEPTH, perft_until};
    // Two kings and nothing else to do but step: no depth may run out of stack.
    let board: Board = "k7/8/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
    let mut asked = 0;
    let counted = perft_until(&board, u32::MAX, &mut || {
        asked += 1;
        asked > 3
    });
    assert_eq!((counted, asked), (None, 4));
    // One legal move a ply: the walls of pawns leave it at that; it ends in a few boards.
    let forced: Board = "7k/7p/7P/8/8/p7/P7/K7 w - - 0 1".parse().unwrap();
    assert!(perft_until(&forced, 12, &mut || false).is_some() && MAX_DEPTH == 64);
}

#[test]
fn castling_rights_without_king_and_rook_are_dropped_and_told() {
    let table = [
        ("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "Kq", "Qk"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-", "KQkq"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "KQ", ""),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b KQkq - 5 4", "kq", "KQ"),
        ("4k3/8/8/8/8/8/8/4K2R w HA - 0 1", "K", "A"),
    ];
    for (text, rights, surplus) in table {
        let setup = fen::parse(text).unwrap();
        let written = fen::write(&setup.board, setup.clock, setup.chess960);
        assert_eq!(written.split(' ').nth(2), Some(rights), "{text}");
        assert_eq!(
            (setup.surplus.as_str(), setup.warnings().is_empty()),
            (surplus, surplus.is_empty()),
            "{text}"
        );
    }
}

#[test]
fn operations_of_an_epd_are_read_glued_or_not_and_the_clocks_among_them() {
    let same = [
        "8/8/8/8/8/k7/8/K6R w - - hmvc 99; fmvn 120; id \"a\";",
        "8/8/8/8/8/k7/8/K6R w - - 99 120",
        "\u{feff}8/8/8/8/8/k7/8/K6R w - -; hmvc 99;fmvn 120;",
    ];
    for line in same {
        let setup = epd::parse(line).unwrap().setup;
        assert_eq!((setup.clock, setup.board.fullmove_number()), (99, 120), "{line}");
    }
    assert_eq!(epd::parse("8/8/8/8/8/k7/8/K6R w - - hmvc x;").unwrap().setup.clock, 0);
    let epd = epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - -; bm Ra8#; id \"x\";").unwrap();
    assert_eq!((epd.operations["bm"].as_str(), epd.operations["id"].as_str()), ("Ra8#", "x"));
    assert_eq!(epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - -;").unwrap().operations.len(), 0);
    assert_eq!(epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 3 7;bm Ra8;").unwrap().setup.clock, 3);
}
