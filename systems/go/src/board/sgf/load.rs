//! Plays an SGF tree to a position.
//!
//! # Steps
//! 1. The root gives size, komi, handicap and rules. A comma in a number is a decimal point. A komi of 50, 550, 650 or
//!    750 is in hundredths of a point. A komi such as 375 is in hundredths of Chinese stones, which are two points
//!    each. Suicide is allowed if `RU` names rules that allow it (`NZ`, `GOE`, Tromp-Taylor).
//! 2. Each node of the line sets up stones (`AB AW AE`) and plays its move, up to the requested move. A stone set up
//!    on an occupied vertex has no effect. Strings that the set-up of a node leaves without a liberty are removed.
//! 3. `HA` above 1 means that White begins. If no stone stands before White's first move (or before `PL[W]`), the
//!    fixed handicap is placed.
//! 4. A move onto an occupied vertex ends the loading. A move that takes a ko back at once is played, although the
//!    rules forbid it.
//! 5. The colour to move is that of the requested move. Without such a move it is the opponent of the last mover.
//!    Without a last move it is the colour that `PL` names. Without `PL` it is Black, or White in a game with a
//!    handicap. A vertex marked `IL` at the end is a ko that the colour to move may not take.

use super::{NodeId, Property, SgfError, SgfWarning, Tree, kinds, vertex_from_sgf};
use crate::board::handicap::fixed_handicap;
use crate::board::{Board, Color, IllegalMove, MAX_SIZE, MIN_SIZE, Rules, SuicideRule, Vertex};

/// The place where loading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Until {
    /// After the last move.
    #[default]
    End,
    /// Before move N of the line, counted from 1, passes too.
    Move(usize),
    /// Before the first move at this vertex.
    Vertex(Vertex),
}

/// A position from a record, with the record's data about the game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position, with the moves in its history.
    pub board: Board,
    /// The side to move.
    pub to_move: Color,
    /// 5.5, or 0.5 with a handicap, if the record names none.
    pub komi: f32,
    /// Handicap stones; 0 for an even game.
    pub handicap: usize,
    /// `RE` of the root.
    pub result: Option<String>,
    /// Moves played, passes too.
    pub moves: usize,
    /// Why loading ended before the place asked for, if a move could not be played: the node, and the reason.
    pub stopped: Option<(NodeId, IllegalMove)>,
    /// The warnings of playing the record, without those of the [`Tree`].
    pub warnings: Vec<SgfWarning>,
}

/// Plays the nodes of a line (see [`Tree::line`]) on an empty board.
///
/// # Errors
/// When the size, a colour, a number or a point of the record is invalid.
pub fn load(tree: &Tree, line: &[NodeId], until: Until, rules: Rules) -> Result<Game, SgfError> {
    let root = line.first().map(|&id| &tree.nodes[id]).ok_or(SgfError::NoTree)?;
    let property = |name: &str| root.properties.iter().find(|p| p.name == name);
    if let Some(game) = property("GM").filter(|p| p.values[0].trim() != "1") {
        return Err(fault(game, &game.values[0], "1 is the number of Go"));
    }
    // 1.
    let size = property("SZ").map_or(Ok(19), size)?;
    let mut warnings = Vec::new();
    let handicap = property("HA").map_or(Ok(0.0), |p| number(p, &mut warnings))? as usize;
    let komi = match property("KM") {
        Some(property) => komi(property, &mut warnings)?,
        None if handicap > 1 => 0.5,
        None => 5.5,
    };
    let rules = match property("RU").and_then(|p| p.values.first()) {
        Some(name) if rules.suicide == SuicideRule::Forbidden && allows_suicide(name) => {
            Rules { suicide: SuicideRule::Allowed, ..rules }
        }
        _ => rules,
    };
    let mut loader = Loader {
        warnings,
        board: Board::with_rules(size, rules),
        handicap: if handicap > 1 { handicap } else { 0 },
        placed: false,
        next: None,
        player: None,
        ko: None,
        moves: 0,
        set_up: None,
    };
    let mut stopped = None;
    'nodes: for &id in line {
        for property in &tree.nodes[id].properties {
            match loader.apply(property, until)? {
                Step::On => {}
                Step::Stop => break 'nodes,
                Step::Illegal(reason) => {
                    stopped = Some((id, reason));
                    break 'nodes;
                }
            }
        }
        loader.take_off_breathless();
    }
    // A node that the loading stopped in may have set up stones.
    loader.take_off_breathless();
    // 5.
    let begins = if handicap > 1 { Color::White } else { Color::Black };
    let to_move = loader.next.or(loader.player).unwrap_or(begins);
    if let Some(v) = loader.ko {
        loader.board.set_ko(v, to_move);
    }
    Ok(Game {
        board: loader.board,
        to_move,
        komi,
        handicap,
        result: root.get("RE").map(str::to_owned),
        moves: loader.moves,
        stopped,
        warnings: loader.warnings,
    })
}

struct Loader {
    board: Board,
    /// Handicap stones the file has to bring, or we do.
    handicap: usize,
    /// Whether a stone or a move has been met.
    placed: bool,
    /// The colour of the move stopped at, or the opponent of the last mover.
    next: Option<Color>,
    /// The colour of `PL`.
    player: Option<Color>,
    /// The vertex of `IL`, until the next move.
    ko: Option<Vertex>,
    moves: usize,
    /// The offset of the last set-up whose stones are not checked yet.
    set_up: Option<usize>,
    warnings: Vec<SgfWarning>,
}

enum Step {
    On,
    Stop,
    Illegal(IllegalMove),
}

impl Loader {
    fn apply(&mut self, property: &Property, until: Until) -> Result<Step, SgfError> {
        match property.name.as_str() {
            "AB" => self.set_up(property, Some(Color::Black))?,
            "AW" => self.set_up(property, Some(Color::White))?,
            "AE" => self.set_up(property, None)?,
            "B" => return self.play(property, Color::Black, until),
            "W" => return self.play(property, Color::White, until),
            "PL" => self.set_player(property),
            "IL" => {
                self.ko = property.values.first().and_then(|text| vertex_from_sgf(text, self.board.size()))
            }
            _ => {}
        }
        Ok(Step::On)
    }

    fn set_player(&mut self, property: &Property) {
        self.player = color(property);
        match self.player {
            Some(Color::White) => self.place_handicap(),
            Some(Color::Black) => {}
            None => {
                let value = property.values.first().map_or("", String::as_str);
                let message = format!("`PL[{value}]` names no colour: whoever plays first begins");
                self.warnings.push(SgfWarning::new(kinds::PLAYER_UNKNOWN, message, property.offset));
            }
        }
    }

    /// Takes strings off that a set-up left without a liberty.
    fn take_off_breathless(&mut self) {
        let Some(offset) = self.set_up.take() else { return };
        let taken = self.board.take_off_breathless();
        if let Some(first) = taken.first() {
            let message = format!(
                "{} set up without a liberty and taken off, at {}",
                if taken.len() == 1 {
                    "a stone was".to_owned()
                } else {
                    format!("{} stones were", taken.len())
                },
                first.to_gtp(self.board.size()),
            );
            self.warnings.push(SgfWarning::new(kinds::NO_LIBERTY, message, offset));
        }
    }

    // 2.
    fn set_up(&mut self, property: &Property, color: Option<Color>) -> Result<(), SgfError> {
        self.set_up = Some(property.offset);
        for value in &property.values {
            for v in points(property, value, self.board.size())? {
                match color {
                    Some(color) => {
                        self.placed = true;
                        if self.board.is_empty(v) {
                            self.board.place(color, v).expect("the vertex is empty");
                        }
                    }
                    None => self.board.remove(v),
                }
            }
        }
        Ok(())
    }

    fn play(&mut self, property: &Property, color: Color, until: Until) -> Result<Step, SgfError> {
        self.take_off_breathless();
        let text = property.values.first().map_or("", String::as_str);
        let v = vertex_from_sgf(text, self.board.size())
            .ok_or_else(|| fault(property, text, "it is no point of this board"))?;
        if color == Color::White {
            self.place_handicap();
        }
        self.placed = true;
        let stop = match until {
            Until::End => false,
            Until::Move(n) => self.moves + 1 >= n,
            Until::Vertex(stop) => stop == v,
        };
        if stop {
            self.next = Some(color);
            return Ok(Step::Stop);
        }
        self.ko = None;
        // 4.
        let played =
            if v == Vertex::PASS { self.board.play(color, v) } else { self.board.play_ignoring_ko(color, v) };
        if let Err(reason) = played {
            return Ok(Step::Illegal(reason));
        }
        self.moves += 1;
        self.next = Some(color.other());
        Ok(Step::On)
    }

    // 3.
    fn place_handicap(&mut self) {
        if self.placed || self.handicap == 0 {
            return;
        }
        self.placed = true;
        for v in fixed_handicap(self.board.size(), self.handicap).unwrap_or_default() {
            self.board.place(Color::Black, v).expect("the board is empty");
        }
    }
}

fn fault(property: &Property, value: &str, reason: &'static str) -> SgfError {
    SgfError::Value { name: property.name.clone(), value: value.into(), reason, offset: property.offset }
}

fn size(property: &Property) -> Result<usize, SgfError> {
    let text = property.values.first().map_or("", |v| v.trim());
    let wrong = |reason| fault(property, text, reason);
    let (columns, rows) = text.split_once(':').unwrap_or((text, text));
    if columns.trim() != rows.trim() {
        return Err(wrong("only square boards are known"));
    }
    let size: usize = columns.trim().parse().map_err(|_| wrong("it is no number"))?;
    if (MIN_SIZE..=MAX_SIZE).contains(&size) { Ok(size) } else { Err(wrong("a board has a size of 1 to 25")) }
}

/// The number of a property; a comma in it is its point.
fn number(property: &Property, warnings: &mut Vec<SgfWarning>) -> Result<f32, SgfError> {
    let text = property.values.first().map_or("", |v| v.trim());
    if text.is_empty() {
        return Ok(0.0);
    }
    let read = |text: &str| text.parse().ok().filter(|value: &f32| value.is_finite());
    if let Some(value) = read(text) {
        return Ok(value);
    }
    let pointed = (text.matches(',').count() == 1).then(|| text.replace(',', "."));
    let value =
        pointed.and_then(|text| read(&text)).ok_or_else(|| fault(property, text, "it is no number"))?;
    let message = format!("`{}[{text}]` has a comma for its point: it is read as {value}", property.name);
    warnings.push(SgfWarning::new(kinds::NUMBER_COMMA, message, property.offset));
    Ok(value)
}

/// The komi in points, for any unit of the record.
fn komi(property: &Property, warnings: &mut Vec<SgfWarning>) -> Result<f32, SgfError> {
    let written = number(property, warnings)?;
    let hundredths = written.abs();
    let points = if written.fract() != 0.0 || !(50.0..1000.0).contains(&hundredths) {
        return Ok(written);
    } else if hundredths % 100.0 == 50.0 || (hundredths % 100.0 == 0.0 && hundredths >= 500.0) {
        written / 100.0
    } else if hundredths % 50.0 == 25.0 && hundredths >= 100.0 {
        written / 50.0
    } else {
        return Ok(written);
    };
    let message = format!("`KM[{written}]` counts hundredths: it is read as {points}");
    warnings.push(SgfWarning::new(kinds::KOMI_HUNDREDTHS, message, property.offset));
    Ok(points)
}

/// Whether rules of this name allow suicide.
fn allows_suicide(name: &str) -> bool {
    let bare: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    matches!(bare.as_str(), "nz" | "newzealand" | "goe" | "ing" | "tromptaylor")
}

fn color(property: &Property) -> Option<Color> {
    match property.values.first().map(|v| v.trim().to_ascii_lowercase()).as_deref() {
        Some("b" | "black" | "1") => Some(Color::Black),
        Some("w" | "white" | "2") => Some(Color::White),
        _ => None,
    }
}

/// The points of one value: one, or the rectangle of a compressed list (`aa:cc`).
fn points(property: &Property, value: &str, size: usize) -> Result<Vec<Vertex>, SgfError> {
    let wrong = || fault(property, value, "it is no point of this board");
    let point = |text: &str| vertex_from_sgf(text, size).filter(|&v| v != Vertex::PASS).ok_or_else(wrong);
    let Some((a, b)) = value.split_once(':') else {
        // An empty list (`AB[]`) is written by some programs.
        return if value.trim().is_empty() { Ok(Vec::new()) } else { Ok(vec![point(value)?]) };
    };
    let (a, b) = (point(a)?, point(b)?);
    let between = |a: usize, b: usize| a.min(b)..=a.max(b);
    let columns = between(a.col(size), b.col(size));
    let line = |row: usize| columns.clone().map(move |col| Vertex::new(row, col, size));
    Ok(between(a.row(size), b.row(size)).flat_map(line).collect())
}
