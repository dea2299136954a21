//! GTP commands about thinking time.

use super::clock::Clock;
use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};

pub(super) const COMMANDS: &[Command] = &[
    command("time_settings", time_settings),
    command("kgs-time_settings", kgs_time_settings),
    command("time_left", time_left),
    command("cputime", |s, _| Ok(format!("{:.3}", cpu_seconds(s)))),
];

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
