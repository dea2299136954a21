//! Plain English for what was found. A sentence states published facts and nothing else; a test reads sentences back and
//! holds them against the board and against reading of its own.

use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::{Dragon, Rule, Status};
use tengen_go::moves::Reason;

/// A player's name at the beginning of a sentence.
#[must_use]
pub const fn player(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

fn stones(count: usize) -> String {
    if count == 1 { "1 stone".into() } else { format!("{count} stones") }
}

/// The lead as results are written: `B+3.5`, `W+2.0`.
#[must_use]
pub fn lead(white: f32) -> String {
    format!("{}+{:.1}", if white > 0.0 { 'W' } else { 'B' }, white.abs())
}

/// Why a move might be good; `None` for reasons that are numbers of the search.
#[must_use]
pub fn reason(board: &Board, color: Color, at: Vertex, reason: &Reason) -> Option<String> {
    let size = board.size();
    let (who, name) = (player(color), at.to_gtp(size));
    let string = |v: Vertex| {
        let owner = board.color_at(v).map_or("", player);
        format!("{owner}'s {} at {}", stones(board.string_size(v)), v.to_gtp(size))
    };
    let ko = |code: u8| if code == 1 { "" } else { " if a ko is won" };
    Some(match reason {
        Reason::Attack(v, code) => format!("{who} {name} captures {}{}.", string(*v), ko(*code)),
        Reason::Defend(v, code) => format!("{who} {name} saves {}{}.", string(*v), ko(*code)),
        Reason::ThreatenAttack(v) => format!("{who} {name} threatens to capture {}.", string(*v)),
        Reason::ThreatenDefend(v) => format!("{who} {name} threatens to save {}.", string(*v)),
        Reason::Connect(a, b) => {
            format!("{who} {name} connects {} with {}.", a.to_gtp(size), b.to_gtp(size))
        }
        Reason::Cut(a, b) => format!("{who} {name} cuts {} from {}.", a.to_gtp(size), b.to_gtp(size)),
        Reason::OwlAttack(v, code) => {
            format!("{who} {name} kills the group at {}{}.", v.to_gtp(size), ko(*code))
        }
        Reason::OwlDefend(v, code) => {
            format!("{who} {name} makes the group at {} live{}.", v.to_gtp(size), ko(*code))
        }
        Reason::Semeai(v) => format!("{who} {name} wins the race against the group at {}.", v.to_gtp(size)),
        Reason::Search { .. } | Reason::Shape(..) => return None,
        other => format!("{who} {name} {}.", other.text(size)),
    })
}

/// What a move took off the board; `None` if nothing.
#[must_use]
pub fn captures(color: Color, at: Vertex, size: usize, count: usize) -> Option<String> {
    (count > 0)
        .then(|| format!("{} {} takes {} off the board.", player(color), at.to_gtp(size), stones(count)))
}

/// What a move did to the lead, by the estimate before and after it.
#[must_use]
pub fn loss(color: Color, at: Vertex, size: usize, before: f32, after: f32) -> String {
    format!(
        "{} {} loses {:.1} points: the estimate goes from {} to {}.",
        player(color),
        at.to_gtp(size),
        lost(color, before, after),
        lead(before),
        lead(after)
    )
}

/// Points that a move lost for its colour, by White's lead before and after it.
#[must_use]
pub fn lost(color: Color, before: f32, after: f32) -> f32 {
    if color == Color::White { before - after } else { after - before }
}

/// What became of a group.
#[must_use]
pub fn death(dragon: &Dragon, size: usize, was: Status) -> String {
    let by = match dragon.rule {
        Rule::None => "without a rule",
        Rule::Unconditional => "unconditionally",
        Rule::Tactics => "by tactical reading",
        Rule::Eyes => "by its eyes",
        Rule::Room => "by its room",
        Rule::LifeAndDeath => "by life-and-death reading",
        Rule::Semeai => "by a capturing race",
    };
    format!(
        "{}'s group at {} ({}) is {} {by}; it was {} before.",
        player(dragon.color),
        dragon.origin.to_gtp(size),
        stones(dragon.size()),
        dragon.status.name(),
        was.name()
    )
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
