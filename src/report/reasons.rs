//! Explanations of moves in plain English. A sentence states published changes and nothing else: its unit, its points, its cause.

use super::sentences::player;
use tengen_go::board::{Color, Vertex};
use tengen_go::reasons::{Change, Explanation, Kind, Unit};

/// The words of small numbers.
const WORDS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// `the nine stones at F3`, or `the stone at F3`.
fn stones(count: usize, at: Vertex, size: usize) -> String {
    let at = at.to_gtp(size);
    match count {
        1 => format!("the stone at {at}"),
        n => WORDS
            .get(n)
            .map_or_else(|| format!("the {n} stones at {at}"), |w| format!("the {w} stones at {at}")),
    }
}

/// `1.0 point`, `4.5 points`.
fn points(x: f32) -> String {
    let text = format!("{:.1}", x.abs());
    if text == "1.0" { "1 point".into() } else { format!("{text} points") }
}

/// The part of the board that a vertex is in, as players say it.
fn place(v: Vertex, size: usize) -> &'static str {
    if v == Vertex::PASS {
        return "the board";
    }
    let third = |x: usize| (x * 3 / size).min(2);
    // Rows count from the top.
    match (third(v.row(size)), third(v.col(size))) {
        (0, 0) => "the upper left corner",
        (0, 1) => "the upper side",
        (0, _) => "the upper right corner",
        (1, 0) => "the left side",
        (1, 1) => "the centre",
        (1, _) => "the right side",
        (_, 0) => "the lower left corner",
        (_, 1) => "the lower side",
        _ => "the lower right corner",
    }
}

/// Moves with their colours: `White G2, Black H2`.
fn line(vertices: &[Vertex], first: Color, size: usize) -> String {
    const MOST: usize = 6;
    let mut color = first;
    let mut moves: Vec<String> = Vec::new();
    for v in vertices.iter().take(MOST) {
        let name = if *v == Vertex::PASS { "passes".to_owned() } else { v.to_gtp(size) };
        moves.push(format!("{} {name}", player(color)));
        color = color.other();
    }
    if vertices.len() > MOST {
        moves.push("...".into());
    }
    moves.join(", ")
}

/// What happens to a unit, without its points: `Black's nine stones at F3 die (White G2)`.
fn happens(change: &Change, explained: &Explanation, size: usize) -> String {
    let owner = change.color.map_or_else(String::new, |color| format!("{}'s ", player(color)));
    let own: Vec<Vertex> = change.stones.clone();
    let what = match (change.unit, change.kind) {
        (Unit::Dragon, _) if own.is_empty() => format!("{owner}eyes at {}", change.at.to_gtp(size)),
        (Unit::Dragon, _) => {
            let text = stones(own.len(), change.at, size);
            if owner.is_empty() { text } else { format!("{owner}{}", text.trim_start_matches("the ")) }
        }
        (Unit::EyeSpace, _) => format!("{owner}eye space at {}", change.at.to_gtp(size)),
        (Unit::Territory, _) => format!("{owner}territory at {}", place(change.at, size)),
        (Unit::Moyo, _) => format!("{owner}framework at {}", place(change.at, size)),
        (Unit::Open, _) => format!("the open area at {}", place(change.at, size)),
    };
    let is_one = own.len() == 1 || change.unit != Unit::Dragon;
    let verb = |one: &'static str, many: &'static str| if is_one { one } else { many };
    let with = change.with.map_or_else(String::new, |v| v.to_gtp(size));
    let does = match change.kind {
        Some(Kind::Dies) => verb("dies", "die").to_owned(),
        Some(Kind::Lives) => verb("lives", "live").to_owned(),
        Some(Kind::Captured) => verb("is captured", "are captured").to_owned(),
        Some(Kind::Saved) => verb("is saved from capture", "are saved from capture").to_owned(),
        Some(Kind::Ladder) => verb("is caught in a ladder", "are caught in a ladder").to_owned(),
        Some(Kind::Ko) => verb("is decided by a ko", "are decided by a ko").to_owned(),
        Some(Kind::Seki) => verb("lives in seki", "live in seki").to_owned(),
        Some(Kind::Connected) => format!("{} with {with}", verb("is connected", "are connected")),
        Some(Kind::CutOff) => format!("{} from {with}", verb("is cut off", "are cut off")),
        Some(Kind::MakesEye) => verb("has more of an eye", "have more of an eye").to_owned(),
        Some(Kind::LosesEye) => verb("loses part of an eye", "lose part of an eye").to_owned(),
        Some(Kind::BrokenInto) if with.is_empty() => verb("is reduced", "are reduced").to_owned(),
        Some(Kind::BrokenInto) => format!("is broken into from {with}"),
        Some(Kind::Enclosed) if change.unit == Unit::Dragon => verb("is shut in", "are shut in").to_owned(),
        Some(Kind::Enclosed) if with.is_empty() => "is closed off".to_owned(),
        Some(Kind::Enclosed) => format!("is closed against {with}"),
        Some(Kind::Escapes) => verb("has a way out", "have a way out").to_owned(),
        None => verb("changes; no cause was read", "change; no cause was read").to_owned(),
    };
    // After a pass the other side begins.
    let begins_other = change.is_of_other && explained.against == Vertex::PASS;
    let first = if begins_other { explained.color.other() } else { explained.color };
    let shown = match (&change.line[..], change.is_of_other) {
        ([], _) | ([_], false) => String::new(),
        ([only], true) if begins_other => format!(" (else {} {})", player(first), only.to_gtp(size)),
        ([only], true) => match change.color {
            Some(color) if color != explained.color => {
                let does = if change.kind == Some(Kind::Saved) { "takes" } else { "kills" };
                let them = if own.len() == 1 { "it" } else { "them" };
                format!(" ({} {does} {them})", only.to_gtp(size))
            }
            _ => format!(" (not after {})", only.to_gtp(size)),
        },
        (all, true) => format!(" (else {})", line(all, first, size)),
        (all, false) => format!(" ({})", line(all, first, size)),
    };
    format!("{what} {does}{shown}")
}

/// What the move that the explained one is held against gains over it, as a sentence.
#[must_use]
pub fn gain_of_other(explained: &Explanation, size: usize) -> String {
    let name = |v: Vertex| if v == Vertex::PASS { "a pass".to_owned() } else { v.to_gtp(size) };
    let does = if explained.value < 0.0 { "gains" } else { "loses" };
    let (other, played) = (name(explained.against), name(explained.vertex));
    format!("{other} {does} {} over {played}.", points(explained.value))
}

/// The sentences of an explanation: the value, then each unit with its points, then what is unexplained.
#[must_use]
pub fn sentences(explained: &Explanation, size: usize) -> Vec<String> {
    let who = player(explained.color);
    let name = |v: Vertex| if v == Vertex::PASS { "a pass".to_owned() } else { v.to_gtp(size) };
    let does = if explained.value < 0.0 { "loses" } else { "gains" };
    let mut told = vec![format!(
        "{who} {} {does} {} against {}.",
        name(explained.vertex),
        points(explained.value),
        name(explained.against)
    )];
    for change in &explained.changes {
        let sign = if change.points < 0.0 { "less" } else { "more" };
        told.push(format!(
            "{} {sign} for {who}: {}.",
            points(change.points),
            happens(change, explained, size)
        ));
    }
    if explained.unexplained.abs() >= 0.05 {
        let sign = if explained.unexplained < 0.0 { "less" } else { "more" };
        told.push(format!("Unexplained: {} {sign} for {who}.", points(explained.unexplained)));
    }
    told
}
