//! Draws chess boards as SVG.

use crate::escape::escape;
use crate::palette::Ink;
use std::fmt::Write as _;

/// The side of a square.
const SQUARE: f32 = 44.0;
/// Room for coordinates.
const EDGE: f32 = 18.0;

/// A chess board and its marks. Squares are numbered from a8 (0) along the ranks to h1 (63).
#[derive(Clone, Debug)]
pub struct Board {
    /// The title of the picture.
    pub title: String,
    /// The piece on each square by its letter in FEN.
    pub pieces: [Option<char>; 64],
    /// Squares to colour, such as those of the last move.
    pub marked: Vec<(usize, Ink)>,
    /// Moves to draw, from square to square.
    pub arrows: Vec<(usize, usize, Ink)>,
}

impl Board {
    /// The board of the first field of a FEN; `None` if that field is not a board.
    #[must_use]
    pub fn of_fen(title: &str, fen: &str) -> Option<Self> {
        let mut pieces = [None; 64];
        let ranks: Vec<&str> = fen.split_whitespace().next()?.split('/').collect();
        if ranks.len() != 8 {
            return None;
        }
        for (rank, text) in ranks.iter().enumerate() {
            let mut file = 0;
            for c in text.chars() {
                if let Some(empty) = c.to_digit(10) {
                    file += empty as usize;
                } else if "pnbrqkPNBRQK".contains(c) && file < 8 {
                    pieces[rank * 8 + file] = Some(c);
                    file += 1;
                } else {
                    return None;
                }
            }
            if file != 8 {
                return None;
            }
        }
        Some(Self { title: title.into(), pieces, marked: Vec::new(), arrows: Vec::new() })
    }
}

/// The number of a square by its name (`e4`).
#[must_use]
pub fn square(name: &str) -> Option<usize> {
    let &[file, rank] = name.as_bytes() else { return None };
    let (file, rank) = (file.checked_sub(b'a')?, rank.checked_sub(b'1')?);
    (file < 8 && rank < 8).then(|| usize::from(7 - rank) * 8 + usize::from(file))
}

/// The board as SVG, White below. A square is an element of class `v` with its name in `data-v`.
#[must_use]
pub fn draw(board: &Board) -> String {
    let side = EDGE.mul_add(2.0, SQUARE * 8.0);
    let title = escape(&board.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" class=\"board\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"DejaVu Sans, sans-serif\"><title>{title}</title><rect width=\"{side}\" height=\"{side}\" rx=\"4\" fill=\"#5d4a35\"/>"
    );
    let corner = |i: usize| (SQUARE.mul_add((i % 8) as f32, EDGE), SQUARE.mul_add((i / 8) as f32, EDGE));
    for index in 0..64 {
        let (x, y) = corner(index);
        let dark = (index % 8 + index / 8) % 2 == 1;
        let fill = if dark { "#b58f63" } else { "#f0e2c6" };
        let _ =
            write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>");
    }
    for &(index, ink) in &board.marked {
        let (x, y) = corner(index);
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"4\"/>",
            x + 2.0,
            y + 2.0,
            SQUARE - 4.0,
            SQUARE - 4.0,
            ink.paper()
        );
    }
    for index in 0..64 {
        let Some(letter) = board.pieces[index] else { continue };
        let Some(sign) = figure(letter) else { continue };
        // One shape for both colours: a light piece has a dark edge, so that it is legible on every square and in grey.
        let look = if letter.is_ascii_uppercase() {
            "fill=\"#fffdf6\" stroke=\"#1b1b1b\" stroke-width=\"1.6\" paint-order=\"stroke\""
        } else {
            "fill=\"#1b1b1b\" stroke=\"#f0e2c6\" stroke-width=\".8\" paint-order=\"stroke\""
        };
        let (x, y) = corner(index);
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"36\" text-anchor=\"middle\" {look}>{sign}</text>",
            x + SQUARE / 2.0,
            y + 34.0
        );
    }
    for &(from, to, ink) in &board.arrows {
        let middle = |i: usize| (corner(i).0 + SQUARE / 2.0, corner(i).1 + SQUARE / 2.0);
        let ((x0, y0), (x1, y1)) = (middle(from), middle(to));
        let _ = write!(
            out,
            "<path d=\"M{x0} {y0}L{x1} {y1}\" stroke=\"{ink}\" stroke-width=\"5\" stroke-opacity=\".7\"/>\
             <circle cx=\"{x1}\" cy=\"{y1}\" r=\"7\" fill=\"{ink}\" fill-opacity=\".8\"/>",
            ink = ink.paper()
        );
    }
    for i in 0..8 {
        let (x, y) = (SQUARE.mul_add(i as f32 + 0.5, EDGE), SQUARE.mul_add(i as f32 + 0.5, EDGE) + 4.0);
        let file = char::from(b'a' + i as u8);
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#f0e2c6\">{file}</text>\
             <text x=\"{}\" y=\"{y}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#f0e2c6\">{}</text>",
            side - 5.0,
            EDGE / 2.0,
            8 - i
        );
    }
    for index in 0..64 {
        let (x, y) = corner(index);
        let name = format!("{}{}", char::from(b'a' + (index % 8) as u8), 8 - index / 8);
        let _ = write!(
            out,
            "<rect class=\"v\" data-v=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
             fill=\"#000\" fill-opacity=\"0\"/>"
        );
    }
    out.push_str("</svg>");
    out
}

/// The figure of a piece.
const fn figure(letter: char) -> Option<char> {
    Some(match letter.to_ascii_lowercase() {
        'k' => '\u{265a}',
        'q' => '\u{265b}',
        'r' => '\u{265c}',
        'b' => '\u{265d}',
        'n' => '\u{265e}',
        'p' => '\u{265f}',
        _ => return None,
    })
}
