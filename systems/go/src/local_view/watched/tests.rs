//! Tests of recorded columns: a vertex that was not recorded changes no value.

use super::super::{Arena, Surroundings};
use super::*;
use crate::board::Color;

#[test]
fn the_values_of_escape_and_the_ways_out_rest_on_what_they_record() {
    let mut random = 17_u64;
    let mut below = |n: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % n
    };
    let mut changed = 0;
    for round in 0..300 {
        let size = [7, 9, 13, 19][round % 4];
        let mut board = Board::new(size);
        for _ in 0..size * (1 + round % 9) {
            let _ = board.play(Color::BOTH[below(2)], Vertex::from_index(below(size * size), size));
        }
        let board = board.without_history();
        let mut dead = vec![false; board.padded_len()];
        for string in board.strings().filter(|_| below(5) == 0) {
            board.stones(string).for_each(|v| dead[v.at()] = true);
        }
        let Some(goal) = board.strings().next() else { continue };
        let goal: Vec<Vertex> = board.stones(goal).collect();
        let color = board.color_at(goal[0]).expect("a stone");
        let at = Vertex::from_index(below(size * size), size);
        let value = |board: &Board, dead: &[bool]| {
            let known = Surroundings { dead: Some(dead), ..Surroundings::default() };
            let arena = Arena::new(board, color, &goal, &known);
            let empty = board.is_empty(at);
            let out = if empty && arena.ground.inside[at.at()] { arena.out.near(at) } else { None };
            let marks = [&arena.safe_foe, &arena.dead_foe, &arena.safe_friend].map(|marks| marks[at.at()]);
            (if empty { arena.escape.at(at) } else { 0 }, out, marks)
        };
        let (seen, watch) = board.watched();
        let first = value(&seen, &dead);
        let footprint = watch.footprint(&board);
        let mut other = board.clone();
        for v in board.vertices().filter(|&v| !footprint.holds(v)) {
            if board.color_at(v).is_some() {
                dead[v.at()] ^= below(3) == 0;
                if below(3) == 0 {
                    other.remove(v);
                }
            } else if below(3) == 0 {
                let _ = other.place(Color::BOTH[below(2)], v);
            }
        }
        changed += usize::from(other.hash() != board.hash());
        assert_eq!(value(&other.without_history(), &dead), first, "round {round}, {at:?}\n{board}\n{other}");
    }
    assert!(changed > 200, "only {changed} boards were changed");
}
