//! GTP commands about the engine itself, such as its name and its list of commands.

use super::wire::{Answer, Arguments, Failure};
use super::{Command, Session, command, commands};
use tengen_go::Level;
use tengen_go::effort::UnknownLevel;
use tengen_go::moves::PLAYING_LEVELS;

pub(super) const COMMANDS: &[Command] = &[
    command("protocol_version", |_, _| Ok("2".into())),
    command("name", |_, _| Ok("Tengen".into())),
    command("version", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
    command("known_command", known_command),
    command("list_commands", |_, _| Ok(list())),
    command("help", |_, _| Ok(list())),
    command("quit", quit),
    command("echo", |_, words| Ok(words.from(0).join(" "))),
    command("echo_err", echo_err),
    command("level", level),
    command("tengen-effort", effort),
    command("increase_depths", |s, _| change_depths(s, 1)),
    command("decrease_depths", |s, _| change_depths(s, -1)),
    command("get_random_seed", |s, _| Ok(s.seed.to_string())),
    command("set_random_seed", set_random_seed),
    command("advance_random_seed", advance_random_seed),
    command("clear_cache", clear_cache),
    command("report_uncertainty", report_uncertainty),
    command("dump_stack", |_, _| Ok(String::new())),
];

fn list() -> String {
    let mut names: Vec<&str> = commands().map(|c| c.name).collect();
    names.sort_unstable();
    names.join("\n")
}

fn known_command(_: &mut Session, words: &Arguments<'_>) -> Answer {
    Ok(words.word(0).is_some_and(|name| commands().any(|c| c.name == name)).to_string())
}

fn quit(session: &mut Session, _: &Arguments<'_>) -> Answer {
    session.is_over = true;
    Ok(String::new())
}

fn echo_err(_: &mut Session, words: &Arguments<'_>) -> Answer {
    let text = words.from(0).join(" ");
    // Talk: nothing to do if nobody listens.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{text}\n").as_bytes());
    Ok(text)
}

fn level(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let level = words.number(0).ok_or_else(|| Failure::new("level not an integer"))?;
    if !PLAYING_LEVELS.contains(&level) {
        let (least, most) = (*PLAYING_LEVELS.start(), *PLAYING_LEVELS.end());
        return Err(Failure::new(format!("level not from {least} to {most}")));
    }
    session.set_level(level);
    Ok(String::new())
}

fn level_named(name: &str) -> Result<Level, Failure> {
    name.parse().map_err(|e: UnknownLevel| Failure::new(e.to_string()))
}

/// `tengen-effort [LEVEL]`: the level of reading; `auto` takes the one of the playing level.
fn effort(session: &mut Session, words: &Arguments<'_>) -> Answer {
    match words.word(0) {
        None => return Ok(session.effort().level.to_string()),
        Some("auto") => session.set_effort(None),
        Some(name) => session.set_effort(Some(level_named(name)?)),
    }
    Ok(String::new())
}

fn change_depths(session: &mut Session, by: i32) -> Answer {
    session.depth_offset += by;
    session.forget();
    Ok(String::new())
}

fn set_random_seed(session: &mut Session, words: &Arguments<'_>) -> Answer {
    session.seed = words.number(0).ok_or_else(|| Failure::new("invalid random seed"))?;
    session.forget();
    Ok(String::new())
}

fn advance_random_seed(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let games: u64 = words.number(0).ok_or_else(|| Failure::new("invalid number of games"))?;
    session.seed = tengen_core::derive_seed(session.seed, &[games]);
    session.forget();
    Ok(session.seed.to_string())
}

fn clear_cache(session: &mut Session, _: &Arguments<'_>) -> Answer {
    session.forget_all();
    Ok(String::new())
}

fn report_uncertainty(session: &mut Session, words: &Arguments<'_>) -> Answer {
    session.reports_uncertainty = match words.word(0) {
        Some("on") => true,
        Some("off") => false,
        _ => return Err(Failure::new("invalid argument")),
    };
    Ok(String::new())
}
