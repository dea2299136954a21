//! Tests of footprints: what stands elsewhere changes no answer.

use super::*;
use crate::board::{KoRule, Rules};

/// A linear congruential generator.
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A board of this size with stones put at random, no string without a liberty.
fn random_board(random: &mut Random, size: usize) -> Board {
    let mut board = Board::with_rules(size, Rules { ko: KoRule::Simple, ..Rules::default() });
    for _ in 0..size * size * 2 / 3 {
        let v = Vertex::from_index(random.below(size * size), size);
        let _ = board.play(Color::BOTH[random.below(2)], v);
    }
    board.without_history()
}

/// Questions and moves around a vertex, chosen by the answers before: the answers in order.
fn ask_around(board: &mut Board, start: Vertex, mut random: Random) -> Vec<u64> {
    let mut told = Vec::new();
    let mut at = start;
    for _ in 0..40 {
        let color = Color::BOTH[random.below(2)];
        let answer = match random.below(14) {
            0 => board.color_at(at).map_or(2, |color| color.index() as u64),
            1 => board.liberties(at) as u64,
            2 => board.liberty_vertices(at).fold(0_u64, |sum, v| sum.wrapping_mul(31) + v.at() as u64),
            3 => board.stones(at).fold(0_u64, |sum, v| sum.wrapping_mul(31) + v.at() as u64),
            4 => board.origin(at).at() as u64,
            5 => board.adjacent_strings(at).iter().fold(0_u64, |sum, v| sum.wrapping_mul(31) + v.at() as u64),
            6 => board.strings_next_to(at, color).fold(0_u64, |sum, v| sum.wrapping_mul(31) + v.at() as u64),
            7 if board.is_empty(at) => board.after(color, at).0 as u64,
            8 => board.ko_point().map_or(0, |v| v.at() as u64),
            9 => u64::from(board.is_legal(color, at)),
            10 | 11 => u64::from(board.play(color, at).is_ok()),
            12 => u64::from(board.history_len() > 0 && board.undo()),
            _ => board.string_size(at) as u64,
        };
        told.push(answer);
        // On to a neighbour, which the answer helps to choose.
        let near: Vec<Vertex> = board.neighbors4(at).collect();
        at = near[(random.below(8) + answer as usize) % near.len()];
    }
    board.undo_to(0);
    told
}

#[test]
fn nothing_outside_a_footprint_changes_an_answer() {
    let mut random = Random(11);
    let mut changed = 0;
    for round in 0..3000 {
        let size = [2, 5, 9, 13, 19, 25][round % 6];
        let board = random_board(&mut random, size);
        let start = Vertex::from_index(random.below(size * size), size);
        let program = Random(random.0 ^ round as u64);
        let (mut seen, watch) = board.watched();
        let told = ask_around(&mut seen, start, program.clone());
        let footprint = watch.footprint(&board);
        let mut other = board.clone();
        for _ in 0..size {
            let v = Vertex::from_index(random.below(size * size), size);
            if footprint.holds(v) {
                continue;
            }
            if board.color_at(v).is_some() {
                other.remove(v);
            } else {
                let _ = other.place(Color::BOTH[random.below(2)], v);
            }
        }
        if watch.saw_ko() {
            other = other.without_history();
            if let Some((v, color)) = board.ko() {
                other.set_ko(v, color);
            }
        }
        changed += usize::from(other.hash() != board.hash());
        let again = ask_around(&mut other.without_history(), start, program);
        assert_eq!(again, told, "round {round}, from {start:?}\n{board}\n{other}");
    }
    assert!(changed > 1500, "only {changed} boards were changed");
}

#[test]
fn copies_record_in_the_same_place_and_other_boards_nowhere() {
    let mut board = Board::new(9);
    let [c3, e5] = ["C3", "E5"].map(|name| Vertex::from_gtp(name, 9).expect("a vertex"));
    board.place(Color::Black, c3).expect("empty");
    let (seen, watch) = board.watched();
    assert!(watch.footprint(&board).is_empty());
    let _ = seen.without_history().liberties(c3);
    assert_eq!(watch.footprint(&board).len(), 5, "the stone and its four neighbours");
    let _ = board.color_at(e5);
    assert!(!watch.footprint(&board).holds(e5));
    seen.look_at_all();
    assert_eq!(watch.footprint(&board).len(), 81);
    assert!(watch.saw_ko());
}
