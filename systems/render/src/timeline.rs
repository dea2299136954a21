//! Draws spans of time on lanes as SVG, such as the work of each thread over time.

use crate::escape::escape;
use crate::palette::Ink;
use std::fmt::Write as _;

/// Width of the picture, and room on the left for the lanes' names.
const ACROSS: f32 = 900.0;
const LEFT: f32 = 74.0;
/// Height of a lane, and of the line of times below them.
const LANE: f32 = 18.0;
const FOOT: f32 = 18.0;
/// The approximate width of a letter.
const LETTER: f32 = 5.6;

/// A span on a lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Its lane, from the top.
    pub lane: usize,
    /// Its beginning and end: 0 is the picture's left end, 1 its right end.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Its colour.
    pub ink: Ink,
    /// The text inside, as far as there is room.
    pub text: String,
    /// The text shown on pointing.
    pub title: String,
    /// The target of a click; none if empty.
    pub href: String,
}

/// Draws bars on lanes with these names, with times (place, words) below. A lane with an empty name belongs to the lane
/// above.
#[must_use]
pub fn draw(title: &str, lanes: &[String], bars: &[Bar], times: &[(f64, String)]) -> String {
    let height = LANE.mul_add(lanes.len() as f32, FOOT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {ACROSS} {height}\" class=\"timeline\" role=\"group\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\"><title>{}</title>\
         <rect width=\"{ACROSS}\" height=\"{height}\" fill=\"#fff\"/>",
        escape(title)
    );
    for (n, name) in lanes.iter().enumerate() {
        let top = n as f32 * LANE;
        if !name.is_empty() {
            let _ = write!(
                out,
                "<path d=\"M0 {top}H{ACROSS}\" stroke=\"#bbb\"/><text x=\"3\" y=\"{:.1}\" font-size=\"11\">{}</text>",
                top + 13.0,
                escape(name)
            );
        }
    }
    for (at, words) in times {
        let x = x(*at);
        let _ = write!(
            out,
            "<path d=\"M{x:.1} 0V{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" fill=\"#555\">{}</text>",
            height - FOOT,
            x + 2.0,
            height - 5.0,
            escape(words)
        );
    }
    bars.iter().for_each(|bar| draw_bar(&mut out, bar));
    out + "</svg>"
}

fn x(at: f64) -> f32 {
    (ACROSS - LEFT).mul_add(at.clamp(0.0, 1.0) as f32, LEFT)
}

fn draw_bar(out: &mut String, bar: &Bar) {
    let (from, to, top) = (x(bar.from), x(bar.to), bar.lane as f32 * LANE + 1.5);
    let width = (to - from).max(0.6);
    let (open, close) = if bar.href.is_empty() {
        (String::new(), "")
    } else {
        (format!("<a href=\"{}\">", escape(&bar.href)), "</a>")
    };
    let _ = write!(
        out,
        "{open}<rect x=\"{from:.2}\" y=\"{top:.1}\" width=\"{width:.2}\" height=\"{:.1}\" fill=\"{}\" fill-opacity=\"0.75\" \
         stroke=\"#fff\" stroke-width=\"0.4\"><title>{}</title></rect>",
        LANE - 3.0,
        bar.ink.paper(),
        escape(&bar.title)
    );
    let room = ((width - 4.0) / LETTER).max(0.0) as usize;
    if room >= 3 {
        let text: String = bar.text.chars().take(room).collect();
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9.5\" pointer-events=\"none\">{}</text>",
            from + 2.0,
            top + 11.0,
            escape(&text)
        );
    }
    out.push_str(close);
}
