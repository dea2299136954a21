//! A curve over the moves of a game, as SVG.

use std::fmt::Write as _;

/// Width and height of the picture.
const ACROSS: f32 = 600.0;
const HEIGHT: f32 = 150.0;
/// Room on the left for numbers, and above and below the curve.
const LEFT: f32 = 40.0;
const ROOM: f32 = 18.0;

/// A point of a curve: the moves played, and the value after them.
pub type Value = (usize, f32);

/// Draws values over the moves `0..=moves`, zero always in sight. `up` and `down` say what is above and below zero; `at`
/// is the move looked at. Values the caller does not know yet are left out, and the curve spans the gap.
#[must_use]
pub fn draw(values: &[Value], moves: usize, at: Option<usize>, up: &str, down: &str) -> String {
    let most = values.iter().map(|v| v.1.abs()).fold(5.0, f32::max);
    let x = |m: usize| (ACROSS - LEFT - 10.0).mul_add(m as f32 / moves.max(1) as f32, LEFT);
    let middle = HEIGHT / 2.0;
    let y = |v: f32| (middle - ROOM).mul_add(-v / most, middle);
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
    for (value, text) in [(most, up), (-most, down)] {
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" font-size=\"10\" text-anchor=\"end\">{:.0}</text>\
             <text x=\"{}\" y=\"{:.1}\" font-size=\"10\" fill=\"#555\">{}</text>",
            LEFT - 4.0,
            y(value) + 3.0,
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
            x(at),
            HEIGHT - 4.0
        );
    }
    let points: Vec<String> = values.iter().map(|&(m, v)| format!("{:.1},{:.1}", x(m), y(v))).collect();
    let _ = write!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.8\"/></svg>",
        points.join(" ")
    );
    out
}
