//! Prints what each move of a game changes: the dragons and points whose published components differ from those before
//! the move.
//!
//! `what_changed SGF FIRST LAST` analyses the positions after the moves FIRST to LAST, one after the other, on one
//! slot. The system [`tell`] runs after each analysis. It uses only queries with bevy's `Changed`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command that prints")]

use bevy_ecs::prelude::*;
use std::process::ExitCode;
use tengen_go::board::{Rules, sgf};
use tengen_go::publish::{Dragon, Life, Origin, Size, StoneColor, Territory};
use tengen_go::world::Position;
use tengen_go::{Analyse, AnalyseSystems, GoEngine};

/// The thirty lines: any system after `Publish` may ask so.
fn tell(
    boards: Query<&Position>,
    dragons: Query<(&Origin, &StoneColor, &Size, Ref<Life>), Changed<Dragon>>,
    all: Query<(), With<Dragon>>,
    points: Query<(), Changed<Territory>>,
) {
    let Ok(position) = boards.single() else { return };
    let size = position.board.size();
    let last = position.past[0].to_gtp(size);
    println!(
        "{last}: {} of {} dragons, the territory of {} points",
        dragons.iter().count(),
        all.iter().count(),
        points.iter().count()
    );
    let mut verdicts: Vec<_> = dragons.iter().filter(|dragon| dragon.3.is_changed()).collect();
    verdicts.sort_by_key(|dragon| dragon.0.0);
    for (origin, color, stones, life) in verdicts {
        let stones = if stones.0 == 1 { "one stone".to_owned() } else { format!("{} stones", stones.0) };
        println!("  {:?} {}, {stones}: {:?}", color.0, origin.0.to_gtp(size), life.status);
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let [_, path, first, last] = &args[..] else {
        eprintln!("usage: what_changed SGF FIRST LAST");
        return ExitCode::from(2);
    };
    let (Ok(first), Ok(last)) = (first.parse(), last.parse()) else {
        eprintln!("FIRST and LAST are numbers of moves");
        return ExitCode::from(2);
    };
    match follow(path, first, last) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Analyses the positions after these moves.
fn follow(path: &str, first: usize, last: usize) -> Result<(), Box<dyn std::error::Error>> {
    let tree = sgf::parse(&std::fs::read(path)?)?;
    let mut engine = GoEngine::new(1);
    let mut schedules = engine.world_mut().resource_mut::<Schedules>();
    schedules.entry(Analyse).add_systems(tell.after(AnalyseSystems::Publish));
    for number in first..=last {
        let game = sgf::load(&tree, &tree.line(&[]), sgf::Until::Move(number + 1), Rules::default())?;
        engine.put(0, Position::new(game.board, game.to_move));
        engine.analyse(AnalyseSystems::MoveEvaluation);
    }
    Ok(())
}
