//! The ko rule of a search: one side may take every ko back at once, or neither side may. The module combines the
//! answers under the three rules.

use crate::board::{Board, Color, Line, Vertex};
use crate::tactics::Code;

/// The side that may retake, and whether a ko has mattered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kos {
    /// The side that may retake any ko at once.
    pub favoured: Option<Color>,
    /// Whether somebody wanted to retake one.
    pub seen: bool,
}

impl Kos {
    /// Before anything was played.
    #[must_use]
    pub const fn new(favoured: Option<Color>) -> Self {
        Self { favoured, seen: false }
    }

    /// Plays a move or a pass, if it is legal under this rule.
    pub fn play(&mut self, board: &mut Board, color: Color, v: Vertex) -> bool {
        if v != Vertex::PASS && board.ko_point() == Some(v) {
            self.seen = true;
            if self.favoured == Some(color) {
                return board.play_ignoring_ko(color, v).is_ok();
            }
        }
        board.play(color, v).is_ok()
    }

    /// The moves of a colour that can be played, with the keys of the positions after them.
    pub fn children(&mut self, board: &mut Board, color: Color, moves: &[Vertex]) -> Vec<(Vertex, u64)> {
        let mut children = Vec::with_capacity(moves.len() + 1);
        for &v in moves {
            if self.play(board, color, v) {
                children.push((v, board.situation_hash(color.other())));
                board.undo();
            }
        }
        children
    }
}

/// The line that begins so and goes on like this, as far as nobody passes.
pub fn expected(begun: Option<Vertex>, on: impl Iterator<Item = Vertex>) -> Line {
    begun.into_iter().chain(on).take_while(|&v| v != Vertex::PASS).collect()
}

/// The result of one search under one rule.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Whether the side that moves first reaches its end.
    pub success: bool,
    /// Whether it came to its end.
    pub certain: bool,
    /// The first move that does it, or the most promising one, and the line after it. Empty if there is none.
    pub line: Line,
    /// Whether a ko has mattered.
    pub ko_seen: bool,
    /// Positions looked at.
    pub nodes: u32,
}

/// The combined answer under the three rules.
#[derive(Clone, Copy, Debug)]
pub struct Grade {
    /// The result of the side that moves first.
    pub code: Code,
    /// Its move and what follows; empty if it fails.
    pub line: Line,
    /// Whether all searches came to their ends.
    pub certain: bool,
    /// The move of the first search, for any result.
    pub guess: Vertex,
    /// Positions looked at by all.
    pub nodes: u64,
}

/// Asks with the other side favoured in kos; if it fails then and a ko mattered, with the first mover favoured, and
/// with neither. A first search that must reach its end and does not is the last.
pub fn grade(mover: Color, must_end: bool, mut ask: impl FnMut(Option<Color>) -> Found) -> Grade {
    let (mut certain, mut nodes) = (true, 0);
    let mut run = |favoured| {
        let found = ask(favoured);
        certain &= found.certain;
        nodes += u64::from(found.nodes);
        found
    };
    let hard = run(Some(mover.other()));
    let (mut code, mut line) = (Code::Fail, Line::NONE);
    if hard.success {
        (code, line) = (Code::Win, hard.line);
    } else if hard.ko_seen && (hard.certain || !must_end) {
        let easy = run(Some(mover));
        if easy.success {
            let plain = run(None);
            (code, line) = if plain.success { (Code::KoA, plain.line) } else { (Code::KoB, easy.line) };
        }
    }
    Grade { code, line, certain, guess: hard.line.start(), nodes }
}
