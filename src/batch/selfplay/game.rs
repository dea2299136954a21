//! One game of self-play: the choice of a move, the end, the score.

use crate::scene::position::{self, GoInput};
use crate::scene::{Case, Domain, Task};
use tengen_core::{Diagnostic, SplitMix64};
use tengen_go::board::{Board, Color, KoRule, MAX_SIZE, Rules, Vertex};
use tengen_go::moves::Candidate;
use tengen_go::playout;
use tengen_go::score::{Scoring, final_status};
use tengen_go::world::Position;

/// The candidates among which an opening move is drawn.
const TOP: usize = 6;

/// Where a game begins, and how long it may last.
#[derive(Clone, Debug)]
pub struct Start {
    /// The case's id.
    pub id: String,
    /// The position.
    pub position: Position,
    /// Moves and passes in the position's history.
    pub played: usize,
    /// The scene's own seed, if it has one.
    pub seed: Option<u64>,
    /// A game ends after this many moves.
    pub max_moves: usize,
    /// Moves at the beginning that are drawn among the best.
    pub random_moves: usize,
}

impl Start {
    /// The start that a case describes.
    ///
    /// # Errors
    /// What is wrong with the case; that its game is not Go, or its task not `SelfPlay`.
    pub fn of(case: &Case) -> Result<Self, Diagnostic> {
        if matches!(case.domain(), Some(domain) if domain != Domain::Go) {
            return Err(case
                .fault("game:", "self-play supports Go alone")
                .help("write `game: Go(size: 9, komi: 6.5)`"));
        }
        crate::batch::supported(case)?;
        let GoInput { position, .. } = position::go(case)?;
        let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
        let Task::SelfPlay { max_moves, random_moves } = scene.task else {
            return Err(case
                .fault("task:", format!("`{}` is no task of self-play", scene.task.name()))
                .help("write `task: SelfPlay()`, or run the scene with `tengen run`"));
        };
        debug_assert!(position.board.size() <= MAX_SIZE, "scenes are checked on loading");
        Ok(Self {
            id: case.id.clone(),
            played: position.board.moves().count(),
            seed: scene.seed,
            max_moves: max_moves.unwrap_or(3 * position.board.size() * position.board.size()),
            random_moves,
            position,
        })
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Two passes in turn.
    Passes,
    /// So many moves as a game may have.
    Limit,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its number, from 1.
    pub number: u32,
    /// Its seed.
    pub seed: u64,
    /// The last position, with the whole game in its history.
    pub board: Board,
    /// Why it is over.
    pub end: End,
    /// White's points less Black's by area, komi included.
    pub white_lead: f32,
}

/// A game going on.
pub(super) struct Playing<'a> {
    number: u32,
    seed: u64,
    start: &'a Start,
    position: Position,
    random: SplitMix64,
    moves: usize,
    passes: usize,
}

impl<'a> Playing<'a> {
    pub(super) fn new(number: u32, start: &'a Start, seed: u64) -> Self {
        let (position, random) = (start.position.clone(), SplitMix64::new(seed));
        Self { number, seed, start, position, random, moves: 0, passes: 0 }
    }

    /// The position to think about.
    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// Plays one move out of the pipeline's candidates; why the game is over by it, if it is.
    pub(super) fn step(&mut self, candidates: &[Candidate]) -> Option<End> {
        if self.moves >= self.start.max_moves {
            return Some(End::Limit);
        }
        let Position { board, to_move, .. } = &mut self.position;
        let ranked = playable(board, *to_move, candidates);
        let drawn = if self.moves < self.start.random_moves { ranked.len().min(TOP) } else { 1 };
        let index = if drawn > 1 { self.random.below(drawn as u32) as usize } else { 0 };
        let v = ranked.get(index).copied().unwrap_or(Vertex::PASS);
        board.play(*to_move, v).expect("only legal moves are playable");
        *to_move = to_move.other();
        self.moves += 1;
        self.passes = if v == Vertex::PASS { self.passes + 1 } else { 0 };
        match (self.passes, self.moves) {
            (2.., _) => Some(End::Passes),
            (_, n) if n >= self.start.max_moves => Some(End::Limit),
            _ => None,
        }
    }

    /// The game, with its score.
    pub(super) fn finish(self, end: End) -> Finished {
        let Self { number, seed, position, .. } = self;
        let white_lead = white_lead(&position, seed);
        Finished { number, seed, board: position.board, end, white_lead }
    }
}

/// White's points less Black's by area. What is dead is judged by playouts with this seed; on boards too large for
/// them all stones count as they stand.
fn white_lead(position: &Position, seed: u64) -> f32 {
    let Position { board, to_move, komi } = position;
    if board.size() > playout::board::MAX_SIZE {
        return board.area_score(|_| false).white_lead(*komi);
    }
    final_status(board, *to_move, seed).white_lead(Scoring::Area, *komi)
}

/// The candidates worth more than nothing that may be played, best first, ties in vertex order. A move that repeats
/// a position of the game is left out under any ko rule, so that no game runs in circles; so is one into an own eye.
fn playable(board: &Board, color: Color, candidates: &[Candidate]) -> Vec<Vertex> {
    let strict = board.clone().under(Rules { ko: KoRule::PositionalSuperko, ..board.rules() });
    let may = |v: Vertex| strict.is_legal(color, v) && !is_own_eye(board, color, v);
    let mut ranked: Vec<&Candidate> =
        candidates.iter().filter(|c| c.value > 0.0 && c.vertex != Vertex::PASS && may(c.vertex)).collect();
    ranked.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
    ranked.into_iter().map(|c| c.vertex).collect()
}

/// Whether `v` is a single-point eye of `color` that can't be made false: own stones on all sides, and of the
/// diagonals at most one the opponent's, none at the edge.
fn is_own_eye(board: &Board, color: Color, v: Vertex) -> bool {
    let foes = board.diagonals(v).filter(|&d| board.color_at(d) == Some(color.other())).count();
    let at_edge = board.diagonals(v).count() < 4;
    board.neighbors4(v).all(|n| board.color_at(n) == Some(color)) && foes < if at_edge { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(board: &Board, name: &str, value: f32) -> Candidate {
        let vertex = Vertex::from_gtp(name, board.size()).expect("a vertex");
        Candidate { value, ..Candidate::new(vertex) }
    }

    fn names(board: &Board, color: Color, candidates: &[(&str, f32)]) -> Vec<String> {
        let candidates: Vec<_> = candidates.iter().map(|&(n, v)| candidate(board, n, v)).collect();
        playable(board, color, &candidates).iter().map(|v| v.to_gtp(board.size())).collect()
    }

    #[test]
    fn the_best_comes_first_and_worthless_moves_do_not_come() {
        let board = Board::new(5);
        let found = names(&board, Color::Black, &[("A1", 1.0), ("C3", 4.0), ("B5", 4.0), ("E1", 0.0)]);
        assert_eq!(found, ["B5", "C3", "A1"]);
    }

    #[test]
    fn own_eyes_are_not_filled_but_false_ones_are() {
        let (board, _) =
            Board::from_diagram(". X . . .\nX X . . .\n. . . . .\n. O . . .\nX . . . .").expect("it");
        let eye = names(&board, Color::Black, &[("A5", 9.0)]);
        assert!(eye.is_empty());
        let (board, _) =
            Board::from_diagram(". X . . .\nX O . . .\n. . . . .\n. . . . .\n. . . . .").expect("it");
        assert_eq!(names(&board, Color::Black, &[("A5", 9.0)]), ["A5"]);
    }
}
