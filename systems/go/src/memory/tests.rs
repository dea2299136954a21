//! Tests of the memory of readings: what it keeps, what it forgets, and that no answer depends on it.

use super::*;
use crate::board::sgf::{self, Until};
use crate::board::{KoRule, Rules};
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

/// Asks for the life of a string of the board, and asks again after stones were put and taken, and statuses changed,
/// outside the footprint. Whether any was; `None` without a string.
fn life_asked_twice(random: &mut Random, board: &Board, limits: LifeLimits) -> Option<bool> {
    let strings: Vec<Vertex> = board.strings().collect();
    let string = *strings.get(random.below(strings.len().max(1)))?;
    let mut marks = [(); 2].map(|()| vec![false; board.padded_len()]);
    for string in strings {
        let which = random.below(3);
        if let Some(marks) = marks.get_mut(which) {
            board.stones(string).for_each(|v| marks[v.at()] = true);
        }
    }
    let goal: Vec<Vertex> = board.stones(string).collect();
    let answer = |board: &Board, [alive, dead]: &[Vec<bool>; 2]| {
        let mut reader = LifeReader::default();
        let question = LifeQuestion::new(board, &goal, (alive, dead), limits);
        let proved = reader.prove_each(&question, limits.into());
        (reader.complete(&question, proved), reader.fields_opened())
    };
    let (seen, watch) = board.watched();
    let first = answer(&seen, &marks);
    let footprint = watch.footprint(board);
    for v in board.vertices().filter(|&v| !footprint.holds(v)) {
        marks[random.below(2)][v.at()] ^= random.below(3) == 0;
    }
    let Some(other) = changed_outside(random, board, &footprint, board.size()) else { return Some(false) };
    assert_eq!(answer(&other, &marks), first, "{string:?}\n{board}\n{other}");
    Some(true)
}

#[test]
fn nothing_outside_the_footprint_of_a_question_of_life_changes_its_answer() {
    let mut random = Random(5);
    let limits =
        LifeLimits { nodes: 60, wide_nodes: 30, closed: 300, wide_closed: 200, ..Effort::default().life };
    let (mut asked, mut changed) = (0, 0);
    for round in 0..60 {
        let size = [9, 13, 19][round % 3];
        let board = played(&mut random, size, size * size);
        for _ in 0..size / 2 {
            let Some(was_changed) = life_asked_twice(&mut random, &board, limits) else { continue };
            asked += 1;
            changed += usize::from(was_changed);
        }
    }
    assert!(changed * 3 > asked && changed > 150, "{changed} of {asked} boards were changed");
}

/// A question about a board without history: its answer as text.
type Question = Box<dyn Fn(&Board) -> String>;

/// The questions about stones alone that the memory knows by name.
const KINDS: [QuestionKind; 5] = [
    QuestionKind::String,
    QuestionKind::Link,
    QuestionKind::BreakIn,
    QuestionKind::Condition,
    QuestionKind::Safety,
];

/// A question of this kind, drawn at random.
fn drawn(kind: QuestionKind, random: &mut Random, board: &Board, effort: Effort) -> Option<Question> {
    let size = board.size();
    let strings: Vec<Vertex> = board.strings().collect();
    let a = *strings.get(random.below(strings.len().max(1)))?;
    let far = |v: Vertex| v.row(size).abs_diff(a.row(size)) + v.col(size).abs_diff(a.col(size));
    let b = strings.iter().copied().find(|&v| board.color_at(v) == board.color_at(a) && v != a && far(v) < 7);
    let bare: Vec<Vertex> = board.vertices().filter(|&v| board.is_empty(v) && far(v) < 4).collect();
    let mut any = |n: usize| random.below(n.max(1));
    Some(match kind {
        QuestionKind::String => {
            let limits = effort.strings;
            Box::new(move |board| format!("{:?}", read_worm(&mut Reader::new(limits), &mut board.clone(), a)))
        }
        QuestionKind::Link => {
            let (b, limits) = (b?, effort.links);
            Box::new(move |board| format!("{:?}", ConnectionReader::new(limits).disconnect(board, a, b)))
        }
        QuestionKind::BreakIn => {
            let corner = [any(size - 3), any(size - 4)];
            let inside = |v: &Vertex| {
                let at = [v.row(size), v.col(size)];
                at[0].wrapping_sub(corner[0]) < 3 && at[1].wrapping_sub(corner[1]) < 4
            };
            let (area, limits) = (board.vertices().filter(inside).collect::<Vec<_>>(), effort.links);
            Box::new(move |board| {
                let mut links = ConnectionReader::new(limits);
                format!("{:?}{:?}", links.break_in(board, a, &area), links.block_off(board, a, &area))
            })
        }
        QuestionKind::Condition => {
            let first = Color::BOTH[any(2)];
            let count = any(3);
            let moves: Vec<Vertex> = (0..count).filter_map(|_| bare.get(any(bare.len())).copied()).collect();
            let (b, which, limits) = (b.unwrap_or(a), any(4), effort.constraints);
            Box::new(move |board| {
                let mut board = board.clone();
                board.play_in_turn(first, &moves);
                let mut reader = Reader::new(limits);
                match which {
                    0 => format!("{:?}", reader.attack(&mut board, a)),
                    1 => format!("{:?}", reader.defend(&mut board, a)),
                    2 => format!("{:?}", reader.attack_either(&mut board, a, b)),
                    _ => format!("{:?}", reader.defend_both(&mut board, a, b)),
                }
            })
        }
        QuestionKind::Safety => {
            let (v, color, limits) = (*bare.get(any(bare.len()))?, Color::BOTH[any(2)], effort.strings);
            Box::new(move |board| {
                let read = |board: &mut Board| Reader::new(limits).attack(board, v);
                format!("{:?}", board.clone().tried(color, v, read))
            })
        }
        QuestionKind::Life | QuestionKind::Field => return None,
    })
}

/// Asks, and asks again after stones were put and taken outside the footprint. Whether any was.
fn asked_twice(random: &mut Random, board: &Board, question: &Question) -> bool {
    let (seen, watch) = board.watched();
    let first = question(&seen);
    let footprint = watch.footprint(board);
    let Some(other) = changed_outside(random, board, &footprint, board.size()) else { return false };
    assert_eq!(question(&other), first, "\n{board}\n{other}");
    true
}

#[test]
fn nothing_outside_the_footprint_of_a_reading_of_stones_changes_its_answer() {
    let mut random = Random(77);
    let effort = Effort::of(Level::Quick);
    let mut counts = [[0; 2]; KINDS.len()];
    for round in 0..150 {
        let size = [9, 13, 19][round % 3];
        let board = played(&mut random, size, size * size);
        for number in 0..3 * KINDS.len() {
            let kind = number % KINDS.len();
            let Some(question) = drawn(KINDS[kind], &mut random, &board, effort) else { continue };
            counts[kind][0] += 1;
            counts[kind][1] += usize::from(asked_twice(&mut random, &board, &question));
        }
    }
    assert!(counts.iter().all(|[asked, changed]| changed * 3 > *asked && *changed > 150), "{counts:?}");
}

/// The recorded games of 19x19 with 200 moves and more: every third position.
fn games() -> Vec<Vec<Board>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/suites/go/games");
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    names.sort();
    let rules = Rules { ko: KoRule::Simple, ..Rules::default() };
    let positions = |path: &std::path::PathBuf| {
        let tree = sgf::parse(&std::fs::read(path).ok()?).ok()?;
        let game = sgf::load(&tree, &tree.line(&[]), Until::End, rules).ok()?;
        let fits = game.board.size() == 19 && game.board.history_len() >= 200;
        let at = |number| sgf::load(&tree, &tree.line(&[]), Until::Move(number), rules).ok();
        fits.then(|| (20..200).step_by(3).filter_map(|n| Some(at(n)?.board.without_history())).collect())
    };
    names.iter().filter_map(positions).collect()
}

#[test]
#[ignore = "20,000 questions of each kind take many minutes"]
#[expect(clippy::print_stdout, reason = "shows what was asked")]
fn nothing_outside_the_footprints_of_20000_questions_of_each_kind_changes_their_answers() {
    let mut random = Random(20_000);
    let games = games();
    if games.is_empty() {
        return;
    }
    let effort = Effort::default();
    let mut counts = [[0; 2]; KINDS.len() + 1];
    while counts.iter().any(|[asked, _]| *asked < 20_000) {
        let game = &games[random.below(games.len())];
        let board = &game[random.below(game.len())];
        for (kind, counts) in KINDS.iter().zip(&mut counts) {
            let Some(question) = drawn(*kind, &mut random, board, effort) else { continue };
            counts[0] += 1;
            counts[1] += usize::from(asked_twice(&mut random, board, &question));
        }
        let [asked, changed] = &mut counts[KINDS.len()];
        if let Some(was_changed) = life_asked_twice(&mut random, board, effort.life) {
            *asked += 1;
            *changed += usize::from(was_changed);
        }
    }
    for (kind, [asked, changed]) in KINDS.iter().chain(&[QuestionKind::Life]).zip(counts) {
        assert!(changed * 3 > asked, "{}: {changed} of {asked}", kind.name());
        println!("{}: {asked} asked, {changed} asked again on a changed board", kind.name());
    }
}

/// A question about one vertex, answered by the number of its reading.
fn ask(memory: &ReadingMemory, board: &Board, at: &str, number: &mut u64) -> u64 {
    let v = Vertex::from_gtp(at, board.size()).expect("a vertex");
    let asked = MemoryKey::new(QuestionKind::String, v, board, &[]);
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
