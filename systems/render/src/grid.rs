//! Draws the board of a game by rulesheet as SVG. Columns and rows may have any names, and a field may have any text.

use crate::escape::escape;
use crate::legend::legend;
use crate::palette::Ink;
use crate::sheet::{Cell, Key};
use crate::sign::{draw_mark, square};
use std::fmt::Write as _;

/// The side of a field.
const SIDE: f32 = 40.0;
/// Room for coordinates.
const EDGE: f32 = 30.0;

/// A field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// The text on it.
    pub cell: Cell,
    /// The target of a click on it.
    pub link: Option<String>,
    /// All facts about it, shown on pointing.
    pub hint: String,
}

/// A board of fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// The title of the picture.
    pub title: String,
    /// The columns' names from the left.
    pub columns: Vec<String>,
    /// The rows' names from the top.
    pub rows: Vec<String>,
    /// The fields, row by row.
    pub fields: Vec<Field>,
    /// The legend of the signs.
    pub legend: Vec<Key>,
}

/// The board as SVG, with its coordinates on all sides and its legend below.
#[must_use]
pub fn draw(grid: &Grid) -> String {
    let board = extent(grid);
    let across = board.0.max(220.0);
    let legend = legend(&grid.legend, across, board.1);
    head(grid, across, board.1 + legend.1) + &content(grid, board) + &legend.0 + "</svg>"
}

/// The board alone, for a page that has its own legend.
#[must_use]
pub fn board(grid: &Grid) -> String {
    let board = extent(grid);
    head(grid, board.0, board.1) + &content(grid, board) + "</svg>"
}

fn extent(grid: &Grid) -> (f32, f32) {
    (EDGE.mul_add(2.0, SIDE * grid.columns.len() as f32), EDGE.mul_add(2.0, SIDE * grid.rows.len() as f32))
}

fn head(grid: &Grid, across: f32, height: f32) -> String {
    let title = escape(&grid.title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {height}\" class=\"board\" role=\"group\" \
         aria-label=\"{title}\" font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{title}</title>\
         <rect width=\"{across}\" height=\"{height}\" rx=\"3\" fill=\"#ead9b4\"/>"
    )
}

fn content(grid: &Grid, board: (f32, f32)) -> String {
    let columns = grid.columns.len();
    let mut out = String::new();
    for (index, field) in grid.fields.iter().enumerate().take(columns * grid.rows.len()) {
        draw_field(&mut out, index % columns, index / columns, field);
    }
    for (i, name) in grid.columns.iter().enumerate() {
        let x = SIDE.mul_add(i as f32 + 0.5, EDGE);
        coordinate(&mut out, x, EDGE / 2.0, name);
        coordinate(&mut out, x, board.1 - EDGE / 2.0, name);
    }
    for (i, name) in grid.rows.iter().enumerate() {
        let y = SIDE.mul_add(i as f32 + 0.5, EDGE);
        coordinate(&mut out, EDGE / 2.0, y, name);
        coordinate(&mut out, board.0 - EDGE / 2.0, y, name);
    }
    out
}

fn draw_field(out: &mut String, col: usize, row: usize, field: &Field) {
    let (x, y) = (SIDE.mul_add(col as f32, EDGE), SIDE.mul_add(row as f32, EDGE));
    let (middle_x, middle_y) = (x + SIDE / 2.0, y + SIDE / 2.0);
    if let Some(link) = &field.link {
        let _ =
            write!(out, "<a href=\"{}\" class=\"v\" aria-label=\"{}\">", escape(link), escape(&field.hint));
    }
    let _ = write!(
        out,
        "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#f3e6c8\" \
         stroke=\"#665\" stroke-width=\".8\"/>",
        escape(&field.hint)
    );
    let Cell { text, ink, fill, mark } = &field.cell;
    if *fill > 0.0 {
        square(out, middle_x, middle_y, (SIDE - 2.0) * fill.min(1.0), *ink);
    }
    if let Some(mark) = mark {
        let at = if text.is_empty() { middle_y } else { y + SIDE - 11.0 };
        draw_mark(out, middle_x, at, *mark, Ink::Good);
    }
    let count = text.chars().count().max(1) as f32;
    // What stands on every empty field is told in small letters.
    let most = if *ink == Ink::Plain && *fill <= 0.0 && count > 2.0 { 9.0 } else { 20.0 };
    let size = (SIDE * 1.15 / count).clamp(4.5, most);
    let short: String = text.chars().take(11).collect();
    let _ = write!(
        out,
        "<text x=\"{middle_x}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"middle\" fill=\"{}\">{}</text></g>",
        size.mul_add(0.35, if mark.is_some() { y + 14.0 } else { middle_y }),
        match (*ink, *fill > 0.0) {
            (Ink::Plain, false) => "#6b6450",
            (Ink::Black, true) => "#fff",
            _ => "#000",
        },
        escape(&short)
    );
    if field.link.is_some() {
        out.push_str("</a>");
    }
}

fn coordinate(out: &mut String, x: f32, y: f32, name: &str) {
    let short: String = name.chars().take(6).collect();
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{:.1}\" font-size=\"10\" text-anchor=\"middle\" fill=\"#554\">{}</text>",
        y + 3.5,
        escape(&short)
    );
}
