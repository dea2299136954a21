//! Tests of the boards that rules describe, and of facts that only look like a board.

use super::super::Grid;
use super::find_grid;
use crate::game::{Game, LoadLimits};

fn grid(text: &str) -> Option<(Grid, Vec<String>)> {
    let game = Game::load(text, LoadLimits::default(), &mut || false).unwrap();
    let topology = game.topology.as_ref().unwrap();
    let (grid, columns) = find_grid(topology)?;
    let text = |&fact: &u32| topology.net.names.bases.get(fact as usize).cloned().unwrap_or_default();
    Some((grid, columns.iter().map(text).collect()))
}

const TURNS: &str = "(role white) (role black) (init (turn white))
    (<= (next (turn black)) (true (turn white))) (<= (next (turn white)) (true (turn black)))
    (<= (legal ?r wait) (role ?r) (not (true (turn ?r)))) (goal white 50) (goal black 50)";

#[test]
fn planes_are_those_of_the_first_mover_first_and_the_first_axis_counts_rows() {
    let text = format!(
        "{TURNS} (n 1) (n 2) (n 3)
        (<= (free ?x ?y) (n ?x) (n ?y) (not (true (cell ?x ?y white))) (not (true (cell ?x ?y black))))
        (<= (legal ?r (put ?x ?y)) (true (turn ?r)) (free ?x ?y))
        (<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y))) (<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)))
        (<= some (free ?x ?y)) (<= terminal (not some))"
    );
    let (grid, columns) = grid(&text).unwrap();
    assert_eq!(grid.planes, ["(cell _ _ white)", "(cell _ _ black)"]);
    assert_eq!(grid.owners, [Some(0), Some(1)]);
    assert_eq!(grid.rows, ["1", "2", "3"]);
    assert_eq!(
        columns[..4],
        ["(cell 1 1 white)", "(cell 1 2 white)", "(cell 1 3 white)", "(cell 2 1 white)"]
    );
    assert_eq!(columns.len(), 20);
}

#[test]
fn an_axis_that_moves_name_alone_counts_columns_from_the_left_and_rows_count_from_below() {
    let text = format!(
        "{TURNS} (x 1) (x 2) (x 3) (x 4) (y 1) (y 2) (y 3) (succ 1 2) (succ 2 3)
        (<= (taken ?x ?y) (true (cell ?x ?y ?p)))
        (<= (legal ?r (drop ?x)) (true (turn ?r)) (x ?x) (not (taken ?x 3)))
        (<= (next (cell ?x 1 ?r)) (does ?r (drop ?x)) (not (taken ?x 1)))
        (<= (next (cell ?x ?y ?r)) (does ?r (drop ?x)) (succ ?b ?y) (taken ?x ?b) (not (taken ?x ?y)))
        (<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)))
        (<= some (x ?x) (not (taken ?x 3))) (<= terminal (not some))"
    );
    let (grid, columns) = grid(&text).unwrap();
    assert_eq!((grid.rows, grid.columns.len()), (vec!["3".to_owned(), "2".to_owned(), "1".to_owned()], 4));
    assert_eq!(columns[..2], ["(cell 1 3 white)", "(cell 2 3 white)"]);
}

#[test]
fn what_no_move_changes_and_what_only_counts_is_no_board() {
    let text = format!(
        "{TURNS} (n 0) (n 1) (n 2) (n 3) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (init (wall ?x ?y w)) (n ?x) (n ?y)) (<= (next (wall ?x ?y w)) (true (wall ?x ?y w)))
        (init (score a 0)) (init (score b 0))
        (<= (legal ?r (up ?p)) (true (turn ?r)) (true (score ?p ?n)) (succ ?n ?m))
        (<= (next (score ?p ?m)) (does ?r (up ?p)) (true (score ?p ?n)) (succ ?n ?m))
        (<= (up ?p) (does ?r (up ?p))) (<= (next (score ?p ?n)) (true (score ?p ?n)) (not (up ?p)))
        (<= terminal (true (score a 3)) (true (score b 3)))"
    );
    assert_eq!(grid(&text), None);
}

#[test]
fn words_of_letter_and_number_are_cells_and_letters_count_columns() {
    let cells: String =
        ["a", "b", "c"].iter().flat_map(|x| [1, 2].map(|y| format!("(cell {x}{y}) "))).collect();
    let text = format!(
        "{TURNS} {cells} (<= (init (at ?c empty)) (cell ?c))
        (<= (legal ?r (take ?c)) (true (turn ?r)) (true (at ?c empty)))
        (<= (next (at ?c ?r)) (does ?r (take ?c))) (<= (taken ?c) (does ?r (take ?c)))
        (<= (next (at ?c ?p)) (true (at ?c ?p)) (not (taken ?c)))
        (<= some (true (at ?c empty))) (<= terminal (not some))"
    );
    let (grid, columns) = grid(&text).unwrap();
    assert_eq!(grid.planes, ["(at _ white)", "(at _ black)", "(at _ empty)"]);
    assert_eq!(grid.owners, [Some(0), Some(1), None]);
    assert_eq!(
        (&grid.rows[..], &grid.columns[..]),
        (&["2".to_owned(), "1".to_owned()][..], &["a".to_owned(), "b".to_owned(), "c".to_owned()][..])
    );
    assert_eq!(columns[..4], ["(at a2 white)", "(at b2 white)", "(at c2 white)", "(at a1 white)"]);
}
