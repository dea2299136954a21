//! Draws the squares, marks and letters of cells as SVG.

use crate::escape::escape;
use crate::palette::Ink;
use crate::sheet::Mark;
use std::fmt::Write as _;

/// A square of a colour, for legends and other boards.
pub(crate) fn square(out: &mut String, x: f32, y: f32, side: f32, ink: Ink) {
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{}\" fill-opacity=\".8\"/>",
        x - side / 2.0,
        y - side / 2.0,
        ink.wood()
    );
}

/// The size of the letters of a text.
pub(crate) fn text_size(text: &str) -> f32 {
    match text.chars().count() {
        0..=1 => 13.0,
        2 => 11.5,
        3 => 10.0,
        4 => 8.6,
        _ => 6.8,
    }
}

/// A text in the middle of a place.
pub(crate) fn label(out: &mut String, x: f32, y: f32, text: &str, on_black: bool) {
    let size = text_size(text);
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
        size.mul_add(0.35, y),
        if on_black { "#fff" } else { "#000" },
        escape(text)
    );
}

/// A mark in its colour on paper.
pub(crate) fn draw_mark(out: &mut String, x: f32, y: f32, mark: Mark, ink: Ink) {
    stroke_mark(out, (x, y), mark, ink.paper());
}

/// A mark in any colour.
pub(crate) fn stroke_mark(out: &mut String, (x, y): (f32, f32), mark: Mark, color: &str) {
    let style = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2.8\"");
    let _ = match mark {
        Mark::Circle => write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" {style}/>"),
        Mark::Square => {
            write!(out, "<rect x=\"{}\" y=\"{}\" width=\"11\" height=\"11\" {style}/>", x - 5.5, y - 5.5)
        }
        Mark::Triangle => write!(out, "<path d=\"M{x} {}l6.5 11h-13z\" {style}/>", y - 7.0),
        Mark::Cross => write!(out, "<path d=\"M{} {}l11 11m0 -11l-11 11\" {style}/>", x - 5.5, y - 5.5),
    };
}
