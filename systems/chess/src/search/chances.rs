//! Turns a score into the chances of a win, a draw and a loss.
//!
//! # Source
//! Logistic curves, as in general use for win, draw and loss. The two numbers are fitted by maximum likelihood to
//! positions of the engine's own games (see docs/uci.md).
//!
//! # Notation
//! *s* is the score in centipawns for the side to move. *A* is the score that wins every second game. *B* is the scale
//! on which the chance changes: the greater *B*, the slower the change.
//!
//! # Steps
//! 1. The chance of a win is 1 / (1 + exp((A - s) / B)). The chance of a loss is the same formula for -s. The rest is
//!    the chance of a draw.
//! 2. The chances are rounded to whole thousandths that sum to 1000.

use super::report::mate_in;

/// The score that wins every second game, in centipawns.
///
/// Origin: fit, 17,842 positions of 240 games of the engine with itself, `docs/uci.md`, "Chances of a win, a draw and a
/// loss".
const A: f64 = 161.0;

/// How slowly the chance changes, in centipawns.
///
/// Origin: fit, 17,842 positions of 240 games of the engine with itself, `docs/uci.md`, "Chances of a win, a draw and a
/// loss".
const B: f64 = 200.0;

/// Chances of a win, a draw and a loss, per mille, from the side to move.
#[must_use]
pub fn chances(score: i32) -> [u32; 3] {
    if let Some(moves) = mate_in(score) {
        return if moves > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let win = |score: f64| (1000.0 / (1.0 + ((A - score) / B).exp())).round() as u32;
    let (win, loss) = (win(f64::from(score)), win(-f64::from(score)));
    [win, 1000_u32.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repetition::MATE;

    #[test]
    fn chances_sum_to_a_thousand_mirror_and_rise_with_the_score() {
        let mut before = 0;
        for score in -3000..=3000 {
            let [win, draw, loss] = chances(score);
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert_eq!(chances(-score), [loss, draw, win], "{score}");
            assert!(win >= before, "{score}");
            before = win;
        }
        assert_eq!((chances(MATE - 3), chances(4 - MATE)), ([1000, 0, 0], [0, 0, 1000]));
    }
}
