//! `tengen show`: draws a board with a layer, in the terminal or to a file.

use super::Outcome;
use super::common::{EffortArgs, JudgeArgs, OnlyArgs, PatternArgs, PlainFileArgs, SceneArgs, print};
use crate::extension::{AddedLayer, Extensions, Layers};
use crate::files::write_file;
use crate::record::findings::{Findings, Map};
use crate::report::board::{self, Layer};
use crate::report::page;
use crate::scene::Input;
use crate::scene::position::{self, GoInput};
use clap::ValueEnum;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use tengen_core::{Diagnostic, escaped_line};
use tengen_go::board::{Color, Vertex};
use tengen_go::{AnalyseSystems, Effort, GoEngine, Level};
use tengen_render::Sheet;

/// The arguments of `tengen show`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A scene file, or a game record (`.sgf`)
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// What to draw
    #[arg(long, short, value_enum, default_value_t = Layer::Stones)]
    layer: Layer,
    /// A layer of an added system instead, by its name
    #[arg(long, value_name = "NAME", conflicts_with = "layer")]
    own: Option<String>,
    /// Of a scene file, only the scene with this name
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    #[command(flatten)]
    only: OnlyArgs,
    /// For a game record, the position after N moves; without it, the last one
    #[arg(long = "move", value_name = "N")]
    moves: Option<usize>,
    /// Whose turn it is taken to be
    #[arg(long, value_enum)]
    to_move: Option<Side>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
    /// Draw what this move makes of influence and territory, instead of the position itself
    #[arg(long, value_name = "VERTEX")]
    after: Option<String>,
    /// With `--after`: draw what a second move in a row makes of them
    #[arg(long, requires = "after")]
    followup: bool,
    /// Which pass of influence to draw: dragons not known yet, or known
    #[arg(long, value_enum, conflicts_with = "after")]
    pass: Option<Pass>,
    /// Write the picture into this file as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the picture into this file as PNG; only in a program built with `--features png`
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Write a page with the picture, its legend and its measures into this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
}

impl Args {
    /// How many files are to be written.
    fn files(&self) -> usize {
        [&self.svg, &self.png, &self.html].into_iter().flatten().count()
    }
}

#[cfg(feature = "png")]
fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    crate::report::png::of_svg(svg)
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> anyhow::Result<Vec<u8>> {
    anyhow::bail!("this program can't write PNG: build it with --features png, or take --svg")
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Black
    Black,
    /// White
    White,
}

/// A pass of influence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Pass {
    /// Dragons not known yet
    First,
    /// Dragons known
    Second,
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
/// If there is no scene of that name. A bad scene or game record is reported on stderr.
pub fn main(args: Args, extensions: &Extensions) -> anyhow::Result<Outcome> {
    let colours = match args.color {
        When::Auto => io::stdout().is_terminal(),
        When::Always => true,
        When::Never => false,
    };
    let mut engine = GoEngine::with_plugins(1, (tengen_go::GoPlugins, extensions.plugin()));
    let layer = args.own.as_deref().map(|name| added_layer(&engine, name)).transpose()?;
    let option = match (&args.after, args.pass) {
        (Some(_), _) => Some("--after"),
        (None, Some(_)) => Some("--pass"),
        (None, None) => None,
    };
    if let Some(option) = option {
        let name = args.own.as_deref().unwrap_or(args.layer.name());
        let (takes, names) = if args.after.is_some() {
            (args.layer.takes_a_move(), Layer::names_after_a_move())
        } else {
            (args.layer.is_of_influence(), Layer::names_of_influence())
        };
        anyhow::ensure!(
            args.own.is_none() && takes,
            "the layer {name} does not take {option}: these do: {names}"
        );
        anyhow::ensure!(
            !args.followup || args.layer.is_of_influence(),
            "the layer {name} does not take --followup: these do: {}",
            Layer::names_of_influence()
        );
        anyhow::ensure!(
            args.pass.is_none() || args.layer != Layer::Delta,
            "the layer delta does not take --pass: the change by a move is of the second pass"
        );
    }
    if let Some(patterns) = args.patterns.load()? {
        engine.world_mut().insert_resource(patterns);
    }
    engine.judge_by(args.judge.in_force().unwrap_or_default());
    let mut show = |title: &str, mut input: GoInput, effort: Option<Level>| {
        engine.read_under(Effort::of(args.effort.in_force().or(effort).unwrap_or_default()));
        match args.to_move {
            Some(Side::Black) => input.position.to_move = Color::Black,
            Some(Side::White) => input.position.to_move = Color::White,
            None => {}
        }
        let Some(added) = &layer else {
            let mut findings = Findings::analyse_judged(&mut engine, &input, args.layer.stage())?;
            if args.layer == Layer::Threats {
                engine.read_threats(0);
                findings.threats = engine.component(0).cloned();
            }
            return one(&args, title, &findings, board::sheets, colours);
        };
        let findings = Findings::analyse_judged(&mut engine, &input, AnalyseSystems::MoveEvaluation)?;
        one(
            &args,
            title,
            &findings,
            |findings, _, _| vec![board::added_sheet(&engine, findings, added)],
            colours,
        )
    };
    let plain = PlainFileArgs { after: args.moves, ..PlainFileArgs::default() };
    let mut cases = SceneArgs { paths: vec![args.path.clone()], only: args.only.clone(), plain }.cases(1);
    cases.retain(|case| {
        args.scene.as_ref().is_none_or(|name| case.scene.as_ref().is_some_and(|s| s.name == *name))
    });
    anyhow::ensure!(!cases.is_empty(), "no scene of that name in {}", args.path.display());
    anyhow::ensure!(
        cases.len() == 1 || args.files() == 0,
        "{} has {} positions and a picture is of one: choose it by --scene or --only",
        args.path.display(),
        cases.len()
    );
    let mut good = true;
    for case in cases {
        match position::go(&case) {
            Ok(mut input) => {
                // The position before it is drawn, and the move is told.
                if let Some(fault) = input.stopped.take() {
                    writeln!(io::stderr(), "{}", Diagnostic { help: None, ..fault })?;
                    good = false;
                }
                let title = match &case.input {
                    Input::Record { record, .. } if case.scene.as_ref().is_none_or(|s| s.game.is_none()) => {
                        format!("{}, move {}", record.path.display(), input.moves)
                    }
                    _ => case.id.clone(),
                };
                show(&title, input, case.scene.as_ref().and_then(|s| s.effort))?;
            }
            Err(fault) => {
                writeln!(io::stderr(), "{fault}")?;
                good = false;
            }
        }
    }
    Ok(Outcome::from(good))
}

/// The added layer of this name.
fn added_layer(engine: &GoEngine, name: &str) -> anyhow::Result<AddedLayer> {
    let Some(layers) = engine.world().get_resource::<Layers>() else {
        anyhow::bail!("this program has no layers of its own")
    };
    match layers.get(name) {
        Ok(layer) => Ok(layer.clone()),
        Err(names) if names.is_empty() => anyhow::bail!("this program has no layers of its own"),
        Err(names) => anyhow::bail!("there is no layer {name}; there are {}", names.join(", ")),
    }
}

/// Draws one position where it was asked for: into files, or in the terminal.
fn one(
    args: &Args,
    title: &str,
    findings: &Findings,
    sheets: impl Fn(&Findings, Layer, Map) -> Vec<Sheet>,
    colours: bool,
) -> anyhow::Result<()> {
    let (size, to_move) = (findings.size(), findings.position.to_move);
    let map = match &args.after {
        None if args.pass == Some(Pass::First) => Map::First(to_move),
        None => Map::Second(to_move),
        Some(text) => {
            let at = Vertex::from_gtp(text, size).filter(|&v| v != Vertex::PASS);
            let at = at.filter(|&v| findings.position.board.is_legal(to_move, v));
            let at = at.ok_or_else(|| anyhow::anyhow!("`{text}` is no legal move of {to_move} there"))?;
            if args.followup { Map::FollowUp(to_move, at) } else { Map::After(to_move, at) }
        }
    };
    let sheets = sheets(findings, args.layer, map);
    let pass = if matches!(map, Map::First(_)) { ", dragons not known yet" } else { "" };
    let head = format!("{title}, {to_move} to move{pass}");
    if let Some(path) = &args.svg {
        anyhow::ensure!(sheets.len() == 1, "this layer is two pictures: ask for --html");
        write_file(path, |file| file.write_all(tengen_render::svg::draw(&sheets[0]).as_bytes()))?;
    }
    if let Some(path) = &args.png {
        anyhow::ensure!(sheets.len() == 1, "this layer is two pictures: ask for --html");
        let bytes = png(&tengen_render::svg::draw(&sheets[0]))?;
        write_file(path, |file| file.write_all(&bytes))?;
    }
    if let Some(path) = &args.html {
        write_file(path, |file| file.write_all(page::of_sheets(&head, &sheets).as_bytes()))?;
    }
    if args.files() == 0 {
        print(&format!("{}\n{}", escaped_line(&head), board::text(&sheets, colours)))?;
    }
    Ok(())
}
