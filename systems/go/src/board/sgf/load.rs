//! Plays an SGF tree to a position.
//!
//! # Steps
//! 1. Size, komi, handicap and rules come from the root.
//! 2. Node by node along the line, stones are set up (`AB AW AE`; an occupied vertex does not change). Moves are played
//!    up to the requested one.
//! 3. `HA` above 1 means that White begins. If the file has placed no stone before White's first move (or before
//!    `PL[W]`), the fixed handicap is placed.
//! 4. A move onto an occupied vertex ends the loading there. A ko taken back at once is played as the file has it.
//! 5. The colour to move is that of the requested move. Otherwise it is the opponent of the last mover, else `PL`, else
//!    Black (White with a handicap). A vertex marked `IL` at the end is a ko that the colour to move may not take.

use super::{NodeId, Property, SgfError, Tree, vertex_from_sgf};
use crate::board::handicap::fixed_handicap;
use crate::board::{Board, Color, IllegalMove, MAX_SIZE, MIN_SIZE, Rules, Vertex};

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
    let handicap = property("HA").map_or(Ok(0.0), number)? as usize;
    let komi = property("KM").map_or(Ok(if handicap > 1 { 0.5 } else { 5.5 }), number)?;
    let mut loader = Loader {
        board: Board::with_rules(size, rules),
        handicap: if handicap > 1 { handicap } else { 0 },
        placed: false,
        next: None,
        player: None,
        ko: None,
        moves: 0,
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
    }
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
            "PL" => {
                let color = color(property)?;
                self.player = Some(color);
                if color == Color::White {
                    self.place_handicap();
                }
            }
            "IL" => {
                self.ko = property.values.first().and_then(|text| vertex_from_sgf(text, self.board.size()))
            }
            _ => {}
        }
        Ok(Step::On)
    }

    // 2.
    fn set_up(&mut self, property: &Property, color: Option<Color>) -> Result<(), SgfError> {
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

fn number(property: &Property) -> Result<f32, SgfError> {
    let text = property.values.first().map_or("", |v| v.trim());
    if text.is_empty() {
        return Ok(0.0);
    }
    let number = text.parse().ok().filter(|value: &f32| value.is_finite());
    number.ok_or_else(|| fault(property, text, "it is no number"))
}

fn color(property: &Property) -> Result<Color, SgfError> {
    match property.values.first().map(|v| v.trim().to_ascii_lowercase()).as_deref() {
        Some("b" | "black" | "1") => Ok(Color::Black),
        Some("w" | "white" | "2") => Ok(Color::White),
        other => Err(fault(property, other.unwrap_or(""), "a colour is B or W")),
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
    let columns = a.col(size)..=b.col(size);
    let line = |row: usize| columns.clone().map(move |col| Vertex::new(row, col, size));
    Ok((a.row(size)..=b.row(size)).flat_map(line).collect())
}
