//! Tests of playouts that answer what reading cannot prove.

use super::super::tests::{TEXTBOOK, thorough_question, walled_in};
use super::*;
use crate::board::{Board, Color};

fn question<'a>(board: &'a Board, goal: &'a [Vertex], trials: u32) -> LifeQuestion<'a> {
    LifeQuestion { node_limit: 100, trials, ..thorough_question(board, goal) }
}

#[test]
fn playouts_alone_know_the_textbook_shapes() {
    for &(picture, top, left, attack, defence, name) in TEXTBOOK {
        for orientation in [0, 5] {
            let (board, goal) = walled_in(picture, top, left, orientation);
            let asked = question(&board, &goal, 800);
            let found = [true, false].map(|side| tried(&asked, LifeReading::NONE, &[], None, side).code);
            assert_eq!(found, [attack, defence], "{name}, orientation {orientation}");
        }
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let (board, goal) = walled_in("...", 5, 5, 0);
    let asked = question(&board, &goal, 200);
    let once = tried(&asked, LifeReading::NONE, &[], None, true);
    assert_eq!(once, tried(&asked, LifeReading::NONE, &[], None, true));
    assert_eq!((once.basis, once.certain), (Basis::Playouts, false), "it contradicts what was read");
}

#[test]
fn proofs_kos_and_questions_without_playouts_stay_as_read() {
    let (board, goal) = walled_in("...", 5, 5, 0);
    let [end, middle] = [(5, 5), (5, 6)].map(|(row, col)| Vertex::new(row, col, board.size()));
    let proof = LifeReading { basis: Basis::Proof, ..LifeReading::NONE };
    let ko = LifeReading { code: Code::KoA, line: Line::from(middle), ..LifeReading::NONE };
    for (read, trials) in [(proof, 200), (ko, 200), (LifeReading::NONE, 0)] {
        let found = tried(&question(&board, &goal, trials), read, &[], None, true);
        assert_eq!(LifeReading { nodes: read.nodes, ..found }, read);
    }
    let elsewhere = LifeReading { line: Line::from(end), ..ko };
    let found = tried(&question(&board, &goal, 800), elsewhere, &[], None, true);
    assert_eq!((found.code, found.line.start()), (Code::Win, middle), "it can be had without a ko");
}

#[test]
fn what_is_solved_within_its_surroundings_stands_if_playouts_agree() {
    let (board, goal) = walled_in("...", 5, 5, 0);
    let [end, middle] = [(5, 5), (5, 6)].map(|(row, col)| Vertex::new(row, col, board.size()));
    let field =
        LifeReading { basis: Basis::Field, code: Code::Win, line: Line::from(end), ..LifeReading::NONE };
    let asked = question(&board, &goal, 800);
    let found = tried(&asked, field, &[end], None, true);
    assert_eq!(
        (found.code, found.line.start(), found.basis),
        (Code::Win, end, Basis::Field),
        "its own move is named"
    );
    let found = tried(&asked, LifeReading { basis: Basis::Field, ..LifeReading::NONE }, &[], None, true);
    assert_eq!(
        (found.code, found.line.start(), found.basis),
        (Code::Win, middle, Basis::Playouts),
        "they contradict"
    );
}

#[test]
fn a_solved_kill_stands_if_playouts_agree_after_its_own_move() {
    let rows = [
        ". X . . . . . . .",
        ". X O O O . . . .",
        ". . X . O . . . .",
        ". X O O O . . . .",
        ". X . O . . . . .",
        ". X . O . . . . .",
        ". O O O . . . . .",
        ". O . . . . . . .",
        ". . . . . . . . .",
    ];
    let mut board = Board::new(19);
    for (row, line) in rows.iter().enumerate() {
        for (col, c) in line.split(' ').enumerate() {
            let color = [("X", Color::Black), ("O", Color::White)].into_iter().find(|(of, _)| *of == c);
            if let Some((_, color)) = color {
                board.place(color, Vertex::new(row, col, 19)).expect("empty");
            }
        }
    }
    let at = |name| Vertex::from_gtp(name, 19).expect("a vertex");
    let goal = ["B14", "B15", "B16", "B18", "B19", "C17"].map(at);
    let asked = question(&board, &goal, 320);
    let alone = tried(&asked, LifeReading::NONE, &[], None, true);
    assert_eq!(alone.code, Code::Fail, "among all moves playouts miss it");
    let field = LifeReading { basis: Basis::Field, code: Code::Win, ..LifeReading::NONE };
    let found = tried(&asked, LifeReading { line: Line::from(at("A14")), ..field }, &[], None, true);
    assert_eq!((found.code, found.line.start(), found.basis), (Code::Win, at("A14"), Basis::Field));
    let found = tried(&asked, LifeReading { line: Line::from(at("A19")), ..field }, &[], None, true);
    assert_eq!((found.code, found.basis), (Code::Fail, Basis::Playouts), "not after any other");
}

#[test]
fn on_boards_too_large_for_playouts_answers_stay_as_read() {
    let mut board = Board::new(playout::board::MAX_SIZE + 1);
    let goal = [Vertex::new(0, 0, board.size())];
    board.place(Color::Black, goal[0]).expect("empty");
    assert_eq!(tried(&question(&board, &goal, 200), LifeReading::NONE, &[], None, true), LifeReading::NONE);
}

#[test]
fn a_first_move_is_tried_for_what_it_does() {
    let (board, goal) = walled_in("...", 5, 5, 0);
    let asked = question(&board, &goal, 800);
    for (col, works) in [(5, false), (6, true), (7, false)] {
        let first = Vertex::new(5, col, board.size());
        let found = tried(&asked, LifeReading::NONE, &[], Some(first), true);
        assert_eq!((found.code.works(), found.line.start() == first), (works, works), "column {col}");
    }
    let stone = tried(&asked, LifeReading::NONE, &[], Some(goal[0]), true);
    assert_eq!(stone, LifeReading::NONE, "an occupied vertex is no move");
}

#[test]
fn playouts_are_weighed_against_what_was_read() {
    let [here, there] = [1, 2].map(|col| Vertex::new(0, col, 9));
    let read = |code: Code, point: Vertex| LifeReading { code, line: Line::from(point), ..LifeReading::NONE };
    for (code, point, reached, wanted, certain, why) in [
        (Code::Fail, Vertex::PASS, 0.6, Code::Win, false, "half of the playouts are enough"),
        (Code::Fail, Vertex::PASS, 0.4, Code::Fail, true, "fewer are not"),
        (Code::Win, there, 0.4, Code::Fail, false, "nor for another move than judgement's"),
        (Code::Win, here, 0.4, Code::Win, true, "but for the same"),
        (Code::Win, here, 0.2, Code::Fail, false, "and a third must be"),
        (Code::KoB, here, 0.6, Code::KoB, true, "playouts don't tell a ko from less"),
        (Code::KoB, there, 0.4, Code::KoB, true, "a ko that they miss stays"),
        (Code::KoB, there, 0.6, Code::Win, true, "what needs no ko is better"),
    ] {
        let found = weigh(read(code, point), here, reached);
        assert_eq!((found.code, found.certain), (wanted, certain), "{why}");
        let point = if wanted == Code::Win {
            here
        } else if wanted.works() {
            point
        } else {
            Vertex::PASS
        };
        assert_eq!(found.line.start(), point, "{why}");
    }
}

#[test]
fn of_the_moves_proven_to_do_playouts_choose() {
    let (board, goal) = walled_in("...", 5, 5, 0);
    let [end, middle, other] = [5, 6, 7].map(|col| Vertex::new(5, col, board.size()));
    let read =
        LifeReading { code: Code::Win, line: Line::from(end), basis: Basis::Proof, ..LifeReading::NONE };
    let asked = question(&board, &goal, 400);
    for (good, point) in [(&[end, middle, other][..], middle), (&[end], end), (&[], end)] {
        let found = tried(&asked, read, good, None, true);
        assert_eq!((found.code, found.line.start(), found.basis), (Code::Win, point, Basis::Proof));
    }
}
