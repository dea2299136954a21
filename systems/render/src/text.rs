//! A [`Sheet`] in a terminal: a grid of signs with coordinates, then its lines.

use crate::{Sheet, Side, column};
use std::fmt::Write as _;

/// The board with coordinates, then the lines; with `colours` in a terminal's colours.
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
            match sheet.cells[index].ink.terminal() {
                colour @ 1.. if colours => {
                    let _ = write!(text, "\x1b[{colour}m{padded}\x1b[0m");
                }
                _ => text.push_str(&padded),
            }
        }
        let _ = writeln!(text, " {}", size - row);
    }
    text.push_str(&letters);
    text.push('\n');
    for line in &sheet.lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

fn sign(sheet: &Sheet, index: usize) -> &str {
    match (sheet.cells[index].text.as_str(), sheet.stones[index]) {
        ("", Some(Side::Black)) => "X",
        ("", Some(Side::White)) => "O",
        ("", None) => ".",
        (text, _) => text,
    }
}
