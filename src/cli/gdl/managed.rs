//! `tengen gdl match` with Tengen's game manager. Every player is a process or an address that speaks GGP.

use super::match_args::{Args, kind};
use super::{DEFAULT_TABLES, Outcome, ground, load};
use crate::batch::matches::folder::{Folder, manifest};
use crate::batch::matches::table::Table;
use crate::batch::matches::{self, Clocks, Plan, Player, Record, Sheet, Way};
use crate::cli::common::stop_on_interruption;
use crate::client::ggp::program::{PORT, SEED};
use crate::client::process::quoted;
use crate::number_text::counted;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tengen_core::escaped_line;
use tengen_propnet::information;
use tengen_propnet::players::Kind;
use tengen_propnet::players::selfplay::numbers_of_players;

/// The most steps of a match.
const MOST_STEPS: usize = 1000;

/// Whether the game manager is to play.
///
/// # Errors
/// If a player of another program is named wrongly.
pub(super) fn is_asked_for(args: &Args, names: &[String]) -> anyhow::Result<bool> {
    let mut outside = args.out.is_some() || args.scramble;
    for name in names {
        outside |= Player::outside(name)?.is_some();
    }
    Ok(outside)
}

/// The player of a name: another program, or one of Tengen's own in a process of its own.
fn player(name: &str, threads: u16) -> anyhow::Result<Player> {
    if let Some(player) = Player::outside(name)? {
        return Ok(player);
    }
    let way = match kind(name)? {
        Kind::Random => Way::Random,
        Kind::Legal => Way::Legal,
        _ => {
            let own = std::env::current_exe().context("where this program is")?;
            let own = quoted(&own.to_string_lossy());
            Way::Command(format!("{own} ggp --port {PORT} --seed {SEED} --player {name} --threads {threads}"))
        }
    };
    Ok(Player { name: name.to_owned(), way })
}

fn plan(args: &Args, names: &[String]) -> anyhow::Result<Plan> {
    let seconds = args.seconds.unwrap_or(1.0);
    anyhow::ensure!(
        seconds >= 1.0 && seconds.fract() == 0.0 && args.start.fract() == 0.0,
        "the clocks of GGP count whole seconds: give --seconds 1 or more, and a whole --start"
    );
    Ok(Plan {
        players: names.iter().map(|name| player(name, args.threads)).collect::<anyhow::Result<_>>()?,
        clocks: Clocks {
            start: Duration::from_secs_f64(args.start.max(seconds)),
            play: Duration::from_secs_f64(seconds),
            margin: Duration::from_secs_f64(args.margin),
        },
        seed: args.seed,
        swap: args.swap,
        scramble: args.scramble,
        most_steps: MOST_STEPS,
    })
}

/// Plays the matches of each rulesheet that have no record yet, a line each, then writes the table.
pub(super) fn main(args: &Args, names: &[String]) -> anyhow::Result<Outcome> {
    let plan = plan(args, names)?;
    let rules: Vec<String> = args.files.iter().map(|file| crate::files::display(file)).collect();
    for (n, name) in rules.iter().enumerate() {
        anyhow::ensure!(!rules[..n].contains(name), "{} is named twice", escaped_line(name));
    }
    let stop = stop_on_interruption()?;
    let manifest = manifest(&plan, &args.files);
    let existing = args.existing.existing();
    let mut folder =
        args.out.as_ref().map(|out| Folder::open(out, &manifest, &plan, existing)).transpose()?;
    if let Some(dropped) = folder.as_ref().map(Folder::dropped).filter(|&dropped| dropped > 0) {
        let matches = if dropped == 1 { "match" } else { "matches" };
        writeln!(io::stderr(), "played again, since the record was torn or altered: {dropped} {matches}")?;
    }
    let mut outcome = Outcome::Success;
    let (mut records, mut tried) = (Vec::<Record>::new(), false);
    let mut out = io::stdout().lock();
    'all: for (n, (file, name)) in args.files.iter().zip(&rules).enumerate() {
        if rules.len() > 1 {
            let gap = if n > 0 { "\n" } else { "" };
            writeln!(out, "{gap}{}", escaped_line(name))?;
        }
        let mut sheet = None;
        for number in 0..args.games {
            if let Some(record) = folder.as_ref().and_then(|folder| folder.record(name, number)) {
                records.push(record.clone());
                continue;
            }
            if sheet.is_none() {
                sheet = load_sheet(file, name)?;
            }
            let Some(sheet) = &sheet else {
                outcome = Outcome::Failure;
                break;
            };
            check_roles(args, &plan, sheet)?;
            if !std::mem::replace(&mut tried, true)
                && let Err(error) = plan.try_players(&stop)
            {
                anyhow::bail!("{error}: no match is played");
            }
            let Some(record) = matches::play(&plan, sheet, number, &stop)? else { break 'all };
            if let Some(folder) = &mut folder {
                folder.add(&record)?;
            }
            writeln!(out, "{}", line(&record))?;
            out.flush()?;
            records.push(record);
        }
    }
    // An interruption comes before records of an earlier run were looked at.
    if let Some(folder) = &folder {
        let all = rules.iter().flat_map(|name| (0..args.games).map(move |number| (name, number)));
        records = all.filter_map(|(name, number)| folder.record(name, number).cloned()).collect();
    }
    let table = Table::of(names, &rules, &records);
    if let Some(folder) = &folder {
        folder.finish(&table.json())?;
    }
    if !records.is_empty() {
        writeln!(out)?;
        table.write(&mut out)?;
    }
    out.flush()?;
    let advice = if folder.is_some() { "; --resume goes on from there" } else { "" };
    anyhow::ensure!(!stop.now(), "interrupted after {}{advice}", matches_counted(records.len()));
    Ok(outcome)
}

/// A number of matches in words.
fn matches_counted(count: usize) -> String {
    if count == 1 { "1 match".to_owned() } else { format!("{count} matches") }
}

fn load_sheet(file: &Path, name: &str) -> anyhow::Result<Option<Sheet>> {
    let Some((_, _, text)) = load(file)? else { return Ok(None) };
    let program = information::read(&text)?;
    let game = Arc::new(ground(file, program, 60.0, DEFAULT_TABLES)?);
    Ok(Some(Sheet { name: name.to_owned(), text, game }))
}

/// Whether the players that were named have roles.
fn check_roles(args: &Args, plan: &Plan, sheet: &Sheet) -> anyhow::Result<()> {
    let roles = numbers_of_players(&sheet.game).iter().flatten().count();
    anyhow::ensure!(
        args.players.is_none() || plan.players.len() <= roles,
        "--players names {}, and {} has {} to play",
        counted("player", plan.players.len()),
        escaped_line(&sheet.name),
        counted("role", roles)
    );
    Ok(())
}

/// The line of a match.
fn line(record: &Record) -> String {
    let goal = |goal: &Option<i64>| goal.map_or_else(|| "none".to_owned(), |goal| goal.to_string());
    let goals: Vec<String> = record.goals.iter().map(goal).collect();
    let seats: Vec<String> = record.seats.iter().map(|seat| sign(*seat)).collect();
    let end = match record.end.as_str() {
        "terminal" => format!("goals {}", goals.join(" ")),
        end => format!("not finished ({end})"),
    };
    let faults = match record.faults.len() {
        0 => String::new(),
        n => format!(", {}", counted("fault", n)),
    };
    let moves = counted("move", record.moves.len());
    format!("game {}: {} play, {moves}, {end}{faults}", record.number, seats.join(" "))
}

/// The sign of a role's player, as the table has it.
fn sign(seat: Option<usize>) -> String {
    seat.map_or_else(|| "random".to_owned(), matches::table::letter)
}
