//! Draws a [`Sheet`] as SVG, from bottom to top: wood, lines, blank places for numbers, fills, stones, outlines, arrows
//! and signs. [`draw`] adds the legend under the board. [`board`] draws the board of a page, with a place to click for
//! each vertex.
//!
//! - A vertex of [`board`] is an element of class `v` with its name in `data-v`.
//! - A number stands on blank wood, so that no line of the board crosses it.
//! - Elements that look alike share one element or group, so that a board of 19 lines with numbers takes about 50 kB.

use crate::escape::escape;
use crate::legend::legend;
use crate::palette::Ink;
use crate::sheet::{Arrow, Cell, Mark, Outline, Sheet, Side, column, name};
use crate::sign::{stroke_mark, text_size};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The distance of two lines.
const STEP: f32 = 24.0;
/// From the edge of the picture to the first line.
const EDGE: f32 = 30.0;
/// The least width of a picture with a legend, and of a board in a page.
const LEAST: (f32, f32) = (220.0, 140.0);

/// Wood with a grain, and stones with a light from the upper left. Pictures in one page share the names.
const MATERIAL: &str = "<defs><linearGradient id=\"wood\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"0\" x2=\"43\" y2=\"2\" \
spreadMethod=\"reflect\"><stop stop-color=\"#ecca8d\"/><stop offset=\".3\" stop-color=\"#e7c384\"/><stop offset=\".42\" \
stop-color=\"#eccb90\"/><stop offset=\".8\" stop-color=\"#e4bf7e\"/><stop offset=\"1\" stop-color=\"#ebc98b\"/></linearGradient>\
<radialGradient id=\"dark\" cx=\".36\" cy=\".3\" r=\".8\"><stop stop-color=\"#6a6a6e\"/><stop offset=\".45\" stop-color=\"#2b2b2e\"/>\
<stop offset=\"1\" stop-color=\"#0d0d0f\"/></radialGradient><radialGradient id=\"light\" cx=\".36\" cy=\".3\" r=\".85\">\
<stop stop-color=\"#fff\"/><stop offset=\".6\" stop-color=\"#f7f5ef\"/><stop offset=\"1\" stop-color=\"#cfcabd\"/></radialGradient></defs>";

/// The picture as a complete SVG document, its legend under the board.
#[must_use]
pub fn draw(sheet: &Sheet) -> String {
    let board = extent(sheet.size);
    let across = board.max(LEAST.0);
    let legend = legend(&sheet.legend, across, board);
    let height = board + legend.1;
    let mut out = head(sheet, [0.0, 0.0, across, height]);
    let _ = write!(out, "<rect width=\"{across}\" height=\"{height}\" fill=\"#fff\"/>");
    content(&mut out, sheet);
    out.push_str(&legend.0);
    out.push_str("</svg>");
    out
}

/// The board alone, for a page: a click on a vertex finds its name.
#[must_use]
pub fn board(sheet: &Sheet) -> String {
    let board = extent(sheet.size);
    let side = board.max(LEAST.1);
    let corner = (board - side) / 2.0;
    let mut out = head(sheet, [corner, corner, side, side]);
    content(&mut out, sheet);
    out.push_str("<g fill=\"#000\" fill-opacity=\"0\">");
    for index in 0..sheet.cells.len() {
        let (x, y) = place(index, sheet.size);
        let (x, y) = (x - STEP / 2.0, y - STEP / 2.0);
        let _ = write!(
            out,
            "<path class=\"v\" data-v=\"{}\" d=\"M{x} {y}h24v24h-24z\"/>",
            name(index, sheet.size)
        );
    }
    out.push_str("</g></svg>");
    out
}

/// Wood, coordinates, lines and stone colours of a board of this size, once for all boards of a page that [`light`]
/// draws.
#[must_use]
pub fn shared(size: usize) -> String {
    let mut out =
        format!("<svg width=\"0\" height=\"0\" style=\"position:absolute\">{MATERIAL}<g id=\"board{size}\">");
    wood(&mut out, 0.0, extent(size));
    coordinates(&mut out, size);
    lines(&mut out, size);
    out.push_str("</g></svg>");
    out
}

/// A board of a few bytes a stone on the ground that [`shared`] put into the page; `id` is its own in the page.
#[must_use]
pub fn light(sheet: &Sheet, id: &str) -> String {
    let side = extent(sheet.size).max(LEAST.1);
    let title = escape(&sheet.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" class=\"board\" role=\"img\" \
         aria-label=\"{title}\" font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{title}</title><use href=\"#board{}\"/>",
        sheet.size
    );
    let [black, white] = [Side::Black, Side::White].map(|side| dots(sheet, side));
    let (dark, bright) = (format!("{id}k"), format!("{id}w"));
    let _ = write!(
        out,
        "<defs><path id=\"{dark}\" d=\"{black}\"/><path id=\"{bright}\" d=\"{white}\"/></defs><g stroke-linecap=\"round\" \
         transform=\"translate({EDGE} {EDGE}) scale({STEP})\">"
    );
    for (path, color, opacity, width, shift) in [
        (&dark, "#3a2708", ".3", ".933", "0 .067"),
        (&bright, "#3a2708", ".3", ".933", "0 .067"),
        (&dark, "#1b1b1d", "1", ".917", "0 0"),
        (&dark, "#77777c", ".45", ".29", "-.125 -.142"),
        (&bright, "#6d675f", "1", ".913", "0 0"),
        (&bright, "#f4f1ea", "1", ".85", "0 0"),
        (&bright, "#fff", ".9", ".375", "-.083 -.108"),
    ] {
        let _ = write!(
            out,
            "<use href=\"#{path}\" stroke=\"{color}\" stroke-opacity=\"{opacity}\" stroke-width=\"{width}\" \
             transform=\"translate({shift})\"/>"
        );
    }
    out.push_str("</g>");
    last_move(&mut out, sheet);
    signs(&mut out, sheet);
    out.push_str("</svg>");
    out
}

/// A path that visits the stones of a side, one unit from line to line.
fn dots(sheet: &Sheet, side: Side) -> String {
    let mut path = String::new();
    for (index, _) in sheet.stones.iter().enumerate().filter(|(_, stone)| **stone == Some(side)) {
        let _ = write!(path, "M{} {}h0", index % sheet.size, index / sheet.size);
    }
    path
}

/// The stones alone on a small board without coordinates, for lists.
#[must_use]
pub fn thumbnail(sheet: &Sheet) -> String {
    let far = STEP * sheet.size.saturating_sub(1) as f32;
    let (corner, side) = (EDGE - 16.0, far + 32.0);
    let mut out = head(sheet, [corner, corner, side, side]);
    wood(&mut out, corner, side);
    lines(&mut out, sheet.size);
    small_stones(&mut out, sheet);
    out.push_str("</svg>");
    out
}

/// The stones as round dots of one path a colour: a few bytes for each.
fn small_stones(out: &mut String, sheet: &Sheet) {
    let (black, white) = (dots(sheet, Side::Black), dots(sheet, Side::White));
    let _ = write!(
        out,
        "<g fill=\"none\" stroke-linecap=\"round\" transform=\"translate({EDGE} {EDGE}) scale({STEP})\">"
    );
    for (path, color, width) in
        [(&black, "#1b1b1b", ".96"), (&white, "#555", ".96"), (&white, "#fdfcf8", ".83")]
    {
        let _ = write!(out, "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{width}\"/>");
    }
    out.push_str("</g>");
}

fn head(sheet: &Sheet, view: [f32; 4]) -> String {
    let [x, y, width, height] = view;
    let title = escape(&sheet.title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\" class=\"board\" role=\"img\" \
         aria-label=\"{title}\" font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{title}</title>{MATERIAL}"
    )
}

/// The side of the board in the picture.
fn extent(size: usize) -> f32 {
    EDGE.mul_add(2.0, STEP * size.saturating_sub(1) as f32)
}

/// Everything on the board.
fn content(out: &mut String, sheet: &Sheet) {
    wood(out, 0.0, extent(sheet.size));
    coordinates(out, sheet.size);
    lines(out, sheet.size);
    blanks(out, sheet);
    fills(out, sheet);
    stones(out, sheet);
    for outline in &sheet.outlines {
        draw_outline(out, sheet.size, outline);
    }
    for arrow in &sheet.arrows {
        draw_arrow(out, sheet.size, arrow);
    }
    last_move(out, sheet);
    signs(out, sheet);
}

/// The place of a vertex.
fn place(index: usize, size: usize) -> (f32, f32) {
    let at = |i: usize| STEP.mul_add(i as f32, EDGE);
    (at(index % size), at(index / size))
}

fn wood(out: &mut String, corner: f32, side: f32) {
    let _ = write!(
        out,
        "<rect x=\"{corner}\" y=\"{corner}\" width=\"{side}\" height=\"{side}\" rx=\"3\" fill=\"url(#wood)\" stroke=\"#9a7440\" \
         stroke-width=\"1\"/>"
    );
}

fn coordinates(out: &mut String, size: usize) {
    let far = STEP.mul_add(size.saturating_sub(1) as f32, EDGE);
    out.push_str("<g font-size=\"10.5\" text-anchor=\"middle\" fill=\"#4a3a1c\">");
    for i in 0..size {
        let at = STEP.mul_add(i as f32, EDGE);
        for (x, y, text) in [
            (at, EDGE - 17.0, column(i).to_string()),
            (at, far + 24.0, column(i).to_string()),
            (EDGE - 20.0, at + 3.5, (size - i).to_string()),
            (far + 20.0, at + 3.5, (size - i).to_string()),
        ] {
            let _ = write!(out, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
        }
    }
    out.push_str("</g>");
}

/// Lines and star points.
fn lines(out: &mut String, size: usize) {
    let far = STEP.mul_add(size.saturating_sub(1) as f32, EDGE);
    let mut path = String::new();
    for i in 0..size {
        let at = STEP.mul_add(i as f32, EDGE);
        let _ = write!(path, "M{EDGE} {at}H{far}M{at} {EDGE}V{far}");
    }
    let _ = write!(out, "<path d=\"{path}\" stroke=\"#4a3a1c\" stroke-width=\".8\" fill=\"none\"/>");
    for index in (0..size * size).filter(|&i| is_star(i / size, i % size, size)) {
        let (x, y) = place(index, size);
        let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.6\" fill=\"#4a3a1c\"/>");
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

/// Blank wood below numbers and fills, so that no line crosses them.
fn blanks(out: &mut String, sheet: &Sheet) {
    let is_covered = |cell: &Cell| cell.fill > 0.0 || !cell.text.is_empty();
    let mut path = String::new();
    for (index, _) in sheet.cells.iter().enumerate().filter(|(_, cell)| is_covered(cell)) {
        if sheet.stones[index].is_none() {
            let (x, y) = place(index, sheet.size);
            let _ = write!(path, "M{x} {y}h.01");
        }
    }
    if !path.is_empty() {
        let _ = write!(
            out,
            "<path d=\"{path}\" stroke=\"url(#wood)\" stroke-width=\"22\" stroke-linecap=\"square\"/>"
        );
    }
}

/// The coloured part of each vertex, one path for each colour. A stone hides the vertex below, so the colour shows as a
/// frame around the stone.
fn fills(out: &mut String, sheet: &Sheet) {
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    for (index, cell) in sheet.cells.iter().enumerate().filter(|(_, cell)| cell.fill > 0.0) {
        let (x, y) = place(index, sheet.size);
        let side = if sheet.stones[index].is_some() { STEP } else { STEP * cell.fill.clamp(0.0, 1.0) };
        let path = paths.entry(cell.ink.wood()).or_default();
        let (left, top, side) = (tenths(x - side / 2.0), tenths(y - side / 2.0), tenths(side));
        let _ = write!(path, "M{left} {top}h{side}v{side}h-{side}z");
    }
    for (color, path) in paths {
        let _ = write!(out, "<path d=\"{path}\" fill=\"{color}\" fill-opacity=\".8\"/>");
    }
}

/// A length with one decimal at most.
fn tenths(length: f32) -> f32 {
    (10.0 * length).round() / 10.0
}

/// Shadows, then the stones of either colour.
fn stones(out: &mut String, sheet: &Sheet) {
    let circles = |side: Option<Side>, dy: f32, radius: f32| {
        let mut all = String::new();
        for (index, stone) in sheet.stones.iter().enumerate() {
            if stone.is_some() && (side.is_none() || *stone == side) {
                let (x, y) = place(index, sheet.size);
                let _ = write!(all, "<circle cx=\"{x}\" cy=\"{}\" r=\"{radius}\"/>", y + dy);
            }
        }
        all
    };
    let _ = write!(
        out,
        "<g fill=\"#3a2708\" fill-opacity=\".3\">{}</g><g fill=\"url(#dark)\">{}</g>\
         <g fill=\"url(#light)\" stroke=\"#55504a\" stroke-width=\".7\">{}</g>",
        circles(None, 1.6, 11.2),
        circles(Some(Side::Black), 0.0, 11.0),
        circles(Some(Side::White), 0.0, 10.7),
    );
}

fn last_move(out: &mut String, sheet: &Sheet) {
    let Some(index) =
        sheet.last.filter(|&i| sheet.cells.get(i).is_some_and(|c| c.text.is_empty() && c.mark.is_none()))
    else {
        return;
    };
    let (x, y) = place(index, sheet.size);
    let color = if sheet.stones[index] == Some(Side::Black) { "#fff" } else { "#c01818" };
    let _ = write!(
        out,
        "<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
    );
}

/// Texts and marks of all vertices; texts of one look stand in one group.
fn signs(out: &mut String, sheet: &Sheet) {
    let mut groups: BTreeMap<(u32, bool, bool), String> = BTreeMap::new();
    for (index, cell) in sheet.cells.iter().enumerate() {
        let stone = sheet.stones[index];
        let (x, y) = place(index, sheet.size);
        if let Some(mark) = cell.mark {
            mark_on(out, (x, y), mark, cell.ink, stone);
        }
        if cell.text.is_empty() {
            continue;
        }
        if cell.ink != Ink::Plain && stone.is_some() {
            let _ = write!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"9.4\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\"/>",
                cell.ink.paper()
            );
        }
        // A ring leaves less room.
        let is_ringed = cell.ink != Ink::Plain && stone.is_some();
        let most = if is_ringed && cell.text.chars().count() > 2 { 7.6 } else { f32::INFINITY };
        let size = text_size(&cell.text).min(most);
        let on_dark =
            stone == Some(Side::Black) || stone.is_none() && cell.ink == Ink::Black && cell.fill > 0.6;
        // A stone is its own ground; a number on wood gets a halo.
        let group = groups.entry(((10.0 * size) as u32, on_dark, stone.is_some())).or_default();
        let base = size.mul_add(0.35, y).round();
        let _ = write!(group, "<text x=\"{x}\" y=\"{base}\">{}</text>", escape(&cell.text));
    }
    for ((size, on_dark, on_stone), texts) in groups {
        let (fill, halo) = if on_dark { ("#fff", "#1b1b1b") } else { ("#000", "#f4e2ba") };
        let halo = if on_stone { "none" } else { halo };
        let _ = write!(
            out,
            "<g font-size=\"{}\" text-anchor=\"middle\" fill=\"{fill}\" stroke=\"{halo}\" stroke-width=\"1.6\" stroke-opacity=\".65\" \
             paint-order=\"stroke\">{texts}</g>",
            f64::from(size) / 10.0
        );
    }
}

/// A mark on a vertex; a plain one in the colour that the stone below leaves legible.
fn mark_on(out: &mut String, at: (f32, f32), mark: Mark, ink: Ink, stone: Option<Side>) {
    let color = match (ink, stone) {
        (Ink::Plain, Some(Side::Black)) => "#fff",
        (Ink::Plain, _) => "#111",
        _ => ink.paper(),
    };
    stroke_mark(out, at, mark, color);
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
