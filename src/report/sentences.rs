//! Plain English for what was found. A sentence states published facts and nothing else; a test reads sentences back and
//! holds them against the stones of the record. Sentences from move reasons are not here yet: held against reading of its
//! own, "saves" was not always so.

use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::{Dragon, Rule, Status};

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
        Rule::Seki => "by a seki",
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
