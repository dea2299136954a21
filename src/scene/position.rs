//! Sets up the Go position of a case from a record, a diagram or an empty board.

use super::case::GameRecord;
use super::{Case, Game, Input};
use crate::number_text::counted;
use tengen_core::diagnostic::{Diagnostic, Severity};
use tengen_go::board::sgf::{self, NodeId, Until};
use tengen_go::board::{Board, Color, MAX_SIZE, MIN_SIZE, Marks, Rules, Vertex};
use tengen_go::world::Position;

/// A Go position, and how to read the names of its vertices.
#[derive(Clone, Debug)]
pub struct GoInput {
    /// The position.
    pub position: Position,
    /// The vertices a diagram names by letters.
    pub marks: Marks,
    /// Moves played to get there.
    pub moves: usize,
    /// The move of the record's line that could not be played, if so: the position is the one before it.
    pub stopped: Option<Diagnostic>,
    /// The warnings of reading it.
    pub warnings: Vec<Diagnostic>,
}

impl GoInput {
    /// The vertex called `name`: a letter of the diagram, or GTP's spelling.
    #[must_use]
    pub fn vertex(&self, name: &str) -> Option<Vertex> {
        let mut letters = name.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => self.marks.get(letter),
            _ => Vertex::from_gtp(name, self.position.board.size()),
        }
    }
}

/// The position of a Go case.
///
/// # Errors
/// The fault of the scene's `game`, or of the record that it names.
pub fn go(case: &Case) -> Result<GoInput, Diagnostic> {
    match (&case.input, case.scene.as_ref().and_then(|s| s.game.as_ref())) {
        (Input::Fault(fault), _) => Err(fault.clone()),
        (Input::Record { .. }, None) => of_record(case, Rules::default()),
        (_, Some(Game::Go { .. })) => of_game(case),
        _ => Err(case.fault("game:", "this is no game of Go").help("write `game: Go(...)`")),
    }
}

/// The warnings of reading the position of a Go case.
#[must_use]
pub fn warnings(case: &Case) -> Vec<Diagnostic> {
    match &case.input {
        Input::Record { record, after, variation } => {
            let until = after.map_or(Until::End, |n| Until::Move(n.saturating_add(1)));
            let input = of_line(record, &record.tree.line(variation), until);
            input.map_or_else(|_| record.warnings(), |input| input.warnings)
        }
        _ => breathless(case).into_iter().collect(),
    }
}

/// The warning of a diagram with stones that have no liberty.
fn breathless(case: &Case) -> Option<Diagnostic> {
    let Some(Game::Go { diagram: Some(text), .. }) = case.scene.as_ref().and_then(|s| s.game.as_ref()) else {
        return None;
    };
    let (mut board, _) = Board::from_diagram(text).ok()?;
    let taken = board.take_off_breathless();
    let first = taken.first()?.to_gtp(board.size());
    let message = format!("{} of the diagram without a liberty taken off, at {first}", {
        if taken.len() == 1 { "a stone".to_owned() } else { format!("{} stones", taken.len()) }
    });
    let fault = case.fault("diagram:", message);
    Some(
        Diagnostic { severity: Severity::Warning, ..fault }
            .of_kind(sgf::kinds::NO_LIBERTY)
            .help("draw no stones without a liberty"),
    )
}

/// The position of a line of a game record.
///
/// # Errors
/// The fault of the record, with its place.
pub fn of_line(record: &GameRecord, line: &[NodeId], until: Until) -> Result<GoInput, Diagnostic> {
    line_under(record, line, until, Rules::default())
}

fn line_under(
    record: &GameRecord,
    line: &[NodeId],
    until: Until,
    rules: Rules,
) -> Result<GoInput, Diagnostic> {
    let game = sgf::load(&record.tree, line, until, rules).map_err(|e| record.fault(&e))?;
    let stopped = game.stopped.map(|(node, reason)| {
        let properties = &record.tree.nodes[node].properties;
        let offset = properties.iter().find(|p| p.name == "B" || p.name == "W").map_or(0, |p| p.offset);
        let text = String::from_utf8_lossy(&record.text);
        Diagnostic::error(format!("move {} of the record can't be played: {reason}", game.moves + 1))
            .in_file(crate::files::display(&record.path))
            .at(tengen_core::Position::of_offset(&text, offset))
            .help("mend the move, or take a position before it")
    });
    let warnings = record.warnings().into_iter().chain(game.warnings.iter().map(|w| record.warning(w)));
    let warnings = warnings.collect();
    let position = Position { komi: game.komi, ..Position::new(game.board, game.to_move) };
    Ok(GoInput { position, marks: Marks::default(), moves: game.moves, stopped, warnings })
}

fn of_game(case: &Case) -> Result<GoInput, Diagnostic> {
    let Some(Game::Go { sgf, diagram, size, moves, to_move, komi, ko, suicide, .. }) =
        case.scene.as_ref().and_then(|s| s.game.as_ref())
    else {
        return Err(Diagnostic::error("this is no game of Go"));
    };
    let rules = Rules { ko: *ko, suicide: *suicide };
    let mut input = match (sgf, diagram, size) {
        (Some(_), None, None) => of_record(case, rules)?,
        (None, Some(text), None) => of_diagram(case, text, rules)?,
        (None, None, Some(size)) => of_size(case, *size, rules)?,
        _ => {
            return Err(case
                .fault("Go(", "a Go game has exactly one of `sgf`, `diagram` and `size`")
                .help("write `Go(sgf: \"game.sgf\", move: 30)`, `Go(diagram: \"...\")` or `Go(size: 19)`"));
        }
    };
    play(case, &mut input, moves)?;
    if let Some(color) = to_move {
        input.position.to_move = *color;
    }
    if let Some(komi) = komi {
        if !komi.is_finite() {
            return Err(case.fault("komi:", "komi is a finite number").help("write `komi: 6.5`"));
        }
        input.position.komi = *komi;
    }
    Ok(input)
}

fn of_record(case: &Case, rules: Rules) -> Result<GoInput, Diagnostic> {
    let Input::Record { record, after, variation } = &case.input else {
        return Err(Diagnostic::error("this case has no game record"));
    };
    let line = record.tree.line(variation);
    let until = after.map_or(Until::End, |n| Until::Move(n.saturating_add(1)));
    let input = line_under(record, &line, until, rules)?;
    if let Some(after) = after
        && input.moves < *after
        && input.stopped.is_none()
    {
        let fault =
            case.fault("move:", format!("the record has {}, not {after}", counted("move", input.moves)));
        return Err(fault.help("leave `move` out for the position after the last move"));
    }
    Ok(input)
}

fn of_diagram(case: &Case, text: &str, rules: Rules) -> Result<GoInput, Diagnostic> {
    let (board, marks) = Board::from_diagram(text).map_err(|e| {
        let fault: Diagnostic = e.into();
        // The diagram is a string of the scene's file: its place there is that of its first line.
        let inner = fault.at.map(|at| format!(" (line {}, column {} of the diagram)", at.line, at.column));
        let message = format!("{}{}", fault.message, inner.unwrap_or_default());
        Diagnostic { help: fault.help, ..case.fault("diagram:", message) }
    })?;
    let mut board = board.under(rules);
    board.take_off_breathless();
    let position = Position::new(board, Color::Black);
    let warnings = breathless(case).into_iter().collect();
    Ok(GoInput { position, marks, moves: 0, stopped: None, warnings })
}

fn of_size(case: &Case, size: usize, rules: Rules) -> Result<GoInput, Diagnostic> {
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Err(case.fault("size:", format!("a board of size {size} is not known")).help("1 to 25"));
    }
    let position = Position::new(Board::with_rules(size, rules), Color::Black);
    Ok(GoInput { position, marks: Marks::default(), moves: 0, stopped: None, warnings: Vec::new() })
}

/// Plays the scene's `moves`, the players in turn.
fn play(case: &Case, input: &mut GoInput, moves: &[String]) -> Result<(), Diagnostic> {
    for name in moves {
        let size = input.position.board.size();
        let v = Vertex::from_gtp(name, size).ok_or_else(|| {
            case.fault(name, format!("`{name}` is no vertex of this board"))
                .help("a vertex is spelled like `D4`, without the letter I; a pass is `pass`")
        })?;
        let position = &mut input.position;
        position.board.play(position.to_move, v).map_err(|e| Diagnostic {
            help: e.diagnostic(v, size).help,
            ..case.fault(name, e.to_string())
        })?;
        position.to_move = position.to_move.other();
        input.moves += 1;
    }
    Ok(())
}
