//! Writes the input planes of the judge's net for training. It reads one position from each line.
//!
//! A line is `SIZE SIDE STONE... / MOVE...`; a stone or a move has the form `B:Q16`. For each line the program writes
//! the planes to stdout. A plane has one bit for each vertex, in vertex order. The planes follow each other without a
//! gap, and zeros fill the last byte. The highest bit of a byte comes first.

use std::io::{self, BufRead, BufWriter, Write};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::judge::inputs::{Inputs, PLANES};
use tengen_go::world::past_of;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let planes =
            planes(&line?).ok_or_else(|| io::Error::other(format!("line {} is no position", number + 1)))?;
        out.write_all(&planes)?;
    }
    out.flush()
}

fn color(text: &str) -> Option<Color> {
    match text {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

fn planes(line: &str) -> Option<Vec<u8>> {
    let mut words = line.split_whitespace();
    let size = words.next()?.parse().ok()?;
    let to_move = color(words.next()?)?;
    let mut board = Board::new(size);
    let mut is_setup = true;
    for word in words {
        if word == "/" {
            is_setup = false;
            board = board.without_history();
            continue;
        }
        let (side, vertex) = word.split_once(':')?;
        let (side, v) = (color(side)?, Vertex::from_gtp(vertex, size)?);
        if is_setup {
            board.place(side, v).ok()?;
        } else if board.play(side, v).is_err() {
            board.play_ignoring_ko(side, v).ok()?;
        }
    }
    let inputs = Inputs::new(&board, to_move, past_of(&board));
    let mut bytes = vec![0u8; (PLANES * size * size).div_ceil(8)];
    for plane in 0..PLANES {
        for v in inputs.vertices(plane) {
            let bit = plane * size * size + v.index(size);
            bytes[bit / 8] |= 128 >> (bit % 8);
        }
    }
    Some(bytes)
}
