//! Compares the unconditional status with the recordings of GNU Go 3.8.

mod support;

use support::oracles;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::unconditional::{Status, UnconditionalMap};

#[test]
fn every_vertex_has_the_recorded_status() {
    let mut differ = Vec::new();
    for oracle in oracles() {
        let mut board = Board::new(oracle.size);
        let stones = oracle.stones();
        for v in board.vertices() {
            if let Some(color) = stones[v.at()] {
                board.place(color, v).expect("an empty vertex");
            }
        }
        let map = UnconditionalMap::build(&board);
        for (row, text) in oracle.json["unconditional_status"].as_array().expect("rows").iter().enumerate() {
            for (col, theirs) in text.as_str().expect("a row").chars().enumerate() {
                let v = Vertex::new(row, col, oracle.size);
                let ours = match map.at(v) {
                    Status::Undecided => '.',
                    Status::Alive => 'A',
                    Status::Dead => 'D',
                    Status::Territory(Color::Black) => 'B',
                    Status::Territory(Color::White) => 'W',
                };
                if ours != theirs {
                    differ.push(format!("{} {}: {ours} not {theirs}", oracle.name, v.to_gtp(oracle.size)));
                }
            }
        }
    }
    assert!(differ.is_empty(), "{} vertices differ:\n{}", differ.len(), differ.join("\n"));
}
