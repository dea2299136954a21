//! The command line of Tengen. Each subcommand has a file with its `Args` and its `main`.
//!
//! Data goes to stdout, and messages go to stderr. The exit code is 0 if everything succeeded. It is 1 if an
//! expectation failed or an input was bad. In this case the rest of the batch still runs. It is 2 if the command itself
//! could not run.
//!
//! A new subcommand needs a file in this folder, one `mod` line, one variant of [`Command`] and one arm of
//! [`dispatch`].

pub mod analyse;
pub mod bench;
pub mod check;
pub mod chess;
pub mod child_guard;
pub mod common;
pub mod completions;
pub mod events;
pub mod example;
pub mod export;
pub mod gdl;
pub mod ggp;
pub mod go;
pub mod gtp;
pub mod man;
pub mod merge;
mod numbers;
pub mod profile;
pub mod report;
pub mod run;
pub mod selfplay;
pub mod show;
pub mod uci;
#[cfg(feature = "viewer")]
pub mod view;

use crate::extension::Extensions;
use clap::{CommandFactory as _, Parser, Subcommand};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;
use tengen_core::escaped;

/// What stands below the list of commands.
const AFTER: &str = "\
Begin with: tengen example go

Exit codes: 0 all went well, 1 an expectation failed or an input was bad, 2 the command could not run.";

/// A data-oriented engine for board-game thinking: Go, chess and general game playing on one ECS scheduler.
#[derive(Debug, Parser)]
#[command(name = "tengen", version, about, max_term_width = 100, after_help = AFTER)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands, in the order a newcomer meets them.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a folder of scenes with their games, and say what to type next
    Example(example::Args),
    /// Run scenes: files, folders or globs; a table to stdout, progress to stderr
    Run(run::Args),
    /// Validate scenes and all they name, without running them
    Check(check::Args),
    /// Play whole games of a scene's position and write the game records and a summary
    Selfplay(selfplay::Args),
    /// Put the shards of a run or of self-play together: the bytes of one process
    Merge(merge::Args),
    /// Run scenes and say which system took how long
    Profile(profile::Args),
    /// Write the records of a run as tables for data frames: Parquet or CSV
    Export(export::Args),
    /// Follow the dragons of games through their records
    Events(events::Args),
    /// Draw a position with one layer of what was found, in the terminal
    Show(show::Args),
    /// Write pages about games: the lead, the key moments, the groups that were lost
    Report(report::Args),
    /// Look at games, scenes and batches in a browser
    #[cfg(feature = "viewer")]
    View(view::Args),
    /// Speak GTP version 2 on stdin and stdout
    Gtp(gtp::Args),
    /// Speak KataGo's analysis protocol (JSON lines) on stdin and stdout
    #[command(visible_alias = "analysis")]
    Analyse(analyse::Args),
    /// Speak UCI on stdin and stdout
    Uci(uci::Args),
    /// Play general games over HTTP
    Ggp(ggp::Args),
    /// Chess tools
    Chess(chess::Args),
    /// Go tools
    Go(go::Args),
    /// Rulesheet tools
    Gdl(gdl::Args),
    /// Run a program that ends when our input does: how other players are started
    #[command(name = "keep", hide = true)]
    ChildGuard(child_guard::Args),
    /// Print what a shell needs to complete this command line
    Completions(completions::Args),
    /// Write man pages of all commands
    Man(man::Args),
    /// Print one signature per domain: counts that change only when behaviour does
    Bench(bench::Args),
}

/// The command line without what only programs use.
fn offered() -> clap::Command {
    let whole = Cli::command();
    let hidden = |command: &&clap::Command| !command.is_hide_set();
    let shown: Vec<clap::Command> = whole.get_subcommands().filter(hidden).cloned().collect();
    let bare = clap::Command::new("tengen").version(env!("CARGO_PKG_VERSION")).subcommand_required(true);
    let bare = whole.get_about().cloned().into_iter().fold(bare, clap::Command::about);
    bare.after_help(AFTER).subcommands(shown)
}

/// How a command that could be carried out ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All well: exit code 0.
    Success,
    /// An expectation failed or some input was bad, and was reported: exit code 1.
    Failure,
}

impl From<bool> for Outcome {
    fn from(ok: bool) -> Self {
        if ok { Self::Success } else { Self::Failure }
    }
}

/// Reads the command line, carries it out and returns the process's exit code.
#[must_use]
pub fn main() -> ExitCode {
    run_with(&Extensions::default())
}

/// As [`main`], with what users add to the Worlds that are made.
#[must_use]
pub fn run_with(extensions: &Extensions) -> ExitCode {
    ExitCode::from(exit_code(std::env::args_os(), extensions))
}

/// Carries out a command line, the program's name first; the exit code of its process.
#[must_use]
pub fn exit_code(arguments: impl IntoIterator<Item = OsString>, extensions: &Extensions) -> u8 {
    let command = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.command,
        // Help and the version, or what is wrong.
        Err(error) => {
            // Words of the command line may be names that a stranger gave to files.
            match escaped(&error.render().to_string()) {
                Cow::Borrowed(_) => drop(error.print()),
                Cow::Owned(safe) => drop(write!(io::stderr(), "{safe}")),
            }
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    match dispatch(command, extensions) {
        Ok(Outcome::Success) => 0,
        Ok(Outcome::Failure) => 1,
        // Someone piped us into `head`: he has what he wanted.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            // Nothing can be done when stderr is gone too.
            let _ = writeln!(io::stderr(), "tengen: {}", escaped(&format!("{error:#}")));
            2
        }
    }
}

/// Carries out one command.
///
/// # Errors
/// The reason why the command could not run. A bad scene in a batch is an [`Outcome::Failure`] instead.
pub fn dispatch(command: Command, extensions: &Extensions) -> anyhow::Result<Outcome> {
    match command {
        Command::Example(args) => example::main(args),
        Command::Run(args) => run::main(args, extensions),
        Command::Check(args) => check::main(args),
        Command::Selfplay(args) => selfplay::main(args),
        Command::Merge(args) => merge::main(&args),
        Command::Profile(args) => profile::main(args, extensions),
        Command::Export(args) => export::main(args),
        Command::Events(args) => events::main(args),
        Command::Show(args) => show::main(args, extensions),
        Command::Report(args) => report::main(args),
        #[cfg(feature = "viewer")]
        Command::View(args) => view::main(args),
        Command::Gtp(args) => gtp::main(args),
        Command::Analyse(args) => analyse::main(args),
        Command::Uci(args) => uci::main(args),
        Command::Ggp(args) => ggp::main(args),
        Command::Chess(args) => chess::main(args),
        Command::Go(args) => go::main(args),
        Command::Gdl(args) => gdl::main(args),
        Command::ChildGuard(args) => child_guard::main(&args),
        Command::Completions(args) => completions::main(&args),
        Command::Man(args) => man::main(&args),
        Command::Bench(args) => bench::main(args),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
