//! `tengen gdl`: the tools for rulesheets, one subcommand each.

mod format;
#[cfg(feature = "lsp")]
mod lsp;
mod matches;
mod perf;

use super::Outcome;
use super::numbers::seconds;
use crate::number_text::plural;
use crate::scene::rulesheets;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tengen_propnet::game::{Game, LoadLimits, NoNet};
use tengen_propnet::gdl::Rulesheet;
use tengen_propnet::ground::Limits;
use tengen_propnet::information;
use tengen_propnet::machine::{Description, State, StateMachine};
use tengen_propnet::net::build::BuildError;
use tengen_propnet::program::Program;
use tengen_propnet::review;

/// The arguments of `tengen gdl`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The tool to run.
    #[command(subcommand)]
    pub tool: Tool,
}

/// The rulesheet tools.
#[derive(Debug, clap::Subcommand)]
pub enum Tool {
    /// Say all that is wrong with rulesheets, with line, column and help
    Check {
        /// The rulesheets (`-` is stdin)
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write good rulesheets back in one style
        #[arg(long)]
        fix_format: bool,
    },
    /// Write rulesheets in one style, in place; `-` reads stdin and writes stdout
    Fmt(format::Args),
    /// Serve an editor over stdio, by the Language Server Protocol
    #[cfg(feature = "lsp")]
    Lsp {
        /// Editors give this; stdio is the only way there is
        #[arg(long)]
        stdio: bool,
    },
    /// Walk through the game: JSON Lines in (`{"move":[..]}`, `"restart"`), states out
    Explore {
        /// The rulesheet
        file: PathBuf,
        /// What computes the states: a propagator, `prover`, or the best there is
        #[arg(long, default_value = "auto")]
        propagator: String,
        /// Seconds of processor time to ground before the prover takes over
        #[arg(long, default_value_t = 60.0, value_parser = seconds)]
        setup: f64,
        /// Megabytes of ground atoms and instances before the prover takes over; about half of the
        /// memory's peak
        #[arg(long, default_value_t = DEFAULT_TABLES)]
        tables: usize,
    },
    /// Print the size of the net after each pass
    Net {
        /// The rulesheet
        file: PathBuf,
        /// Write the net as a Graphviz digraph
        #[arg(long)]
        dot: Option<PathBuf>,
        /// Seconds of processor time to ground
        #[arg(long, default_value_t = 60.0, value_parser = seconds)]
        setup: f64,
        /// Megabytes of ground atoms and instances; about half of the memory's peak
        #[arg(long, default_value_t = DEFAULT_TABLES)]
        tables: usize,
    },
    /// Play random games for some seconds and write how many, as `key = value` lines
    Perf {
        /// The rulesheet
        file: PathBuf,
        /// The file to write (`-` is stdout)
        out: PathBuf,
        /// How long to play
        #[arg(value_parser = seconds)]
        seconds: f64,
        /// What to play with; `best` tries lanes512 and differential and takes the faster
        #[arg(long, default_value = "best")]
        propagator: String,
        /// The run's seed
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// Measure every way to propagate on the games of a table of other engines' rates, and write the page about it
    Table {
        /// The folder of the rulesheets
        folder: PathBuf,
        /// The table: game,roles,engine,state_changes_per_s,setup_cpu_s,...
        peers: PathBuf,
        /// The Markdown file to write
        out: PathBuf,
        /// How long each way plays each game
        #[arg(long, default_value_t = 1.0, value_parser = seconds)]
        seconds: f64,
        /// Only these games
        #[arg(long, value_delimiter = ',')]
        games: Vec<String>,
    },
    /// Play games between players and print the mean goals
    Match(matches::Args),
}

/// Carries out `tengen gdl`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    match args.tool {
        Tool::Check { files, fix_format } => check(&files, fix_format),
        Tool::Fmt(args) => format::main(&args),
        #[cfg(feature = "lsp")]
        Tool::Lsp { .. } => lsp::main(),
        Tool::Explore { file, propagator, setup, tables } => explore(&file, &propagator, setup, tables),
        Tool::Net { file, dot, setup, tables } => net(&file, dot.as_deref(), setup, tables),
        Tool::Perf { file, out, seconds, propagator, seed } => {
            perf::perf(&file, &out, seconds, &propagator, seed)
        }
        Tool::Table { folder, peers, out, seconds, games } => {
            perf::table(&folder, &peers, &out, seconds, &games)
        }
        Tool::Match(args) => matches::main(&args),
    }
}

/// The default of `--tables`, in megabytes: a person who asks for one game waits longer than a batch would.
const DEFAULT_TABLES: usize = 2_000;
/// A megabyte in numbers of 4 bytes.
const WORDS_PER_MB: usize = 250_000;

/// Reads a rulesheet as clauses; its errors and the warnings of its rules go to stderr.
fn load(file: &Path) -> anyhow::Result<Option<(Program, Rulesheet, String)>> {
    let mut err = io::stderr().lock();
    let text = match rulesheets::read(file) {
        Ok(text) => text,
        Err(fault) => {
            writeln!(err, "{fault}")?;
            return Ok(None);
        }
    };
    let review = review::rules(&text);
    for d in rulesheets::diagnostics(&review, &text, &crate::files::display(file)) {
        writeln!(err, "{d}")?;
    }
    Ok(review.program.map(|program| (program, review.sheet, text)))
}

fn check(files: &[PathBuf], fix_format: bool) -> anyhow::Result<Outcome> {
    let mut good = true;
    for file in files {
        let name = crate::files::display(file);
        let text = match rulesheets::read(file) {
            Ok(text) => text,
            Err(fault) => {
                writeln!(io::stdout(), "{fault}")?;
                good = false;
                continue;
            }
        };
        let review = review::whole(&text, LoadLimits::default(), &mut || false);
        let mut out = io::stdout().lock();
        for d in rulesheets::diagnostics(&review, &text, &name) {
            writeln!(out, "{d}")?;
        }
        if !review.is_good() {
            good = false;
            continue;
        }
        if fix_format {
            format::write_back(file, &text, &mut out)?;
            if file.as_os_str() == "-" {
                continue;
            }
        }
        let warnings = match review.faults.len() {
            0 => String::new(),
            n => format!(", {n} {}", plural("warning", n)),
        };
        writeln!(out, "{name}: {} rules, no errors{warnings}", review.sheet.rules.len())?;
    }
    Ok(good.into())
}

/// The game for players: its states hold what each role perceives.
fn load_with_percepts(file: &Path) -> anyhow::Result<Option<Game>> {
    let Some((_, _, text)) = load(file)? else { return Ok(None) };
    let program = information::read(&text)?;
    Ok(Some(ground(file, program, 60.0, DEFAULT_TABLES)?))
}

/// Grounds for at most `setup` seconds of processor time. A game without a net is reported on stderr.
fn load_game(file: &Path, setup: f64, tables: usize) -> anyhow::Result<Option<Game>> {
    let Some((program, ..)) = load(file)? else { return Ok(None) };
    Ok(Some(ground(file, program, setup, tables)?))
}

fn ground(file: &Path, program: Program, setup: f64, tables: usize) -> anyhow::Result<Game> {
    let watch = perf::Watch::new();
    let ground = Limits { words: tables.saturating_mul(WORDS_PER_MB), ..Limits::default() };
    let game = Game::from_program(program, LoadLimits { ground }, &mut || watch.seconds() > setup);
    if let Err(why) = &game.topology {
        writeln!(io::stderr(), "{}: no net: {why}", file.display())?;
    }
    Ok(game)
}

fn net(file: &Path, dot: Option<&Path>, setup: f64, tables: usize) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let Some(game) = load_game(file, setup, tables)? else { return Ok(Outcome::Failure) };
    let Ok(topology) = &game.topology else { return Ok(Outcome::Failure) };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:<16}{:>8}{:>8}{:>9}{:>9}{:>9}{:>10}{:>7}{:>8}",
        "pass", "bases", "inputs", "and", "or", "not", "edges", "depth", "fan-in"
    )?;
    for (name, s) in &game.sizes {
        writeln!(
            out,
            "{name:<16}{:>8}{:>8}{:>9}{:>9}{:>9}{:>10}{:>7}{:>8}",
            s.bases, s.inputs, s.ands, s.ors, s.nots, s.edges, s.depth, s.fan_in
        )?;
    }
    writeln!(io::stderr(), "{}: {:.3} s", file.display(), start.elapsed().as_secs_f64())?;
    if let Some(path) = dot {
        let graph = tengen_propnet::net::dot::dot(&topology.net);
        crate::files::write_file(path, |file| file.write_all(graph.as_bytes()))?;
    }
    Ok(Outcome::Success)
}

fn explore(file: &Path, propagator: &str, setup: f64, tables: usize) -> anyhow::Result<Outcome> {
    let Some((_, sheet, text)) = load(file)? else { return Ok(Outcome::Failure) };
    let program = information::read(&text)?;
    let hidden = information::is_hidden(&program);
    let game = if propagator == "prover" {
        Game::without_net(program, NoNet::Build(BuildError::Stopped))
    } else {
        ground(file, program, setup, tables)?
    };
    let begun = game.machine(propagator).and_then(|mut machine| {
        let state = machine.initial();
        machine.enter(&state)?;
        let first = machine.describe(&state)?;
        Ok((machine, state, first))
    });
    let (mut machine, mut state, first) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            let Some(fault) = review::fault_of_game(&sheet, &error) else { return Err(error.into()) };
            writeln!(io::stderr(), "{}", fault.diagnostic(&text).in_file(crate::files::display(file)))?;
            return Ok(Outcome::Failure);
        }
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{}", to_json(&first, machine.roles(), hidden))?;
    out.flush()?;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(Outcome::Success);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        writeln!(out, "{}", explored(machine.as_mut(), &mut state, &line, hidden))?;
        out.flush()?;
    }
}

/// The answer to one line of `explore`; in a game of hidden information with what each role perceived.
pub(crate) fn explored(
    machine: &mut dyn StateMachine,
    state: &mut State,
    line: &[u8],
    hidden: bool,
) -> Value {
    match command(line).and_then(|c| step(machine, state, &c)) {
        Ok(description) => to_json(&description, machine.roles(), hidden),
        Err(error) => json!({"error": format!("{error:#}")}),
    }
}

/// The longest line of input that is read as one.
const MAX_LINE: u64 = 1 << 20;

/// One line of `explore`: `None` is `"restart"`.
fn command(line: &[u8]) -> anyhow::Result<Option<Vec<String>>> {
    let value: Value = serde_json::from_slice(line).context("the line is not JSON")?;
    let help = "a line is {\"move\":[\"(mark 1 1)\",\"noop\"]} or \"restart\"";
    if value == "restart" {
        return Ok(None);
    }
    let moves = value.get("move").and_then(Value::as_array).with_context(|| help)?;
    let texts: Option<Vec<String>> = moves.iter().map(|m| m.as_str().map(str::to_owned)).collect();
    texts.map(Some).with_context(|| help)
}

fn step(
    machine: &mut dyn StateMachine,
    state: &mut State,
    moves: &Option<Vec<String>>,
) -> anyhow::Result<Description> {
    let next = match moves {
        None => machine.initial(),
        Some(_) if machine.terminal()? => anyhow::bail!("the state is terminal; `\"restart\"` begins again"),
        Some(texts) => {
            let joint = machine.joint_move(texts)?;
            machine.successor(&joint)?
        }
    };
    machine.enter(&next)?;
    *state = next;
    Ok(machine.describe(state)?)
}

/// A state as one line of JSON.
fn to_json(d: &Description, roles: &[String], hidden: bool) -> Value {
    let goals: Vec<Value> = d.goals.iter().map(|values| goal_json(values)).collect();
    let (percepts, facts): (Vec<&String>, Vec<&String>) =
        d.facts.iter().partition(|fact| information::is_percept(fact));
    let mut found = json!({"terminal": d.terminal, "true": facts, "legal": d.legal, "goals": goals});
    if hidden {
        let mut sees = vec![Vec::new(); roles.len()];
        for (role, percept) in percepts.iter().filter_map(|fact| information::percept_of(roles, fact)) {
            sees[role].push(percept);
        }
        found["sees"] = json!(sees);
    }
    found
}

/// One value as a number; none or several as a list.
fn goal_json(values: &[String]) -> Value {
    let number = |v: &String| v.parse::<i64>().map_or_else(|_| json!(v), |n| json!(n));
    match values {
        [one] => number(one),
        many => {
            let mut numbers: Vec<Value> = many.iter().map(number).collect();
            numbers.sort_by_key(|v| v.as_i64().unwrap_or(i64::MAX));
            Value::Array(numbers)
        }
    }
}
