//! Thinking time: the clocks of both players, and the time for a move.
//!
//! # Steps
//! 1. Without `time_settings` the engine never reads the clock, and games are reproducible.
//! 2. In main time, the reserve is subtracted from the time left. A move gets the rest, divided by the expected number
//!    of moves to come. This number is two fifths of the empty vertices, at least 15. In overtime, a move gets the time
//!    of one stone, less a tenth of that time or the reserve, whichever is shorter.
//! 3. The search stops at this deadline. The analysis before the search takes milliseconds.

use std::time::{Duration, Instant};
use tengen_go::board::{Board, Color};

/// The clocks of both players, as the controller sets them.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Main time, overtime per period, and stones per period; `None` is no limit.
    pub(super) settings: Option<(f64, f64, u32)>,
    /// Seconds left and stones left in overtime (0: main time), by colour.
    pub(super) left: [Option<(f64, u32)>; 2],
    /// The number that comes with the time left counts periods of one move each (Japanese overtime), no stones.
    pub(super) by_periods: bool,
}

/// Seconds kept back for the way to the controller and back.
const RESERVE: f64 = 0.5;

impl Clock {
    /// Both players have their whole time again.
    pub fn new_game(&mut self) {
        self.left = [None; 2];
    }

    /// Notes that `color` has used this much time, until the controller sends the true time.
    pub fn spend(&mut self, color: Color, seconds: f64) {
        if let Some((main, over, stones)) = self.settings {
            let (left, in_overtime) = self.left[color.index()].unwrap_or((main, 0));
            let left = left - seconds;
            self.left[color.index()] =
                Some(if left <= 0.0 && in_overtime == 0 { (over, stones) } else { (left, in_overtime) });
        }
    }

    /// Whether the controller has set a clock.
    #[must_use]
    pub const fn is_set(&self) -> bool {
        self.settings.is_some()
    }

    /// The deadline of a move that begins now; `None`: no limit.
    #[must_use]
    pub fn deadline(&self, color: Color, board: &Board) -> Option<Instant> {
        let (main, over, stones) = self.settings?;
        let (left, in_overtime) = match self.left[color.index()].unwrap_or((main, 0)) {
            // Without main time overtime has begun, whether or not the controller has told so.
            (left, 0) if left <= 0.0 && stones > 0 => (over, stones),
            known => known,
        };
        let of_stone = |time: f64, stones: u32| {
            let share = time / f64::from(stones.max(1));
            share - RESERVE.min(0.1 * share)
        };
        let seconds = if in_overtime > 0 {
            of_stone(left, if self.by_periods { 1 } else { in_overtime })
        } else {
            let empty = board.vertices().filter(|&v| board.is_empty(v)).count() as f64;
            let share = (left - RESERVE) / (0.4 * empty).max(15.0);
            let overtime = if stones > 0 { of_stone(over, stones) } else { 0.0 };
            share.max(if overtime < left - RESERVE { overtime } else { 0.0 })
        };
        Some(Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 3600.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_of_kgs_is_the_time_of_one_move_however_many_are_left() {
        let seconds = |clock: &Clock| {
            let deadline = clock.deadline(Color::Black, &Board::new(19)).expect("a clock");
            deadline.saturating_duration_since(Instant::now()).as_secs_f64()
        };
        let settings = Some((0.0, 3.0, 1));
        let left = [Some((3.0, 30)), None];
        let periods = Clock { settings, left, by_periods: true };
        assert!((2.0..3.0).contains(&seconds(&periods)), "{}", seconds(&periods));
        for by_periods in [true, false] {
            let untold = Clock { settings: Some((0.0, 5.0, 1)), left: [None; 2], by_periods };
            assert!((3.5..5.0).contains(&seconds(&untold)), "{}", seconds(&untold));
        }
        let stones = Clock { by_periods: false, ..periods };
        assert!(seconds(&stones) < 0.2, "{}", seconds(&stones));
    }
}
