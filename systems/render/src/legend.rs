//! Legends: the meanings of the signs of a picture. They stand under the picture, or as small pictures beside words.

use crate::escape::escape;
use crate::palette::Ink;
use crate::sheet::{Cell, Key};
use crate::sign::{draw_mark, label, square};
use std::fmt::Write as _;

/// The height of a line of the legend.
const LINE: f32 = 18.0;

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
        sign(&mut out, x, y, &key.sign);
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

/// The sign of a legend entry as a small separate picture, on wood.
#[must_use]
pub fn sign_alone(key: &Key) -> String {
    let mut out = String::from(
        "<svg class=\"sign\" width=\"22\" height=\"22\" viewBox=\"0 0 22 22\" aria-hidden=\"true\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\"><rect width=\"22\" height=\"22\" rx=\"3\" fill=\"#e8c587\"/>",
    );
    sign(&mut out, 11.0, 11.0, &key.sign);
    out + "</svg>"
}

fn sign(out: &mut String, x: f32, y: f32, cell: &Cell) {
    let Cell { text, ink, fill, mark } = cell;
    if *fill > 0.0 {
        if *ink == Ink::White {
            let side = 18.0 * fill.min(1.0);
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"none\" stroke=\"#777\"/>",
                x - side / 2.0,
                y - side / 2.0
            );
        }
        square(out, x, y, 18.0 * fill.min(1.0), *ink);
    } else if *ink != Ink::Plain && mark.is_none() {
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\"/>",
            ink.paper()
        );
    }
    if let Some(mark) = mark {
        draw_mark(out, x, y, *mark, *ink);
    }
    label(out, x, y, text, *ink == Ink::Black && *fill > 0.6);
}
