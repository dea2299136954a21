//! Prepares the board of a layer for people: numbers with one decimal, blanks for zero, and the marks of the record.

use super::look::Look;
use crate::report::board::Layer;
use tengen_go::board::sgf::vertex_from_sgf;
use tengen_go::board::{Color, Vertex};
use tengen_render::{Cell, Ink, Mark, Sheet};

/// The marks that records put on vertices.
const MARKS: [(&str, Mark); 4] =
    [("TR", Mark::Triangle), ("SQ", Mark::Square), ("CR", Mark::Circle), ("MA", Mark::Cross)];

/// A smaller square than this would only disturb the number on it.
const LEAST: f32 = 0.6;

/// Rounds the numbers of a sheet, and leaves out what rounds to nothing.
pub(super) fn for_people(sheet: &mut Sheet, layer: Layer) {
    for cell in &mut sheet.cells {
        if layer == Layer::Permeability && cell.text.parse() == Ok(1.0_f32) {
            // Influence flows freely nearly everywhere: only what hinders it is told.
            cell.text.clear();
        }
        if cell.text == "." || cell.text.parse::<f32>().is_ok_and(|n| n.abs() < 0.05) {
            let mark = cell.mark;
            *cell = Cell { mark, ..Cell::default() };
        } else if cell.text.contains('.')
            && let Ok(number) = cell.text.parse::<f32>()
        {
            cell.text = short(number);
        } else if let Some(rest) = cell.text.strip_prefix('-') {
            cell.text = format!("−{rest}");
        }
    }
    for cell in sheet.cells.iter_mut().filter(|cell| cell.fill < LEAST && !cell.text.is_empty()) {
        cell.fill = 0.0;
    }
    sheet.legend.retain(|key| key.sign.text != ".");
}

/// `.4`, `−.4`, `12`: one decimal where there is room for it.
fn short(number: f32) -> String {
    let text =
        if number.abs() < 9.95 { format!("{:.1}", number.abs()) } else { format!("{:.0}", number.abs()) };
    let text = text.strip_suffix(".0").unwrap_or(&text);
    let text = text.strip_prefix('0').filter(|rest| rest.starts_with('.')).unwrap_or(text);
    if number < 0.0 { format!("−{text}") } else { text.into() }
}

/// Puts the record's labels and marks on the board. They stand above what a layer shows there.
pub(super) fn add_marks(sheet: &mut Sheet, look: &Look) {
    if !look.tries.is_empty() {
        return;
    }
    let size = sheet.size;
    let Some(node) = look.record.as_ref().and_then(|record| record.tree.nodes.get(look.node)) else { return };
    for property in &node.properties {
        for value in &property.values {
            let (place, text) = value.split_once(':').unwrap_or((value, ""));
            let places = vertices(place, text, size, property.name == "LB");
            let mark = MARKS.iter().find(|(name, _)| *name == property.name).map(|m| m.1);
            for v in places {
                let Some(cell) = sheet.cells.get_mut(v.index(size)) else { continue };
                if property.name == "LB" {
                    *cell = Cell {
                        text: text.trim().chars().take(3).collect(),
                        ink: Ink::Plain,
                        ..Cell::default()
                    };
                } else if mark.is_some() {
                    *cell = Cell { mark, ink: Ink::Plain, ..Cell::default() };
                }
            }
        }
    }
}

/// Numbers the moves of a line that is still to come. They stand above what a layer shows there.
pub(super) fn add_line(sheet: &mut Sheet, look: &Look) {
    for (n, &(color, v)) in look.rest.iter().enumerate().filter(|(_, (_, v))| *v != Vertex::PASS) {
        let ink = if color == Color::Black { Ink::Black } else { Ink::White };
        if let Some(cell) = sheet.cells.get_mut(v.index(sheet.size))
            && (n == 0 || cell.text.is_empty() || cell.ink != ink)
        {
            *cell = Cell { text: (n + 1).to_string(), ink, fill: 0.8, mark: None };
        }
    }
}

/// The vertices of a value: one, or the rectangle of `aa:cc`.
fn vertices(place: &str, other: &str, size: usize, is_label: bool) -> Vec<Vertex> {
    let on_board = |text: &str| vertex_from_sgf(text, size).filter(|&v| v != Vertex::PASS);
    let Some(first) = on_board(place) else { return Vec::new() };
    let Some(last) = on_board(other).filter(|_| !is_label) else { return vec![first] };
    let (a, b) = (first.index(size), last.index(size));
    let (rows, cols) = ((a / size)..=(b / size), (a % size)..=(b % size));
    rows.flat_map(|row| cols.clone().map(move |col| Vertex::new(row, col, size))).collect()
}

/// The text for a screen reader about the board.
pub(super) fn words(look: &Look) -> String {
    let size = look.size();
    let last = match look.input.position.board.last_move() {
        Some((color, v)) => format!("; last move {} {}", player(color), v.to_gtp(size)),
        None => String::new(),
    };
    let layer = if look.layer == Layer::Stones { "" } else { look.layer.name() };
    let to_move = player(look.input.position.to_move);
    format!("Go board, {size} lines, move {}{last}; {to_move} to move {layer}", look.input.moves)
        .trim()
        .to_owned()
}

const fn player(color: Color) -> &'static str {
    crate::report::sentences::player(color)
}
