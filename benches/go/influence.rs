//! Bench of influence. It compares the propagation with a plain queue, and measures whole passes with the share of the
//! pattern matcher.
//!
//! The positions are the recordings under `../shared/golden/go/oracle`. Without them, only the empty board is measured.

use criterion::{Criterion, criterion_group};
use std::hint::black_box;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::influence::patterns::causes;
use tengen_go::influence::recorded::Recorded;
use tengen_go::influence::{Kind, Pass, lively};
use tengen_go::patterns::{EngineQueries, PatternDatabases};
use tengen_go::spread::Spreader;
use tengen_go::spread::field::{Field, vertices};
use tengen_go::spread::reference;
use tengen_go::tactics::Reader;

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = propagation, passes, after_moves
}

/// A source on every vertex of the empty board.
fn full_of_sources() -> Field {
    let mut field = Field::new(19);
    for v in vertices(19) {
        field.add_source(Color::Black, v, 100.0, 2.4);
    }
    field
}

/// The recorded inputs of all positions of this size, with Black to move.
fn recorded(size: usize) -> Vec<(Board, Field)> {
    let folder = std::env::var("TENGEN_SHARED").unwrap_or_else(|_| "../shared".into());
    let Ok(entries) = std::fs::read_dir(format!("{folder}/golden/go/oracle")) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| -> Option<(Board, Field)> {
        let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
        let map = Recorded::from_json(&json, Color::Black).ok()?.compute(&mut Spreader::new());
        let mut board = Board::new(map.field.size);
        for v in vertices(map.field.size) {
            if let Some(color) = map.stones[v.at()] {
                board.place(color, v).ok()?;
            }
        }
        (map.field.size == size).then_some((board, map.field))
    };
    paths.iter().filter_map(read).collect()
}

fn sources(fields: &[(Board, Field)]) -> usize {
    let of = |f: &Field| f.strength.iter().flatten().filter(|&&s| s > 0.0).count();
    fields.iter().map(|(_, f)| of(f)).sum()
}

/// Ids end with the number of sources: divide by it.
fn propagation(c: &mut Criterion) {
    let empty = [(Board::new(19), full_of_sources())];
    let sets: Vec<(String, Vec<(Board, Field)>)> = [9, 13, 19]
        .into_iter()
        .map(|size| (format!("recorded-{size}x{size}"), recorded(size)))
        .chain([("empty-19x19".to_string(), empty.to_vec())])
        .filter(|(_, fields)| !fields.is_empty())
        .collect();
    for (name, fields) in &sets {
        let mut group = c.benchmark_group(format!("go/influence/spread/{name}/{} sources", sources(fields)));
        group.bench_function("kernel", |b| {
            let mut spreader = Spreader::new();
            let mut out = Default::default();
            b.iter(|| {
                for (_, field) in fields {
                    spreader.spread(black_box(field), &mut out);
                }
                out[0][Vertex::new(4, 4, fields[0].1.size).at()]
            });
        });
        group.bench_function("queue", |b| {
            b.iter(|| fields.iter().map(|(_, f)| reference::spread(black_box(f))[0][50]).sum::<f32>());
        });
        group.finish();
    }
}

/// A whole pass a position: stones, patterns with their constraints, propagation, territory; and the matcher alone.
fn passes(c: &mut Criterion) {
    let databases = PatternDatabases::default();
    for size in [9, 13, 19] {
        let boards: Vec<Board> = recorded(size).into_iter().map(|(board, _)| board).collect();
        if boards.is_empty() {
            continue;
        }
        let mut group =
            c.benchmark_group(format!("go/influence/pass/{size}x{size}/{} positions", boards.len()));
        group.bench_function("whole", |b| {
            let mut spreader = Spreader::new();
            let mut reader = Reader::default();
            b.iter(|| {
                reader.forget();
                for board in &boards {
                    let status = lively(board, Some(Color::Black), |_| (false, false));
                    let pass =
                        Pass { board, to_move: Some(Color::Black), status: &status, kind: Kind::Territorial };
                    let field = pass.field();
                    let mut queries = EngineQueries::new(board.clone(), &mut reader);
                    let causes = causes(&databases, &pass, &field, &mut queries);
                    black_box(pass.compute(&mut spreader, field, causes));
                }
            });
        });
        group.bench_function("matcher", |b| {
            b.iter(|| {
                for board in &boards {
                    for color in Color::BOTH {
                        black_box(databases.influence.find(board, color, |_| true));
                    }
                    black_box(databases.barriers.find(board, Color::Black, |_| true));
                }
            });
        });
        group.finish();
    }
}

/// The fields of a board and of it after each of some moves, what sources gave remembered and not.
fn after_moves(c: &mut Criterion) {
    for size in [9, 13, 19] {
        let alike: Vec<Vec<Field>> =
            recorded(size).into_iter().map(|(board, _)| fields_after(&board)).collect();
        if alike.is_empty() {
            continue;
        }
        let fields = alike.iter().map(Vec::len).sum::<usize>();
        let mut group = c.benchmark_group(format!("go/influence/after moves/{size}x{size}/{fields} fields"));
        for (name, remembers) in [("remembered", true), ("afresh", false)] {
            group.bench_function(name, |b| {
                let mut spreader = Spreader::new();
                let mut out = Default::default();
                b.iter(|| {
                    for fields in &alike {
                        if remembers {
                            spreader.expect_alike();
                        }
                        for field in fields {
                            spreader.spread(black_box(field), &mut out);
                        }
                    }
                    out[0][Vertex::new(4, 4, size).at()]
                });
            });
        }
        group.finish();
    }
}

/// The field of a board, and those after Black's move on every fifth empty vertex.
fn fields_after(board: &Board) -> Vec<Field> {
    let field = |board: &Board| {
        let status = lively(board, Some(Color::White), |_| (false, false));
        let pass = Pass { board, to_move: Some(Color::White), status: &status, kind: Kind::Territorial };
        pass.compute(&mut Spreader::new(), pass.field(), Vec::new()).field
    };
    let mut after = board.clone();
    let mut fields = vec![field(board)];
    for v in board.vertices().filter(|&v| board.is_legal(Color::Black, v)).step_by(5) {
        if after.play(Color::Black, v).is_ok() {
            fields.push(field(&after));
            after.undo();
        }
    }
    fields
}
