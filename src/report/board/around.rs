//! The layers about the surroundings of dragons: the hulls of the surrounding stones, and threats.

use super::{Pen, ink};
use crate::number_text::counted;
use crate::record::findings::Map;
use tengen_go::board::{Board, Vertex};
use tengen_go::dragons::threats::stones_left;
use tengen_go::dragons::{Dragon, DragonMap, ThreatStatus};
use tengen_go::surround::{Surround, SurroundMap, surround as surround_of};
use tengen_render::{Arrow, Cell, Ink, Key, Mark, Outline, Sheet};

/// The surrounded dragons with their hulls, the surround sets and the margins; or what surrounds the other side's dragons
/// after a move.
pub(super) fn surround(pen: &Pen<'_>, which: Map) -> Sheet {
    let Some(map) = &pen.findings.dragons else { return pen.sheet("Surrounded dragons") };
    let Map::After(color, at) = which else {
        let mut sheet = pen.sheet("Surrounded dragons");
        for d in &map.dragons {
            draw(pen, &mut sheet, d, &d.stones, &d.surround);
        }
        sheet.legend = legend();
        return sheet;
    };
    let mut after = pen.board.without_history();
    let title = format!("Surrounded dragons after {color} {}", pen.name(at));
    if after.play(color, at).is_err() {
        return pen.sheet(&title);
    }
    let mut sheet = super::stones(&after, &title);
    for d in map.dragons.iter().filter(|d| d.color == color.other()) {
        let (stones, found) = after_move(map, &after, d, at);
        draw(pen, &mut sheet, d, &stones, &found);
    }
    sheet.legend = legend();
    sheet
}

/// What is left of a dragon after an enemy move, and what surrounds it.
fn after_move(map: &DragonMap, after: &Board, dragon: &Dragon, at: Vertex) -> (Vec<Vertex>, SurroundMap) {
    let stones = stones_left(after, dragon.color, &dragon.stones);
    let near = |v: Vertex| map.index.get(v.at()).is_some_and(|n| dragon.neighbors.binary_search(n).is_ok());
    let found = surround_of(after, &stones, |v| v == at || near(v));
    (stones, found)
}

/// A dragon with its hull, if it is surrounded.
fn draw(pen: &Pen<'_>, sheet: &mut Sheet, dragon: &Dragon, stones: &[Vertex], around: &SurroundMap) {
    if around.status == Surround::No {
        return;
    }
    let size = pen.board.size();
    let corners = around.hull.iter().map(|p| p.y as usize * size + p.x as usize).collect();
    sheet.outlines.push(Outline { corners, ink: ink(dragon.color) });
    for v in &around.margin {
        let cell = &mut sheet.cells[v.index(size)];
        (cell.fill, cell.ink) = (0.3, ink(dragon.color));
    }
    for v in &around.set {
        sheet.cells[v.index(size)].mark = Some(Mark::Square);
    }
    for v in stones {
        let cell = &mut sheet.cells[v.index(size)];
        (cell.mark, cell.ink) = (Some(Mark::Triangle), ink(dragon.color));
    }
    let names = |of: &[Vertex]| of.iter().map(|&v| pen.name(v)).collect::<Vec<_>>().join(" ");
    sheet.lines.push(format!(
        "{:<4} {}: {:?}, {} inside the hull",
        pen.name(dragon.origin),
        dragon.color,
        around.status,
        counted("vertex", around.inside.len())
    ));
    sheet.lines.push(format!("     surround set {}", names(&around.set)));
    sheet.lines.push(format!("     margin {}", names(&around.margin)));
}

fn legend() -> Vec<Key> {
    let key = |of: Ink, mark: Option<Mark>, fill: f32, meaning: &str| {
        let mut key = Key::new(of, fill, "", meaning);
        key.sign.mark = mark;
        key
    };
    vec![
        key(Ink::Black, Some(Mark::Triangle), 0.0, "a surrounded dragon of Black's, with its hull"),
        key(Ink::White, Some(Mark::Triangle), 0.0, "one of White's"),
        key(
            Ink::Plain,
            Some(Mark::Square),
            0.0,
            "the surround set: stones around it, and their feet at the edge",
        ),
        key(Ink::Black, None, 0.3, "the margin: beside the hull, outside"),
    ]
}

/// The moves of threats with arrows to their dragons.
pub(super) fn threats(pen: &Pen<'_>) -> Sheet {
    let mut sheet = pen.sheet("Two moves in a row");
    let Some(map) = &pen.findings.dragons else { return sheet };
    let size = pen.board.size();
    sheet.legend = vec![
        Key::new(Ink::Danger, 0.7, "1", "the first of two moves that kill it"),
        Key::new(Ink::Good, 0.7, "a", "the first of two moves that save it"),
    ];
    let Some(threats) = &pen.findings.threats else {
        sheet.lines.push("threats were not read".into());
        return sheet;
    };
    let name = |of: Option<Vertex>| of.map_or_else(|| "none".to_owned(), |v| pen.name(v));
    for (d, threat) in map.dragons.iter().zip(&threats.0) {
        let of = match threat.status {
            ThreatStatus::CanThreatenAttack => Some(Ink::Danger),
            ThreatStatus::CanThreatenDefense => Some(Ink::Good),
            _ => None,
        };
        let signs = if of == Some(Ink::Good) { ["a", "b"] } else { ["1", "2"] };
        let moves = [threat.first, threat.second].into_iter().zip(signs);
        for (v, text) in moves.filter(|(v, _)| of.is_some() && *v != Vertex::PASS) {
            let ink = of.unwrap_or(Ink::Plain);
            sheet.cells[v.index(size)] = Cell { fill: 0.7, ink, text: text.into(), mark: None };
            sheet.arrows.push(Arrow { from: v.index(size), to: d.origin.index(size), ink });
        }
        let by = match of {
            None => String::new(),
            Some(_) if threat.second == Vertex::PASS => format!(", by {}", pen.name(threat.first)),
            Some(_) => format!(", by {} then {}", pen.name(threat.first), pen.name(threat.second)),
        };
        let status = match threat.status {
            ThreatStatus::Unchecked => "not asked, because it lives by eyes or room, or its fate is open",
            ThreatStatus::Unknown => "no two such moves were found before a limit",
            ThreatStatus::Alive => "two moves in a row do not kill it",
            ThreatStatus::Dead => "two moves in a row do not save it",
            found => found.name(),
        };
        let color = d.color.to_string();
        sheet.lines.push(format!("{:<4} {color}: {status}{by}", pen.name(d.origin)));
        if d.attack_kworm.is_some() || d.defense_kworm.is_some() {
            let (attack, defense) = (name(d.attack_kworm), name(d.defense_kworm));
            sheet.lines.push(format!("     the attack takes {attack}, the defence takes {defense}"));
        }
    }
    sheet
}
