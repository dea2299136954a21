//! Thinking time: the clock commands, and the time for a move.
//!
//! # Steps
//! 1. Without `time_settings` nothing reads the clock, and games are reproducible.
//! 2. With main time left, the reserve is taken off first. A move gets the rest over the number of moves to come (two
//!    fifths of the empty board, at least 15). With overtime, a move gets the share of a stone less a tenth, or less
//!    the reserve if that is shorter.
//! 3. The search stops at that deadline; the pipeline before it takes milliseconds.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};
use std::time::{Duration, Instant};
use tengen_go::board::{Board, Color};

pub(super) const COMMANDS: &[Command] = &[
    command("time_settings", time_settings),
    command("kgs-time_settings", kgs_time_settings),
    command("time_left", time_left),
    command("cputime", |s, _| Ok(format!("{:.3}", cpu_seconds(s)))),
];

/// The clocks of both players, as the controller sets them.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Main time, overtime per period, and stones per period; `None` is no limit.
    settings: Option<(f64, f64, u32)>,
    /// Seconds left and stones left in overtime (0: main time), by colour.
    left: [Option<(f64, u32)>; 2],
    /// The number that comes with the time left counts periods of one move each (Japanese overtime), no stones.
    by_periods: bool,
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

fn time_settings(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let all = words.seconds(0).zip(words.seconds(1)).zip(words.number::<u32>(2));
    let ((main, over), stones) = all.ok_or_else(|| Failure::new("not three integers"))?;
    session.clock = Clock::default();
    // Overtime without stones means: no limit (GTP 2, section 4.2).
    if !(over > 0.0 && stones == 0) && main >= 0.0 && over >= 0.0 {
        session.clock.settings = Some((main, over, stones));
    }
    Ok(String::new())
}

fn kgs_time_settings(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let number = |i| words.seconds(i).ok_or_else(|| Failure::new("syntax error"));
    session.clock = Clock::default();
    session.clock.settings = match words.word(0) {
        Some("none") => None,
        Some("absolute") => Some((number(1)?, 0.0, 0)),
        Some("byoyomi") => {
            session.clock.by_periods = true;
            Some((number(1)?, number(2)?, 1))
        }
        Some("canadian") => Some((number(1)?, number(2)?, number(3)?.max(1.0) as u32)),
        _ => return Err(Failure::new("syntax error")),
    };
    Ok(String::new())
}

fn time_left(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let (time, stones) = words
        .seconds(1)
        .zip(words.number::<u32>(2))
        .ok_or_else(|| Failure::new("time and stones not two integers"))?;
    session.clock.left[color.index()] = Some((time, stones));
    Ok(String::new())
}

/// CPU seconds of this process if the system reports them, otherwise seconds since its start.
fn cpu_seconds(session: &Session) -> f64 {
    let from_system = || {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
        Some(ticks / 100.0)
    };
    from_system().unwrap_or_else(|| session.begun.elapsed().as_secs_f64())
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
