//! `tengen show`: a board and a layer.

use super::Outcome;
use super::common::{EffortArgs, PatternArgs, SceneArgs, print};
use crate::own::{Layers, Own, OwnLayer};
use crate::report::board::{Layer, draw, draw_own};
use crate::scene::cases::GameRecord;
use crate::scene::position;
use clap::ValueEnum;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use tengen_core::Diagnostic;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Color, Rules};
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, Effort, GoEngine, Level};

/// The arguments of `tengen show`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A scene file, or a game record (`.sgf`)
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// What to draw
    #[arg(long, short, value_enum, default_value_t = Layer::Stones)]
    layer: Layer,
    /// A layer of one's own systems instead, by its name
    #[arg(long, value_name = "NAME", conflicts_with = "layer")]
    own: Option<String>,
    /// Of a scene file, only the scene with this name
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// Of a game record, the position after so many moves; without it, the last one
    #[arg(long = "move", value_name = "N")]
    after: Option<usize>,
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
pub fn main(args: Args, own: &Own) -> anyhow::Result<Outcome> {
    let colours = match args.color {
        When::Auto => io::stdout().is_terminal(),
        When::Always => true,
        When::Never => false,
    };
    let mut engine = GoEngine::with_plugins(1, (tengen_go::GoPlugins, own.plugin()));
    let layer = args.own.as_deref().map(|name| own_layer(&engine, name)).transpose()?;
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
        let Some(own) = &layer else {
            engine.analyse(args.layer.stage());
            return print(&(head + &draw(&engine, args.layer, colours)));
        };
        engine.analyse(AnalyseSystems::MoveEvaluation);
        print(&(head + &draw_own(&engine, own, colours)))
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
    for case in SceneArgs::of(args.path.clone()).cases(1) {
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

/// The layer of one's own systems with this name.
fn own_layer(engine: &GoEngine, name: &str) -> anyhow::Result<OwnLayer> {
    let Some(layers) = engine.world().get_resource::<Layers>() else {
        anyhow::bail!("this program has no layers of its own")
    };
    match layers.get(name) {
        Ok(layer) => Ok(layer.clone()),
        Err(names) if names.is_empty() => anyhow::bail!("this program has no layers of its own"),
        Err(names) => anyhow::bail!("there is no layer {name}; there are {}", names.join(", ")),
    }
}

fn of_record(args: &Args) -> Result<(Position, usize), Diagnostic> {
    let record = GameRecord::read(&args.path)?;
    let until = args.after.map_or(Until::End, |n| Until::Move(n.saturating_add(1)));
    let game = sgf::load(&record.tree, &record.tree.line(&[]), until, Rules::default())
        .map_err(|e| record.fault(&e))?;
    let moves = game.moves;
    let mut position = Position::new(game.board, game.to_move);
    position.komi = game.komi;
    Ok((position, moves))
}
