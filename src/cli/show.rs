//! `tengen show`: a board and a layer.

use super::Outcome;
use super::common::{EffortArgs, PatternArgs, SceneArgs, print};
use crate::report::board::{Layer, draw};
use crate::scene::cases::GameRecord;
use crate::scene::position;
use clap::ValueEnum;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use tengen_core::Diagnostic;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Color, Rules};
use tengen_go::world::Position;
use tengen_go::{Effort, GoEngine, Level};

/// The arguments of `tengen show`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A scene file, or a game record (`.sgf`)
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// What to draw
    #[arg(long, short, value_enum, default_value_t = Layer::Stones)]
    layer: Layer,
    /// Of a scene file, only the scene with this name
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// Of a game record, the position before this move; without it, the last one
    #[arg(long = "move", value_name = "N")]
    before: Option<usize>,
    /// Whose turn it is taken to be
    #[arg(long, value_enum)]
    to_move: Option<Side>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    effort: EffortArgs,
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Black
    Black,
    /// White
    White,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// If stdout is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Carries out `tengen show`.
///
/// # Errors
/// If there is no scene of that name; a bad scene or game record is told on stderr.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let colours = match args.color {
        When::Auto => io::stdout().is_terminal(),
        When::Always => true,
        When::Never => false,
    };
    let mut engine = GoEngine::new(1);
    if let Some(patterns) = args.patterns.load()? {
        engine.world_mut().insert_resource(patterns);
    }
    let mut show = |title: &str, mut position: Position, effort: Option<Level>| {
        engine.read_under(Effort::of(args.effort.effort.or(effort).unwrap_or_default()));
        match args.to_move {
            Some(Side::Black) => position.to_move = Color::Black,
            Some(Side::White) => position.to_move = Color::White,
            None => {}
        }
        let head = format!("{title}, {} to move\n", position.to_move);
        engine.put(0, position);
        engine.analyse(args.layer.stage());
        print(&(head + &draw(&engine, args.layer, colours)))
    };
    if args.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf")) {
        return Ok(match of_record(&args) {
            Ok((position, moves)) => {
                show(&format!("{}, move {moves}", args.path.display()), position, None)?;
                Outcome::Success
            }
            Err(fault) => {
                writeln!(io::stderr(), "{fault}")?;
                Outcome::from(false)
            }
        });
    }
    let mut shown = 0;
    let mut good = true;
    for case in (SceneArgs { paths: vec![args.path.clone()] }).cases(1) {
        if args.scene.as_ref().is_some_and(|name| case.scene.as_ref().is_none_or(|s| s.name != *name)) {
            continue;
        }
        shown += 1;
        match position::go(&case) {
            Ok(input) => show(&case.id, input.position, case.scene.as_ref().and_then(|s| s.effort))?,
            Err(fault) => {
                writeln!(io::stderr(), "{fault}")?;
                good = false;
            }
        }
    }
    anyhow::ensure!(shown > 0, "no scene of that name in {}", args.path.display());
    Ok(Outcome::from(good))
}

fn of_record(args: &Args) -> Result<(Position, usize), Diagnostic> {
    let record = GameRecord::read(&args.path)?;
    let until = args.before.map_or(Until::End, Until::Move);
    let game = sgf::load(&record.tree, &record.tree.line(&[]), until, Rules::default())
        .map_err(|e| record.fault(&e))?;
    let moves = game.moves;
    let mut position = Position::new(game.board, game.to_move);
    position.komi = game.komi;
    Ok((position, moves))
}
