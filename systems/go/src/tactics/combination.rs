//! Combination attacks: a sequence of threats after which a string falls that no single attack takes.
//!
//! # Source
//! GNU Go manual, "Combination Attacks": "a sequence of ataris culminating in an unexpected change of status of any
//! opponent string". The search is our own.
//!
//! # Notation
//! A string is *safe* if no attack on it works in the position of the question. A *threat* is a move on a liberty of a
//! safe string after which an attack on it works. *Near*: at most three lines from a move of the sequence both ways.
//!
//! # Steps
//! 1. Which of the opponent's strings are safe now: only they can be won by a combination.
//! 2. For one threat, then two, up to [`MOST_THREATS`]: try each threat of the position.
//! 3. For each, the opponent's replies are all moves found to save the threatened string.
//! 4. The threat works if after every reply some safe string can be attacked, or a further threat near by works.
//!
//! # Departures
//! The shortest sequence is found first, so nothing has to be left out of it afterwards.
//!
//! # Cost
//! One reading for each string, and a small tree of readings near each threat.

use super::code::Code;
use super::map::strings;
use super::reader::{Limits, Reader};
use crate::board::{Board, Color, Vertex};

/// The longest sequence of threats.
const MOST_THREATS: usize = 4;
/// How near the next threat must be, in lines.
const NEAR: usize = 3;

/// A combination that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The first threat.
    pub point: Vertex,
    /// Moves of one line of it, the attacker first.
    pub line: Vec<Vertex>,
    /// A stone of the string that falls in that line.
    pub target: Vertex,
}

/// The limits of the many small readings of a combination: narrow, and soon given up.
#[must_use]
pub fn combination_limits() -> Limits {
    Limits {
        wide_depth: 1,
        branch_depth: 2,
        fourlib_depth: 2,
        loose_depth: 0,
        nodes: 200,
        ..Limits::default()
    }
}

/// A combination by which `color` takes something that is safe against any single attack. The reader should have
/// [`combination_limits`].
pub fn combination_attack(reader: &mut Reader, board: &mut Board, color: Color) -> Option<Combination> {
    reader.forget();
    // 1.
    let safe = safe_strings(reader, board, color.other());
    let mut search = Search { reader, color, safe, played: Vec::new() };
    // 2.
    (1..=MOST_THREATS).find_map(|threats| search.attack(board, threats))
}

/// The moves by which the opponent of `color` prevents a combination of `color`, among those it passes through.
pub fn combination_defend(reader: &mut Reader, board: &mut Board, color: Color) -> Vec<Vertex> {
    let Some(combination) = combination_attack(reader, board, color) else { return Vec::new() };
    let mut points = combination.line.clone();
    points.extend(board.liberty_vertices(combination.target));
    for &v in &combination.line {
        points.extend(board.neighbors4(v).filter(|&n| board.is_empty(n)));
    }
    points.sort_unstable();
    points.dedup();
    points.retain(|&v| {
        let played = board.play(color.other(), v).is_ok();
        let prevents = played && combination_attack(reader, board, color).is_none();
        if played {
            board.undo();
        }
        prevents
    });
    points
}

/// The strings of `owner` that no attack takes, as their origins.
fn safe_strings(reader: &mut Reader, board: &mut Board, owner: Color) -> Vec<Vertex> {
    let mut safe = strings(board);
    safe.retain(|&v| board.color_at(v) == Some(owner));
    safe.retain(|&v| board.liberties(v) > 4 || !reader.attack_on(board, v).code.works());
    safe
}

struct Search<'a> {
    reader: &'a mut Reader,
    color: Color,
    /// One stone of each safe string of the position of the question.
    safe: Vec<Vertex>,
    played: Vec<Vertex>,
}

impl Search<'_> {
    /// The safe strings that still stand, near the moves so far, with at most this many liberties.
    fn targets(&self, board: &Board, most: usize) -> Vec<Vertex> {
        let size = board.size();
        let near = |a: Vertex, b: Vertex| {
            a.row(size).abs_diff(b.row(size)) <= NEAR && a.col(size).abs_diff(b.col(size)) <= NEAR
        };
        let mut targets: Vec<Vertex> = self
            .safe
            .iter()
            .copied()
            .filter(|&v| board.color_at(v) == Some(self.color.other()) && board.liberties(v) <= most)
            .filter(|&v| {
                self.played.is_empty()
                    || self.played.iter().any(|&p| board.liberty_vertices(v).any(|l| near(l, p)))
            })
            .map(|v| board.origin(v))
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The attacker to move, with this many threats left.
    fn attack(&mut self, board: &mut Board, threats: usize) -> Option<Combination> {
        if !self.played.is_empty() {
            for target in self.targets(board, 4) {
                let reading = self.reader.attack_on(board, target);
                if reading.code == Code::Win {
                    return Some(Combination { point: reading.point, line: vec![reading.point], target });
                }
            }
        }
        if threats == 0 {
            return None;
        }
        for target in self.targets(board, 3) {
            let liberties: Vec<Vertex> = board.liberty_vertices(target).collect();
            for point in liberties {
                if let Some(found) = self.threaten(board, target, point, threats) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// 3 and 4: the threat `point` against `target`.
    fn threaten(
        &mut self,
        board: &mut Board,
        target: Vertex,
        point: Vertex,
        threats: usize,
    ) -> Option<Combination> {
        board.play(self.color, point).ok()?;
        let found = self.after_threat(board, target, point, threats);
        board.undo();
        found
    }

    fn after_threat(
        &mut self,
        board: &mut Board,
        target: Vertex,
        point: Vertex,
        threats: usize,
    ) -> Option<Combination> {
        if self.reader.attack_on(board, target).code != Code::Win {
            return None;
        }
        let mut replies = self.reader.root_candidates(board, target, false);
        // Whoever can take the threatening stone answers by that too.
        replies.extend((board.liberties(point) == 1).then(|| board.liberty_vertices(point).next()).flatten());
        replies.sort_unstable();
        replies.dedup();
        let mut line: Option<Combination> = None;
        for reply in replies {
            if !self.reader.does_defend_on(board, reply, target).works()
                || board.play(self.color.other(), reply).is_err()
            {
                continue;
            }
            self.played.extend([point, reply]);
            let next = self.attack(board, threats - 1);
            self.played.truncate(self.played.len() - 2);
            board.undo();
            let next = next?;
            line.get_or_insert_with(|| {
                let mut moves = vec![point, reply];
                moves.extend(&next.line);
                Combination { point, line: moves, target: next.target }
            });
        }
        Some(line.unwrap_or_else(|| Combination { point, line: vec![point], target }))
    }
}
