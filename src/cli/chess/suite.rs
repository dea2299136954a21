//! `tengen chess suite`: runs the published repetition cases on the schemes, or on a UCI engine.
//!
//! Without an option, the command tests Tengen's schemes on the cases about values, and Tengen's history on the cases
//! about facts. With `--engine` it tests any UCI engine on the cases about moves.

use crate::cli::Outcome;
use crate::client::process::EngineError;
use crate::client::uci::{self, Best, Client};
use anyhow::Context as _;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use tengen_chess::history::Policy;
use tengen_chess::repetition::Scheme;
use tengen_chess::suite::{Ask, Case, make, prove, wrong_facts, wrong_values};
use tengen_core::similar::instead;
use tengen_core::{Stop, escaped, escaped_line};

/// The published cases.
const PUBLISHED: &str = include_str!("../../../resources/chess/repetition/cases.jsonl");

/// The arguments of `tengen chess suite`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Other cases, one JSON object a line; without it, the published ones, which are part of the program
    file: Option<PathBuf>,
    /// A UCI engine's command line
    #[arg(long)]
    engine: Vec<String>,
    /// An option that the engine offers
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// What follows `go`: words and numbers that end a search, such as `nodes 20000` or `movetime 300`
    #[arg(long, default_value = "nodes 100000", value_parser = uci::limits)]
    limit: String,
    /// Seconds an engine may take to answer
    #[arg(long, default_value_t = 60)]
    patience: u64,
    /// Only these groups
    #[arg(long, value_delimiter = ',')]
    group: Vec<String>,
    /// Workers on one value
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Make every proof again by the slow reference
    #[arg(long)]
    prove: bool,
    /// Make the cases of a seed and write them, one JSON object a line
    #[arg(long, value_name = "SEED")]
    make: Option<u64>,
    /// Name the cases failed
    #[arg(long)]
    verbose: bool,
}

/// Runs the suite.
///
/// # Errors
/// If the file can't be read, or no case is in a group of `--group`. An unusable engine is reported on stderr, and the
/// others are asked.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let mut out = std::io::stdout().lock();
    if let Some(seed) = args.make {
        are_known(&args.group, &make::GROUPS.map(|(name, _)| name))?;
        let told = |group: &str, number| {
            // Whoever closed the stream does not want to know.
            let _ = writeln!(std::io::stderr(), "{group}: {number}");
        };
        for case in make::suite(seed, &args.group, told) {
            writeln!(out, "{}", serde_json::to_string(&case)?)?;
        }
        return Ok(Outcome::Success);
    }
    let cases = cases(args)?;
    if args.prove {
        return proofs(&mut out, &cases);
    }
    if args.engine.is_empty() {
        return own(&mut out, args, &cases);
    }
    writeln!(out, "| engine | {} | all |", escaped_line(&groups(&cases).join(" | ")))?;
    writeln!(out, "| --- |{}", " --- |".repeat(groups(&cases).len() + 1))?;
    let options = options(args)?;
    let mut good = true;
    for command in &args.engine {
        // An engine that can't be used costs its own row.
        if let Err(error) = asked(&mut out, args, command, &options, &cases) {
            out.flush()?;
            writeln!(std::io::stderr(), "{}: it has no row", escaped(&format!("{error:#}")))?;
            good = false;
        }
    }
    Ok(Outcome::from(good))
}

/// The options of `--option`.
fn options(args: &Args) -> anyhow::Result<Vec<(String, String)>> {
    let given = args.option.iter().map(|option| {
        let pair = option.split_once('=').with_context(|| format!("`{option}` is no NAME=VALUE"))?;
        Ok((pair.0.to_owned(), pair.1.to_owned()))
    });
    given.collect()
}

/// The cases wanted.
fn cases(args: &Args) -> anyhow::Result<Vec<Case>> {
    let (text, name) = match &args.file {
        Some(file) => (Cow::Owned(super::read(file)?), file.display().to_string()),
        None => (Cow::Borrowed(PUBLISHED), "the published cases".into()),
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let cases: Vec<Case> = lines
        .map(|(n, line)| {
            let case: Case = serde_json::from_str(line).with_context(|| format!("{name}:{}", n + 1))?;
            case.game().with_context(|| format!("{name}:{}", n + 1))?;
            Ok(case)
        })
        .collect::<anyhow::Result<_>>()?;
    if args.engine.is_empty() {
        let known: BTreeSet<&str> = cases.iter().map(|case| case.group.as_str()).collect();
        are_known(&args.group, &known.into_iter().collect::<Vec<_>>())?;
    } else {
        are_known(&args.group, &groups(&cases)).context("an engine is asked for moves")?;
    }
    Ok(cases.into_iter().filter(|c| args.group.is_empty() || args.group.contains(&c.group)).collect())
}

/// Whether each wanted group is among the known ones.
fn are_known(wanted: &[String], known: &[&str]) -> anyhow::Result<()> {
    match wanted.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => anyhow::bail!("no case is in the group `{name}`: {}", instead(name, "groups", known)),
        None => Ok(()),
    }
}

/// Groups that ask for a move, in order.
fn groups(cases: &[Case]) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::new();
    for case in cases.iter().filter(|case| matches!(case.ask, Ask::Move { .. })) {
        if !out.contains(&case.group.as_str()) {
            out.push(&case.group);
        }
    }
    out
}

fn proofs(out: &mut impl Write, cases: &[Case]) -> anyhow::Result<Outcome> {
    let mut failed = 0;
    for case in cases {
        let faults = prove(case)?;
        failed += usize::from(!faults.is_empty());
        for fault in faults {
            writeln!(out, "{}: {fault} does not hold", escaped_line(&case.id))?;
        }
    }
    writeln!(out, "{} proved, {failed} failed", cases.len() - failed)?;
    Ok(Outcome::from(failed == 0))
}

/// The engine's schemes, and its history.
fn own(out: &mut impl Write, args: &Args, cases: &[Case]) -> anyhow::Result<Outcome> {
    let values: Vec<&Case> = cases.iter().filter(|c| matches!(c.ask, Ask::Value { .. })).collect();
    let all = values.len() * Policy::ALL.len();
    let mut good = true;
    writeln!(out, "| scheme | wrong values | cases with one |")?;
    writeln!(out, "| --- | --- | --- |")?;
    for scheme in Scheme::offered() {
        let (mut wrong, mut failed) = (0, Vec::new());
        for case in &values {
            let of_case = wrong_values(case, scheme, args.workers)?;
            wrong += of_case;
            if of_case > 0 {
                failed.push(case.id.as_str());
            }
        }
        good &= wrong == 0 || !scheme.is_exact();
        writeln!(out, "| {} | {wrong} of {all} | {} of {} |", scheme.name(), failed.len(), values.len())?;
        if args.verbose {
            writeln!(out, "<!-- {} -->", escaped_line(&failed.join(" ")))?;
        }
    }
    let mut wrong = 0;
    let facts = cases.iter().filter(|c| matches!(c.ask, Ask::Facts { .. }));
    for case in facts.clone() {
        let faults = wrong_facts(case)?;
        wrong += usize::from(!faults.is_empty());
        for fault in faults {
            writeln!(out, "{}: {fault}", escaped_line(&case.id))?;
        }
    }
    writeln!(out, "\nfacts: {} right, {wrong} wrong", facts.count() - wrong)?;
    Ok(Outcome::from(good && wrong == 0))
}

/// One engine's row.
fn asked(
    out: &mut impl Write,
    args: &Args,
    command: &str,
    options: &[(String, String)],
    cases: &[Case],
) -> anyhow::Result<()> {
    let patience = Duration::from_secs(args.patience);
    let pairs = || options.iter().map(|(name, value)| (name, value));
    let start = || Client::start(command, pairs(), &Stop::NEVER);
    let mut client = start()?;
    let mut tally: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let mut failed = Vec::new();
    for case in cases {
        let Ask::Move { best, avoid, .. } = &case.ask else { continue };
        let answer = match answer(&mut client, case, &args.limit, patience) {
            Ok(answer) => answer,
            Err(error) => {
                // One case lost; the engine begins anew.
                failed.push(format!("{}: {error}", case.id));
                tally.entry(&case.group).or_default().1 += 1;
                client = start()?;
                continue;
            }
        };
        let played = &answer.text;
        let is_move = !matches!(played.as_str(), "" | "(none)" | "0000");
        let right = is_move && (best.is_empty() || best.contains(played)) && !avoid.contains(played);
        let row = tally.entry(&case.group).or_default();
        row.0 += u32::from(right);
        row.1 += 1;
        if !right {
            let score = answer.score.map_or_else(|| "no score".to_owned(), |score| score.to_string());
            failed.push(format!("{}: {played} ({score})", case.id));
        }
    }
    write!(out, "| {} |", escaped_line(client.name()))?;
    for group in groups(cases) {
        let (right, of) = tally.get(group).copied().unwrap_or_default();
        write!(out, " {right} of {of} |")?;
    }
    let (right, of) = tally.values().fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    writeln!(out, " {right} of {of} |")?;
    if args.verbose {
        failed.iter().try_for_each(|line| writeln!(out, "<!-- {} -->", escaped_line(line)))?;
    }
    out.flush()?;
    Ok(())
}

/// The engine's move in a case, as a new game.
fn answer(client: &mut Client, case: &Case, limit: &str, patience: Duration) -> Result<Best, EngineError> {
    client.new_game()?;
    let moves = if case.moves.is_empty() { String::new() } else { format!(" moves {}", case.moves) };
    client.go(&format!("fen {}{moves}", case.fen), limit, Some(patience))
}

#[cfg(test)]
mod tests {
    use super::PUBLISHED;
    use tengen_chess::suite::Case;

    #[test]
    fn the_program_holds_the_480_published_cases() {
        let cases: Vec<Case> =
            PUBLISHED.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
        assert_eq!(cases.len(), 480);
        assert!(cases.iter().all(|case| case.game().is_ok()));
    }
}
