//! The df-pn search that proves or disproves "the victim is captured".
//!
//! # Source
//! [`proof`](crate::proof): its numbers and its depth-first search.
//!
//! # Steps
//! 1. A position that is met for the first time is counted ([`View`]). If the count does not decide, the first numbers
//!    follow from its margin.
//! 2. Deeper in a line the search trusts the count more. A line that is too long counts for the victim.
//! 3. The victim may also pass (seki).

use super::moves::candidates;
use super::race::{Question, Race};
use super::view::{Verdict, View};
use crate::board::{Board, Color, Line, Vertex};
use crate::eyes::EyeSolver;
use crate::local_view::Eyesight;
use crate::proof::kos::{Found, Kos, expected};
use crate::proof::{Bounds, DepthFirst, Node, Numbers, Problem};

/// States that an eye space may take.
const EYE_STATES: usize = 1_000;
/// From this depth the count is trusted more with every move.
const TRUST_FROM: u32 = 8;
/// Steps a search may take for each position it may look at.
const STEPS_PER_NODE: u32 = 12;
/// Longer lines count for the victim.
const MAX_DEPTH: u32 = 40;

/// Reads races. Keeps scratch memory and eye values between questions, never an answer.
pub struct RaceReader {
    /// The table of the searches.
    table: DepthFirst<Vertex>,
    eyesight: Eyesight,
}

impl Default for RaceReader {
    fn default() -> Self {
        let solver = EyeSolver::with_budgets(EYE_STATES, EYE_STATES);
        Self { table: DepthFirst::default(), eyesight: Eyesight::new(solver) }
    }
}

impl RaceReader {
    pub(super) fn search(&mut self, board: &mut Board, race: &Race, asked: Question) -> Found {
        let kos = Kos::new(asked.favoured);
        let mut capture = Capture { board, race, asked, eyesight: &mut self.eyesight, kos };
        let attacking = asked.mover != asked.victim;
        let bounds = Bounds {
            nodes: asked.limit,
            steps: STEPS_PER_NODE.saturating_mul(asked.limit),
            depth: MAX_DEPTH,
        };
        let root = self.table.run(&mut capture, attacking, bounds);
        let Numbers { proof, disproof } = root.numbers;
        let certain = root.numbers.is_settled();
        // Cut off, the more likely outcome counts.
        let killed = if certain { proof == 0 } else { proof < disproof };
        let success = killed == attacking;
        let on = self.table.line(capture.key(attacking), attacking);
        let line = if success { expected(None, on) } else { Line::NONE };
        Found { success, certain, line, ko_seen: capture.kos.seen, nodes: self.table.nodes() }
    }

    /// The result of counting for the position with this side to move, in words.
    pub fn explain(
        &mut self,
        board: &Board,
        goals: [&[Vertex]; 2],
        known: (&[bool], &[bool]),
        to_move: Color,
    ) -> String {
        let race = &Race::new(board, goals, known);
        let view = View::new(board, race, to_move, &mut self.eyesight);
        let mut text = format!("shared {}", view.shared.len());
        for color in Color::BOTH {
            let side = &view.sides[color.index()];
            let spaces: Vec<String> = side
                .touching
                .iter()
                .map(|&i| {
                    let s = &side.spaces[i];
                    let name = s.origin().to_gtp(board.size());
                    format!("{name} {} of {} marginal {}", s.value, s.vertices.len(), s.marginal_count())
                })
                .collect();
            text.push_str(&format!(
                "; {color}: {} exclusive, eye class {}, eyes {:?}, escape {}, alive {}, hopes {} fears {}, spaces [{}]",
                side.exclusive, side.eye, side.eyes, side.escape, side.alive, side.hopes, side.fears, spaces.join("; ")
            ));
        }
        let moves = candidates(board, race, &view, to_move, 0);
        let names: Vec<String> = moves.into_iter().map(|v| v.to_gtp(board.size())).collect();
        format!("{text}; moves {}", names.join(" "))
    }
}

/// The capture of the victim, as a problem.
struct Capture<'a> {
    board: &'a mut Board,
    race: &'a Race,
    asked: Question,
    eyesight: &'a mut Eyesight,
    kos: Kos,
}

impl Capture<'_> {
    const fn color(&self, attacking: bool) -> Color {
        if attacking { self.asked.victim.other() } else { self.asked.victim }
    }
}

impl Problem for Capture<'_> {
    type Move = Vertex;

    fn key(&self, attacking: bool) -> u64 {
        self.board.situation_hash(self.color(attacking))
    }

    /// Steps 1 to 3.
    fn open(&mut self, attacking: bool, depth: u32) -> Node<Vertex> {
        let to_move = self.color(attacking);
        let view = View::new(self.board, self.race, to_move, self.eyesight);
        let trust = depth.saturating_sub(TRUST_FROM);
        let margin = match view.verdict(self.asked, to_move, trust) {
            // The question itself is searched one move deep: that yields a move, and checks the count.
            Verdict::Killed if depth > 0 => return Node::settled(true),
            Verdict::Survives if depth > 0 => return Node::settled(false),
            Verdict::Open(margin) => margin,
            Verdict::Killed => 4,
            Verdict::Survives => -4,
        };
        let moves = candidates(self.board, self.race, &view, to_move, depth);
        let mut children = self.kos.children(self.board, to_move, &moves);
        if attacking && children.is_empty() {
            return Node::settled(margin >= 0);
        }
        if !attacking {
            children.extend(self.kos.children(self.board, to_move, &[Vertex::PASS]));
        }
        let lead = margin.clamp(-6, 6);
        let proof = (4 - lead / 2 + i32::from(!attacking)).max(1) as u32;
        let disproof = (4 + lead / 2 + i32::from(attacking)).max(1) as u32;
        Node { numbers: Numbers { proof, disproof }, children: children.into_boxed_slice() }
    }

    fn play(&mut self, attacking: bool, v: Vertex) -> bool {
        self.kos.play(self.board, self.color(attacking), v)
    }

    fn undo(&mut self) {
        self.board.undo();
    }
}
