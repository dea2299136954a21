//! A slow reference for closed eye spaces: it plays them out on a board by the rules of the game, with ko.
//!
//! # Notation
//! The wall is a single black string that two more eyes keep alive. White's stones and moves are inside the space only.
//!
//! # Steps
//! 1. Find all positions that the two sides can reach, with the side to move and whether the last move was a pass.
//! 2. The game ends with two passes: each connected part of the space that is not Black's is one eye.
//! 3. Find, backwards from the ends, the positions from which Black forces a given number of eyes. Endless play counts
//!    for White in one count and for Black in another. The space has a value without ko threats only if the two agree.

use super::*;
use crate::board::{Board, Color, Vertex};
use std::collections::HashMap;

const SIZE: usize = 9;

/// A position with whose turn it is and whether the last move was a pass.
type Node = (Vec<Option<Color>>, Option<Vertex>, Color, bool);

/// The result of a move.
#[derive(Clone, Copy)]
enum After {
    Node(usize),
    End(u32),
}

/// For each node the side to move and the results of its moves.
struct Oracle(Vec<(Color, Vec<After>)>);

fn eyes_at_end(board: &Board, space: &[Vertex]) -> u32 {
    let open = |v: Vertex| space.contains(&v) && board.color_at(v) != Some(Color::Black);
    let (mut seen, mut eyes) = (Vec::new(), 0);
    for &v in space.iter().filter(|&&v| open(v)) {
        if seen.contains(&v) {
            continue;
        }
        eyes += 1;
        let mut edge = vec![v];
        while let Some(at) = edge.pop() {
            if !seen.contains(&at) {
                seen.push(at);
                edge.extend(board.neighbors4(at).filter(|&n| open(n)));
            }
        }
    }
    eyes
}

impl Oracle {
    /// Step 1, from both sides' first moves: nodes 0 (White's turn) and 1 (Black's).
    fn new(start: &Board, space: &[Vertex]) -> Self {
        let mut known: HashMap<Node, usize> = HashMap::new();
        let mut all: Vec<(Board, Color, bool)> = Vec::new();
        let mut number = |all: &mut Vec<(Board, Color, bool)>, board: Board, to_move: Color, passed: bool| {
            let stones = space.iter().map(|&v| board.color_at(v)).collect();
            *known.entry((stones, board.ko_point(), to_move, passed)).or_insert_with(|| {
                all.push((board.without_history(), to_move, passed));
                all.len() - 1
            })
        };
        for color in [Color::White, Color::Black] {
            number(&mut all, start.clone(), color, false);
        }
        let mut nodes = Vec::new();
        while let Some((board, color, passed)) = all.get(nodes.len()).cloned() {
            let mut after = Vec::new();
            for &v in space.iter().chain(&[Vertex::PASS]) {
                let mut played = board.clone();
                if v == Vertex::PASS && passed {
                    after.push(After::End(eyes_at_end(&board, space)));
                } else if played.play(color, v).is_ok() {
                    after.push(After::Node(number(&mut all, played, color.other(), v == Vertex::PASS)));
                }
            }
            nodes.push((color, after));
        }
        Self(nodes)
    }

    /// Step 3: whether Black forces this many eyes, with White and Black moving first. Endless play counts for Black or
    /// for White.
    fn reaches(&self, goal: u32, cycles_are_blacks: bool) -> [bool; 2] {
        let mut won = vec![cycles_are_blacks; self.0.len()];
        loop {
            let mut changed = false;
            for at in (0..won.len()).rev() {
                let (to_move, after) = &self.0[at];
                let mut each = after.iter().map(|&next| match next {
                    After::Node(next) => won[next],
                    After::End(eyes) => eyes >= goal,
                });
                let reached = match to_move {
                    Color::Black => each.any(|won| won),
                    Color::White => each.all(|won| won),
                };
                changed |= reached != won[at];
                won[at] = reached;
            }
            if !changed {
                return [won[0], won[1]];
            }
        }
    }

    /// Eyes with White and with Black moving first; `None` where going round decides.
    fn value(&self) -> Option<[u32; 2]> {
        let count = |cycles| {
            let [one, two] = [1, 2].map(|goal| self.reaches(goal, cycles));
            [0, 1].map(|first| u32::from(one[first]) + u32::from(two[first]))
        };
        let value = count(false);
        (value == count(true)).then_some(value)
    }
}

/// A space in a solid wall with White's stones in it; `None` if it isn't one.
fn walled(space: &[Vertex], stones: &[Vertex]) -> Option<(Board, EyeGraph)> {
    let mut board = Board::new(SIZE);
    let eyes = ["A1", "A9"].map(|name| Vertex::from_gtp(name, SIZE).expect("a vertex"));
    let wall: Vec<Vertex> = board.vertices().filter(|v| !space.contains(v) && !eyes.contains(v)).collect();
    for &v in &wall {
        board.place(Color::Black, v).ok()?;
    }
    for &v in stones {
        board.place(Color::White, v).ok()?;
    }
    if board.string_size(wall[0]) != wall.len() || stones.iter().any(|&v| board.liberties(v) == 0) {
        return None;
    }
    let mut graph = EyeGraph::with_vertices(space.len());
    for (i, &v) in space.iter().enumerate() {
        graph.stones |= u16::from(stones.contains(&v)) << i;
        graph.afloat |= u16::from(board.neighbors4(v).all(|n| space.contains(&n))) << i;
        for (j, u) in space.iter().enumerate().take(i) {
            if board.neighbors4(v).any(|n| n == *u) {
                graph.join(i, j);
            }
        }
    }
    Some((board, graph))
}

#[test]
fn a_closed_space_is_worth_what_the_rules_of_the_game_make_of_it() {
    let mut random = 11_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 40) as u16
    };
    let (mut settled, mut round, mut with_stones) = (0, 0, 0);
    while settled < 150 {
        let (places, stones) = (next() & next() | next() & 0o1463, next() & next());
        let vertex = |i: usize| Vertex::new(3 + i / 4, 3 + i % 4, SIZE);
        let space: Vec<Vertex> = bits(places & 0xfff).take(6).map(vertex).collect();
        let stones: Vec<Vertex> = bits(stones & 0xfff).map(vertex).filter(|v| space.contains(v)).collect();
        let Some((board, graph)) = walled(&space, &stones) else { continue };
        let Some(value) = Oracle::new(&board, &space).value() else {
            round += 1;
            continue;
        };
        let found = EyeSolver::default().solve(&graph).value;
        assert_eq!([found.b, found.c].map(u32::from), value, "{graph:?}");
        settled += 1;
        with_stones += u32::from(!stones.is_empty());
    }
    assert!(with_stones > 50 && round == 0, "{with_stones} with stones, {round} that go round");
}
