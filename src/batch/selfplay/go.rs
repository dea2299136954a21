//! Plays the Go games of self-play: the opening, the moves of the pipeline, the score, records as SGF.

use super::entry::{self, End, Entry};
use super::live::Watched;
use super::start::{From, Opening, Settings, Start};
use super::{Finished, Plan};
use crate::record::signature;
use crate::scene::position::{self, GoInput};
use crate::scene::{Case, Scene};
use tengen_core::{Diagnostic, SplitMix64};
use tengen_go::Effort;
use tengen_go::board::{Board, Color, KoRule, Rules, Vertex, sgf};
use tengen_go::moves::Candidate;
use tengen_go::playout;
use tengen_go::score::{Scoring, final_status};
use tengen_go::world::{Position, past_of};

/// The candidates among which an opening move is drawn.
const TOP: usize = 6;

/// The start that a case describes.
///
/// # Errors
/// The fault of its position.
pub(super) fn start(case: &Case, scene: &Scene, settings: &Settings<'_>) -> Result<Start, Diagnostic> {
    let GoInput { position, .. } = position::go(case)?;
    let points = position.board.size() * position.board.size();
    Ok(Start {
        id: case.id.clone(),
        seed: scene.seed,
        max_moves: settings.max_moves.unwrap_or(3 * points),
        random_moves: settings.random_moves.unwrap_or(8),
        from: From::Go(Box::new(Opening { played: position.board.moves().count(), position })),
    })
}

/// The opening of a game of this plan.
pub(super) fn opening(plan: &Plan, number: u32) -> Option<&Opening> {
    if let From::Go(opening) = &plan.start(number).from { Some(opening) } else { None }
}

/// A running game: its position, whose history holds the moves, and one comment for each move.
#[derive(Debug)]
pub(super) struct Playing<'a> {
    pub(super) number: u32,
    pub(super) position: Position,
    pub(super) moves: usize,
    random: SplitMix64,
    seed: u64,
    max_moves: usize,
    random_moves: usize,
    passes: usize,
    comments: Vec<String>,
    watched: Option<Watched<'a>>,
}

impl<'a> Playing<'a> {
    /// The game of this number; `None` if it is no game of Go.
    pub(super) fn new(plan: &'a Plan, number: u32) -> Option<Self> {
        let (start, opening, seed) = (plan.start(number), opening(plan, number)?, plan.seed(number));
        Some(Self {
            number,
            position: opening.position.clone(),
            moves: 0,
            random: SplitMix64::new(plan.opening_seed(number)),
            seed,
            max_moves: start.max_moves,
            random_moves: start.random_moves,
            passes: 0,
            comments: Vec::new(),
            watched: plan.watched(number),
        })
    }

    /// Plays one move out of the pipeline's candidates; why the game is over by it, if it is.
    pub(super) fn step(&mut self, candidates: &[Candidate]) -> Option<End> {
        let Position { board, to_move, .. } = &self.position;
        let ranked = playable(board, *to_move, candidates);
        let drawn = if self.is_opening() { ranked.len().min(TOP) } else { 1 };
        let index = if drawn > 1 { self.random.below(drawn as u32) as usize } else { 0 };
        let (v, comment) = match ranked.get(index) {
            Some(best) => (best.vertex, comment(best, board.size())),
            None => (Vertex::PASS, "nothing is left to gain".into()),
        };
        self.play(v, comment).unwrap_or(Some(End::IllegalMove))
    }

    /// Whether moves are still drawn.
    pub(super) const fn is_opening(&self) -> bool {
        self.moves < self.random_moves
    }

    /// Plays a move or a pass; why the game is over by it, if it is. `None` if the move is not legal.
    pub(super) fn play(&mut self, v: Vertex, comment: String) -> Option<Option<End>> {
        let Position { board, to_move, past, .. } = &mut self.position;
        board.play(*to_move, v).ok()?;
        *to_move = to_move.other();
        *past = past_of(board);
        self.moves += 1;
        self.comments.push(comment);
        self.passes = if v == Vertex::PASS { self.passes + 1 } else { 0 };
        Some(match (self.passes, self.moves) {
            (2.., _) => Some(End::Passes),
            (_, n) if n >= self.max_moves => Some(End::Limit),
            _ => None,
        })
    }

    /// White's points less Black's by area. Playouts with the game's random seed find the dead stones. On boards that
    /// are too large for playouts no stone counts as dead.
    pub(super) fn white_lead(&self) -> f32 {
        let Position { board, to_move, komi, .. } = &self.position;
        if board.size() > playout::board::MAX_SIZE {
            return board.area_lead(*komi);
        }
        final_status(board, *to_move, self.seed, Effort::default().status).white_lead(Scoring::Area, *komi)
    }

    /// The game, counted.
    pub(super) fn finish(self, plan: &Plan, end: End) -> Finished {
        let lead = self.white_lead();
        let note = format!("end: {}; scored by area", end.name());
        self.close(plan, &result(lead), note)
    }

    /// The game, won by `winner` without counting.
    pub(super) fn won_by(self, plan: &Plan, winner: Color, end: End, why: &str) -> Finished {
        let letter = if winner == Color::Black { 'B' } else { 'W' };
        let how = if end == End::Resignation { 'R' } else { 'F' };
        self.close(plan, &format!("{letter}+{how}"), format!("end: {}; {why}", end.name()))
    }

    /// Shows how the game stands, if it is watched.
    pub(super) fn show(&mut self, plan: &Plan) {
        if let Some(mut watched) = self.watched.take() {
            watched.show(|| self.record(plan, "?", "end: none yet".into()));
            self.watched = Some(watched);
        }
    }

    /// The game record with this result.
    pub(super) fn close(self, plan: &Plan, result: &str, note: String) -> Finished {
        Finished { number: self.number, record: self.record(plan, result, note) }
    }

    fn record(&self, plan: &Plan, result: &str, note: String) -> String {
        let (number, position) = (self.number, &self.position);
        let mut root = vec![
            ("KM", position.komi.to_string()),
            ("PB", plan.player(0, number).name()),
            ("PW", plan.player(1, number).name()),
            ("RU", "Chinese".to_owned()),
            ("RE", result.to_owned()),
            ("GN", plan.game_name(number)),
            ("GC", note),
        ];
        // SGF has ISO's dates.
        root.extend(plan.date.as_ref().map(|date| ("DT", date.replace('.', "-"))));
        let before = position.board.moves().count() - self.comments.len();
        let comment = |i: usize| i.checked_sub(before).and_then(|i| self.comments.get(i)).cloned();
        sgf::write(&sgf::record(&position.board, &root, comment))
    }
}

/// A move's value and its reasons.
fn comment(candidate: &Candidate, size: usize) -> String {
    let name = candidate.vertex.to_gtp(size);
    let mut lines = vec![format!("value {:.2} ({})", candidate.value, candidate.terms_text())];
    lines.extend(candidate.reasons.iter().map(|r| format!("Move at {name} {}", r.text(size))));
    lines.join("\n")
}

/// The result as SGF writes it.
pub(super) fn result(white_lead: f32) -> String {
    match white_lead {
        lead if lead > 0.0 => format!("W+{lead}"),
        lead if lead < 0.0 => format!("B+{}", -lead),
        _ => "0".into(),
    }
}

/// The data of a game record; `None` if it is not a complete record of this game.
pub(super) fn entry(plan: &Plan, number: u32, text: &str) -> Option<Entry> {
    // A record that is cut off between two nodes can still be parsed.
    if !text.trim_ascii_end().ends_with(')') {
        return None;
    }
    let tree = sgf::parse(text.as_bytes()).ok()?;
    let root = tree.nodes.first()?;
    let result = root.get("RE").filter(|_| root.get("GN") == Some(plan.game_name(number).as_str()))?;
    let (winner, lead) = match result.split_once('+') {
        Some(("W", lead)) => (Some(Color::White), lead.parse().ok()),
        Some(("B", lead)) => (Some(Color::Black), lead.parse::<f32>().ok().map(|lead| -lead)),
        _ => (None, Some(0.0)),
    };
    let white = winner.map_or(0.5, |w| if w == Color::White { 1.0 } else { 0.0 });
    let note = root.get("GC")?;
    let end = note.strip_prefix("end: ")?.split(';').next().and_then(End::from_name)?;
    let is_move = |&id: &usize| tree.nodes[id].get("B").or_else(|| tree.nodes[id].get("W")).is_some();
    let line = tree.line(&[]);
    let moves = line.iter().filter(|id| is_move(id)).count();
    let played: Vec<_> = line.iter().map(|&id| (tree.nodes[id].get("B"), tree.nodes[id].get("W"))).collect();
    Some(Entry {
        moves: moves.checked_sub(opening(plan, number)?.played)?,
        result: result.into(),
        points: vec![1.0 - white, white],
        white_lead: lead,
        end,
        disputed: note.contains("disputed"),
        signature: signature(text.as_bytes()),
        game: entry::hash(&format!("{} {played:?}", plan.start(number).id)),
    })
}

/// The candidates worth more than nothing that may be played, best first, ties in vertex order. Moves that repeat a
/// position of the game are left out under any ko rule, so that no game repeats for ever. Moves into an own eye are
/// left out, too.
fn playable<'a>(board: &Board, color: Color, candidates: &'a [Candidate]) -> Vec<&'a Candidate> {
    let strict = board.clone().under(Rules { ko: KoRule::PositionalSuperko, ..board.rules() });
    let may = |v: Vertex| strict.is_legal(color, v) && !is_own_eye(board, color, v);
    let mut ranked: Vec<&Candidate> =
        candidates.iter().filter(|c| c.value > 0.0 && c.vertex != Vertex::PASS && may(c.vertex)).collect();
    ranked.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
    ranked
}

/// Whether `v` is a single-point eye of `color` that cannot become false. It has own stones on all sides, and at most
/// one enemy stone on the diagonals (none at the edge).
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
        playable(board, color, &candidates).iter().map(|c| c.vertex.to_gtp(board.size())).collect()
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
