//! `tengen gdl`: rulesheet tools.

use super::Outcome;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use tengen_propnet::machine::{Description, ProverMachine, State, StateMachine};
use tengen_propnet::program::Program;

/// The arguments of `tengen gdl`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do with the rulesheet.
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
    /// Walk through the game: JSON Lines in (`{"move":[..]}`, `"restart"`), states out
    Explore {
        /// The rulesheet
        file: PathBuf,
        /// What computes the states
        #[arg(long, default_value = "prover")]
        propagator: String,
    },
}

/// Carries out `tengen gdl`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    match args.tool {
        Tool::Check { files, fix_format } => check(&files, fix_format),
        Tool::Explore { file, propagator } => explore(&file, &propagator),
    }
}

/// The longest rulesheet that is read from a file, in bytes: one more than the parser takes.
const MAX_FILE: u64 = tengen_propnet::gdl::lexer::MAX_BYTES as u64 + 1;

/// Reads a rulesheet, but never more than the parser takes anyway.
fn read_text(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let name = file.display();
    if file.as_os_str() == "-" {
        io::stdin().lock().take(MAX_FILE).read_to_end(&mut bytes).context("stdin")?;
    } else {
        let opened = std::fs::File::open(file).with_context(|| format!("{name}"))?;
        opened.take(MAX_FILE).read_to_end(&mut bytes).with_context(|| format!("{name}"))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a rulesheet as clauses; its faults go to stderr.
fn load(file: &Path) -> anyhow::Result<Option<Program>> {
    let text = read_text(file)?;
    match Program::read(&text) {
        Ok(program) => Ok(Some(program)),
        Err(error) => {
            let mut err = io::stderr().lock();
            for d in error.diagnostics(&text) {
                writeln!(err, "{}", d.in_file(file.display().to_string()))?;
            }
            Ok(None)
        }
    }
}

fn check(files: &[PathBuf], fix_format: bool) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    let mut good = true;
    for file in files {
        let name = file.display().to_string();
        let text = match read_text(file) {
            Ok(text) => text,
            Err(error) => {
                writeln!(out, "error: {error:#}")?;
                good = false;
                continue;
            }
        };
        let (sheet, errors) = tengen_propnet::gdl::read(&text);
        let bad = errors.iter().any(|e| e.severity() == tengen_core::Severity::Error);
        for error in &errors {
            writeln!(out, "{}", error.diagnostic(&text).in_file(&name))?;
        }
        good &= !bad;
        if bad {
            continue;
        }
        if fix_format {
            let formatted = tengen_propnet::gdl::print::format(&text, &sheet);
            if file.as_os_str() == "-" {
                write!(out, "{formatted}")?;
                continue;
            }
            if formatted != text {
                std::fs::write(file, formatted).with_context(|| name.clone())?;
            }
        }
        writeln!(out, "{name}: {} rules, no errors", sheet.rules.len())?;
    }
    Ok(good.into())
}

fn explore(file: &Path, _propagator: &str) -> anyhow::Result<Outcome> {
    let Some(program) = load(file)? else { return Ok(Outcome::Failure) };
    let mut machine: Box<dyn StateMachine> = Box::new(ProverMachine::new(program)?);
    let mut state = machine.initial();
    machine.enter(&state)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}", to_json(&machine.describe(&state)?))?;
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
        let answer = match command(&line).and_then(|c| step(machine.as_mut(), &mut state, &c)) {
            Ok(answer) => answer,
            Err(error) => json!({"error": format!("{error:#}")}),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
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
) -> anyhow::Result<Value> {
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
    Ok(to_json(&machine.describe(state)?))
}

/// A state as one line of JSON.
fn to_json(d: &Description) -> Value {
    let goals: Vec<Value> = d.goals.iter().map(|values| goal_json(values)).collect();
    json!({"terminal": d.terminal, "true": d.facts, "legal": d.legal, "goals": goals})
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
