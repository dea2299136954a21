//! The row of controls and the slider below a board. They are the same on the pages of all games.

use std::fmt::Write as _;
use tengen_render::escape;

/// Pictures of the controls, on 16 units each way.
const FIRST: &str = "M3 2h2v12H3zM14 2v12L6 8z";
const BACK: &str = "M12 2v12L3 8z";
const PLAY: &str = "M4 2l9 6-9 6z";
const FORTH: &str = "M4 2v12l9-6z";
const LAST: &str = "M11 2h2v12h-2zM2 2v12l8-6z";
/// The picture of a pass.
pub(super) const PASS: &str =
    "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 2a5 5 0 1 1 0 10A5 5 0 0 1 8 3zM5 7h6v2H5z";
/// The picture of a way back.
pub(super) const UNDO: &str = "M7 3V0L2 5l5 5V7c3 0 5 2 5 4 0 1-.5 2-1 3 3-2 4-4 3-7-1-3-4-4-7-4z";

/// The targets of the controls; one without a target is shown and does nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    pub(super) first: Option<String>,
    pub(super) back: Option<String>,
    pub(super) forth: Option<String>,
    pub(super) last: Option<String>,
}

/// One more control: its target, its id, its picture, its word.
pub(super) type Extra<'a> = (Option<String>, &'a str, &'a str, &'a str);

/// The row of controls.
pub(super) fn bar(targets: Targets, extra: Extra<'_>) -> String {
    let (to, id, icon, word) = extra;
    format!(
        "<nav id=\"way\" class=\"bar\" aria-label=\"Moves\">{}{}<button id=\"play\" type=\"button\" hidden aria-pressed=\"false\">\
         <svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"{PLAY}\"/></svg><b>Play</b></button>{}{}{}</nav>",
        control(targets.first, "first", FIRST, "First"),
        control(targets.back, "back", BACK, "Back"),
        control(targets.forth, "forth", FORTH, "Forward"),
        control(targets.last, "end", LAST, "Last"),
        control(to, id, icon, word),
    )
}

fn control(to: Option<String>, id: &str, icon: &str, word: &str) -> String {
    let inner = format!("<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"{icon}\"/></svg>{word}");
    match to {
        Some(to) => format!("<a id=\"{id}\" href=\"{}\">{inner}</a>", escape(&to)),
        None => format!("<span>{inner}</span>"),
    }
}

/// The slider over the places of a line.
pub(super) struct Slider<'a> {
    /// The present place.
    pub(super) at: usize,
    /// The numbers of the places in addresses.
    pub(super) nodes: &'a [usize],
    /// An address that a number completes.
    pub(super) base: String,
    /// Whether moves are tried here, so that keys go along them first.
    pub(super) is_tried: bool,
    /// The text after the slider.
    pub(super) after: String,
}

/// The slider, its place before it and its end after it.
pub(super) fn slider(slider: &Slider<'_>) -> String {
    let (at, last) = (slider.at, slider.nodes.len().saturating_sub(1));
    let tried = if slider.is_tried { " data-tried=\"1\"" } else { "" };
    let mut out = String::new();
    let _ = write!(
        out,
        "<div class=\"slide\"><output id=\"place\">{at}</output><input id=\"slider\" type=\"range\" min=\"0\" max=\"{last}\" \
         value=\"{at}\" data-nodes=\"{}\" data-href=\"{}\" aria-label=\"move\"{tried}><span>{last}</span>{}</div>",
        ranges(slider.nodes),
        escape(&slider.base),
        slider.after,
    );
    out
}

/// Numbers, runs of neighbours as `3-9`.
fn ranges(line: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &id in line {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == id => *last = id,
            _ => runs.push((id, id)),
        }
    }
    let told = |&(a, b): &(usize, usize)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    runs.iter().map(told).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn runs_of_numbers_are_written_by_their_ends() {
        assert_eq!(ranges(&[0, 1, 2, 7, 9, 10]), "0-2,7,9-10");
        assert_eq!(ranges(&[]), "");
    }
}
