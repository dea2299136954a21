//! Tests of the memory of readings: what it keeps, what it forgets, and that no answer depends on it.

use super::*;
use crate::connection::ConnectionReader;
use crate::effort::{Effort, Level, LifeLimits};
use crate::owl::{LifeQuestion, LifeReader};
use crate::tactics::{Reader, read_worm};

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A board of this size where moves were played at random, mostly next to each other.
fn played(random: &mut Random, size: usize, moves: usize) -> Board {
    let mut board = Board::new(size);
    for number in 0..moves {
        let v = Vertex::from_index(random.below(size * size), size);
        let lonely = board.neighbors8(v).all(|n| board.is_empty(n));
        if !lonely || random.below(4) == 0 {
            let _ = board.play(Color::BOTH[number % 2], v);
        }
    }
    board.without_history()
}

/// The same board with some stones put or taken outside the footprint; `None` if none was.
fn changed_outside(random: &mut Random, board: &Board, footprint: &VertexSet, most: usize) -> Option<Board> {
    let mut other = board.clone();
    for _ in 0..most {
        let v = Vertex::from_index(random.below(board.size() * board.size()), board.size());
        if footprint.holds(v) {
            continue;
        }
        if other.color_at(v).is_some() {
            other.remove(v);
        } else {
            let _ = other.place(Color::BOTH[random.below(2)], v);
        }
    }
    let mut other = other.without_history();
    if let Some((v, color)) = board.ko() {
        other.set_ko(v, color);
    }
    let breathless = other.vertices().any(|v| !other.is_empty(v) && other.liberties(v) == 0);
    (other.hash() != board.hash() && !breathless).then_some(other)
}

#[test]
fn nothing_outside_the_footprint_of_a_question_of_life_changes_its_answer() {
    let mut random = Random(5);
    let limits = LifeLimits { nodes: 60, wide_nodes: 30, closed: 300, ..Effort::default().life };
    let (mut asked, mut changed) = (0, 0);
    for round in 0..60 {
        let size = [9, 13, 19][round % 3];
        let board = played(&mut random, size, size * size);
        let mut marks = [(); 2].map(|()| vec![false; board.padded_len()]);
        for string in board.strings() {
            let which = random.below(3);
            if let Some(marks) = marks.get_mut(which) {
                board.stones(string).for_each(|v| marks[v.at()] = true);
            }
        }
        for string in board.strings().filter(|_| random.below(4) == 0).collect::<Vec<_>>() {
            let goal: Vec<Vertex> = board.stones(string).collect();
            let answer = |board: &Board, [alive, dead]: &[Vec<bool>; 2]| {
                let mut reader = LifeReader::default();
                let question = LifeQuestion::new(board, &goal, (alive, dead), limits);
                let proved = reader.prove_each(&question, limits.closed);
                (reader.complete(&question, proved), reader.fields_opened())
            };
            let (seen, watch) = board.watched();
            let first = answer(&seen, &marks);
            let footprint = watch.footprint(&board);
            asked += 1;
            let mut other_marks = marks.clone();
            for v in board.vertices().filter(|&v| !footprint.holds(v)) {
                other_marks[random.below(2)][v.at()] ^= random.below(3) == 0;
            }
            let Some(other) = changed_outside(&mut random, &board, &footprint, size) else { continue };
            changed += 1;
            assert_eq!(answer(&other, &other_marks), first, "round {round}, {string:?}\n{board}\n{other}");
        }
    }
    assert!(changed * 3 > asked && changed > 150, "{changed} of {asked} boards were changed");
}

#[test]
fn nothing_outside_the_footprint_of_a_reading_of_strings_changes_its_answer() {
    let mut random = Random(77);
    let limits = Effort::of(Level::Quick);
    let mut counts = [[0; 2]; 3];
    for round in 0..120 {
        let size = [9, 13, 19][round % 3];
        let board = played(&mut random, size, size * size);
        let strings: Vec<Vertex> = board.strings().collect();
        let area: Vec<Vertex> = board.vertices().filter(|v| v.row(size) < 3 && v.col(size) < 4).collect();
        for _ in 0..12 {
            let a = strings[random.below(strings.len())];
            let near = |v: &&Vertex| {
                let far = v.row(size).abs_diff(a.row(size)) + v.col(size).abs_diff(a.col(size));
                board.color_at(**v) == board.color_at(a) && **v != a && far < 7
            };
            let b = strings.iter().find(near).copied();
            let kind = random.below(3);
            let answer = |board: &Board| {
                let mut links = ConnectionReader::new(limits.links);
                match (kind, b) {
                    (0, _) | (1, None) => {
                        let mut reader = Reader::new(limits.strings);
                        format!("{:?}", read_worm(&mut reader, &mut board.clone(), a))
                    }
                    (1, Some(b)) => format!("{:?}", links.disconnect(board, a, b)),
                    _ => {
                        format!("{:?}{:?}", links.break_in(board, a, &area), links.block_off(board, a, &area))
                    }
                }
            };
            let (seen, watch) = board.watched();
            let first = answer(&seen);
            let footprint = watch.footprint(&board);
            counts[kind][0] += 1;
            let Some(other) = changed_outside(&mut random, &board, &footprint, size) else { continue };
            counts[kind][1] += 1;
            assert_eq!(answer(&other), first, "round {round}, kind {kind}, {a:?} {b:?}\n{board}\n{other}");
        }
    }
    assert!(counts.iter().all(|[asked, changed]| changed * 3 > *asked && *changed > 200), "{counts:?}");
}

/// A question about one vertex, answered by the number of its reading.
fn ask(memory: &ReadingMemory, board: &Board, at: &str, number: &mut u64) -> u64 {
    let v = Vertex::from_gtp(at, board.size()).expect("a vertex");
    let asked = Asked::new(QuestionKind::String, v, board, &[]);
    memory.answer(
        &asked,
        |_| 8,
        |board| {
            *number += 1;
            board.liberties(v) as u64 * 100_000 + *number
        },
    )
}

#[test]
fn an_answer_holds_while_the_same_stands_where_it_looked_and_when_it_comes_back() {
    let memory = ReadingMemory::default();
    let mut board = Board::new(9);
    let at = |name| Vertex::from_gtp(name, 9).expect("a vertex");
    board.place(Color::Black, at("C3")).expect("empty");
    let mut number = 0;
    assert_eq!(ask(&memory, &board.without_history(), "C3", &mut number), 400_001);
    board.place(Color::White, at("G7")).expect("empty");
    assert_eq!(ask(&memory, &board.without_history(), "C3", &mut number), 400_001, "far away");
    board.place(Color::White, at("C4")).expect("empty");
    assert_eq!(ask(&memory, &board.without_history(), "C3", &mut number), 300_002, "beside it");
    board.undo();
    assert_eq!(ask(&memory, &board.without_history(), "C3", &mut number), 400_001, "as before");
    let other = Board::new(13);
    assert_eq!(ask(&memory, &other, "C3", &mut number), 3, "another size");
    let counts = memory.counts()[QuestionKind::String as usize].1;
    assert_eq!(counts, Counts { asked: 5, kept: 2, held: 3 });
}

#[test]
fn the_answers_used_longest_ago_go_first() {
    let slot = size_of::<Slot>() + 8 + 8 * 3 * 2;
    let memory = ReadingMemory::with_bytes(3 * slot);
    let board = Board::new(9);
    let mut number = 0;
    for name in ["A1", "B1", "C1"] {
        ask(&memory, &board, name, &mut number);
    }
    assert_eq!((ask(&memory, &board, "A1", &mut number), memory.bytes()), (1, 3 * slot));
    assert_eq!(ask(&memory, &board, "D1", &mut number), 4, "new, in place of B1");
    assert_eq!(ask(&memory, &board, "A1", &mut number), 1, "used lately");
    assert_eq!(ask(&memory, &board, "B1", &mut number), 5, "forgotten, in place of C1");
    assert_eq!(ask(&memory, &board, "C1", &mut number), 6);
    assert!(memory.bytes() <= 3 * slot);
    for bytes in [0, 1000] {
        let memory = ReadingMemory::with_bytes(bytes);
        for round in 0..50 {
            ask(&memory, &board, ["A1", "B2", "C3", "D4"][round % 4], &mut number);
        }
        assert!(memory.bytes() <= bytes, "{bytes}");
    }
}

#[test]
fn the_lists_of_the_memory_stay_whole() {
    let mut random = Random(9);
    let slot = size_of::<Slot>() + 8 + 8 * 3 * 2;
    let memory = ReadingMemory::with_bytes(12 * slot);
    let mut board = Board::new(9);
    let mut number = 0;
    let mut told = std::collections::HashMap::new();
    for _ in 0..4000 {
        let v = Vertex::from_index(random.below(12), 9);
        if random.below(2) == 0 {
            match board.color_at(v) {
                Some(_) => board.remove(v),
                None => board.place(Color::BOTH[random.below(2)], v).expect("an empty vertex"),
            }
        }
        let asked = Vertex::from_index(random.below(12), 9);
        let found = ask(&memory, &board.without_history(), &asked.to_gtp(9).to_string(), &mut number);
        assert_eq!(found / 100_000, board.liberties(asked) as u64, "{asked:?}\n{board}");
        *told.entry(found).or_insert(0) += 1;
        let held = memory.counts()[QuestionKind::String as usize].1.held;
        assert!(held <= 12 && memory.bytes() == held as usize * slot);
    }
    assert!(told.values().any(|&times| times > 1) && told.len() > 300, "{}", told.len());
}
