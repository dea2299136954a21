//! The layers of empty regions and of ways out: cavities, caves, distances, escape routes.

use super::{Pen, code_of_border, ink, letter, lettered};
use tengen_go::board::{Color, Vertex};
use tengen_go::publish::{Distance, EscapeValue};
use tengen_render::{Cell, Ink, Key, Sheet};

/// A letter per cavity, and its measures.
pub(super) fn cavities(pen: &Pen<'_>) -> Sheet {
    let Some(map) = &pen.findings.worms else { return pen.sheet("Cavities") };
    let cavities: Vec<_> = map.cavities().collect();
    let number = |v: Vertex| map.get(v).and_then(|w| cavities.iter().position(|c| c.origin == w.origin));
    let lines = cavities.iter().map(|cavity| {
        let more = if cavity.ko { ", ko" } else { "" };
        (cavity.origin, format!("{} size {}{more}", code_of_border(cavity.color), cavity.size))
    });
    lettered_units(pen, ["Cavities", "a letter for each cavity"], number, lines)
}

/// A letter per cave, and its measures.
pub(super) fn caves(pen: &Pen<'_>) -> Sheet {
    let Some(map) = &pen.findings.caves else { return pen.sheet("Caves") };
    let number =
        |v: Vertex| map.at(v).and_then(|cave| map.caves.iter().position(|c| c.origin == cave.origin));
    let lines = map.caves.iter().map(|cave| {
        let mut more = cave.border.map_or_else(String::new, |v| format!(", around it {}", pen.name(v)));
        if cave.cavities.len() > 1 {
            let names: Vec<String> = cave.cavities.iter().map(|&v| pen.name(v)).collect();
            more += &format!(", of the cavities {}", names.join(" "));
        }
        (cave.origin, format!("{} size {}{more}", code_of_border(cave.color), cave.size))
    });
    lettered_units(pen, ["Caves", "a letter for each cave"], number, lines)
}

/// A letter on each vertex of a unit, by its number, and a line for each unit: its origin and its measures.
fn lettered_units(
    pen: &Pen<'_>,
    [title, meaning]: [&str; 2],
    number: impl Fn(Vertex) -> Option<usize>,
    lines: impl Iterator<Item = (Vertex, String)>,
) -> Sheet {
    let mut sheet = pen.sheet(title);
    pen.each(&mut sheet, |v| number(v).map_or_else(Cell::default, |i| lettered(letter(i), Ink::Plain)));
    sheet.legend.push(Key::new(Ink::Plain, 0.0, "A", meaning));
    let line = |(i, (origin, measures)): (usize, (Vertex, String))| {
        format!("{} {:<4} {measures}", letter(i), pen.name(origin))
    };
    sheet.lines.extend(lines.enumerate().map(line));
    sheet
}

/// White's and Black's distances, each with the strategic one; `-` without a path.
pub(super) fn distances(pen: &Pen<'_>) -> Vec<Sheet> {
    let Some(column) = &pen.findings.distances else { return Vec::new() };
    let told = |d: i16| if d < 0 { "-".to_owned() } else { d.to_string() };
    let text = |of: &Distance, color: Color| {
        let c = color.index();
        format!("{}/{}", told(of.distance[c]), told(of.strategic[c]))
    };
    let key = ["6/7", "the distance from the nearest stone, and the strategic distance"];
    of_colors(pen, "distances", key, |v, color| Some(text(&column[v.index(pen.board.size())], color)))
}

/// White's and Black's values of the vertices for an escape.
pub(super) fn escape(pen: &Pen<'_>) -> Vec<Sheet> {
    let Some(column) = &pen.findings.escape_values else { return Vec::new() };
    let value = |v: Vertex, color: Color| {
        let EscapeValue(values) = column[v.index(pen.board.size())];
        (values[color.index()] > 0).then(|| values[color.index()].to_string())
    };
    let key = ["4", "4 in the colour’s moyo, 2 in its area, 1 if neutral"];
    let mut sheets = of_colors(pen, "escape values", key, value);
    for (sheet, color) in sheets.iter_mut().zip([Color::White, Color::Black]) {
        for d in pen.findings.dragons.iter().flat_map(|map| &map.dragons).filter(|d| d.color == color) {
            let names: Vec<String> = d.distance_four.iter().map(|&v| pen.name(v)).collect();
            let four = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
            let (origin, value) = (pen.name(d.origin), d.friend_value);
            sheet
                .lines
                .push(format!("{origin:<4} {color}: at distance four {four}; worth {value} to a friend"));
        }
        // The values are of the first pass, before dragons are known; so are the patterns.
        let size = pen.board.size();
        let causes = pen.findings.first.iter().flat_map(|first| &first.escape.causes);
        sheet.lines.extend(causes.filter(|cause| cause.color == color).map(|cause| cause.text(size)));
    }
    sheets
}

/// Where White’s and Black’s strings can be cut.
pub(super) fn cuts(pen: &Pen<'_>) -> Vec<Sheet> {
    let Some(column) = &pen.findings.cut_points else { return Vec::new() };
    let cut =
        |v: Vertex, color: Color| column[v.index(pen.board.size())].0[color.index()].then(|| "*".to_owned());
    of_colors(pen, "cutting points", ["*", "the enemy can cut here"], cut)
}

/// The vertices beside each vertex of White’s and Black’s eye spaces that are of the same space.
pub(super) fn eye_neighbors(pen: &Pen<'_>) -> Vec<Sheet> {
    let (Some(column), Some(eyes)) = (&pen.findings.eye_neighbors, &pen.findings.eyes) else {
        return Vec::new();
    };
    let count = |v: Vertex, color: Color| {
        let near = column[v.index(pen.board.size())].0[color.index()];
        eyes.at(v, color).map(|_| near.to_string())
    };
    of_colors(pen, "eye spaces", ["2", "vertices beside it that are of the same eye space"], count)
}

/// White's and Black's sheets of texts on empty vertices.
fn of_colors(
    pen: &Pen<'_>,
    what: &str,
    [sample, meaning]: [&str; 2],
    text: impl Fn(Vertex, Color) -> Option<String>,
) -> Vec<Sheet> {
    let sheet = |color: Color| {
        let side = if color == Color::White { "White" } else { "Black" };
        let mut sheet = pen.sheet(&format!("{side}’s {what}"));
        pen.each(&mut sheet, |v| {
            let text = pen.board.is_empty(v).then(|| text(v, color)).flatten();
            text.map_or_else(Cell::default, |text| lettered(text, ink(color)))
        });
        sheet.width = sheet.cells.iter().map(|c| c.text.chars().count()).max().unwrap_or(0) + 1;
        sheet.legend.push(Key::new(ink(color), 0.0, sample, meaning));
        sheet
    };
    vec![sheet(Color::White), sheet(Color::Black)]
}
