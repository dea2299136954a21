//! Draws a [`Sheet`] in a terminal: a grid of signs with coordinates, the legend, then its lines.
//!
//! A colour shows the owner or the status of a vertex. Brightness shows strength: bold is at least half of full
//! strength, and faint is below a fifth.

use crate::sheet::{Cell, Key, Sheet, Side, column};
use std::fmt::Write as _;

/// The board with coordinates, then the lines; `colours` turns a terminal's colours on.
#[must_use]
pub fn draw(sheet: &Sheet, colours: bool) -> String {
    let (size, width) = (sheet.size, sheet.width.max(2));
    let mut letters = String::from("  ");
    for col in 0..size {
        let _ = write!(letters, "{:>width$}", column(col));
    }
    let mut text = letters.clone() + "\n";
    for row in 0..size {
        let _ = write!(text, "{:>2}", size - row);
        for col in 0..size {
            let index = row * size + col;
            let padded = format!("{:>width$}", sign(sheet, index));
            match style(&sheet.cells[index]) {
                Some(style) if colours => {
                    let _ = write!(text, "\x1b[{style}m{padded}\x1b[0m");
                }
                _ => text.push_str(&padded),
            }
        }
        let _ = writeln!(text, " {}", size - row);
    }
    text.push_str(&letters);
    text.push('\n');
    for key in &sheet.legend {
        explain(&mut text, key, colours);
    }
    for line in &sheet.lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// A line of the legend. Without colours, a sign that is only a colour is left out.
fn explain(text: &mut String, Key { sign, meaning }: &Key, colours: bool) {
    let _ = match (sign.text.as_str(), style(sign).filter(|_| colours)) {
        ("", None) => Ok(()),
        ("", Some(style)) => writeln!(text, "\x1b[{style}m##\x1b[0m = {meaning}"),
        (letters, Some(style)) => writeln!(text, "\x1b[{style}m{letters:>2}\x1b[0m = {meaning}"),
        (letters, None) => writeln!(text, "{letters:>2} = {meaning}"),
    };
}

/// The terminal codes of a cell's colour and brightness; empty for a cell without colour.
fn style(cell: &Cell) -> Option<String> {
    let colour = cell.ink.terminal();
    let brightness = match cell.fill {
        fill if fill >= 0.5 => "1;",
        fill if fill > 0.0 && fill < 0.2 => "2;",
        _ => "",
    };
    (colour > 0).then(|| format!("{brightness}{colour}"))
}

fn sign(sheet: &Sheet, index: usize) -> &str {
    match (sheet.cells[index].text.as_str(), sheet.stones[index]) {
        ("", Some(Side::Black)) => "X",
        ("", Some(Side::White)) => "O",
        ("", None) => ".",
        (text, _) => text,
    }
}
