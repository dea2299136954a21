//! Bench of reading life and death, by judgement alone and with closed problems solved without judgement:
//! `go/owl/attack/<shape>/<way>`.

use criterion::Criterion;
use std::hint::black_box;
use tengen_go::board::{Color, Vertex};
use tengen_go::goban;
use tengen_go::owl::{LifeQuestion, LifeReader, Surroundings};
use tengen_go::tactics::Code;

pub(crate) fn benches(c: &mut Criterion) {
    // Black lives in the corner: the rectangular six, with a liberty outside at `a`, dies by ko.
    let (board, _) = goban![
        ". . . X O . . . .",
        ". . . X O . . . .",
        "X X X X O . . . .",
        "O a O O O . . . .",
        "O O O . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ];
    let is = |color, v: Vertex| board.color_at(v) == Some(color);
    let goal: Vec<Vertex> = board.vertices().filter(|&v| is(Color::Black, v)).collect();
    let mut alive = vec![false; board.padded_len()];
    board.vertices().filter(|&v| is(Color::White, v)).for_each(|v| alive[v.at()] = true);
    for (way, thorough) in [("judged", false), ("solved", true)] {
        let question = LifeQuestion {
            board: &board,
            goal: &goal,
            surroundings: Surroundings { alive: Some(&alive), ..Surroundings::default() },
            node_limit: 8_000,
            alternatives: false,
            thorough,
            trials: 0,
        };
        let mut reader = LifeReader::default();
        assert_ne!(reader.attack_and_defend(&question).0.code, Code::Fail);
        c.bench_function(&format!("go/owl/attack/six-in-the-corner/{way}"), |b| {
            b.iter(|| reader.attack_and_defend(black_box(&question)));
        });
    }
}
