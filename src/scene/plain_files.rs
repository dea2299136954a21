//! Makes cases from files without a scene: game records, rulesheets, positions. Each kind of file has a default task,
//! which `--task` replaces.
//!
//! | file | cases | default task |
//! | --- | --- | --- |
//! | `.sgf` | for each game: the position after the last move, after move N (`--move N`), or after every N moves (`--every N`) | `Analyse()` |
//! | `.pgn` | as for `.sgf` | `Search(nodes: 100000)` |
//! | `.epd`, `.fen` | each line; the operation `bm` of an EPD line becomes an expectation | `Search(nodes: 100000)` |
//! | `.kif` | the initial state | `Playouts(count: 100)` |
//!
//! Each file may be packed, for example as `.pgn.zst`, `.sgf.gz` or `.epd.bz2`.

use super::case::{Case, GameRecord, Input};
use super::chess_files::{ChessFile, Making, Plies};
use super::kind::Kind;
use super::load::Source;
use super::pending_input::PendingInput;
use super::{ForEach, Game, Scene, Task};
use crate::files::display;
use std::path::Path;
use std::sync::Arc;
use tengen_core::Diagnostic;

/// The task for files without a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainFiles {
    /// The task; without it, that of the kind.
    pub task: Option<Task>,
    /// For game records, the position after this number of moves.
    pub after: Option<usize>,
    /// For game records, the position before the first move and after every N moves.
    pub every: Option<usize>,
}

/// The input that gives the cases of a file of this kind.
pub(super) fn pending_input(path: &Path, kind: Kind, plain: &PlainFiles, run_seed: u64) -> PendingInput {
    let name = display(path);
    let glob = name.clone();
    let every = plain.every.unwrap_or(1);
    let (game, for_each) = match kind {
        Kind::Sgf => (None, Some(ForEach::Sgf { glob, every })),
        Kind::Pgn => (None, Some(ForEach::Pgn { glob, every })),
        Kind::Epd | Kind::Fen => (None, Some(ForEach::Epd { glob })),
        Kind::Kif => (Some(Game::Gdl { rules: glob, moves: Vec::new() }), None),
    };
    let task = plain.task.clone().unwrap_or_else(|| kind.task());
    let scene = Scene {
        name: name.clone(),
        game,
        for_each,
        task,
        expect: Vec::new(),
        effort: None,
        judge: None,
        seed: None,
    };
    let source = Arc::new(Source { path: path.to_path_buf(), text: String::new() });
    let making = Making { source, scene: Arc::new(scene), run_seed };
    let plies = match (plain.every, plain.after) {
        (Some(every), _) => Plies::Every(every),
        (None, Some(after)) => Plies::After(after),
        (None, None) => Plies::Last,
    };
    let path = path.to_path_buf();
    match kind {
        Kind::Kif => {
            let scene = Arc::clone(&making.scene);
            PendingInput::Cases(vec![making.case(name, scene, Input::Rules(path))])
        }
        Kind::Epd | Kind::Fen => PendingInput::Chess(Box::new(ChessFile::of_lines(path, name, making))),
        Kind::Pgn => PendingInput::Chess(Box::new(ChessFile::of_games(path, name, making, plies))),
        Kind::Sgf => PendingInput::Cases(of_sgf(&path, &name, &making, plies)),
    }
}

/// The cases of a file of SGF: of each game the positions after these of its moves.
pub(super) fn of_sgf(path: &Path, id: &str, making: &Making, plies: Plies) -> Vec<Case> {
    let mut cases = Vec::new();
    for (index, game) in GameRecord::read_all(path).into_iter().enumerate() {
        match game {
            Err(fault) => {
                let id = if index == 0 { id.to_owned() } else { format!("{id}:{}", index + 1) };
                let fault = if fault.file.is_some() { fault } else { fault.in_file(display(path)) };
                cases.push(making.case(id, Arc::clone(&making.scene), Input::Fault(fault)));
            }
            Ok(record) => {
                let id = record.number.map_or(id.to_owned(), |number| format!("{id}:{number}"));
                let record = Arc::new(record);
                for after in plies.of(record.moves(&record.tree.line(&[]))) {
                    let (record, variation) = (Arc::clone(&record), Vec::new());
                    let input = Input::Record { record, after: Some(after), variation };
                    cases.push(making.case(format!("{id}@{after}"), Arc::clone(&making.scene), input));
                }
            }
        }
    }
    cases
}

/// Reads the task of `--task`, as a scene would write it.
///
/// # Errors
/// The fault of the file.
pub fn task(text: &str) -> Result<Task, Diagnostic> {
    super::load::task(text)
}
