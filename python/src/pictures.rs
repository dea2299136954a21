//! Draws boards as SVG for notebooks. As for the program, `tengen-render` does the drawing.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tengen_render::grid::{Field, Grid};
use tengen_render::{Cell, Ink, Key, Sheet, Side, chess, grid, svg};

fn cell(text: String) -> Cell {
    Cell { text, ..Cell::default() }
}

fn keys(legend: Vec<(String, String)>) -> Vec<Key> {
    legend.into_iter().map(|(sign, meaning)| Key::new(Ink::default(), 0.0, &sign, &meaning)).collect()
}

/// A board of Go: stones 1 (Black), -1 (White), 0; a text a vertex; the last move's vertex; signs and their meanings.
#[pyfunction]
pub(crate) fn draw_go(
    size: usize,
    title: &str,
    stones: Vec<i8>,
    texts: Vec<String>,
    last: Option<usize>,
    legend: Vec<(String, String)>,
) -> PyResult<String> {
    let vertices = size * size;
    if stones.len() != vertices || texts.len() != vertices || last.is_some_and(|last| last >= vertices) {
        return Err(PyValueError::new_err(format!("a board of size {size} has {vertices} vertices")));
    }
    let side = |at: usize| match stones[at] {
        0 => None,
        1.. => Some(Side::Black),
        _ => Some(Side::White),
    };
    let mut sheet = Sheet::new(size, title, side);
    sheet.cells = texts.into_iter().map(cell).collect();
    sheet.last = last;
    sheet.legend = keys(legend);
    Ok(svg::draw(&sheet))
}

/// A chess board by its FEN, with moves as arrows.
#[pyfunction]
pub(crate) fn draw_chess(title: &str, fen: &str, moves: Vec<String>) -> PyResult<String> {
    let wrong = |what: &str| PyValueError::new_err(format!("this is no {what}"));
    let mut board = chess::Board::of_fen(title, fen).ok_or_else(|| wrong("FEN"))?;
    for text in moves {
        let ends = text.get(..2).zip(text.get(2..4));
        let arrow = ends.and_then(|(from, to)| Some((chess::square(from)?, chess::square(to)?)));
        let (from, to) = arrow.ok_or_else(|| wrong("move in UCI's spelling"))?;
        board.arrows.push((from, to, Ink::default()));
    }
    Ok(chess::draw(&board))
}

/// A board of fields: a text each, row by row from the top; signs and their meanings.
#[pyfunction]
pub(crate) fn draw_grid(
    title: String,
    columns: Vec<String>,
    rows: Vec<String>,
    texts: Vec<String>,
    legend: Vec<(String, String)>,
) -> PyResult<String> {
    if texts.len() != columns.len() * rows.len() {
        return Err(PyValueError::new_err("a text for every field is needed"));
    }
    let field = |text: String| Field { hint: text.clone(), cell: cell(text), link: None };
    let fields = texts.into_iter().map(field).collect();
    Ok(grid::draw(&Grid { title, columns, rows, fields, legend: keys(legend) }))
}
