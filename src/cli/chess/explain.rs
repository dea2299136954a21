//! `tengen chess explain`: prints the tree of one exact search as text or JSON.

use super::Repetition;
use crate::cli::Outcome;
use crate::number_text::counted;
use clap::ValueEnum;
use std::io::Write;
use tengen_chess::exact::ExactOptions;
use tengen_chess::exact::explain::{Explained, explain};
use tengen_chess::exact::tree::Node;
use tengen_chess::history::Game;

/// The arguments of `tengen chess explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The start of the game: a FEN in quotes, or `startpos`
    fen: String,
    /// Moves to the root, in UCI form
    moves: Vec<String>,
    /// Plies searched
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// Plies written down
    #[arg(long, default_value_t = 2)]
    plies: u32,
    #[command(flatten)]
    repetition: Repetition,
    /// Raise alpha where the side to move can repeat
    #[arg(long)]
    upcoming: bool,
    /// How to write it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A line a node, indented
    Text,
    /// One JSON object
    Json,
}

/// Searches and writes the tree.
///
/// # Errors
/// If the game can't be set up.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let game = Game::from_text(&args.fen, args.moves.iter().map(String::as_str))?;
    let options = ExactOptions {
        depth: args.depth,
        policy: args.repetition.policy,
        scheme: args.repetition.scheme,
        upcoming: args.upcoming,
        ..ExactOptions::default()
    };
    let told = explain(&game, options, args.plies);
    let mut out = std::io::stdout().lock();
    match args.format {
        Format::Json => writeln!(out, "{}", serde_json::to_string(&told)?)?,
        Format::Text => write_text(&mut out, args, &game, &told)?,
    }
    Ok(Outcome::Success)
}

fn write_text(out: &mut impl Write, args: &Args, game: &Game, told: &Explained) -> std::io::Result<()> {
    let Repetition { scheme, policy } = args.repetition;
    writeln!(out, "{}", game.fen())?;
    writeln!(
        out,
        "depth {}, scheme {}, policy {}: value {}, {}; rests on {}",
        args.depth,
        scheme.name(),
        policy.name(),
        told.report.value,
        counted("node", told.report.nodes as usize),
        told.report.path
    )?;
    write_node(out, &told.tree)?;
    if told.left_out > 0 {
        writeln!(out, "not written down: {} more", counted("node", told.left_out))?;
    }
    Ok(())
}

/// Values are the side to move's at that node.
fn write_node(out: &mut impl Write, node: &Node) -> std::io::Result<()> {
    let name = if node.mv.is_empty() { "root" } else { &node.mv };
    write!(out, "{}{name} {} ({})", "  ".repeat(usize::from(node.ply.unsigned_abs())), node.value, node.end)?;
    if let Some(rest) = node.rest {
        write!(out, ", rests on ply {rest}")?;
    }
    if let Some(shadow) = node.shadow {
        write!(out, ", shadow {shadow}")?;
    }
    if let Some(looked_up) = node.looked_up {
        write!(out, "; table had {}", looked_up.stored)?;
        if let Some(why) = looked_up.refused {
            write!(out, ", admitted {} ({why})", looked_up.admitted)?;
        }
    }
    if let Some(kept) = node.kept {
        write!(out, "; kept {}", kept.bounds)?;
        if let Some(why) = kept.refused {
            write!(out, " ({why})")?;
        }
    }
    writeln!(out)?;
    node.moves.iter().try_for_each(|child| write_node(out, child))
}
