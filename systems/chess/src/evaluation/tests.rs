//! Tests of the evaluation: incremental sums, cached parts, symmetry, and the text of weights.

use super::{Evaluator, PawnTable, Placed, Weights, evaluate, passed};
use crate::exact::random;
use crate::rules::fen;
use crate::rules::notation::legal_moves;
use crate::search::table::{pack_move, unpack_move};
use cozy_chess::Board;
use tengen_core::SplitMix64;

const MIDDLEGAMES: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
];

/// The board with colours exchanged.
fn mirrored(board: &Board) -> Board {
    let text = board.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let swap = |t: &str| -> String {
        t.chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    fen::parse(&format!("{} {side} - - 0 1", ranks.join("/"))).unwrap().board
}

#[test]
fn the_incremental_sums_are_those_counted_anew() {
    let weights = Weights::default();
    for (index, text) in MIDDLEGAMES.iter().enumerate() {
        for seed in 0..40 {
            let mut random = SplitMix64::new(seed + index as u64 * 1000);
            let mut placed = Placed::new(&fen::parse(text).unwrap().board, &weights);
            for _ in 0..60 {
                let moves = legal_moves(placed.board());
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len() as u32) as usize];
                placed = placed.play(mv, &weights);
                assert_eq!(placed, Placed::new(placed.board(), &weights), "{text}, seed {seed}, after {mv}");
                assert_eq!(unpack_move(pack_move(Some(mv))), Some(mv));
            }
        }
    }
}

#[test]
fn what_is_kept_of_pawns_and_kings_is_what_would_be_counted_anew() {
    let weights = Weights::default();
    let mut pawns = PawnTable::default();
    for seed in 0..400 {
        let game = random::game(seed);
        let placed = Placed::new(game.board(), &weights);
        for mv in legal_moves(game.board()) {
            let child = placed.play(mv, &weights);
            let anew = evaluate(&child, &weights, &mut PawnTable::default());
            assert_eq!(evaluate(&child, &weights, &mut pawns), anew, "{}, {mv}", game.fen());
        }
    }
}

#[test]
fn an_evaluation_kept_is_the_one_that_would_be_made_also_after_a_null_move() {
    let weights = Weights::default();
    let mut kept = Evaluator::default();
    let mut null_moves = 0;
    for seed in 0..400 {
        let game = random::game(seed);
        let placed = Placed::new(game.board(), &weights);
        for mv in legal_moves(game.board()) {
            let child = placed.play(mv, &weights);
            let anew = |of: &Placed| evaluate(of, &weights, &mut PawnTable::default());
            for time in 0..2 {
                assert_eq!(kept.evaluate(&child, &weights), anew(&child), "{}, {mv}, {time}", game.fen());
            }
            if let Some(after) = child.play_null() {
                assert_eq!(passed(anew(&child), &weights), anew(&after), "{}, {mv}", game.fen());
                kept.pass(&after, anew(&child), &weights);
                assert_eq!(kept.evaluate(&after, &weights), anew(&after), "{}, {mv}", game.fen());
                null_moves += 1;
            }
        }
    }
    assert!(null_moves > 1000, "{null_moves}");
}

#[test]
fn a_mirrored_position_has_the_same_value_for_its_mover() {
    let weights = Weights::default();
    let value = |board: &Board| evaluate(&Placed::new(board, &weights), &weights, &mut PawnTable::default());
    for seed in 0..300 {
        let board = random::game(seed).board().clone();
        assert_eq!(value(&board), value(&mirrored(&board)), "{board}");
    }
    let board = fen::parse(MIDDLEGAMES[0]).unwrap().board;
    let bare = fen::parse(&board.to_string().replace("KQkq", "-")).unwrap().board;
    assert_eq!(value(&bare), value(&mirrored(&bare)));
}

#[test]
fn the_embedded_weights_are_read_and_written_without_loss() {
    let weights = Weights::default();
    assert_eq!(Weights::parse(&weights.write("a head")).unwrap(), weights);
}

#[test]
fn faulty_weights_are_refused_with_their_line() {
    let error = Weights::parse("[pawn-square]\n1/2 x/3\n").unwrap_err();
    assert_eq!((error.line, error.message.as_str()), (2, "`x` is no weight"));
    assert_eq!(Weights::parse("[knight-square]\n").unwrap_err().line, 1);
    assert!(Weights::parse("").is_err());
}
