//! Draws a [`Sheet`] as SVG, from bottom to top: wood, fills, lines, stones, outlines, arrows, signs, and the legend
//! under the board.
//!
//! A vertex is an element of class `v` with its name in `data-v`, so that a page can find the clicked vertex.

use crate::{Arrow, Cell, Ink, Key, Mark, Outline, Sheet, Side, column, escape, name};
use std::fmt::Write as _;

/// The distance of two lines.
const STEP: f32 = 24.0;
/// From the edge of the picture to the first line.
const EDGE: f32 = 32.0;
/// The height of a line of the legend.
const LINE: f32 = 18.0;

/// The picture as a complete SVG document.
#[must_use]
pub fn draw(sheet: &Sheet) -> String {
    let across = EDGE.mul_add(2.0, STEP * sheet.size.saturating_sub(1) as f32).max(220.0);
    let board = EDGE.mul_add(2.0, STEP * sheet.size.saturating_sub(1) as f32);
    let legend = legend(&sheet.legend, across, board);
    let height = board + legend.1;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {height}\" class=\"board\" role=\"img\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{}</title>",
        escape(&sheet.title)
    );
    let _ = write!(out, "<rect width=\"{across}\" height=\"{height}\" fill=\"#fff\"/>");
    let _ = write!(out, "<rect width=\"{board}\" height=\"{board}\" fill=\"#f3e2bd\"/>");
    for index in 0..sheet.cells.len() {
        fill(&mut out, sheet, index);
    }
    grid(&mut out, sheet.size);
    for index in 0..sheet.cells.len() {
        stone(&mut out, sheet, index);
    }
    for outline in &sheet.outlines {
        draw_outline(&mut out, sheet.size, outline);
    }
    for arrow in &sheet.arrows {
        draw_arrow(&mut out, sheet.size, arrow);
    }
    for index in 0..sheet.cells.len() {
        signs(&mut out, sheet, index);
    }
    for index in 0..sheet.cells.len() {
        let (x, y) = place(index, sheet.size);
        let _ = write!(
            out,
            "<rect class=\"v\" data-v=\"{}\" x=\"{}\" y=\"{}\" width=\"{STEP}\" height=\"{STEP}\" \
             fill=\"#000\" fill-opacity=\"0\"/>",
            name(index, sheet.size),
            x - STEP / 2.0,
            y - STEP / 2.0
        );
    }
    out.push_str(&legend.0);
    out.push_str("</svg>");
    out
}

/// The place of a vertex.
fn place(index: usize, size: usize) -> (f32, f32) {
    let at = |i: usize| STEP.mul_add(i as f32, EDGE);
    (at(index % size), at(index / size))
}

/// Lines, star points and coordinates.
fn grid(out: &mut String, size: usize) {
    let far = STEP.mul_add(size.saturating_sub(1) as f32, EDGE);
    let mut path = String::new();
    for i in 0..size {
        let at = STEP.mul_add(i as f32, EDGE);
        let _ = write!(path, "M{EDGE} {at}H{far}M{at} {EDGE}V{far}");
        for (x, y, text) in [
            (at, EDGE - 18.0, column(i).to_string()),
            (at, far + 25.0, column(i).to_string()),
            (EDGE - 21.0, at + 3.5, (size - i).to_string()),
            (far + 21.0, at + 3.5, (size - i).to_string()),
        ] {
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"10\" text-anchor=\"middle\" fill=\"#554\">{text}</text>"
            );
        }
    }
    let _ = write!(out, "<path d=\"{path}\" stroke=\"#443\" stroke-width=\".8\" fill=\"none\"/>");
    for index in (0..size * size).filter(|&i| is_star(i / size, i % size, size)) {
        let (x, y) = place(index, size);
        let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.4\" fill=\"#443\"/>");
    }
}

/// Whether a vertex has a star point on a wooden board.
fn is_star(row: usize, col: usize, size: usize) -> bool {
    if size < 7 {
        return false;
    }
    let near = if size >= 12 { 3 } else { 2 };
    let far = size - 1 - near;
    let corner = |x: usize| x == near || x == far;
    let centre = |x: usize| size % 2 == 1 && x == size / 2;
    let wide = size >= 13;
    corner(row) && corner(col)
        || centre(row) && (centre(col) || wide && corner(col))
        || wide && corner(row) && centre(col)
}

/// The coloured part of a vertex. A stone hides the vertex below, so the colour shows as a ring around the stone.
fn fill(out: &mut String, sheet: &Sheet, index: usize) {
    let cell = &sheet.cells[index];
    if cell.fill <= 0.0 {
        return;
    }
    let (x, y) = place(index, sheet.size);
    let side = if sheet.stones[index].is_some() { STEP } else { STEP * cell.fill.clamp(0.0, 1.0) };
    square(out, x, y, side, cell.ink);
}

pub(crate) fn square(out: &mut String, x: f32, y: f32, side: f32, ink: Ink) {
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{}\" fill-opacity=\".75\"/>",
        x - side / 2.0,
        y - side / 2.0,
        ink.paper()
    );
}

fn stone(out: &mut String, sheet: &Sheet, index: usize) {
    let Some(side) = sheet.stones[index] else { return };
    let (x, y) = place(index, sheet.size);
    let (fill, other) = match side {
        Side::Black => ("#1b1b1b", "#fff"),
        Side::White => ("#fdfdfd", "#111"),
    };
    let _ = write!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"10.6\" fill=\"{fill}\" stroke=\"#1b1b1b\" stroke-width=\"1\"/>"
    );
    if sheet.last == Some(index) && sheet.cells[index].text.is_empty() {
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.5\" fill=\"none\" stroke=\"{other}\" stroke-width=\"1.6\"/>"
        );
    }
}

/// Text and mark of a vertex.
fn signs(out: &mut String, sheet: &Sheet, index: usize) {
    let (cell, stone) = (&sheet.cells[index], sheet.stones[index]);
    let (x, y) = place(index, sheet.size);
    if let Some(mark) = cell.mark {
        draw_mark(out, x, y, mark, cell.ink);
    }
    if cell.text.is_empty() {
        return;
    }
    if stone.is_none() && cell.fill <= 0.0 {
        let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"9.5\" fill=\"#f3e2bd\"/>");
    }
    if cell.ink != Ink::Plain && stone.is_some() {
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"9.4\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\"/>",
            cell.ink.paper()
        );
    }
    label(out, x, y, &cell.text, stone == Some(Side::Black));
}

pub(crate) fn label(out: &mut String, x: f32, y: f32, text: &str, on_black: bool) {
    let size: f32 = match text.chars().count() {
        0..=1 => 13.0,
        2 => 11.0,
        3 => 9.0,
        4 => 7.6,
        _ => 6.4,
    };
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
        size.mul_add(0.35, y),
        if on_black { "#fff" } else { "#000" },
        escape(text)
    );
}

pub(crate) fn draw_mark(out: &mut String, x: f32, y: f32, mark: Mark, ink: Ink) {
    let style = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\"", ink.paper());
    let _ = match mark {
        Mark::Circle => write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" {style}/>"),
        Mark::Square => {
            write!(out, "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" {style}/>", x - 6.0, y - 6.0)
        }
        Mark::Triangle => write!(out, "<path d=\"M{x} {}l6.5 11h-13z\" {style}/>", y - 7.0),
        Mark::Cross => write!(out, "<path d=\"M{} {}l11 11m0 -11l-11 11\" {style}/>", x - 5.5, y - 5.5),
    };
}

fn draw_arrow(out: &mut String, size: usize, arrow: &Arrow) {
    let ((x0, y0), (x1, y1)) = (place(arrow.from, size), place(arrow.to, size));
    let length = (x1 - x0).hypot(y1 - y0).max(1.0);
    let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
    // It ends at the edge of the stone, with a head of two short lines.
    let (tx, ty) = (9.0_f32.mul_add(-dx, x1), 9.0_f32.mul_add(-dy, y1));
    let head = |s: f32| {
        (5.0f32.mul_add(s * -dy, 8.0f32.mul_add(-dx, tx)), 5.0f32.mul_add(s * dx, 8.0f32.mul_add(-dy, ty)))
    };
    let ((ax, ay), (bx, by)) = (head(1.0), head(-1.0));
    let _ = write!(
        out,
        "<path d=\"M{x0:.1} {y0:.1}L{tx:.1} {ty:.1}M{ax:.1} {ay:.1}L{tx:.1} {ty:.1}L{bx:.1} {by:.1}\" fill=\"none\" \
         stroke=\"{}\" stroke-width=\"2.4\" stroke-opacity=\".85\"/>",
        arrow.ink.paper()
    );
}

fn draw_outline(out: &mut String, size: usize, outline: &Outline) {
    let points: Vec<String> =
        outline.corners.iter().map(|&c| place(c, size)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = write!(
        out,
        "<polygon points=\"{}\" fill=\"{ink}\" fill-opacity=\".12\" stroke=\"{ink}\" stroke-width=\"2\" \
         stroke-dasharray=\"5 3\"/>",
        points.join(" "),
        ink = outline.ink.paper()
    );
}

/// The legend's entries in two columns below the board, and their height.
pub(crate) fn legend(keys: &[Key], across: f32, top: f32) -> (String, f32) {
    let mut out = String::new();
    if keys.is_empty() {
        return (out, 0.0);
    }
    let columns = if across > 400.0 { 2 } else { 1 };
    let rows = keys.len().div_ceil(columns);
    for (i, key) in keys.iter().enumerate() {
        let x = (i / rows) as f32 * across / columns as f32 + 18.0;
        let y = LINE.mul_add((i % rows) as f32, top + 14.0);
        let Cell { text, ink, fill, mark } = &key.sign;
        if *fill > 0.0 {
            square(&mut out, x, y, 16.0 * fill.min(1.0), *ink);
        } else if *ink != Ink::Plain && mark.is_none() {
            let _ = write!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\"/>",
                ink.paper()
            );
        }
        if let Some(mark) = mark {
            draw_mark(&mut out, x, y, *mark, *ink);
        }
        label(&mut out, x, y, text, false);
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"10.5\" fill=\"#222\">{}</text>",
            x + 15.0,
            y + 3.7,
            escape(&key.meaning)
        );
    }
    (out, LINE.mul_add(rows as f32, 10.0))
}
