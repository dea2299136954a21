//! Explains moves in plain English. A sentence states only published changes, each with its unit, its points and its
//! cause.

use super::sentences::player;
use tengen_go::board::{Board, Color, Vertex};
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

/// The stones of a change that its sentence is about. For a dragon with a captured string, these are the stones that
/// the line captures. If the line ends before, they are the stones of the string.
fn told_stones(board: &Board, change: &Change, first: Color) -> Vec<Vertex> {
    if !matches!(change.kind, Some(Kind::Captured | Kind::Saved | Kind::Ladder)) {
        return change.stones.clone();
    }
    let (mut after, mut color) = (board.without_history(), first);
    for &v in &change.line {
        let played = if v == Vertex::PASS { after.play(color, v) } else { after.play_ignoring_ko(color, v) };
        if played.is_err() {
            break;
        }
        color = color.other();
    }
    let owner = board.color_at(change.at);
    let gone = |v: &Vertex| board.color_at(*v) == owner && after.color_at(*v) != owner;
    let taken: Vec<Vertex> = change.stones.iter().copied().filter(gone).collect();
    if !taken.is_empty() {
        return taken;
    }
    match owner {
        Some(_) => board.stones(change.at).collect(),
        None => change.stones.clone(),
    }
}

/// The side that begins the line of a change.
#[must_use]
pub fn begins(change: &Change, explained: &Explanation) -> Color {
    // After a pass the other side begins.
    let begins_other = change.is_of_other && explained.against == Vertex::PASS;
    if begins_other { explained.color.other() } else { explained.color }
}

/// The owner and the kind of the unit: `Black's nine stones at F3`.
fn unit(change: &Change, own: &[Vertex], size: usize) -> String {
    let owner = change.color.map_or_else(String::new, |color| format!("{}'s ", player(color)));
    let at = own.first().copied().filter(|_| !own.contains(&change.at)).unwrap_or(change.at);
    match change.unit {
        Unit::Dragon if own.is_empty() => format!("{owner}eyes at {}", change.at.to_gtp(size)),
        Unit::Dragon => {
            let text = stones(own.len(), at, size);
            if owner.is_empty() { text } else { format!("{owner}{}", text.trim_start_matches("the ")) }
        }
        Unit::EyeSpace => format!("{owner}eye space at {}", change.at.to_gtp(size)),
        Unit::Territory => format!("{owner}territory at {}", place(change.at, size)),
        Unit::Moyo => format!("{owner}framework at {}", place(change.at, size)),
        Unit::Open => format!("the open area at {}", place(change.at, size)),
    }
}

/// The side that an open area becomes more of.
const fn leans_to(change: &Change, explained: &Explanation) -> &'static str {
    player(if change.points > 0.0 { explained.color } else { explained.color.other() })
}

/// The fate of a unit, without its points: `Black's nine stones at F3 die (White G2)`.
#[must_use]
pub fn happens(change: &Change, explained: &Explanation, board: &Board) -> String {
    let size = board.size();
    let own = told_stones(board, change, begins(change, explained));
    let what = unit(change, &own, size);
    let is_one = own.len() == 1 || change.unit != Unit::Dragon;
    let verb = |one: &'static str, many: &'static str| if is_one { one } else { many };
    let with = change.with.map_or_else(String::new, |v| v.to_gtp(size));
    let does = match change.kind {
        Some(Kind::Dies) => verb("dies", "die").to_owned(),
        Some(Kind::Lives) => verb("lives", "live").to_owned(),
        Some(Kind::Captured) => verb("is captured", "are captured").to_owned(),
        Some(Kind::Saved) => verb("is saved from capture", "are saved from capture").to_owned(),
        Some(Kind::Ladder) => verb("is caught in a ladder", "are caught in a ladder").to_owned(),
        Some(Kind::Ko) if change.is_of_other => verb("needs no ko", "need no ko").to_owned(),
        Some(Kind::Ko) => verb("is decided by a ko", "are decided by a ko").to_owned(),
        Some(Kind::Seki) => verb("lives in seki", "live in seki").to_owned(),
        Some(Kind::Connected) => format!("{} with {with}", verb("is connected", "are connected")),
        Some(Kind::CutOff) => format!("{} from {with}", verb("is cut off", "are cut off")),
        Some(Kind::CutThreatened) if change.is_of_other => format!("can't be cut off from {with}"),
        Some(Kind::CutThreatened) => format!("can next be cut off from {with}"),
        Some(Kind::MakesEye) => verb("has more of an eye", "have more of an eye").to_owned(),
        Some(Kind::LosesEye) => verb("loses part of an eye", "lose part of an eye").to_owned(),
        Some(Kind::BrokenInto) if with.is_empty() => verb("is reduced", "are reduced").to_owned(),
        Some(Kind::BrokenInto) => format!("is broken into from {with}"),
        Some(Kind::Enclosed) if change.unit == Unit::Dragon => verb("is shut in", "are shut in").to_owned(),
        Some(Kind::Enclosed) if with.is_empty() => "is closed off".to_owned(),
        Some(Kind::Enclosed) => format!("is closed against {with}"),
        Some(Kind::Escapes) => verb("has a way out", "have a way out").to_owned(),
        Some(Kind::Gains | Kind::Loses) if change.unit == Unit::Open => {
            format!("leans to {}", leans_to(change, explained))
        }
        Some(Kind::Gains) => verb("has more territory", "have more territory").to_owned(),
        Some(Kind::Loses) => verb("has less territory", "have less territory").to_owned(),
        None => verb("changes; no cause was read", "change; no cause was read").to_owned(),
    };
    let first = begins(change, explained);
    let begins_other = first != explained.color;
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

/// The effect of the better move on a unit, and the result of the explained move there. `None` where the change has
/// no cause, or gains for the explained move.
#[must_use]
pub fn what_better_does(change: &Change, explained: &Explanation, board: &Board) -> Option<String> {
    let size = board.size();
    let kind = change.kind.filter(|_| change.points < 0.0 && explained.against != Vertex::PASS)?;
    let own = told_stones(board, change, begins(change, explained));
    let what = unit(change, &own, size);
    let (better, played) = (explained.against.to_gtp(size), name_of(explained.vertex, size));
    let is_one = own.len() == 1 || change.unit != Unit::Dragon;
    let its = if is_one { "its" } else { "their" };
    let they = |one: &str, many: &str| if is_one { format!("it {one}") } else { format!("they {many}") };
    let with = change.with.map_or_else(String::new, |v| v.to_gtp(size));
    let is_dragon = change.unit == Unit::Dragon;
    let (does, else_) = match kind {
        Kind::Dies => (format!("keeps {what} alive"), they("dies", "die")),
        Kind::Lives => (format!("kills {what}"), they("lives", "live")),
        Kind::Captured => (format!("saves {what}"), they("is captured", "are captured")),
        Kind::Saved => (format!("captures {what}"), they("is saved", "are saved")),
        Kind::Ladder => (format!("saves {what}"), they("is caught in a ladder", "are caught in a ladder")),
        Kind::Ko if change.is_of_other => {
            (format!("starts a ko about {what}"), they("needs none", "need none"))
        }
        Kind::Ko => (format!("decides about {what}"), "a ko decides".to_owned()),
        Kind::Seki => (format!("kills {what}"), they("lives in seki", "live in seki")),
        Kind::Connected => (format!("cuts {what} off from {with}"), they("is connected", "are connected")),
        Kind::CutOff => (format!("connects {what} with {with}"), they("is cut off", "are cut off")),
        Kind::CutThreatened if change.is_of_other => {
            (format!("threatens to cut {what} off from {with}"), they("is connected", "are connected"))
        }
        Kind::CutThreatened => {
            (format!("connects {what} with {with}"), they("can next be cut off", "can next be cut off"))
        }
        Kind::MakesEye => (format!("takes part of an eye from {what}"), they("keeps it", "keep it")),
        Kind::LosesEye => (format!("makes more of an eye for {what}"), format!("{its} eye gets smaller")),
        Kind::BrokenInto if with.is_empty() => {
            (format!("keeps {what} whole"), they("is reduced", "are reduced"))
        }
        Kind::BrokenInto => (format!("keeps {what} whole"), format!("it is broken into from {with}")),
        Kind::Enclosed if is_dragon => {
            (format!("keeps a way out for {what}"), they("is shut in", "are shut in"))
        }
        Kind::Enclosed if with.is_empty() => (format!("reduces {what}"), "it is closed off".to_owned()),
        Kind::Enclosed => (format!("breaks into {what} from {with}"), "it is closed off".to_owned()),
        Kind::Escapes => (format!("shuts {what} in"), they("has a way out", "have a way out")),
        Kind::Gains | Kind::Loses if change.unit == Unit::Open => {
            (format!("claims {what}"), format!("it leans to {}", leans_to(change, explained)))
        }
        Kind::Gains => (format!("leaves {what} less territory"), they("has more", "have more")),
        Kind::Loses => (format!("leaves {what} more territory"), they("has less", "have less")),
    };
    let shown = match &change.line[..] {
        [] | [_] => String::new(),
        all => format!(" ({})", line(all, begins(change, explained), size)),
    };
    let (after_better, after_played) =
        if change.is_of_other { (shown, String::new()) } else { (String::new(), shown) };
    Some(format!("{better} {does}{after_better}; after {played} {else_}{after_played}."))
}

/// The name of a move in a sentence.
fn name_of(v: Vertex, size: usize) -> String {
    if v == Vertex::PASS { "the pass".to_owned() } else { v.to_gtp(size) }
}

/// The sentences of an explanation: the value, then each unit with its points, then the unexplained rest.
#[must_use]
pub fn sentences(explained: &Explanation, board: &Board) -> Vec<String> {
    let size = board.size();
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
            happens(change, explained, board)
        ));
    }
    if explained.unexplained.abs() >= 0.05 {
        let sign = if explained.unexplained < 0.0 { "less" } else { "more" };
        told.push(format!("Unexplained: {} {sign} for {who}.", points(explained.unexplained)));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_go::reasons::Source;

    fn at(name: &str) -> Vertex {
        Vertex::from_gtp(name, 9).expect("a vertex")
    }

    /// White's strings at A1 and C1, of one dragon to the eye of the judge; Black can take A1 alone.
    fn board() -> Board {
        let mut board = Board::new(9);
        for (color, names) in [(Color::White, &["A1", "B1", "D1"][..]), (Color::Black, &["A2", "B2"][..])] {
            names.iter().for_each(|name| board.place(color, at(name)).expect("it is empty"));
        }
        board
    }

    fn change(kind: Kind, points: f32, line: &[&str]) -> Change {
        Change {
            unit: Unit::Dragon,
            color: Some(Color::White),
            at: at("A1"),
            stones: ["A1", "B1", "D1"].map(at).to_vec(),
            others: Vec::new(),
            points,
            kind: Some(kind),
            source: Source::Reading,
            line: line.iter().map(|name| at(name)).collect(),
            is_of_other: true,
            proved: true,
            with: None,
        }
    }

    fn told(change: Change) -> Option<String> {
        let explained = Explanation {
            vertex: at("J9"),
            color: Color::Black,
            against: at("C1"),
            value: change.points,
            lead: 0.0,
            unexplained: 0.0,
            changes: vec![change.clone()],
        };
        what_better_does(&change, &explained, &board())
    }

    #[test]
    fn only_the_stones_that_the_line_takes_off_are_called_captured() {
        let captured = told(change(Kind::Saved, -4.0, &["C1"]));
        assert_eq!(
            captured.as_deref(),
            Some("C1 captures White's two stones at A1; after J9 they are saved.")
        );
    }

    #[test]
    fn what_gains_for_the_played_move_or_has_no_cause_is_left_out() {
        assert_eq!(told(change(Kind::Saved, 4.0, &["C1"])), None);
        assert_eq!(told(Change { kind: None, ..change(Kind::Saved, -4.0, &["C1"]) }), None);
    }

    #[test]
    fn every_kind_has_a_sentence_about_the_better_move() {
        use Kind::{
            BrokenInto, Captured, Connected, CutOff, CutThreatened, Dies, Enclosed, Escapes, Gains, Ko,
            Ladder, Lives, Loses, LosesEye, MakesEye, Saved, Seki,
        };
        for kind in [
            Dies,
            Lives,
            Captured,
            Saved,
            Ladder,
            Ko,
            Seki,
            Connected,
            CutOff,
            MakesEye,
            LosesEye,
            BrokenInto,
            Enclosed,
            Escapes,
            Gains,
            Loses,
            CutThreatened,
        ] {
            let text = told(change(kind, -4.0, &[])).expect("a sentence");
            assert!(text.starts_with("C1 ") && text.contains("; ") && text.ends_with('.'), "{text}");
        }
    }
}
