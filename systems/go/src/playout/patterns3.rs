//! The 3x3 patterns of playouts.
//!
//! # Source
//! S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", INRIA report 6062
//! (2006). Figures 2 to 5 show hane, cut 1, cut 2, and moves at the edge. The patterns are written from the figures.
//!
//! # Notation
//! A pattern is three rows around the move in the middle. `X` and `O` are the two colours, and either of them may be to
//! move. `.` is an empty vertex, `x` is anything but X, and `o` is anything but O. `?` is anything on the board, and a
//! blank is the wall.
//!
//! # Cost
//! One look-up in a table of 65,536 bits by the colours of the eight neighbours; the table is made once.

use super::board::PlayoutBoard;
use std::sync::LazyLock;

const PATTERNS: &[[&str; 3]] = &[
    // Hane: enclosing, not cutting, magari, and the shoulder.
    ["XOX", "...", "???"],
    ["XO.", "...", "?.?"],
    ["XO?", "X..", "x.?"],
    [".O.", "X..", "..."],
    // Cuts: unprotected, peeped, cut 2, the knight's move.
    ["XO?", "O.o", "?o?"],
    ["XO?", "O.X", "???"],
    ["?X?", "O.O", "ooo"],
    ["OX?", "o.O", "???"],
    // The edge: chase, block a cut, block a connection, and the hane on the first line.
    ["X.?", "O.?", "   "],
    ["OX?", "X.O", "   "],
    ["?X?", "x.O", "   "],
    ["?XO", "o.o", "   "],
    ["?OX", "X.O", "   "],
];

/// Whether the eight neighbours of the empty vertex `v` are one of the patterns.
#[inline]
pub(crate) fn matches(board: &PlayoutBoard, v: usize) -> bool {
    let key = key(board, v);
    TABLE[key >> 6] >> (key & 63) & 1 != 0
}

/// The colours of the eight neighbours, two bits each: north, west, east, south, then the diagonals clockwise from
/// the north-west.
fn key(board: &PlayoutBoard, v: usize) -> usize {
    let mut key = 0;
    let [n, w, e, s] = {
        let [n, w, e, s] = board.neighbours(v);
        // `neighbours` gives west, north, east, south.
        [w, n, e, s]
    };
    for (i, p) in [n, w, e, s].into_iter().chain(board.diagonals(v)).enumerate() {
        key |= (board.color[p] as usize) << (2 * i);
    }
    key
}

/// The places of a 3x3 picture in the order of [`key`].
const PLACES: [(usize, usize); 8] = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (0, 2), (2, 2), (2, 0)];

static TABLE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut table = vec![0u64; 1024];
    for pattern in PATTERNS {
        for picture in symmetries(pattern) {
            set_matches(&picture, 0, 0, &mut table);
        }
    }
    table
});

type Picture = [[u8; 3]; 3];

/// The eight rotations and reflections, in both colourings.
fn symmetries(pattern: &[&str; 3]) -> Vec<Picture> {
    let base: Picture = std::array::from_fn(|r| {
        let row = pattern[r].as_bytes();
        std::array::from_fn(|c| row[c])
    });
    let mut all = Vec::new();
    let mut picture = base;
    for turn in 0..8 {
        all.push(picture);
        all.push(picture.map(|row| row.map(swap_colours)));
        picture = rotate(&picture);
        if turn == 3 {
            picture = picture.map(|[a, b, c]| [c, b, a]);
        }
    }
    all
}

fn rotate(p: &Picture) -> Picture {
    std::array::from_fn(|r| std::array::from_fn(|c| p[2 - c][r]))
}

fn swap_colours(cell: u8) -> u8 {
    match cell {
        b'X' => b'O',
        b'O' => b'X',
        b'x' => b'o',
        b'o' => b'x',
        other => other,
    }
}

/// Sets the bit of every surrounding that fits, place by place.
fn set_matches(picture: &Picture, place: usize, key: usize, table: &mut [u64]) {
    let Some(&(r, c)) = PLACES.get(place) else {
        table[key >> 6] |= 1 << (key & 63);
        return;
    };
    // 0 empty, 1 and 2 the colours, 3 wall.
    let fits: &[usize] = match picture[r][c] {
        b'X' => &[1],
        b'O' => &[2],
        b'.' => &[0],
        b'x' => &[0, 2, 3],
        b'o' => &[0, 1, 3],
        b' ' => &[3],
        _ => &[0, 1, 2, 3],
    };
    for &colour in fits {
        set_matches(picture, place + 1, key | colour << (2 * place), table);
    }
}
