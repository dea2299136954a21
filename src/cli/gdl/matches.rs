//! `tengen gdl match`: plays games of a rulesheet between players, and counts their goals.
//!
//! Tengen's own players play in this process. With an external player, `--out` or `--scramble`, the game manager runs
//! the match (see `managed`).

use super::match_args::{Args, kind};
use super::{Outcome, load_with_percepts, managed};
use crate::batch::matches::Player;
use crate::cli::common::stop_on_interruption;
use crate::number_text::counted;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_core::{Budget, Parallelism, Stop, derive_seed, escaped_line};
use tengen_propnet::players::{Kind, selfplay};

/// The results of a player.
#[derive(Clone, Default)]
struct Score {
    /// The sum of its goals.
    sum: f64,
    /// Games that ended with a goal for it.
    games: u64,
    /// Those with 100.
    wins: u64,
}

/// Plays the games of each rulesheet. One that can't be read does not keep the others.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let names = args.players.as_deref().map_or_else(|| Player::names("auto,random"), Player::names);
    if managed::is_asked_for(args, &names)? {
        anyhow::ensure!(
            args.visits.is_none(),
            "the clocks of GGP count seconds: give --seconds, not --visits"
        );
        return managed::main(args, &names);
    }
    let stop = stop_on_interruption()?;
    let mut outcome = Outcome::Success;
    for (n, file) in args.files.iter().enumerate() {
        if args.files.len() > 1 {
            let gap = if n > 0 { "\n" } else { "" };
            writeln!(io::stdout(), "{gap}{}", escaped_line(&file.display().to_string()))?;
        }
        if matches!(one_rulesheet(args, file, &names, &stop)?, Outcome::Failure) {
            outcome = Outcome::Failure;
        }
        anyhow::ensure!(!stop.now(), "interrupted");
    }
    Ok(outcome)
}

/// Plays the games one after the other: a line each, then the means by player.
fn one_rulesheet(args: &Args, file: &Path, names: &[String], stop: &Stop) -> anyhow::Result<Outcome> {
    let Some(game) = load_with_percepts(file)? else { return Ok(Outcome::Failure) };
    let game = Arc::new(game);
    let seats = selfplay::numbers_of_players(&game);
    let players = seats.iter().flatten().count();
    anyhow::ensure!(
        args.players.is_none() || names.len() <= players,
        "--players names {}, and the rulesheet has {} to play",
        counted("player", names.len()),
        counted("role", players)
    );
    let kinds: Vec<Kind> = names.iter().map(|name| kind(name)).collect::<Result<_, _>>()?;
    let mut scores = vec![Score::default(); players];
    let mut unfinished = 0;
    let mut out = io::stdout().lock();
    for n in 0..args.games {
        let shift = if args.swap { usize::try_from(n)? % players.max(1) } else { 0 };
        let player = |seat: usize| (seat + shift) % players;
        let seated: Vec<Kind> = (0..players).map(|seat| kinds[player(seat).min(kinds.len() - 1)]).collect();
        let mut budget = |_: usize, made: &[Vec<String>]| match args.seconds {
            None => {
                let visits = Some(args.visits.unwrap_or(1000));
                Budget { visits, stop: stop.clone(), ..Budget::default() }
            }
            Some(seconds) => {
                let start = if made.is_empty() { args.start } else { 0.0 };
                let until = Instant::now() + Duration::from_secs_f64(seconds + start);
                let stop = stop.clone();
                let stop = Stop::when(move || Instant::now() >= until || stop.now());
                Budget { stop, ..Budget::default() }
            }
        };
        let seed = derive_seed(args.seed, &[n]);
        let record = selfplay::play(&game, &seated, &mut budget, seed, 1000, Parallelism::Inside, stop)?;
        if stop.now() {
            break;
        }
        let goals: Vec<String> = record.goals.iter().map(|g| g.join("/")).collect();
        let shown = (0..goals.len()).filter(|&role| seats[role].is_some()).map(|role| goals[role].as_str());
        let shown: Vec<&str> = shown.map(|goal| if goal.is_empty() { "none" } else { goal }).collect();
        if record.finished {
            for (seat, goals) in seats.iter().zip(&record.goals).filter_map(|(&seat, g)| Some((seat?, g))) {
                let Some(value) = goals.first().and_then(|g| g.parse::<f64>().ok()) else { continue };
                let score = &mut scores[player(seat)];
                score.sum += value;
                score.games += 1;
                score.wins += u64::from(value >= 100.0);
            }
            writeln!(out, "game {n}: {}, goals {}", counted("move", record.moves.len()), shown.join(" "))?;
        } else {
            unfinished += 1;
            writeln!(out, "game {n}: {}, not finished", counted("move", record.moves.len()))?;
        }
        out.flush()?;
    }
    for (n, score) in scores.iter().enumerate() {
        let name = &names[n.min(names.len() - 1)];
        match score.games {
            0 => writeln!(out, "{name}: no goal in any game")?,
            games => {
                writeln!(
                    out,
                    "{name}: mean goal {:.1}, {} of {games} with 100",
                    score.sum / games as f64,
                    score.wins
                )?;
            }
        }
    }
    if unfinished > 0 {
        let games = counted("game", unfinished);
        writeln!(out, "{games} not finished, without goals: too long, or a role had no move")?;
    }
    Ok(Outcome::Success)
}
