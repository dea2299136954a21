//! An example of a system that watches a chess search. The system stops the search as soon as the best line is a draw
//! that repeats a position of the line or of the game. Otherwise the search ends at depth 12.
//!
//! ```text
//! cargo run -p repeats                            # White saves a lost game by checks
//! cargo run -p repeats -- 'FEN' [MOVE...]         # another game, its moves in UCI form
//! ```

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;
use tengen_chess::ChessPlugins;
use tengen_chess::history::Game;
use tengen_chess::search::{Limits, Options, Think};
use tengen_chess::world::{
    ChessPosition, ChessSearch, Iteration, IterationOf, Iterations, Line, RestsOn, Score,
};
use tengen_search::{Expand, ExpandPlugin, ExpandSystems, StopSearch, run_to_end, start};

/// Stops a search whose best line draws and repeats a position; runs in [`ExpandSystems::Watch`].
fn stop_repetitions(
    lines: Query<(&IterationOf, &Iteration, &Score, &Line), Added<Line>>,
    positions: Query<&ChessPosition>,
    mut commands: Commands,
) {
    for (of, iteration, score, line) in &lines {
        let Ok(ChessPosition(game)) = positions.get(of.0) else { continue };
        let mut game = game.clone();
        let repeats = line.0.iter().any(|&mv| {
            game.play(mv);
            game.occurrences() > 1
        });
        if repeats && iteration.rank == 1 && score.value == 0 {
            commands.entity(of.0).insert(StopSearch);
        }
    }
}

/// Searches a game with the system in the World, and lists the iterations.
fn watch(game: &Game, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin)
        .add_plugins(ChessPlugins)
        .add_systems(Expand, stop_repetitions.in_set(ExpandSystems::Watch));
    let world = app.world_mut();
    let limits = Limits { depth: Some(12), ..Limits::default() };
    let search = start(world, 0, Think::of_table_size(game, limits, Options::default(), 16));
    run_to_end(world);
    for &iteration in world.get::<Iterations>(search).map_or(&[][..], Iterations::lines) {
        let of = world.entity(iteration);
        let (key, score, Line(line), RestsOn(path)) =
            of.get_components::<(&Iteration, &Score, &Line, &RestsOn)>()?;
        let line = game.line_texts(line).join(" ");
        writeln!(out, "{:2} {:5} {line}; rests on {}", key.depth, score.value, path.word())?;
    }
    let ended_by = world.get::<ChessSearch>(search).and_then(|search| search.ended_by);
    writeln!(out, "ended by {}", ended_by.unwrap_or("nothing"))?;
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "repeats: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let fen = arguments.first().map_or(PERPETUAL, String::as_str);
    let game = Game::from_text(fen, arguments.iter().skip(1).map(String::as_str))?;
    watch(&game, &mut stdout())
}

/// White is a rook down and checks for ever on e8 and h5.
const PERPETUAL: &str = "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1";

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> String {
        let mut text = Vec::new();
        watch(&Game::from_text(fen, []).unwrap(), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_search_stops_at_the_first_line_that_repeats_a_position() {
        let told = of(PERPETUAL);
        let end = " 3     0 h5e8 g8h7 e8h5 h7g8; rests on line\nended by stop\n";
        assert!(told.ends_with(end), "{told}");
        assert!(of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").ends_with("ended by depth\n"));
    }
}
