//! Draws a curve over the moves of a game as SVG. The style of a page may set the colours of the classes `paper`,
//! `axis`, `curve`, `words` and `here`.

use crate::escape::escape;
use std::fmt::Write as _;

/// Width and height of the picture.
const ACROSS: f32 = 600.0;
const HEIGHT: f32 = 180.0;
/// Room on the left for numbers, and above and below the curve.
const LEFT: f32 = 40.0;
const ROOM: f32 = 24.0;
/// The words' size; a page on a telephone may set it larger.
const LETTERS: f32 = 12.0;

/// A point of a curve: the number of moves played, and the value after them.
pub type Value = (usize, f32);

/// A marked place of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// The number of moves played after it.
    pub after: usize,
    /// The value there.
    pub value: f32,
    /// Its words.
    pub title: String,
    /// The target of a click; none if empty.
    pub href: String,
}

/// Draws values over the moves `0..=moves`, with zero always visible. `up` and `down` label the sides above and below
/// zero; `at` is the current move. The curve spans gaps of unknown values.
///
/// An estimate that favours whose turn it is goes up and down with every move. The curve is therefore the mean of each value
/// with its neighbours; the values themselves are drawn thin and pale behind it.
#[must_use]
pub fn draw(values: &[Value], moves: usize, at: Option<usize>, up: &str, down: &str) -> String {
    flagged(values, moves, at, [up, down], &[])
}

/// Draws values as [`draw`] does, with flags at marked places. `words` label the sides above and below zero.
#[must_use]
pub fn flagged(
    values: &[Value],
    moves: usize,
    at: Option<usize>,
    words: [&str; 2],
    flags: &[Flag],
) -> String {
    let frame = Frame { most: round_up(values.iter().map(|v| v.1.abs()).fold(5.0, f32::max)), moves };
    let spelled = |values: &[Value]| -> Vec<String> {
        values.iter().map(|&(m, v)| format!("{:.0},{:.0}", frame.x(m), frame.y(v))).collect()
    };
    let smooth = smoothed(values);
    let (exact, points) = (spelled(values), spelled(&smooth));
    let area = match (values.first(), values.last()) {
        (Some(&(first, _)), Some(&(last, _))) => format!(
            "<path class=\"area\" d=\"M{:.1} {:.1}L{}L{:.1} {:.1}z\" fill=\"#0072b2\" fill-opacity=\".14\"/>",
            frame.x(first),
            frame.y(0.0),
            points.join("L"),
            frame.x(last),
            frame.y(0.0)
        ),
        _ => String::new(),
    };
    let mut out = format!(
        "{}{area}<polyline class=\"curve\" points=\"{}\" fill=\"none\" stroke=\"#0072b2\" \
         stroke-opacity=\".3\" stroke-width=\".8\"/><polyline class=\"curve\" points=\"{}\" fill=\"none\" stroke=\"#0072b2\" \
         stroke-width=\"2\"/>",
        frame.draw(at, words[0], words[1]),
        exact.join(" "),
        points.join(" ")
    );
    for flag in flags {
        let value = smooth.iter().find(|v| v.0 == flag.after).map_or(flag.value, |v| v.1);
        draw_flag(&mut out, &frame, &Flag { value, ..flag.clone() });
    }
    out + "</svg>"
}

/// Each value and its neighbours, a quarter, a half, a quarter. A neighbour that is not known or is further than one move away
/// counts as the value itself.
fn smoothed(values: &[Value]) -> Vec<Value> {
    let near = |n: Option<usize>, of: Value| {
        let value = n.and_then(|n| values.get(n)).filter(|v| v.0.abs_diff(of.0) == 1);
        value.map_or(of.1, |v| v.1)
    };
    let one = |(n, &of): (usize, &Value)| {
        let beside = near(n.checked_sub(1), of) + near(Some(n + 1), of);
        (of.0, of.1 / 2.0 + beside / 4.0)
    };
    values.iter().enumerate().map(one).collect()
}

/// A triangle that points at the curve, a link where it has a target.
fn draw_flag(out: &mut String, frame: &Frame, flag: &Flag) {
    let (x, y) = (frame.x(flag.after), frame.y(flag.value).clamp(16.0, HEIGHT - 4.0));
    let title = escape(&flag.title);
    let (open, close) = if flag.href.is_empty() {
        (String::new(), "")
    } else {
        (format!("<a href=\"{}\" aria-label=\"{title}\">", escape(&flag.href)), "</a>")
    };
    let _ = write!(
        out,
        "{open}<path class=\"flag\" d=\"M{x:.1} {:.1}l7 -12h-14z\" fill=\"#d55e00\" stroke=\"#fff\" stroke-width=\".8\">\
         <title>{title}</title></path>{close}",
        y - 2.0
    );
}

/// The next number that reads well on an axis.
fn round_up(value: f32) -> f32 {
    let step = if value > 50.0 { 20.0 } else { 5.0 };
    (value / step).ceil() * step
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
    let frame = Frame { most: round_up(most), moves };
    let width = (ACROSS / moves.max(1) as f32 * 0.8).clamp(0.8, 6.0);
    let mut out = frame.draw(at, up, down);
    for loss in losses.iter().filter(|l| l.points > 0.0) {
        let (value, fill) = if loss.is_black { (loss.points, "#222") } else { (-loss.points, "#fff") };
        let (top, bottom) = (frame.y(value.max(0.0)), frame.y(value.min(0.0)));
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{fill}\" stroke=\"#777\" \
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
        let title = format!("{} above, {} below, by move", escape(up), escape(down));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {ACROSS} {HEIGHT}\" class=\"graph\" role=\"group\" \
             aria-label=\"{title}\" data-moves=\"{moves}\" data-left=\"{LEFT}\" data-right=\"{}\" \
             font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{title}</title>\
             <rect class=\"paper\" width=\"{ACROSS}\" height=\"{HEIGHT}\" rx=\"4\" fill=\"#fff\"/>\
             <path class=\"axis\" d=\"M{LEFT} {middle}H{}\" stroke=\"#888\"/>",
            ACROSS - 10.0,
            ACROSS - 10.0
        );
        for (value, text) in [(self.most, up), (-self.most, down)] {
            let _ = write!(
                out,
                "<text class=\"words\" x=\"{}\" y=\"{:.1}\" font-size=\"{LETTERS}\" text-anchor=\"end\" fill=\"#444\">{:.0}</text>\
                 <text class=\"words\" x=\"{}\" y=\"{:.1}\" font-size=\"{LETTERS}\" fill=\"#555\">{}</text>",
                LEFT - 6.0,
                self.y(value) + 5.0,
                value.abs(),
                LEFT + 4.0,
                if value > 0.0 { 17.0 } else { HEIGHT - 6.0 },
                escape(text)
            );
        }
        if let Some(at) = at {
            let _ = write!(
                out,
                "<path class=\"here\" d=\"M0 4V{}\" transform=\"translate({:.1})\" stroke=\"#cc79a7\" stroke-width=\"2\"/>",
                HEIGHT - 4.0,
                self.x(at)
            );
        }
        out
    }
}
