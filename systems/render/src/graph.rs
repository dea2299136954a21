//! A curve over the moves of a game, as SVG.

use std::fmt::Write as _;

/// Width and height of the picture.
const ACROSS: f32 = 600.0;
const HEIGHT: f32 = 150.0;
/// Room on the left for numbers, and above and below the curve.
const LEFT: f32 = 40.0;
const ROOM: f32 = 18.0;

/// A point of a curve: the number of moves played, and the value after them.
pub type Value = (usize, f32);

/// Draws values over the moves `0..=moves`, with zero always visible. `up` and `down` label the sides above and below
/// zero; `at` is the current move. The curve spans gaps of unknown values.
#[must_use]
pub fn draw(values: &[Value], moves: usize, at: Option<usize>, up: &str, down: &str) -> String {
    let most = values.iter().map(|v| v.1.abs()).fold(5.0, f32::max);
    let frame = Frame { most, moves };
    let points: Vec<String> =
        values.iter().map(|&(m, v)| format!("{:.1},{:.1}", frame.x(m), frame.y(v))).collect();
    format!(
        "{}<polyline points=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.8\"/></svg>",
        frame.draw(at, up, down),
        points.join(" ")
    )
}

/// The loss of a move for the side that played it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// The number of moves played after it.
    pub after: usize,
    /// Whether Black played it.
    pub is_black: bool,
    /// Points lost; not negative.
    pub points: f32,
}

/// Draws the loss of each move: Black's as full bars upward, White's as hollow ones downward.
#[must_use]
pub fn losses(losses: &[Loss], moves: usize, at: Option<usize>, up: &str, down: &str) -> String {
    let most = losses.iter().map(|l| l.points).fold(5.0, f32::max);
    let frame = Frame { most, moves };
    let width = (ACROSS / moves.max(1) as f32 * 0.8).clamp(0.8, 6.0);
    let mut out = frame.draw(at, up, down);
    for loss in losses.iter().filter(|l| l.points > 0.0) {
        let (value, fill) = if loss.is_black { (loss.points, "#222") } else { (-loss.points, "#fff") };
        let (top, bottom) = (frame.y(value.max(0.0)), frame.y(value.min(0.0)));
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{fill}\" stroke=\"#222\" \
             stroke-width=\"0.7\"><title>move {}: {:.1} points</title></rect>",
            frame.x(loss.after) - width / 2.0,
            bottom - top,
            loss.after,
            loss.points
        );
    }
    out + "</svg>"
}

/// The frame of a picture over moves: zero in the middle, the greatest value above and below.
struct Frame {
    most: f32,
    moves: usize,
}

impl Frame {
    fn x(&self, after: usize) -> f32 {
        (ACROSS - LEFT - 10.0).mul_add(after as f32 / self.moves.max(1) as f32, LEFT)
    }

    fn y(&self, value: f32) -> f32 {
        let middle = HEIGHT / 2.0;
        (middle - ROOM).mul_add(-value / self.most, middle)
    }

    /// The picture without its curve: axis, numbers, words, the current move.
    fn draw(&self, at: Option<usize>, up: &str, down: &str) -> String {
        let (middle, moves) = (HEIGHT / 2.0, self.moves);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {ACROSS} {HEIGHT}\" class=\"graph\" role=\"img\" \
         data-moves=\"{moves}\" data-left=\"{LEFT}\" data-right=\"{}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\
         <title>{} above, {} below, by move</title>\
         <rect width=\"{ACROSS}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\
         <path d=\"M{LEFT} {middle}H{}\" stroke=\"#888\"/>",
            ACROSS - 10.0,
            crate::escape(up),
            crate::escape(down),
            ACROSS - 10.0
        );
        for (value, text) in [(self.most, up), (-self.most, down)] {
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" font-size=\"10\" text-anchor=\"end\">{:.0}</text>\
             <text x=\"{}\" y=\"{:.1}\" font-size=\"10\" fill=\"#555\">{}</text>",
                LEFT - 4.0,
                self.y(value) + 3.0,
                value.abs(),
                LEFT + 4.0,
                if value > 0.0 { 11.0 } else { HEIGHT - 4.0 },
                crate::escape(text)
            );
        }
        if let Some(at) = at {
            let _ = write!(
                out,
                "<path d=\"M{:.1} 4V{}\" stroke=\"#cc79a7\" stroke-width=\"2\"/>",
                self.x(at),
                HEIGHT - 4.0
            );
        }
        out
    }
}
