//! The clocks of external programs: the time that Tengen announces to a program, the time left, and losses on time.

use crate::client::process::PATIENCE;
use crate::scene::{GoClock, UciLimits};
use std::time::Duration;

/// The time that a program's answer may take on its way without its clock running.
const WAY: Duration = Duration::from_millis(200);

/// The time by which a program may exceed its time for a move. Who takes longer loses on time.
const MARGIN: Duration = Duration::from_millis(500);

/// The time for a move of a program whose player has no limit, in milliseconds.
const MOVETIME: u64 = 1000;

/// The clock of a program that plays Go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    settings: GoClock,
    /// The rest of the main time, or of the overtime's period.
    left: f64,
    /// Moves to play in the period; 0 in main time.
    stones: u32,
}

impl Clock {
    /// The whole time.
    pub(super) fn new(settings: GoClock) -> Self {
        Self { settings, left: settings.main.unwrap_or_default(), stones: 0 }
    }

    /// The command that tells the program its time; `None` without a clock.
    pub(super) fn settings(&self) -> Option<String> {
        let GoClock { main, overtime, stones } = self.settings;
        main.map(|main| format!("time_settings {} {} {stones}", main.floor(), overtime.floor()))
    }

    /// The command that tells the program its remaining time.
    pub(super) fn left(&self, color: &str) -> Option<String> {
        self.settings
            .main
            .map(|_| format!("time_left {color} {} {}", self.left.max(0.0).floor(), self.stones))
    }

    /// The longest that an answer is waited for.
    pub(super) fn patience(&self) -> Duration {
        let Some(_) = self.settings.main else { return PATIENCE };
        let overtime = if self.stones == 0 { self.settings.overtime } else { 0.0 };
        (Duration::from_secs_f64((self.left + overtime).clamp(0.0, 1e6)) + WAY * 2).min(PATIENCE)
    }

    /// Subtracts the time of a move; `false` if the player had less.
    pub(super) fn spend(&mut self, time: Duration) -> bool {
        let GoClock { main, overtime, stones } = self.settings;
        if main.is_none() {
            return true;
        }
        self.left -= time.saturating_sub(WAY).as_secs_f64();
        if self.left < 0.0 && self.stones == 0 && stones > 0 {
            self.left += overtime;
            self.stones = stones;
        }
        if self.left >= 0.0 && self.stones > 0 {
            self.stones -= 1;
            if self.stones == 0 {
                (self.left, self.stones) = (overtime, stones);
            }
        }
        self.left >= 0.0
    }
}

/// The clock of a program that plays chess; both sides of a game have one.
#[derive(Clone, Debug)]
pub(super) struct ChessClock {
    limits: UciLimits,
    left: f64,
}

impl ChessClock {
    /// The whole time.
    pub(super) fn new(limits: &UciLimits) -> Self {
        Self { left: limits.main.unwrap_or_default(), limits: limits.clone() }
    }

    /// The time left in milliseconds, and the increment; `None` without a clock.
    pub(super) fn told(&self) -> Option<(u64, u64)> {
        let millis = |seconds: f64| (1000.0 * seconds.max(0.0)) as u64;
        self.limits.main.map(|_| (millis(self.left), millis(self.limits.increment)))
    }

    /// The arguments of `go`: `clocks` are White's and Black's.
    pub(super) fn go(&self, clocks: [Option<(u64, u64)>; 2]) -> String {
        let mut words = Vec::new();
        if self.limits.main.is_some() {
            // A side without a clock is told ours.
            let own = self.told().unwrap_or_default();
            for ((time, increment), clock) in [("wtime", "winc"), ("btime", "binc")].into_iter().zip(clocks) {
                let (left, more) = clock.unwrap_or(own);
                words.push(format!("{time} {left} {increment} {more}"));
            }
        }
        let limits = [
            ("nodes", self.limits.nodes),
            ("depth", self.limits.depth.map(u64::from)),
            ("movetime", self.movetime()),
        ];
        words.extend(limits.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?))));
        words.join(" ")
    }

    /// The program's time for a move, in milliseconds.
    fn movetime(&self) -> Option<u64> {
        let UciLimits { main, nodes, depth, movetime, .. } = &self.limits;
        let has_none = main.is_none() && nodes.is_none() && depth.is_none();
        movetime.or(has_none.then_some(MOVETIME))
    }

    /// The longest that an answer is waited for; without a time limit as long as for anything.
    pub(super) fn patience(&self) -> Option<Duration> {
        let left = self.limits.main.map(|_| Duration::from_secs_f64(self.left.clamp(0.0, 1e6)) + WAY * 2);
        let told = self.told_at_most().map(|time| time + WAY);
        left.into_iter().chain(told).min()
    }

    /// The longest time that a move may take.
    fn told_at_most(&self) -> Option<Duration> {
        self.movetime().map(|millis| Duration::from_millis(millis.min(1_000_000)) + MARGIN)
    }

    /// Subtracts the time of a move; `false` if the player had less.
    pub(super) fn spend(&mut self, time: Duration) -> bool {
        if self.told_at_most().is_some_and(|most| time > most) {
            return false;
        }
        if self.limits.main.is_none() {
            return true;
        }
        self.left -= time.saturating_sub(WAY).as_secs_f64();
        let kept = self.left >= 0.0;
        self.left += self.limits.increment;
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overtime_follows_main_time_and_begins_anew_after_its_stones() {
        let seconds = |s: f64| Duration::from_secs_f64(s) + WAY;
        let mut clock = Clock::new(GoClock { main: Some(10.0), overtime: 5.0, stones: 2 });
        assert_eq!(clock.settings().as_deref(), Some("time_settings 10 5 2"));
        for (time, left) in [(8.0, "b 2 0"), (3.0, "b 4 1"), (3.5, "b 5 2"), (4.0, "b 1 1")] {
            assert!(clock.spend(seconds(time)));
            assert_eq!(clock.left("b"), Some(format!("time_left {left}")));
        }
        assert!(!clock.spend(seconds(2.0)));
        assert!(Clock::new(GoClock::default()).spend(seconds(1e5)));
    }

    #[test]
    fn a_chess_clock_gets_its_increment_after_each_move() {
        let limits = UciLimits { main: Some(1.0), increment: 0.5, depth: Some(3), ..UciLimits::default() };
        let mut clock = ChessClock::new(&limits);
        assert!(clock.spend(WAY + Duration::from_millis(500)));
        assert_eq!(clock.go([clock.told(), None]), "wtime 1000 winc 500 btime 1000 binc 500 depth 3");
        assert!(!clock.spend(WAY + Duration::from_millis(1001)));
        let free = ChessClock::new(&UciLimits { nodes: Some(7), ..UciLimits::default() });
        assert_eq!((free.go([None; 2]), free.patience()), ("nodes 7".to_owned(), None));
    }

    #[test]
    fn who_exceeds_the_time_told_for_a_move_by_more_than_the_margin_loses() {
        let millis = Duration::from_millis;
        for (limits, told) in [
            (UciLimits { movetime: Some(100), ..UciLimits::default() }, 100),
            (UciLimits { main: Some(60.0), movetime: Some(100), ..UciLimits::default() }, 100),
            (UciLimits::default(), MOVETIME),
        ] {
            let mut clock = ChessClock::new(&limits);
            assert!(clock.spend(millis(told) + MARGIN), "{limits:?}");
            assert!(!clock.spend(millis(told + 1) + MARGIN), "{limits:?}");
            assert_eq!(clock.patience(), Some(millis(told) + MARGIN + WAY), "{limits:?}");
        }
    }
}
