//! Tests of learning the move prediction from game records.

use super::*;

/// A board with Black's first move there.
fn begun(pick: usize) -> Board {
    let mut board = Board::new(9);
    board.play(Color::Black, Vertex::from_index(pick % 81, 9)).expect("legal");
    board
}

#[test]
fn from_games_that_always_answer_beside_the_last_move_it_learns_to() {
    // Each move is the first empty vertex next to the last one, if any is legal.
    let games: Vec<Board> = (0..20usize)
        .map(|n| {
            let mut board = begun(n * 13 + 7);
            let mut color = Color::White;
            for step in 0..40 {
                let last = board.last_move().expect("a move").1;
                let near = board.neighbors4(last).find(|&v| board.is_legal(color, v));
                let legal: Vec<_> = board.vertices().filter(|&v| board.is_legal(color, v)).collect();
                let v = near.unwrap_or(legal[(n + step * 5) % legal.len()]);
                board.play(color, v).expect("legal");
                color = color.other();
            }
            board
        })
        .collect();
    let options = Options { epochs: 3, ..Options::default() };
    let learned = learn(&games, &options, |_, _| {});
    assert!(learned.unseen.positions > 50);
    assert!(learned.unseen.first_five > 0.6, "{:?}", learned.unseen);
    let again = learn(&games, &options, |_, _| {});
    assert_eq!(learned.text, again.text, "the same games give the same weights");
    tengen_go::playout::prediction::Model::parse(&learned.text).expect("what is written can be read");
}

#[test]
fn stones_set_up_between_moves_are_taken_back_with_them() {
    let mut game = Board::new(9);
    let v = |text: &str| Vertex::from_gtp(text, 9).expect("a vertex");
    game.play(Color::Black, v("C3")).expect("legal");
    game.place(Color::White, v("D4")).expect("empty");
    game.play(Color::White, v("G7")).expect("legal");
    let mut seen = Vec::new();
    each_moment(&game, |m| {
        let stones = Board::new(9).vertices().filter(|&v| m.board.stone(v).is_some()).count();
        seen.push((m.vertex, stones));
    });
    assert_eq!(seen, [(v("G7"), 2), (v("C3"), 0)]);
}
