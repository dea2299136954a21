//! Finds the cause of a unit's change, by reading or by the manual's measures.
//!
//! # Steps
//! 1. The fates of a changed group give its cause: it dies, lives, is captured or is saved. A fate that neither a
//!    closed field nor reading of its string proves is read further (`deeper`). If that proves nothing, the fate is no
//!    cause.
//! 2. A dragon with equal fates whose owners change by at least [`DOUBTED`] is read further.
//! 3. Stones that belong to one dragon with others after only one of the two moves are connected, or cut off.
//!    Connection reading must show that the side that moves next cannot change this. If the owner moves next and needs
//!    the move to connect, the cut is threatened.
//! 4. The cause may be a change in the value of a dragon's eyes. Stones that die after both moves need no eyes.
//! 5. Territory may be open to a break-in after only one of the two moves. Then it is broken into, or enclosed.
//! 6. A dragon of the same stones whose escape value falls from [`OPEN`] or more to [`SHUT`] or less is enclosed. If
//!    the value rises in the same way, the dragon escapes.
//! 7. The last cause is a change of the manual's territory at the unit. Territory and frameworks are then enclosed or
//!    broken into; dragons and open areas gain or lose territory.

use super::deeper::Deeper;
use super::fate::{Fate, fate};
use super::units::{Group, Pair};
use super::{Change, Kind, Seen, Source, Unit};
use crate::board::{Color, Vertex};
use crate::connection::BreakIn;

/// The mean change of a stone's owner from which a dragon is read further. Own choice.
const DOUBTED: f32 = 0.12;
/// A capture by a longer line than this is a ladder or the like.
const LADDER: usize = 7;
/// A dragon with this escape value or less is shut in, and with this or more it has a way out. Own choice: 12 is the least
/// value with which a dragon needs no reading, and 5 the greatest of a dragon without hope.
const SHUT: u32 = 5;
/// See [`SHUT`].
const OPEN: u32 = 12;
/// The share of a unit's points that the manual's territory must say too. Own choice.
const MANUAL_SHARE: f32 = 0.4;

/// The change of a group, with its cause if one was read.
pub(super) fn change(pair: &Pair<'_>, group: Group, deeper: &mut Deeper) -> Change {
    let Group { unit, color, stones, empty, fates, points } = group;
    let most = |list: &[Vertex]| {
        list.iter()
            .copied()
            .max_by(|&a, &b| pair.gain(a).abs().total_cmp(&pair.gain(b).abs()).then(b.cmp(&a)))
    };
    // Stones of the other side that joined do not name the group.
    let is_own = |v: &Vertex| pair.before.board.color_at(*v) == color;
    let (stones, joined): (Vec<Vertex>, Vec<Vertex>) = stones.into_iter().partition(is_own);
    let others: Vec<Vertex> = empty.into_iter().chain(joined).collect();
    let at = stones.first().copied().or_else(|| most(&others)).unwrap_or(Vertex::PASS);
    let mut change = Change {
        unit,
        color,
        at,
        stones,
        others,
        points,
        kind: None,
        source: Source::Judge,
        line: Vec::new(),
        is_of_other: false,
        proved: false,
        with: None,
    };
    let found = match fates {
        Some((subject, other)) => read_on(pair, &change, subject, other, deeper),
        None => doubted(pair, &change, deeper),
    };
    let found = found
        .or_else(|| connection(pair, &change, deeper))
        .or_else(|| eyes(pair, &change))
        .or_else(|| break_in(pair, &change))
        .or_else(|| way_out(pair, &change))
        .or_else(|| by_influence(pair, &change));
    if let Some(found) = found {
        found.enter(pair, &mut change);
    }
    change
}

/// 1. A changed group, read on where that is needed.
fn read_on(
    pair: &Pair<'_>,
    change: &Change,
    mut subject: Fate,
    mut other: Fate,
    deeper: &mut Deeper,
) -> Option<Found> {
    let color = change.color?;
    for (fate, seen) in [(&mut subject, &pair.subject), (&mut other, &pair.other)] {
        if !fate.is_proved() {
            let (found, is_proof) = deeper.fate(seen, change.at, color)?;
            if !is_proof && found.lives() != fate.lives() {
                return None;
            }
            *fate = found;
        }
    }
    by_fates(subject, other)
}

/// The cause of two fates, if they differ.
fn by_fates(subject: Fate, other: Fate) -> Option<Found> {
    let lives = subject.lives()?;
    if other.lives()? == lives {
        return None;
    }
    // What lives is shown by what would kill it otherwise.
    let (dying, living) = if lives { (other, subject) } else { (subject, other) };
    let in_seki = matches!(living, Fate::Lives { in_seki: true, .. });
    let (line, is_capture, is_ko, proved) = match dying {
        Fate::Dies { line, is_capture, by_ko, proved } => (line, is_capture, by_ko, proved),
        _ => (Vec::new(), true, false, true),
    };
    let kind = match (lives, is_capture) {
        _ if is_ko => Kind::Ko,
        (true, _) if in_seki => Kind::Seki,
        (true, true) => Kind::Saved,
        (true, false) => Kind::Lives,
        (false, true) if line.len() > LADDER => Kind::Ladder,
        (false, true) => Kind::Captured,
        (false, false) => Kind::Dies,
    };
    Some(Found { line: Some(line), is_of_other: lives, proved, ..Found::of(kind, Source::Reading) })
}

/// 2.
fn doubted(pair: &Pair<'_>, change: &Change, deeper: &mut Deeper) -> Option<Found> {
    let color = change.color.filter(|_| change.unit == Unit::Dragon)?;
    let own: Vec<Vertex> =
        change.stones.iter().copied().filter(|&v| pair.before.board.color_at(v) == Some(color)).collect();
    let mean = own.iter().map(|&v| pair.gain(v)).sum::<f32>() / own.len().max(1) as f32;
    if own.is_empty() || mean.abs() < DOUBTED || change.points.abs() < 1.0 {
        return None;
    }
    let mut of = |seen: &Seen<'_>| {
        let deeper = deeper.fate(seen, change.at, color).map(|(found, _)| found);
        deeper.or_else(|| Some(fate(seen, change.at, color)).filter(Fate::is_proved))
    };
    let (subject, other) = (of(&pair.subject)?, of(&pair.other)?);
    let found = by_fates(subject, other)?;
    // What gains for the side that moves is its own that lives, or the other side's that dies.
    let gains = (color == pair.color) == !matches!(found.kind, Kind::Dies | Kind::Captured | Kind::Ladder);
    (gains == (change.points > 0.0)).then_some(found)
}

/// A cause.
struct Found {
    kind: Kind,
    source: Source,
    with: Option<Vertex>,
    /// After the move; the move itself comes before it.
    line: Option<Vec<Vertex>>,
    is_of_other: bool,
    proved: bool,
}

impl Found {
    const fn of(kind: Kind, source: Source) -> Self {
        Self { kind, source, with: None, line: None, is_of_other: false, proved: false }
    }

    fn enter(self, pair: &Pair<'_>, change: &mut Change) {
        change.kind = Some(self.kind);
        change.source = self.source;
        change.with = self.with;
        change.is_of_other = self.is_of_other;
        change.proved = self.proved;
        if let Some(line) = self.line {
            let seen = if self.is_of_other { &pair.other } else { &pair.subject };
            // A pass has no last move of the side that moves.
            let last = seen.board.last_move().filter(|m| m.0 == pair.color).map(|m| m.1);
            let is_new = seen.board.moves().count() > pair.before.board.moves().count();
            change.line = last.filter(|_| is_new).into_iter().chain(line).collect();
        }
    }
}

/// 3. Whether stones of the unit share their dragon with others after one of the moves only.
fn connection(pair: &Pair<'_>, change: &Change, deeper: &mut Deeper) -> Option<Found> {
    if change.unit != Unit::Dragon {
        return None;
    }
    let v = change.at;
    let color = pair.before.board.color_at(v)?;
    let own = pair.before.dragon_number(v)?;
    let joined = |seen: &Seen<'_>| -> Vec<Vertex> {
        let Some(dragon) = seen.dragon(v) else { return Vec::new() };
        let others = dragon.stones.iter().copied().filter(|&w| {
            pair.before.board.color_at(w) == Some(color) && pair.before.dragon_number(w) != Some(own)
        });
        others.collect()
    };
    let parted = |seen: &Seen<'_>| -> Option<Vertex> {
        let dragon = seen.dragon(v)?;
        let stones = &pair.before.dragon(v)?.stones;
        stones.iter().copied().find(|w| seen.board.color_at(*w) == Some(color) && !dragon.stones.contains(w))
    };
    let (after, else_) = (joined(&pair.subject), joined(&pair.other));
    let only = |in_: &[Vertex], not_in: &[Vertex]| in_.iter().copied().find(|v| !not_in.contains(v));
    let (with, is_joined) = match (only(&after, &else_), only(&else_, &after)) {
        (Some(with), _) => (with, true),
        (None, Some(with)) => (with, false),
        (None, None) => match (parted(&pair.subject), parted(&pair.other)) {
            (Some(with), None) => (with, false),
            (None, Some(with)) => (with, true),
            _ => return None,
        },
    };
    // Connecting helps its owner.
    let gains = (color == pair.color) == is_joined;
    if gains != (change.points > 0.0) {
        return None;
    }
    let (whole, apart) = if is_joined { (&pair.subject, &pair.other) } else { (&pair.other, &pair.subject) };
    let mut link = |seen: &Seen<'_>, first: Color| deeper.link(seen, [v, with], first);
    let next = pair.subject.to_move;
    let (holds, cut) = (link(whole, next)?, link(apart, next)?);
    let found = |kind| Found { with: Some(with), proved: true, ..Found::of(kind, Source::Reading) };
    if holds.is_joined && !cut.is_joined {
        // The line begins with the cut, or with the connection that the cut prevents.
        let (line, is_of_whole) = if color == pair.color { (cut.line, false) } else { (holds.line, true) };
        let kind = if is_joined { Kind::Connected } else { Kind::CutOff };
        return Some(Found { is_of_other: is_of_whole != is_joined, line: Some(line), ..found(kind) });
    }
    // The owner connects, but only by an answer.
    let is_answered = color == next && holds.is_joined && cut.is_joined;
    let is_threat = is_answered && link(whole, pair.color)?.is_joined && !link(apart, pair.color)?.is_joined;
    is_threat.then(|| Found { is_of_other: is_joined, ..found(Kind::CutThreatened) })
}

/// The worth of a dragon's eyes in halves, and one more for a half eye.
fn eye_worth(seen: &Seen<'_>, v: Vertex) -> Option<f32> {
    let dragon = seen.dragon(v)?;
    let genus = &dragon.genus;
    Some(f32::from(genus.a) + f32::from(genus.b) + f32::from(genus.c) + f32::from(genus.d))
}

/// 4.
fn eyes(pair: &Pair<'_>, change: &Change) -> Option<Found> {
    let color = change.color?;
    let board = pair.before.board;
    let stone = match change.unit {
        Unit::Dragon => Some(change.at),
        Unit::EyeSpace => change
            .others
            .iter()
            .chain(&change.stones)
            .flat_map(|&v| board.neighbors4(v).collect::<Vec<_>>())
            .find(|&n| board.color_at(n) == Some(color)),
        _ => None,
    }?;
    let dies = |seen: &Seen<'_>| fate(seen, stone, color).lives() == Some(false);
    if dies(&pair.subject) && dies(&pair.other) {
        return None;
    }
    let (after, else_) = (eye_worth(&pair.subject, stone)?, eye_worth(&pair.other, stone)?);
    // Two eyes and more are enough.
    let (after, else_) = (after.min(8.0), else_.min(8.0));
    if (after - else_).abs() < 1.0 {
        return None;
    }
    let gains = (color == pair.color) == (after > else_);
    let kind = if after > else_ { Kind::MakesEye } else { Kind::LosesEye };
    (gains == (change.points > 0.0)).then(|| Found::of(kind, Source::Manual))
}

/// 5.
fn break_in(pair: &Pair<'_>, change: &Change) -> Option<Found> {
    if change.unit == Unit::Dragon {
        return None;
    }
    let touches = |break_in: &BreakIn| break_in.lost.iter().any(|v| change.others.contains(v));
    // An intruder who moves next breaks in; the owner who moves next must be unable to block.
    let breaks = |seen: &Seen<'_>, b: &BreakIn| {
        let moves_next = seen.to_move != b.owner;
        b.break_in.code.works() && (moves_next || !b.block_off.code.works())
    };
    let broken = |seen: &Seen<'_>| seen.break_ins.0.iter().find(|b| touches(b) && breaks(seen, b)).cloned();
    let (after, else_) = (broken(&pair.subject), broken(&pair.other));
    let found = |b: BreakIn, kind, is_of_other| Found {
        with: Some(b.intruder),
        line: Some(b.break_in.line.clone()),
        is_of_other,
        proved: !b.break_in.limit_hit,
        ..Found::of(kind, Source::Reading)
    };
    let found = match (after, else_) {
        (Some(b), None) => (b.owner, found(b, Kind::BrokenInto, false)),
        (None, Some(b)) => (b.owner, found(b, Kind::Enclosed, true)),
        _ => return None,
    };
    let gains = (found.0 == pair.color) == (found.1.kind == Kind::Enclosed);
    (gains == (change.points > 0.0)).then_some(found.1)
}

/// 6. Whether a dragon's way out is closed, or opened.
fn way_out(pair: &Pair<'_>, change: &Change) -> Option<Found> {
    let color = change.color.filter(|_| change.unit == Unit::Dragon)?;
    let own = |seen: &Seen<'_>| {
        let dragon = seen.dragon(change.at).filter(|dragon| dragon.color == color)?;
        // A dragon that has grown has the way out of another.
        let is_old = |v: &&Vertex| pair.before.board.color_at(**v).is_some();
        Some((dragon.escape_route, dragon.stones.iter().filter(is_old).copied().collect::<Vec<_>>()))
    };
    let ((after, stones), (else_, others)) = (own(&pair.subject)?, own(&pair.other)?);
    if stones != others {
        return None;
    }
    if after.min(else_) > SHUT || after.max(else_) < OPEN {
        return None;
    }
    let gains = (color == pair.color) == (after > else_);
    let kind = if after > else_ { Kind::Escapes } else { Kind::Enclosed };
    (gains == (change.points > 0.0)).then(|| Found::of(kind, Source::Manual))
}

/// 7.
fn by_influence(pair: &Pair<'_>, change: &Change) -> Option<Found> {
    let sign = if pair.color == Color::White { 1.0 } else { -1.0 };
    let worth =
        |seen: &Seen<'_>, v: Vertex| sign * seen.influence.maps[seen.to_move.index()].territory[v.at()];
    let all = change.stones.iter().chain(&change.others);
    let gain: f32 = all.map(|&v| worth(&pair.subject, v) - worth(&pair.other, v)).sum();
    if gain.signum() != change.points.signum() || gain.abs() < MANUAL_SHARE * change.points.abs() {
        return None;
    }
    let grows = change.color.map_or(gain > 0.0, |color| (color == pair.color) == (gain > 0.0));
    let kind = match (change.unit, grows) {
        (Unit::Dragon | Unit::EyeSpace | Unit::Open, true) => Kind::Gains,
        (Unit::Dragon | Unit::EyeSpace | Unit::Open, false) => Kind::Loses,
        (Unit::Territory | Unit::Moyo, true) => Kind::Enclosed,
        (Unit::Territory | Unit::Moyo, false) => Kind::BrokenInto,
    };
    Some(Found::of(kind, Source::Manual))
}
