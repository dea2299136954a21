//! GTP commands about eye shapes without a board: `analyze_eyegraph`, `test_eyeshape`.
//!
//! # Source
//! GNU Go 3.8 manual, chapter Eyes, section "Functions in optics.c" (`analyze_eyegraph`, `test_eyeshape`).
//!
//! # Notation
//! A shape is written row by row: `.` is an empty vertex, `X` a stone of the attacker, `!` a marginal vertex, and a
//! blank is no vertex. In a command `%` ends a row and `O` stands for a blank.
//!
//! # Departures
//! Vital moves are marked where they change the number of eyes (`*`, or `@` on a marginal vertex). The manual's example
//! also marks threats.

use super::wire::{Answer, Arguments, Failure};
use super::{Command, Session, command};
use std::fmt::Write as _;
use tengen_go::board::Vertex;
use tengen_go::eyes::graph::MAX_VERTICES;
use tengen_go::eyes::{EyeGraph, EyeSolver, EyeValue};

pub(super) const COMMANDS: &[Command] =
    &[command("analyze_eyegraph", analyze), command("test_eyeshape", test)];

/// A graph of cells at these places (row, column). A cell with four neighbours in the shape is afloat.
fn graph_of(places: &[(usize, usize)]) -> Option<EyeGraph> {
    if places.is_empty() || places.len() > MAX_VERTICES {
        return None;
    }
    let mut graph = EyeGraph::with_vertices(places.len());
    for (i, a) in places.iter().enumerate() {
        let mut near = 0;
        for (j, b) in places.iter().enumerate() {
            if a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1 {
                near += 1;
                if j < i {
                    graph.join(i, j);
                }
            }
        }
        if near == 4 {
            graph.afloat |= 1 << i;
        }
    }
    Some(graph)
}

/// `analyze_eyegraph SHAPE`: the eye value, and the shape with its vital moves.
fn analyze(_: &mut Session, words: &Arguments<'_>) -> Answer {
    let text = words.word(0).unwrap_or_default();
    let bad = || Failure::new("bad eye shape: `.`, `X`, `!`, `O` for a blank, `%` for the end of a row");
    let mut rows: Vec<Vec<char>> = Vec::new();
    for row in text.split('%') {
        rows.push(row.chars().map(|c| if c == 'O' { ' ' } else { c }).collect());
    }
    if rows.iter().flatten().any(|c| !" .X!".contains(*c)) {
        return Err(bad());
    }
    let mut places = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        places.extend(row.iter().enumerate().filter(|(_, c)| **c != ' ').map(|(c, _)| (r, c)));
    }
    let mut graph = graph_of(&places).ok_or_else(bad)?;
    for (i, &(r, c)) in places.iter().enumerate() {
        match rows[r][c] {
            'X' => graph.stones |= 1 << i,
            '!' => graph.marginal |= 1 << i,
            _ => {}
        }
    }
    let solution = EyeSolver::default().solve(&graph);
    if !solution.exact {
        return Err(Failure::new("analysis failed"));
    }
    let vital = solution.attack_points | solution.defence_points;
    for (i, &(r, c)) in places.iter().enumerate() {
        if vital & (1 << i) != 0 {
            rows[r][c] = if rows[r][c] == '!' { '@' } else { '*' };
        }
    }
    let drawn: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    Ok(format!("{}\n{}", solution.value, drawn.join("\n")))
}

/// `test_eyeshape VERTEX...`: solves the shape of these vertices with the attacker's stones on each subset of them.
/// It reports on stderr each value in which more moves of a side are worse for that side.
fn test(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board();
    let size = board.size();
    let shape: Vec<Vertex> = (0..words.len()).map(|i| words.vertex(i, board)).collect::<Result<_, _>>()?;
    let places: Vec<(usize, usize)> = shape.iter().map(|v| (v.row(size), v.col(size))).collect();
    let graph = graph_of(&places).ok_or_else(|| Failure::new("bad vertices"))?;
    let mut solver = EyeSolver::default();
    let mut report = String::new();
    for stones in 0..1_u32 << shape.len() {
        let mut filled = graph.clone();
        filled.stones = stones as u16;
        let solution = solver.solve(&filled);
        let EyeValue { a, b, c, d } = solution.value;
        if solution.exact && !(a <= b && b <= c && c <= d) {
            // Writing to a string can't fail.
            let _ = writeln!(report, "stones {stones:b}: the value {} is inconsistent", solution.value);
        }
    }
    // A controller may have closed our stderr.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), report.as_bytes());
    Ok(String::new())
}
