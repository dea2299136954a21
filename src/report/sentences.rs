//! Describes the findings in plain English. A sentence states only published facts. Tests parse the sentences, and
//! compare statements about stones with the record. They compare statements about captures, life and connections with
//! separate readings.

use super::fates::Lost;
use crate::number_text::counted;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::claims::Claim;
use tengen_go::dragons::{Dragon, Rule, Status};
use tengen_go::moves::{Candidate, Reason, Term};
use tengen_go::tactics::WormTactics;

/// A player's name at the beginning of a sentence.
#[must_use]
pub const fn player(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

fn stones(count: usize) -> String {
    counted("stone", count)
}

/// The lead as results are written: `B+3.5`, `W+2.0`.
#[must_use]
pub fn score_text(white: f32) -> String {
    format!("{}+{:.1}", if white > 0.0 { 'W' } else { 'B' }, white.abs())
}

/// The stones that a move took off the board; `None` if there are none.
#[must_use]
pub fn captures(color: Color, at: Vertex, size: usize, count: usize) -> Option<String> {
    (count > 0)
        .then(|| format!("{} {} takes {} off the board.", player(color), at.to_gtp(size), stones(count)))
}

/// The points that a move lost, by White's lead in the estimate before and after it.
#[must_use]
pub fn loss(color: Color, at: Vertex, size: usize, points: f32, [before, after]: [f32; 2]) -> String {
    format!(
        "{} {} {points:.1} points: the estimate goes from {} to {}.",
        player(color),
        if at == Vertex::PASS { "passes and loses".into() } else { format!("{} loses", at.to_gtp(size)) },
        score_text(before),
        score_text(after)
    )
}

/// The evidence for a group's status. `claims` are those of readings about it.
#[must_use]
pub fn basis<'a>(dragon: &Dragon, claims: impl IntoIterator<Item = &'a Claim>) -> String {
    match dragon.rule {
        Rule::None => "without a rule".into(),
        Rule::Unconditional => "unconditionally".into(),
        Rule::Tactics => "by tactical reading".into(),
        Rule::Eyes => "by its eyes".into(),
        Rule::Room => "by its room".into(),
        Rule::LifeAndDeath => "by life-and-death reading".into(),
        Rule::Semeai => "by a capturing race".into(),
        Rule::Odds => by_playouts(dragon.status, &claims.into_iter().collect::<Vec<_>>()),
    }
}

/// The evidence where playouts outweigh a reading: what each reading says that differs from the status.
fn by_playouts(status: Status, claims: &[&Claim]) -> String {
    let said = |(rule, name): (Rule, &str)| {
        let differs = |claim: &&&Claim| {
            claim.basis == rule && claim.status != status && claim.status != Status::Unknown
        };
        claims.iter().rev().find(differs).map(|claim| format!("{name} says it is {}", claim.status.name()))
    };
    let readings = [(Rule::LifeAndDeath, "life-and-death reading"), (Rule::Semeai, "a capturing race")];
    let mut said: Vec<String> = readings.into_iter().filter_map(said).collect();
    if said.is_empty() {
        said.push("tactical reading says otherwise".into());
    }
    format!("by playouts with either side moving first, though {}", said.join(" and "))
}

/// The fate of a group. `claims` are those of readings about it.
#[must_use]
pub fn death<'a>(
    dragon: &Dragon,
    size: usize,
    was: Status,
    claims: impl IntoIterator<Item = &'a Claim>,
) -> String {
    let by = basis(dragon, claims);
    format!(
        "{}'s group at {} ({}) is {} {by}; it was {} before.",
        player(dragon.color),
        dragon.origin.to_gtp(size),
        stones(dragon.size()),
        dragon.status.name(),
        was.name()
    )
}

/// A vertex in a sentence; a pass too.
#[must_use]
pub fn spot(v: Vertex, size: usize) -> String {
    if v == Vertex::PASS { "passes".into() } else { v.to_gtp(size) }
}

/// A group that was lost for good, and by which move; `by` is empty or that move after a comma.
#[must_use]
pub fn group_lost(lost: &Lost, by: &str, size: usize) -> String {
    let at = lost.stones.first().map_or_else(String::new, |v| v.to_gtp(size));
    let how = if lost.is_taken { "taken off by" } else { "dead since" };
    format!("{}'s {} at {at}: {how} move {}{by}.", player(lost.color), stones(lost.stones.len()), lost.number)
}

/// Moves in turn, as `Black C2, White B1`.
#[must_use]
pub fn line(first: Color, moves: &[Vertex], size: usize) -> String {
    let mut color = first;
    let mut told = Vec::with_capacity(moves.len());
    for v in moves {
        told.push(format!("{} {}", player(color), v.to_gtp(size)));
        color = color.other();
    }
    told.join(", ")
}

/// The result of reading for a string: the line that captures it, and whether it can be saved. `None` if it cannot be
/// captured.
#[must_use]
pub fn string(board: &Board, at: Vertex, read: &WormTactics) -> Option<String> {
    let owner = board.color_at(at)?;
    if !read.attack.works() {
        return None;
    }
    let size = board.size();
    let enemy = player(owner.other());
    let how = match read.line.first() {
        Some(_) => format!(": {}", line(owner.other(), &read.line, size)),
        None => String::new(),
    };
    let saved = if read.defense.works() {
        let by = read.defense_point.to_gtp(size);
        format!("{} to move saves it at {by}{}.", player(owner), if_ko(read.defense.gtp(), owner))
    } else {
        format!("{} can't save it.", player(owner))
    };
    let name = stones_at(board, at);
    Some(format!("{enemy} to move takes {name}{}{how}. {saved}", if_ko(read.attack.gtp(), owner.other())))
}

/// The colour of the stones at a vertex, and the number of connected ones there.
fn stones_at(board: &Board, at: Vertex) -> String {
    let owner = board.color_at(at).map_or("nobody", player);
    format!("{owner}'s {} at {}", stones(board.string_size(at)), at.to_gtp(board.size()))
}

/// The addition for a reading's code: 2 and 3 are won by a ko.
fn if_ko(code: u8, winner: Color) -> String {
    match code {
        2 | 3 => format!(" if {} wins a ko", player(winner)),
        _ => String::new(),
    }
}

/// A reason for a move as a sentence about the stones it names, on the board before the move.
#[must_use]
pub fn reason(board: &Board, color: Color, at: Vertex, reason: &Reason) -> String {
    let size = board.size();
    let name = |v: Vertex| v.to_gtp(size);
    let stones = |v: Vertex| stones_at(board, v);
    let group = |v: Vertex| format!("{}'s group at {}", board.color_at(v).map_or("nobody", player), name(v));
    let ko = |code: u8| if_ko(code, color);
    let what = match reason {
        Reason::Attack(t, code) => format!("captures {}{}", stones(t.at), ko(*code)),
        Reason::Defend(t, code) => format!("saves {}{}", stones(t.at), ko(*code)),
        Reason::ThreatenAttack(t) => format!("threatens to capture {}", stones(t.at)),
        Reason::ThreatenDefend(t) => format!("threatens to save {}", stones(t.at)),
        Reason::Connect(a, b) => format!("connects {} and {}", name(*a), name(*b)),
        Reason::Cut(a, b) => format!("cuts {} off from {}", name(*a), name(*b)),
        Reason::OwlAttack(t, code) => format!("kills {}{}", group(t.at), ko(*code)),
        Reason::OwlDefend(t, code) => format!("makes {} live{}", group(t.at), ko(*code)),
        Reason::Semeai(t) => format!("wins the capturing race of {}", group(t.at)),
        Reason::Eye(t) => format!("changes the eyes of {}", group(t.at)),
        Reason::StrategicAttack(t) => format!("weakens {}", group(t.at)),
        Reason::Weakens(t, room) => format!("weakens {} ({})", group(t.at), room.text()),
        Reason::Strengthens(t, room) => format!("strengthens {} ({})", group(t.at), room.text()),
        Reason::Escape(t) => format!("brings {} out", group(t.at)),
        Reason::ExpandTerritory => "makes or takes territory".into(),
        Reason::ExpandMoyo => "makes a framework of territory".into(),
        Reason::BreakIn(t, area) => {
            format!("breaks into the territory around {} from {}", name(*area), name(t.at))
        }
        Reason::BlockOff(t, area) => {
            format!("keeps {} out of the territory around {}", name(t.at), name(*area))
        }
        Reason::Invasion => "lives or reduces inside the opponent's area".into(),
        Reason::Opening(what, least) => {
            format!("is an opening move ({what}), held to be worth {least:.1} points at least")
        }
        Reason::Likely(share) => format!("is likely by its surroundings ({:.1} %)", 100.0 * share),
        Reason::Shape(what, value) => format!("has the shape {what}, which counts {value:+.1}"),
        Reason::CleanUp(t) => format!("takes {} off, which are dead", stones(t.at)),
        Reason::FillLiberty => "fills a point that is nobody's".into(),
    };
    format!("{} {} {what}.", player(color), name(at))
}

/// The value of a move, and the terms of the valuation that are not zero.
#[must_use]
pub fn worth(candidate: &Candidate, color: Color, size: usize) -> String {
    let words = |term: Term| match term {
        Term::Territory => "territory",
        Term::Strategic => "the safety of groups",
        Term::Followup => "the follow-up",
        Term::ReverseFollowup => "the opponent's follow-up",
        Term::Secondary => "lesser reasons",
        Term::Shape => "shape",
        Term::Limit => "a bound on its value",
    };
    let terms: Vec<String> = candidate
        .terms
        .named()
        .filter(|(_, points)| points.abs() >= 0.05)
        .map(|(term, points)| format!("{} {points:.1}", words(term)))
        .collect();
    let of = if terms.is_empty() { String::new() } else { format!(", by {}", terms.join(", ")) };
    format!("{} {} is worth {:.1} points{of}.", player(color), candidate.vertex.to_gtp(size), candidate.value)
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
