//! Bench of tactical reading: positions per second in one ladder, and the whole stage `Tactics` of a middle-game
//! position.

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use tengen_core::SplitMix64;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::tactics::{Code, Limits, Reader, map};

/// A stone with a ladder across the board.
fn ladder() -> (Board, Vertex) {
    let mut board = Board::new(19);
    let v = |name: &str| Vertex::from_gtp(name, 19).expect("a vertex");
    for name in ["C4", "C3", "C2", "D2"] {
        board.place(Color::Black, v(name)).expect("an empty vertex");
    }
    board.place(Color::White, v("D3")).expect("an empty vertex");
    (board, v("D3"))
}

/// A 19x19 board after 120 random moves that fill no own one-point eye.
fn middle_game() -> Board {
    let mut board = Board::new(19);
    let mut random = SplitMix64::new(11);
    let mut color = Color::Black;
    for _ in 0..120 {
        let v = Vertex::from_index(random.below(361) as usize, 19);
        let eye = board.neighbors4(v).all(|n| board.color_at(n) == Some(color));
        if !eye && board.play(color, v).is_ok() {
            color = color.other();
        }
    }
    board.without_history()
}

pub(crate) fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/tactics");
    let (mut board, v) = ladder();
    let mut reader = Reader::new(Limits::default());
    let reading = reader.attack(&mut board, v);
    assert_eq!(reading.code, Code::Win);
    group.throughput(Throughput::Elements(reading.nodes));
    group.bench_function("attack/19x19-ladder", |b| {
        b.iter(|| {
            reader.forget();
            black_box(reader.attack(&mut board, v).code)
        });
    });
    let mut board = middle_game();
    let worms = board.strings().count() as u64;
    group.throughput(Throughput::Elements(worms)).sample_size(10);
    group.bench_function("read/19x19-random-120-worms", |b| {
        b.iter(|| black_box(map::read(&mut reader, &mut board).nodes()));
    });
    group.finish();
}
