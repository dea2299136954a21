//! Tests of eye spaces: margins, half eyes, and false eyes.

use super::*;
use crate::tactics::Answer;

/// One string can be taken and saved by the same move; no other can be taken.
struct OneInDanger {
    string: Vertex,
    point: Vertex,
}

impl Tactics for OneInDanger {
    fn attack(&self, v: Vertex) -> Answer {
        Answer { code: if v == self.string { Code::Win } else { Code::Fail }, point: self.point }
    }

    fn defence(&self, v: Vertex) -> Answer {
        self.attack(v)
    }

    fn safe_move(&self, _: Vertex, _: Color) -> Code {
        Code::Win
    }
}

/// Nothing can be taken, and a stone of the attacker stays here by ko only.
struct KoAt(Vertex);

impl Tactics for KoAt {
    fn attack(&self, _: Vertex) -> Answer {
        Answer::default()
    }

    fn defence(&self, _: Vertex) -> Answer {
        Answer::default()
    }

    fn safe_move(&self, v: Vertex, _: Color) -> Code {
        if v == self.0 { Code::KoA } else { Code::Win }
    }
}

fn valued(diagram: &str, owner: Color, vertices: &[(&str, bool)], tactics: &impl Tactics) -> EyeSpace {
    let board = Board::from_diagram(diagram).expect("a diagram").0;
    let space = EyeSpace {
        vertices: vertices.iter().map(|(name, _)| at(name)).collect(),
        marginal: vertices.iter().map(|(_, marginal)| *marginal).collect(),
        ..EyeSpace::default()
    };
    let mut spaces = [space];
    evaluate_all(&board, &mut spaces, owner, tactics, &mut EyeSolver::default());
    let [space] = spaces;
    space
}

fn at(name: &str) -> Vertex {
    Vertex::from_gtp(name, 7).expect("a vertex")
}

#[test]
fn a_margin_that_also_mends_a_half_eye_is_one_move() {
    let diagram = ". . . . . . .
        . X X O O . .
        X . . X O . .
        X O X X O . .
        . X O O . . .
        . . . . . . .
        . . . . . . .";
    let danger = OneInDanger { string: at("B4"), point: at("B5") };
    let space = valued(diagram, Color::Black, &[("B5", true), ("C5", false)], &danger);
    assert_eq!((space.value.b, space.value.c), (0, 1), "{}", space.value);
    assert_eq!((space.attack_points, space.defence_points), (vec![at("B5")], vec![at("B5")]));
}

#[test]
fn a_false_eye_that_the_attacker_cannot_fill_is_no_way_in() {
    let diagram = "X X X . . . .
        . X X . . . .
        O X X X . . .
        . O . X . . .
        X O . . . . .
        O O O . . . .
        . . . . . . .";
    let danger = OneInDanger { string: Vertex::PASS, point: Vertex::PASS };
    let space = valued(diagram, Color::White, &[("A4", false), ("A3", false)], &danger);
    assert_eq!((space.value.b, space.value.c), (1, 1), "{}", space.value);
}

#[test]
fn what_only_a_ko_makes_false_is_an_eye_for_him_who_moves_first() {
    let rows = |first: &str| format!("{}O O O . O . .\n{first}", ". . . . . . .\n".repeat(5));
    let ko = KoAt(at("D2"));
    // One of three in a row: the centre makes two eyes, though one of them by ko.
    let three = [("A1", false), ("B1", false), ("C1", false)];
    let space = valued(&rows(". . . O . . ."), Color::White, &three, &ko);
    assert_eq!((space.with_kos.b, space.with_kos.c), (1, 2), "{}", space.with_kos);
    assert_eq!((space.attack_points, space.defence_points), (vec![at("B1")], vec![at("B1")]));
    assert_eq!((space.value.b, space.value.c), (1, 1), "{}", space.value);
    // Alone it is a half eye.
    let space = valued(&rows("O O . O . . ."), Color::White, &[("C1", false)], &ko);
    assert_eq!((space.value.b, space.value.c), (0, 1), "{}", space.value);
    assert_eq!((space.attack_points, space.defence_points), (vec![at("D2")], vec![at("D2")]));
    // Without the ko it is one whoever moves.
    let space = valued(&rows(". . . O . . ."), Color::White, &three, &KoAt(at("E5")));
    assert_eq!((space.value.b, space.value.c), (1, 1), "{}", space.value);
}

#[test]
fn two_margins_are_no_link_but_where_more_may_come() {
    // Both corners of the last line, and between them two vertices that each side claims.
    let diagram = ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . O O O . .\n. O . . . O .\n. X X . X X .\n. . . . . . .";
    let board = Board::from_diagram(diagram).expect("a diagram").0;
    let mut domains = Domains::default();
    domains.compute(&board, board.vertices(), |_| true);
    let apart = partition(&board, &domains, Color::Black, board.vertices(), |_| true);
    let mixed = |space: &EyeSpace| space.marginal.contains(&false);
    for space in apart.iter().filter(|space| mixed(space)) {
        for (&v, _) in space.vertices.iter().zip(&space.marginal).filter(|(_, marginal)| **marginal) {
            let proper = |n: Vertex| space.vertices.binary_search(&n).is_ok_and(|i| !space.marginal[i]);
            assert!(board.neighbors4(v).any(proper), "{v:?} of {space:?}");
        }
    }
    domains.open_rim(&vec![false; board.padded_len()], Color::White);
    let linked = partition(&board, &domains, Color::Black, board.vertices(), |_| true);
    let count = |spaces: &[EyeSpace]| spaces.iter().map(|space| space.vertices.len()).sum::<usize>();
    assert_eq!(count(&apart), count(&linked));
    assert!(linked.len() <= apart.len());
}
