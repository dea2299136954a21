//! Cases from chess files: files with one position on each line, and game records.

use super::case::{Case, INFO, Input, Origin};
use super::{Expect, Game, Scene, Task};
use crate::files::{self, display};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tengen_chess::rules::epd::{self, Epd};
use tengen_chess::rules::fen::{self, Setup};
use tengen_chess::rules::{Move, kinds, notation, pgn_read};
use tengen_core::{Diagnostic, Position};

/// How a case of an id, a scene and an input is made.
pub(super) type Make<'a> = &'a dyn Fn(String, Arc<Scene>, Input) -> Case;

/// The scene of one position of chess out of many.
fn chess_scene(scene: &Scene, fen: String, moves: Vec<String>, expect: Vec<Expect>) -> Arc<Scene> {
    let game = Some(Game::Chess { fen: Some(fen), moves });
    let expect = scene.expect.iter().cloned().chain(expect).collect();
    Arc::new(Scene { game, for_each: None, expect, ..scene.clone() })
}

/// The cases of a file of FEN or EPD, one a line that is not empty and no comment (`#`).
pub(super) fn of_lines(path: &Path, id: &str, scene: &Arc<Scene>, make: Make<'_>, cases: &mut Vec<Case>) {
    let name = display(path);
    let text = match files::text(path) {
        Ok(text) => text,
        Err(reason) => return cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, &reason))),
    };
    let before = cases.len();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let id = format!("{id}:{number}");
        let Epd { setup, mut operations } = match epd::parse(line) {
            Ok(epd) => epd,
            Err(error) => {
                let at = Position { line: u32::try_from(number).unwrap_or(u32::MAX), column: 1 };
                let fault = Diagnostic::from(error).in_file(name.clone()).at(at);
                cases.push(make(id, Arc::clone(scene), Input::Fault(fault)));
                continue;
            }
        };
        let searched = matches!(scene.task, Task::Search { exact: false, .. });
        let mut expect = Vec::new();
        for (code, kind) in [("bm", Expect::BestMove as fn(Vec<String>) -> Expect), ("am", Expect::AvoidMove)]
        {
            let moves = operations.remove(code).filter(|_| searched);
            expect.extend(moves.map(|text| kind(text.split_whitespace().map(str::to_owned).collect())));
        }
        let fen = fen::write(&setup.board, setup.clock, setup.chess960);
        let mut case = make(id, chess_scene(scene, fen, Vec::new(), expect), Input::Game);
        let info = operations.into_iter().collect();
        let line_of = |warning: Diagnostic| {
            let at = Position { line: u32::try_from(number).unwrap_or(u32::MAX), column: 1 };
            warning.in_file(name.clone()).at(at)
        };
        let warnings = setup.warnings().into_iter().map(line_of).collect();
        let (file, line) = (name.clone(), Some(number));
        case.origin = Some(Arc::new(Origin { file, line, info, warnings, ..Origin::default() }));
        cases.push(case);
    }
    if cases.len() == before {
        cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, "it holds no position")));
    }
}

/// The cases of a file of PGN: of each game the positions after the plies that `plies` names of its number of moves.
pub(super) fn of_pgn(
    path: &Path,
    id: &str,
    scene: &Arc<Scene>,
    plies: &dyn Fn(usize) -> Vec<usize>,
    make: Make<'_>,
    cases: &mut Vec<Case>,
) {
    let name = display(path);
    let bytes = files::bytes(path);
    let text = bytes.map(|bytes| files::text_of_any(&bytes));
    let games = match &text {
        Ok(text) => pgn_read::games(text),
        Err(reason) => return cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, reason))),
    };
    if games.is_empty() {
        cases.push(make(id.into(), Arc::clone(scene), unreadable(&name, "it holds no game")));
    }
    for (index, game) in games.into_iter().map(pgn_read::read).enumerate() {
        let id = format!("{id}:{}", index + 1);
        if let Some(fault) = game.fault {
            let fault = fault_of(&fault).in_file(name.clone());
            cases.push(make(id, Arc::clone(scene), Input::Fault(fault)));
            continue;
        }
        let said = |&(_, tag, name): &(&str, &str, &str)| {
            let value = game.tag(tag).filter(|text| !text.is_empty() && *text != "?")?;
            Some((name.to_owned(), value.to_owned()))
        };
        let info: BTreeMap<String, String> = INFO.iter().filter_map(said).collect();
        let warnings = game_warnings(&game, &name);
        let last = game.plies();
        // Each position has the moves since the last null move: no history goes back behind one.
        let parts: Vec<Part> = game.stretches.iter().map(Part::of).collect();
        for after in plies(last) {
            if after > last {
                let fault = Diagnostic::error(format!("the game has {last} plies, not {after}"));
                let at = Position { line: u32::try_from(game.line).unwrap_or(u32::MAX), column: 1 };
                let input = Input::Fault(fault.in_file(name.clone()).at(at).help("give a smaller --move"));
                cases.push(make(format!("{id}@{after}"), Arc::clone(scene), input));
                continue;
            }
            let (part, played) = Part::after(&parts, after);
            let scene = chess_scene(scene, part.fen.clone(), part.words[..played].to_vec(), Vec::new());
            let next = part.words.get(played).cloned();
            let mut case = make(format!("{id}@{after}"), scene, Input::Game);
            case.origin = Some(Arc::new(Origin {
                file: name.clone(),
                line: Some(game.line),
                number: Some(index + 1),
                after: Some(after),
                moves: Some(last),
                played: next.or_else(|| (after < last).then(|| "--".to_owned())),
                info: info.clone(),
                warnings: warnings.clone(),
            }));
            cases.push(case);
        }
    }
}

/// A fault of a game of PGN, with its place.
pub(crate) fn fault_of(fault: &pgn_read::PgnError) -> Diagnostic {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let at = Position { line: number(fault.line), column: number(fault.column) };
    Diagnostic::error(fault.why.to_string()).at(at).help(fault.why.help())
}

/// A stretch of a game as scenes write it.
struct Part {
    fen: String,
    words: Vec<String>,
}

impl Part {
    fn of(stretch: &pgn_read::Stretch) -> Self {
        let Setup { board, clock, chess960, .. } = &stretch.start;
        let fen = fen::write(board, *clock, *chess960);
        let mut board = board.clone();
        let word = |&mv: &Move| {
            let word = notation::uci(&board, mv, *chess960);
            board.play_unchecked(mv);
            word
        };
        Self { fen, words: stretch.moves.iter().map(word).collect() }
    }

    /// The part that the position after so many plies is in, and how many of its moves are played there.
    fn after(parts: &[Self], plies: usize) -> (&Self, usize) {
        let mut left = plies;
        for part in parts {
            if left <= part.words.len() {
                return (part, left);
            }
            left -= part.words.len() + 1;
        }
        let last = &parts[parts.len() - 1];
        (last, last.words.len())
    }
}

/// What of a game was read otherwise than it stands there.
fn game_warnings(game: &pgn_read::PgnRecord, name: &str) -> Vec<Diagnostic> {
    let null = game.null_moves().next().map(|ply| {
        let more = game.null_moves().count() - 1;
        let more = if more > 0 { format!(", and {more} more are") } else { String::new() };
        Diagnostic::warning(format!("ply {ply} of the game is a null move{more}: it passes the turn"))
            .of_kind(kinds::NULL_MOVE)
            .help("a null move is no move of chess: write the moves of the whole game")
    });
    let at = Position { line: u32::try_from(game.line).unwrap_or(u32::MAX), column: 1 };
    let placed = |warning: Diagnostic| warning.in_file(name).at(at);
    game.stretches[0].start.warnings().into_iter().chain(null).map(placed).collect()
}

/// The input of a case whose file can't be read.
fn unreadable(name: &str, reason: &str) -> Input {
    Input::Fault(
        Diagnostic::error(format!("can't use {name}: {reason}"))
            .in_file(name)
            .at(Position { line: 1, column: 1 })
            .help("a file of positions has one a line, a file of games is PGN"),
    )
}
