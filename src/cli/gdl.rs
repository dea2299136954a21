//! `tengen gdl`: the tools for rulesheets. Each tool is a subcommand.

mod compare;
mod explore;
mod format;
#[cfg(feature = "lsp")]
mod lsp;
mod managed;
mod match_args;
mod matches;
mod net;
mod perf;

use super::Outcome;
use super::numbers::seconds;
use crate::batch::progress::WorkLine;
use crate::number_text::counted;
use crate::scene::rulesheets;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tengen_core::escaped_line;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::gdl::Rulesheet;
use tengen_propnet::ground::Limits;
use tengen_propnet::information;
use tengen_propnet::program::Program;
use tengen_propnet::review::{self, Stage};

pub(crate) use explore::Walk;

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
        /// Seconds of processor time to ground at most. After two seconds the prover answers until the net is there
        #[arg(long, default_value_t = 60.0, value_parser = seconds)]
        setup: f64,
        /// Megabytes of ground atoms and instances before the prover takes over; about half of the
        /// memory's peak
        #[arg(long, default_value_t = DEFAULT_TABLES)]
        tables: usize,
    },
    /// Print the size of the net after each pass, write the net, or explain one proposition
    Net {
        /// The rulesheet
        file: PathBuf,
        /// Write the net as a Graphviz digraph
        #[arg(long)]
        dot: Option<PathBuf>,
        /// Write the net as JSON
        #[arg(long)]
        json: Option<PathBuf>,
        /// Explain a proposition by its rules and gates, such as `(legal white (move a b))` or `terminal`
        #[arg(long, value_name = "PROPOSITION")]
        explain: Option<String>,
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
        /// What to play with; `best` tries lanes and single states and takes the fastest, `single` is what counts say
        /// is best for one state
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
    /// Measure this build beside another one and beside recorded rates, on one page, with the set-up of all rulesheets
    Compare(compare::Args),
    /// Play games between players, also those of other programs over GGP, and print their goals or a table
    Match(match_args::Args),
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
        Tool::Explore { file, propagator, setup, tables } => {
            explore::explore(&file, &propagator, setup, tables)
        }
        Tool::Net { file, dot, json, explain, setup, tables } => {
            let wanted = net::Wanted { dot, json, explain };
            net::net(&file, &wanted, setup, tables)
        }
        Tool::Perf { file, out, seconds, propagator, seed } => {
            perf::perf(&file, &out, seconds, &propagator, seed)
        }
        Tool::Table { folder, peers, out, seconds, games } => {
            perf::table(&folder, &peers, &out, seconds, &games)
        }
        Tool::Compare(args) => compare::main(&args),
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
        let line = WorkLine::new();
        let mut told = |stage: Stage| line.show(&format!("{name}: {}", stage.words()));
        let review = review::whole_in_stages(&text, LoadLimits::default(), &mut || false, &mut told);
        drop(line);
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
            n => format!(", {}", counted("warning", n)),
        };
        let rules = review.sheet.rules.len();
        writeln!(out, "{}: {}, no errors{warnings}", escaped_line(&name), counted("rule", rules))?;
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
        writeln!(io::stderr(), "{}: no net: {why}", escaped_line(&crate::files::display(file)))?;
    }
    Ok(game)
}
