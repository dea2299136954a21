//! Tests of closed life-and-death problems: textbook shapes, and play by the rules.

use super::super::tests::{roomy, walled_in};
use super::*;
use crate::local_view::{Arena, Surroundings};
use std::collections::HashMap;

const PLENTY: u32 = 2_000_000;

/// The arena of a dragon with White's strings of many liberties alive.
fn arena_of(board: &Board, goal: &[Vertex]) -> Arena {
    let alive = roomy(board, 6);
    let dead = vec![false; board.padded_len()];
    let known = Surroundings { alive: Some(&alive), dead: Some(&dead), contested: None };
    Arena::new(board, Color::Black, goal, &known)
}

fn asked(attack: bool) -> FieldQuestion<'static> {
    FieldQuestion {
        attack,
        first: None,
        careful: true,
        judged: Some(Code::Fail),
        named: &[],
        alternatives: true,
        limit: PLENTY,
        favoured: [false; 2],
        repeated_kills: false,
    }
}

/// The answer to the attack or the defence; kos are graded as such.
fn answer(board: &Board, goal: &[Vertex], attack: bool) -> Answer {
    let mover = if attack { Color::White } else { Color::Black };
    let problem = Problem::new(board, &arena_of(board, goal), mover);
    let asked = FieldQuestion { judged: Some(Code::KoB), ..asked(attack) };
    problem.answer(&mut Solver::default(), asked).expect("small enough to be solved")
}

#[test]
fn walled_in_shapes_have_their_textbook_status() {
    use Code::{Fail, Win};
    let cases = [
        ("...", 5, 5, Win, Win, "straight three"),
        ("....", 5, 4, Fail, Win, "straight four"),
        ("..\n..", 5, 5, Win, Fail, "square four"),
        ("..\n...", 5, 5, Win, Win, "bulky five"),
        (" ..\n...\n .", 5, 5, Win, Win, "rabbity six"),
        ("...\n...", 5, 5, Fail, Win, "rectangular six"),
        ("...\n...", 0, 0, Win, Win, "rectangular six in the corner, no liberty outside"),
        ("....", 0, 0, Fail, Win, "straight four in the corner"),
        ("..\n .\n .", 0, 0, Fail, Win, "bent four"),
        (".O.", 5, 5, Win, Fail, "straight three with its centre taken"),
        ("....\n....", 0, 0, Fail, Win, "eight in the corner"),
    ];
    for (picture, top, left, attack, defence, name) in cases {
        for orientation in 0..8 {
            let (board, goal) = walled_in(picture, top, left, orientation);
            let found = (answer(&board, &goal, true).code, answer(&board, &goal, false).code);
            assert_eq!(found, (attack, defence), "{name}, orientation {orientation}");
        }
    }
}

#[test]
fn all_first_moves_that_do_are_found() {
    let (board, goal) = walled_in("..\n...", 5, 5, 0);
    let vital = Vertex::new(6, 6, 13);
    assert_eq!(answer(&board, &goal, true).good, [vital]);
    assert!(answer(&board, &goal, false).good.contains(&vital));
    let (board, goal) = walled_in("...", 5, 5, 0);
    let vital = Vertex::new(5, 6, 13);
    assert_eq!(answer(&board, &goal, true).good, [vital]);
    assert_eq!(answer(&board, &goal, false).good, [vital]);
}

#[test]
fn the_rectangular_six_in_the_corner_lives_by_its_liberties_outside() {
    // The code of the attack with no, one and two liberties outside: it dies, is a ko, lives.
    for (outside, code) in [(0, Code::Win), (1, Code::KoA), (2, Code::Fail)] {
        for orientation in 0..8 {
            let (mut board, goal) = walled_in("...\n...", 0, 0, orientation);
            let faces = |v: Vertex| {
                board.color_at(v) == Some(Color::White)
                    && board.neighbors4(v).filter(|n| board.color_at(*n) == Some(Color::Black)).count() == 1
            };
            let walls: Vec<Vertex> = board.vertices().filter(|&v| faces(v)).collect();
            for v in [walls[0], walls[walls.len() - 1]].into_iter().take(outside) {
                let beyond: Vec<Vertex> = board.neighbors4(v).filter(|&n| board.is_empty(n)).collect();
                beyond.into_iter().for_each(|n| board.place(Color::White, n).expect("empty"));
                board.remove(v);
            }
            assert_eq!(
                answer(&board, &goal, true).code,
                code,
                "{outside} outside, orientation {orientation}\n{board}"
            );
        }
    }
}

#[test]
fn a_ko_forbids_only_the_side_that_it_forbids() {
    let (mut board, goal) = walled_in("...", 5, 5, 0);
    let vital = Vertex::new(5, 6, 13);
    for (forbidden, attack, defence) in
        [(Color::White, Code::Fail, Code::Win), (Color::Black, Code::Win, Code::Fail)]
    {
        board.set_ko(vital, forbidden);
        let hard = |attack| {
            let mover = if attack { Color::White } else { Color::Black };
            let problem = Problem::new(&board, &arena_of(&board, &goal), mover);
            problem.answer(&mut Solver::default(), asked(attack)).expect("solved").code
        };
        let found = (hard(true), hard(false));
        assert_eq!(found, (attack, defence), "{forbidden:?} may not play the vital point");
    }
}

#[test]
fn a_careful_field_takes_in_strings_short_of_liberties_and_has_ways_out() {
    // Two of White's stones on the left have three liberties: A8, A7, B6.
    let corner = [
        ". . . . . . . . . . . . .",
        ". . X O O . . . . . . . .",
        ". . X . O . . . . . . . .",
        ". X X . O . . . . . . . .",
        "O X O O O . . . . . . . .",
        ". O X . O . . . . . . . .",
        ". O X . O . . . . . . . .",
        ". . O O O . . . . . . . .",
    ];
    let rows = corner.into_iter().chain([". . . . . . . . . . . . ."; 5]);
    let board = Board::from_diagram(&rows.collect::<Vec<_>>().join("\n")).expect("a diagram").0;
    let at = |name| Vertex::from_gtp(name, 13).expect("a vertex");
    let goal: Vec<Vertex> = board.stones(at("C12")).collect();
    let mut alive = vec![false; board.padded_len()];
    board.vertices().filter(|&v| board.color_at(v) == Some(Color::White)).for_each(|v| alive[v.at()] = true);
    let known = Surroundings { alive: Some(&alive), dead: None, contested: None };
    let arena = Arena::new(&board, Color::Black, &goal, &known);
    let field = |careful| {
        let cut = Cut { most_empty: 18, growth: 0, grown: 0, careful };
        Field::new(&board, &arena, Color::Black, cut).expect("small enough").0
    };
    let (plain, careful) = (field(false), field(true));
    for name in ["B8", "A7", "B6"] {
        assert!(!plain.cells.contains(&at(name)), "{name} stays");
        assert!(careful.cells.contains(&at(name)), "{name} may fall");
    }
    assert!(careful.with_exits().is_some(), "beyond B6 nothing is closed");
}

/// Whether White, or Black with White to answer, can remove all goal stones. The answer comes from all positions of
/// the field under the rules of the game, solved backwards from the captures. `None` where going round decides, or it
/// is too much.
fn oracle(board: &Board, cells: &[Vertex], goal: &[Vertex]) -> Option<[bool; 2]> {
    type Node = (Vec<Option<Color>>, Option<Vertex>, Color);
    let mut known: HashMap<Node, usize> = HashMap::new();
    let mut all: Vec<(Board, Color)> = Vec::new();
    let mut number = |all: &mut Vec<(Board, Color)>, board: Board, to_move: Color| {
        let stones = cells.iter().map(|&v| board.color_at(v)).collect();
        *known.entry((stones, board.ko_point(), to_move)).or_insert_with(|| {
            all.push((board.without_history(), to_move));
            all.len() - 1
        })
    };
    for color in [Color::White, Color::Black] {
        number(&mut all, board.clone(), color);
    }
    let mut after: Vec<Vec<usize>> = Vec::new();
    let mut taken: Vec<bool> = Vec::new();
    while let Some((board, color)) = all.get(after.len()).cloned() {
        if all.len() > 6_000 {
            return None;
        }
        let gone = !goal.iter().any(|&v| board.color_at(v) == Some(Color::Black));
        taken.push(gone);
        let moves = cells.iter().copied().chain((color == Color::Black).then_some(Vertex::PASS));
        let mut next = Vec::new();
        for v in moves.filter(|_| !gone) {
            let mut played = board.clone();
            if played.play(color, v).is_ok() {
                next.push(number(&mut all, played, color.other()));
            }
        }
        after.push(next);
    }
    let forced = |round: bool| {
        let mut killed: Vec<bool> = taken.iter().map(|&gone| gone || round).collect();
        loop {
            let mut changed = false;
            for at in (0..killed.len()).rev().filter(|&at| !taken[at]) {
                let mut each = after[at].iter().map(|&next| killed[next]);
                let now = if all[at].1 == Color::White { each.any(|k| k) } else { each.all(|k| k) };
                changed |= now != killed[at];
                killed[at] = now;
            }
            if !changed {
                return [killed[0], killed[1]];
            }
        }
    };
    let found = forced(false);
    (found == forced(true)).then_some(found)
}

#[test]
fn small_fields_are_worth_what_the_rules_of_the_game_make_of_them() {
    let mut random = 5_u64;
    let mut next = |n: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 40) as usize % n
    };
    let (mut compared, mut killed, mut round) = (0, 0, 0);
    for _ in 0..200 {
        let picture: String = (0..2)
            .map(|_| (0..3).map(|_| [' ', '.', '.', 'O'][next(4)]).collect::<String>())
            .collect::<Vec<_>>()
            .join("\n");
        if !picture.contains('.') {
            continue;
        }
        let (mut board, mut goal) = walled_in(&picture, [0, 0, 5][next(3)], [0, 4][next(2)], next(8));
        if next(2) == 0 {
            // A gap in the wall.
            let at = goal.remove(next(goal.len()));
            board.remove(at);
        }
        if board.vertices().any(|v| board.color_at(v).is_some() && board.liberties(v) == 0) {
            continue;
        }
        let cut = Cut { most_empty: 8, growth: 0, grown: 0, careful: false };
        let arena = arena_of(&board, &goal);
        let Some((field, stones)) = Field::new(&board, &arena, Color::White, cut) else { continue };
        let board = board.without_history();
        // What lies beyond the field must not matter to the rules either: every string there has liberties left over.
        let Some(truth) = oracle(&board, &field.cells, &goal) else {
            round += 1;
            continue;
        };
        for (attack, truth) in [(true, truth[0]), (false, truth[1])] {
            let found = Solver::default().run(&field, stones, asked(attack));
            let found = found.expect("small enough to be solved");
            assert_eq!(
                found.killed,
                truth,
                "attack {attack} {picture:?} cells {:?} ko {}\n{board}",
                field.cells.iter().map(|v| v.to_gtp(13)).collect::<Vec<_>>(),
                found.ko_seen
            );
            killed += usize::from(truth);
        }
        compared += 1;
    }
    assert!(
        compared >= 50 && killed >= 30,
        "{compared} compared, {killed} killed, {round} too large or going round"
    );
}

#[test]
fn a_shape_that_goes_round_lives() {
    // White may throw two stones in, and take one back for them: the position repeats, and nobody dies of it.
    let corner = [
        ". O O X O . . . . . . . .",
        "O . . X O . . . . . . . .",
        ". X X X O . . . . . . . .",
        "X X O O O . . . . . . . .",
        "O O . . . . . . . . . . .",
    ];
    let rows = corner.into_iter().chain([". . . . . . . . . . . . ."; 8]);
    let board = Board::from_diagram(&rows.collect::<Vec<_>>().join("\n")).expect("a diagram").0;
    let at = |name| Vertex::from_gtp(name, 13).expect("a vertex");
    let goal: Vec<Vertex> = board.stones(at("D13")).collect();
    for judged in [None, Some(Code::Fail), Some(Code::Win)] {
        let problem = Problem::new(&board, &arena_of(&board, &goal), Color::Black);
        let found =
            problem.answer(&mut Solver::default(), FieldQuestion { judged, ..asked(false) }).expect("solved");
        assert_eq!((found.code, found.good), (Code::Win, vec![at("B12")]), "{judged:?}");
    }
}
